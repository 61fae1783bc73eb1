"""Rewrites quantized operators of ONNX (QLinearConv and similar ones, also of com.microsoft) as float operators between DequantizeLinear and
QuantizeLinear, the form that torch-mlir reads and that TPP compiles to arithmetic on 8-bit integers.

Sources: the operator documentation of ONNX, and ContribOperators.md of ONNX Runtime for the domain com.microsoft."""
import collections

import numpy
from onnx import TensorProto

from tpp.importing.onnx_graph import Rewriter, attributes_of, element, opset_of, rewrite
from tpp.importing.problem import Problem

# How a quantized operator is built. `operator` is its float form. `values` has the positions of the quantized operands, each followed by its
# scale and zero point; `plain` those of operands that stay as they are. `result` is the position of the result's scale, followed by its zero
# point. `bias` is the position of an operand in 32-bit integers, whose scale is the product of the first two operands' scales
# (times alpha for QGemm).
Form = collections.namedtuple("Form", "operator values result bias plain", defaults=(None, ()))

FORMS = {
    ("", "QLinearConv"): Form("Conv", (0, 3), 6, bias=8),
    ("", "QLinearMatMul"): Form("MatMul", (0, 3), 6),
    ("com.microsoft", "QGemm"): Form("Gemm", (0, 3), 7, bias=6),
    ("com.microsoft", "QLinearAdd"): Form("Add", (0, 3), 6),
    ("com.microsoft", "QLinearMul"): Form("Mul", (0, 3), 6),
    ("com.microsoft", "QLinearLeakyRelu"): Form("LeakyRelu", (0, ), 3),
    ("com.microsoft", "QLinearSigmoid"): Form("Sigmoid", (0, ), 3),
    ("com.microsoft", "QLinearSoftmax"): Form("Softmax", (0, ), 3),
    ("com.microsoft", "QLinearAveragePool"): Form("AveragePool", (0, ), 3),
    ("com.microsoft", "QLinearGlobalAveragePool"): Form("GlobalAveragePool", (0, ), 3),
    ("com.microsoft", "QLinearWhere"): Form("Where", (1, 4), 7, plain=(0, )),
}
CONCAT = ("com.microsoft", "QLinearConcat")  # scale and zero point of the result, then any number of quantized operands
# Operators that compare values. torch-mlir compares unsigned integers as if they were signed.
COMPARING = ("MaxPool", "Max", "Min", "Clip", "ReduceMax", "ReduceMin", "ArgMax", "ArgMin", "TopK", "Greater", "GreaterOrEqual", "Less",
             "LessOrEqual")
RENAMED = ("QuantizeLinear", "DequantizeLinear")  # com.microsoft has both with the meaning that ONNX gives them


