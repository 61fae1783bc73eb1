// Packings and packing strategies: verification, and the choice of each strategy of this dialect.
#include "tpp_dialect/PackingStrategies.h"
#include "tpp_dialect/TppOps.h"
#include "tpp_dialect/TunedPackings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::tpp;

#include "tpp_dialect/TppInterfaces.cpp.inc"

using EmitError = function_ref<InFlightDiagnostic()>;

//===- packings --------------------------------------------------------------------------------------------------------------===//

static std::optional<TileSizes> getTileSizes(DenseI64ArrayAttr sizes) {
  return sizes ? std::optional(TileSizes{sizes[0], sizes[1]}) : std::nullopt;
}

static DenseI64ArrayAttr getTilesAttr(MLIRContext *context, const std::optional<TileSizes> &tiles) {
  return tiles ? DenseI64ArrayAttr::get(context, {tiles->rows, tiles->columns}) : DenseI64ArrayAttr();
}

// The packing that an attribute with the parameters of a packing describes.
template <typename Attr> static Packing makePacking(Attr attr, StringRef by) {
  Packing packing;
  packing.panel = attr.getPanel(), packing.kc = attr.getKc(), packing.mc = attr.getMc(), packing.nc = attr.getNc();
  packing.order = attr.getOrder();
  packing.a = getTileSizes(attr.getA()), packing.c = getTileSizes(attr.getC());
  packing.by = by.str();
  return packing;
}

// Verifies the parameters of a packing.
static LogicalResult verifyParameters(EmitError emitError, int64_t panel, int64_t kc, int64_t mc, int64_t nc, DenseI64ArrayAttr a,
                                      DenseI64ArrayAttr c) {
  for (auto [name, sizes] : {std::pair("a", a), {"c", c}})
    if (sizes && sizes.size() != 2)
      return emitError() << name << " must hold the rows and the columns of a tile, got " << sizes.size() << " sizes";
  Packing packing;
  packing.panel = panel, packing.kc = kc, packing.mc = mc, packing.nc = nc;
  packing.a = getTileSizes(a), packing.c = getTileSizes(c);
  return verifyPacking(emitError, packing);
}

LogicalResult tpp::verifyPacking(EmitError emitError, const Packing &packing) {
  for (auto [name, size] : {std::pair("panel", packing.panel), {"kc", packing.kc}, {"mc", packing.mc}, {"nc", packing.nc}})
    if (size < 0)
      return emitError() << name << " must not be negative, got " << size;
  for (auto [name, tiles] : {std::pair("a", packing.a), {"c", packing.c}})
    if (tiles && (tiles->rows < 0 || tiles->columns < 0))
      return emitError() << "the sizes of a tile of " << name << " must not be negative, got " << tiles->rows << " x "
                         << tiles->columns;
  if (packing.panel != 0 && packing.nc > packing.panel)
    return emitError() << "a task must lie in one panel: nc = " << packing.nc << ", panel = " << packing.panel;
  return success();
}

LogicalResult tpp::verifyPacking(EmitError emitError, const Packing &packing, const ContractionInfo &contraction) {
  if (failed(verifyPacking(emitError, packing)))
    return failure();
  int64_t lanes = contraction.getLanes();
  // A size of at least the number of columns means all columns. It need not be a multiple of a vector.
  for (auto [name, size] : {std::pair("panel", packing.panel), {"nc", packing.nc}})
    if (size < contraction.getColumns() && size % lanes != 0)
      return emitError() << name << " = " << size << " is no multiple of the " << lanes
                         << " columns that a vector of the target holds";
  int64_t depth = contraction.getExtent(DimensionRole::Reduction);
  if (packing.kc != 0 && packing.kc < depth && contraction.c().elementType != contraction.getAccumulatorType())
    return emitError() << "kc = " << packing.kc << " splits the sum, and each part would be rounded to "
                       << contraction.c().elementType;
  if (packing.kc != 0 && packing.kc < depth && depth % packing.kc != 0)
    return emitError() << "kc = " << packing.kc << " does not divide the " << depth << " steps of the sum";
  if (int64_t factor = contraction.getVnniFactor(); packing.kc < depth && packing.kc % factor != 0)
    return emitError() << "kc = " << packing.kc << " splits the groups of " << factor << " steps in which B is stored";
  return success();
}

LogicalResult PackingAttr::verify(EmitError emitError, int64_t panel, int64_t kc, int64_t mc, int64_t nc, LoopOrder,
                                  DenseI64ArrayAttr a, DenseI64ArrayAttr c, StringAttr) {
  return verifyParameters(emitError, panel, kc, mc, nc, a, c);
}

