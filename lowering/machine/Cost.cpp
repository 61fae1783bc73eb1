// Cost estimates for the layout stage (see Cost.h).
#include "lowering/machine/Cost.h"
#include "lowering/machine/Target.h"
#include "tpp/brgemm_cost.h"
#include "tpp_dialect/DescriptorParts.h"
#include <algorithm>

namespace mlir::tpp {

double estimateFlopsNs(double flops, const tpp_machine &machine) {
  double lanes = static_cast<double>(machine.vector_bytes) / sizeof(float);
  return flops / (2 * lanes * machine.fma_per_cycle * machine.clock_ghz);
}

double estimateContractionNs(int64_t flops, const tpp_machine &machine) {
  constexpr double share = 0.5;
  return estimateFlopsNs(static_cast<double>(flops), machine) / share;
}

// Relayouts are mostly larger than L2: each byte is read from memory and written to it.
double estimateMoveNs(int64_t bytes, const tpp_machine &machine) { return 2 * static_cast<double>(bytes) / machine.memory_gbs; }

namespace {
struct Kernel {
  StringRef target, types[3]; // words of kernels.def
  tpp_brgemm_cost_row cost;
};
constexpr Kernel brgemmKernels[] = {
#define TPP_UK_BRGEMM(types, a_type, b_type, c_type, mr, nr, lanes, target, unit, ...)                                           \
  {#target, {#a_type, #b_type, #c_type}, {mr, nr, lanes, TPP_BRGEMM_UNIT_##unit, __VA_ARGS__}},
#include "tpp/kernels.def"
};
} // namespace

// The entries of kernels.def for the contraction's types that its target can run. The best instruction set does not win always: AMX takes long for
// small products, and some CPUs have fewer dot products per cycle than multiply-adds.
static SmallVector<const Kernel *> getKernels(const ContractionInfo &contraction) {
  const ContractionInfo::Operand &a = contraction.a(), &b = contraction.b();
  std::optional<ElementType> types[3] = {getElementType(a.elementType, a.isUnsigned), getElementType(b.elementType, b.isUnsigned),
                                         getElementType(contraction.getAccumulatorType())};
  auto computes = [&](const Kernel &kernel) {
    return llvm::all_of(llvm::zip_equal(kernel.types, types), [](auto pair) {
      return std::get<1>(pair) && stringifyElementType(*std::get<1>(pair)) == std::get<0>(pair);
    });
  };
  SmallVector<const Kernel *> kernels;
  for (StringRef target : getKernelTargets(contraction.target))
    for (const Kernel &kernel : brgemmKernels)
      if (kernel.target == target && computes(kernel))
        kernels.push_back(&kernel);
  return kernels;
}

// Sums are stored in their own type, or in that of the floating-point factors.
static bool canStoreSums(const ContractionInfo &contraction) {
  Type c = contraction.c().elementType;
  return c == contraction.getAccumulatorType() || (isa<FloatType>(c) && c == contraction.b().elementType) ||
         convertsSums(contraction.postOps);
}

// Whether an operand is read or written from its end: at 255 - i for loop i.
static bool hasNegativeStride(const ContractionInfo &contraction) {
  return llvm::any_of(contraction.dims, [](const ContractionDim &dim) {
    return llvm::any_of(dim.strides, [](int64_t stride) { return stride < 0; });
  });
}

bool hasBrgemmKernel(const ContractionInfo &contraction) {
  return canStoreSums(contraction) && !hasNegativeStride(contraction) && !getKernels(contraction).empty() &&
         contraction.getVnniFactor() * contraction.b().getElementBytes() ==
             std::max<int64_t>(4, contraction.b().getElementBytes());
}

bool hasKernelLayouts(const ContractionInfo &contraction) {
  int64_t factor = contraction.getVnniFactor();
  if (factor == 1)
    return true;
  return contraction.b().vnni == factor && contraction.a().vnni == 1 &&
         llvm::all_of(contraction.dims, [](const ContractionDim &dim) { return !dim.grouped || dim.a() == 1; });
}

// Cost of strided loads of A, whose columns are not contiguous: one cache line per column for each group of rows that share the line, without
// hardware prefetch. The first column tile of C loads the lines from L2 or, if A does not fit L2, from L3 or memory. Every further column
// tile and every further reduction (a filter tap) loads them from L1 or L2. Lines that stay in L1 for the next rows cost almost nothing. If the
// lines are in more pages than the TLB covers, each load also walks the page table. `depth` is the product of all reductions.
static double estimateStridedNs(const ContractionInfo &contraction, const BrgemmDims &dims, const tpp_machine &machine) {
  int64_t elementBytes = contraction.a().getElementBytes(), lineElements = TPP_LINE_BYTES / elementBytes, depth = dims.getDepth();
  // A line takes its share of the latency, because as many misses as the core can serve are in progress, and some cycles of its own.
  constexpr double lineCycles = 3;
  auto getLineNs = [&](double latency) {
    return lineCycles / machine.clock_ghz + latency / static_cast<double>(machine.line_fills);
  };
  // Adjacent rows that share cache lines (an image with few channels) find the lines in L1 if the sum has at most this many steps.
  int64_t linesAtHand = machine.l1_bytes / TPP_LINE_BYTES / 2;
  if (dims.k.extent <= 1 || dims.k.a() == 1)
    return 0;
  if (dims.m.extent > 1 && dims.m.a() < lineElements && dims.m.a() > 1 && depth <= linesAtHand)
    return 0;
  int64_t rows = dims.m.extent,
          sweeps = llvm::divideCeil(dims.n.extent, contraction.getDefaultColumns()) * (depth / dims.k.extent);
  for (const ContractionDim &dim : dims.outer)
    (dim.a() != 0 ? rows : sweeps) *= dim.extent;
  int64_t sharing = std::max<int64_t>(1, lineElements / std::max<int64_t>(1, dims.m.a()));
  double lines = static_cast<double>(rows) * static_cast<double>(dims.k.extent) / static_cast<double>(sharing);
  double stride = static_cast<double>(dims.k.a()) * static_cast<double>(elementBytes);
  double pages = static_cast<double>(dims.k.extent) * std::max(1.0, stride / TPP_PAGE_BYTES);
  double walks = pages >= static_cast<double>(machine.tlb_pages) ? machine.page_walk_ns : 0;
  double bytes = lines * TPP_LINE_BYTES, again = getLineNs(dims.k.extent * TPP_LINE_BYTES > machine.l1_bytes ? machine.l2_ns : 0);
  double first = bytes <= static_cast<double>(machine.l2_bytes)
                     ? again
                     : getLineNs(machine.l3_bytes > 0 ? machine.l3_ns : machine.memory_ns);
  return lines * (first + walks + static_cast<double>(sweeps - 1) * (again + walks));
}

// Whether an output and a reduction step through B together (windows of an image), so that B cannot be packed.
static bool hasWindows(const ContractionInfo &contraction) {
  return llvm::any_of(contraction.dims, [&](const ContractionDim &output) {
    return output.c() != 0 && output.b() != 0 && output.extent > 1 &&
           llvm::any_of(contraction.dims, [&](const ContractionDim &tap) {
             return tap.getRole() == DimensionRole::Reduction && tap.extent > 1 && tap.b() == output.b();
           });
  });
}

namespace {
// The kernels for a contraction's types and target, and their costs.
class KernelCosts {
public:
  explicit KernelCosts(const ContractionInfo &contraction)
      : kernels(getKernels(contraction)), machine(contraction.target.getMachine()),
        vnni(static_cast<int32_t>(contraction.getVnniFactor())) {}

