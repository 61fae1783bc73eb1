// See TensorEvaluator.h.
#include "lowering/analysis/TensorEvaluator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::tpp {

int64_t TensorPart::countElements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double largestInteger = 9007199254740992.0; // 2^53: a double holds every integer up to it
constexpr int64_t mostSmall = 1 << 16;                // elements of a tensor that is evaluated once, as a whole

TensorPart getWhole(RankedTensorType type) {
  return {SmallVector<int64_t>(type.getRank(), 0), SmallVector<int64_t>(type.getShape())};
}

// Calls `visit` with the index of each element of a part, in row-major order.
void forEachIndex(const TensorPart &part, function_ref<void(ArrayRef<int64_t>)> visit) {
  if (part.countElements() == 0)
    return;
  SmallVector<int64_t> index(part.offsets);
  for (;;) {
    visit(index);
    size_t dim = index.size();
    while (dim > 0 && ++index[dim - 1] == part.offsets[dim - 1] + part.sizes[dim - 1]) {
      index[dim - 1] = part.offsets[dim - 1];
      --dim;
    }
    if (dim == 0)
      return;
  }
}

// The place of an element in a row-major part.
int64_t findPlace(ArrayRef<int64_t> index, const TensorPart &part) {
  int64_t place = 0;
  for (auto [i, first, size] : llvm::zip_equal(index, part.offsets, part.sizes))
    place = place * size + i - first;
  return place;
}

//===- constants -------------------------------------------------------------------------------------------------------------===//

std::optional<double> toNumber(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValueAsDouble();
  auto integer = dyn_cast<IntegerAttr>(attribute);
  if (!integer || integer.getValue().getSignificantBits() > 53)
    return std::nullopt;
  return integer.getType().isInteger(1) ? static_cast<double>(integer.getValue().getBoolValue())
                                        : static_cast<double>(integer.getValue().getSExtValue());
}

std::optional<double> getScalar(Value value) {
  Attribute attribute;
  return matchPattern(value, m_Constant(&attribute)) ? toNumber(attribute) : std::nullopt;
}

// A function from the place of an element of a constant to the element; null for types that are not evaluated.
std::function<std::optional<double>(int64_t)> getReader(ElementsAttr constant) {
  if (auto dense = dyn_cast<DenseElementsAttr>(constant)) {
    if (!dense.getElementType().isIntOrIndexOrFloat())
      return {};
    return [dense](int64_t place) { return toNumber(*(dense.value_begin<Attribute>() + place)); };
  }
  if (auto integers = dyn_cast<DenseI64ResourceElementsAttr>(constant)) {
    std::optional<ArrayRef<int64_t>> numbers = integers.tryGetAsArrayRef();
    if (!numbers)
      return {};
    return [values = *numbers](int64_t place) -> std::optional<double> {
      const auto number = static_cast<double>(values[place]);
      return std::abs(number) <= largestInteger ? std::optional(number) : std::nullopt;
    };
  }
  if (auto floats = dyn_cast<DenseF32ResourceElementsAttr>(constant)) {
    std::optional<ArrayRef<float>> numbers = floats.tryGetAsArrayRef();
    if (!numbers)
      return {};
    return [values = *numbers](int64_t place) -> std::optional<double> { return values[place]; };
  }
  auto booleans = dyn_cast<DenseResourceElementsAttr>(constant);
  AsmResourceBlob *blob = booleans ? booleans.getRawHandle().getBlob() : nullptr;
  auto type = cast<ShapedType>(constant.getType());
  if (!blob || !type.getElementType().isInteger(1) || static_cast<int64_t>(blob->getData().size()) != type.getNumElements())
    return {};
  return [data = blob->getData()](int64_t place) -> std::optional<double> { return data[place] != 0; }; // a byte for each
}

