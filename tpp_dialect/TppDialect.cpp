// The dialect, its attributes and types: registration, verification, custom assembly and helpers.
#include "tpp_dialect/TppDialect.h"
#include "tpp/types.h"
#include "tpp_dialect/DescriptorParts.h"
#include "tpp_dialect/TppOps.h"
#include "tpp_dialect/TunedPackings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tpp;

#include "tpp_dialect/TileAttrInterfaces.cpp.inc"
#include "tpp_dialect/TppDialect.cpp.inc"
#include "tpp_dialect/TppEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tpp_dialect/TppAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tpp_dialect/TppTypes.cpp.inc"

// The enumerations that are defined in TppEnums.td must have the values of the C ABI.
static_assert(static_cast<int>(BatchKind::Stride) == TPP_BATCH_stride &&
              static_cast<int>(BatchKind::Offset) == TPP_BATCH_offset &&
              static_cast<int>(BatchKind::Address) == TPP_BATCH_address);
static_assert(static_cast<int>(ReduceAxis::OverRows) == TPP_REDUCE_over_rows &&
              static_cast<int>(ReduceAxis::OverCols) == TPP_REDUCE_over_cols);
static_assert(static_cast<int>(PostOpClass::Unary) == TPP_POST_OP_unary &&
              static_cast<int>(PostOpClass::Binary) == TPP_POST_OP_binary);

void TppDialect::initialize() {
  tunedPackingFiles = std::make_shared<TunedPackingFiles>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tpp_dialect/TppAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tpp_dialect/TppTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tpp_dialect/TppOps.cpp.inc"
      >();
}

std::optional<ElementType> tpp::getElementType(Type type, bool isUnsigned) {
  if (isUnsigned)
    return type.isSignlessInteger(8) ? std::optional(ElementType::U8) : std::nullopt;
  if (type.isSignlessInteger(8))
    return ElementType::I8;
  if (type.isSignlessInteger(32))
    return ElementType::I32;
  if (type.isF32())
    return ElementType::F32;
  if (type.isBF16())
    return ElementType::Bf16;
  if (type.isF16())
    return ElementType::F16;
  if (type.isF64())
    return ElementType::F64;
  return std::nullopt;
}

bool tpp::isWinogradImage(Type type) { return type.isF32() || type.isBF16(); }

std::optional<ElementType> tpp::getMovedElementType(Type type) {
  if (std::optional<ElementType> known = getElementType(type))
    return known;
  if (type.isIndex())
    return ElementType::F64;
  if (!type.isIntOrFloat())
    return std::nullopt;
  switch (type.getIntOrFloatBitWidth()) {
  case 1: // a boolean is stored as one byte
  case 8:
    return ElementType::I8;
  case 16:
    return ElementType::F16;
  case 32:
    return ElementType::I32;
  case 64:
    return ElementType::F64;
  default:
    return std::nullopt;
  }
}

void tpp::registerTppDialect(DialectRegistry &registry) {
  registry.insert<TppDialect>();
  registerBufferizableOpInterfaceExternalModels(registry);
}

//===- post-ops --------------------------------------------------------------------------------------------------------------===//

StringRef PostOpAttr::getKindName() const {
  return isUnary() ? stringifyUnaryKind(getUnaryKind()) : stringifyBinaryKind(getBinaryKind());
}

