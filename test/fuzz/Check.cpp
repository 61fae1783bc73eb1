// Compiles, runs and checks one random program (Check.h).
#include "Check.h"

#include "lowering/Passes.h"
#include "lowering/Pipelines.h"
#include "lowering/compile/CompileModel.h"
#include "lowering/machine/Target.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "test/support/guarded_buffer.hpp"
#include "tpp_dialect/TppOps.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <memory>

namespace tpp::fuzz {

using mlir::tpp::CompiledModel;
using mlir::tpp::CompileOptions;

Checker::Checker() : context(mlir::MLIRContext::Threading::DISABLED) {
  mlir::DialectRegistry registry;
  mlir::tpp::registerTpp(registry);
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  context.appendDialectRegistry(registry);
}

namespace {

using tpp_test::guard;
using tpp_test::guarded_buffer;

constexpr size_t workspaceAlignment = 64;

// Sets all bits: a NaN in every floating-point type, so that a read of uninitialized memory shows in the results.
void poison(guarded_buffer &buffer) { std::memset(buffer.as<>(), 0xFF, buffer.bytes()); }

// Makes a model that writes to an argument fault at once.
void makeReadOnly(guarded_buffer &buffer) {
  auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE)), start = reinterpret_cast<uintptr_t>(buffer.as<>());
  uintptr_t first = start / page * page, end = (start + buffer.bytes() + page - 1) / page * page;
  mprotect(reinterpret_cast<void *>(first), end - first, PROT_READ);
}

// This machine with another size of L2 and a slow L3, as CompileOptions::target: whatever L2 does not hold is computed in bands.
std::string describeHost(int64_t l2Bytes, mlir::MLIRContext *context) {
  mlir::tpp::TargetAttr host = mlir::tpp::getHostTarget(context);
  tpp_machine machine = host.getMachine();
  machine.l2_bytes = l2Bytes, machine.l3_gbs = 0.1;
  std::string text;
  llvm::raw_string_ostream(text) << mlir::tpp::TargetAttr::get(context, machine, host.getCpu(), host.getVnni());
  return text;
}

struct Execution {
  std::vector<guarded_buffer> results;
  std::string failure;
};

// Calls the model twice on the same workspace. Both results must be equal bit for bit: a model keeps no state between calls.
Execution execute(const CompiledModel &model, const Program &program, const Selection &selection, const CheckOptions &options) {
  Execution run;
  guard side = options.atEnd ? guard::behind : guard::before;
  std::vector<guarded_buffer> arguments;
  std::vector<void *> pointers;
  for (int node : program.arguments(selection)) {
    const Tensor &tensor = program.tensor(node);
    guarded_buffer &buffer = arguments.emplace_back(tensor.size() * typeBytes(tensor.type), side);
    for (int64_t i = 0; i < tensor.size(); ++i)
      store(roundTo(tensor.value[i], tensor.type), tensor.type, buffer.as<>() + i * typeBytes(tensor.type));
    makeReadOnly(buffer);
    pointers.push_back(buffer.as<>());
  }
  for (int node : selection.results) {
    const Tensor &tensor = program.tensor(node);
    run.results.emplace_back(tensor.size() * typeBytes(tensor.type), side);
    pointers.push_back(run.results.back().as<>());
  }
  guarded_buffer workspace((model.workspaceBytes() + workspaceAlignment - 1) / workspaceAlignment * workspaceAlignment, side);

  std::vector<std::string> first;
  for (int call = 0; call < 2; ++call) {
    poison(workspace);
    for (guarded_buffer &result : run.results)
      poison(result);
    if (llvm::Error error = model.run(workspace.as<>(), pointers)) {
      run.failure = llvm::toString(std::move(error));
      return run;
    }
    for (size_t i = 0; i < run.results.size(); ++i) {
      std::string bytes(run.results[i].as<>(), run.results[i].bytes());
      if (call == 0)
        first.push_back(std::move(bytes));
      else if (first[i] != bytes)
        run.failure = llvm::formatv("result {0} changes from one call to the next", i);
    }
  }
  return run;
}

std::string elementIndex(int64_t at, llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (size_t i = shape.size(); i > 0; --i) {
    text.insert(0, std::to_string(at % shape[i - 1]) + (text.empty() ? "" : ", "));
    at /= shape[i - 1];
  }
  return "[" + text + "]";
}

std::string number(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

// Appends a message with the worst element for each wrong result to the report.
void compare(const char *pipeline, const Execution &run, const Program &program, const Selection &selection, Report &report) {
  for (size_t r = 0; r < selection.results.size(); ++r) {
    const Tensor &expected = program.tensor(selection.results[r]);
    const char *data = run.results[r].as<>();
    int64_t worst = -1, wrong = 0;
    double worstExcess = 0;
    for (int64_t i = 0; i < expected.size(); ++i) {
      double got = load(expected.type, data + i * typeBytes(expected.type)), bound = expected.error[i];
      double difference = got == expected.value[i] ? 0 : std::fabs(got - expected.value[i]);
      ++report.elements;
      report.exactElements += bound == 0;
      if (difference <= bound) { // false for NaN
        if (bound > 0)
          report.worstShare = std::fmax(report.worstShare, difference / bound);
        continue;
      }
      ++wrong;
      double excess = std::isfinite(difference) ? difference - bound : INFINITY;
      if (worst < 0 || excess > worstExcess)
        worst = i, worstExcess = excess;
    }
    if (wrong == 0)
      continue;
    report.passed = false;
    report.message +=
        llvm::formatv("{0}: result {1} ({2}): {3} of {4} elements wrong; worst at {5}: {6}, expected {7} within {8}\n", pipeline,
                      r, expected.typeText(), wrong, expected.size(), elementIndex(worst, expected.shape),
                      number(load(expected.type, data + worst * typeBytes(expected.type))), number(expected.value[worst]),
                      number(expected.error[worst]));
  }
}

std::string printed(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, mlir::OpPrintingFlags().elideLargeElementsAttrs().elideLargeResourceString());
  return text;
}

