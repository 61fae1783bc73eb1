"""Tests of tpp.compile, tpp.Model and tpp.load with NumPy alone, in the environment that has the package."""
import gc
import os
import resource
import signal
import tempfile
import threading
import time
import unittest

import numpy
import tpp

LAYER = """
func.func @layer(%x: tensor<5x16xf32>, %w: tensor<16x24xf32>, %b: tensor<24xf32>) -> tensor<5x24xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<5x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<5x24xf32>) -> tensor<5x24xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x16xf32>, tensor<16x24xf32>) outs(%init : tensor<5x24xf32>) -> tensor<5x24xf32>
  %s = linalg.broadcast ins(%b : tensor<24xf32>) outs(%empty : tensor<5x24xf32>) dimensions = [0]
  %r = linalg.add ins(%y, %s : tensor<5x24xf32>, tensor<5x24xf32>) outs(%empty : tensor<5x24xf32>) -> tensor<5x24xf32>
  return %r : tensor<5x24xf32>
}"""
TWO = """
func.func @two(%x: tensor<4x{type}>, %n: tensor<{type}>) -> (tensor<4x{type}>, tensor<{type}>) {{
  return %x, %n : tensor<4x{type}>, tensor<{type}>
}}"""
GATHER = """
func.func @pick(%table: tensor<8xf32>, %at: tensor<3xi64>) -> tensor<3xf32> {
  %empty = tensor.empty() : tensor<3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%at : tensor<3xi64>) outs(%empty : tensor<3xf32>) {
  ^bb0(%i: i64, %o: f32):
    %p = arith.index_cast %i : i64 to index
    %v = tensor.extract %table[%p] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<3xf32>
  return %y : tensor<3xf32>
}"""


def operands():
    random = numpy.random.default_rng(0)
    return [random.standard_normal(shape).astype(numpy.float32) for shape in ((5, 16), (16, 24), (24,))]


def expected(x, w, b):
    return x @ w + b


