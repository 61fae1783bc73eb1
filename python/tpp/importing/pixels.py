"""Rewrites the operators of ONNX that resize images (Resize, Upsample) or continue them at their edges (Pad) as selections of rows and columns at constant
indices, and means of neighbours: the form in which TPP resizes images, and that of tpp.importing.decompositions for PyTorch. Those that exchange channels
and pixels (DepthToSpace, SpaceToDepth) become a transposition between reshapes; torch-mlir ignores the mode of DepthToSpace.

Source: the operator documentation of ONNX."""
from __future__ import annotations

import collections.abc
import functools
import math
import typing

import numpy
import onnx

from tpp.importing.filters import Taps, blurred, cubic_taps, linear_taps
from tpp.importing.onnx_graph import Rewriter, attributes_of, rewrite, shape_of

FLOATS = {onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE, onnx.TensorProto.FLOAT16}
Number = numpy.float32  # as ONNX Runtime computes: places that are whole numbers are rounded alike
# The place of element i of `size` among `extent`, at this scale.
PLACES: dict[str, collections.abc.Callable[[numpy.float32, numpy.float32, int, int], typing.Any]] = {
    "half_pixel": lambda i, scale, extent, size: (i + Number(.5)) / scale - Number(.5),
    "pytorch_half_pixel": lambda i, scale, extent, size: (i + Number(.5)) / scale - Number(.5) if size > 1 else Number(0),
    "align_corners": lambda i, scale, extent, size: i * Number(extent - 1) / Number(size - 1) if size > 1 else Number(0),
    "asymmetric": lambda i, scale, extent, size: i / scale,
}
ROUNDINGS: dict[str, collections.abc.Callable[[typing.Any], int]] = {
    "round_prefer_floor": lambda place: math.ceil(place - Number(.5)),
    "round_prefer_ceil": lambda place: math.floor(place + Number(.5)),
    "floor": math.floor,
    "ceil": math.ceil,
}
CROPPED = "tf_crop_and_resize"  # the mode without an entry in PLACES: a region of the image is resized
# The filter of each mode of interpolation; empty: it selects elements.
FILTERS = {"nearest": "", "linear": "linear", "bilinear": "linear", "trilinear": "linear", "cubic": "cubic"}

# The element among `extent` that padding repeats at place i, which may be outside.
EDGES: dict[str, collections.abc.Callable[[int, int], int]] = {
    "edge": lambda i, extent: min(max(i, 0), extent - 1),
    "reflect": lambda i, extent: (extent - 1 - abs(extent - 1 - i % (2 * extent - 2))) if extent > 1 else 0,
    "wrap": lambda i, extent: i % extent,
}


def select_pixels(proto: onnx.ModelProto) -> bool:
    """Rewrites the operators whose sizes are known after shape inference. Leaves those with other modes as they
    are. Returns whether any has been rewritten."""
    return rewrite(proto, {"Resize": resize, "Upsample": resize, "Pad": pad, "DepthToSpace": exchange, "SpaceToDepth": exchange})


def resize(rewriter: Rewriter, node: onnx.NodeProto, types: dict[str, typing.Any]) -> bool:
    options = attributes_of(node)
    text = {name: value.decode() for name, value in options.items() if isinstance(value, bytes)}
    old = node.op_type == "Upsample" or rewriter.opset < 11
    transformation = "asymmetric" if old else text.get("coordinate_transformation_mode", "half_pixel")
    rounding = ROUNDINGS.get("floor" if old else text.get("nearest_mode", "round_prefer_floor"))
    mode = text.get("mode", "nearest")
    before, after = shape_of(types.get(node.input[0])), shape_of(types.get(node.output[0]))
    if before is None or after is None or len(before) != len(after) or transformation not in (*PLACES, CROPPED) or rounding is None:
        return False
    kind, excludes, smooth = types[node.input[0]].elem_type, bool(options.get("exclude_outside")), bool(options.get("antialias"))
    if mode not in FILTERS or FILTERS[mode] and kind not in FLOATS or (excludes and mode != "cubic" and not smooth) or (smooth and not FILTERS[mode]):
        return False
    if "height_scale" in options:  # Upsample of the first version
        return False
    scales = options["scales"] if "scales" in options else scales_of(rewriter, node, options, before, after, old)
    regions = regions_of(rewriter, node, options, len(before)) if transformation == CROPPED else {}
    if scales is None or regions is None:
        return False
    if old and mode == "nearest" and any(scale < 1 for scale in scales):  # which pixel is taken differs between runtimes
        return False
    changed = [dim for dim, (extent, size) in enumerate(zip(before, after)) if extent != size or scales[dim] != 1 or regions.get(dim, (0, 1)) != (0, 1)]
    if 0 in before or 0 in after:
        return False
    if not changed:
        rewriter.node("Identity", [node.input[0]], node.output[0])
        return True
    image = Resized(rewriter, node.output[0], len(before), onnx.helper.tensor_dtype_to_np_dtype(kind))
    if transformation == CROPPED:
        places = {dim: places_in(regions.get(dim, (0, 1)), before[dim], after[dim]) for dim in changed}
    else:
        places = {dim: [PLACES[transformation](Number(i), Number(scales[dim]), before[dim], after[dim]) for i in range(after[dim])] for dim in changed}
    sharpness = options.get("cubic_coeff_a", -.75) if FILTERS[mode] == "cubic" else None
    if smooth:
        image.multiply(node.input[0], {
            dim: blurred(places[dim], before[dim], scales[dim], sharpness=sharpness, exclude_outside=excludes)
            for dim in reversed(changed)
        })
    elif FILTERS[mode] == "linear":
        image.interpolate(node.input[0], {dim: linear_taps(places[dim], before[dim]) for dim in changed})
    elif FILTERS[mode] == "cubic":
        image.sum_taps(node.input[0], {dim: cubic_taps(places[dim], before[dim], sharpness, exclude_outside=excludes) for dim in reversed(changed)})
    else:
        value = node.input[0]
        for dim in changed:
            value = image.select(value, dim, [min(max(rounding(each), 0), before[dim] - 1) for each in places[dim]])
    if transformation == CROPPED:
        inside = {dim: numpy.array([0 <= place <= before[dim] - 1 for place in places[dim]]) for dim in changed}
        image.extrapolate(inside, options.get("extrapolation_value", 0.))
    rewriter.nodes[-1].output[0] = node.output[0]
    return True


