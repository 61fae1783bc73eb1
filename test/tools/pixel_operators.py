"""Writes models with the operators that tpp.importing.pixels rewrites, each with an output of its own, and the input x.npy: resize.onnx has Resize in all modes,
one.onnx a single one that becomes one node, pad.onnx Pad in all modes, blocks.onnx DepthToSpace and SpaceToDepth, old.onnx Upsample and Pad of an old
opset. pixel_operators.py FOLDER. Runs in the
environment of tools/import --setup."""
import pathlib
import sys

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

SHAPE = (1, 3, 7, 9)
PLACES = ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric")
ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")


class Model:

    def __init__(self):
        self.nodes, self.constants, self.outputs = [], [], []

    def constant(self, values, dtype):
        if values is None:
            return ""
        self.constants.append(numpy_helper.from_array(numpy.array(values, dtype), f"c{len(self.constants)}"))
        return self.constants[-1].name

    def add(self, operator, inputs, **attributes):
        self.outputs.append(f"y{len(self.outputs)}")
        self.nodes.append(helper.make_node(operator, ["x", *inputs], [self.outputs[-1]], **attributes))

    def resize(self, scales=None, sizes=None, **attributes):
        self.add("Resize", ["", self.constant(scales, numpy.float32), self.constant(sizes, numpy.int64)], **attributes)

    def pad(self, pads, axes=None, value=None, **attributes):
        self.add("Pad", [self.constant(pads, numpy.int64), self.constant(value, numpy.float32), self.constant(axes, numpy.int64)], **attributes)

    def save(self, path, opset, x):
        given = helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)
        results = [onnx.ValueInfoProto(name=name, type=helper.make_tensor_type_proto(TensorProto.FLOAT, None)) for name in self.outputs]
        graph = helper.make_graph(self.nodes, path.stem, [given], results, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
        for output, result in zip(model.graph.output, onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x})):
            output.type.CopyFrom(helper.make_tensor_type_proto(TensorProto.FLOAT, result.shape))  # onnx.checker wants their shapes
        onnx.save(model, path)


def main():
    folder = pathlib.Path(sys.argv[1])
    x = numpy.random.default_rng(0).standard_normal(SHAPE).astype(numpy.float32)
    numpy.save(folder / "x.npy", x)
    model = Model()
    for place in PLACES:
        model.resize(scales=(1, 1, 2, 1.7), mode="linear", coordinate_transformation_mode=place)
        model.resize(sizes=(1, 3, 4, 20), mode="linear", coordinate_transformation_mode=place)
        model.resize(scales=(1, 1, 2, 1.7), mode="cubic", coordinate_transformation_mode=place)
        model.resize(sizes=(1, 3, 4, 20), mode="cubic", coordinate_transformation_mode=place, exclude_outside=1, cubic_coeff_a=-.5)
        for rounding in ROUNDINGS:
            model.resize(scales=(1, 1, 2.4, .6), mode="nearest", coordinate_transformation_mode=place, nearest_mode=rounding)
    model.resize(sizes=(1, 3, 1, 1), mode="linear", coordinate_transformation_mode="pytorch_half_pixel")
    model.resize(scales=(3, 2), axes=[2, 3], mode="linear")
    model.save(folder / "resize.onnx", 18, x)
    one = Model()
    one.resize(scales=(1, 1, 1, 2), mode="nearest")
    one.save(folder / "one.onnx", 18, x)
    pad = Model()
    for mode in ("edge", "reflect", "wrap"):
        pad.pad((0, 0, 2, 3, 0, 0, 1, 4), mode=mode)
        pad.pad((1, 2), axes=[-1], mode=mode)
    pad.pad((0, 0, -2, 3, 0, 0, 1, -4), mode="edge")
    pad.pad((1, 2), axes=[2], value=5, mode="constant")
    pad.save(folder / "pad.onnx", 19, x)
    blocks = Model()
    for mode in ("DCR", "CRD"):
        blocks.nodes.append(helper.make_node("Concat", ["x", "x", "x", "x"], [f"deep_{mode}"], axis=1))
        blocks.outputs.append(f"y{mode}")
        blocks.nodes.append(helper.make_node("DepthToSpace", [f"deep_{mode}"], [f"y{mode}"], blocksize=2, mode=mode))
    blocks.outputs.append("yspace")
    blocks.nodes.append(helper.make_node("SpaceToDepth", ["yCRD"], ["yspace"], blocksize=2))
    blocks.save(folder / "blocks.onnx", 13, x)
    old = Model()
    for mode in ("nearest", "linear"):
        old.add("Upsample", [old.constant((1, 1, 2, 1.7), numpy.float32)], mode=mode)
    old.add("Upsample", [old.constant((1, 1, 2, 3), numpy.float32)])
    old.add("Pad", [], pads=[0, 0, 2, 0, 0, 0, 0, 3], mode="reflect")
    old.save(folder / "old.onnx", 9, x)


main()