class ModelTest(unittest.TestCase):

    def setUp(self):
        self.x, self.w, self.b = operands()
        self.layer = tpp.compile(LAYER.encode(), threads=1)

    def check(self, result, reference):
        numpy.testing.assert_allclose(result, reference, rtol=1e-5, atol=1e-5)

    def test_a_call_returns_an_array(self):
        result = self.layer(self.x, self.w, self.b)
        self.assertEqual((result.dtype, result.shape), (numpy.float32, (5, 24)))
        self.check(result, expected(self.x, self.w, self.b))

    def test_signature(self):
        self.assertEqual(str(self.layer.signature), "(5x16xf32, 16x24xf32, 24xf32) -> (5x24xf32)")
        self.assertIn("layer", repr(self.layer))
        self.assertEqual(self.layer.signature.results[0].dtype, numpy.float32)

    def test_out_is_written_and_returned(self):
        out = numpy.zeros((5, 24), numpy.float32)
        self.assertIs(self.layer(self.x, self.w, self.b, out=out), out)
        self.check(out, expected(self.x, self.w, self.b))

    def test_weights_are_packed_once_and_again(self):
        model = tpp.compile(LAYER.encode(), weights={1: self.w, 2: self.b})
        self.assertEqual([each.is_weight for each in model.signature.arguments], [False, True, True])
        self.assertEqual(len(model.signature.inputs), 1)
        self.check(model(self.x), expected(self.x, self.w, self.b))
        model.pack([2 * self.w, self.b])
        self.check(model(self.x), expected(self.x, 2 * self.w, self.b))

    def test_inputs_that_are_not_dense_are_copied(self):
        wide = numpy.repeat(self.x, 2, axis=1)
        self.check(self.layer(wide[:, ::2], self.w.T.copy().T, self.b[::-1]), expected(self.x, self.w, self.b[::-1]))

    def test_arrays_without_elements(self):
        program = """
          func.func @twice(%x: tensor<3x0x5xf32>) -> tensor<3x0x5xf32> {
            %e = tensor.empty() : tensor<3x0x5xf32>
            %y = linalg.add ins(%x, %x : tensor<3x0x5xf32>, tensor<3x0x5xf32>) outs(%e : tensor<3x0x5xf32>) -> tensor<3x0x5xf32>
            return %y : tensor<3x0x5xf32>
          }"""
        self.assertEqual(tpp.compile(program.encode(), threads=1)(numpy.zeros((3, 0, 5), numpy.float32)).shape, (3, 0, 5))

    def test_other_arrays(self):
        self.check(self.layer(memoryview(self.x), self.w, self.b), expected(self.x, self.w, self.b))

        class Foreign:  # only DLPack

            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        out = numpy.zeros((5, 24), numpy.float32)
        self.layer(Foreign(self.x), self.w, self.b, out=Foreign(out))
        self.check(out, expected(self.x, self.w, self.b))

    def test_numbers_do_not_become_bits_of_bf16(self):
        model = tpp.compile(TWO.format(type="bf16").encode(), threads=1)
        bits = numpy.array([0, 16256, 0, 0], numpy.uint16)  # 0, 1, 0, 0
        with self.assertRaisesRegex(TypeError, "input 0 has elements of type float64, the model wants bfloat16"):
            model([0.0, 1.0, 0.0, 0.0], bits[1])
        with self.assertRaisesRegex(TypeError, "input 1 has elements of type int64, the model wants bfloat16"):
            model(bits, 1)
        try:
            import ml_dtypes  # it comes with the package onnx, for instance
        except ModuleNotFoundError:
            return
        for each, same in zip(model(bits.view(ml_dtypes.bfloat16), bits[1]), (bits, bits[1])):
            numpy.testing.assert_array_equal(each, same)

    def test_all_types(self):
        for name in ("f16", "bf16", "f32", "f64", "i1", "i8", "i16", "i32", "i64"):
            model = tpp.compile(TWO.format(type=name).encode(), threads=1)
            dtype = model.signature.arguments[0].dtype
            x, n = numpy.array([0, 1, 1, 0], dtype), numpy.array(1, dtype)
            y, m = model(x, n)
            self.assertEqual((y.dtype, m.dtype, m.shape), (dtype, dtype, ()))
            self.assertEqual((y.tolist(), m.tolist()), (x.tolist(), n.tolist()))
            outs = numpy.zeros(4, dtype), numpy.zeros((), dtype)
            self.assertIs(model(x, n, out=outs), outs)
            self.assertEqual(outs[0].tolist(), x.tolist())

    def test_wrong_arguments(self):
        out = numpy.zeros((5, 24), numpy.float32)
        locked = out.copy()
        locked.flags.writeable = False
        x, w, b = self.x, self.w, self.b
        rows = [
            (TypeError, "takes 3 inputs, 2 are given", (x, w), {}),
            (TypeError, "input 0 has elements of type float64, the model wants float32", (x.astype(float), w, b), {}),
            (ValueError, r"input 1 has shape \(24, 16\), the model wants \(16, 24\)", (x, w.T.copy(), b), {}),
            (ValueError, r"input 2 has shape \(1, 24\), the model wants \(24,\)", (x, w, b[None]), {}),
            (ValueError, "could not convert string to float", ("x", w, b), {}),
            (ValueError, "out 0 is read-only", (x, w, b), {"out": locked}),
            (ValueError, "out 0 is not dense", (x, w, b), {"out": numpy.zeros((5, 48), numpy.float32)[:, ::2]}),
            (TypeError, "out 0 has elements of type int32", (x, w, b), {"out": numpy.zeros((5, 24), numpy.int32)}),
            (TypeError, "out has 2 arrays, the model has 1", (x, w, b), {"out": [out, out]}),
            (TypeError, "out 0 is not an array", (x, w, b), {"out": 3}),
        ]
        for kind, text, inputs, options in rows:
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                self.layer(*inputs, **options)
        packed = tpp.compile(LAYER.encode(), weights={1: w})
        with self.assertRaisesRegex(TypeError, "has 1 weights, 2 are given"):
            packed.pack([w, b])
        with self.assertRaisesRegex(ValueError, "argument 1 has shape"):
            packed.pack([b])

    def test_wrong_programs_and_options(self):
        with self.assertRaises(tpp.CompileError) as caught:
            tpp.compile(b"func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %y : tensor<4xf32>\n}")
        first = caught.exception.diagnostics[0]
        self.assertEqual((first.severity, first.line, first.column), ("error", 2, 10))
        self.assertIn("program:2:10", str(caught.exception))
        for kind, options in ((ValueError, {"precision": "f8"}), (ValueError, {"threads": -1}), (tpp.CompileError, {"entry": "none"}),
                              (tpp.CompileError, {"packing": "?"}), (tpp.CompileError, {"target": "?"})):
            with self.subTest(options), self.assertRaises(kind):
                tpp.compile(LAYER.encode(), **options)
        with self.assertRaises(FileNotFoundError):
            tpp.compile("no-such-file.mlir")
        marked = LAYER.replace("%w: tensor<16x24xf32>", "%w: tensor<16x24xf32> {tpp.prepack}")
        with self.assertRaisesRegex(ValueError, "weights lacks the arguments 1"):
            tpp.compile(marked.encode(), weights={2: self.b})
        with self.assertRaisesRegex(ValueError, "pack"):
            tpp.compile(marked.encode())(self.x, self.b)

    def test_a_failed_assertion_is_an_error(self):
        model = tpp.compile(GATHER.encode(), threads=1)
        table = numpy.arange(8, dtype=numpy.float32)
        self.assertEqual(model(table, numpy.array([7, 0, 3])).tolist(), [7, 0, 3])
        with self.assertRaisesRegex(tpp.Error, "index"):
            model(table, numpy.array([7, 8, 3]))
        self.assertEqual(model(table, numpy.array([1, 1, 1])).tolist(), [1, 1, 1])

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "layer.mlir")
            with open(path, "w") as file:
                file.write(LAYER)
            model = tpp.compile(path, weights={1: self.w, 2: self.b})
            saved = os.path.join(folder, "layer.tpp")
            model.save(saved)
            loaded = tpp.load(saved)
            self.assertEqual(loaded.signature, model.signature)
            self.check(loaded(self.x), expected(self.x, self.w, self.b))
            with open(saved, "rb") as file:
                content = file.read()
            for name, damaged in (("short", content[:len(content) // 2]), ("changed", content[:-9] + b"damaged!!"), ("other", b"no model")):
                with self.subTest(name), self.assertRaises(tpp.CompileError):
                    with open(path, "wb") as file:
                        file.write(damaged)
                    tpp.load(path)
            with self.assertRaises(FileNotFoundError):
                tpp.load(os.path.join(folder, "none.tpp"))
            with self.assertRaises(OSError):
                model.save(os.path.join(folder, "none", "layer.tpp"))

    def test_report(self):
        report = self.layer.report
        self.assertEqual((report["entry"], report["flops"]), ("layer", 2 * 5 * 16 * 24))
        self.assertTrue(report["kernels"])

    def test_layout_report(self):
        turned = tpp.compile(b"""func.func @f(%x: tensor<33x65xf32>) -> tensor<65x33xf32> {
          %e = tensor.empty() : tensor<65x33xf32>
          %t = linalg.transpose ins(%x : tensor<33x65xf32>) outs(%e : tensor<65x33xf32>) permutation = [1, 0]
          return %t : tensor<65x33xf32>
        }""")
        lines = turned.layout_report().splitlines()
        self.assertEqual(lines[0], f"0 packs, 0 unpacks, 1 copies; {2 * 33 * 65 * 4} bytes moved")
        self.assertRegex(lines[1], r"^transpose 33x65xf32 -> 65x33xf32, 1 times, 17160 bytes: .*program:3:")
        self.assertEqual(len(lines), 2)

    def test_threads_share_a_model(self):
        model = tpp.compile(LAYER.encode(), weights={1: self.w, 2: self.b}, threads=2)
        wrong = []

        def calls(factor):
            for _ in range(100):
                result = model(factor * self.x)
                if not numpy.allclose(result, expected(factor * self.x, self.w, self.b), atol=1e-4):
                    wrong.append(factor)

        threads = [threading.Thread(target=calls, args=(numpy.float32(i),)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_profiles(self):
        model = tpp.compile(LAYER.encode(), weights={1: self.w}, threads=1)
        profile = model.profile(self.x, self.b, seconds=0)
        self.assertEqual((profile.calls, len(profile.threads)), (3, 1))
        self.assertGreater(profile.seconds, profile.kernel_seconds)
        self.assertAlmostEqual(profile.kernel_seconds, sum(each.seconds for each in profile.kernels), 9)
        self.assertEqual(sum(each.calls for each in profile.kernels), len(profile.threads[0]))
        self.assertTrue(any(each.what.startswith("brgemm ") and each.gflops > 0 for each in profile.kernels))
        self.assertTrue(all(0 <= begin <= end <= profile.seconds for _, begin, end in profile.threads[0]))
        self.assertRegex(str(profile), "fastest of 3 calls: .*\n.*GFLOP/s.*\n.*100.0 %.*brgemm ")
        self.assertIn("<svg ", profile._repr_html_())
        self.assertIn("brgemm ", profile._repr_html_())
        self.assertGreater(model.profile(seconds=0.01).calls, 2, "random inputs")
        self.assertTrue(numpy.allclose(model(self.x, self.b), expected(self.x, self.w, self.b), atol=1e-5))
        with self.assertRaisesRegex(ValueError, "seconds is"):
            model.profile(seconds=-1)
        with self.assertRaises(TypeError):
            model.profile(self.x)

    def test_profiles_leave_written_inputs(self):
        program = b"""func.func @f(%x: memref<4xf32>) {
          linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<4xf32>) {
          ^bb0(%a: f32):
            %b = arith.addf %a, %a : f32
            linalg.yield %b : f32
          }
          return
        }"""
        x = numpy.ones(4, numpy.float32)
        model = tpp.compile(program, threads=1)
        self.assertEqual((model.profile(x, seconds=0).threads, x.tolist()), ((), [1.0] * 4))
        model(x)
        self.assertEqual(x.tolist(), [2.0] * 4)

    def test_weights_may_be_unused(self):
        program = b"""func.func @f(%x: tensor<4xf32>, %w: tensor<8xf32>) -> tensor<4xf32> {
          return %x : tensor<4xf32>
        }"""
        x = numpy.arange(4, dtype=numpy.float32)
        self.assertEqual(tpp.compile(program, weights={1: numpy.ones(8, numpy.float32)})(x).tolist(), x.tolist())

    def test_drawings(self):
        model = tpp.compile(LAYER.encode(), threads=1)
        drawing = model.layout_drawing()
        self.assertEqual(drawing._repr_svg_(), str(drawing))
        self.assertIn("</svg>", str(drawing))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m")
            drawing.save(path + ".svg")
            model.save(path)
            with open(path + ".svg") as file:
                self.assertEqual(file.read(), str(tpp.load(path).layout_drawing()))
            with self.assertRaises(OSError):
                drawing.save(os.path.join(folder, "none", "m.svg"))
        self.assertIsNone(tpp.compile(LAYER.encode(), threads=1, drawing=False).layout_drawing())

    def test_compilations_at_the_same_time(self):
        results = []

        def work():
            model = tpp.compile(LAYER.encode(), threads=1)
            results.append(numpy.allclose(model(self.x, self.w, self.b), expected(self.x, self.w, self.b), atol=1e-5))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [True] * 4)

    def test_many_compilations_take_no_more_memory(self):
        small = TWO.format(type="f32").encode()

        def resident():
            gc.collect()
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * resource.getpagesize()

        for _ in range(50):
            tpp.compile(small, threads=1)
        before = resident()
        for _ in range(1000):
            tpp.compile(small, threads=1)
        self.assertLess(resident() - before, 32 << 20)

    def test_an_interrupt_ends_the_wait_for_the_compiler(self):
        matmuls = "".join(f"  %{i + 1} = linalg.matmul ins(%{i}, %{i} : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> "
                          "tensor<64x64xf32>\n" for i in range(400))
        program = ("func.func @long(%0: tensor<64x64xf32>) -> tensor<64x64xf32> {\n  %c = arith.constant 0.0 : f32\n  %e = tensor.empty() : "
                   "tensor<64x64xf32>\n  %z = linalg.fill ins(%c : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>\n" + matmuls +
                   "  return %400 : tensor<64x64xf32>\n}")
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background process of a shell ignores it
        self.addCleanup(signal.signal, signal.SIGINT, before)
        timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        try:
            with self.assertRaises(KeyboardInterrupt):
                tpp.compile(program.encode(), threads=1)
                while time.monotonic() - begin < 5:  # compiled before the interrupt came
                    time.sleep(0.01)
        finally:
            timer.join()

    def test_a_forked_process_can_call(self):
        model = tpp.compile(LAYER.encode(), threads=2)
        model(self.x, self.w, self.b)
        child = os.fork()
        if child == 0:
            os._exit(0 if numpy.allclose(model(self.x, self.w, self.b), expected(self.x, self.w, self.b), atol=1e-5) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    unittest.main()