class Resized:
    """Adds the nodes that resize an image, the value `name` of a graph."""

    def __init__(self, rewriter: Rewriter, name: str, rank: int, dtype: numpy.dtype) -> None:
        self.rewriter, self.name, self.rank, self.dtype = rewriter, name, rank, dtype

    def select(self, value: str, dim: int, places: list[int]) -> str:
        index = self.rewriter.constant(f"{self.name}_indices", numpy.array(places, numpy.int64))
        return self.rewriter.node("Gather", [value, index], self.rewriter.fresh(f"{self.name}_selected"), axis=dim)

    def weights(self, dim: int, values: numpy.ndarray) -> str:
        return self.rewriter.constant(f"{self.name}_weights", values.astype(self.dtype).reshape([-1] + [1] * (self.rank - 1 - dim)))

    def compute(self, operator: str, *values: str) -> str:
        return self.rewriter.node(operator, list(values), self.rewriter.fresh(f"{self.name}_part"))

    def interpolate(self, value: str, neighbours: dict[int, tuple[list[int], list[int], numpy.ndarray]]) -> None:
        """Means of the two neighbours in each dimension: all are selected, then each pair is blended."""
        corners = [value]
        for dim, (low, high, _) in neighbours.items():
            corners = [self.select(each, dim, places) for each in corners for places in (low, high)]
        for dim, (_, _, shares) in reversed(neighbours.items()):
            weights = self.weights(dim, shares)
            corners = [
                self.compute("Add", low, self.compute("Mul", self.compute("Sub", high, low), weights)) for low, high in zip(corners[::2], corners[1::2])
            ]

    def multiply(self, value: str, matrices: dict[int, numpy.ndarray]) -> None:
        """Products with a matrix (outputs x inputs) along one dimension after the other."""
        for dim, matrix in matrices.items():
            order = [each for each in range(self.rank) if each != dim] + [dim]
            value = self.rewriter.node("Transpose", [value], self.rewriter.fresh(f"{self.name}_part"), perm=order)
            value = self.compute("MatMul", value, self.rewriter.constant(f"{self.name}_matrix", numpy.ascontiguousarray(matrix.T.astype(self.dtype))))
            value = self.rewriter.node("Transpose", [value], self.rewriter.fresh(f"{self.name}_part"), perm=numpy.argsort(order).tolist())

    def extrapolate(self, inside: dict[int, numpy.ndarray], value: float) -> None:
        """Another value where the place is outside in any dimension."""
        everywhere = functools.reduce(numpy.logical_and, (each.reshape([-1] + [1] * (self.rank - 1 - dim)) for dim, each in inside.items()))
        if not everywhere.all():
            self.compute("Where", self.rewriter.constant(f"{self.name}_inside", everywhere), self.rewriter.nodes[-1].output[0],
                         self.rewriter.constant(f"{self.name}_outside", numpy.array(value, self.dtype)))

    def sum_taps(self, value: str, taps: dict[int, Taps]) -> None:
        """Weighted sums of the selected elements, one dimension after the other."""
        for dim, each in taps.items():
            parts = [self.compute("Mul", self.select(value, dim, places), self.weights(dim, weights)) for places, weights in each]
            value = functools.reduce(functools.partial(self.compute, "Add"), parts)


