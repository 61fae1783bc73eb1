"""Tests tools/import without PyTorch: its command line, its errors, and that all output files appear together or none."""
import io
import os
import pathlib
import subprocess
import sys
import unittest
from unittest import mock

from command_line import MLIR_OPT, SOURCE, CommandLineTest, run

sys.path.insert(0, str(SOURCE / "tools"))

from importer import files
from importer.problem import near
from tpp.importing.problem import Problem

IMPORT = SOURCE / "tools" / "import"


class CommandTest(CommandLineTest):

    def refuse(self, message, *words):
        process = run(IMPORT, *words, cwd=self.directory)
        self.assertEqual((process.returncode, process.stdout, process.stderr), (1, "", f"import: error: {message}\n"))

    def test_bad_command_lines_have_their_own_messages(self):
        self.file("model.py", "")
        self.file("model.onnx", b"")
        rows = [
            ((), "the following arguments are required: MODEL (or --setup; see --help)"),
            (("resnet50", ), "resnet50: not a model; expected torchvision:NAME, transformers:NAME, FILE.py:NAME or FILE.onnx"),
            (("torchvison:resnet50", ),
             "torchvison:resnet50: unknown library 'torchvison' (did you mean torchvision?); known: torchvision, transformers"),
            (("model.py", ), "model.py: name a class or function: model.py:NAME"),
            (("no.py:Net", ), "no.py: cannot read: No such file or directory"),
            (("no.onnx", ), "no.onnx: cannot read: No such file or directory"),
            (("model.py:Net", "--weights=no.pt"), "no.pt: cannot read: No such file or directory"),
            (("model.py:Net", "--weights=model.npz"), "argument --weights: 'model.npz' must end in .pt, .pth, .bin or .safetensors"),
            (("model.py:Net", "--input=no.npy"), "no.npy: cannot read: No such file or directory"),
            (("model.py:Net", "--layers=2"), "--layers has no effect on model.py:Net"),
            (("model.onnx", "--constant=rate"), "argument --constant: 'rate' is not NAME=NUMBER or NAME=FILE.npy"),
            (("model.onnx", "--constant=rate=fast"), "argument --constant: 'rate=fast' is not NAME=NUMBER or NAME=FILE.npy"),
            (("model.onnx", "--constant=x=x.npy"), "x.npy: cannot read: No such file or directory"),
            (("torchvision:resnet50", "--constant=x=1"), "--constant has no effect on torchvision:resnet50"),
            (("model.onnx", "--peers"), "--peers has no effect on model.onnx"),
            (("model.onnx", "--weights=w.pt"), "--weights has no effect on model.onnx"),
            (("torchvision:resnet50", "--sequence=8"), "--sequence has no effect on torchvision:resnet50"),
            (("torchvision:resnet50", "--batch=0"), "argument --batch: '0' is not a size from 1 to 16777216"),
            (("model.onnx", "--shape=1xy"), "argument --shape: 'y' is not a size from 1 to 16777216"),
            (("model.onnx", "--shape=1", "--input=model.py"), "--shape has no effect with --input, whose files have shapes"),
            (("transformers:bert", "--set=hidden_size"), "argument --set: 'hidden_size' is not KEY=VALUE"),
            (("torchvision:resnet50", "--seed=-1"), "argument --seed: '-1' is not a seed from 0 to 2^63-1"),
            (("torchvision:resnet50", "--entry=a b"), "argument --entry: 'a b' is not a plain identifier"),
            (("torchvision:resnet50", "--setup"), "--setup takes no model"),
            (("--setup", "--list=torchvision"), "--setup and --list exclude each other"),
            (("torchvision:resnet50", "--sizes=8"), "unrecognized arguments: --sizes=8"),
        ]
        for words, message in rows:
            with self.subTest(words=words):
                self.refuse(message, *words)

    def test_a_missing_environment_names_the_command_that_makes_it(self):
        self.refuse(f"--python (or TPP_IMPORT_PYTHON): {self.directory} is not a Python interpreter", "torchvision:resnet50",
                    f"--python={self.directory}")
        from importer import environment
        with mock.patch.object(environment, "FOLDER", str(self.directory)), mock.patch.dict(os.environ):
            os.environ.pop(environment.MARK, None)
            with self.assertRaisesRegex(Problem, "run tools/import --setup"):
                environment.continue_inside(None, [])

    def test_an_interpreter_without_the_packages_is_named(self):
        bare = self.directory / "bare"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
        process = run(IMPORT, "torchvision:resnet50", f"--python={bare}/bin/python", cwd=self.directory)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(process.stderr, "bare/bin/python lacks .*torch, torch_mlir.*: give another --python\n$")
        self.assertEqual(list(self.directory.iterdir()), [bare])

    def test_near_matches(self):
        names = ["resnet18", "resnet50", "vit_b_16", "DenseNet"]
        self.assertEqual(near("resnet5O", names), " (did you mean resnet50 or resnet18?)")
        self.assertEqual(near("densenet", names), " (did you mean DenseNet?)")
        self.assertEqual(near("whisper", names), "")

    def test_help(self):
        process = run(IMPORT, "--help")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.assertIn("tools/import --setup", process.stdout)


