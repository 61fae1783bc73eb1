// Allocates tensors and fills them before a call. See Tensor.h.
#include "Tensor.h"
#include "Npy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <unistd.h>

namespace tpp::run {

// Reads the number after `key` from a file with lines "key: number kB". If `key` is empty, the file consists of the number alone.
static std::optional<int64_t> readNumber(const char *path, llvm::StringRef key) {
  auto file = llvm::MemoryBuffer::getFileAsStream(path);
  if (!file)
    return std::nullopt;
  llvm::StringRef text = (*file)->getBuffer();
  if (!key.empty()) {
    size_t at = text.find(key);
    if (at == llvm::StringRef::npos)
      return std::nullopt;
    text = text.drop_front(at + key.size());
  }
  int64_t value;
  if (text.ltrim(": \t").consumeInteger(10, value))
    return std::nullopt;
  return value;
}

int64_t availableMemoryBytes() {
  int64_t available = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  if (std::optional<int64_t> kilobytes = readNumber("/proc/meminfo", "MemAvailable"))
    available = *kilobytes * 1024;
  // In a container the limit of the control group applies. If there is none the file says "max", which is not a number.
  auto limit = readNumber("/sys/fs/cgroup/memory.max", ""), used = readNumber("/sys/fs/cgroup/memory.current", "");
  if (limit && used) {
    // The page cache counts as used memory, but the kernel can drop it.
    int64_t cache = readNumber("/sys/fs/cgroup/memory.stat", "\nfile ").value_or(0);
    available = std::min(available, std::max<int64_t>(0, *limit - *used + cache));
  }
  return available;
}

llvm::Error checkMemory(llvm::ArrayRef<const TensorSpec *> tensors, int64_t available) {
  int64_t total = 0, largestBytes = -1;
  const TensorSpec *largest = nullptr;
  for (const TensorSpec *tensor : tensors) {
    llvm::Expected<int64_t> bytes = tensor->checkedBytes();
    if (!bytes)
      return bytes.takeError();
    if (*bytes > largestBytes) {
      largestBytes = *bytes;
      largest = tensor;
    }
    if (llvm::AddOverflow(total, *bytes, total))
      total = INT64_MAX;
  }
  if (total <= available)
    return llvm::Error::success();
  constexpr double gib = 1 << 30;
  return makeError(llvm::formatv("arguments and results do not fit into memory: they need {0:f1} GiB, {1:f1} GiB are available; "
                                 "the largest is {2} ({3}), {4:f1} GiB",
                                 total / gib, available / gib, largest->what, largest->typeText(), largestBytes / gib)
                       .str());
}

llvm::Expected<Tensor> allocateTensor(const TensorSpec &spec) {
  llvm::Expected<int64_t> bytes = spec.checkedBytes();
  if (!bytes)
    return bytes.takeError();
  auto memory = mlir::tpp::allocateAligned(*bytes, spec.what + " (" + spec.typeText() + ")");
  if (!memory)
    return memory.takeError();
  return Tensor{spec, std::move(*memory)};
}

llvm::Expected<Tensor> readTensor(llvm::StringRef path, const TensorSpec &spec) {
  llvm::Expected<Tensor> tensor = allocateTensor(spec);
  if (!tensor)
    return tensor.takeError();
  if (llvm::Error error = readNpy(path, spec, tensor->data()))
    return std::move(error);
  return tensor;
}

llvm::Expected<InputSpec> parseInputSpec(llvm::StringRef text) {
  InputSpec input;
  if (text == "zeros") {
    input.kind = InputSpec::Kind::constant;
  } else if (text == "ones") {
    input.kind = InputSpec::Kind::constant;
    input.value = 1;
  } else if (!text.getAsDouble(input.value)) {
    input.kind = InputSpec::Kind::constant;
  } else if (text.ends_with(".npy")) {
    input.kind = InputSpec::Kind::file;
    input.path = text.str();
  } else if (llvm::StringRef seed = text; seed.consume_front("random")) {
    if (!seed.empty() && (!seed.consume_front(":") || seed.getAsInteger(10, input.seed)))
      return makeError("'" + text + "' is not a random input: write random or random:SEED with a SEED from 0 to 2^64-1");
  } else {
    return makeError("'" + text + "' is not an input: write random[:SEED], zeros, ones, a number or a file that ends in .npy");
  }
  return input;
}

// SplitMix64 (Steele, Lea and Flood): a bijection whose outputs for consecutive states pass statistical test suites.
static uint64_t mix(uint64_t state) {
  state += 0x9e3779b97f4a7c15u;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
  return state ^ (state >> 31);
}

static int64_t sumOfHalfwords(uint64_t word) {
  return int64_t(word & 0xffff) + int64_t(word >> 16 & 0xffff) + int64_t(word >> 32 & 0xffff) + int64_t(word >> 48);
}

static double randomElement(ElementType type, uint64_t stream, int64_t index) {
  uint64_t first = mix(stream + 2 * uint64_t(index));
  if (!elementTypeInfo(type).floating) {
    if (type == ElementType::i1)
      return double(first & 1);
    if (type == ElementType::i8 || type == ElementType::i16)
      return double(int64_t(first % 9) - 4);
    return double(first % 4);
  }
  uint64_t second = mix(stream + 2 * uint64_t(index) + 1);
  // Sum of eight integers, uniform on 0..65535: mean 8 * 65535 / 2, variance 8 * (65536^2 - 1) / 12.
  constexpr double deviation = 53509.91992145008;
  return double(2 * (sumOfHalfwords(first) + sumOfHalfwords(second)) - 8 * 65535) / (2 * deviation);
}

llvm::Error fillTensor(const Tensor &tensor, const InputSpec &input, int64_t argument) {
  ElementType type = tensor.spec.element;
  int64_t count = tensor.spec.elements();
  switch (input.kind) {
  case InputSpec::Kind::file:
    return readNpy(input.path, tensor.spec, tensor.data());
  case InputSpec::Kind::constant:
    if (!isRepresentable(type, input.value))
      return makeError(llvm::formatv("{0} has type {1}, which cannot hold the input {2}", tensor.spec.what,
                                     tensor.spec.typeText(), input.value)
                           .str());
    for (int64_t i = 0; i < count; ++i)
      storeElement(type, tensor.data(), i, input.value);
    break;
  case InputSpec::Kind::random: {
    uint64_t stream = mix(mix(input.seed) + uint64_t(argument));
    for (int64_t i = 0; i < count; ++i)
      storeElement(type, tensor.data(), i, randomElement(type, stream, i));
    break;
  }
  }
  return llvm::Error::success();
}

} // namespace tpp::run