std::optional<TensorElements> evaluateConstant(Value tensor, const TensorPart &part) {
  ElementsAttr constant;
  auto reader = matchPattern(tensor, m_Constant(&constant)) ? getReader(constant) : nullptr;
  if (!reader)
    return std::nullopt;
  TensorElements elements;
  bool known = true;
  TensorPart whole = getWhole(cast<RankedTensorType>(tensor.getType()));
  forEachIndex(part, [&](ArrayRef<int64_t> index) {
    std::optional<double> element = reader(findPlace(index, whole));
    known &= element.has_value();
    elements.push_back(element.value_or(unknown));
  });
  return known ? std::optional(std::move(elements)) : std::nullopt;
}

//===- bodies ----------------------------------------------------------------------------------------------------------------===//

bool compareIntegers(arith::CmpIPredicate predicate, double x, double y) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return x == y;
  case arith::CmpIPredicate::ne:
    return x != y;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return x < y;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return x <= y;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return x > y;
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return x >= y;
  }
  llvm_unreachable("every predicate has a case");
}

// The results of an operation of a body, for all elements of its operands; null if it is not evaluated. What depends on an unknown element is unknown.
std::optional<TensorElements> evaluateOp(Operation &op, ArrayRef<const TensorElements *> operands, double lowest) {
  if (operands.empty() || op.getNumResults() != 1)
    return std::nullopt;
  const size_t count = operands[0]->size();
  bool known = true; // false if an element is out of range
  auto map = [&](auto function) -> std::optional<TensorElements> {
    TensorElements results(count);
    for (size_t i = 0; i < count; ++i)
      results[i] = function((*operands[0])[i], operands.size() > 1 ? (*operands[1])[i] : unknown);
    return known ? std::optional(std::move(results)) : std::nullopt;
  };
  Type resultType = getElementTypeOrSelf(op.getResult(0).getType());
  const double mostPositive =
      resultType.isInteger()
          ? std::min(std::ldexp(1.0, static_cast<int>(resultType.getIntOrFloatBitWidth()) - 1) - 1, largestInteger)
          : largestInteger;
  auto inRange = [&](double value) { // of signed integers
    known &= !(value > mostPositive) && !(value < -mostPositive - 1);
    return value;
  };
  const bool isBoolean = getElementTypeOrSelf(op.getOperand(0).getType()).isInteger(1);
  if (auto compares = dyn_cast<arith::CmpIOp>(op)) {
    arith::CmpIPredicate predicate = compares.getPredicate();
    const bool isUnsigned = predicate >= arith::CmpIPredicate::ult, isEquality = predicate <= arith::CmpIPredicate::ne;
    return map([&](double x, double y) {
      known &= isEquality || (isUnsigned ? !(x < 0) && !(y < 0) : !isBoolean);
      return std::isnan(x) || std::isnan(y) ? unknown : static_cast<double>(compareIntegers(predicate, x, y));
    });
  }
  if (isa<arith::SelectOp>(op)) {
    TensorElements results(count);
    for (size_t i = 0; i < count; ++i) {
      const double condition = (*operands[0])[i];
      results[i] = std::isnan(condition) ? unknown : (*operands[condition != 0 ? 1 : 2])[i];
    }
    return results;
  }
  if (isBoolean && isa<arith::AndIOp, arith::MulIOp>(op))
    return map([](double x, double y) { return x == 0 || y == 0 ? 0 : x * y; });
  if (isBoolean && isa<arith::OrIOp>(op))
    return map([](double x, double y) { return x == 1 || y == 1 ? 1 : x + y; });
  if (isBoolean && isa<arith::XOrIOp>(op))
    return map([](double x, double y) { return std::isnan(x) || std::isnan(y) ? unknown : static_cast<double>(x != y); });
  if (isBoolean && isa<arith::ExtSIOp, arith::SIToFPOp>(op))
    return map([](double x, double) { return -x; });
  if (isBoolean && isa<arith::ExtUIOp, arith::UIToFPOp>(op))
    return map([](double x, double) { return x; });
  if (isBoolean)
    return std::nullopt;
  if (isa<arith::AddFOp>(op))
    return map([&](double x, double y) { return std::isnan(y) && x <= lowest ? x : std::isnan(x) && y <= lowest ? y : x + y; });
  if (isa<arith::SubFOp>(op))
    return map([](double x, double y) { return x - y; });
  if (isa<arith::MulFOp>(op))
    return map([](double x, double y) { return x * y; });
  if (isa<arith::AddIOp>(op))
    return map([&](double x, double y) { return inRange(x + y); });
  if (isa<arith::SubIOp>(op))
    return map([&](double x, double y) { return inRange(x - y); });
  if (isa<arith::MulIOp>(op))
    return map([&](double x, double y) { return inRange(x * y); });
  if (isa<arith::IndexCastOp, arith::ExtUIOp, arith::ExtSIOp>(op) || (isa<arith::TruncIOp>(op) && !resultType.isInteger(1))) {
    const bool isUnsigned = isa<arith::ExtUIOp>(op);
    return map([&](double x, double) {
      known &= !isUnsigned || !(x < 0);
      return inRange(x);
    });
  }
  if (isa<arith::UIToFPOp, arith::SIToFPOp>(op)) {
    const auto precision = static_cast<int>(cast<FloatType>(resultType).getFPMantissaWidth());
    return map([&](double x, double) { // integers that the type holds
      known &= !(std::abs(x) > std::ldexp(1.0, precision)) && !(isa<arith::UIToFPOp>(op) && x < 0);
      return x;
    });
  }
  if (isa<arith::ExtFOp>(op))
    return map([](double x, double) { return x; });
  if (isa<arith::TruncFOp>(op))
    return map([&](double x, double) {
      APFloat rounded(x);
      bool loses = false;
      rounded.convert(cast<FloatType>(resultType).getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
      rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
      return rounded.convertToDouble();
    });
  return std::nullopt;
}

} // namespace

