"""Rewrites operators of ONNX that read elements at computed places (GridSample, ReverseSequence) as computations of indices and selections of rows.
torch-mlir lowers few of their forms, and GridSample to indices that may be out of range.

Source: the operator documentation of ONNX."""
from __future__ import annotations

import itertools
import typing

import numpy
import onnx

from tpp.importing.onnx_graph import Nodes, Rewriter, attributes_of, rewrite, shape_of
from tpp.importing.pixels import FLOATS

Types = dict[str, typing.Any]
SHARPNESS = -.75  # of GridSample's cubic interpolation


def compute_places(proto: onnx.ModelProto) -> bool:
    """Rewrites the nodes; see `rewrite`."""
    return rewrite(proto, {"GridSample": sample, "ReverseSequence": reverse})


def sample(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> bool:
    """GridSample: a weighted sum of the rows (the channels of a pixel) around each place."""
    image, grid = (shape_of(types.get(name)) for name in node.input)
    options = attributes_of(node)
    mode, padding = (options.get(name, default).decode() for name, default in (("mode", b"linear"), ("padding_mode", b"zeros")))
    mode = {"bilinear": "linear", "bicubic": "cubic"}.get(mode, mode)
    if image is None or grid is None or 0 in image or types[node.input[0]].elem_type not in FLOATS or (mode == "cubic" and len(image) != 4):
        return False
    images, channels, *extents = image
    outputs, aligned = grid[1:-1], bool(options.get("align_corners", 0))
    kind = types[node.input[0]].elem_type
    # Of small floats, places are computed in f32.
    wide = onnx.TensorProto.DOUBLE if onnx.TensorProto.DOUBLE in (kind, types[node.input[1]].elem_type) else onnx.TensorProto.FLOAT
    floats = Nodes(rewriter, node.output[0], onnx.helper.tensor_dtype_to_np_dtype(wide))
    integers = Nodes(rewriter, node.output[0], numpy.int64)
    places = floats.add("Cast", node.input[1], to=wide)
    rank = len(extents)
    order = [0, *range(2, rank + 2), 1]
    rows = floats.reshape(floats.add("Transpose", node.input[0], perm=order), [-1, channels])
    # For each dimension: the index, the weight and whether it is inside, of each tap.
    taps: list[list[tuple[str, str, str]]] = []
    for dim, extent in enumerate(extents):
        place = floats.reshape(floats.add("Gather", places, numpy.int64(rank - 1 - dim), axis=rank + 1), [images, *outputs])
        place = floats.add("Mul", floats.add("Add", place, 1), .5 * (extent - 1 if aligned else extent))
        place = place if aligned else floats.add("Sub", place, .5)
        if mode != "cubic":
            place = padded_place(floats, place, extent, padding, aligned)
        first = floats.add("Round" if mode == "nearest" else "Floor", place)
        share, own = floats.add("Sub", place, first), []
        for at, weight in weights_of(floats, mode, share):
            index = floats.add("Add", first, at) if at else first
            inside = ""
            if padding == "zeros":
                low, high = floats.add("GreaterOrEqual", index, 0), floats.add("LessOrEqual", index, extent - 1)
                inside = floats.add("And", low, high)
            elif mode == "cubic":
                index = padded_place(floats, index, extent, padding, aligned)
            # NaN and places far outside become an index of the image.
            index = floats.add("Clip", index, 0, extent - 1)
            index = floats.add("Where", floats.add("IsNaN", index), 0, index)
            own.append((floats.add("Cast", index, to=onnx.TensorProto.INT64), weight, inside))
        taps.append(own)
    strides = [numpy.prod(extents[dim + 1:], dtype=numpy.int64) for dim in range(rank)]
    starts = (numpy.arange(images, dtype=numpy.int64) * numpy.prod(extents, dtype=numpy.int64)).reshape([-1] + [1] * rank)
    total = ""
    for corner in itertools.product(*taps):
        index = ""
        for (position, _, _), stride in zip(corner, strides):
            part = integers.add("Mul", position, stride)
            index = integers.add("Add", index, part) if index else integers.add("Add", part, starts)
        factor = ""
        for _, weight, inside in corner:
            for each in (weight, floats.add("Cast", inside, to=wide) if inside else ""):
                factor = floats.add("Mul", factor, each) if factor and each else factor or each
        value = floats.add("Cast", floats.add("Gather", rows, index, axis=0), to=wide)
        value = floats.add("Mul", value, floats.reshape(factor, [images, *outputs, 1])) if factor else value
        total = floats.add("Add", total, value) if total else value
    return floats.finish(floats.add("Cast", floats.add("Transpose", total, perm=[0, rank + 1, *range(1, rank + 1)]), to=kind))


def weights_of(floats: Nodes, mode: str, share: str) -> list[tuple[int, str]]:
    """For each tap: its distance in pixels from the first pixel, and its weight (empty: 1). `share` is the distance of the place from the first pixel."""
    if mode == "nearest":
        return [(0, "")]
    rest = floats.add("Sub", 1, share)
    if mode == "linear":
        return [(0, rest), (1, share)]

    def near(x: str) -> str:
        product = floats.add("Mul", floats.add("Sub", floats.add("Mul", x, SHARPNESS + 2), SHARPNESS + 3), floats.add("Mul", x, x))
        return floats.add("Add", product, 1)

    def far(x: str) -> str:
        x = floats.add("Add", x, 1)
        product = floats.add("Mul", floats.add("Add", floats.add("Mul", floats.add("Sub", x, 5), x), 8), x)
        return floats.add("Mul", floats.add("Sub", product, 4), SHARPNESS)

    return [(-1, far(share)), (0, near(share)), (1, near(rest)), (2, far(rest))]


def padded_place(floats: Nodes, place: str, extent: int, padding: str, aligned: bool) -> str:
    """Where a place that may be outside of the image is read: at the edge, or reflected there; with zeros around the image, the place itself."""
    if padding == "zeros":
        return place
    if padding == "reflection":
        low, length = (0., extent - 1) if aligned else (-.5, extent)
        if length == 0:
            return floats.add("Mul", place, 0)
        # The distance from the lower edge, within two lengths, of which the second runs backwards.
        distance = floats.add("Abs", floats.add("Sub", place, low))
        rest = floats.add("Sub", distance, floats.add("Mul", floats.add("Floor", floats.add("Div", distance, 2 * length)), 2 * length))
        back = floats.add("Sub", 2 * length, rest)
        place = floats.add("Add", floats.add("Min", rest, back), low)
    return floats.add("Clip", place, 0, extent - 1)


def reverse(rewriter: Rewriter, node: onnx.NodeProto, types: Types) -> bool:
    """ReverseSequence: the first elements of each sequence in the opposite order."""
    shape, options = shape_of(types.get(node.input[0])), attributes_of(node)
    time = options.get("time_axis", 0)
    if shape is None or 0 in shape:
        return False
    nodes = Nodes(rewriter, node.output[0], numpy.int64)
    first, second = numpy.arange(shape[0], dtype=numpy.int64)[:, None], numpy.arange(shape[1], dtype=numpy.int64)[None]
    step, batch = (first, second) if time == 0 else (second, first)
    lengths = nodes.reshape(nodes.add("Cast", node.input[1], to=onnx.TensorProto.INT64), list(batch.shape))
    mirrored = nodes.add("Sub", nodes.add("Sub", lengths, 1), step)
    place = nodes.add("Where", nodes.add("Less", step, lengths), mirrored, step)
    strides = (shape[1], 1)  # of the first two dimensions, which become the rows of a matrix
    index = nodes.add("Add", nodes.add("Mul", place, strides[time]), batch * strides[1 - time])
    rows = nodes.reshape(node.input[0], [shape[0] * shape[1], *shape[2:]])
    return nodes.finish(nodes.add("Gather", rows, index, axis=0))
