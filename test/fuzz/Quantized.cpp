// Quantized parts of random programs, as exporters write them: values between a quantization and a dequantization, weights that are
// dequantized integers, and integer contractions with zero points (Generator.h).
#include "Generator.h"

#include <algorithm>
#include <cmath>

namespace tpp::fuzz {

namespace {
double lowest(Type type) { return type == Type::u8 ? 0 : -128; }
double highest(Type type) { return type == Type::u8 ? 255 : 127; }
} // namespace

// A random scale and zero point for values up to `largest`: numbers, or tensors of one element, or of one per position in dimension
// `channel` if that is not negative.
Generator::Quantization Generator::quantization(const Shape &shape, double largest, int channel) {
  Quantization result;
  result.type = random.chance(50) ? Type::u8 : Type::i8;
  double low = lowest(result.type), high = highest(result.type);
  bool isSymmetric = result.type == Type::i8 && random.chance(50);
  auto zero = [&] {
    int64_t kind = isSymmetric ? 0 : random.between(1, 3);
    return kind == 0 ? 0 : kind == 1 ? low : kind == 2 ? high : low + static_cast<double>(random.below(256));
  };
  auto scale = [&] {
    double exact = largest > 0 ? largest / 127 : 1;
    return integral ? std::exp2(std::ceil(std::log2(exact))) : exact * (0.7 + random.uniform());
  };
  result.scale = scale(), result.zero = zero();
  if (channel < 0 && random.chance(60))
    return result;
  Shape channels;
  if (channel >= 0) {
    channels = {shape[channel]};
    result.map = {channel};
  }
  Tensor scales(Type::f32, channels), zeros(result.type, channels);
  for (int64_t i = 0; i < scales.size(); ++i)
    scales.setExact(i, scale()), zeros.setExact(i, zero());
  bool isConstant = random.chance(70);
  auto node = [&](Tensor tensor) {
    return isConstant ? program.constant(std::move(tensor), /*asResource=*/false) : program.argument(std::move(tensor));
  };
  result.scaleNode = node(std::move(scales));
  if (!isSymmetric || random.chance(50))
    result.zeroNode = node(std::move(zeros));
  return result;
}

// The operands of an elementwise operation on x with a quantization's parameters.
struct Generator::Parameters {
  Body body;
  std::vector<int> inputs;
  std::vector<Map> maps;

  int input(int node, Map map, Type type) {
    inputs.push_back(node);
    maps.push_back(std::move(map));
    return body.input(type);
  }
  int scale(const Quantization &from) {
    return from.scaleNode < 0 ? body.constant(from.scale, Type::f32) : input(from.scaleNode, from.map, Type::f32);
  }
  // -1 if it is 0.
  int zero(const Quantization &from) {
    if (from.zeroNode < 0)
      return from.zero == 0 ? -1 : body.constant(from.zero, Type::i32);
    return body.convert(input(from.zeroNode, from.map, from.type), Type::i32);
  }
};

// (x - zero) * scale in f32, or x - zero in i32.
int Generator::dequantize(int x, const Quantization &from, Type to) {
  Parameters operation;
  Body &body = operation.body;
  int step = body.convert(operation.input(x, identityMap(tensor(x).shape.size()), from.type), Type::i32);
  if (int zero = operation.zero(from); zero >= 0)
    step = body.binary(Op::sub, step, zero);
  if (isFloat(to))
    step = body.binary(Op::mul, body.convert(step, Type::f32), operation.scale(from));
  body.yields = {step};
  return map(operation.inputs, operation.maps, body);
}

// x / scale + zero, rounded to the nearest even integer and saturated.
int Generator::quantize(int x, const Quantization &to) {
  Parameters operation;
  Body &body = operation.body;
  int step = operation.input(x, identityMap(tensor(x).shape.size()), Type::f32);
  step = body.unary(Op::round, body.binary(Op::div, step, operation.scale(to)));
  if (int zero = operation.zero(to); zero >= 0)
    step = body.binary(Op::add, step, body.convert(zero, Type::f32));
  step = body.binary(Op::maximum, step, body.constant(lowest(to.type), Type::f32));
  step = body.binary(Op::minimum, step, body.constant(highest(to.type), Type::f32));
  body.yields = {body.convert(step, to.type)};
  return map(operation.inputs, operation.maps, body);
}

// A weight of 8-bit integers, dequantized to f32 or, without its scale, to i32.
int Generator::dequantizedWeight(Type type, const Shape &shape, double fanIn) {
  int channel = shape.empty() || random.chance(40) ? -1 : static_cast<int>(random.below(static_cast<int64_t>(shape.size())));
  Quantization from = quantization(shape, 1.7 / std::sqrt(std::max(1.0, fanIn)), channel);
  Tensor tensor(from.type, shape);
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.setExact(i, lowest(from.type) + static_cast<double>(random.below(256)));
  bool isConstant = random.chance(85);
  return dequantize(isConstant ? program.constant(std::move(tensor), random.chance(50)) : program.argument(std::move(tensor)),
                    from, type);
}

// Contracts x, quantized, with a quantized weight, with relayouts in between.
int Generator::quantized(int x) {
  if (tensor(x).type != Type::f32 || tensor(x).shape.empty())
    return -1;
  using Layer = int (Generator::*)(int);
  bool isImage = tensor(x).shape.size() == 4, onIntegers = random.chance(25);
  Quantization parameters = quantization(tensor(x).shape, tensor(x).largest(), -1);
  int node = quantize(x, parameters);
  node = node < 0 ? -1 : dequantize(node, parameters, onIntegers ? Type::i32 : Type::f32);
  if (node >= 0 && random.chance(20)) // has other users
    add(node);
  static constexpr Layer moves[] = {&Generator::transpose, &Generator::expand, &Generator::collapse, &Generator::pad,
                                    &Generator::slice,     &Generator::concat, &Generator::insert};
  static constexpr Layer imageMoves[] = {&Generator::padPixels, &Generator::pooling, &Generator::slice, &Generator::otherOrder};
  while (node >= 0 && random.chance(40))
    node = (this->*(isImage ? imageMoves[random.below(4)] : moves[random.below(7)]))(node);
  if (node < 0)
    return -1;
  static constexpr Layer contractions[] = {&Generator::namedContraction, &Generator::namedContraction,
                                           &Generator::generalContraction, &Generator::linear};
  factorsAreQuantized = true;
  node = (this->*(isImage ? &Generator::convolution : contractions[random.below(4)]))(node);
  factorsAreQuantized = false;
  if (node < 0)
    return -1;
  if (tensor(node).type == Type::i32) {
    Body body;
    double scale = integral ? 0x1p-8 : 0.00371;
    body.yields = {body.binary(Op::mul, body.convert(body.input(Type::i32), Type::f32), body.constant(scale, Type::f32))};
    node = unary(node, body);
  }
  if (node >= 0 && random.chance(50))
    node = bias(node);
  if (node >= 0 && random.chance(40))
    node = activation(node);
  if (node < 0 || random.chance(40))
    return node;
  Quantization again = quantization(tensor(node).shape, tensor(node).largest(), -1);
  node = quantize(node, again);
  return node < 0 || (again.type == Type::i8 && random.chance(20)) ? node : dequantize(node, again, Type::f32);
}

} // namespace tpp::fuzz
