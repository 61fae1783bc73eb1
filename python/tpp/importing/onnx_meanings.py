"""Rewrites operators of ONNX that torch-mlir lowers like PyTorch's operators of the same name, which compute something else: indices of MaxPool,
the sign of NaN, and integers without a sign. Recurrent layers get forward direction, transposed convolutions explicit padding, and depthwise transposed
convolutions become convolutions.

Source: the operator documentation of ONNX."""
from __future__ import annotations

import typing

import numpy
import onnx

from tpp.importing.onnx_graph import Nodes, Rewriter, attributes_of, element, rewrite, shape_of

UNSIGNED = {onnx.TensorProto.UINT8, onnx.TensorProto.UINT16, onnx.TensorProto.UINT32, onnx.TensorProto.UINT64}
Types = dict[str, typing.Any]


def restate(proto: onnx.ModelProto) -> bool:
    """Rewrites the nodes; see `rewrite`."""
    return rewrite(proto, {"MaxPool": count_from_image, "Sign": keep_nan, "Abs": drop, "Clip": clip, "Div": divide, "Mod": divide, "MatMul": multiply_by_vector,
                           "ConvTranspose": transpose_convolution, "RNN": read_forwards, "GRU": read_forwards, "LSTM": read_forwards})


def count_from_image(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> bool:
    """MaxPool: an index counts the elements of all images and channels, not those of its plane only."""
    shape = shape_of(types.get(node.input[0]))
    if len(node.output) > 1 and not node.output[1]:
        del node.output[1:]
    if len(node.output) < 2 or shape is None:
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
    if element(types, value) not in (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16, onnx.TensorProto.BFLOAT16, onnx.TensorProto.DOUBLE):
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
    # With a sign, a / 2 and b are positive: the quotient is 2 * (a / 2 / b), or 1 more if the rest is at least b. If b itself is negative with a sign,
    # the quotient is 0 or 1.
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


def multiply_by_vector(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> bool:
    """MatMul of a vector and several matrices: the vector becomes a matrix of one row or column."""
    shapes = [shape_of(types.get(name)) for name in node.input]
    a, b = shapes
    if a is None or b is None or min(len(a), len(b)) != 1 or max(len(a), len(b)) < 3:
        return False
    operands, nodes = list(node.input), Nodes(rewriter, node.output[0], numpy.int64)
    at, matrix = (0, [1, *a]) if len(a) == 1 else (1, [*b, 1])
    operands[at] = nodes.reshape(operands[at], matrix)
    return nodes.finish(nodes.reshape(nodes.add("MatMul", *operands), [*b[:-2], b[-1]] if at == 0 else a[:-1]))


def read_forwards(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> bool:
    """RNN, GRU and LSTM of the directions reverse and bidirectional: a layer that reads the sequence in the opposite order."""
    options, shape = attributes_of(node), shape_of(types.get(node.input[0]))
    direction = options.pop("direction", b"forward")
    given = list(node.input) + [""] * 5
    lengths = rewriter.array(given[4])
    if lengths is not None and shape is not None and all(lengths == shape[0]) and not options.get("layout", 0):
        given[4] = ""  # all of them are whole
    if (direction == b"forward" or (node.op_type == "LSTM" and direction == b"bidirectional") or shape is None or given[4] or options.get("layout", 0) or
            not {"activation_alpha", "activation_beta", "clip"}.isdisjoint(options)):
        return False
    name = node.name or next(each for each in node.output if each)
    backwards = rewriter.constant(f"{name}_backwards", numpy.arange(shape[0] - 1, -1, -1, dtype=numpy.int64))
    activations = options.pop("activations", [])
    count = 2 if direction == b"bidirectional" else 1
    of_each = len(activations) // count

    def parts(operand: str) -> list[str]:
        """The part of each direction of an operand."""
        if count == 1 or not operand:
            return [operand] * count
        ends = [rewriter.fresh(f"{name}_{operand}_{i}") for i in range(2)]
        rewriter.nodes.append(onnx.helper.make_node("Split", [operand], ends, axis=0, **({"num_outputs": 2} if rewriter.opset >= 18 else {})))
        return ends

    operands = [parts(operand) for operand in given[1:len(node.input)]]
    results: list[list[str]] = []
    for i in range(count):
        flips = i == count - 1
        x = rewriter.node("Gather", [given[0], backwards], rewriter.fresh(f"{name}_reversed"), axis=0) if flips else given[0]
        outputs = [rewriter.fresh(f"{name}_{j}_{i}") if output else "" for j, output in enumerate(node.output)]
        if activations:
            options["activations"] = activations[i * of_each:(i + 1) * of_each]
        rewriter.nodes.append(onnx.helper.make_node(node.op_type, [x, *(operand[i] for operand in operands)], outputs, **options))
        if flips and outputs[0]:
            outputs[0] = rewriter.node("Gather", [outputs[0], backwards], rewriter.fresh(f"{name}_{i}_forwards"), axis=0)
        results.append(outputs)
    for j, output in enumerate(node.output):
        if output:
            rewriter.node("Concat", [each[j] for each in results], output, axis=1 if j == 0 else 0)
    return True


def transpose_convolution(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> bool:
    """ConvTranspose whose padding follows from the shape of its result gets this padding. One of groups of one channel becomes a convolution of the image
    with zeros between its pixels, by the reversed filter."""
    options, image, weights, result = attributes_of(node), *(shape_of(types.get(name)) for name in (*node.input[:2], node.output[0]))
    if image is None or weights is None or result is None:
        return False
    count, automatic = len(image) - 2, options.pop("auto_pad", b"NOTSET")
    strides, dilations, more = (options.get(name, [default] * count) for name, default in (("strides", 1), ("dilations", 1), ("output_padding", 0)))
    explicit = options.pop("output_shape", None) is None and automatic == b"NOTSET"
    if explicit:
        pads = options.get("pads", [0] * 2 * count)
    else:
        totals = [step * (extent - 1) + extra + (taps - 1) * distance + 1 - size for step, extent, extra, taps, distance, size in
                  zip(strides, image[2:], more, weights[2:], dilations, result[2:])]
        low = [(total + (automatic != b"SAME_UPPER")) // 2 for total in totals]  # the rounding of ONNX Runtime
        pads = low + [total - each for total, each in zip(totals, low)]
    name, nodes = node.output[0], Nodes(rewriter, node.output[0], numpy.int64)
    axes = range(2, 2 + count)
    if options.get("group", 1) == 1 or weights[1] != 1 or options["group"] != image[1] or rewriter.opset < 11:
        same = pads[:count] == pads[count:]
        if (explicit and same) or min(pads) < 0:
            return False
        if same:
            rewriter.node("ConvTranspose", list(node.input), name, **{**options, "pads": pads})
            return True
        # torch-mlir pads both sides alike: otherwise, the result is cropped.
        value = nodes.add("ConvTranspose", *node.input, **{**options, "pads": [0] * 2 * count})
        for axis, first, size in zip(axes, pads, result[2:]):
            value = nodes.add("Gather", value, numpy.arange(first, first + size), axis=axis)
        return nodes.finish(value)
    apart = [extent for pair in zip(image[2:], [1] * count) for extent in pair]
    between = [0, 0] + [extra for step in strides for extra in (0, step - 1)]
    value = nodes.add("Pad", nodes.reshape(node.input[0], [*image[:2], *apart]), numpy.array([0] * len(between) + between))
    value = nodes.reshape(value, [*image[:2], *(extent * step for extent, step in zip(image[2:], strides))])
    reaches = [distance * (taps - 1) for distance, taps in zip(dilations, weights[2:])]
    low = [reach - pad for reach, pad in zip(reaches, pads)]
    high = [reach - pad + extra - (step - 1) for reach, pad, extra, step in zip(reaches, pads[count:], more, strides)]
    value = nodes.add("Pad", value, numpy.array([0, 0, *low, 0, 0, *high]))
    filters = node.input[1]
    for axis, taps in zip(axes, weights[2:]):
        filters = nodes.add("Gather", filters, numpy.arange(taps - 1, -1, -1), axis=axis)
    rewriter.nodes.append(onnx.helper.make_node("Conv", [value, filters, *node.input[2:]], [name], dilations=dilations, group=image[1]))
    return True
