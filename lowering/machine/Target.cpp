// The table of named targets, and the detection of the host (see Target.h).
#include "lowering/machine/Target.h"
#include "lowering/machine/HostCaches.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "tpp_dialect/StageAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include <unistd.h>

namespace mlir::tpp {

namespace {
// Best first: a machine that supports one instruction set also supports the later ones of the same architecture, and portable.
struct Isa {
  StringRef name, kernels, feature; // name in TargetAttr, target word in kernels.def, LLVM's CPU feature
  int64_t vectorBits, registers;
  bool fusedMultiplyAdd;
};
constexpr Isa isas[] = {{"avx512", "avx3", "avx512f", 512, 32, true},
                        {"avx2", "avx2", "avx2", 256, 16, true}, // its kernels also require FMA
                        {"sse4", "sse4", "sse4.2", 128, 16, false},
                        {"neon", "neon", "neon", 128, 32, true},
                        {"portable", "portable", "", 128, 16, false}};

// Always finds one: the verifier of #tpp.target accepts only these names.
const Isa &getIsa(StringRef name) {
  return *llvm::find_if(isas, [&](const Isa &isa) { return isa.name == name; });
}

// The best instruction set of this machine.
const Isa &getHostIsa() {
  static const Isa &host = [&]() -> const Isa & {
    auto features = llvm::sys::getHostCPUFeatures();
    return *llvm::find_if(isas, [&](const Isa &isa) { return isa.feature.empty() || features.lookup(isa.feature); });
  }();
  return host;
}

// Named machines: one per instruction set, with typical cache sizes, and some processors.
struct NamedTarget {
  StringRef name, isa, cpu;
  int64_t caches[3];
  int64_t cores;
};
constexpr NamedTarget namedTargets[] = {
    {"avx512", "avx512", "", {32 << 10, 1 << 20, 32 << 20}, 1},
    {"avx2", "avx2", "", {32 << 10, 512 << 10, 16 << 20}, 1},
    {"sse4", "sse4", "", {32 << 10, 256 << 10, 8 << 20}, 1},
    {"neon", "neon", "", {64 << 10, 1 << 20, 32 << 20}, 1},
    {"portable", "portable", "", {32 << 10, 256 << 10, 8 << 20}, 1},
    {"skylake-server", "avx512", "skylake-avx512", {32 << 10, 1 << 20, 38 << 20}, 28},
    {"sapphire-rapids", "avx512", "sapphirerapids", {48 << 10, 2 << 20, 105 << 20}, 56},
    {"zen3", "avx2", "znver3", {32 << 10, 512 << 10, 32 << 20}, 8},
    {"zen4", "avx512", "znver4", {32 << 10, 1 << 20, 32 << 20}, 8},
    {"zen5", "avx512", "znver5", {48 << 10, 1 << 20, 32 << 20}, 8},
    {"neoverse-n1", "neon", "neoverse-n1", {64 << 10, 1 << 20, 32 << 20}, 64},
};

// Bytes of the host's data caches, from L1 upwards. If the system reports none, small sizes are assumed.
SmallVector<int64_t> getHostCacheBytes() {
  SmallVector<int64_t> bytes;
  for (const ::tpp::HostCache &cache : ::tpp::getHostCaches())
    bytes.push_back(cache.bytes);
  return bytes.empty() ? SmallVector<int64_t>{32 << 10, 1 << 20} : bytes;
}
} // namespace

static TargetAttr makeTarget(MLIRContext *context, const Isa &isa, StringRef cpu, ArrayRef<int64_t> caches, int64_t cores) {
  // All kernels of kernels.def read B in words of 32 bits, also those of instruction sets without dot products.
  Builder builder(context);
  auto group = [&](StringRef type, int64_t factor) { return builder.getNamedAttr(type, builder.getI64IntegerAttr(factor)); };
  DictionaryAttr vnni = builder.getDictionaryAttr({group("bf16", 2), group("f16", 2), group("i8", 4), group("u8", 4)});
  return TargetAttr::get(context, StringAttr::get(context, isa.name), cpu.empty() ? StringAttr() : StringAttr::get(context, cpu),
                         isa.vectorBits, isa.registers, DenseI64ArrayAttr::get(context, caches), vnni, cores);
}

TargetAttr getHostTarget(MLIRContext *context) {
  struct Host {
    std::string cpu = llvm::sys::getHostCPUName().str();
    SmallVector<int64_t> caches = getHostCacheBytes();
    int64_t cores = std::max<int64_t>(1, sysconf(_SC_NPROCESSORS_ONLN));
  };
  static const Host host;
  return makeTarget(context, getHostIsa(), host.cpu, host.caches, host.cores);
}

TargetAttr getTarget(Operation *op) {
  for (Operation *scope = op; scope; scope = scope->getParentOp())
    if (auto target = scope->getAttrOfType<TargetAttr>(kTargetAttr))
      return target;
  return getHostTarget(op->getContext());
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

llvm::Expected<TargetAttr> parseTarget(StringRef text, MLIRContext *context) {
  if (text.empty() || text == "host" || text == llvm::sys::getHostCPUName())
    return TargetAttr();
  for (const NamedTarget &named : namedTargets)
    if (named.name == text)
      return makeTarget(context, getIsa(named.isa), named.cpu, named.caches, named.cores);
  if (text.starts_with("#"))
    return parseTargetAttribute(text, "the target", context);
  auto buffer = llvm::MemoryBuffer::getFile(text, /*IsText=*/true);
  if (!buffer) {
    std::string names = "host";
    for (const NamedTarget &named : namedTargets)
      names += ", " + named.name.str();
    return llvm::createStringError("unknown target '" + text + "': it is none of " + names + ", nor a file that can be read (" +
                                   buffer.getError().message() + ")");
  }
  return parseTargetAttribute((*buffer)->getBuffer(), text, context);
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

// Whether an x86 target has a feature, by LLVM's name: code for the host uses what the host has, other code what its processor has by its name.
static bool hasFeature(TargetAttr target, StringRef feature) {
  static const llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  if (target == getHostTarget(target.getContext()))
    return host.lookup(feature);
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
  if (isa.feature.empty() || llvm::sys::getHostCPUFeatures().lookup(isa.feature))
    return "";
  return ("this machine, " + llvm::sys::getHostCPUName() + ", has no " + isa.name).str();
}

bool hasFusedMultiplyAdd(TargetAttr target) { return getIsa(target.getIsa()).fusedMultiplyAdd; }

SmallVector<StringRef> getKernelTargets(TargetAttr target) {
  SmallVector<StringRef> words;
  static constexpr std::pair<StringRef, StringRef> extensions[] = {
      {"avx512", "avx512bf16"}, {"avx512", "avx512vnni"}, {"avx2", "avxvnni"}};
  for (auto [isa, extension] : extensions)
    if (target.getIsa() == isa && hasFeature(target, extension))
      words.push_back(extension);
  const Isa &own = getIsa(target.getIsa());
  for (const Isa &isa : isas)
    if (&isa >= &own && (isa.name != "neon" || own.name == "neon"))
      words.push_back(isa.kernels);
  return words;
}

} // namespace mlir::tpp