Attribute PostOpAttr::parse(AsmParser &parser, Type) {
  StringRef opClass, keyword;
  if (parser.parseLess() || parser.parseKeyword(&opClass))
    return {};
  SMLoc kindLoc = parser.getCurrentLocation();
  if (opClass != "unary" && opClass != "binary") {
    parser.emitError(parser.getNameLoc()) << "expected 'unary' or 'binary' in a post-op, got '" << opClass << "'";
    return {};
  }
  if (parser.parseKeyword(&keyword))
    return {};
  MLIRContext *context = parser.getContext();
  if (opClass == "unary") {
    std::optional<UnaryKind> kind = symbolizeUnaryKind(keyword);
    if (!kind) {
      parser.emitError(kindLoc) << "'" << keyword << "' is not a unary kind";
      return {};
    }
    return parser.parseGreater() ? Attribute() : PostOpAttr::get(context, *kind);
  }
  std::optional<BinaryKind> kind = symbolizeBinaryKind(keyword);
  if (!kind) {
    parser.emitError(kindLoc) << "'" << keyword << "' is not a binary kind";
    return {};
  }
  SMLoc broadcastLoc = parser.getCurrentLocation();
  std::optional<Broadcast> broadcast = Broadcast::None;
  if (succeeded(parser.parseOptionalKeyword(&keyword)))
    broadcast = symbolizeBroadcast(keyword);
  if (!broadcast) {
    parser.emitError(broadcastLoc) << "'" << keyword << "' is not a broadcast: expected none, row, col or scalar";
    return {};
  }
  MatrixAttr form;
  if (succeeded(parser.parseOptionalComma()) && parser.parseCustomAttributeWithFallback(form))
    return {};
  return parser.parseGreater() ? Attribute() : PostOpAttr::get(context, *kind, *broadcast, form);
}

void PostOpAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyPostOpClass(getOpClass()) << " " << getKindName();
  if (getBroadcast() != Broadcast::None)
    printer << " " << stringifyBroadcast(getBroadcast());
  if (getForm()) {
    printer << ", ";
    printer.printStrippedAttrOrType(getForm());
  }
  printer << ">";
}

//===- forms and kinds -------------------------------------------------------------------------------------------------------===//

LogicalResult MatrixAttr::verify(EmitError emitError, ElementType, int64_t ld, int64_t panel, int64_t panelStride, int64_t vnni) {
  if (ld < 1)
    return emitError() << "ld must be at least 1, got " << ld;
  if (panel < 0)
    return emitError() << "panel must not be negative, got " << panel;
  if (panel == 0 && panelStride != 0)
    return emitError() << "panel_stride is " << panelStride << ", but panel is 0";
  if (panelStride < 0)
    return emitError() << "panel_stride must not be negative, got " << panelStride;
  if (vnni < 0)
    return emitError() << "vnni must not be negative, got " << vnni;
  return success();
}

