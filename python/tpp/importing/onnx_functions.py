"""Rewrites ONNX models so that torch-mlir lowers their operators: replaces functions by their bodies, and evaluates what depends on shapes and small
constants only, which many bodies and exporters compute in the graph.

Source: the operator documentation of ONNX."""
from __future__ import annotations

import collections.abc
import math
import typing

import numpy
import onnx
from onnx import helper, inliner, numpy_helper
from onnx.reference import ReferenceEvaluator

from tpp.importing.onnx_graph import attributes_of, bodies_of, element, fresh, names_in, nodes_of, opset_of, shape_of, types_of

# Operators that ONNX defines as functions, and torch-mlir does not lower.
FUNCTIONS = {
    "AffineGrid", "Attention", "CausalConvWithState", "NegativeLogLikelihoodLoss", "RMSNormalization", "RotaryEmbedding", "SoftmaxCrossEntropyLoss",
    "SwiGLU", "Swish"
}
# Operators that are evaluated, if no value has more elements than LARGEST.
EVALUATED = {
    "Abs", "Add", "And", "Cast", "Ceil", "Concat", "ConstantOfShape", "Div", "Equal", "Expand", "Floor", "Gather", "Greater", "GreaterOrEqual",
    "Identity", "Less", "LessOrEqual", "Max", "Min", "Mod", "Mul", "Neg", "Not", "Or", "Pow", "Range", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum",
    "Reshape", "Slice", "Split", "Sqrt", "Squeeze", "Sub", "Transpose", "Unsqueeze", "Where"
}
LARGEST = 4096
DOMAIN = "tpp.functions"  # of the functions that are made for nodes

Array = numpy.ndarray[typing.Any, typing.Any]
Types = dict[str, typing.Any]


def simplify(proto: onnx.ModelProto) -> onnx.ModelProto:
    """The model, with inferred types, without functions and without what can be evaluated."""
    proto = inline(proto)
    while evaluate(proto):
        proto = inline(inferred(proto))  # more shapes are known now, and there may be functions in branches that have been chosen
    return proto


def inline(proto: onnx.ModelProto) -> onnx.ModelProto:
    """The model, with inferred types, without functions of its own and without the operators in FUNCTIONS."""
    proto = inferred(without_data(inline_local, proto) if proto.functions else proto)
    while define_all(proto):
        proto = inferred(without_data(inline_local, proto))  # there may be others in their bodies
    return proto


def inline_local(proto: onnx.ModelProto) -> onnx.ModelProto:
    return inliner.inline_local_functions(proto, convert_version=True)


def inferred(proto: onnx.ModelProto) -> onnx.ModelProto:
    """The model with types of all values that have one."""
    for node in nodes_of(proto.graph):
        if node.op_type == "STFT" and "onesided" not in attributes_of(node):  # 1, but the package onnx infers types as if it were 0
            node.attribute.append(helper.make_attribute("onesided", 1))
    return without_data(lambda each: onnx.shape_inference.infer_shapes(each, data_prop=True), proto)


def without_data(function: collections.abc.Callable[[onnx.ModelProto], onnx.ModelProto], proto: onnx.ModelProto) -> onnx.ModelProto:
    """Applies one of the functions of the package onnx, which copy a model several times and refuse one of 2 GiB. The data of large constants do not pass
    through it: they are moved from `proto` to the result."""
    data = {each.name: each.raw_data for each in proto.graph.initializer if len(each.raw_data) > 8 * LARGEST}
    for each in proto.graph.initializer:
        if each.name in data:
            each.ClearField("raw_data")
    result = proto
    try:
        result = function(proto)
    finally:
        for each in result.graph.initializer:
            if each.name in data:
                each.raw_data = data.pop(each.name)
    return result


def define_all(proto: onnx.ModelProto) -> bool:
    """Makes the nodes whose operators are in FUNCTIONS calls of functions of the model. Returns whether there are some."""
    nodes = [node for node in proto.graph.node if node.op_type in FUNCTIONS and node.domain in ("", "ai.onnx")]
    if nodes and all(each.domain != DOMAIN for each in proto.opset_import):
        proto.opset_import.append(helper.make_opsetid(DOMAIN, 1))
    types = {name: onnx.TypeProto(tensor_type=each) for name, each in types_of(proto.graph).items()} if nodes else {}
    for number, node in enumerate(nodes):
        define(node, number, proto, types)
    return bool(nodes)


def define(node: onnx.NodeProto, number: int, proto: onnx.ModelProto, types: dict[str, onnx.TypeProto]) -> None:
    """Adds the definition of a node's operator to the functions of the model, and makes the node a call."""
    version = opset_of(proto)
    schema = onnx.defs.get_schema(node.op_type, version, "")
    given = attributes_of(node)
    node.attribute.extend(each.default_value for name, each in schema.attributes.items() if each.default_value.name and name not in given)
    if schema.has_function:
        body = schema.get_function_with_opset_version(max(each for each in schema.function_opset_versions if each <= version))
    else:  # the definition depends on the types of the inputs; a missing input has an empty one
        body = schema.get_context_dependent_function_with_opset_version(
            max(each for each in schema.context_dependent_function_opset_versions if each <= version), node.SerializeToString(),
            [types.get(name, onnx.TypeProto()).SerializeToString() for name in node.input])
    function = onnx.FunctionProto.FromString(body)
    function.domain, function.name = DOMAIN, f"{node.op_type}_{number}"
    del function.opset_import[:]  # perhaps an older version, of which nothing is inlined
    function.opset_import.append(helper.make_opsetid("", version))
    node.domain, node.op_type = DOMAIN, function.name
    proto.functions.append(function)


