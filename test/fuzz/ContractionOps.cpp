// Contractions, convolutions and pooling of random programs (Ops.h): all are sums of products over operands walked by strides.
#include "Ops.h"

#include <cmath>

namespace tpp::fuzz {

namespace {

// Sums of products with their bounds. Exact when every product and partial sum is an integer the type holds; else k additions and
// k products, in any order, each rounded once at most, so (k + 2) u times the sum of magnitudes.
Tensor accumulate(llvm::ArrayRef<int64_t> domain, const std::vector<Access> &accesses, const Tensor &a, const Tensor &b,
                  Tensor init) {
  Tensor &out = init;
  std::vector<double> magnitude(out.size());
  bool integral = true;
  auto check = [&](const Tensor &tensor) {
    for (int64_t i = 0; i < tensor.size() && integral; ++i)
      integral = tensor.error[i] == 0 && tensor.value[i] == std::nearbyint(tensor.value[i]);
  };
  check(a), check(b), check(out);
  for (int64_t i = 0; i < out.size(); ++i)
    magnitude[i] = std::fabs(out.value[i]);
  bool wraps = !isFloat(out.type);
  forEachPoint(domain, accesses, [&](const int64_t *at) {
    double x = a.value[at[0]], y = b.value[at[1]], ex = a.error[at[0]], ey = b.error[at[1]];
    double &sum = out.value[at[2]];
    if (wraps) {
      uint32_t product = static_cast<uint32_t>(static_cast<int64_t>(x)) * static_cast<uint32_t>(static_cast<int64_t>(y));
      sum = static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(sum)) + product);
      return;
    }
    sum += x * y;
    magnitude[at[2]] += std::fabs(x * y);
    out.error[at[2]] += std::fabs(x) * ey + std::fabs(y) * ex + ex * ey;
  });
  double products = out.size() ? static_cast<double>(elementCount(domain)) / static_cast<double>(out.size()) : 0;
  for (int64_t i = 0; i < out.size(); ++i) {
    if (wraps || (integral && magnitude[i] <= exactIntegers(out.type))) {
      out.error[i] = 0;
      continue;
    }
    out.error[i] += (products + 2) * (unitRoundoff(out.type) * (magnitude[i] + out.error[i]) + smallestNormal(out.type));
  }
  return out;
}

std::string initName(Emitter &emitter, llvm::ArrayRef<std::string> operands, const Tensor &result, size_t position) {
  return operands.size() > position ? operands[position] : emitter.filled(result, 0);
}

std::string insAndOuts(llvm::ArrayRef<std::string> operands, const std::string &a, const std::string &b, const std::string &init,
                       const std::string &result) {
  return "ins(" + operands[0] + ", " + operands[1] + " : " + a + ", " + b + ") outs(" + init + " : " + result + ")";
}

} // namespace

int addContraction(Program &program, const Contraction &spec) {
  const Tensor &a = program.tensor(spec.a), &b = program.tensor(spec.b);
  Shape shape;
  for (int loop : spec.maps[2])
    shape.push_back(spec.domain[loop]);
  Tensor result = spec.init >= 0 ? program.tensor(spec.init) : Tensor(spec.result, shape);
  size_t loops = spec.domain.size();
  result = accumulate(
      spec.domain,
      {accessOf(spec.maps[0], a.shape, loops), accessOf(spec.maps[1], b.shape, loops), accessOf(spec.maps[2], shape, loops)}, a,
      b, std::move(result));
  std::vector<int> operands{spec.a, spec.b};
  if (spec.init >= 0)
    operands.push_back(spec.init);

  std::string typeA = a.typeText(), typeB = b.typeText(), typeC = result.typeText();
  std::string maps =
      "[" + mapText(loops, spec.maps[0]) + ", " + mapText(loops, spec.maps[1]) + ", " + mapText(loops, spec.maps[2]) + "]";
  std::string form = spec.form;
  // matmul and batch_matmul have canonical maps and print others; the remaining named forms have no choice.
  bool printsMaps = form == "contract";
  if (form == "matmul")
    printsMaps = spec.maps[0] != Map{0, 2} || spec.maps[1] != Map{2, 1};
  if (form == "batch_matmul")
    printsMaps = spec.maps[0] != Map{0, 1, 3} || spec.maps[1] != Map{0, 3, 2};
  Type elementA = a.type, elementB = b.type;
  Node::Printer print = [=, like = Tensor(spec.result, shape)](Emitter &emitter, llvm::ArrayRef<std::string> names,
                                                               const std::string &name) {
    std::string init = initName(emitter, names, like, 2);
    llvm::raw_ostream &os = emitter.stream();
    os << "    " << name << " = linalg." << form << " ";
    if (form != "generic") {
      os << (printsMaps ? "indexing_maps = " + maps + " " : "") << insAndOuts(names, typeA, typeB, init, typeC) << " -> " << typeC
         << "\n";
      return;
    }
    os << "{indexing_maps = " << maps << ", iterator_types = [";
    for (size_t i = 0; i < loops; ++i)
      os << (i ? ", " : "") << (spec.iterators[i] == 'r' ? "\"reduction\"" : "\"parallel\"");
    os << "]} " << insAndOuts(names, typeA, typeB, init, typeC) << " {\n";
    std::string x = name + "x", y = name + "y", z = name + "z";
    os << "    ^bb0(" << x << ": " << typeName(elementA) << ", " << y << ": " << typeName(elementB) << ", " << z << ": "
       << typeName(spec.result) << "):\n";
    const char *widen = isFloat(spec.result) ? "arith.extf" : "arith.extsi";
    auto widened = [&](std::string &operand, Type from) {
      if (from == spec.result)
        return;
      os << "      " << operand << "w = " << widen << " " << operand << " : " << typeName(from) << " to " << typeName(spec.result)
         << "\n";
      operand += "w";
    };
    widened(x, elementA), widened(y, elementB);
    const char *suffix = isFloat(spec.result) ? "f " : "i ";
    os << "      " << name << "m = arith.mul" << suffix << (spec.swap ? y + ", " + x : x + ", " + y) << " : "
       << typeName(spec.result) << "\n";
    os << "      " << name << "s = arith.add" << suffix << (spec.swap ? name + "m, " + z : z + ", " + name + "m") << " : "
       << typeName(spec.result) << "\n      linalg.yield " << name << "s : " << typeName(spec.result) << "\n    } -> " << typeC
       << "\n";
  };
  return program.operation(spec.form, std::move(result), std::move(operands), std::move(print));
}