// Records whether tpp-propagate-layouts changes a function, and checks that a second run with the same options changes nothing. Records whether the
// passes for convolutions find one.
class LayoutProbe : public mlir::PassInstrumentation {
public:
  LayoutProbe(Report &report) : report(report) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    if (pass->getArgument() == argument)
      before = printed(op);
  }

  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (pass->getArgument() == "tpp-use-winograd")
      op->walk([&](mlir::tpp::ContractOp contract) { report.usesWinograd |= contract.getWinograd().has_value(); });
    if (pass->getArgument() == "tpp-use-grouped-convs")
      op->walk([&](mlir::tpp::ContractOp contract) { report.usesGroups |= contract.getGrouped(); });
    if (pass->getArgument() == "tpp-read-padding")
      op->walk([&](mlir::tpp::ContractOp contract) { report.readsPadding |= contract.getPadded(); });
    if (pass->getArgument() != argument)
      return;
    std::string once = printed(op);
    report.changesLayouts |= once != before;
    mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(op->getLoc()));
    (*module)->setAttrs(op->getParentOp()->getAttrs()); // the target and the packing strategy
    module->push_back(op->clone());
    std::string withOptions;
    llvm::raw_string_ostream os(withOptions);
    pass->printAsTextualPipeline(os);
    mlir::PassManager again(op->getContext());
    bool runs = mlir::succeeded(mlir::parsePassPipeline(withOptions, again.nest<mlir::func::FuncOp>())) &&
                mlir::succeeded(again.run(*module));
    std::string twice = runs ? printed(&module->getBody()->front()) : "a failure";
    if (once == twice)
      return;
    report.passed = false;
    report.message += "layouts: tpp-propagate-layouts changes its own result; first line that differs:\n";
    llvm::StringRef one = once, two = twice;
    while (!one.empty() && one.split('\n').first == two.split('\n').first)
      one = one.split('\n').second, two = two.split('\n').second;
    report.message += ("  " + one.split('\n').first + "\n  " + two.split('\n').first + "\n").str();
  }

private:
  static constexpr llvm::StringRef argument = "tpp-propagate-layouts";
  Report &report;
  std::string before;
};

} // namespace

Report Checker::check(const Program &program, const Selection &selection, const CheckOptions &options) {
  Report report;
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    llvm::raw_string_ostream(diagnostics) << diagnostic.getLocation() << ": " << diagnostic << "\n";
    return mlir::success();
  });
  auto fail = [&](const std::string &message) {
    report.passed = false;
    report.message += message + (diagnostics.empty() ? "\n" : "\n" + diagnostics);
  };
  mlir::OwningOpRef<mlir::ModuleOp> source = mlir::parseSourceString<mlir::ModuleOp>(program.print(selection), &context);
  if (!source) {
    fail("the generator printed an invalid program");
    return report;
  }
  const std::pair<CompileOptions::Pipeline, const char *> pipelines[] = {{CompileOptions::Pipeline::Loops, "loops"},
                                                                         {CompileOptions::Pipeline::Default, "default"}};
  for (auto [pipeline, name] : pipelines) {
    mlir::OwningOpRef<mlir::ModuleOp> module(source->clone());
    CompileOptions compileOptions;
    compileOptions.entry = "main";
    compileOptions.pipeline = pipeline;
    compileOptions.threads = options.threads;
    compileOptions.provider = options.provider;
    compileOptions.packing = options.packing;
    compileOptions.winograd = program.winograd;
    if (pipeline == CompileOptions::Pipeline::Loops) {
      compileOptions.optimize = mlir::tpp::Optimize::ForOneRun; // the reference runs twice, on small values
    } else {
      if (options.l2Bytes != 0)
        compileOptions.target = describeHost(options.l2Bytes, &context);
      compileOptions.instrument = [&report](mlir::PassManager &passes) {
        passes.enableVerifier();
        passes.addInstrumentation(std::make_unique<LayoutProbe>(report));
      };
    }
    llvm::Expected<std::unique_ptr<CompiledModel>> model = CompiledModel::compile(*module, compileOptions);
    if (!model) {
      fail(std::string(name) + ": does not compile: " + llvm::toString(model.takeError()));
      continue;
    }
    Execution run = execute(**model, program, selection, options);
    if (!run.failure.empty())
      fail(std::string(name) + ": " + run.failure);
    compare(name, run, program, selection, report);
  }
  return report;
}

} // namespace tpp::fuzz
