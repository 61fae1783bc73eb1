// Slices at constant and computed offsets, and gathers, of random programs (Ops.h).
#include "Ops.h"

#include <algorithm>

namespace tpp::fuzz {

namespace {

Shape valuesOf(const Offsets &offsets) {
  Shape values;
  for (const Offset &offset : offsets)
    values.push_back(offset.value);
  return values;
}

// The operands of an operation with these offsets: the index tensors follow the others.
std::vector<int> withIndexTensors(std::vector<int> operands, const Offsets &offsets) {
  for (const Offset &offset : offsets)
    if (offset.node >= 0)
      operands.push_back(offset.node);
  return operands;
}

// The index tensors in the same order, for their types only: the elements are 0.
std::vector<Tensor> indexTensors(const Program &program, const Offsets &offsets) {
  std::vector<Tensor> tensors;
  for (const Offset &offset : offsets)
    if (offset.node >= 0)
      tensors.emplace_back(program.tensor(offset.node).type, Shape(program.tensor(offset.node).shape));
  return tensors;
}

// Prints the statements that compute an offset. Returns its name.
std::string printOffset(Emitter &emitter, const Offset &offset, const Tensor &tensor, const std::string &operand,
                        const std::string &prefix) {
  std::string places, type = typeName(tensor.type), name = prefix + "e";
  int64_t rest = offset.element;
  for (size_t dim = tensor.shape.size(); dim > 0; rest /= tensor.shape[--dim])
    places =
        emitter.scalar(static_cast<double>(rest % tensor.shape[dim - 1]), Type::index) + (places.empty() ? "" : ", ") + places;
  llvm::raw_ostream &os = emitter.stream();
  os << "    " << name << " = tensor.extract " << operand << "[" << places << "] : " << tensor.typeText() << "\n";
  auto then = [&](const char *suffix, const std::string &statement) {
    os << "    " << prefix << suffix << " = " << statement << "\n";
    name = prefix + suffix;
  };
  auto with = [&](const char *op, int64_t constant) {
    return std::string(op) + " " + name + ", " + emitter.scalar(static_cast<double>(constant), Type::index) + " : index";
  };
  if (tensor.type != Type::index)
    then("i", "arith.index_cast " + name + " : " + type + " to index");
  if (offset.added != 0)
    then("a", with("arith.addi", offset.added));
  if (offset.limit >= 0) {
    then("l", with("arith.maxsi", 0));
    then("u", with("arith.minsi", offset.limit));
  }
  return name;
}

// Prints what computes the offsets. Returns their list: [0, %v4o1u].
std::string printOffsets(Emitter &emitter, const Offsets &offsets, llvm::ArrayRef<Tensor> tensors,
                         llvm::ArrayRef<std::string> operands, const std::string &name) {
  std::string text = "[";
  size_t next = 0;
  for (size_t i = 0; i < offsets.size(); ++i) {
    text += i ? ", " : "";
    if (offsets[i].node < 0) {
      text += std::to_string(offsets[i].value);
      continue;
    }
    text += printOffset(emitter, offsets[i], tensors[next], operands[next], name + "o" + std::to_string(i));
    ++next;
  }
  return text + "]";
}

} // namespace

int addSlice(Program &program, int input, const Offsets &offsets, const Shape &sizes, const Shape &strides,
             const std::vector<bool> &dropped) {
  const Tensor &x = program.tensor(input);
  Tensor result(x.type, sizes);
  moveElements(sizes, slicedAccess(x.shape, valuesOf(offsets), strides), Access{rowMajorStrides(sizes)}, x, result);
  if (!dropped.empty()) {
    result.shape.clear();
    for (size_t i = 0; i < sizes.size(); ++i)
      if (!dropped[i])
        result.shape.push_back(sizes[i]);
  }
  std::vector<Tensor> tensors = indexTensors(program, offsets);
  Node::Printer print = [=, from = x.typeText(), to = result.typeText()](Emitter &emitter, llvm::ArrayRef<std::string> names,
                                                                         const std::string &name) {
    std::string places = printOffsets(emitter, offsets, tensors, names.drop_front(), name);
    emitter.stream() << "    " << name << " = tensor.extract_slice " << names[0] << places << " " << listed(sizes) << " "
                     << listed(strides) << " : " << from << " to " << to << "\n";
  };
  return program.operation(tensors.empty() ? "extract_slice" : "extract_slice_computed", std::move(result),
                           withIndexTensors({input}, offsets), std::move(print));
}

int addInsert(Program &program, int source, int destination, const Offsets &offsets, const Shape &sizes, const Shape &strides) {
  const Tensor &x = program.tensor(source), &into = program.tensor(destination);
  Tensor result = into;
  moveElements(sizes, Access{rowMajorStrides(sizes)}, slicedAccess(into.shape, valuesOf(offsets), strides), x, result);
  std::vector<Tensor> tensors = indexTensors(program, offsets);
  Node::Printer print = [=, from = x.typeText(), to = result.typeText()](Emitter &emitter, llvm::ArrayRef<std::string> names,
                                                                         const std::string &name) {
    std::string places = printOffsets(emitter, offsets, tensors, names.drop_front(2), name);
    emitter.stream() << "    " << name << " = tensor.insert_slice " << names[0] << " into " << names[1] << places << " "
                     << listed(sizes) << " " << listed(strides) << " : " << from << " into " << to << "\n";
  };
  return program.operation(tensors.empty() ? "insert_slice" : "insert_slice_computed", std::move(result),
                           withIndexTensors({source, destination}, offsets), std::move(print));
}

int addSpread(Program &program, int input, const Shape &shape, const Shape &low, const Shape &strides) {
  const Tensor &x = program.tensor(input);
  Tensor result(x.type, shape);
  for (int64_t i = 0; i < result.size(); ++i)
    result.setExact(i, 0);
  Offsets offsets(low.begin(), low.end());
  moveElements(x.shape, Access{rowMajorStrides(x.shape)}, slicedAccess(shape, valuesOf(offsets), strides), x, result);
  Node::Printer print = [=, from = x](Emitter &emitter, llvm::ArrayRef<std::string> names, const std::string &name) {
    Tensor like(from.type, shape);
    std::string zeros = emitter.filled(like, 0);
    emitter.stream() << "    " << name << " = tensor.insert_slice " << names[0] << " into " << zeros << listed(low) << " "
                     << listed(from.shape) << " " << listed(strides) << " : " << from.typeText() << " into " << like.typeText()
                     << "\n";
  };
  return program.operation("insert_slice_into_zeros", std::move(result), {input}, std::move(print));
}

namespace {

// Prints the place in one dimension of a gather's source, of size `size`. Returns its name.
std::string printPlace(Emitter &emitter, const Gather &gather, const Gather::Place &place, const std::string &element,
                       Type elementType, int64_t size, const std::string &prefix) {
  llvm::raw_ostream &os = emitter.stream();
  std::string name;
  auto then = [&](const char *suffix, const std::string &statement) {
    name = prefix + suffix;
    os << "      " << name << " = " << statement << "\n";
  };
  auto index = [&](int64_t constant) { return emitter.scalar(static_cast<double>(constant), Type::index); };
  if (place.node < 0) {
    then("l", "linalg.index " + std::to_string(place.loop) + " : index");
    if (place.backwards)
      then("b", "arith.subi " + index(gather.domain[place.loop] - 1) + ", " + name + " : index");
    return name;
  }
  name = element;
  if (elementType != Type::index)
    then("i", "arith.index_cast " + name + " : " + typeName(elementType) + " to index");
  if (place.range == Gather::Place::Range::clamped) {
    then("m", "arith.maxsi " + name + ", " + index(0) + " : index");
    then("u", "arith.minsi " + name + ", " + index(size - 1) + " : index");
  } else if (place.range == Gather::Place::Range::wrapped) {
    std::string given = name;
    then("n", "arith.cmpi slt, " + given + ", " + index(0) + " : index");
    then("w", "arith.addi " + given + ", " + index(size) + " : index");
    then("s", "arith.select " + prefix + "n, " + prefix + "w, " + given + " : index");
  }
  if (gather.asserts) {
    os << "      " << prefix << "t = arith.cmpi slt, " << name << ", " << index(size) << " : index\n      cf.assert " << prefix
       << "t, \"index must be in range\"\n";
  }
  return name;
}

int64_t placeOf(const Gather::Place &place, int64_t index, int64_t size) {
  if (place.range == Gather::Place::Range::clamped)
    return std::clamp<int64_t>(index, 0, size - 1);
  return place.range == Gather::Place::Range::wrapped && index < 0 ? index + size : index;
}

} // namespace

int addGather(Program &program, const Gather &gather) {
  const Tensor &source = program.tensor(gather.source);
  size_t loops = gather.domain.size();
  std::vector<int64_t> strides = rowMajorStrides(source.shape);
  std::vector<int> operands{gather.source};
  std::vector<Access> accesses;
  std::vector<Type> elements;
  std::string ins, maps;
  std::vector<std::string> inputTypes;
  for (const Gather::Place &place : gather.places) {
    if (place.node < 0) { // the loop's index, as the element of a tensor that is strided along this loop only
      accesses.push_back({std::vector<int64_t>(loops, 0)});
      accesses.back().strides[place.loop] = place.backwards ? -1 : 1;
      accesses.back().offset = place.backwards ? gather.domain[place.loop] - 1 : 0;
      elements.push_back(Type::index);
      continue;
    }
    const Tensor &index = program.tensor(place.node);
    accesses.push_back(accessOf(place.map, index.shape, loops));
    operands.push_back(place.node);
    elements.push_back(index.type);
    inputTypes.push_back(index.typeText());
    maps += mapText(loops, place.map) + ", ";
  }
  maps += mapText(loops, identityMap(loops));
  accesses.push_back(accessOf(identityMap(loops), gather.domain, loops));
  Tensor result(gather.body.steps[gather.body.yields[0]].type, gather.domain);
  bool good = true;
  forEachPoint(gather.domain, accesses, [&](const int64_t *at) {
    int64_t from = 0;
    for (size_t i = 0; i < gather.places.size(); ++i) {
      const Gather::Place &place = gather.places[i];
      int64_t index = place.node < 0 ? at[i] : static_cast<int64_t>(program.tensor(place.node).value[at[i]]);
      from += placeOf(place, index, source.shape[i]) * strides[i];
    }
    Approx element = source.get(from), value;
    good = good && gather.body.evaluate(&element, &value);
    result.set(at[gather.places.size()], value);
  });
  if (!good)
    return -1;

  Node::Printer print = [=, like = Tensor(result.type, Shape(gather.domain)), shape = source.shape,
                         from = source.typeText()](Emitter &emitter, llvm::ArrayRef<std::string> names, const std::string &name) {
    std::vector<std::string> constants;
    for (const Step &step : gather.body.steps)
      if (step.op == Op::constant)
        constants.push_back(emitter.scalar(step.constant, step.type));
    std::string init = emitter.empty(like), ins, types, blockArguments;
    std::vector<std::string> places;
    for (size_t i = 1; i < names.size(); ++i) {
      ins += (i > 1 ? ", " : "") + names[i];
      types += (i > 1 ? ", " : "") + inputTypes[i - 1];
    }
    for (size_t i = 0; i < gather.places.size(); ++i)
      if (gather.places[i].node >= 0)
        blockArguments += name + "p" + std::to_string(i) + ": " + typeName(elements[i]) + ", ";
    llvm::raw_ostream &os = emitter.stream();
    os << "    " << name << " = linalg.generic {indexing_maps = [" << maps << "], iterator_types = [";
    for (size_t i = 0; i < loops; ++i)
      os << (i ? ", " : "") << "\"parallel\"";
    os << "]}" << (ins.empty() ? "" : " ins(" + ins + " : " + types + ")") << " outs(" << init << " : " << like.typeText()
       << ") {\n    ^bb0(" << blockArguments << name << "z: " << typeName(like.type) << "):\n";
    std::string list;
    for (size_t i = 0; i < gather.places.size(); ++i) {
      std::string prefix = name + "p" + std::to_string(i);
      list += (i ? ", " : "") + printPlace(emitter, gather, gather.places[i], prefix, elements[i], shape[i], prefix);
    }
    os << "      " << name << "x = tensor.extract " << names[0] << "[" << list << "] : " << from << "\n";
    gather.body.print(os, {name + "x"}, constants, name + "s");
    os << "    } -> " << like.typeText() << "\n";
  };
  return program.operation("gather", std::move(result), std::move(operands), std::move(print));
}

} // namespace tpp::fuzz
