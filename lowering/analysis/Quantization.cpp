// Recognizes and creates quantized values (see Quantization.h).
#include "lowering/analysis/Quantization.h"
#include "lowering/analysis/CreateOps.h"
#include "lowering/analysis/UnaryKinds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

namespace mlir::tpp {

namespace {

// A scalar in the body of a linalg op, or an element of a tensor that no elementwise op computes.
struct Element {
  Value value;         // a scalar of the body of `op`, a scalar from outside, or a tensor
  linalg::LinalgOp op; // null for a tensor
  AffineMap map;       // from the indices that the search began with, to the loops of `op` or the indices of the tensor

  Element operand(unsigned i) const { return {value.getDefiningOp()->getOperand(i), op, map}; }
  template <typename Op> Op getOp() const { return op ? value.getDefiningOp<Op>() : Op(); }
};

bool isElementwise(linalg::GenericOp op) {
  return op && op.hasPureTensorSemantics() && op.getNumDpsInits() == 1 && op.getNumParallelLoops() == op.getNumLoops() &&
         op.getIndexingMapsArray().back().isIdentity() && op.getBlock()->getArguments().back().use_empty();
}

// The element of the tensor (or the scalar operand) that a block argument of `op` holds; nullopt for other values and for outputs.
std::optional<Element> readOperand(Element e) {
  auto argument = e.op ? dyn_cast<BlockArgument>(e.value) : BlockArgument();
  if (!argument || argument.getOwner() != e.op.getBlock())
    return std::nullopt;
  OpOperand *operand = e.op.getMatchingOpOperand(argument);
  if (e.op.isDpsInit(operand))
    return std::nullopt;
  return Element{operand->get(), nullptr, e.op.getMatchingIndexingMap(operand).compose(e.map)};
}

// The scalar that an elementwise op computes for an element of a tensor; nullopt if no such op computes the tensor.
std::optional<Element> enterProducer(Element e) {
  auto producer = e.value.getDefiningOp<linalg::GenericOp>();
  if (e.op || !isElementwise(producer))
    return std::nullopt;
  return Element{producer.getBlock()->getTerminator()->getOperand(0), producer, e.map};
}

// Follows block arguments to the ops that compute them, or else to tensors.
Element resolve(Element e) {
  while (auto operand = readOperand(e)) {
    e = *operand;
    if (auto computed = enterProducer(e))
      e = *computed;
  }
  return e;
}

// An element of a tensor, before the op that computes it.
Element getElement(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return {tensor, nullptr, AffineMap::getMultiDimIdentityMap(type.getRank(), tensor.getContext())};
}

std::optional<int64_t> getInteger(Value value) {
  APInt integer;
  if (matchPattern(value, m_ConstantInt(&integer)))
    return integer.getSExtValue();
  return std::nullopt;
}

// A value that a dequantization reads besides the integers: a number, a scalar from outside the body, or a tensor.
std::optional<QuantizationParameter> getParameter(Element e) {
  QuantizationParameter found;
  while (e.op && isa_and_nonnull<arith::ExtUIOp, arith::ExtSIOp>(e.value.getDefiningOp()) &&
         e.value.getParentBlock() == e.op.getBlock()) {
    found.isUnsigned = e.getOp<arith::ExtUIOp>() != nullptr; // of the innermost one
    e = e.operand(0);
  }
  if (auto operand = readOperand(e))
    e = *operand;
  if (auto number = getConstant(e.value)) {
    found.number = *number;
    return found;
  }
  if (auto integer = getInteger(e.value)) {
    constexpr unsigned bits = 8;
    bool isWrapped = found.isUnsigned && *integer < 0 && getElementTypeOrSelf(e.value).isInteger(bits);
    found.number = static_cast<double>(isWrapped ? *integer + (1 << bits) : *integer);
    return found;
  }
  if (e.op && e.value.getParentBlock() == e.op.getBlock())
    return std::nullopt; // computed in the body
  found.value = e.value;
  found.map = e.op ? AffineMap::get(e.map.getNumDims(), 0, {}, e.value.getContext()) : e.map;
  return found;
}

// The element whose sign bit is flipped in a tensor of 8-bit integers; nullopt for other tensors.
std::optional<Element> getFlippedElement(const Element &tensor) {
  auto computed = enterProducer(tensor);
  auto add = computed ? computed->getOp<arith::AddIOp>() : arith::AddIOp();
  bool flips = add && add.getType().isInteger(8) && getInteger(add.getRhs()) == -signShift;
  return flips ? readOperand(computed->operand(0)) : std::nullopt;
}

// An element of a tensor of 8-bit integers, whose sign bits may be flipped before it is read.
struct Integer8 {
  Element element;
  bool isFlipped = false;
};
std::optional<Integer8> getInteger8(Element e) {
  auto element = readOperand(e);
  if (!element || !isa<RankedTensorType>(element->value.getType()) || !getElementTypeOrSelf(element->value).isInteger(8))
    return std::nullopt;
  if (auto source = getFlippedElement(*element))
    return Integer8{*source, true};
  return Integer8{*element};
}

// An 8-bit integer, extended to a wider one or a float, minus a zero point.
std::optional<Dequantization> getDifference(Element e) {
  e = resolve(e);
  Operation *op = e.op ? e.value.getDefiningOp() : nullptr;
  if (!op || op->getBlock() != e.op.getBlock())
    return std::nullopt;
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp, arith::UIToFPOp>(op)) {
    bool isUnsigned = isa<arith::ExtUIOp, arith::UIToFPOp>(op);
    if (auto integer = getInteger8(e.operand(0))) {
      Dequantization found;
      found.source = integer->element.value;
      found.map = integer->element.map;
      found.isUnsigned = isUnsigned != integer->isFlipped;
      if (integer->isFlipped)
        found.zero.number = static_cast<double>(isUnsigned ? -signShift : signShift);
      return found;
    }
    return isa<arith::ExtUIOp, arith::UIToFPOp>(op) ? std::nullopt : getDifference(e.operand(0));
  }
  if (!isa<arith::SubIOp>(op) || op->getResult(0).getType().isInteger(8))
    return std::nullopt;
  auto found = getDifference(e.operand(0));
  auto zero = getParameter(e.operand(1));
  if (!found || !zero || (found->zero.value && zero->value))
    return std::nullopt;
  zero->number += found->zero.number;
  constexpr unsigned narrow = 15; // then the difference does not wrap around in any type that the program may use
  if (!llvm::isInt<narrow>(static_cast<int64_t>(zero->number)))
    return std::nullopt;
  if (!zero->value)
    zero->value = found->zero.value, zero->map = found->zero.map, zero->isUnsigned = found->zero.isUnsigned;
  found->zero = *zero;
  return found;
}

std::optional<Dequantization> getDequantization(Element e) {
  e = resolve(e);
  if (!e.op)
    return std::nullopt;
  auto multiply = e.getOp<arith::MulFOp>();
  if (!multiply)
    return isa<FloatType>(e.value.getType()) ? std::nullopt : getDifference(e);
  for (unsigned i : {0u, 1u}) {
    auto found = getDifference(e.operand(i));
    if (found && found->zero.value && !getElementTypeOrSelf(found->zero.value).isInteger(8))
      continue; // perhaps not a number that a subtraction in 32 bits gives exactly
    auto scale = found ? getParameter(e.operand(1 - i)) : std::nullopt;
    if (scale) {
      found->scale = scale;
      return found;
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<Dequantization> getDequantization(Value value) {
  auto e = enterProducer(getElement(value));
  return e ? getDequantization(*e) : std::nullopt;
}

std::optional<Dequantization> getDequantization(Value scalar, linalg::LinalgOp op) {
  return getDequantization(Element{scalar, op, AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op.getContext())});
}

Value createDequantization(OpBuilder &builder, Location loc, const Dequantization &d, ArrayRef<int64_t> shape, Type element) {
  SmallVector<ElementwiseInput> inputs = {{d.source, d.map}};
  bool isFloat = isa<FloatType>(element);
  if (d.zero.value)
    inputs.push_back({d.zero.value, d.zero.map});
  if (d.scale && d.scale->value)
    inputs.push_back({d.scale->value, d.scale->map});
  return createElementwise(builder, loc, inputs, shape, element, [&](OpBuilder &b, ValueRange arguments) -> Value {
    Type integer = isFloat ? b.getI32Type() : element;
    auto extend = [&](Value value, bool isUnsigned) { return convertScalarToDtype(b, loc, value, integer, isUnsigned); };
    Value result = extend(arguments[0], d.isUnsigned);
    if (d.zero.value)
      result = arith::SubIOp::create(b, loc, result, extend(arguments[1], d.zero.isUnsigned));
    if (d.zero.number != 0) {
      Value zero = arith::ConstantOp::create(b, loc, b.getIntegerAttr(integer, static_cast<int64_t>(d.zero.number)));
      result = arith::SubIOp::create(b, loc, result, zero);
    }
    if (!isFloat)
      return result;
    result = arith::SIToFPOp::create(b, loc, element, result);
    Value scale = d.scale->value ? arguments.back()
                                 : arith::ConstantOp::create(b, loc, b.getFloatAttr(element, d.scale->number)).getResult();
    return arith::MulFOp::create(b, loc, result, scale);
  });
}

std::optional<Quantization> getQuantization(Value value) {
  auto computed = enterProducer(getElement(value));
  if (!computed || !getElementTypeOrSelf(value).isInteger(8))
    return std::nullopt;
  Element e = resolve(*computed);
  Quantization found;
  found.isUnsigned = e.getOp<arith::FPToUIOp>() != nullptr;
  if (!found.isUnsigned && !e.getOp<arith::FPToSIOp>())
    return std::nullopt;
  e = resolve(e.operand(0));
  if (!e.getOp<arith::MinimumFOp>() || getConstant(e.operand(1).value) != highest8(found.isUnsigned))
    return std::nullopt;
  e = resolve(e.operand(0));
  if (!e.getOp<arith::MaximumFOp>() || getConstant(e.operand(1).value) != lowest8(found.isUnsigned))
    return std::nullopt;
  e = resolve(e.operand(0));
  if (e.getOp<arith::AddFOp>()) {
    auto zero = getConstant(e.operand(1).value);
    if (!zero || *zero != std::trunc(*zero)) // the conversion to an integer would truncate
      return std::nullopt;
    found.zero = *zero;
    e = resolve(e.operand(0));
  }
  if (!e.getOp<math::RoundEvenOp>())
    return std::nullopt;
  e = resolve(e.operand(0));
  auto scale = e.getOp<arith::DivFOp>() ? getConstant(e.operand(1).value) : std::nullopt;
  auto source = scale ? readOperand(e.operand(0)) : std::nullopt;
  if (!source || !source->map.isIdentity() || !isa<RankedTensorType>(source->value.getType()) ||
      !getElementTypeOrSelf(source->value).isF32())
    return std::nullopt;
  found.scale.number = *scale;
  found.source = source->value;
  return found;
}

Value createQuantization(OpBuilder &builder, Location loc, const Quantization &q) {
  auto type = cast<RankedTensorType>(q.source.getType());
  SmallVector<ElementwiseInput> inputs = {{q.source, builder.getMultiDimIdentityMap(type.getRank())}};
  if (!q.scale.isNumber())
    inputs.push_back({q.scale.value, q.scale.map});
  return createElementwise(builder, loc, inputs, type.getShape(), builder.getI8Type(), [&](OpBuilder &b, ValueRange arguments) {
    auto number = [&](double value) { return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(static_cast<float>(value))); };
    Value result =
        arith::DivFOp::create(b, loc, arguments[0], q.scale.isNumber() ? number(q.scale.number).getResult() : arguments[1]);
    result = math::RoundEvenOp::create(b, loc, result);
    result = arith::AddFOp::create(b, loc, result, number(q.zero));
    result = arith::MaximumFOp::create(b, loc, result, number(lowest8(q.isUnsigned)));
    result = arith::MinimumFOp::create(b, loc, result, number(highest8(q.isUnsigned)));
    return q.isUnsigned ? arith::FPToUIOp::create(b, loc, b.getI8Type(), result).getResult()
                        : arith::FPToSIOp::create(b, loc, b.getI8Type(), result);
  });
}

Value flipSigns(Value tensor, Location loc, OpBuilder &builder) {
  auto type = cast<RankedTensorType>(tensor.getType());
  ElementwiseInput input = {tensor, builder.getMultiDimIdentityMap(type.getRank())};
  return createElementwise(builder, loc, input, type.getShape(), type.getElementType(), [&](OpBuilder &b, ValueRange arguments) {
    Value sign = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(-signShift));
    return arith::AddIOp::create(b, loc, arguments[0], sign);
  });
}

Value getFlipped(Value tensor) {
  auto source = getFlippedElement(getElement(tensor));
  return source && source->map.isIdentity() ? source->value : Value();
}

bool isPlain(AffineMap map) {
  return llvm::all_of(map.getResults(), [](AffineExpr expr) { return isa<AffineDimExpr, AffineConstantExpr>(expr); });
}

} // namespace mlir::tpp
