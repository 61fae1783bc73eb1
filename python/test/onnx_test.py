"""Tests of tpp.compile with ONNX files, against ONNX's reference implementation."""
import math
import os
import tempfile
import unittest
import warnings

import numpy
import onnx
import onnx_operators
import tpp
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases
from onnx.reference import ReferenceEvaluator


def make_model(batch):
    random = numpy.random.default_rng(0)
    weights = {
        "filter": random.standard_normal((16, 3, 3, 3)), "bias": random.standard_normal(16), "matrix": random.standard_normal((256, 10)),
        "offset": random.standard_normal(10)
    }
    nodes = [
        helper.make_node("Conv", ["x", "filter", "bias"], ["a"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("MaxPool", ["b"], ["c"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["c"], ["d"]),
        helper.make_node("Gemm", ["d", "matrix", "offset"], ["y"]),
        helper.make_node("Softmax", ["y"], ["z"], axis=-1),
    ]
    graph = helper.make_graph(nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [batch, 3, 8, 8])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [batch, 10]),
                               helper.make_tensor_value_info("z", TensorProto.FLOAT, [batch, 10])],
                              [numpy_helper.from_array(value.astype(numpy.float32), name) for name, value in weights.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def names(count):
    """Of sizes that are not known, in ONNX's textual form."""
    return ", ".join(f"n{number}" for number in range(count))


class OnnxTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def save(self, model, name="net.onnx"):
        path = os.path.join(self.folder, name)
        onnx.save(model, path)
        return path

    def compare(self, model, onnx_model, batch):
        x = numpy.random.default_rng(1).standard_normal((batch, 3, 8, 8)).astype(numpy.float32)
        for actual, expected in zip(model(x), ReferenceEvaluator(onnx_model).run(None, {"x": x}), strict=True):
            numpy.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)

    def test_a_network(self):
        onnx_model = make_model(2)
        model = tpp.compile(self.save(onnx_model), threads=2)
        self.assertEqual([str(each) for each in model.signature.inputs], ["2x3x8x8xf32"])
        # The large constants are weights: nobody prints or parses them.
        self.assertEqual([each.shape for each in model.signature.arguments if each.is_weight], [(16, 3, 3, 3), (256, 10)])
        self.compare(model, onnx_model, 2)

    def test_dynamic_sizes(self):
        onnx_model = make_model("batch")
        path = self.save(onnx_model)
        for batch in (1, 3):
            self.compare(tpp.compile(path, shapes=[(batch, 3, 8, 8)]), onnx_model, batch)
        with self.assertRaisesRegex(tpp.CompileError, r"input 'x' has dynamic sizes \(batch\).* shapes=\[\(1, 3, 8, 8\)\]"):
            tpp.compile(path)
        onnx_model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = -1  # of some exporters
        self.compare(tpp.compile(self.save(onnx_model, "other.onnx"), shapes=[(2, 3, 8, 8)]), make_model(2), 2)
        with self.assertRaisesRegex(tpp.CompileError, r"input 'x' has dynamic sizes \(\?\).* shapes=\[\(1, 3, 8, 8\)\]"):
            tpp.compile(self.save(onnx_model, "other.onnx"))
        with self.assertRaisesRegex(tpp.CompileError, "input 'x' has a size of 8 where 9 is given"):
            tpp.compile(path, shapes=[(1, 3, 9, 8)])
        with self.assertRaisesRegex(tpp.CompileError, "shapes names 2 inputs, the model has 1: x"):
            tpp.compile(path, shapes=[(1, 3, 8, 8)] * 2)

    def test_padding_that_takes_away(self):
        for opset in (9, 13, 18):
            for before, after in (((0, 1), (0, -1)), ((1, -1), (-1, 1)), ((-1, 0), (-2, 0)), ((-1, 2), (-1, 3)), ((-1, -1), (-1, -1))):
                constants = [numpy_helper.from_array(numpy.array([0, 0, *before, 0, 0, *after]), "pads"),
                             numpy_helper.from_array(numpy.float32(1.5).reshape(()), "value")]
                node = helper.make_node("Pad", ["x", "pads", "value"], ["y"])
                if opset < 11:
                    constants, node = [], helper.make_node("Pad", ["x"], ["y"], pads=[0, 0, *before, 0, 0, *after], value=1.5)
                shape = [2, 3, *(8 + a + b for a, b in zip(before, after))]
                graph = helper.make_graph([node], "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3, 8, 8])],
                                          [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)], constants)
                model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
                x = numpy.random.default_rng(1).standard_normal((2, 3, 8, 8)).astype(numpy.float32)
                kept = x[:, :, max(-before[0], 0):8 + min(after[0], 0), max(-before[1], 0):8 + min(after[1], 0)]
                expected = numpy.pad(kept, [(0, 0)] * 2 + [(max(a, 0), max(b, 0)) for a, b in zip(before, after)], constant_values=1.5)
                with self.subTest(opset=opset, before=before, after=after):
                    numpy.testing.assert_array_equal(tpp.compile(self.save(model))(x), expected)

    def test_order(self):
        """TopK and ScatterND, which become loops."""

        def make(kind):
            nodes = [helper.make_node("TopK", ["x", "k"], ["values", "places"], axis=1),
                     helper.make_node("ScatterND", ["values", "at", "new"], ["y"], reduction="add")]
            new = numpy.array([10, 20, 30], helper.tensor_dtype_to_np_dtype(kind))
            graph = helper.make_graph(nodes, "net", [helper.make_tensor_value_info("x", kind, [3, 5])],
                                      [helper.make_tensor_value_info("y", kind, [3, 2]), helper.make_tensor_value_info("places", TensorProto.INT64, [3, 2])],
                                      [numpy_helper.from_array(numpy.array([2]), "k"), numpy_helper.from_array(numpy.array([[0, 1], [-1, 0], [0, 1]]), "at"),
                                       numpy_helper.from_array(new, "new")])
            return self.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9))

        y, places = tpp.compile(make(TensorProto.INT64))(numpy.array([[1, 5, 3, 2, 4], [-9, 1 << 40, -7, -6, -8], [0, 3, 1, 4, 2]]))
        numpy.testing.assert_array_equal(y, numpy.array([[5, 44], [1 << 40, -6], [24, 3]]))
        numpy.testing.assert_array_equal(places, [[1, 4], [1, 3], [3, 1]])
        with self.assertRaisesRegex(tpp.CompileError, r"\(TopK\) is not supported: integers without a sign"):
            tpp.compile(make(TensorProto.UINT64))

    def test_weights_in_another_file(self):
        onnx_model = make_model(1)
        path = os.path.join(self.folder, "external.onnx")
        onnx.save_model(onnx_model, path, save_as_external_data=True, location="external.data", size_threshold=0)
        self.compare(tpp.compile(path), make_model(1), 1)

    def test_quantized_operators(self):
        scale, zero = numpy_helper.from_array(numpy.float32(0.05), "s"), numpy_helper.from_array(numpy.uint8(128), "o")
        matrix = numpy_helper.from_array(numpy.random.default_rng(0).integers(0, 256, (64, 32), numpy.uint8), "w")
        graph = helper.make_graph([helper.make_node("QLinearMatMul", ["x", "s", "o", "w", "s", "o", "t", "o"], ["y"])], "q",
                                  [helper.make_tensor_value_info("x", TensorProto.UINT8, [4, 64])],
                                  [helper.make_tensor_value_info("y", TensorProto.UINT8, [4, 32])],
                                  [scale, zero, matrix, numpy_helper.from_array(numpy.float32(2), "t")])
        onnx_model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
        x = numpy.random.default_rng(1).integers(0, 256, (4, 64), numpy.uint8)
        actual = tpp.compile(self.save(onnx_model))(x)
        expected, = ReferenceEvaluator(onnx_model).run(None, {"x": x})
        self.assertEqual(actual.dtype, numpy.uint8)
        self.assertLessEqual(numpy.abs(actual.astype(int) - expected.astype(int)).max(), 1)

    def test_signs_of_integers(self):
        random = numpy.random.default_rng(0)
        scale, matrix = numpy_helper.from_array(numpy.float32(0.05), "s"), random.integers(-127, 128, (64, 32)).astype(numpy.int8)
        nodes = [
            helper.make_node("DequantizeLinear", ["w", "s", "o"], ["f"]),
            helper.make_node("MatMul", ["x", "f"], ["y"]),
            helper.make_node("QuantizeLinear", ["y", "t", "u"], ["z"]),
        ]
        graph = helper.make_graph(nodes, "q", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 64])],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4, 32]),
                                   helper.make_tensor_value_info("z", TensorProto.UINT8, [4, 32])],
                                  [scale, numpy_helper.from_array(numpy.int8(0), "o"), numpy_helper.from_array(matrix, "w"),
                                   numpy_helper.from_array(numpy.float32(0.3), "t"), numpy_helper.from_array(numpy.uint8(128), "u")])
        onnx_model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
        x = random.standard_normal((4, 64)).astype(numpy.float32)
        model = tpp.compile(self.save(onnx_model))
        y, z = model(x)
        expected = ReferenceEvaluator(onnx_model).run(None, {"x": x})
        numpy.testing.assert_allclose(y, expected[0], rtol=1e-4, atol=1e-3)
        self.assertEqual((z.dtype, str(model.signature.results[1])), (numpy.uint8, "4x32xui8"))
        self.assertLessEqual(numpy.abs(z.astype(int) - expected[1].astype(int)).max(), 1)
        model.save(os.path.join(self.folder, "m.tpp"))
        loaded = tpp.load(os.path.join(self.folder, "m.tpp"))
        self.assertEqual(str(loaded.signature), str(model.signature))
        numpy.testing.assert_array_equal(loaded(x)[1], z)
        with self.assertRaisesRegex(TypeError, "out.*int8"):
            loaded(x, out=(numpy.empty((4, 32), numpy.float32), numpy.empty((4, 32), numpy.int8)))

    def compile_text(self, text, arrays):
        """Compiles a model in ONNX's textual form, and compares its results."""
        model = onnx.parser.parse_model(text)
        names = [each.name for each in model.graph.input]
        actual = tpp.compile(self.save(model))(*arrays)
        for one, other in zip(actual if isinstance(actual, tuple) else (actual, ), ReferenceEvaluator(model).run(None, dict(zip(names, arrays))), strict=True):
            numpy.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)

    def test_operators_with_a_definition(self):
        random = numpy.random.default_rng(0)
        q, k, v = (random.standard_normal((2, 3, 8, 16)).astype(numpy.float32) for _ in range(3))
        head = '<ir_version: 11, opset_import: ["" : 24]> net '
        self.compile_text(head + """(float[2,3,8,16] q, float[2,3,8,16] k, float[2,3,8,16] v) => (float[2,3,8,16] y)
            { y = Attention<is_causal = 1, softcap = 2.0>(q, k, v) }""", [q, k, v])
        cache, mask = q[:, :, :5], numpy.tri(8, 13, 5).astype(bool)
        self.compile_text(head + """(float[2,3,8,16] q, float[2,3,8,16] k, float[2,3,8,16] v, bool[8,13] m, float[2,3,5,16] p, float[2,3,5,16] r) =>
            (float[2,3,8,16] y, float[2,3,13,16] a, float[2,3,13,16] b) { y, a, b = Attention(q, k, v, m, p, r) }""", [q, k, v, mask, cache, cache])
        self.compile_text(head + """(float[2,3,8,16] x, float[16] w) => (float[2,3,8,16] y) { n = RMSNormalization<axis = -1>(x, w) y = Swish(n) }""",
                          [q, k[0, 0, 0]])
        self.compile_text(head + """(float[2,2,3] x) => (float[2,4,5,2] y) <int64[4] size = {2, 7, 4, 5}> { y = AffineGrid(x, size) }""",
                          [random.standard_normal((2, 2, 3)).astype(numpy.float32)])

    def test_cases_of_onnx(self):
        names = """attention_4d_gqa_with_past_and_present attention_3d_diff_heads_sizes_softcap attention_4d_attn_mask_bool_4d rotary_embedding_3d_input
            rms_normalization_3d_axis_negative_2_epsilon swiglu_alpha gru_reverse gru_bidirectional simple_rnn_bidirectional lstm_reverse matmul_1d_3d
            matmul_4d_1d gridsample_bicubic gridsample_reflection_padding gridsample_zeros_padding gridsample_volumetric_nearest_align_corners_1
            gridsample_nearest_align_corners_0_additional_1 reversesequence_batch reversesequence_time resize_downsample_scales_linear_antialias
            resize_downsample_sizes_cubic_antialias resize_tf_crop_and_resize_extrapolation_value resize_tf_crop_and_resize_axes_3_2
            resize_downsample_sizes_nearest_not_larger reduce_sum_keepdims_random slice_neg convtranspose_autopad_same convtranspose_group_2"""
        wanted = {f"test_{name}" for name in names.split()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cases = [case for case in collect_testcases(None) if case.name in wanted]
        self.assertEqual({case.name for case in cases}, wanted)
        for case in cases:
            with self.subTest(case.name):
                self.assertEqual(onnx_operators.run(case), ("equal", ""))

    def test_branches_with_the_same_names(self):
        x = numpy.arange(4, dtype=numpy.float32)
        self.compile_text("""<ir_version: 9, opset_import: ["" : 17]> net (float[4] x) => (float[4] y, float[4] z) <bool yes = {1}> {
            y = If(yes) <then_branch = a () => (float[4] r) { c = Constant<value = float {2.0}>() e = Neg(c) r = Mul(x, e) },
                         else_branch = b () => (float[4] s) { s = Neg(x) }>
            z = If(yes) <then_branch = a () => (float[4] r) { c = Constant<value = float {3.0}>() e = Neg(c) r = Mul(x, e) },
                         else_branch = b () => (float[4] s) { s = Neg(x) }> }""", [x])

    def test_constants_of_all_kinds(self):
        x = numpy.arange(10, dtype=numpy.float32).reshape(2, 5)
        head = '<ir_version: 9, opset_import: ["" : 17]> net (float[2,5] x) => '
        self.compile_text(head + '(float[2,10] y) { s = Constant<value_floats = [1.0, 2.0]>() y = Resize<mode = "linear">(x, , s) }', [x])
        # Of pads that take elements away, ONNX's reference has none.
        for mode, first in (("constant", 0), ("edge", x[:, :1])):
            model = onnx.parser.parse_model(head + f'(float[2,5] y) {{ p = Constant<value_ints = [0, 1, 0, -1]>() y = Pad<mode = "{mode}">(x, p) }}')
            expected = numpy.concatenate([numpy.broadcast_to(first, (2, 1)), x[:, :-1]], 1)
            numpy.testing.assert_array_equal(tpp.compile(self.save(model))(x), expected)

    def test_inputs_that_nothing_reads(self):
        model = onnx.parser.parse_model('<ir_version: 9, opset_import: ["" : 17]> net (uint8[4] x, uint8 zero) => (uint8[4] y) { y = Max(x, x) }')
        self.assertEqual(len(tpp.compile(self.save(model)).signature.inputs), 2)

    def test_scales_that_are_computed(self):
        random = numpy.random.default_rng(0)
        graph = helper.make_graph(
            [helper.make_node("Identity", ["scales"], ["own"]),
             helper.make_node("QLinearConv", ["x", "xs", "xz", "w", "own", "wz", "xs", "xz"], ["y"])], "net",
            [helper.make_tensor_value_info("x", TensorProto.UINT8, [1, 3, 5, 5])], [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 3, 3, 3])],
            [numpy_helper.from_array(numpy.asarray(value), name) for name, value in
             {"xs": numpy.float32(.1), "xz": numpy.uint8(100), "w": random.integers(-127, 128, (3, 3, 3, 3)).astype(numpy.int8),
              "scales": numpy.array([.01, .02, .001], numpy.float32), "wz": numpy.zeros(3, numpy.int8)}.items()])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
        x = random.integers(0, 256, (1, 3, 5, 5)).astype(numpy.uint8)
        expected = ReferenceEvaluator(model).run(None, {"x": x})[0].astype(int)
        self.assertLessEqual(abs(tpp.compile(self.save(model))(x).astype(int) - expected).max(), 1)

    def test_bodies_and_layers_that_would_be_misread(self):
        head = '<ir_version: 9, opset_import: ["" : 17]> net '
        layer = "(float[2,1,4] x, float[1,3,4] w, float[1,3,3] r) => (float[2,1,1,3] y) "
        rows = {
            "other activations": head + layer + '{ y = RNN<hidden_size = 3, activations = ["HardSigmoid"]>(x, w, r) }',
            "it is an operator of own, not of ONNX":
                '<ir_version: 9, opset_import: ["" : 17, "own" : 1]> net (float[4] x) => (float[4] y) { z = own.Twice(x) y = Neg(z) }',
            "attribute clip": head + layer + "{ y = RNN<hidden_size = 3, clip = 0.5>(x, w, r) }",
            "different lengths": head + layer + "<int32[1] n = {1}> { y = RNN<hidden_size = 3>(x, w, r, , n) }",
            r"in a body of If: that of NaN": head + """(float[4] x, bool c) => (float[4] y) {
                y = If(c) <then_branch = a () => (float[4] r) { r = Sign(x) }, else_branch = b () => (float[4] s) { s = Neg(x) }> }""",
        }
        for reason, text in rows.items():
            with self.subTest(reason), self.assertRaisesRegex(tpp.CompileError, reason):
                tpp.compile(self.save(onnx.parser.parse_model(text)))

    def test_constants_of_inputs(self):
        text = """<ir_version: 9, opset_import: ["" : 17]> net (float[n,4] x, int64 rate, float[k] scale) => (float[n,4] y)
            <int64 fast = {16000}> { is_fast = Equal(rate, fast)
            y = If(is_fast) <then_branch = a () => (float[n,4] r) { r = Mul(x, scale) }, else_branch = b () => (float[n,4] s) { s = Neg(x) }> }"""
        path = self.save(onnx.parser.parse_model(text))
        x, scale = numpy.arange(8, dtype=numpy.float32).reshape(2, 4), numpy.array([1, 2, 3, 4], numpy.float32)
        for rate, expected in ((16000, x * scale), (8000, -x)):
            model = tpp.compile(path, constants={"rate": rate, "scale": scale}, shapes=[(2, 4)])
            self.assertEqual([str(each) for each in model.signature.inputs], ["2x4xf32"])
            numpy.testing.assert_array_equal(model(x), expected)
        for constants, reason in (({"speed": 1}, "the model has no input 'speed' to make a constant of; it has x, rate, scale"),
                                  ({"rate": 1.5}, "input 'rate' has elements of type int64, which cannot be 1.5"),
                                  *(({"rate": each}, "input 'rate' has elements of type int64, which cannot be") for each in ("abc", None, 2**70, [[1], [1, 2]], 1j, math.nan)),
                                  ({"scale": 1e60}, "input 'scale' has elements of type float32, which cannot be 1e"),
                                  ({"x": scale}, r"input 'x' has the shape \[\?, 4\], its constant \[4\]"),
                                  ({"rate": scale}, r"input 'rate' has the shape \[\], its constant \[4\]")):
            with self.subTest(reason), self.assertRaisesRegex(tpp.CompileError, reason):
                tpp.compile(path, constants=constants)
        with self.assertRaisesRegex(ValueError, "constants: only ONNX files take them"):
            tpp.compile(b"", constants={})

    def test_transposed_convolutions_of_each_channel(self):
        random = numpy.random.default_rng(0)
        x, w = random.standard_normal((2, 3, 5, 6)).astype(numpy.float32), random.standard_normal((3, 1, 4, 3)).astype(numpy.float32)
        for options, height, width in (("", 8, 8), ("strides = [2, 2], pads = [1, 1, 1, 1]", 10, 11), ("strides = [2, 3], pads = [1, 0, 2, 1]", 9, 17),
                                       ("strides = [3, 2], output_padding = [1, 1], dilations = [2, 1]", 20, 14), ("pads = [3, 2, 1, 0]", 4, 6), ("pads = [4, 0, 0, 0]", 4, 8)):
            with self.subTest(options):
                self.compile_text('<ir_version: 9, opset_import: ["" : 17]> net (float[2,3,5,6] x, float[3,1,4,3] w) => '
                                  f'(float[2,3,{height},{width}] y) {{ y = ConvTranspose<group = 3{", " if options else ""}{options}>(x, w) }}', [x, w])

    def test_places_outside_of_all_images(self):
        grid = numpy.array([[[math.nan, 0], [1e30, -1e30], [-9, math.inf]]], numpy.float32)[None]
        for padding in ("zeros", "border", "reflection"):
            model = onnx.parser.parse_model('<ir_version: 9, opset_import: ["" : 17]> net (float[1,2,4,5] x, float[1,1,3,2] g) => (float[1,2,1,3] y) '
                                            f'{{ y = GridSample<padding_mode = "{padding}">(x, g) }}')
            self.assertEqual(tpp.compile(self.save(model))(numpy.ones((1, 2, 4, 5), numpy.float32), grid).shape, (1, 2, 1, 3))

    def test_spectra(self):
        random = numpy.random.default_rng(0)
        for shape, axis, length, inverse, onesided in (((3, 8, 1), 1, 8, 0, 0), ((3, 8, 2), 1, 8, 0, 0), ((3, 9, 1), 1, 9, 0, 1), ((8, 3, 1), 0, 8, 0, 1),
                                                       ((2, 7, 3, 2), -3, 7, 1, 0), ((2, 8, 1), -2, 5, 0, 1), ((2, 5, 2), 1, 8, 0, 0),
                                                       ((2, 5, 2), 1, 3, 1, 0), ((2, 5, 2), 1, 8, 1, 1), ((2, 5, 2), 1, 9, 1, 1), ((2, 5, 2), 1, 4, 1, 1),
                                                       ((1, 400, 1), 1, 512, 0, 1), ((1, 1, 2), 1, 1, 1, 1)):
            for version, kind, tolerance in ((17, numpy.float32, 1e-4), (20, numpy.float64, 1e-12), (20, numpy.float16, 1e-2)):
                with self.subTest(shape=shape, length=length, inverse=inverse, onesided=onesided, version=version):
                    x = random.standard_normal(shape).astype(kind)
                    values = x[..., 0].astype(float) if shape[-1] == 1 else x[..., 0] + 1j * x[..., 1].astype(float)
                    transform = getattr(numpy.fft, ("i" if inverse else "") + ("r" if onesided else "") + "fft")
                    expected = transform(values, length, axis=axis if axis >= 0 else axis + 1)
                    parts = [expected.real] if inverse and onesided else [expected.real, expected.imag]
                    name = {numpy.float32: "float", numpy.float64: "double", numpy.float16: "float16"}[kind]
                    along = f", axis = {axis}" if version == 17 else ""
                    constants = f"int64 length = {{{length}}}" + (f", int64 axis = {{{axis}}}" if version == 20 else "")
                    model = onnx.parser.parse_model(
                        f'<ir_version: 9, opset_import: ["" : {version}]> net ({name}[{",".join(map(str, shape))}] x) => ({name}[{names(expected.ndim + 1)}] y) <{constants}> '
                        f'{{ y = DFT<inverse = {inverse}, onesided = {onesided}{along}>(x, length{", axis" if version == 20 else ""}) }}')
                    actual = tpp.compile(self.save(model))(x)
                    numpy.testing.assert_allclose(actual, numpy.stack(parts, -1), atol=tolerance * abs(expected).max(), rtol=0)

    def test_spectra_of_frames(self):
        random = numpy.random.default_rng(0)
        for window, length in (("w", 8), ("", 5999)):  # a window of another length, a matrix that is too large
            model = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["" : 17]> net (float[1,6000,1] x, float[1] w) => (float[{names(4)}] y) '
                                            f'<int64 step = {{9}}, int64 length = {{{length}}}> {{ y = STFT(x, step, {window}, length) }}')
            with self.assertRaisesRegex(tpp.CompileError, "STFT. is not supported: its sizes are computed or too large"):
                tpp.compile(self.save(model))
        for shape, step, length, window, onesided in (((2, 100, 1), 10, 16, True, None), ((2, 100, 1), 7, 15, False, 1), ((1, 64, 2), 16, 16, True, 0),
                                                      ((1, 64, 1), 5, 64, True, 0), ((3, 20, 1), 3, 20, False, None)):
            with self.subTest(shape=shape, step=step, length=length, window=window, onesided=onesided):
                x, weights = random.standard_normal(shape).astype(numpy.float32), random.random(length).astype(numpy.float32)
                values = x[..., 0] if shape[-1] == 1 else x[..., 0] + 1j * x[..., 1]
                frames = numpy.stack([values[:, at:at + length] for at in range(0, shape[1] - length + 1, step)], 1) * (weights if window else 1)
                expected = (numpy.fft.fft if onesided == 0 else numpy.fft.rfft)(frames)
                options = "" if onesided is None else f"<onesided = {onesided}>"
                model = onnx.parser.parse_model(
                    f'<ir_version: 9, opset_import: ["" : 17]> net (float[{",".join(map(str, shape))}] x, float[{length}] w) => (float[{names(4)}] y) '
                    f'<int64 step = {{{step}}}, int64 length = {{{length}}}> {{ y = STFT{options}(x, step, {"w" if window else ""}, length) }}')
                actual = tpp.compile(self.save(model))(x, weights)
                numpy.testing.assert_allclose(actual, numpy.stack([expected.real, expected.imag], -1), atol=1e-5 * abs(expected).max(), rtol=0)

    def test_old_versions(self):
        """Operators had other forms: attributes that are inputs now, a softmax of all dimensions from one on, statistics of training."""
        random = numpy.random.default_rng(0)
        x, scale = random.standard_normal((2, 4, 6)).astype(numpy.float32), random.random((4, 4)).astype(numpy.float32) + .5
        mean, variance = (each[None, :, None] for each in scale[2:])
        flat = numpy.exp(x.reshape(2, -1))
        normal = (x - mean) / numpy.sqrt(variance + 1e-5) * scale[0][None, :, None] + scale[1][None, :, None]
        for version, node, expected in ((9, "Slice<starts = [1], ends = [3], axes = [1]>(x)", x[:, 1:3]), (11, "Unsqueeze<axes = [1]>(x)", x[:, None]),
                                        (11, "Softmax<axis = 1>(x)", (flat / flat.sum(1, keepdims=True)).reshape(x.shape)),
                                        (9, "Clip<min = -0.5, max = 0.5>(x)", x.clip(-.5, .5)), (11, "ReduceSum<axes = [1], keepdims = 0>(x)", x.sum(1)),
                                        (11, "Softmax(x)", (flat / flat.sum(1, keepdims=True)).reshape(x.shape)),
                                        (11, "Hardmax<axis = 1>(x)", (flat == flat.max(1, keepdims=True)).reshape(x.shape)),
                                        (11, "Hardmax<axis = 2>(x)", x == x.max(2, keepdims=True)),
                                        (10, "TopK<axis = 2>(x, two)", -numpy.sort(-x, 2)[..., :2]), (12, "Floor(x)", numpy.floor(x)),
                                        *((version, "BatchNormalization(x, s, b, m, v)", normal) for version in (7, 9, 13, 14))):
            with self.subTest(node, version=version):
                model = onnx.parser.parse_model(
                    f'<ir_version: 7, opset_import: ["" : {version}]> net (float[2,4,6] x, float[4] s, float[4] b, float[4] m, float[4] v) '
                    f'=> (float[{names(expected.ndim)}] y) <int64[1] two = {{2}}> {{ y{", i" if "TopK" in node else ""} = {node} }}')
                numpy.testing.assert_allclose(tpp.compile(self.save(model))(x, *scale), expected, rtol=1e-5, atol=1e-5)

    def test_results_of_another_shape_than_declared(self):
        x = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)
        model = onnx.parser.parse_model('<ir_version: 9, opset_import: ["" : 17]> net (float[n,3] x) => (float[1] y) <int64[1] axis = {1}> '
                                        '{ y = ReduceSum<keepdims = 0>(x, axis) }')
        numpy.testing.assert_array_equal(tpp.compile(self.save(model), shapes=[(2, 3)])(x), [3, 12])

    def test_old_versions_in_branches_and_functions(self):
        x = numpy.random.default_rng(0).standard_normal((1, 1, 4, 6)).astype(numpy.float32)
        columns = x.repeat(2, 3)
        columns[..., 1:-1:2] = (x[..., :-1] + x[..., 1:]) / 2
        head = '<ir_version: 8, opset_import: ["" : 9, "own" : 1]> net (float[1,1,4,6] x) => (float[a,b,c,d] y) '
        for text, expected in ((head + """<bool c = {1}, float[4] scales = {1.0, 1.0, 1.0, 2.0}> { y = If(c) <
                then_branch = a () => (float[a,b,c,d] r) { r = Upsample<mode = "linear">(x, scales) },
                else_branch = b () => (float[a,b,c,d] s) { s = Neg(x) }> }""", columns),
                               (head + """{ y = own.Relu(x) } <domain: "own", opset_import: ["" : 9]> Relu (x) => (y) { y = Neg(x) }""", -x)):
            numpy.testing.assert_allclose(tpp.compile(self.save(onnx.parser.parse_model(text)))(x), expected, rtol=1e-5, atol=1e-6)
        for version, text, reason in ((11, """<bool c = {1}> { y = If(c) <then_branch = a () => (float[a,b,c,d] r) { r = Hardmax(x) },
                                           else_branch = b () => (float[a,b,c,d] s) { s = Neg(x) }> }""", "a body contains a Hardmax of version 11"),
                                      (10, "<float[4] scales = {1.0, 1.0, 0.6, 1.0}> { y = Resize(x, scales) }", "version 10 of ONNX's operators"),
                                      (7, "{ z, y = Dropout(x) }", "version 7 of ONNX's operators"),
                                      (17, "{ y = own.Sigmoid(x) }", "Sigmoid. is not supported: it is an operator of own")):
            with self.subTest(text), self.assertRaisesRegex(tpp.CompileError, f"(?s){reason}"):
                tpp.compile(self.save(onnx.parser.parse_model(head.replace(": 9", f": {version}") + text)))

    def test_an_old_version_that_cannot_be_converted(self):
        model = onnx.parser.parse_model('<ir_version: 4, opset_import: ["" : 1]> net (float[1,126] x) => (float[1,128] y) '
                                        '{ z = Pad<paddings = [0, 1, 0, 1]>(x) y = MatMul(z, w) }')
        model.graph.initializer.append(numpy_helper.from_array(numpy.ones((128, 128), numpy.float32), "w"))  # its data do not pass through the conversion
        reason = "(?s)onnx.Pad.*uses version 1 of ONNX's operators, which has not been converted to version 17"
        with self.assertRaisesRegex(tpp.CompileError, reason):
            tpp.compile(self.save(model))

    def test_functions_of_the_model(self):
        self.compile_text("""<ir_version: 9, opset_import: ["" : 17, "own" : 1]> net (float[4,6] x) => (float[4,6] y) {
            a = own.twice<by = 3.0>(x)
            y = own.twice<by = 2.0>(a) }
            <domain: "own", opset_import: ["" : 17]> twice<by>(x) => (y) { b = Constant<value_float: float = @by>() z = Mul(x, b) y = Tanh(z) }""",
                          [numpy.linspace(-1, 1, 24, dtype=numpy.float32).reshape(4, 6)])

    def test_computed_shapes(self):
        x = numpy.random.default_rng(0).standard_normal((2, 6, 8)).astype(numpy.float32)
        head = '<ir_version: 9, opset_import: ["" : 17]> net '
        self.compile_text(head + """(float[2,6,8] x) => (float[2,3,2,8] y) <int64 first = {0}, int64 last = {2}, int64[1] axis = {0}> {
            shape = Shape(x) images = Gather(shape, first) width = Gather(shape, last)
            a = Unsqueeze(images, axis) d = Unsqueeze(width, axis)
            middle = Constant<value_ints: ints = [3, 2]>()
            wanted = Concat<axis = 0>(a, middle, d)
            y = Reshape(x, wanted) }""", [x])
        # A condition that depends on the shape; the branch that is not taken would not even be valid.
        self.compile_text(head + """(float[2,6,8] x) => (float[2,6,8] y) <int64 one = {1}> {
            shape = Shape<start = 0, end = 1>(x) many = Greater(shape, one)
            z = If(many) <then_branch = taken () => (float[2,6,8] a) { a = Neg(x) }, else_branch = other () => (float[6,8] b) { b = Squeeze(x) }>
            y = Relu(z) }""", [x])
        self.compile_text(head + """(float[2,6,8] x) => (float[2,6,8] y) {
            yes = Constant<value = bool {1}>()
            y = If(yes) <then_branch = taken () => (float[2,6,8] a) { a = Neg(x) }, else_branch = other () => (float[2,6,8] b) { b = Relu(x) }> }""", [x])

    def test_constants_of_booleans(self):
        mask = numpy.arange(13 * 11).reshape(13, 11) % 3 == 0  # enough to be written as hexadecimal digits
        graph = helper.make_graph([helper.make_node("Neg", ["x"], ["n"]), helper.make_node("Where", ["m", "x", "n"], ["y"])], "b",
                                  [helper.make_tensor_value_info("x", TensorProto.FLOAT, [13, 11])],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, [13, 11])], [numpy_helper.from_array(mask, "m")])
        x = numpy.random.default_rng(0).standard_normal((13, 11)).astype(numpy.float32)
        model = tpp.compile(self.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)))
        numpy.testing.assert_array_equal(model(x), numpy.where(mask, x, -x))

    def check(self, nodes, results, **inputs):
        """Compares the results of nodes without further values with those of the reference."""
        given = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape) for name, value in inputs.items()]
        graph = helper.make_graph(nodes, "net", given, [helper.make_empty_tensor_value_info(name) for name in results])
        model = onnx.shape_inference.infer_shapes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9))
        actual = tpp.compile(self.save(model))(*inputs.values())
        for name, one, expected in zip(results, actual if len(results) > 1 else [actual], ReferenceEvaluator(model).run(None, inputs), strict=True):
            with self.subTest(name):
                numpy.testing.assert_array_equal(one, expected)

    def test_indices_of_pooled_values(self):
        values = numpy.random.default_rng(0).standard_normal
        for shape, options in (((2, 3, 8, 9), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1] * 4}), ((2, 2, 8, 9, 5), {"kernel_shape": [3, 3, 2], "strides": [2] * 3}),
                               ((1, 3, 8, 9), {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1})):
            self.check([helper.make_node("MaxPool", ["x"], ["y", "places"], **options)], ["y", "places"], x=values(shape).astype(numpy.float32))

    def test_signs_of_special_values(self):
        x = numpy.array([numpy.nan, numpy.inf, -numpy.inf, .5, -0.0, -2.5], numpy.float32)
        self.check([helper.make_node("Sign", ["x"], ["y"])], ["y"], x=x)

    def test_integers_without_a_sign(self):
        for kind in (numpy.uint8, numpy.uint16, numpy.uint32, numpy.uint64):
            half = numpy.iinfo(kind).max // 2 + 1
            nodes = [helper.make_node("Abs", ["a"], ["abs"]), helper.make_node("Max", ["a", "b"], ["largest"]), helper.make_node("Clip", ["a", "low", "high"], ["clipped"]),
                     helper.make_node("Div", ["a", "b"], ["quotient"]), helper.make_node("Mod", ["a", "b"], ["rest"])]
            self.check(nodes, [node.output[0] for node in nodes], a=numpy.array([half + 5, 7, half - 1, 0, half + 9, 2 * half - 1, half + 1], kind), b=numpy.array([3, 9, 2, half, half + 8, 1, half + 2], kind),
                       low=numpy.array(3, kind), high=numpy.array(half + 3, kind))

    def test_operators_that_would_be_misread(self):

        def make(node, results, **inputs):
            graph = helper.make_graph([node], "misread", [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in inputs.items()],
                                      [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in results.items()])
            return self.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9))

        number = TensorProto.FLOAT
        lstm = make(helper.make_node("LSTM", ["x", "w", "r", "", "", "", "", "p"], ["y"], hidden_size=3), {"y": [2, 1, 1, 3]},
                    x=(number, [2, 1, 4]), w=(number, [1, 12, 4]), r=(number, [1, 12, 3]), p=(number, [1, 9]))
        with self.assertRaisesRegex(tpp.CompileError, r"'y' \(LSTM\) is not supported: it has peepholes"):
            tpp.compile(lstm)
        with self.assertRaisesRegex(tpp.CompileError, r"\(Pow\) is not supported: integers without a sign"):
            tpp.compile(make(helper.make_node("Pow", ["a", "b"], ["y"]), {}, a=(TensorProto.UINT32, [3]), b=(TensorProto.UINT32, [3])))
        pool = helper.make_node("MaxPool", ["x"], ["y", "places"], kernel_shape=[2, 2], pads=[1, 0, 0, 1])
        with self.assertRaisesRegex(tpp.CompileError, r"\(MaxPool\) is not supported: its indices"):
            tpp.compile(make(pool, {"y": [1, 1, 3, 3]}, x=(number, [1, 1, 3, 3])))
        channels = make(helper.make_node("DequantizeLinear", ["x", "scale", "zero"], ["y"], axis=1), {"y": [2, 3]},
                        x=(TensorProto.UINT8, [2, 3]), scale=(number, [3]), zero=(TensorProto.UINT8, [3]))
        with self.assertRaisesRegex(tpp.CompileError, r"\(DequantizeLinear\) is not supported: it has an unsigned zero point for each channel"):
            tpp.compile(channels)

    def test_wrong_files(self):
        path = os.path.join(self.folder, "wrong.onnx")
        with open(path, "wb") as file:
            file.write(b"no model")
        with self.assertRaisesRegex(tpp.CompileError, "not a sound ONNX file"):
            tpp.compile(path)
        with self.assertRaises(FileNotFoundError):
            tpp.compile(os.path.join(self.folder, "none.onnx"))
        with self.assertRaisesRegex(ValueError, "those of an ONNX file are its constants"):
            tpp.compile(self.save(make_model(1)), weights={0: numpy.zeros(1)})
        with self.assertRaisesRegex(ValueError, "only ONNX files take them"):
            tpp.compile(b"", shapes=[(1,)])


if __name__ == "__main__":
    unittest.main()