std::optional<TensorElements> TensorEvaluator::evaluateBody(linalg::GenericOp op, const TensorPart &part, bool partly,
                                                            double lowest) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0 || op->getNumResults() != 1 ||
      !op.getIndexingMapsArray().back().isIdentity() || op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return std::nullopt;
  llvm::DenseMap<Value, std::unique_ptr<TensorElements>> values;
  const auto count = static_cast<size_t>(part.countElements());
  for (auto [operand, argument, map] : llvm::zip(op.getDpsInputs(), op.getBody()->getArguments(), op.getIndexingMapsArray())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    std::optional<TensorElements> elements;
    TensorPart read;
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      if (!dim && !constant)
        return std::nullopt;
      read.offsets.push_back(dim ? part.offsets[dim.getPosition()] : constant.getValue());
      read.sizes.push_back(dim ? part.sizes[dim.getPosition()] : 1);
    }
    if (type)
      elements = evaluate(operand, read);
    else if (std::optional<double> number = getScalar(operand))
      elements = TensorElements(1, *number);
    if (!elements && !partly)
      return std::nullopt;
    TensorElements &spread = *values.try_emplace(argument, std::make_unique<TensorElements>()).first->second;
    spread.reserve(count);
    if (!elements) {
      spread.assign(count, unknown);
    } else if (elements->size() == 1) {
      spread.assign(count, elements->front());
    } else {
      SmallVector<int64_t> strides(part.sizes.size(), 0); // of each dimension of the result in the elements
      int64_t stride = 1;
      for (size_t i = read.sizes.size(); i-- > 0; stride *= read.sizes[i])
        if (auto dim = dyn_cast<AffineDimExpr>(map.getResult(i)))
          strides[dim.getPosition()] += stride;
      TensorPart rows = part; // all but the innermost dimension
      const int64_t length = rows.sizes.pop_back_val(), innermost = strides.pop_back_val();
      rows.offsets.pop_back();
      forEachIndex(rows, [&](ArrayRef<int64_t> index) {
        int64_t place = 0;
        for (auto [i, first, each] : llvm::zip_equal(index, rows.offsets, strides))
          place += (i - first) * each;
        for (int64_t i = 0; i < length; ++i)
          spread.push_back((*elements)[place + i * innermost]);
      });
    }
  }
  // Constants, of the body or from outside, in the size of the others.
  auto getElements = [&](Value value) -> const TensorElements * {
    auto known = values.find(value);
    if (known == values.end())
      if (std::optional<double> number = getScalar(value))
        known = values.try_emplace(value, std::make_unique<TensorElements>(count, *number)).first;
    return known == values.end() ? nullptr : known->second.get();
  };
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (inner.getNumResults() == 0 || getElements(inner.getResult(0))) // an assertion; a constant
      continue;
    std::optional<TensorElements> results;
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      results.emplace();
      forEachIndex(part, [&](ArrayRef<int64_t> at) { results->push_back(static_cast<double>(at[index.getDim()])); });
    } else if (auto extraction = dyn_cast<tensor::ExtractOp>(inner)) {
      auto type = cast<RankedTensorType>(extraction.getTensor().getType());
      auto source = type.hasStaticShape() && type.getNumElements() <= mostSmall ? evaluate(extraction.getTensor(), getWhole(type))
                                                                                : std::nullopt;
      SmallVector<const TensorElements *> indices = llvm::map_to_vector(extraction.getIndices(), getElements);
      if (source && !llvm::is_contained(indices, nullptr)) {
        results.emplace(count, unknown);
        for (size_t i = 0; i < count; ++i) {
          int64_t place = 0;
          for (auto [elements, size] : llvm::zip_equal(indices, type.getShape())) {
            const double index = (*elements)[i];
            const bool isInside = index >= 0 && index < static_cast<double>(size);
            place = place < 0 || !isInside ? -1 : place * size + static_cast<int64_t>(index);
          }
          if (place >= 0)
            (*results)[i] = (*source)[place];
        }
      }
    } else {
      SmallVector<const TensorElements *> operands = llvm::map_to_vector(inner.getOperands(), getElements);
      if (!llvm::is_contained(operands, nullptr))
        results = evaluateOp(inner, operands, lowest);
    }
    if (!results && !partly)
      return std::nullopt;
    values[inner.getResult(0)] = std::make_unique<TensorElements>(results ? std::move(*results) : TensorElements(count, unknown));
  }
  const TensorElements *results = getElements(op.getBody()->getTerminator()->getOperand(0));
  return results ? std::optional(*results) : std::nullopt;
}

