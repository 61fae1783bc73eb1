"""Rewrites operators of ONNX that torch-mlir lowers like PyTorch's operators of the same name, which compute something else: indices of MaxPool,
the sign of NaN, and integers without a sign.

Source: the operator documentation of ONNX."""
from __future__ import annotations

import typing

import numpy
import onnx

from tpp.importing.pixels import shape_of
from tpp.importing.quantized import Rewriter, rewrite

UNSIGNED = {onnx.TensorProto.UINT8, onnx.TensorProto.UINT16, onnx.TensorProto.UINT32, onnx.TensorProto.UINT64}
Types = dict[str, typing.Any]


def restate(proto: onnx.ModelProto) -> bool:
    """Rewrites the nodes; see `rewrite`."""
    return rewrite(proto, {"MaxPool": count_from_image, "Sign": keep_nan, "Abs": drop, "Clip": clip, "Div": divide, "Mod": divide})


def element(types: Types, name: str) -> int:
    return types[name].elem_type if name in types else onnx.TensorProto.UNDEFINED


def count_from_image(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> bool:
    """MaxPool: an index counts the elements of all images and channels, not those of its plane only."""
    shape = shape_of(types.get(node.input[0]))
    if len(node.output) < 2 or not node.output[1] or shape is None:
        return False
    images, channels, *plane = shape
    starts = numpy.arange(images * channels, dtype=numpy.int64) * numpy.prod(plane, dtype=numpy.int64)
    name = node.output[1]
    node.output[1] = rewriter.fresh(f"{name}_in_plane")
    rewriter.nodes.append(node)
    rewriter.node("Add", [node.output[1], rewriter.constant(f"{name}_starts", starts.reshape(images, channels, *[1] * len(plane)))], name)
    return True


def keep_nan(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> bool:
    """Sign: that of NaN is NaN, not 0."""
    value, name = node.input[0], node.output[0]
    if element(types, value) not in (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16, onnx.TensorProto.DOUBLE):
        return False
    node.output[0] = rewriter.fresh(f"{name}_of_number")
    rewriter.nodes.append(node)
    rewriter.node("Where", [rewriter.node("IsNaN", [value], rewriter.fresh(f"{name}_is_nan")), value, node.output[0]], name)
    return True


def drop(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> bool:
    """Abs of integers without a sign."""
    if element(types, node.input[0]) not in UNSIGNED:
        return False
    rewriter.node("Identity", list(node.input), node.output[0])
    return True


def clip(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> bool:
    """Clip of integers without a sign: the minimum of the upper limit and the maximum of the lower limit."""
    value, limits, name = node.input[0], list(node.input[1:]), node.output[0]
    if element(types, value) not in UNSIGNED:
        return False
    for operator, limit in zip(("Max", "Min"), limits):
        if limit:
            value = rewriter.node(operator, [value, limit], rewriter.fresh(f"{name}_{operator}"))
    rewriter.node("Identity", [value], name)
    return True


def divide(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> bool:
    """Div and Mod of integers without a sign, by divisions of integers with a sign."""
    kind, name = element(types, node.input[0]), node.output[0]
    if kind not in UNSIGNED:
        return False

    def make(operator: str, *inputs: str, **options: typing.Any) -> str:
        return rewriter.node(operator, list(inputs), rewriter.fresh(f"{name}_{operator}"), **options)

    if kind == onnx.TensorProto.UINT8:
        a, b = (make("Cast", value, to=onnx.TensorProto.INT32) for value in node.input)
        rewriter.node("Cast", [make(node.op_type, a, b)], name, to=kind)
        return True
    # Twice the quotient of the half of a, and 1 more if what is left holds b once more. If b is negative as an integer with a sign, a holds it once or
    # not at all.
    a, b = node.input
    dtype = onnx.helper.tensor_dtype_to_np_dtype(kind)
    one, zero = (rewriter.constant(f"{name}_{number}", numpy.array(number, dtype)) for number in (1, 0))
    middle = rewriter.constant(f"{name}_middle", numpy.array(numpy.iinfo(dtype).max // 2 + 1, dtype))
    twice = make("BitShift", make("Div", make("BitShift", a, one, direction="RIGHT"), b), one, direction="LEFT")
    twice = make("Where", make("Less", b, middle), twice, zero)
    rest = make("Sub", a, make("Mul", twice, b))
    ends = make("Less", rest, b)
    if node.op_type == "Div":
        rewriter.node("Add", [twice, make("Where", ends, zero, one)], name)
    else:
        rewriter.node("Sub", [rest, make("Where", ends, zero, b)], name)
    return True
