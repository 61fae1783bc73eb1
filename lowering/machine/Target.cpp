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
// Best first: a machine that supports one instruction set also supports the later ones of the same architecture.
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
  bool groupsRows; // has dot products of bf16 pairs and of groups of four bytes (VNNI)
};
constexpr NamedTarget namedTargets[] = {
    {"avx512", "avx512", "", {32 << 10, 1 << 20, 32 << 20}, 1, false},
    {"avx2", "avx2", "", {32 << 10, 512 << 10, 16 << 20}, 1, false},
    {"sse4", "sse4", "", {32 << 10, 256 << 10, 8 << 20}, 1, false},
    {"neon", "neon", "", {64 << 10, 1 << 20, 32 << 20}, 1, false},
    {"portable", "portable", "", {32 << 10, 256 << 10, 8 << 20}, 1, false},
    {"skylake-server", "avx512", "skylake-avx512", {32 << 10, 1 << 20, 38 << 20}, 28, false},
    {"sapphire-rapids", "avx512", "sapphirerapids", {48 << 10, 2 << 20, 105 << 20}, 56, true},
    {"zen3", "avx2", "znver3", {32 << 10, 512 << 10, 32 << 20}, 8, false},
    {"zen4", "avx512", "znver4", {32 << 10, 1 << 20, 32 << 20}, 8, true},
    {"zen5", "avx512", "znver5", {48 << 10, 1 << 20, 32 << 20}, 8, true},
    {"neoverse-n1", "neon", "neoverse-n1", {64 << 10, 1 << 20, 32 << 20}, 64, false},
};

// Bytes of the host's data caches, from L1 upwards. If the system reports none, small sizes are assumed.
SmallVector<int64_t> getHostCacheBytes() {
  SmallVector<int64_t> bytes;
  for (const ::tpp::HostCache &cache : ::tpp::getHostCaches())
    bytes.push_back(cache.bytes);
  return bytes.empty() ? SmallVector<int64_t>{32 << 10, 1 << 20} : bytes;
}
} // namespace

static DictionaryAttr getGroups(MLIRContext *context, bool bf16Pairs, bool byteQuads) {
  Builder builder(context);
  SmallVector<NamedAttribute> groups;
  if (bf16Pairs)
    groups.push_back(builder.getNamedAttr("bf16", builder.getI64IntegerAttr(2)));
  if (byteQuads)
    groups.push_back(builder.getNamedAttr("i8", builder.getI64IntegerAttr(4)));
  return groups.empty() ? DictionaryAttr() : builder.getDictionaryAttr(groups);
}

static TargetAttr makeTarget(MLIRContext *context, const Isa &isa, StringRef cpu, ArrayRef<int64_t> caches, DictionaryAttr vnni,
                             int64_t cores) {
  return TargetAttr::get(context, StringAttr::get(context, isa.name), cpu.empty() ? StringAttr() : StringAttr::get(context, cpu),
                         isa.vectorBits, isa.registers, DenseI64ArrayAttr::get(context, caches), vnni, cores);
}

TargetAttr getHostTarget(MLIRContext *context) {
  struct Host {
    std::string cpu = llvm::sys::getHostCPUName().str();
    SmallVector<int64_t> caches = getHostCacheBytes();
    int64_t cores = std::max<int64_t>(1, sysconf(_SC_NPROCESSORS_ONLN));
    bool bf16Pairs = false, byteQuads = false;
  };
  static const Host host = [] {
    Host found;
    auto features = llvm::sys::getHostCPUFeatures();
    found.bf16Pairs = features.lookup("avx512bf16");
    found.byteQuads = features.lookup("avx512vnni") || features.lookup("avxvnni");
    return found;
  }();
  return makeTarget(context, getHostIsa(), host.cpu, host.caches, getGroups(context, host.bf16Pairs, host.byteQuads), host.cores);
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
      return makeTarget(context, getIsa(named.isa), named.cpu, named.caches,
                        getGroups(context, named.groupsRows, named.groupsRows), named.cores);
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

std::string getCpuFeatures(TargetAttr target) {
  if (!isX86(target))
    return "";
  // The host's code uses what the host has, other code what its processor has by its name.
  llvm::StringMap<bool> available;
  if (target == getHostTarget(target.getContext())) {
    available = llvm::sys::getHostCPUFeatures();
  } else {
    SmallVector<StringRef> features;
    llvm::X86::getFeaturesForCPU(getCpu(target), features);
    for (StringRef feature : features)
      available[feature] = true;
  }
  static constexpr StringRef checked[] = {
#define TPP_X86_FEATURE(name, leaf, subleaf, reg, bit, state) name,
#include "tpp/cpu_features.def"
  };
  return llvm::join(llvm::make_filter_range(checked, [&](StringRef name) { return available.lookup(name); }), ",");
}

std::string whyNotRunnable(TargetAttr target) {
  const Isa &isa = getIsa(target.getIsa());
  if (isa.feature.empty() || llvm::sys::getHostCPUFeatures().lookup(isa.feature))
    return "";
  return ("this machine, " + llvm::sys::getHostCPUName() + ", has no " + isa.name).str();
}

bool hasFusedMultiplyAdd(TargetAttr target) { return getIsa(target.getIsa()).fusedMultiplyAdd; }

StringRef getKernelTarget(TargetAttr target) { return getIsa(target.getIsa()).kernels; }

} // namespace mlir::tpp