//===- tensors ---------------------------------------------------------------------------------------------------------------===//

std::optional<TensorElements> TensorEvaluator::evaluate(Value tensor, const TensorPart &part) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!tensor.getDefiningOp() || !type || !type.hasStaticShape())
    return std::nullopt;
  if (type.getNumElements() > mostSmall)
    return evaluateOnce(tensor, part);
  TensorPart whole = getWhole(type);
  auto known = small.find(tensor);
  if (known == small.end()) {
    std::optional<TensorElements> elements = evaluateResult(tensor, whole);
    known = small.try_emplace(tensor, std::move(elements)).first;
  }
  if (!known->second || part == whole)
    return known->second;
  TensorElements elements;
  forEachIndex(part, [&](ArrayRef<int64_t> index) { elements.push_back((*known->second)[findPlace(index, whole)]); });
  return elements;
}

// Several operations may read the same part.
const std::optional<TensorElements> &TensorEvaluator::evaluateOnce(Value tensor, const TensorPart &part) {
  if (auto known = recent.find(tensor); known != recent.end() && known->second.part == part)
    return known->second.elements;
  std::optional<TensorElements> elements = evaluateResult(tensor, part);
  Part &entry = recent[tensor];
  entry = {part, std::move(elements)};
  return entry.elements;
}