class Quantization(Rewriter):
    """Also knows which values have been dequantized."""

    def __init__(self, graph, opset):
        super().__init__(graph, opset)
        self.dequantized = {}

    def dequantize(self, value, scale, zero_point, axis):
        """DequantizeLinear of a value. `axis` is the dimension of the scales if there is more than one."""
        scales = self.array(scale)
        if scales is None or scales.size == 1:
            attributes = {}
        elif self.opset < 13:
            raise Problem(f"'{value}' is quantized per channel; ONNX has DequantizeLinear for that from opset 13 on, the file has opset "
                          f"{self.opset} (onnx.version_converter converts it)")
        elif value not in self.constants:
            raise Problem(f"'{value}' has a scale per channel but is not constant, which is unsupported")
        else:
            attributes = {"axis": axis % len(self.constants[value].dims)}  # torch-mlir does not accept a negative one
        inputs = [value, scale, zero_point]
        key = (*inputs, *attributes.values())
        if key not in self.dequantized:
            self.dequantized[key] = self.node("DequantizeLinear", inputs, self.fresh(f"{value}_dequantized"), **attributes)
        return self.dequantized[key]

    def zeros(self, scale, dtype):
        """Zero points of integers with these scales. torch-mlir does not accept DequantizeLinear without zero points."""
        scales = self.array(scale)
        return self.constant(f"{scale}_zeros", numpy.zeros(() if scales is None else scales.shape, dtype))

    def product(self, left, right, factor):
        """The product of two scales and a factor, computed here if both are constants. Returns its name."""
        values = self.array(left), self.array(right)
        if values[0] is not None and values[1] is not None:
            return self.constant(f"{right}_bias", (values[0] * values[1] * numpy.float32(factor)).astype(numpy.float32))
        if factor != 1 or any(value is not None and value.size > 1 for value in values):
            raise Problem(f"the scales '{left}' and '{right}' of an operator with a bias must be constants, because alpha is not 1 or a scale is per "
                          "channel")
        return self.node("Mul", [left, right], self.fresh(f"{right}_bias"))

    def rewrite(self, node, form):
        attributes = attributes_of(node)
        given = list(node.input) + [""] * 9
        self.complete(node, given, [at + 2 for at in form.values] + ([form.result + 1] if given[form.result] else []))
        if attributes.pop("channels_last", 0):
            raise Problem(f"'{node.name}' ({node.op_type}) uses channels_last; only NCHW is supported")
        if form.operator == "Softmax" and min(attributes.pop("opset", self.opset), self.opset) < 13 and attributes.setdefault("axis", -1) != -1:
            raise Problem(f"'{node.name}' ({node.op_type}) is Softmax of an opset before 13, which flattens its input; quantize a model of "
                          "opset 13 or later")
        axes = [-1] * len(form.values)
        if form.operator == "Conv":
            axes[1] = 0
        elif form.operator == "Gemm":
            axes[1] = 0 if attributes.get("transB", 0) else 1
        elif form.operator == "MatMul":
            axes[0] = -2
        values = [self.dequantize(*given[at:at + 3], axis) for at, axis in zip(form.values, axes)]
        inputs = [given[at] for at in form.plain] + values
        if form.bias is not None and given[form.bias]:
            scale = self.product(given[form.values[0] + 1], given[form.values[1] + 1], attributes.get("alpha", 1.0))
            inputs.append(self.dequantize(given[form.bias], scale, self.zeros(scale, numpy.int32), -1))
        self.finish(form.operator, inputs, node.output[0], given[form.result:form.result + 2], attributes)

    def complete(self, node, given, positions):
        """Adds missing zero points: 0, of the type of the first constant zero point."""
        known = next((self.array(given[at]) for at in positions if given[at] in self.constants), None)
        for at in positions:
            if not given[at] and known is None:
                raise Problem(f"'{node.name}' ({node.op_type}) lacks a zero point, and no other one is constant, so that the type of its integers is "
                              "unknown")
            given[at] = given[at] or self.zeros(given[at - 1], known.dtype)

    def rewrite_concat(self, node):
        given = list(node.input) + [""] * (-(len(node.input) - 2) % 3)
        self.complete(node, given, range(1, len(given), 3) if len(given) > 2 else [])
        values = [self.dequantize(*given[at:at + 3], -1) for at in range(2, len(given), 3)]
        self.finish("Concat", values, node.output[0], given[:2], attributes_of(node))

    def finish(self, operator, inputs, output, quantization, attributes):
        """Adds the float operator and, if its result has a scale (QGemm's is optional), QuantizeLinear."""
        if not quantization[0]:
            self.node(operator, inputs, output, **attributes)
            return
        result = self.node(operator, inputs, self.fresh(f"{output}_float"), **attributes)
        self.node("QuantizeLinear", [result, *quantization], output)

    def sign_weights(self, node):
        """Turns unsigned weights with a zero point per channel into signed ones: torch-mlir reads such zero points as signed."""
        weights, zeros = (self.array(node.input[0]), self.array(node.input[2])) if len(node.input) == 3 else (None, None)
        if weights is None or zeros is None or weights.dtype != numpy.uint8 or zeros.size == 1:
            return
        for at, value in ((0, weights), (2, zeros)):
            node.input[at] = self.constant(f"{node.input[at]}_signed", (value.astype(numpy.int16) - 128).astype(numpy.int8))


def remove_quantized_operators(proto):
    """Rewrites the quantized operators of a model in place. Raises Problem for those that cannot be expressed in float operators."""
    rewriter = Quantization(proto.graph, opset_of(proto))
    for node in proto.graph.node:
        kind = (node.domain if node.domain != "ai.onnx" else "", node.op_type)
        if kind in FORMS:
            rewriter.rewrite(node, FORMS[kind])
        elif kind == CONCAT:
            rewriter.rewrite_concat(node)
        else:
            if node.op_type in RENAMED and node.domain == "com.microsoft":
                node.domain = ""
            rewriter.nodes.append(node)
    for node in rewriter.nodes:
        if node.op_type == "DequantizeLinear":
            rewriter.sign_weights(node)
    rewriter.commit()


def compare_as_float(proto):
    """Inserts conversions to and from f32, which are exact, around comparisons of unsigned 8-bit integers; see `rewrite`."""
    units = []  # scale and zero point of the conversions

    def convert(rewriter, node, types):
        if element(types, node.input[0]) != TensorProto.UINT8:
            return False
        if not units:
            units.extend((rewriter.constant("one", numpy.array(1, numpy.float32)), rewriter.constant("zero", numpy.array(0, numpy.uint8))))
        inputs = [rewriter.dequantize(each, *units, 0) if element(types, each) == TensorProto.UINT8 else each for each in node.input]
        del node.input[:]
        node.input.extend(inputs)
        rewriter.nodes.append(node)
        output = node.output[0]
        if element(types, output) == TensorProto.UINT8:
            node.output[0] = rewriter.fresh(f"{output}_float")
            rewriter.node("QuantizeLinear", [node.output[0], *units], output)
        return True

    return rewrite(proto, dict.fromkeys(COMPARING, convert), Quantization)