Packing PackingAttr::getPacking() const { return makePacking(*this, getBy() ? getBy().getValue() : StringRef()); }

PackingAttr PackingAttr::get(MLIRContext *context, const Packing &packing) {
  return get(context, packing.panel, packing.kc, packing.mc, packing.nc, packing.order, getTilesAttr(context, packing.a),
             getTilesAttr(context, packing.c), packing.by.empty() ? StringAttr() : StringAttr::get(context, packing.by));
}

PackingRegime tpp::getPackingRegime(const ContractionInfo &contraction) {
  constexpr int64_t smallBatch = 32;
  int64_t rows = contraction.getExtent(DimensionRole::Row);
  if (rows == 1)
    return PackingRegime::MatrixVector;
  return rows < smallBatch ? PackingRegime::SmallBatch : PackingRegime::Large;
}

//===- strategies ------------------------------------------------------------------------------------------------------------===//

LogicalResult PackingFixedAttr::verify(EmitError emitError, int64_t panel, int64_t kc, int64_t mc, int64_t nc, LoopOrder,
                                       DenseI64ArrayAttr a, DenseI64ArrayAttr c, PackingAttr, PackingAttr) {
  return verifyParameters(emitError, panel, kc, mc, nc, a, c);
}

PackingFixedAttr PackingFixedAttr::get(MLIRContext *context, const Packing &packing) {
  return get(context, packing.panel, packing.kc, packing.mc, packing.nc, packing.order, getTilesAttr(context, packing.a),
             getTilesAttr(context, packing.c), PackingAttr(), PackingAttr());
}

FailureOr<Packing> PackingFixedAttr::choosePacking(const ContractionInfo &contraction, EmitError) const {
  PackingRegime regime = getPackingRegime(contraction);
  Packing packing = makePacking(*this, "fixed sizes");
  if (PackingAttr small = getSmallBatch(); small && regime == PackingRegime::SmallBatch) {
    packing = small.getPacking();
    packing.by = "fixed sizes, small batch";
  } else if (PackingAttr vector = getMatrixVector(); vector && regime == PackingRegime::MatrixVector) {
    packing = vector.getPacking();
    packing.by = "fixed sizes, matrix-vector";
  }
  return packing;
}

// Occupancy of L2 by a panel of `steps` rows, `strideBytes` apart and `panelBytes` wide: its cache lines divided by the ways of the cache sets that
// they map to. Above 1, the panel does not fit these sets.
static double getOccupancy(int64_t steps, int64_t strideBytes, int64_t panelBytes, const tpp_machine &machine) {
  int64_t panelLines = llvm::divideCeil(panelBytes, TPP_LINE_BYTES);
  // Addresses whose distance is a multiple of this share a set.
  int64_t period = llvm::bit_floor(static_cast<uint64_t>(std::max<int64_t>(machine.l2_bytes / machine.l2_ways, TPP_LINE_BYTES)));
  int64_t positions = period / std::max<int64_t>(std::gcd(strideBytes, period), TPP_LINE_BYTES);
  int64_t sets = std::min(period / TPP_LINE_BYTES, positions * panelLines);
  return static_cast<double>(steps * panelLines) / static_cast<double>(sets * machine.l2_ways);
}

// Bytes of A that each panel of B is multiplied with.
static double getBytesOfA(const ContractionInfo &contraction) {
  return static_cast<double>(contraction.getExtent(DimensionRole::Row)) *
         static_cast<double>(contraction.getExtent(DimensionRole::Reduction)) *
         static_cast<double>(contraction.a().getElementBytes());
}

