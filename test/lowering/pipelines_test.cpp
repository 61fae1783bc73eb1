// The pipelines that tpp-opt names and the driver behind tpp-run give the same code.
#include "lowering/Pipelines.h"
#include "lowering/compile/ModelBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

// A tensor argument, a memref that the function writes, a contraction with a bias and vector code.
constexpr const char *model = R"mlir(
func.func @layer(%x: tensor<33x64xf32>, %w: tensor<64x48xf32>, %b: tensor<48xf32>, %log: memref<33x48xf32>) -> tensor<33x48xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<33x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<33x48xf32>) -> tensor<33x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<33x64xf32>, tensor<64x48xf32>) outs(%init : tensor<33x48xf32>) -> tensor<33x48xf32>
  %bias = linalg.broadcast ins(%b : tensor<48xf32>) outs(%empty : tensor<33x48xf32>) dimensions = [0]
  %1 = linalg.add ins(%0, %bias : tensor<33x48xf32>, tensor<33x48xf32>) outs(%empty : tensor<33x48xf32>) -> tensor<33x48xf32>
  bufferization.materialize_in_destination %1 in restrict writable %log : (tensor<33x48xf32>, memref<33x48xf32>) -> ()
  %2 = linalg.exp ins(%1 : tensor<33x48xf32>) outs(%empty : tensor<33x48xf32>) -> tensor<33x48xf32>
  return %2 : tensor<33x48xf32>
}
)mlir";

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.walk([&](LLVM::LLVMFuncOp func) { stream << func << "\n"; });
  return text;
}

TEST(PipelinesTest, TheDriverGivesTheCodeOfTheNamedPipelines) {
  DialectRegistry registry;
  tpp::registerTpp(registry);
  registerAllDialects(registry);
  registerAllExtensions(registry);
  MLIRContext context(registry);
  for (int threads : {1, 4}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(model, &context);
    ASSERT_TRUE(module);
    tpp::CompileOptions options;
    options.threads = threads;
    llvm::Expected<tpp::BuiltModel> built = tpp::buildModel(*module, options, tpp::CodeFor::Target);
    ASSERT_TRUE(bool(built)) << llvm::toString(built.takeError());

    PassManager passes(&context);
    tpp::DefaultOptions named;
    named.entry = "layer";
    named.threads = threads;
    tpp::buildDefaultPipeline(passes, named);
    tpp::buildEmitPipeline(passes, named);
    ASSERT_TRUE(succeeded(passes.run(*module)));
    std::string expected = print(*built->code);
    EXPECT_NE(expected.find("@layer_run"), std::string::npos);
    EXPECT_NE(expected.find("llvm.readonly"), std::string::npos) << "tensor arguments are only read";
    EXPECT_EQ(print(*module), expected) << threads << " threads";
  }
}

} // namespace
