// Calls of a compiled model allocate no memory, with any number of threads, and concurrent calls do not affect each other.
//
// This executable replaces the allocator's functions by counting ones. A sanitizer replaces them itself, so there its hooks
// count.
#include "lowering/Pipelines.h"
#include "lowering/compile/CompileModel.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ALLOCATOR_IS_REPLACED 1
#endif
#endif

namespace {
std::atomic<bool> counting{false};
std::atomic<int> allocations{0};

void countAllocation() {
  if (counting.load(std::memory_order_relaxed))
    allocations.fetch_add(1, std::memory_order_relaxed);
}
} // namespace

#ifdef ALLOCATOR_IS_REPLACED
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                                         void (*freed)(const volatile void *));
static const int hooked = __sanitizer_install_malloc_and_free_hooks([](const volatile void *, size_t) { countAllocation(); },
                                                                    [](const volatile void *) {});
#else
#pragma GCC visibility push(default) // so that libraries call these functions, too, not those of the C library
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void *malloc(size_t bytes) { return countAllocation(), __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return countAllocation(), __libc_calloc(count, bytes); }
void *realloc(void *old, size_t bytes) { return countAllocation(), __libc_realloc(old, bytes); }
void *memalign(size_t alignment, size_t bytes) { return countAllocation(), __libc_memalign(alignment, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return countAllocation(), __libc_memalign(alignment, bytes); }
int posix_memalign(void **out, size_t alignment, size_t bytes) {
  countAllocation();
  *out = __libc_memalign(alignment, bytes);
  return *out ? 0 : ENOMEM;
}
}
#pragma GCC visibility pop
#endif

namespace {

using mlir::tpp::CompiledModel;
using mlir::tpp::CompileOptions;
using mlir::tpp::ValueSpec;

struct Case {
  std::string model;
  int threads;
};

void PrintTo(const Case &testCase, std::ostream *os) { *os << testCase.model << "_t" << testCase.threads; }

struct FreeDeleter {
  void operator()(void *memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<char, FreeDeleter>;

size_t bytesOf(const ValueSpec &spec) {
  size_t bytes = spec.elementType.getIntOrFloatBitWidth() / 8;
  for (int64_t size : spec.shape)
    bytes *= static_cast<size_t>(size);
  return bytes;
}

Memory aligned(size_t bytes) { return Memory(static_cast<char *>(std::aligned_alloc(64, (bytes + 64) / 64 * 64))); }

// The memory of one call: workspace, arguments and results.
struct Frame {
  explicit Frame(const CompiledModel &model) : workspace(aligned(model.workspaceBytes())) {
    for (const ValueSpec &spec : model.arguments()) {
      Memory argument = aligned(bytesOf(spec));
      for (size_t i = 0; i < bytesOf(spec) / sizeof(float); ++i)
        reinterpret_cast<float *>(argument.get())[i] = static_cast<float>(i % 13) / 8 - 0.75f;
      append(std::move(argument));
    }
    for (const ValueSpec &spec : model.results()) {
      resultBytes.push_back(bytesOf(spec));
      append(aligned(bytesOf(spec)));
    }
  }
  void run(const CompiledModel &model) { EXPECT_FALSE(bool(model.run(workspace.get(), pointers))); }
  std::string results() const {
    std::string bytes;
    for (size_t i = 0; i < resultBytes.size(); ++i)
      bytes.append(static_cast<const char *>(pointers[pointers.size() - resultBytes.size() + i]), resultBytes[i]);
    return bytes;
  }

private:
  void append(Memory memory) {
    pointers.push_back(memory.get());
    owned.push_back(std::move(memory));
  }
  Memory workspace;
  std::vector<Memory> owned;
  std::vector<size_t> resultBytes;
  std::vector<void *> pointers;
};

class SteadyStateTest : public testing::TestWithParam<Case> {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    mlir::tpp::registerTpp(registry);
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
    auto module = mlir::parseSourceFile<mlir::ModuleOp>(std::string(TPP_E2E_MODELS "/") + GetParam().model + ".mlir", &context);
    ASSERT_TRUE(module);
    CompileOptions options;
    options.threads = GetParam().threads;
    llvm::Expected<std::unique_ptr<CompiledModel>> compiled = CompiledModel::compile(*module, options);
    ASSERT_TRUE(static_cast<bool>(compiled)) << llvm::toString(compiled.takeError());
    model = std::move(*compiled);
  }

  mlir::MLIRContext context;
  std::unique_ptr<CompiledModel> model;
};

TEST_P(SteadyStateTest, CallsAllocateNothing) {
  Frame frame(*model);
  frame.run(*model); // the runtime creates its threads in the first call
  frame.run(*model);
  allocations = 0;
  counting = true;
  for (int call = 0; call < 20; ++call)
    frame.run(*model);
  counting = false;
  EXPECT_EQ(allocations, 0);
}

TEST_P(SteadyStateTest, CallsAtTheSameTimeGiveTheSameBits) {
  Frame expected(*model);
  expected.run(*model);
  std::vector<std::unique_ptr<Frame>> frames;
  for (int i = 0; i < 4; ++i)
    frames.push_back(std::make_unique<Frame>(*model));
  std::vector<std::thread> callers;
  for (const std::unique_ptr<Frame> &frame : frames)
    callers.emplace_back([&] {
      for (int call = 0; call < 50; ++call)
        frame->run(*model);
    });
  for (std::thread &caller : callers)
    caller.join();
  for (const std::unique_ptr<Frame> &frame : frames)
    EXPECT_EQ(frame->results(), expected.results());
}

// Every model of test/e2e/models, on one and on two threads.
std::vector<Case> cases() {
  std::vector<Case> cases;
  for (const auto &file : std::filesystem::directory_iterator(TPP_E2E_MODELS))
    if (file.path().extension() == ".mlir")
      for (int threads : {1, 2})
        cases.push_back({file.path().stem().string(), threads});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(, SteadyStateTest, testing::ValuesIn(cases()), testing::PrintToStringParamName());

TEST(SteadyStateCasesTest, HoldTheModels) { EXPECT_GE(cases().size(), 2u * 4); }

// Checks the counter: the zero above means nothing if it does not count.
TEST(AllocationCounterTest, SeesAnAllocation) {
  allocations = 0;
  counting = true;
  void *volatile memory = std::malloc(100);
  counting = false;
  std::free(memory);
  EXPECT_EQ(allocations, 1);
}

} // namespace
