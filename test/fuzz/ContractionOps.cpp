// Contractions of random programs (Ops.h): sums of products over strided operands.
#include "Ops.h"

#include <cmath>

namespace tpp::fuzz {

// Sums of products with error bounds. Exact if every product and partial sum is an integer that the type holds. Otherwise there
// are k additions and k products in any order, each rounded at most once, so the bound is (k + 2) * u * (sum of magnitudes).
Tensor accumulate(llvm::ArrayRef<int64_t> domain, llvm::ArrayRef<Access> accesses, const Tensor &a, const Tensor &b,
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
      sum = roundTo(static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(sum)) + product), out.type);
    } else {
      sum += x * y;
      magnitude[at[2]] += std::fabs(x * y);
    }
    out.error[at[2]] += std::fabs(x) * ey + std::fabs(y) * ex + ex * ey;
  });
  double products = out.size() ? static_cast<double>(elementCount(domain)) / static_cast<double>(out.size()) : 0;
  for (int64_t i = 0; i < out.size(); ++i) {
    if (wraps) {
      out.set(i, rounded(out.value[i], out.error[i], out.type));
      continue;
    }
    out.products[i] = {products, magnitude[i]};
    if (integral && magnitude[i] <= exactIntegers(out.type)) {
      out.error[i] = 0;
      continue;
    }
    out.error[i] += (products + 2) * (unitRoundoff(out.type) * (magnitude[i] + out.error[i]) + smallestNormal(out.type));
  }
  return out;
}

namespace {

std::string initName(Emitter &emitter, llvm::ArrayRef<std::string> operands, const Tensor &result, size_t position) {
  return operands.size() > position ? operands[position] : emitter.filled(result, 0);
}

std::string insAndOuts(llvm::ArrayRef<std::string> operands, const std::string &a, const std::string &b, const std::string &init,
                       const std::string &result) {
  return "ins(" + operands[0] + ", " + operands[1] + " : " + a + ", " + b + ") outs(" + init + " : " + result + ")";
}

// The name of the conversion from a narrower type; exact for all values.
const char *widening(Type from, Type to, bool isUnsigned) {
  if (isFloat(from))
    return "arith.extf";
  if (isFloat(to))
    return isUnsigned ? "arith.uitofp" : "arith.sitofp";
  return isUnsigned ? "arith.extui" : "arith.extsi";
}

// The values of an integer tensor if its elements are unsigned.
void readUnsigned(Tensor &tensor) {
  for (double &x : tensor.value)
    x += x < 0 ? 2 * exactIntegers(tensor.type) : 0;
}

// A tensor like matrix `x`, stored in tiles.
Tensor inTiles(const Tensor &x, int64_t rows, int64_t columns) {
  return Tensor(x.type, {(x.shape[0] + rows - 1) / rows, (x.shape[1] + columns - 1) / columns, rows, columns});
}

// Prints a pack of matrix `value` into tiles, padded with zeros, and returns its name.
std::string printPack(Emitter &emitter, const std::string &value, const Tensor &matrix, int64_t rows, int64_t columns) {
  Tensor packed = inTiles(matrix, rows, columns);
  std::string zero = emitter.scalar(0, matrix.type), init = emitter.empty(packed), name = emitter.fresh("p");
  emitter.stream() << "    " << name << " = linalg.pack " << value << " padding_value(" << zero << " : " << typeName(matrix.type)
                   << ") inner_dims_pos = [0, 1] inner_tiles = [" << rows << ", " << columns << "] into " << init << " : "
                   << matrix.typeText() << " -> " << packed.typeText() << "\n";
  return name;
}

// Prints a product of packed matrices, unpacked: a (m x k) times the transposed b (n x k), added to init if there is one.
void printTiledProduct(Emitter &emitter, const Contraction &spec, llvm::ArrayRef<std::string> operands, const Tensor &a,
                       const Tensor &b, const Tensor &result, const std::string &name) {
  auto [m, n, k] = spec.tiles;
  std::string x = printPack(emitter, operands[0], a, m, k), y = printPack(emitter, operands[1], b, n, k);
  Tensor sums = inTiles(result, m, n);
  std::string init = operands.size() > 2 ? printPack(emitter, operands[2], result, m, n) : emitter.filled(sums, 0);
  std::string product = emitter.fresh("p"), to = emitter.empty(result);
  emitter.stream() << "    " << product << " = linalg.mmt4d "
                   << insAndOuts({x, y}, inTiles(a, m, k).typeText(), inTiles(b, n, k).typeText(), init, sums.typeText())
                   << " -> " << sums.typeText() << "\n    " << name << " = linalg.unpack " << product
                   << " inner_dims_pos = [0, 1] inner_tiles = [" << m << ", " << n << "] into " << to << " : " << sums.typeText()
                   << " -> " << result.typeText() << "\n";
}

} // namespace

int addContraction(Program &program, const Contraction &spec) {
  Tensor a = program.tensor(spec.a), b = program.tensor(spec.b);
  if (spec.isUnsigned[0])
    readUnsigned(a);
  if (spec.isUnsigned[1])
    readUnsigned(b);
  Shape shape;
  for (int loop : spec.maps[2])
    shape.push_back(loop < 0 ? 1 : spec.domain[loop]);
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
  // matmul and batch_matmul print their maps unless these are the default; the other named forms have fixed maps.
  bool printsMaps = form == "contract";
  if (form == "matmul")
    printsMaps = spec.maps[0] != Map{0, 2} || spec.maps[1] != Map{2, 1};
  if (form == "batch_matmul")
    printsMaps = spec.maps[0] != Map{0, 1, 3} || spec.maps[1] != Map{0, 3, 2};
  Type elementA = a.type, elementB = b.type;
  Shape shapeA = a.shape, shapeB = b.shape;
  Node::Printer print = [=, like = Tensor(spec.result, shape)](Emitter &emitter, llvm::ArrayRef<std::string> names,
                                                               const std::string &name) {
    if (form == "mmt4d")
      return printTiledProduct(emitter, spec, names, Tensor(elementA, shapeA), Tensor(elementB, shapeB), like, name);
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
    auto widened = [&](std::string &operand, Type from, bool isUnsigned) {
      if (from == spec.result)
        return;
      os << "      " << operand << "w = " << widening(from, spec.result, isUnsigned) << " " << operand << " : " << typeName(from)
         << " to " << typeName(spec.result) << "\n";
      operand += "w";
    };
    widened(x, elementA, spec.isUnsigned[0]), widened(y, elementB, spec.isUnsigned[1]);
    const char *suffix = isFloat(spec.result) ? "f " : "i ";
    os << "      " << name << "m = arith.mul" << suffix << (spec.swap ? y + ", " + x : x + ", " + y) << " : "
       << typeName(spec.result) << "\n";
    os << "      " << name << "s = arith.add" << suffix << (spec.swap ? name + "m, " + z : z + ", " + name + "m") << " : "
       << typeName(spec.result) << "\n      linalg.yield " << name << "s : " << typeName(spec.result) << "\n    } -> " << typeC
       << "\n";
  };
  const char *what = a.type == b.type ? spec.form : "contraction_of_mixed_types";
  return program.operation(what, std::move(result), std::move(operands), std::move(print));
}

} // namespace tpp::fuzz
