// Cost estimates for the layout stage (see Cost.h).
#include "lowering/machine/Cost.h"
#include "lowering/machine/Target.h"
#include "tpp/brgemm_cost.h"
#include <algorithm>

namespace mlir::tpp {

// Payload bytes that a relayout moves per nanosecond on one thread (each byte counts once, not as a read and a write). Geometric mean of the
// medians of 17 warm f32 relayouts of 2 to 64 MiB in benchmarks/results/sapphire-rapids-vm/2026-11-22-relayouts.json. Range: 3.9 (4096²
// transpose) to 10.4 (attention heads); twelve are within 30 % of the mean. Packs from rows (5.6 to 6.9) are no faster than packs from
// columns (6.5 to 7.4).
constexpr double moveBytesPerNs = 6.5;

double estimateMoveNs(int64_t bytes) { return static_cast<double>(bytes) / moveBytesPerNs; }

namespace {
struct Kernel {
  StringRef target, types[3]; // words of kernels.def
  tpp_brgemm_cost_row cost;
};
constexpr Kernel brgemmKernels[] = {
#define TPP_UK_BRGEMM(types, a_type, b_type, c_type, mr, nr, lanes, target, call_ns, tile_ns, fma_ns, load_ns, vector_ns)        \
  {#target, {#a_type, #b_type, #c_type}, {mr, nr, lanes, call_ns, tile_ns, fma_ns, load_ns, vector_ns}},
#include "tpp/kernels.def"
};
} // namespace

// The entries of kernels.def for the contraction's types: those of the best instruction set of its target that has any.
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
  for (StringRef target : getKernelTargets(contraction.target)) {
    for (const Kernel &kernel : brgemmKernels)
      if (kernel.target == target && computes(kernel))
        kernels.push_back(&kernel);
    if (!kernels.empty())
      break;
  }
  return kernels;
}

// Sums are stored in their own type, or in that of the floating-point factors.
static bool canStoreSums(const ContractionInfo &contraction) {
  Type c = contraction.c().elementType;
  return c == contraction.getAccumulatorType() || (isa<FloatType>(c) && c == contraction.b().elementType) ||
         llvm::any_of(contraction.postOps, [](PostOpAttr postOp) { return postOp.isUnary(UnaryKind::Convert); });
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
// lines are in more pages than the second-level TLB covers, each load also walks the page table. `depth` is the product of all reductions.
//
// Fitted by eye on a Sapphire Rapids virtual machine to 36 matmuls of one column tile (N = 64; K = 64, 256, 1024 and 2304; 125 to 4096 rows),
// each compared with the same matmul on contiguous columns of A. Time per line: 0 to 2 ns if A fits L2 and the lines of one row tile fit L1
// (K = 64 and 256), 2 to 3 ns if A fits L2, 7 to 13 ns if it does not, 29 to 57 ns for 1024 columns two or four pages apart. The noise is
// 30 %; an error of a factor of two is possible. fromL1 is at the upper end: with 1, small 3 x 3 convolutions on NCHW are no longer computed
// channels-last. For 28 x 28 images of 64 and 128 channels, channels-last was 1.4 times as fast by the best call, and equally fast by the
// median; this was not studied further.
static double estimateStridedNs(const ContractionInfo &contraction, const BrgemmDims &dims) {
  constexpr int64_t lineBytes = 64, pageBytes = 4096, knownPages = 2048;
  int64_t elementBytes = contraction.a().getElementBytes(), lineElements = lineBytes / elementBytes, depth = dims.getDepth();
  TargetAttr target = contraction.target;
  constexpr double fromL1 = 1.5, fromL2 = 3, fromBeyond = 10, walk = 40;
  // Adjacent rows that share cache lines (an image with few channels) find the lines in L1 if the sum has at most this many steps.
  constexpr int64_t linesAtHand = 256;
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
  double pages = static_cast<double>(dims.k.extent) * std::max(1.0, stride / pageBytes);
  double walks = pages >= knownPages ? walk : 0;
  double again = dims.k.extent * lineBytes > target.getCacheBytes(1) ? fromL2 : fromL1;
  double first = lines * lineBytes > static_cast<double>(target.getCacheBytes(2)) ? fromBeyond : again;
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

CostEstimate estimateContraction(const ContractionInfo &contraction) {
  BrgemmDims dims = getBrgemmDims(contraction);
  SmallVector<const Kernel *> kernels = getKernels(contraction);
  bool constantA = contraction.a().isConstant, constantB = contraction.b().isConstant;
  int64_t bBytes = contraction.b().getBytes(), columnBlock = contraction.getDefaultColumns(), depth = dims.getDepth(), tasks = 1;
  for (const ContractionDim &dim : dims.outer)
    tasks *= dim.extent;
  // A reduction other than k becomes the batch of brgemm. Each batch entry needs one more pair of addresses.
  constexpr double entryNs = 3;
  double entries = static_cast<double>(depth / std::max<int64_t>(dims.k.extent, 1));
  tpp_brgemm_desc desc = {};
  desc.k = depth;
  auto cheapest = [&](int64_t m, int64_t n) {
    double best = 0;
    desc.m = m, desc.n = n;
    for (const Kernel *kernel : kernels)
      if (double ns = tpp_brgemm_cost(&desc, &kernel->cost); best == 0 || ns < best)
        best = ns;
    return best + entries * entryNs;
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
      cost.addMove(estimateMoveNs(bBytes));
    if (!constantA && dims.k.extent > 1 && dims.k.a() != 1)
      cost.addMove(estimateMoveNs(contraction.a().getBytes()));
    return cost;
  }
  if (!constantA)
    cost.ns += estimateStridedNs(contraction, dims);
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
    cost.addMove(estimateMoveNs(bBytes));
  // A B without contiguous columns may not be transposable (a strided image). Then the result is computed along another dimension and
  // transposed, so the transposition of the result is charged, too.
  if (!neighbours) {
    int64_t results = dims.m.extent * dims.n.extent;
    for (const ContractionDim &dim : dims.outer)
      results *= dim.extent;
    cost.addMove(estimateMoveNs(results * contraction.c().getElementBytes()));
  } else if (!packed && dims.k.extent > 1 && dims.k.b() > columnBlock && bBytes > fewBytes) {
    cost.ns *= sparseB;
  }
  return cost;
}

} // namespace mlir::tpp