int addConvolution(Program &program, int input, int filter, int init, int64_t stride, int64_t dilation) {
  const Tensor &x = program.tensor(input), &w = program.tensor(filter);
  bool depthwise = w.shape.size() == 3;
  int64_t channels = x.shape[1], rows = w.shape[depthwise ? 1 : 2], cols = w.shape[depthwise ? 2 : 3];
  int64_t outH = (x.shape[2] - dilation * (rows - 1) - 1) / stride + 1,
          outW = (x.shape[3] - dilation * (cols - 1) - 1) / stride + 1;
  if (x.shape[2] < dilation * (rows - 1) + 1 || x.shape[3] < dilation * (cols - 1) + 1)
    return -1;
  Shape shape{x.shape[0], w.shape[0], outH, outW};
  std::vector<int64_t> sx = rowMajorStrides(x.shape), sw = rowMajorStrides(w.shape), sy = rowMajorStrides(shape);
  // Loops: n, f, oh, ow, c, r, s. Depthwise: f is the channel, and c has one step.
  Access accessX{
      {sx[0], depthwise ? sx[1] : 0, sx[2] * stride, sx[3] * stride, depthwise ? 0 : sx[1], sx[2] * dilation, sx[3] * dilation}};
  Access accessW{{0, sw[0], 0, 0, depthwise ? 0 : sw[1], cols, 1}};
  Access accessY{{sy[0], sy[1], sy[2], sy[3], 0, 0, 0}};
  Tensor result = init >= 0 ? program.tensor(init) : Tensor(x.type, shape);
  result = accumulate({shape[0], shape[1], outH, outW, depthwise ? 1 : channels, rows, cols}, {accessX, accessW, accessY}, x, w,
                      std::move(result));
  std::vector<int> operands{input, filter};
  if (init >= 0)
    operands.push_back(init);
  std::string form = depthwise ? "linalg.depthwise_conv_2d_nchw_chw" : "linalg.conv_2d_nchw_fchw";
  std::string typeX = x.typeText(), typeW = w.typeText(), typeY = result.typeText();
  Node::Printer print = [=, like = Tensor(x.type, shape)](Emitter &emitter, llvm::ArrayRef<std::string> names,
                                                          const std::string &name) {
    std::string start = initName(emitter, names, like, 2);
    emitter.stream() << "    " << name << " = " << form << " {dilations = dense<" << dilation
                     << "> : vector<2xi64>, strides = dense<" << stride << "> : vector<2xi64>} "
                     << insAndOuts(names, typeX, typeW, start, typeY) << " -> " << typeY << "\n";
  };
  return program.operation(depthwise ? "depthwise_conv" : "conv", std::move(result), std::move(operands), std::move(print));
}

int addPooling(Program &program, int input, int64_t window, int64_t stride, bool isMax) {
  const Tensor &x = program.tensor(input);
  if (x.shape[2] < window || x.shape[3] < window || !isFloat(x.type))
    return -1;
  Shape shape{x.shape[0], x.shape[1], (x.shape[2] - window) / stride + 1, (x.shape[3] - window) / stride + 1};
  std::vector<int64_t> sx = rowMajorStrides(x.shape), sy = rowMajorStrides(shape);
  Shape domain{shape[0], shape[1], shape[2], shape[3], window, window};
  Access accessX{{sx[0], sx[1], sx[2] * stride, sx[3] * stride, sx[2], sx[3]}}, accessY{{sy[0], sy[1], sy[2], sy[3], 0, 0}};
  Tensor result(x.type, shape);
  if (isMax) {
    std::fill(result.value.begin(), result.value.end(), -INFINITY);
    forEachPoint(domain, {accessX, accessY}, [&](const int64_t *at) {
      result.value[at[1]] = std::fmax(result.value[at[1]], x.value[at[0]]);
      result.error[at[1]] = std::fmax(result.error[at[1]], x.error[at[0]]);
    });
  } else {
    Tensor one(x.type, {});
    one.value[0] = 1;
    result = accumulate(domain, {accessX, Access{std::vector<int64_t>(6, 0)}, accessY}, x, one, std::move(result));
  }
  std::string typeX = x.typeText(), typeY = result.typeText();
  Tensor windowLike(x.type, {window, window});
  Node::Printer print = [=, like = Tensor(x.type, shape)](Emitter &emitter, llvm::ArrayRef<std::string> names,
                                                          const std::string &name) {
    std::string start = emitter.filled(like, isMax ? -INFINITY : 0), shapeOnly = emitter.empty(windowLike);
    emitter.stream() << "    " << name << " = linalg.pooling_nchw_" << (isMax ? "max" : "sum")
                     << " {dilations = dense<1> : vector<2xi64>, strides = dense<" << stride << "> : vector<2xi64>} "
                     << insAndOuts({names[0], shapeOnly}, typeX, windowLike.typeText(), start, typeY) << " -> " << typeY << "\n";
  };
  return program.operation("pooling", std::move(result), {input}, std::move(print));
}

} // namespace tpp::fuzz
