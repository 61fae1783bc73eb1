"""Tests tools/import with PyTorch: complete imports, and models that cannot be imported. Skipped with a message without the environment
of tools/import --setup."""
import os
import sys
import unittest

from command_line import BIN, SOURCE, CommandLineTest, run

IMPORT = SOURCE / "tools" / "import"
PYTHON = os.environ.get("TPP_IMPORT_PYTHON") or str(SOURCE / "build" / "import" / "bin" / "python")
TINY = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)
    def forward(self, x):
        return torch.relu(self.linear(x)), x + 1
    def example_inputs(self):
        return torch.ones(2, 8)

class Open(torch.nn.Module):
    def forward(self, x):
        return x[x > 0]

class Singular(torch.nn.Module):
    def forward(self, x):
        return torch.linalg.svd(x)[1]

class Low(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.first, self.norm, self.second = torch.nn.Linear(16, 24), torch.nn.LayerNorm(24), torch.nn.Linear(24, 8)
        self.kind = kind
        self.to(kind)
    def forward(self, x):
        return self.second(self.norm(torch.relu(self.first(x))))
    def example_inputs(self):
        return torch.randn(4, 16).to(self.kind)

class Resizes(torch.nn.Module):
    def forward(self, x, row, video):
        return tuple(self.results(x, row, video))
    def results(self, x, row, video):
        resize = torch.nn.functional.interpolate
        yield resize(x, scale_factor=2, mode="bilinear")
        yield resize(x, scale_factor=(1.7, 2.3), mode="bilinear")
        yield resize(x, scale_factor=1.7, mode="bilinear", recompute_scale_factor=True)
        yield resize(x, size=(17, 3), mode="bilinear", align_corners=True)
        yield resize(x, size=(1, 1), mode="bilinear", align_corners=True)
        yield resize(x, scale_factor=3)
        yield resize(x, size=(4, 20))
        yield resize(x, scale_factor=.6, mode="nearest-exact")
        yield resize(row, scale_factor=2, mode="linear")
        yield resize(row, size=5)
        yield resize(video, size=(4, 9, 3), mode="trilinear")
        yield resize(video, scale_factor=2, mode="nearest-exact")
        yield resize(row.repeat(1, 1, 8)[..., :62], size=14)
        yield resize(x.double(), scale_factor=2, mode="bilinear")
        yield resize(x.bfloat16(), scale_factor=2, mode="bilinear")
        for settings in ({"scale_factor": (1.7, 2.3)}, {"size": (17, 3), "align_corners": True}, {"size": (1, 1), "align_corners": True}, {"size": (3, 20)}):
            for mode in ("bicubic", "bilinear"):
                yield resize(x, **settings, mode=mode, antialias=mode == "bilinear")
            yield resize(x, **settings, mode="bicubic", antialias=True)
        yield resize(x.bfloat16(), scale_factor=.4, mode="bicubic")
        yield resize(x.double(), scale_factor=.4, mode="bicubic")

    def example_inputs(self):
        return torch.randn(1, 3, 7, 9), torch.randn(2, 3, 8), torch.randn(1, 2, 3, 4, 5)

class Windows(torch.nn.Module):
    def forward(self, x, row, video):
        return tuple(self.results(x, row, video))
    def results(self, x, row, video):
        functional = torch.nn.functional
        for sizes in ((4, 3), (7, 5), (1, 1), (14, 13), (5, 1)):
            yield functional.adaptive_avg_pool2d(x, sizes)
            yield functional.adaptive_max_pool2d(x, sizes)
        yield functional.adaptive_avg_pool2d(x.bfloat16(), (4, 3))
        yield functional.adaptive_avg_pool2d(x.to(memory_format=torch.channels_last), 1)
        yield functional.adaptive_avg_pool3d(video, (2, 3, 2))
        yield functional.adaptive_max_pool3d(video, (2, 3, 2))
        yield functional.conv3d(video, torch.linspace(-1, 1, 108).view(4, 1, 3, 3, 3), torch.linspace(0, 1, 4), padding=1, groups=4)
        yield functional.conv3d(video, torch.linspace(-1, 1, 96).view(8, 2, 2, 3, 1), None, (2, 1, 2), (1, 0, 2), (2, 1, 1), groups=2)
        yield functional.adaptive_avg_pool1d(row, 3)
        yield functional.adaptive_max_pool1d(row, 3)
        for mode in ("reflect", "replicate", "circular"):
            yield functional.pad(x, (2, 1, 3, 0), mode)
            yield functional.pad(row, (1, 2), mode)
            yield functional.pad(video, (1, 0, 2, 1, 1, 1), mode)
        yield functional.pad(x, (-2, 1, 3, -1), "replicate")
        for image in (x, row, video):
            yield functional.group_norm(image, 2, torch.linspace(.5, 2, image.shape[1]), torch.linspace(-1, 1, image.shape[1]))
            yield functional.instance_norm(image, weight=torch.linspace(.5, 2, image.shape[1]))

    def example_inputs(self):
        return torch.randn(1, 8, 14, 13), torch.randn(2, 4, 8), torch.randn(1, 4, 5, 7, 6)

class Transposed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        forms = ((2, 2, 0, 0, 1), (3, 2, 1, 1, 1), (4, 2, 1, 0, 1), (3, 3, 0, 0, 1), (5, 3, 2, 1, 1), (3, 2, 1, 0, 2), (3, 1, 1, 0, 1), (1, 2, 0, 0, 1))
        self.images = torch.nn.ModuleList(torch.nn.ConvTranspose2d(6, 8, kernel, stride, padding, output_padding=more, dilation=dilation)
                                          for kernel, stride, padding, more, dilation in forms)
        self.groups = torch.nn.ConvTranspose2d(6, 12, 4, 2, 1, groups=3)
        self.row, self.video = torch.nn.ConvTranspose1d(6, 8, 4, 2, 1), torch.nn.ConvTranspose3d(6, 8, 2, 2)
    def forward(self, x):
        images = [torch.relu(image(x)) for image in self.images]
        return *images, self.groups(x), self.row(x[:, :, 0]), self.video(x[:, :, None])
    def example_inputs(self):
        return torch.randn(2, 6, 5, 7)

def half():
    return Low(torch.float16)

def bfloat16():
    return Low(torch.bfloat16)

def saved():
    torch.save({"linear.weight": torch.ones(4, 9), "other": torch.ones(1)}, "wrong.pt")
    return Net()
"""


class ImportModelsTest(CommandLineTest):

    def setUp(self):
        super().setUp()
        self.file("model.py", TINY)

    def convert(self, *words):
        return run(IMPORT, *words, f"--python={PYTHON}", cwd=self.directory)

    def test_a_module_of_a_file_passes_its_check(self):
        process = self.convert("model.py:Net", "--entry=net")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("--input=Net.in0.npy --check=Net.out0.npy,Net.out1.npy", process.stdout)
        check = run(BIN / "tpp-run", "Net.mlirbc", "--entry=net", "--input=Net.in0.npy", "--check=Net.out0.npy,Net.out1.npy", cwd=self.directory)
        self.assertEqual(check.returncode, 0, check.stderr)

    def test_peers_get_the_same_model(self):
        process = self.convert("model.py:Net", "--peers")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("Net.pt2, Net.onnx", process.stdout)
        # PyTorch and ONNX Runtime must give the results that the import wrote, and the exported ONNX file must be importable.
        program = ("import numpy, onnxruntime, torch\n"
                   "x = numpy.load('Net.in0.npy')\n"
                   "session = onnxruntime.InferenceSession('Net.onnx')\n"
                   "feed = {session.get_inputs()[0].name: x}\n"
                   "given = [session.run(None, feed), torch.export.load('Net.pt2').module()(torch.from_numpy(x))]\n"
                   "for results in given:\n"
                   "    assert len(results) == 2\n"
                   "    for i, result in enumerate(results):\n"
                   "        numpy.testing.assert_allclose(numpy.asarray(result.detach() if torch.is_tensor(result) else result),\n"
                   "                                      numpy.load(f'Net.out{i}.npy'), rtol=1e-5, atol=1e-6)\n")
        check = run(PYTHON, "-c", program, cwd=self.directory)
        self.assertEqual(check.returncode, 0, check.stderr)
        again = self.convert("Net.onnx", "-o", "again.mlirbc")
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_resized_images_windows_and_transposed_convolutions(self):
        for name, given, returned in (("Resizes", 3, 29), ("Windows", 3, 34), ("Transposed", 1, 11)):
            with self.subTest(name=name):
                process = self.convert(f"model.py:{name}")
                self.assertEqual(process.returncode, 0, process.stderr)
                inputs, results = (",".join(f"{name}.{kind}{i}.npy" for i in range(count))
                                   for kind, count in (("in", given), ("out", returned)))
                if name != "Transposed":
                    self.assert_selects(name)
                for pipeline in ("default", "loops"):
                    check = run(BIN / "tpp-run", f"{name}.mlirbc", f"--pipeline={pipeline}", f"--input={inputs}", f"--check={results}",
                                cwd=self.directory)
                    self.assertEqual(check.returncode, 0, check.stdout + check.stderr)

    def test_modules_of_small_floats_use_their_kernels(self):
        for name, kernel in (("half", "f16f16f32"), ("bfloat16", "bf16bf16f32")):
            with self.subTest(name=name):
                process = self.convert(f"model.py:{name}")
                self.assertEqual(process.returncode, 0, process.stderr)
                check = run(BIN / "tpp-run", f"{name}.mlirbc", f"--input={name}.in0.npy", f"--check={name}.out0.npy", cwd=self.directory)
                self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
                self.assertIn(f"kernel    tpp_uk_brgemm_{kernel}_", check.stdout)
                self.assertNotIn("brgemm_f32", check.stdout)

    def test_quantized_operators(self):
        """All results are within one step of ONNX Runtime's, 8-bit ones as well as those computed from 8-bit ones, and one in a thousand differs."""
        made = run(PYTHON, SOURCE / "test" / "tools" / "quantized_operators.py", self.directory)
        self.assertEqual(made.returncode, 0, made.stderr)
        process = self.convert("quantized.onnx", "--input=x.npy")
        self.assertEqual(process.returncode, 0, process.stderr)
        count = len(list(self.directory.glob("quantized.out*.npy")))
        self.assertEqual(count, 20)
        results = run(BIN / "tpp-run", "quantized.mlirbc", "--input=x.npy", "--output=" + ",".join(f"result{i}.npy" for i in range(count)),
                      cwd=self.directory)
        self.assertEqual(results.returncode, 0, results.stderr)
        program = (f"import numpy\n"
                   f"for i in range({count}):\n"
                   f"    expected, result = numpy.load(f'quantized.out{{i}}.npy'), numpy.load(f'result{{i}}.npy')\n"
                   f"    step = .0203 if result.dtype == numpy.float32 else 1\n"
                   f"    assert result.dtype == expected.dtype and result.shape == expected.shape, i\n"
                   f"    steps = abs(result.astype(float) - expected) / step\n"
                   f"    assert steps.max() < 1.001 and (steps > .001).mean() <= .001, (i, result, expected)\n"
                   f"    assert expected.max() > expected.min() or expected.size == 1, i\n")
        check = run(PYTHON, "-c", program, cwd=self.directory)
        self.assertEqual(check.returncode, 0, check.stderr)

    def assert_selects(self, name):
        """Images are resized by selections, not by code for each element."""
        raised = run(BIN / "tpp-opt", f"{name}.mlirbc", "--tpp-fold-constants", "--tpp-raise-gathers", cwd=self.directory)
        self.assertEqual(raised.returncode, 0, raised.stderr)
        self.assertIn("tpp.gather", raised.stdout)
        self.assertNotIn("tensor.extract ", raised.stdout)

    def test_operators_that_resize_and_pad(self):
        made = run(PYTHON, SOURCE / "test" / "tools" / "pixel_operators.py", self.directory)
        self.assertEqual(made.returncode, 0, made.stderr)
        for name, count in (("resize", 34), ("one", 1), ("pad", 8), ("blocks", 3), ("old", 4)):
            with self.subTest(name=name):
                process = self.convert(f"{name}.onnx", "--input=x.npy")
                self.assertEqual(process.returncode, 0, process.stderr)
                self.assertEqual(len(list(self.directory.glob(f"{name}.out*.npy"))), count)
                if name != "blocks":
                    self.assert_selects(name)
                check = run(BIN / "tpp-run", f"{name}.mlirbc", "--input=x.npy", "--check=" + ",".join(f"{name}.out{i}.npy" for i in range(count)),
                            cwd=self.directory)
                self.assertEqual(check.returncode, 0, check.stdout + check.stderr)

    def test_quantized_operators_without_a_float_form_are_named(self):
        for change, message in (("channels", "'QLinearAveragePool10' .QLinearAveragePool. uses channels_last; only NCHW is supported"),
                                ("softmax", "'QLinearSoftmax9' .QLinearSoftmax. is Softmax of an opset before 13")):
            with self.subTest(change=change):
                made = run(PYTHON, SOURCE / "test" / "tools" / "quantized_operators.py", self.directory, change)
                self.assertEqual(made.returncode, 0, made.stderr)
                process = self.convert("quantized.onnx", "--input=x.npy")
                self.assertEqual(process.returncode, 1)
                self.assertRegex(process.stderr, message)

    def test_what_cannot_be_imported_is_named_with_its_line(self):
        rows = [(("model.py:Open", "--shape=4x4"), "the shape of the result of aten.index.Tensor depends on .*model.py:15: return x\\[x > 0\\]"),
                (("model.py:Singular", "--shape=4x4"), "cannot lower the operation aten._linalg_svd.*model.py:19: return torch.linalg.svd"),
                (("model.py:Ned", ), "model.py has no 'Ned' \\(did you mean Net"),
                (("model.py:Open", ), "model.py:Open has no example inputs"),
                (("torchvision:resnet5O", ), "torchvision has no model 'resnet5O' \\(did you mean resnet50")]
        for words, message in rows:
            with self.subTest(words=words):
                process = self.convert(*words)
                self.assertEqual(process.returncode, 1)
                self.assertRegex(process.stderr.replace("\n", " "), message)
                self.assertNotIn("Traceback", process.stderr)
                self.assertEqual([path.name for path in self.directory.iterdir()], ["model.py"])

    def test_weights_that_do_not_fit_are_listed(self):
        self.assertEqual(self.convert("model.py:saved").returncode, 0)
        process = self.convert("model.py:Net", "--weights=wrong.pt")
        self.assertEqual(process.returncode, 1)
        self.assertIn("wrong shapes: linear.weight is 4x9, wanted 4x8\n  missing: linear.bias\n  unexpected: other\n", process.stderr)


if __name__ == "__main__":
    if not os.access(PYTHON, os.X_OK):
        print(f"skipped: PyTorch is not set up ({PYTHON}): tools/import --setup makes this test run")
        sys.exit(77)  # CTest reports this exit code as skipped
    unittest.main()