class FilesTest(CommandLineTest):
    """Output files get their names when all are complete; otherwise none is left."""

    def setUp(self):
        super().setUp()
        self.model = str(self.directory / "x.mlirbc")
        finder = mock.patch.object(files, "find_mlir_opt", lambda: MLIR_OPT)
        finder.start()
        self.addCleanup(finder.stop)

    def left(self):
        return sorted(path.name for path in self.directory.iterdir())

    def test_all_appear_at_commit(self):
        with files.Outputs(self.model) as outputs:
            outputs.module(lambda sink: sink.write("module {}"))
            outputs.file("in0.npy", lambda file: file.write(b"data"))
            self.assertNotIn("x.mlirbc", self.left())
            outputs.commit()
        self.assertEqual(self.left(), ["x.in0.npy", "x.mlirbc"])
        self.assertEqual(pathlib.Path(self.model).read_bytes()[:4], b"ML\xefR")

    def test_text_where_the_name_asks_for_it(self):
        with files.Outputs(str(self.directory / "x.mlir")) as outputs:
            outputs.module(lambda sink: sink.write("module {}"))
            outputs.commit()
        self.assertIn("module {", (self.directory / "x.mlir").read_text())

    def test_nothing_is_left_after_an_error(self):
        self.file("x.mlirbc", "old")
        for failure in (Problem("x"), KeyboardInterrupt(), OSError(28, "No space left on device")):
            with self.subTest(failure=failure), self.assertRaises(BaseException):
                with files.Outputs(self.model) as outputs:
                    outputs.module(lambda sink: sink.write("module {}"))

                    def fail(_, failure=failure):
                        raise failure

                    outputs.file("in0.npy", fail)
                    outputs.commit()
            self.assertEqual(self.left(), ["x.mlirbc"])
            self.assertEqual(pathlib.Path(self.model).read_text(), "old")

    def test_a_full_disk_is_kept_from_cpp_and_told(self):
        class Full(io.StringIO):
            def write(self, _):
                raise OSError(28, "No space left on device")

        sink = files.TextSink(Full())
        sink.write("one")
        sink.write("two")
        self.assertEqual(sink.error.strerror, "No space left on device")

    def test_invalid_ir_is_told(self):
        with files.Outputs(self.model) as outputs, self.assertRaisesRegex(Problem, "MLIR 22 does not accept what torch-mlir made:\n.*x.mlirbc:1"):
            outputs.module(lambda sink: sink.write("nonsense"))

    def test_unwritable_places(self):
        for model, why in ((self.directory / "no" / "x.mlirbc", "No such file or directory"), (self.directory, "Is a directory")):
            with self.assertRaisesRegex(Problem, f"cannot write: {why}"), files.Outputs(str(model)):
                self.fail("entered")


if __name__ == "__main__":
    unittest.main()