bool tpp::movesBits(UnaryKind kind) {
  switch (kind) {
#define TPP_UNARY_KIND(name, value, group, formula, special_values)                                                              \
  case static_cast<UnaryKind>(value):                                                                                            \
    return llvm::StringRef(#group) == "move";
#include "tpp/kinds.def"
  }
  llvm_unreachable("every unary kind has a row");
}

bool tpp::isPostOp(UnaryKind kind) {
  switch (kind) {
#define TPP_UNARY_KIND(name, value, group, formula, special_values)                                                              \
  case static_cast<UnaryKind>(value):                                                                                            \
    return kind == UnaryKind::Identity || kind == UnaryKind::Convert || llvm::StringRef(#group) == "activation";
#include "tpp/kinds.def"
  }
  llvm_unreachable("every unary kind has a row");
}

LogicalResult tpp::verifyAlpha(function_ref<InFlightDiagnostic()> emitError, UnaryKind kind, FloatAttr alpha) {
  if ((kind == UnaryKind::LeakyRelu) != static_cast<bool>(alpha))
    return emitError() << (alpha ? "alpha belongs to leaky_relu only" : "leaky_relu needs alpha");
  if (alpha && (!alpha.getType().isF32() || !alpha.getValue().isFinite()))
    return emitError() << "alpha must be a finite f32, got " << alpha;
  return success();
}

//===- layout ----------------------------------------------------------------------------------------------------------------===//

static ArrayRef<int64_t> valuesOf(DenseI64ArrayAttr list) { return list ? list.asArrayRef() : ArrayRef<int64_t>(); }

LayoutAttr LayoutAttr::getIdentity(MLIRContext *context) {
  return LayoutAttr::get(context, ArrayRef<int64_t>(), ArrayRef<int64_t>());
}
bool LayoutAttr::isIdentity() const { return *this == getIdentity(getContext()); }
ArrayRef<int64_t> LayoutAttr::getInnerDims() const { return valuesOf(getInnerDimsPos()); }
ArrayRef<int64_t> LayoutAttr::getTiles() const { return valuesOf(getInnerTiles()); }
ArrayRef<int64_t> LayoutAttr::getOuterPermutation() const { return valuesOf(getOuterDimsPerm()); }

LogicalResult LayoutAttr::verify(EmitError emitError, DenseI64ArrayAttr innerDimsPos, DenseI64ArrayAttr innerTiles,
                                 DenseI64ArrayAttr outerDimsPerm, int64_t vnni) {
  for (DenseI64ArrayAttr list : {innerDimsPos, innerTiles, outerDimsPerm})
    if (list && list.empty())
      return emitError() << "an empty list must be left out: a layout has one spelling";
  ArrayRef<int64_t> dims = valuesOf(innerDimsPos), tiles = valuesOf(innerTiles), permutation = valuesOf(outerDimsPerm);
  if (dims.size() != tiles.size())
    return emitError() << "inner_dims_pos has " << dims.size() << " entries, inner_tiles " << tiles.size();
  DenseSet<int64_t> seen;
  for (auto [dim, tile] : llvm::zip_equal(dims, tiles)) {
    if (dim < 0 || !seen.insert(dim).second)
      return emitError() << "inner_dims_pos must hold distinct dimensions that are not negative, got " << innerDimsPos;
    if (tile < 1)
      return emitError() << "inner tiles must be at least 1, got " << tile;
  }
  llvm::SmallBitVector hit(permutation.size());
  for (int64_t dim : permutation) {
    if (dim < 0 || dim >= static_cast<int64_t>(permutation.size()) || hit.test(dim))
      return emitError() << "outer_dims_perm must be a permutation, got " << outerDimsPerm;
    hit.set(dim);
  }
  if (vnni < 0 || vnni == 1)
    return emitError() << "vnni must be 0 (rows are not grouped) or at least 2, got " << vnni;
  return success();
}

FailureOr<SmallVector<int64_t>> LayoutAttr::getPackedShape(ArrayRef<int64_t> shape, std::optional<Location> loc) const {
  int64_t rank = shape.size();
  auto refuse = [&](const Twine &why) -> FailureOr<SmallVector<int64_t>> {
    if (loc)
      emitError(*loc) << *this << " does not fit a value of rank " << rank << ": " << why;
    return failure();
  };
  ArrayRef<int64_t> permutation = getOuterPermutation();
  if (!permutation.empty() && static_cast<int64_t>(permutation.size()) != rank)
    return refuse("outer_dims_perm has another rank");
  SmallVector<int64_t> outer(shape);
  for (auto [dim, tile] : llvm::zip_equal(getInnerDims(), getTiles())) {
    if (dim >= rank)
      return refuse("inner_dims_pos names dimension " + Twine(dim));
    outer[dim] = llvm::divideCeil(outer[dim], tile);
  }
  SmallVector<int64_t> packed;
  for (int64_t dim = 0; dim < rank; ++dim)
    packed.push_back(outer[permutation.empty() ? dim : permutation[dim]]);
  llvm::append_range(packed, getTiles());
  if (getVnni() == 0)
    return packed;
  if (packed.size() < 2)
    return refuse("vnni needs rows and columns");
  int64_t &rows = packed[packed.size() - 2];
  rows = llvm::divideCeil(rows, getVnni());
  packed.push_back(getVnni());
  return packed;
}

FailureOr<RankedTensorType> LayoutAttr::getPackedType(RankedTensorType type, std::optional<Location> loc) const {
  std::optional<SmallVector<int64_t>> shape = getPackedShape(type.getShape(), loc);
  if (!shape)
    return failure();
  return RankedTensorType::get(*shape, type.getElementType());
}
