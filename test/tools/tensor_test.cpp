// Tests of tpp-run's element types, input generator and memory checks.
#include "support.h"
#include "tools/tpp-run/Memory.h"
#include "tools/tpp-run/Tensor.h"

#include <cmath>
#include <cstring>

namespace tpp::run {
namespace {

using test::textOf;

Tensor filled(ElementType type, std::vector<int64_t> shape, const char *input, int64_t argument = 0) {
  llvm::Expected<Tensor> tensor = allocateTensor({type, std::move(shape), "argument #0"});
  EXPECT_TRUE(bool(tensor));
  EXPECT_EQ(textOf(fillTensor(*tensor, llvm::cantFail(parseInputSpec(input)), argument)), "");
  return std::move(*tensor);
}

double at(const Tensor &tensor, int64_t index) { return loadElement(tensor.spec.element, tensor.data(), index); }

TEST(ElementTypeTest, RoundsNarrowFloatsToNearestEven) {
  const std::tuple<ElementType, double, uint16_t> rows[] = {
      {ElementType::bf16, 1.0, 0x3f80},
      {ElementType::bf16, 1 + 1 / 256.0, 0x3f80}, // halfway; ties to even
      {ElementType::bf16, 1 + 3 / 256.0, 0x3f82}, // halfway; ties to even
      {ElementType::bf16, 1 + 1.0001 / 256.0, 0x3f81},
      {ElementType::bf16, -HUGE_VAL, 0xff80},
      {ElementType::f16, 1.0, 0x3c00},
      {ElementType::f16, 65504, 0x7bff},
      {ElementType::f16, 65520, 0x7c00},              // rounds to infinity
      {ElementType::f16, std::ldexp(1, -24), 0x0001}, // the smallest subnormal
      {ElementType::f16, std::ldexp(1, -25), 0x0000}, // half of it; ties to even
      {ElementType::f16, -2, 0xc000},
  };
  for (auto [type, value, bits] : rows) {
    uint16_t stored;
    storeElement(type, &stored, 0, value);
    EXPECT_EQ(stored, bits) << elementTypeInfo(type).name << " " << value;
  }
}

TEST(ElementTypeTest, EveryHalfSurvivesTheWayThroughADouble) {
  for (ElementType type : {ElementType::f16, ElementType::bf16})
    for (unsigned bits = 0; bits <= 0xffff; ++bits) {
      uint16_t half = uint16_t(bits), back;
      double value = loadElement(type, &half, 0);
      if (std::isnan(value))
        continue;
      storeElement(type, &back, 0, value);
      ASSERT_EQ(half, back) << elementTypeInfo(type).name;
    }
}

TEST(TensorSpecTest, WritesTypesAndIndicesAsMlirAndNumpyDo) {
  TensorSpec spec{ElementType::bf16, {4, 5, 6}, "x"};
  EXPECT_EQ(spec.typeText(), "tensor<4x5x6xbf16>");
  EXPECT_EQ(spec.indexText(0), "[0,0,0]");
  EXPECT_EQ(spec.indexText(119), "[3,4,5]");
  EXPECT_EQ(spec.indexText(6 * 5 + 6 * 2 + 3), "[1,2,3]");
  EXPECT_EQ((TensorSpec{ElementType::i1, {}, "x"}.typeText()), "tensor<i1>");
  EXPECT_EQ((TensorSpec{ElementType::i1, {}, "x"}.indexText(0)), "[]");
}

TEST(TensorSpecTest, RefusesSizesThatOverflow) {
  int64_t big = int64_t(1) << 32;
  EXPECT_EQ(textOf(TensorSpec{ElementType::f32, {big, big}, "argument #1"}.checkedBytes()),
            "argument #1 (tensor<4294967296x4294967296xf32>) is too large: its bytes do not fit in 63 bits");
  EXPECT_EQ(llvm::cantFail(TensorSpec{ElementType::f32, {big, big, 0}, "a"}.checkedBytes()), 0);
  EXPECT_EQ(llvm::cantFail(TensorSpec{ElementType::f64, {3, 5}, "a"}.checkedBytes()), 120);
}

TEST(TensorTest, MemoryIsAligned) {
  for (int64_t count : {0, 1, 1000, (1 << 17) - 1, 1 << 17, 1 << 19, (1 << 19) + 1}) {
    Tensor tensor = filled(ElementType::f32, {count}, "zeros");
    ASSERT_NE(tensor.data(), nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data()) % (count * 4 >= 512 << 10 ? 2 << 20 : 64), 0u) << count;
  }
}

TEST(TensorTest, SaysWhatMemoryWasFor) {
  auto memory = mlir::tpp::allocateAligned(INT64_MAX, "the workspace");
  ASSERT_FALSE(bool(memory));
  EXPECT_EQ(llvm::toString(memory.takeError()), "cannot allocate 9223372036854775807 bytes for the workspace");
}

TEST(TensorTest, ZeroedMemoryIsAlignedAndZero) {
  for (int64_t bytes : {0, 1, 1000, (512 << 10) - 1, 512 << 10, (2 << 20) + 1, 64 << 20}) {
    auto memory = llvm::cantFail(mlir::tpp::allocateZeroed(bytes, "a test"));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.get()) % (bytes >= 512 << 10 ? 2 << 20 : 64), 0u) << bytes;
    EXPECT_TRUE(std::all_of(memory.get(), memory.get() + bytes, [](char byte) { return byte == 0; })) << bytes;
    std::memset(memory.get(), 1, bytes);
  }
  auto memory = mlir::tpp::allocateZeroed(INT64_MAX, "the weights");
  ASSERT_FALSE(bool(memory));
  EXPECT_EQ(llvm::toString(memory.takeError()), "cannot allocate 9223372036854775807 bytes for the weights");
}