def pad(rewriter: Rewriter, node: onnx.NodeProto, types: dict[str, typing.Any]) -> bool:
    options = attributes_of(node)
    edge, shape = EDGES.get(options.get("mode", b"constant").decode()), shape_of(types.get(node.input[0]))
    pads = options.get("pads") if rewriter.opset < 11 else rewriter.array(node.input[1])
    axes = range(len(shape or ()))
    if len(node.input) > 3 and node.input[3]:
        axes = rewriter.array(node.input[3])
    if shape is None or pads is None or axes is None or 0 in shape:
        return False
    count, value = len(axes), node.input[0]
    # Constant padding that is negative at some sides takes elements away there. torch-mlir ignores it if the shape stays the same.
    taken = [int(each) if edge else min(int(each), 0) for each in pads]
    for axis, before, after in zip(axes, taken[:count], taken[count:]):
        extent = shape[axis]
        if before == after == 0:
            continue
        places = numpy.array([edge(i, extent) if edge else i for i in range(-before, extent + after)], numpy.int64)
        index = rewriter.constant(f"{node.output[0]}_indices", places)
        value = rewriter.node("Gather", [value, index], rewriter.fresh(f"{node.output[0]}_selected"), axis=int(axis) % len(shape))
    if value == node.input[0]:
        return False
    kept = [0 if edge else max(int(each), 0) for each in pads]
    if any(kept):
        rest = onnx.NodeProto()
        rest.CopyFrom(node)
        rest.input[0] = value
        if rewriter.opset < 11:
            next(each for each in rest.attribute if each.name == "pads").ints[:] = kept
        else:
            rest.input[1] = rewriter.constant(f"{node.output[0]}_pads", numpy.array(kept, numpy.int64))
        rewriter.nodes.append(rest)
    rewriter.nodes[-1].output[0] = node.output[0]
    return True


def exchange(rewriter: Rewriter, node: onnx.NodeProto, types: dict[str, typing.Any]) -> bool:
    """DepthToSpace and SpaceToDepth: blocks of `size` x `size` pixels are channels."""
    options = attributes_of(node)
    shape, size, places_first = shape_of(types.get(node.input[0])), options["blocksize"], options.get("mode", b"DCR") == b"DCR"
    if shape is None:
        return False
    images, channels, height, width = shape
    if node.op_type == "SpaceToDepth":
        split, order = [images, channels, height // size, size, width // size, size], [0, 3, 5, 1, 2, 4] if places_first else [0, 1, 3, 5, 2, 4]
        joined = [images, channels * size * size, height // size, width // size]
    else:
        channels //= size * size
        joined = [images, channels, height * size, width * size]
        split, order = [images, size, size, channels, height, width], [0, 3, 4, 1, 5, 2]
        if not places_first:
            split, order = [images, channels, size, size, height, width], [0, 1, 4, 2, 5, 3]
    name = node.output[0]
    value = rewriter.node("Reshape", [node.input[0], rewriter.constant(f"{name}_split", numpy.array(split, numpy.int64))], rewriter.fresh(f"{name}_blocks"))
    value = rewriter.node("Transpose", [value], rewriter.fresh(f"{name}_moved"), perm=order)
    rewriter.node("Reshape", [value, rewriter.constant(f"{name}_joined", numpy.array(joined, numpy.int64))], rewriter.fresh(f"{name}_whole"))
    rewriter.nodes[-1].output[0] = name
    return True


def scales_of(rewriter: Rewriter, node: onnx.NodeProto, options: dict[str, typing.Any], before: list[int], after: list[int],
              old: bool) -> list[float] | None:
    """The scale of each dimension: as given, else the ratio of the sizes. None if it is given, but not constant."""
    axes = options.get("axes", range(len(before)))
    scales = [size / extent if extent else 1. for extent, size in zip(before, after)]
    position = 1 if old else 2
    given = rewriter.array(node.input[position]) if len(node.input) > position and node.input[position] else numpy.zeros(0)
    policy = options.get("keep_aspect_ratio_policy", b"stretch")
    if given is None:
        return None
    if given.size == 0 and policy != b"stretch":
        sizes = rewriter.array(node.input[3])
        if sizes is None or 0 in before:
            return None
        given = [(min if policy == b"not_larger" else max)(size / before[axis] for axis, size in zip(axes, sizes))] * len(axes)
    for axis, scale in zip(axes, given):
        scales[axis] = float(scale)
    return scales


def regions_of(rewriter: Rewriter, node: onnx.NodeProto, options: dict[str, typing.Any], rank: int) -> dict[int, tuple[float, float]] | None:
    """The start and the end of the region that is resized, for each axis, as shares of the image. None if it is not constant."""
    region = rewriter.array(node.input[1]) if len(node.input) > 1 and node.input[1] else None
    if region is None or region.size % 2:
        return None
    starts, ends = numpy.split(region, 2)
    return {axis % rank: (float(start), float(end)) for axis, start, end in zip(options.get("axes", range(rank)), starts, ends)}


def places_in(region: tuple[float, float], extent: int, size: int) -> list[typing.Any]:
    """The place of each of `size` elements in a region of `extent` elements."""
    start, end = Number(region[0]), Number(region[1])
    if size == 1:
        return [Number(.5) * (start + end) * Number(extent - 1)]
    return [start * Number(extent - 1) + Number(i) * (end - start) * Number(extent - 1) / Number(size - 1) for i in range(size)]
