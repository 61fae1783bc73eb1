// Elementwise operations and reductions of random programs (Ops.h).
#include "Ops.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace tpp::fuzz {

namespace {

// The named elementwise operation for a body of one step that takes its inputs in order; null if there is none.
const char *namedForm(const Body &body, size_t inputs) {
  if (body.steps.size() != inputs + 1 || body.yields.size() != 1)
    return nullptr;
  const Step &last = body.steps.back();
  if (last.a != 0 || (inputs == 2 && last.b != 1) || !isFloat(last.type))
    return nullptr;
  switch (last.op) {
  case Op::add:
    return "linalg.add";
  case Op::sub:
    return "linalg.sub";
  case Op::mul:
    return "linalg.mul";
  case Op::div:
    return "linalg.div";
  case Op::maximum:
    return "linalg.max";
  case Op::exp:
    return "linalg.exp";
  case Op::tanh:
    return "linalg.tanh";
  case Op::absolute:
    return "linalg.abs";
  case Op::negate:
    return "linalg.negf";
  default:
    return nullptr;
  }
}

} // namespace

int addElementwise(Program &program, const Elementwise &spec) {
  size_t loops = spec.domain.size();
  std::vector<Access> accesses;
  std::vector<std::string> inputTypes;
  std::vector<Type> elements;
  for (size_t i = 0; i < spec.inputs.size(); ++i) {
    const Tensor &input = program.tensor(spec.inputs[i]);
    accesses.push_back(accessOf(spec.maps[i], input.shape, loops));
    inputTypes.push_back(input.typeText());
    elements.push_back(input.type);
  }
  // A loop's index is read like the element of a tensor that is strided along that loop only.
  size_t inputs = spec.inputs.size();
  for (const Step &step : spec.body.steps)
    if (step.op == Op::index) {
      accesses.push_back({std::vector<int64_t>(loops, 0)});
      accesses.back().strides[static_cast<size_t>(step.constant)] = 1;
    }
  accesses.push_back(accessOf(identityMap(loops), spec.domain, loops));
  std::vector<Tensor> results;
  for (int yield : spec.body.yields)
    results.emplace_back(spec.body.steps[yield].type, spec.domain);
  bool good = true;
  forEachPoint(spec.domain, accesses, [&](const int64_t *at) {
    Approx values[8], outputs[2];
    for (size_t i = 0; i + 1 < accesses.size(); ++i)
      values[i] = i < inputs ? program.tensor(spec.inputs[i]).get(at[i]) : Approx{static_cast<double>(at[i]), 0};
    good = good && spec.body.evaluate(values, outputs);
    for (size_t i = 0; i < results.size(); ++i)
      results[i].set(at[accesses.size() - 1], outputs[i]);
  });
  if (!good)
    return -1;

  bool identities = true;
  for (const Map &map : spec.maps)
    identities &= map == identityMap(loops);
  const char *named = spec.named && identities ? namedForm(spec.body, spec.inputs.size()) : nullptr;
  bool onTensors = spec.onTensors && identities && spec.body.canPrintOnTensors();
  std::vector<Tensor> likes;
  for (const Tensor &result : results)
    likes.emplace_back(result.type, Shape(result.shape));
  Node::Printer print = [=](Emitter &emitter, llvm::ArrayRef<std::string> names, const std::string &name) {
    std::vector<std::string> constants;
    for (const Step &step : spec.body.steps)
      if (step.op == Op::constant)
        constants.push_back(onTensors ? emitter.splat(step.constant, step.type, spec.domain)
                                      : (spec.innerConstants ? name + "k" + std::to_string(constants.size())
                                                             : emitter.scalar(step.constant, step.type)));
    if (onTensors) {
      spec.body.printOnTensors(emitter.stream(), spec.domain, names, constants, name);
      return;
    }
    std::string ins, insTypes, outs, outTypes, maps, blockArguments;
    std::vector<std::string> inputs;
    for (size_t i = 0; i < names.size(); ++i) {
      inputs.push_back(name + "i" + std::to_string(i));
      ins += (i ? ", " : "") + names[i];
      insTypes += (i ? ", " : "") + inputTypes[i];
      maps += (i ? ", " : "") + mapText(loops, spec.maps[i]);
      blockArguments += (i ? ", " : "") + inputs[i] + ": " + typeName(elements[i]);
    }
    for (size_t i = 0; i < likes.size(); ++i) {
      outs += (i ? ", " : "") + emitter.empty(likes[i]);
      outTypes += (i ? ", " : "") + likes[i].typeText();
      maps += ", " + mapText(loops, identityMap(loops));
      blockArguments += ", " + name + "o" + std::to_string(i) + ": " + typeName(likes[i].type);
    }
    llvm::raw_ostream &os = emitter.stream();
    os << "    " << name << (likes.size() > 1 ? ":2" : "") << " = ";
    std::string operands = " ins(" + ins + " : " + insTypes + ") outs(" + outs + " : " + outTypes + ")";
    if (named) {
      os << named << operands << " -> " << outTypes << "\n";
      return;
    }
    os << "linalg.generic {indexing_maps = [" << maps << "], iterator_types = [";
    for (size_t i = 0; i < loops; ++i)
      os << (i ? ", " : "") << "\"parallel\"";
    os << "]}" << operands << " {\n    ^bb0(" << blockArguments << "):\n";
    size_t next = 0;
    if (spec.innerConstants)
      for (const Step &step : spec.body.steps)
        if (step.op == Op::constant)
          os << "      " << constants[next++] << " = arith.constant " << scalarText(step.constant, step.type) << "\n";
    spec.body.print(os, inputs, constants, name + "s");
    os << "    } -> " << (likes.size() > 1 ? "(" + outTypes + ")" : outTypes) << "\n";
  };
  bool hasPower = llvm::any_of(spec.body.steps, [](const Step &step) { return step.op == Op::power; });
  const char *what = hasPower                       ? "elementwise_with_integer_power"
                     : onTensors                    ? "elementwise_on_tensors"
                     : accesses.size() > inputs + 1 ? "elementwise_with_index"
                     : named                        ? "named_elementwise"
                                                    : "elementwise";
  int node = program.operation(what, std::move(results[0]), spec.inputs, std::move(print));
  if (results.size() > 1)
    program.secondResult(std::move(results[1]));
  return node;
}

