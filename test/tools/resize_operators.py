"""Writes resize.onnx, with a Resize operator in each of the modes that tpp.importing.resize rewrites, each with an output of its own, and the input x.npy:
resize_operators.py FOLDER. Runs in the environment of tools/import --setup."""
import pathlib
import sys

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

SHAPE = (1, 3, 7, 9)
PLACES = ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric")
ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")


def main():
    folder = pathlib.Path(sys.argv[1])
    nodes, constants, outputs = [], [], []

    def constant(values, dtype):
        constants.append(numpy_helper.from_array(numpy.array(values, dtype), f"c{len(constants)}"))
        return constants[-1].name

    def resize(scales=None, sizes=None, **attributes):
        inputs = ["x", "", constant(scales, numpy.float32) if scales else "", constant(sizes, numpy.int64) if sizes else ""]
        outputs.append(f"y{len(outputs)}")
        nodes.append(helper.make_node("Resize", inputs, [outputs[-1]], **attributes))

    for place in PLACES:
        resize(scales=(1, 1, 2, 1.7), mode="linear", coordinate_transformation_mode=place)
        resize(sizes=(1, 3, 4, 20), mode="linear", coordinate_transformation_mode=place)
        for rounding in ROUNDINGS:
            resize(scales=(1, 1, 2.4, .6), mode="nearest", coordinate_transformation_mode=place, nearest_mode=rounding)
    resize(sizes=(1, 3, 1, 1), mode="linear", coordinate_transformation_mode="pytorch_half_pixel")
    resize(scales=(3, 2), axes=[2, 3], mode="linear")

    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)
    results = [onnx.ValueInfoProto(name=name, type=helper.make_tensor_type_proto(TensorProto.FLOAT, None)) for name in outputs]
    model = helper.make_model(helper.make_graph(nodes, "resize", [given], results, constants), opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    x = numpy.random.default_rng(0).standard_normal(SHAPE).astype(numpy.float32)
    for output, result in zip(model.graph.output, onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x})):
        output.type.CopyFrom(helper.make_tensor_type_proto(TensorProto.FLOAT, result.shape))  # onnx.checker wants their shapes
    onnx.save(model, folder / "resize.onnx")
    numpy.save(folder / "x.npy", x)


main()