std::optional<TensorElements> TensorEvaluator::evaluateMasked(linalg::GenericOp op, const TensorPart &part, double lowest) {
  return evaluateBody(op, part, /*partly=*/true, lowest);
}

std::optional<TensorElements> TensorEvaluator::evaluateResult(Value tensor, const TensorPart &part) {
  Operation *op = tensor.getDefiningOp();
  auto type = cast<RankedTensorType>(tensor.getType());
  if (op->hasTrait<OpTrait::ConstantLike>())
    return evaluateConstant(tensor, part);
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return evaluateBody(generic, part, /*partly=*/false, -std::numeric_limits<double>::infinity());
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    std::optional<double> number = getScalar(fill.getInputs()[0]);
    return number ? std::optional(TensorElements(part.countElements(), *number)) : std::nullopt;
  }
  auto isSimple = [](OffsetSizeAndStrideOpInterface slice, RankedTensorType small, RankedTensorType large) {
    return small.getRank() == large.getRank() && small.hasStaticShape() && slice.hasUnitStride() &&
           !llvm::is_contained(slice.getStaticOffsets(), ShapedType::kDynamic);
  };
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!isSimple(slice, slice.getType(), slice.getSourceType()))
      return std::nullopt;
    TensorPart source = part;
    for (auto [offset, first] : llvm::zip_equal(source.offsets, slice.getStaticOffsets()))
      offset += first;
    return evaluate(slice.getSource(), source);
  }
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (!isSimple(insertion, insertion.getSourceType(), insertion.getDestType()))
      return std::nullopt;
    std::optional<TensorElements> elements;
    if (insertion.getDest().getDefiningOp<tensor::EmptyOp>())
      elements.emplace(part.countElements(), unknown);
    else
      elements = evaluate(insertion.getDest(), part);
    // What the part has of the source.
    TensorPart read;
    for (auto [offset, size, first, extent] :
         llvm::zip_equal(part.offsets, part.sizes, insertion.getStaticOffsets(), insertion.getSourceType().getShape())) {
      const int64_t begin = std::max(offset, first), end = std::min(offset + size, first + extent);
      read.offsets.push_back(begin - first);
      read.sizes.push_back(std::max<int64_t>(0, end - begin));
    }
    if (!elements || read.countElements() == 0)
      return elements;
    std::optional<TensorElements> source = evaluate(insertion.getSource(), read);
    if (!source)
      return std::nullopt;
    size_t next = 0;
    forEachIndex(read, [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> at(index);
      for (auto [i, first] : llvm::zip_equal(at, insertion.getStaticOffsets()))
        i += first;
      (*elements)[findPlace(at, part)] = (*source)[next++];
    });
    return elements;
  }
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    Value source = op->getOperand(0);
    auto sourceType = cast<RankedTensorType>(source.getType());
    if (!sourceType.hasStaticShape())
      return std::nullopt;
    TensorPart whole = getWhole(type), read = getWhole(sourceType);
    if (part.sizes != whole.sizes) { // of a large tensor: dimensions of extent 1 come and go
      SmallVector<unsigned> dims, sourceDims;
      auto collect = [](ArrayRef<int64_t> shape, SmallVectorImpl<unsigned> &into) {
        for (auto [dim, extent] : llvm::enumerate(shape))
          if (extent != 1)
            into.push_back(dim);
      };
      collect(type.getShape(), dims);
      collect(sourceType.getShape(), sourceDims);
      if (dims.size() != sourceDims.size())
        return std::nullopt;
      for (auto [dim, sourceDim] : llvm::zip_equal(dims, sourceDims)) {
        if (type.getDimSize(dim) != sourceType.getDimSize(sourceDim))
          return std::nullopt;
        read.offsets[sourceDim] = part.offsets[dim], read.sizes[sourceDim] = part.sizes[dim];
      }
    }
    return evaluate(source, read);
  }
  return std::nullopt;
}

} // namespace mlir::tpp