int addReduce(Program &program, const Reduce &spec) {
  const Tensor &input = program.tensor(spec.input);
  size_t loops = input.shape.size();
  Shape shape;
  Map map;
  std::vector<int64_t> reducedDims;
  double count = 1;
  for (size_t i = 0; i < loops; ++i) {
    if (spec.reduced[i]) {
      count *= static_cast<double>(input.shape[i]);
      reducedDims.push_back(static_cast<int64_t>(i));
    }
    if (!spec.reduced[i] || spec.keepDims) {
      shape.push_back(spec.reduced[i] ? 1 : input.shape[i]);
      map.push_back(spec.reduced[i] ? -1 : static_cast<int>(i));
    }
  }
  if (reducedDims.empty() || (!isFloat(input.type) && spec.kind != Reduction::sum))
    return -1;
  Tensor result(input.type, shape);
  bool isSum = spec.kind == Reduction::sum;
  double start = isSum ? 0 : (spec.kind == Reduction::max ? -INFINITY : INFINITY);
  std::fill(result.value.begin(), result.value.end(), start);
  std::vector<double> magnitude(result.size());
  bool integral = true;
  forEachPoint(input.shape, {accessOf(identityMap(loops), input.shape, loops), accessOf(map, shape, loops)},
               [&](const int64_t *at) {
                 double x = input.value[at[0]], error = input.error[at[0]];
                 double &out = result.value[at[1]];
                 integral &= error == 0 && x == std::nearbyint(x);
                 magnitude[at[1]] += std::fabs(x);
                 result.error[at[1]] = isSum ? result.error[at[1]] + error : std::fmax(result.error[at[1]], error);
                 out = isSum ? out + x : (spec.kind == Reduction::max ? std::fmax(out, x) : std::fmin(out, x));
               });
  for (int64_t i = 0; isSum && i < result.size(); ++i) {
    if (!isFloat(input.type))
      result.set(i, rounded(result.value[i], result.error[i], input.type));
    else if (!integral || magnitude[i] > exactIntegers(input.type))
      result.error[i] += count * (unitRoundoff(input.type) * (magnitude[i] + result.error[i]) + smallestNormal(input.type));
  }

  bool rider = spec.indexRider && spec.kind == Reduction::max && reducedDims.size() == 1;
  bool named = spec.named && !spec.keepDims && !rider;
  std::string inputType = input.typeText(), type = typeName(input.type);
  Tensor like(input.type, shape);
  const char *combine = isSum ? (isFloat(input.type) ? "arith.addf" : "arith.addi")
                              : (spec.kind == Reduction::max ? "arith.maximumf" : "arith.minimumf");
  Node::Printer print = [=](Emitter &emitter, llvm::ArrayRef<std::string> names, const std::string &name) {
    std::string init = emitter.filled(like, start), result = like.typeText();
    llvm::raw_ostream &os = emitter.stream();
    if (named) {
      os << "    " << name << " = linalg.reduce { " << combine << " } ins(" << names[0] << " : " << inputType << ") outs(" << init
         << " : " << result << ") dimensions = " << listed(reducedDims) << "\n";
      return;
    }
    std::string indexType, indexInit;
    if (rider) {
      indexType = "tensor<";
      for (int64_t size : like.shape)
        indexType += std::to_string(size) + "x";
      indexType += "i64>";
      std::string empty = emitter.fresh("e"), zero = emitter.fresh("c");
      indexInit = emitter.fresh("f");
      os << "    " << zero << " = arith.constant 0 : i64\n    " << empty << " = tensor.empty() : " << indexType << "\n    "
         << indexInit << " = linalg.fill ins(" << zero << " : i64) outs(" << empty << " : " << indexType << ") -> " << indexType
         << "\n";
    }
    std::string maps =
        mapText(loops, identityMap(loops)) + ", " + mapText(loops, map) + (rider ? ", " + mapText(loops, map) : "");
    os << "    " << name << (rider ? ":2" : "") << " = linalg.generic {indexing_maps = [" << maps << "], iterator_types = [";
    for (size_t i = 0; i < loops; ++i)
      os << (i ? ", " : "") << (spec.reduced[i] ? "\"reduction\"" : "\"parallel\"");
    os << "]} ins(" << names[0] << " : " << inputType << ") outs(" << init << (rider ? ", " + indexInit : "") << " : " << result
       << (rider ? ", " + indexType : "") << ") {\n    ^bb0(" << name << "x: " << type << ", " << name << "a: " << type
       << (rider ? ", " + name + "i: i64" : "") << "):\n";
    if (rider)
      os << "      " << name << "n = linalg.index " << reducedDims[0] << " : index\n      " << name << "j = arith.index_cast "
         << name << "n : index to i64\n      " << name << "g = arith.cmpf ogt, " << name << "x, " << name << "a : " << type
         << "\n      " << name << "t = arith.select " << name << "g, " << name << "j, " << name << "i : i64\n";
    os << "      " << name << "r = " << combine << " " << name << "x, " << name << "a : " << type << "\n      linalg.yield "
       << name << "r" << (rider ? ", " + name + "t" : "") << " : " << type << (rider ? ", i64" : "") << "\n    } -> "
       << (rider ? "(" + result + ", " + indexType + ")" : result) << "\n";
  };
  int node = program.operation(rider ? "reduce_with_index" : "reduce", std::move(result), {spec.input}, std::move(print));
  program.nodes[node].hasSecond = rider; // two results, so uses must be printed with #0
  return node;
}

} // namespace tpp::fuzz
