"""Rewrites the operators of ONNX that resize images (Resize, Upsample) or continue them at their edges (Pad) as selections of rows and columns at constant
indices, and means of neighbours: the form in which TPP resizes images, and that of tpp.importing.decompositions for PyTorch.

Source: the operator documentation of ONNX."""
from __future__ import annotations

import collections.abc
import math
import typing

import numpy
import onnx

from tpp.importing.quantized import Rewriter, opset_of

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


# The element among `extent` that padding repeats at place i, which may be outside.
EDGES: dict[str, collections.abc.Callable[[int, int], int]] = {
    "edge": lambda i, extent: min(max(i, 0), extent - 1),
    "reflect": lambda i, extent: (extent - 1 - abs(extent - 1 - i % (2 * extent - 2))) if extent > 1 else 0,
    "wrap": lambda i, extent: i % extent,
}


def select_pixels(proto: onnx.ModelProto) -> bool:
    """Rewrites the operators whose sizes are known after shape inference. Leaves those with other modes (cubic, cropped, antialiased; constant padding) as
    they are. Returns whether any has been rewritten."""
    graph = proto.graph
    types = {each.name: each.type.tensor_type for each in (*graph.input, *graph.value_info, *graph.output)}
    types.update({each.name: onnx.helper.make_tensor_type_proto(each.data_type, each.dims).tensor_type for each in graph.initializer})
    rewriter, rewritten = Rewriter(graph, opset_of(proto)), False
    rewrites = {"Resize": resize, "Upsample": resize, "Pad": pad}
    for node in graph.node:
        if node.op_type in rewrites and node.domain in ("", "ai.onnx") and rewrites[node.op_type](rewriter, node, types):
            rewritten = True
        else:
            rewriter.nodes.append(node)
    if rewritten:
        rewriter.commit()
    return rewritten


def resize(rewriter: Rewriter, node: onnx.NodeProto, types: dict[str, typing.Any]) -> bool:
    options = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
    text = {name: value.decode() for name, value in options.items() if isinstance(value, bytes)}
    old = node.op_type == "Upsample" or rewriter.opset < 11
    place = PLACES.get("asymmetric" if old else text.get("coordinate_transformation_mode", "half_pixel"))
    rounding = ROUNDINGS.get("floor" if old else text.get("nearest_mode", "round_prefer_floor"))
    mode = text.get("mode", "nearest")
    before, after = shape_of(types.get(node.input[0])), shape_of(types.get(node.output[0]))
    refused = options.get("antialias") or options.get("exclude_outside") or text.get("keep_aspect_ratio_policy", "stretch") != "stretch"
    if before is None or after is None or len(before) != len(after) or place is None or rounding is None or refused:
        return False
    kind = types[node.input[0]].elem_type
    if mode == "nearest":
        linear = False
    elif mode in ("linear", "bilinear", "trilinear") and kind in FLOATS:
        linear = True
    else:
        return False
    if "height_scale" in options:  # Upsample of the first version
        return False
    scales = options["scales"] if "scales" in options else scales_of(rewriter, node, options.get("axes"), before, after, old)
    if scales is None:
        return False
    if old and not linear and any(scale < 1 for scale in scales):  # which pixel is taken differs between runtimes
        return False
    changed = [dim for dim, (extent, size) in enumerate(zip(before, after)) if extent != size or scales[dim] != 1]
    if not changed or 0 in before or 0 in after:
        return False
    name, corners, weights = node.output[0], [node.input[0]], []
    for dim in changed:
        places = [place(Number(i), Number(scales[dim]), before[dim], after[dim]) for i in range(after[dim])]
        if linear:
            places = [min(max(each, Number(0)), Number(before[dim] - 1)) for each in places]
            low = [math.floor(each) for each in places]
            lists = [low, [min(each + 1, before[dim] - 1) for each in low]]
            weight = numpy.array(places) - low
            weights.append(weight.astype(onnx.helper.tensor_dtype_to_np_dtype(kind)).reshape([-1] + [1] * (len(before) - 1 - dim)))
        else:
            lists = [[min(max(rounding(each), 0), before[dim] - 1) for each in places]]
        indices = [rewriter.constant(f"{name}_indices", numpy.array(each, numpy.int64)) for each in lists]
        corners = [rewriter.node("Gather", [each, index], rewriter.fresh(f"{name}_selected"), axis=dim) for each in corners for index in indices]
    for weight in reversed(weights):
        factor, blended = rewriter.constant(f"{name}_weights", weight), []
        for low_corner, high_corner in zip(corners[::2], corners[1::2]):
            difference = rewriter.node("Sub", [high_corner, low_corner], rewriter.fresh(f"{name}_difference"))
            part = rewriter.node("Mul", [difference, factor], rewriter.fresh(f"{name}_part"))
            blended.append(rewriter.node("Add", [low_corner, part], rewriter.fresh(f"{name}_mean")))
        corners = blended
    rewriter.nodes[-1].output[0] = name
    return True


def pad(rewriter: Rewriter, node: onnx.NodeProto, types: dict[str, typing.Any]) -> bool:
    options = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
    edge, shape = EDGES.get(options.get("mode", b"constant").decode()), shape_of(types.get(node.input[0]))
    pads = options.get("pads") if rewriter.opset < 11 else rewriter.array(node.input[1])
    axes = range(len(shape or ()))
    if len(node.input) > 3 and node.input[3]:
        axes = rewriter.array(node.input[3])
    if edge is None or shape is None or pads is None or axes is None or 0 in shape:
        return False
    value = node.input[0]
    for axis, before, after in zip(axes, pads[:len(axes)], pads[len(axes):]):
        extent = shape[axis]
        if before == after == 0:
            continue
        places = numpy.array([edge(int(i), extent) for i in range(-before, extent + after)], numpy.int64)
        index = rewriter.constant(f"{node.output[0]}_indices", places)
        value = rewriter.node("Gather", [value, index], rewriter.fresh(f"{node.output[0]}_selected"), axis=int(axis) % len(shape))
    if value == node.input[0]:
        return False
    rewriter.nodes[-1].output[0] = node.output[0]
    return True


def shape_of(kind: typing.Any) -> list[int] | None:
    if kind is None or not kind.HasField("shape") or not all(dim.HasField("dim_value") for dim in kind.shape.dim):
        return None
    return [dim.dim_value for dim in kind.shape.dim]


def scales_of(rewriter: Rewriter, node: onnx.NodeProto, axes: list[int] | None, before: list[int], after: list[int], old: bool) -> list[float] | None:
    """The scale of each dimension: as given, else the ratio of the sizes. None if it is given, but not constant."""
    ratios = [size / extent if extent else 1. for extent, size in zip(before, after)]
    position = 1 if old else 2
    if len(node.input) <= position or not node.input[position]:
        return ratios
    given = rewriter.array(node.input[position])
    if given is None:
        return None
    if given.size == 0:
        return ratios
    scales = [1.] * len(before)
    for axis, scale in zip(axes if axes is not None else range(len(before)), given):
        scales[axis] = float(scale)
    return scales