// True if packing B pays: B is constant, or enough rows of A share it.
//
// Packing takes as long as multiplying with 13 rows. The gain depends on where the rows of a panel are stored. Rows a power of two apart map to
// few L2 sets, and each row tile reads the panel from beyond L2. Rows in pages of their own take TLB entries. docs/decisions/costs.md says how the
// limits were fitted, and what they lose.
static bool packingPays(const ContractionInfo &contraction) {
  constexpr int64_t pageBytes = TPP_PAGE_BYTES, longSum = 1024, enoughRows = 128, enoughRowsInPages = 64;
  if (contraction.b().isConstant || contraction.getVnniFactor() > 1)
    return true; // packed once, or moved in any case
  int64_t rows = contraction.getExtent(DimensionRole::Row), steps = contraction.getExtent(DimensionRole::Reduction);
  if (contraction.dims[*contraction.columnDim].b() != 1)
    return rows >= enoughRows; // B must be transposed anyway.
  const ContractionDim *longest = nullptr;
  for (const ContractionDim &dim : contraction.dims)
    if (dim.getRole() == DimensionRole::Reduction && (!longest || dim.extent > longest->extent))
      longest = &dim;
  if (!longest)
    return false;
  int64_t strideBytes = longest->b() * contraction.b().getElementBytes();
  tpp_machine machine = contraction.target.getMachine();
  double occupancy =
      getOccupancy(steps, strideBytes, contraction.getDefaultColumns() * contraction.b().getElementBytes(), machine);
  bool isLong = steps >= longSum;
  if (isLong && occupancy >= 4 && strideBytes >= pageBytes)
    return rows >= enoughRowsInPages;
  if (occupancy > 2.5 || (occupancy >= 1 && isLong) || (occupancy >= 0.5 && strideBytes >= 2 * pageBytes))
    return rows >= enoughRows;
  // A's rows evict the panel, and there are many panels.
  double bBytes = static_cast<double>(steps) * static_cast<double>(strideBytes);
  return isLong && rows >= enoughRows && std::min(getBytesOfA(contraction), bBytes) > 1.5 * static_cast<double>(machine.l2_bytes);
}

int64_t tpp::getSplittableSteps(const ContractionInfo &contraction) {
  int64_t steps = 0, reductions = 0;
  for (const ContractionDim &dim : contraction.dims)
    if (dim.getRole() == DimensionRole::Reduction && dim.extent > 1)
      steps = dim.extent, ++reductions;
  return reductions == 1 && contraction.c().elementType == contraction.getAccumulatorType() ? steps : 0;
}

// Steps of a KC block, if the part of A that every panel of B is multiplied with takes more than half of L2; 0: one block (docs/decisions/costs.md).
static int64_t chooseKC(const ContractionInfo &contraction) {
  constexpr int64_t fewest = 2560, shortest = 512, longest = 2048, multiple = 16;
  int64_t depth = getSplittableSteps(contraction);
  if (depth < fewest || getBytesOfA(contraction) <= static_cast<double>(contraction.target.getCacheBytes(2)) / 2)
    return 0;
  for (int64_t passes = llvm::divideCeil(depth, longest); depth / passes >= shortest; ++passes)
    if (depth % (passes * multiple) == 0)
      return depth / passes;
  return 0;
}

Packing tpp::chooseByCostModel(const ContractionInfo &contraction) {
  // Panels of half the default width are used if only they divide the columns.
  int64_t widest = contraction.getDefaultColumns(), half = widest / 2;
  Packing packing;
  packing.by = "cost model";
  int64_t columns = contraction.getColumns();
  if (packingPays(contraction))
    packing.panel = columns > widest && columns % widest != 0 && columns % half == 0 ? half : widest;
  if (packing.panel != 0)
    packing.kc = chooseKC(contraction);
  return packing;
}

FailureOr<Packing> PackingCostModelAttr::choosePacking(const ContractionInfo &contraction, EmitError) const {
  return chooseByCostModel(contraction);
}

LogicalResult PackingTunedAttr::verify(EmitError emitError, StringRef file) {
  if (file.empty())
    return emitError() << "tuned packings need the name of a file";
  return success();
}

FailureOr<Packing> PackingTunedAttr::choosePacking(const ContractionInfo &contraction, EmitError emitError) const {
  const TunedPackings &tuned = getContext()->getLoadedDialect<TppDialect>()->getTunedPackings(getFile());
  if (!tuned.problem.empty()) {
    emitError() << "tuned packings cannot be used: " << tuned.problem;
    return failure();
  }
  if (std::optional<Packing> packing = tuned.find(contraction)) {
    // The caller checks the packing, too, but only this check can name the record.
    auto emitRecordError = [&]() -> InFlightDiagnostic {
      InFlightDiagnostic diagnostic = emitError();
      diagnostic << packing->by << ": ";
      return diagnostic;
    };
    if (failed(verifyPacking(emitRecordError, *packing, contraction)))
      return failure();
    return *packing;
  }
  Packing packing = chooseByCostModel(contraction);
  packing.remark = getFile().str() + " has no record for batch " + std::to_string(contraction.getExtent(DimensionRole::Batch)) +
                   ", m " + std::to_string(contraction.getExtent(DimensionRole::Row)) + ", n " +
                   std::to_string(contraction.getExtent(DimensionRole::Column)) + ", k " +
                   std::to_string(contraction.getExtent(DimensionRole::Reduction)) + ": packed by the cost model";
  return packing;
}
