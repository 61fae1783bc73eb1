"""Writes quantized.onnx, with every quantized operator that tpp.importing.quantized rewrites, each with an output of its own, and the input
x.npy: quantized_operators.py FOLDER [channels|softmax]. The second argument makes one of the operators impossible to import. Runs in the
environment of tools/import --setup."""
import pathlib
import sys

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

MICROSOFT = "com.microsoft"


class Graph:

    def __init__(self):
        self.nodes, self.constants, self.outputs = [], [], []
        self.random = numpy.random.default_rng(0)

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(numpy.asarray(value), name))
        return name

    def quantization(self, scale, zero_point=100, dtype=numpy.uint8):
        return [self.constant(numpy.array(scale, numpy.float32)), self.constant(numpy.array(zero_point, dtype))]

    def weights(self, shape, channels, axis, dtype):
        """Random weights with a scale and a zero point per channel. Small ones: ONNX Runtime saturates sums of two products on some CPUs."""
        low = 0 if dtype == numpy.uint8 else -30
        values = self.random.integers(low, 60, shape).astype(dtype)
        zeros = self.random.integers(20, 30, channels) if dtype == numpy.uint8 else numpy.zeros(channels)
        return [self.constant(values), self.constant(self.random.uniform(.005, .01, channels).astype(numpy.float32)), self.constant(zeros.astype(dtype))]

    def add(self, operator, inputs, domain="", dtype=TensorProto.UINT8, output=True, **attributes):
        name = f"{operator}{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], name=name, domain=domain, **attributes))
        if output:
            self.outputs.append((name, dtype))
        return name


def build():
    graph = Graph()
    fine, wide = graph.quantization(.0203), graph.quantization(.0517, 120)  # round numbers would make ties, which round either way
    image = graph.add("QuantizeLinear", ["x", *fine], output=False)
    bias = graph.constant(graph.random.integers(-900, 900, 6).astype(numpy.int32))
    convolution = graph.add("QLinearConv", [image, *fine, *graph.weights((6, 4, 3, 3), 6, 0, numpy.uint8), *wide, bias], pads=[1, 1, 1, 1])
    signed = graph.add("QLinearConv", [image, *fine, *graph.weights((6, 4, 3, 3), 6, 0, numpy.int8), *wide], pads=[1, 1, 1, 1])
    both = [convolution, *wide, signed, *wide]
    graph.add("QLinearAdd", [*both, *wide], MICROSOFT)
    graph.add("QLinearMul", [*both, *wide], MICROSOFT)
    graph.add("QLinearConcat", [*wide, *both, image, *fine], MICROSOFT, axis=1)
    condition = graph.constant(graph.random.integers(0, 2, (1, 6, 64, 64)).astype(bool))
    graph.add("QLinearWhere", [condition, *both, *wide], MICROSOFT)
    graph.add("QLinearLeakyRelu", [convolution, *wide, *wide], MICROSOFT, alpha=.25)
    graph.add("QLinearSigmoid", [convolution, *wide, *graph.quantization(1 / 256, 0)], MICROSOFT)
    graph.add("QLinearSoftmax", [convolution, *wide, *graph.quantization(1 / 256, 0)], MICROSOFT, axis=-1, opset=18)
    graph.add("QLinearAveragePool", [convolution, *wide, *fine], MICROSOFT, kernel_shape=[2, 2], strides=[2, 2])
    graph.add("MaxPool", [convolution], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    mean = graph.add("QLinearGlobalAveragePool", [convolution, *wide, *fine], MICROSOFT)
    row = graph.add("Reshape", [mean, graph.constant(numpy.array([1, 6], numpy.int64))], output=False)
    transposed = graph.weights((5, 6), 5, 0, numpy.int8)
    graph.add("QGemm", [row, *fine, *transposed, graph.constant(numpy.arange(5, dtype=numpy.int32)), *wide], MICROSOFT, transB=1, alpha=.5)
    graph.add("QGemm", [row, *fine, *graph.weights((6, 5), 5, 1, numpy.int8)], MICROSOFT, TensorProto.FLOAT)
    graph.add("QLinearMatMul", [row, *fine, *graph.weights((6, 7), (), -1, numpy.int8), *wide])
    graph.add("DequantizeLinear", [row, *fine], MICROSOFT, TensorProto.FLOAT)
    dynamic = [f"dynamic{i}" for i in range(3)]  # integers, scale, zero point
    graph.nodes.append(helper.make_node("DynamicQuantizeLinear", ["x"], dynamic, name="DynamicQuantizeLinear"))
    graph.outputs += zip(dynamic[:2], [TensorProto.UINT8, TensorProto.FLOAT])
    weights = graph.constant(graph.random.integers(-30, 60, (64, 5)).astype(numpy.int8))
    graph.add("MatMulInteger", [dynamic[0], weights, dynamic[2]], dtype=TensorProto.INT32)
    kernels = graph.constant(graph.random.integers(-30, 60, (6, 4, 3, 3)).astype(numpy.int8))
    graph.add("ConvInteger", [dynamic[0], kernels, dynamic[2]], dtype=TensorProto.INT32, pads=[1, 1, 1, 1])
    shapes = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, 64, 64])
    outputs = [onnx.ValueInfoProto(name=name, type=helper.make_tensor_type_proto(dtype, None)) for name, dtype in graph.outputs]
    proto = helper.make_graph(graph.nodes, "quantized", [shapes], outputs, graph.constants)
    return helper.make_model(proto, opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid(MICROSOFT, 1)], ir_version=8)


def change(model, what):
    """Makes one operator impossible to express in float operators."""
    nodes = {each.op_type: each for each in model.graph.node}
    if what == "channels":
        nodes["QLinearAveragePool"].attribute.append(helper.make_attribute("channels_last", 1))
    elif what == "softmax":
        next(each for each in nodes["QLinearSoftmax"].attribute if each.name == "opset").i = 11
        next(each for each in nodes["QLinearSoftmax"].attribute if each.name == "axis").i = 1


def main():
    folder = pathlib.Path(sys.argv[1])
    model = build()
    x = numpy.random.default_rng(1).standard_normal((1, 4, 64, 64)).astype(numpy.float32)
    results = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x})
    for output, result in zip(model.graph.output, results):  # onnx.checker wants their shapes
        output.type.CopyFrom(helper.make_tensor_type_proto(output.type.tensor_type.elem_type, result.shape))
    for what in sys.argv[2:]:
        change(model, what)
    onnx.save(model, folder / "quantized.onnx")
    numpy.save(folder / "x.npy", x)


main()
