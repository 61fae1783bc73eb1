// Machine descriptions: the kernels that code for a target may call.
#include "lowering/machine/Target.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::tpp;

namespace {

std::vector<std::string> list_kernel_targets(StringRef isa, StringRef cpu) {
  MLIRContext context;
  context.loadDialect<TppDialect>();
  std::string target = ("#tpp.target<isa = \"" + isa + "\", cpu = \"" + cpu +
                        "\", vector_bits = 256, registers = 16, caches = [32768, 524288], vnni = {i8 = 4}, cores = 2>")
                           .str();
  std::vector<std::string> words;
  for (StringRef word : getKernelTargets(llvm::cantFail(parseTarget(target, &context))))
    words.push_back(word.str());
  return words;
}
using words = std::vector<std::string>;

TEST(TargetTest, KernelsOfExtensionsComeFirst) {
  EXPECT_EQ(list_kernel_targets("avx512", "sapphirerapids"),
            (words{"amxbf16", "amxint8", "avx512bf16", "avx512vnni", "avx3", "avx2", "sse4", "portable"}));
  EXPECT_EQ(list_kernel_targets("avx512", "cascadelake"), (words{"avx512vnni", "avx3", "avx2", "sse4", "portable"}));
  EXPECT_EQ(list_kernel_targets("avx2", "alderlake"), (words{"avxvnni", "avx2", "sse4", "portable"}));
}

TEST(TargetTest, AProcessorsExtensionsCountOnlyForItsInstructionSet) {
  EXPECT_EQ(list_kernel_targets("avx2", "sapphirerapids"), (words{"avxvnni", "avx2", "sse4", "portable"}));
  EXPECT_EQ(list_kernel_targets("avx2", "znver4"), (words{"avx2", "sse4", "portable"}));
  EXPECT_EQ(list_kernel_targets("sse4", "alderlake"), (words{"sse4", "portable"}));
}

} // namespace