TEST(TensorTest, RefusesWhatDoesNotFitIntoMemory) {
  TensorSpec small{ElementType::f32, {256}, "argument #0"}, large{ElementType::f64, {1 << 28}, "result #0"};
  EXPECT_EQ(textOf(checkMemory({&small, &large}, int64_t(4) << 30)), "");
  EXPECT_EQ(textOf(checkMemory({&small, &large}, int64_t(1) << 30)),
            "arguments and results do not fit into memory: they need 2.0 GiB, 1.0 GiB are available; the largest is result #0 "
            "(tensor<268435456xf64>), 2.0 GiB");
  TensorSpec huge{ElementType::i8, {INT64_MAX}, "argument #0"};
  EXPECT_NE(textOf(checkMemory({&huge, &huge, &huge}, INT64_MAX - 1)), "") << "the sum saturates";
}

TEST(TensorTest, TheMachineHasMemory) {
  EXPECT_GT(availableMemoryBytes(), int64_t(1) << 20);
  EXPECT_LT(availableMemoryBytes(), int64_t(1) << 50);
}

TEST(InputTest, ParsesEachFormAndNamesMistakes) {
  EXPECT_EQ(llvm::cantFail(parseInputSpec("random:18446744073709551615")).seed, UINT64_MAX);
  EXPECT_EQ(llvm::cantFail(parseInputSpec("dir/x.npy")).path, "dir/x.npy");
  for (const char *bad : {"random:", "random:-1", "random:x", "random7", "random:18446744073709551616"})
    EXPECT_EQ(textOf(parseInputSpec(bad)),
              std::string("'") + bad + "' is not a random input: write random or random:SEED with a SEED from 0 to 2^64-1");
  for (const char *bad : {"one", "x.txt", "RANDOM"})
    EXPECT_EQ(textOf(parseInputSpec(bad)),
              std::string("'") + bad +
                  "' is not an input: write random[:SEED], zeros, ones, a number or a file that ends in .npy");
}

TEST(InputTest, FillsANumberThatTheTypeHolds) {
  EXPECT_EQ(at(filled(ElementType::f32, {3, 2}, "-2.5"), 5), -2.5);
  EXPECT_EQ(at(filled(ElementType::index, {}, "7"), 0), 7);
  EXPECT_EQ(at(filled(ElementType::i8, {2}, "-128"), 1), -128);
  EXPECT_EQ(at(filled(ElementType::ui8, {2}, "255"), 1), 255);
  EXPECT_EQ(at(filled(ElementType::i64, {}, "-9007199254740991"), 0), -9007199254740991.0);
  const std::pair<ElementType, const char *> bad[] = {
      {ElementType::i8, "128"},      {ElementType::i8, "-129"}, {ElementType::ui8, "-1"},
      {ElementType::ui8, "256"},     {ElementType::i32, "0.5"}, {ElementType::i1, "2"},
      {ElementType::index, "1e300"}, {ElementType::i32, "nan"}, {ElementType::i64, "inf"}};
  for (auto [type, text] : bad) {
    llvm::Expected<Tensor> tensor = allocateTensor({type, {2}, "argument #0"});
    std::string error = textOf(fillTensor(*tensor, llvm::cantFail(parseInputSpec(text)), 0));
    EXPECT_NE(error.find("cannot hold the input"), std::string::npos) << text << ": " << error;
  }
}

