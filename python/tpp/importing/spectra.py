"""Rewrites operators of ONNX that compute spectra (DFT, STFT) as products with constant matrices: torch-mlir lowers them to complex numbers.

Source: the operator documentation of ONNX."""
from __future__ import annotations

import typing

import numpy
import onnx

from tpp.importing.onnx_graph import Nodes, Rewriter, attributes_of, rewrite, shape_of
from tpp.importing.pixels import FLOATS

Types = dict[str, typing.Any]
LARGEST = 1 << 25  # elements of a matrix


def multiply_spectra(proto: onnx.ModelProto) -> bool:
    """Rewrites the nodes; see `rewrite`."""
    return rewrite(proto, {"DFT": transform, "STFT": transform_frames})


def columns_of(length: int, inverse: bool, onesided: bool) -> int:
    """The number of results."""
    return length // 2 + 1 if onesided and not inverse else length


def matrix(length: int, count: int, parts: int, inverse: bool, onesided: bool) -> numpy.ndarray[typing.Any, typing.Any]:
    """The transform of `count` elements of `parts` parts (real and imaginary) each. Its rows are the elements' parts, its columns those of the results. With
    `inverse` and `onesided`, the elements are half of a spectrum, and the results have one part."""
    full = columns_of(length, inverse, onesided)
    rows, columns = numpy.arange(count)[:, None], numpy.arange(full)[None]
    angles = 2 * numpy.pi * (rows * columns % length) / length
    cos, sin = numpy.cos(angles), numpy.sin(angles) * (1 if inverse else -1)
    # (x + iy) (cos + i sin)
    real, imaginary = numpy.stack([cos, sin], -1), numpy.stack([-sin, cos], -1)
    result = numpy.stack([real, imaginary][:parts], 1)  # element, part, element of the result, its part
    if inverse:
        result /= length
        if onesided:  # the other half is conjugate
            result = result[..., :1] * numpy.where((rows == 0) | (2 * rows == length), 1, 2)[:, :, None, None]
    return result.reshape(count * parts, -1)


def wide_nodes(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> tuple[Nodes, str, int]:
    """For nodes, the first input, of f16 as f32, and the type of its elements."""
    kind = types[node.input[0]].elem_type
    nodes = Nodes(rewriter, node.output[0], numpy.float64 if kind == onnx.TensorProto.DOUBLE else numpy.float32)
    value = nodes.add("Cast", node.input[0], to=onnx.TensorProto.FLOAT) if kind == onnx.TensorProto.FLOAT16 else node.input[0]
    return nodes, value, kind


def finish(nodes: Nodes, value: str, kind: int) -> bool:
    return nodes.finish(nodes.add("Cast", value, to=kind) if kind == onnx.TensorProto.FLOAT16 else value)


def number(rewriter: Rewriter, node: onnx.NodeProto, index: int, default: int | None) -> int | None:
    """An optional input of one element, or None if its value is not known."""
    if len(node.input) <= index or not node.input[index]:
        return default
    value = rewriter.array(node.input[index])
    return None if value is None else int(value.reshape(-1)[0])


def transform(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> bool:
    """DFT along a dimension, which becomes the last but one."""
    shape, options = shape_of(types.get(node.input[0])), attributes_of(node)
    axis = number(rewriter, node, 2, -2) if rewriter.opset >= 20 else options.get("axis", 1)
    if shape is None or axis is None or types[node.input[0]].elem_type not in FLOATS or shape[-1] not in (1, 2):
        return False
    axis %= len(shape)
    inverse, onesided = bool(options.get("inverse", 0)), bool(options.get("onesided", 0))
    length = number(rewriter, node, 1, 2 * (shape[axis] - 1) if inverse and onesided else shape[axis])
    if length is None or length < 1 or 0 in shape or axis == len(shape) - 1 or onesided and inverse != (shape[-1] == 2):
        return False
    count = min(shape[axis], length // 2 + 1 if inverse and onesided else length)  # the other elements are not read, or are 0
    if 2 * count * shape[-1] * columns_of(length, inverse, onesided) > LARGEST:
        return False
    nodes, value, kind = wide_nodes(rewriter, node, types)
    if count < shape[axis]:
        value = nodes.add("Slice", value, *(numpy.array([each], numpy.int64) for each in (0, count, axis)))
    order = [dim for dim in range(len(shape) - 1) if dim != axis] + [axis, len(shape) - 1]
    outer = [shape[dim] for dim in order[:-2]]
    product = nodes.add("MatMul", nodes.reshape(nodes.add("Transpose", value, perm=order), [-1, count * shape[-1]]),
                        matrix(length, count, shape[-1], inverse, onesided).astype(nodes.dtype))
    parts = 1 if inverse and onesided else 2
    back = [order.index(dim) for dim in range(len(shape))]
    return finish(nodes, nodes.add("Transpose", nodes.reshape(product, [*outer, -1, parts]), perm=back), kind)


def transform_frames(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> bool:
    """STFT: a convolution, whose filters are the columns of the transform times the window."""
    shape = shape_of(types.get(node.input[0]))
    window = shape_of(types.get(node.input[2])) if len(node.input) > 2 and node.input[2] else None
    step = number(rewriter, node, 1, None)
    if shape is None or step is None or step < 1 or types[node.input[0]].elem_type not in FLOATS:
        return False
    batch, samples, parts = [*shape, 1][:3]
    length = number(rewriter, node, 3, window[0] if window else samples)
    if window and window != [length]:
        return False
    onesided = bool(attributes_of(node).get("onesided", 1))
    if length is None or not 1 <= length <= samples or parts not in (1, 2) or onesided and parts == 2:
        return False
    if 2 * length * parts * columns_of(length, False, onesided) > LARGEST:
        return False
    nodes, signal, kind = wide_nodes(rewriter, node, types)
    filters = matrix(length, length, parts, False, onesided).reshape(length, parts, -1).transpose(2, 1, 0).astype(nodes.dtype)
    if window:
        values = nodes.add("Cast", node.input[2], to=onnx.TensorProto.FLOAT) if kind == onnx.TensorProto.FLOAT16 else node.input[2]
        filters = nodes.add("Mul", filters, values)
    signal = nodes.add("Transpose", signal, perm=[0, 2, 1]) if parts == 2 else nodes.reshape(signal, [batch, 1, samples])
    spectra = nodes.add("Transpose", nodes.add("Conv", signal, filters, strides=[step]), perm=[0, 2, 1])
    return finish(nodes, nodes.reshape(spectra, [batch, (samples - length) // step + 1, -1, 2]), kind)