  // The cheapest kernel for a brgemm, and its time. Null, and no time, if there is no kernel.
  std::pair<const Kernel *, double> findCheapest(int64_t m, int64_t n, int64_t k, int64_t batch = 1) const {
    tpp_brgemm_desc desc = {};
    desc.m = m, desc.n = n, desc.b.vnni = vnni;
    std::pair<const Kernel *, double> best = {nullptr, 0};
    for (const Kernel *kernel : kernels) {
      desc.k = 0; // what each batch entry does not repeat
      double once = tpp_brgemm_cost(&desc, &kernel->cost, &machine);
      desc.k = k;
      double ns = once + static_cast<double>(batch) * (tpp_brgemm_cost(&desc, &kernel->cost, &machine) - once);
      if (best.first == nullptr || ns < best.second)
        best = {kernel, ns};
    }
    return best;
  }

private:
  SmallVector<const Kernel *> kernels;
  tpp_machine machine;
  int32_t vnni;
};
} // namespace

// How many brgemms compute the contraction, at one for all of m and n.
static int64_t countTasks(const BrgemmDims &dims) {
  int64_t tasks = 1;
  for (const ContractionDim &dim : dims.outer)
    tasks *= dim.extent;
  return tasks;
}

BrgemmEstimate estimateBrgemm(const ContractionInfo &contraction, int64_t m, int64_t n, int64_t k) {
  auto [kernel, ns] = KernelCosts(contraction).findCheapest(m, n, k);
  int64_t tiles = kernel ? llvm::divideCeil(m, kernel->cost.mr) : 1;
  return {ns, static_cast<int64_t>(llvm::divideCeil(m, tiles))};
}

double estimateKernelNs(const ContractionInfo &contraction) {
  BrgemmDims dims = getBrgemmDims(contraction);
  int64_t k = dims.k.extent;
  for (const ContractionDim &dim : dims.reductions)
    k = std::max(k, dim.extent);
  int64_t batch = dims.getDepth() / std::max<int64_t>(k, 1);
  return static_cast<double>(countTasks(dims)) *
         KernelCosts(contraction).findCheapest(dims.m.extent, dims.n.extent, k, batch).second;
}

CostEstimate estimateContraction(const ContractionInfo &contraction) {
  BrgemmDims dims = getBrgemmDims(contraction);
  tpp_machine machine = contraction.target.getMachine();
  const KernelCosts costs(contraction);
  bool constantA = contraction.a().isConstant, constantB = contraction.b().isConstant;
  int64_t bBytes = contraction.b().getBytes(), columnBlock = contraction.getDefaultColumns(), depth = dims.getDepth(),
          tasks = countTasks(dims);
  // A reduction other than k becomes the batch of brgemm. Each batch entry needs one more pair of addresses.
  constexpr double entryCycles = 6.4;
  double entries = static_cast<double>(depth / std::max<int64_t>(dims.k.extent, 1));
  auto cheapest = [&](int64_t m, int64_t n) {
    return costs.findCheapest(m, n, depth).second + entries * entryCycles / machine.clock_ghz;
  };
  auto blocks = [](int64_t extent, int64_t block, function_ref<double(int64_t)> cost) {
    double ns = static_cast<double>(extent / block) * cost(block);
    return extent % block ? ns + cost(extent % block) : ns;
  };
  // If B is an image whose pixels are not contiguous and A holds constant weights, tpp-assign-layouts swaps the operands: the weights'
  // dimension becomes the columns.
  bool neighbours = dims.n.extent <= 1 || dims.n.b() == 1, swaps = constantA && !constantB && !neighbours;
  int64_t rowExtent = swaps ? dims.n.extent : dims.m.extent, columnExtent = swaps ? dims.m.extent : dims.n.extent;
  CostEstimate cost;
  cost.ns = static_cast<double>(tasks) * blocks(rowExtent, maxTaskRows, [&](int64_t m) {
              return blocks(columnExtent, columnBlock, [&](int64_t n) { return cheapest(m, n); });
            });
  if (contraction.getVnniFactor() > 1) { // B is packed in any case, and A is transposed if its columns are not contiguous
    // Times slower than a kernel; rather too much, so that a layout with a kernel is chosen.
    constexpr double vectorCode = 8;
    if (!constantB && hasWindows(contraction))
      return {cost.ns * vectorCode, 0};
    if (!constantB)
      cost.addMove(estimateMoveNs(bBytes, machine));
    if (!constantA && dims.k.extent > 1 && dims.k.a() != 1)
      cost.addMove(estimateMoveNs(contraction.a().getBytes(), machine));
    return cost;
  }
  if (!constantA)
    cost.ns += estimateStridedNs(contraction, dims, machine);
  if (constantB)
    return cost;
  // A large B that many rows of A reuse is charged a pack, even if tpp-assign-layouts does not pack it: without the pack, the large stride
  // between rows of B costs as much (an image in NCHW, whose channels are the rows; ResNet-50 in NCHW takes twice as long as channels-last).
  // A B that few rows reuse is charged a transposition if its columns are not contiguous.
  int64_t sharing = dims.m.extent;
  for (const ContractionDim &dim : dims.outer)
    sharing *= dim.b() == 0 ? dim.extent : 1;
  constexpr double sparseB = 1.1;
  constexpr int64_t manyRows = 128, fewBytes = 128 << 10;
  bool packed = sharing >= manyRows && bBytes > fewBytes;
  if (!neighbours || packed)
    cost.addMove(estimateMoveNs(bBytes, machine));
  // A B without contiguous columns may not be transposable (a strided image). Then the result is computed along another dimension and
  // transposed, so the transposition of the result is charged, too.
  if (!neighbours) {
    int64_t results = dims.m.extent * dims.n.extent * tasks;
    cost.addMove(estimateMoveNs(results * contraction.c().getElementBytes(), machine));
  } else if (!packed && dims.k.extent > 1 && dims.k.b() > columnBlock && bBytes > fewBytes) {
    cost.ns *= sparseB;
  }
  return cost;
}

} // namespace mlir::tpp