TEST(InputTest, FillsZerosAndOnesOfEveryType) {
#define ROW(name, bytes, floating, written, accepted)                                                                            \
  EXPECT_EQ(at(filled(ElementType::name, {3, 2}, "ones"), 5), 1) << #name;                                                       \
  EXPECT_EQ(at(filled(ElementType::name, {3, 2}, "zeros"), 5), 0) << #name;
  TPP_RUN_ELEMENT_TYPES(ROW)
#undef ROW
}

// These bits are a contract: results must be comparable between machines and releases.
TEST(InputTest, RandomNumbersAreFixed) {
  Tensor tensor = filled(ElementType::f32, {4}, "random:0");
  const float expected[] = {-0x1.dc0d760000000p-1f, 0x1.4552a60000000p-5f, -0x1.7e79740000000p+0f, -0x1.9c98720000000p-1f};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(static_cast<float>(at(tensor, i)), expected[i]) << i;
}

TEST(InputTest, RandomNumbersAreNearlyNormal) {
  constexpr int count = 1 << 18;
  Tensor tensor = filled(ElementType::f64, {count}, "random:3");
  double sum = 0, squares = 0, beyondTwo = 0, product = 0;
  for (int i = 0; i < count; ++i) {
    double x = at(tensor, i);
    sum += x;
    squares += x * x;
    beyondTwo += std::fabs(x) > 2;
    product += i ? x * at(tensor, i - 1) : 0;
    ASSERT_LT(std::fabs(x), 4.9);
  }
  // Bounds of six standard errors of each statistic.
  double error = 6 / std::sqrt(double(count));
  EXPECT_NEAR(sum / count, 0, error);
  EXPECT_NEAR(squares / count, 1, 1.5 * error);
  EXPECT_NEAR(beyondTwo / count, 0.0455, 0.006);
  EXPECT_NEAR(product / count, 0, error);
}

TEST(InputTest, RandomNumbersDependOnSeedAndArgument) {
  std::vector<double> firsts;
  for (const char *input : {"random", "random:1"})
    for (int64_t argument : {0, 1})
      firsts.push_back(at(filled(ElementType::f64, {1}, input, argument), 0));
  for (size_t i = 0; i < firsts.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(firsts[i], firsts[j]);
  EXPECT_EQ(at(filled(ElementType::f64, {9}, "random:5"), 8), at(filled(ElementType::f64, {3, 3}, "random:5"), 8));
}

TEST(InputTest, RandomIntegersCoverTheirSmallRange) {
  auto range = [](ElementType type) {
    Tensor tensor = filled(type, {1000}, "random");
    double least = at(tensor, 0), most = least;
    for (int i = 0; i < 1000; ++i) {
      least = std::min(least, at(tensor, i));
      most = std::max(most, at(tensor, i));
    }
    return std::pair(least, most);
  };
  EXPECT_EQ(range(ElementType::i8), std::pair(-4.0, 4.0));
  EXPECT_EQ(range(ElementType::i16), std::pair(-4.0, 4.0));
  EXPECT_EQ(range(ElementType::i1), std::pair(0.0, 1.0));
  for (ElementType type : {ElementType::i32, ElementType::i64, ElementType::index, ElementType::ui8, ElementType::ui16,
                           ElementType::ui32, ElementType::ui64})
    EXPECT_EQ(range(type), std::pair(0.0, 3.0)) << elementTypeInfo(type).name;
}

TEST(MemoryTest, SeesTheHighestAnonymousMemory) {
  if (!anonymousBytes())
    GTEST_SKIP() << "this system does not tell anonymous memory";
  constexpr int64_t bytes = 64 << 20;
  AnonymousMemoryPeak peak;
  int64_t before = *peak.bytes();
  {
    auto memory = llvm::cantFail(mlir::tpp::allocateAligned(bytes, "a test"));
    std::memset(memory.get(), 1, bytes);
    peak.sample();
  }
  peak.stop();
  EXPECT_GE(*peak.bytes(), before + bytes / 8 * 7);
  EXPECT_LT(*anonymousBytes(), before + bytes / 2) << "the memory is gone, the peak stays";
}

} // namespace
} // namespace tpp::run