def evaluate(proto: onnx.ModelProto) -> bool:
    """Replaces nodes by constants, in place. Types must have been inferred. Returns whether the graph changed."""
    graph = proto.graph
    types, results = types_of(graph), {each.name for each in graph.output}
    changed = take_constants(graph, results)
    known = {each.name: numpy_helper.to_array(each) for each in graph.initializer if math.prod(each.dims) <= LARGEST}
    nodes, taken = choose_branches(graph, known)
    kept, computed = [], {}
    for node in nodes:
        values = None if results & set(node.output) else value_of(node, known, types, proto)
        if values is None:
            kept.append(node)
        else:
            computed.update(values)
            known.update(values)
    if not computed and not taken:
        return changed
    used = set(names_in(kept))
    graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in computed.items() if name in used)
    del graph.node[:]
    graph.node.extend(kept)
    return True


def take_constants(graph: onnx.GraphProto, results: set[str]) -> bool:
    """Makes the results of nodes Constant initializers. Returns whether there is one."""
    kept = []
    for node in graph.node:
        kind, value = next(iter(attributes_of(node).items()), ("", None))
        if node.op_type != "Constant" or node.domain not in ("", "ai.onnx") or node.output[0] in results:
            kept.append(node)
        elif kind == "value":
            value.name = node.output[0]
            graph.initializer.append(value)
        elif kind in ("value_int", "value_ints", "value_float", "value_floats"):
            graph.initializer.append(numpy_helper.from_array(numpy.array(value, numpy.int64 if "int" in kind else numpy.float32), node.output[0]))
        else:
            kept.append(node)
    if len(kept) == len(graph.node):
        return False
    del graph.node[:]
    graph.node.extend(kept)
    return True


def choose_branches(graph: onnx.GraphProto, known: dict[str, Array]) -> tuple[list[onnx.NodeProto], bool]:
    """The nodes, with those of one branch instead of each If whose condition is known, and whether there is such an If."""
    names, chosen, taken = set(names_in(graph.node)), [], False
    for node in graph.node:
        if node.op_type != "If" or node.input[0] not in known:
            chosen.append(node)
            continue
        branch, taken = attributes_of(node)["then_branch" if known[node.input[0]].item() else "else_branch"], True
        # Another branch may use the same names.
        own = {each.name for each in branch.initializer} | {name for each in branch.node for name in each.output if name}
        renamed = {name: fresh(f"{node.output[0]}_{name}", names) for name in own}
        for each in branch.initializer:
            chosen.append(helper.make_node("Constant", [], [renamed[each.name]], value=each))
        for each in branch.node:
            rename(each, renamed)
            chosen.append(each)
        for name, value in zip(node.output, branch.output):
            chosen.append(helper.make_node("Identity", [renamed.get(value.name, value.name)], [name]))
    return chosen, taken


def rename(node: onnx.NodeProto, names: dict[str, str]) -> None:
    """Renames values in a node and its bodies, which must not define values of these names."""
    for values in (node.input, node.output):
        values[:] = [names.get(value, value) for value in values]
    for body in bodies_of(node):
        for each in body.node:
            rename(each, names)
        for result in body.output:
            result.name = names.get(result.name, result.name)


def value_of(node: onnx.NodeProto, known: dict[str, Array], types: Types, proto: onnx.ModelProto) -> dict[str, Array] | None:
    """The results of a node by their names; None if they are not known, or large."""
    if node.domain not in ("", "ai.onnx") or any(each.name == "broadcast" for each in node.attribute):  # an attribute of opset 6 and older
        return None
    if node.op_type in ("Shape", "Size"):
        shape = list(known[node.input[0]].shape) if node.input[0] in known else shape_of(types.get(node.input[0]))
        if shape is None:
            return None
        limits = attributes_of(node)
        value = math.prod(shape) if node.op_type == "Size" else shape[limits.get("start", 0):limits.get("end", len(shape))]
        return {node.output[0]: numpy.array(value, numpy.int64)}
    if node.op_type == "CastLike" and node.input[0] in known and element(types, node.input[1]) != onnx.TensorProto.UNDEFINED:
        node = helper.make_node("Cast", [node.input[0]], list(node.output), to=element(types, node.input[1]))
    if node.op_type not in EVALUATED or not all(name in known for name in node.input if name):
        return None
    inputs = {name: known[name] for name in node.input if name}
    if not count_elements(node, [inputs.get(name) for name in node.input]) <= LARGEST:
        return None
    graph = helper.make_graph([node], "node", [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
                                               for name, value in inputs.items()], [onnx.ValueInfoProto(name=name) for name in node.output if name])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset_of(proto))], ir_version=proto.ir_version)
    try:
        results = ReferenceEvaluator(model).run(None, inputs)
    except Exception:  # pylint: disable=broad-except  # a mistake in the model, which torch-mlir reports
        return None
    return {name: numpy.asarray(value) for name, value in zip((name for name in node.output if name), results)}


def count_elements(node: onnx.NodeProto, inputs: list[Array | None]) -> float:
    """An upper bound of the elements of a node's result."""
    given = [each for each in inputs if each is not None]
    if node.op_type == "Range":
        start, limit, step = (each.item() for each in given)
        return abs((limit - start) / step) if step else math.inf
    if node.op_type in ("ConstantOfShape", "Expand"):
        return math.prod(max(int(each), 1) for each in given[-1].reshape(-1)) * (given[0].size if node.op_type == "Expand" else 1)
    if node.op_type == "Gather":
        return given[0].size * given[1].size
    if node.op_type in ("Concat", "Max", "Min"):
        return sum(each.size for each in given)
    return math.prod(max(each.size, 1) for each in given) if len(given) > 1 else given[0].size
