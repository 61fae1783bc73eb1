// Named targets, machine files and the host (see Target.h).
#include "lowering/machine/Target.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "tpp/machine.hpp"
#include "tpp/machines.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

namespace mlir::tpp {

namespace {
// Best first: a machine that supports one instruction set also supports the later ones of the same architecture, and portable.
struct Isa {
  StringRef name, kernels, feature; // name in TargetAttr, target word in kernels.def, LLVM's CPU feature
  bool fusedMultiplyAdd;
};
constexpr Isa isas[] = {{"avx512", "avx3", "avx512f", true},
                        {"avx2", "avx2", "avx2", true}, // its kernels also require FMA
                        {"sse4", "sse4", "sse4.2", false},
                        {"neon", "neon", "neon", true},
                        {"portable", "portable", "", false}};

// Always finds one: the verifier of #tpp.target accepts only these names.
const Isa &getIsa(StringRef name) {
  return *llvm::find_if(isas, [&](const Isa &isa) { return isa.name == name; });
}

// A machine of tpp/machines.def: its name, and LLVM's name of its processor; "" for an instruction set.
struct NamedMachine {
  StringRef name, cpu;
};
constexpr NamedMachine namedMachines[] = {
#define TPP_MACHINE(id, base, name, cpu, ...) {name, cpu},
#include "tpp/machines.def"
};
} // namespace

static TargetAttr makeTarget(MLIRContext *context, const tpp_machine &machine, StringRef cpu) {
  // All kernels of kernels.def read B in words of 32 bits, also those of instruction sets without dot products.
  Builder builder(context);
  auto group = [&](StringRef type, int64_t factor) { return builder.getNamedAttr(type, builder.getI64IntegerAttr(factor)); };
  DictionaryAttr vnni = builder.getDictionaryAttr({group("bf16", 2), group("f16", 2), group("i8", 4), group("u8", 4)});
  return TargetAttr::get(context, machine, cpu, vnni);
}

StringRef getHostCpu() {
  static const std::string cpu = llvm::sys::getHostCPUName().str();
  return cpu;
}

TargetAttr getHostTarget(MLIRContext *context) { return makeTarget(context, ::tpp::current_machine(), getHostCpu()); }

std::string getHostProblem() { return ::tpp::current_machine_problem(); }

bool isHost(TargetAttr target) {
  return target.getIsa() == ::tpp::host_machine().isa && target.getCpu() && target.getCpu() == getHostCpu();
}

TargetAttr getTarget(Operation *op) {
  for (Operation *scope = op; scope; scope = scope->getParentOp())
    if (auto target = scope->getAttrOfType<TargetAttr>(kTargetAttr))
      return target;
  return getHostTarget(op->getContext());
}

tpp_machine getMachine(Operation *op, int64_t l2Bytes) {
  tpp_machine machine = getTarget(op).getMachine();
  if (l2Bytes > 0)
    machine.l2_bytes = l2Bytes;
  return machine;
}

// Parses `text` as a #tpp.target attribute. The diagnostics of MLIR's parser become part of the error.
static llvm::Expected<TargetAttr> parseTargetAttribute(StringRef text, const Twine &where, MLIRContext *context) {
  std::string problem;
  Attribute attribute;
  {
    ScopedDiagnosticHandler collect(context, [&](Diagnostic &diagnostic) {
      problem += (problem.empty() ? "" : "; ") + diagnostic.str();
      return success();
    });
    attribute = parseAttribute(text.trim(), context);
  }
  if (auto target = dyn_cast_or_null<TargetAttr>(attribute))
    return target;
  return llvm::createStringError(where + " holds no #tpp.target attribute" + (problem.empty() ? "" : ": " + problem));
}

// The target that a machine file describes. A file that was measured on a machine like this one is for code for this processor.
static llvm::Expected<TargetAttr> readMachine(StringRef path, MLIRContext *context) {
  tpp_machine machine;
  if (std::string problem = ::tpp::read_machine(path.str(), &machine); !problem.empty())
    return llvm::createStringError(problem);
  const tpp_machine &host = ::tpp::host_machine();
  if (StringRef(machine.name) == host.name && StringRef(machine.isa) == host.isa)
    return makeTarget(context, machine, getHostCpu());
  auto named = llvm::find_if(namedMachines, [&](const NamedMachine &named) { return named.name == machine.name; });
  return makeTarget(context, machine, named == std::end(namedMachines) ? "" : named->cpu);
}

llvm::Expected<TargetAttr> parseTarget(StringRef text, MLIRContext *context) {
  if (text.empty() || text == "host" || text == getHostCpu()) {
    if (std::string problem = getHostProblem(); !problem.empty())
      return llvm::createStringError(problem);
    return TargetAttr();
  }
  for (const NamedMachine &named : namedMachines)
    if (text == named.name || (text == named.cpu && !named.cpu.empty())) {
      tpp_machine machine;
      tpp_machine_find(named.name.str().c_str(), &machine);
      return makeTarget(context, machine, named.cpu);
    }
  if (text.starts_with("#"))
    return parseTargetAttribute(text, "the target", context);
  auto buffer = llvm::MemoryBuffer::getFile(text, /*IsText=*/true);
  if (!buffer) {
    std::string names = "host";
    for (const NamedMachine &named : namedMachines)
      names += ", " + named.name.str();
    return llvm::createStringError("unknown target '" + text + "': it is none of " + names + ", nor a file that can be read (" +
                                   buffer.getError().message() + ")");
  }
  StringRef content = (*buffer)->getBuffer();
  return content.ltrim().starts_with("#tpp") ? parseTargetAttribute(content, text, context) : readMachine(text, context);
}

// Whether a target is compiled for x86; `portable` is the host's architecture without any vector instructions beyond its baseline.
static bool isX86(TargetAttr target) {
  if (target.getIsa() == "portable")
    return llvm::Triple(llvm::sys::getDefaultTargetTriple()).isX86();
  return target.getIsa() != "neon";
}

StringRef getBaselineCpu(TargetAttr target) { return isX86(target) ? "x86-64" : "generic"; }

StringRef getCpu(TargetAttr target) {
  if (target.getCpu())
    return target.getCpu();
  if (!isX86(target))
    return "generic";
  StringRef isa = target.getIsa();
  return isa == "avx512" ? "x86-64-v4" : isa == "avx2" ? "x86-64-v3" : isa == "sse4" ? "x86-64-v2" : "x86-64";
}

static bool hostHasFeature(StringRef feature) {
  static const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  return features.lookup(feature);
}

// Whether an x86 target has a feature, by LLVM's name: code for the host uses what the host has, other code what its processor has by its name.
static bool hasFeature(TargetAttr target, StringRef feature) {
  if (isHost(target))
    return hostHasFeature(feature);
  SmallVector<StringRef> features;
  llvm::X86::getFeaturesForCPU(getCpu(target), features);
  return llvm::is_contained(features, feature);
}

std::string getCpuFeatures(TargetAttr target) {
  if (!isX86(target))
    return "";
  static constexpr StringRef checked[] = {
#define TPP_X86_FEATURE(name, leaf, subleaf, reg, bit, state) name,
#include "tpp/cpu_features.def"
  };
  return llvm::join(llvm::make_filter_range(checked, [&](StringRef name) { return hasFeature(target, name); }), ",");
}

std::string whyNotRunnable(TargetAttr target) {
  const Isa &isa = getIsa(target.getIsa());
  if (isa.feature.empty() || hostHasFeature(isa.feature))
    return "";
  return ("this machine, " + getHostCpu() + ", has no " + isa.name).str();
}

bool hasFusedMultiplyAdd(TargetAttr target) { return getIsa(target.getIsa()).fusedMultiplyAdd; }

SmallVector<StringRef> getKernelTargets(TargetAttr target) {
  SmallVector<StringRef> words;
  struct Extension {
    StringRef isa, feature, word; // the last as in kernels.def
  };
  static constexpr Extension extensions[] = {{"avx512", "amx-bf16", "amxbf16"},
                                             {"avx512", "amx-int8", "amxint8"},
                                             {"avx512", "avx512bf16", "avx512bf16"},
                                             {"avx512", "avx512vnni", "avx512vnni"},
                                             {"avx2", "avxvnni", "avxvnni"}};
  for (const Extension &each : extensions)
    if (target.getIsa() == each.isa && hasFeature(target, each.feature))
      words.push_back(each.word);
  const Isa &own = getIsa(target.getIsa());
  for (const Isa &isa : isas)
    if (&isa >= &own && (isa.name != "neon" || own.name == "neon"))
      words.push_back(isa.kernels);
  return words;
}

} // namespace mlir::tpp
