"""Tests of python -m tpp."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy

PROGRAM = """
func.func @main(%x: tensor<5x16xf32>, %w: tensor<16x24xf32>) -> tensor<5x24xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<5x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<5x24xf32>) -> tensor<5x24xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x16xf32>, tensor<16x24xf32>) outs(%init : tensor<5x24xf32>) -> tensor<5x24xf32>
  return %y : tensor<5x24xf32>
}"""


class CommandTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(os.path.join(self.folder, "m.mlir"), "w") as file:
            file.write(PROGRAM)

    def tpp(self, *words, status=0):
        process = subprocess.run([sys.executable, "-m", "tpp", *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(process.returncode, status, process.stderr)
        return process.stdout if status != 1 else process.stderr

    def test_runs_checks_times_and_saves(self):
        output = self.tpp("m.mlir", "--check=reference", "--bench", "--min-time=0.01", "--input=ones,ones", "--output=y.npy", "--save=m.tpp",
                          "--json=r.json", "--threads=1")
        self.assertIn("m.mlir: (5x16xf32, 16x24xf32) -> (5x24xf32)\n", output)
        self.assertIn("check: equal within the tolerance\n", output)
        self.assertRegex(output, r"time: .* ms min, .* ms median of \d+ calls; contractions .* GFLOP/s\n")
        self.assertTrue((numpy.load(os.path.join(self.folder, "y.npy")) == 16).all())
        with open(os.path.join(self.folder, "r.json")) as file:
            report = json.load(file)
        self.assertEqual((report["check"], report["flops"], report["entry"]), ("passed", 2 * 5 * 16 * 24, "main"))
        self.assertIn("equal", self.tpp("m.tpp", "--input=ones,ones", "--check=y.npy"))

    def test_profiles_and_drawings(self):
        output = self.tpp("m.mlir", "--profile", "--min-time=0.01", "--json=r.json", "--layout-report=-", "--layout-drawing=m.svg", "--threads=1")
        self.assertRegex(output, r"\d+ packs, \d+ unpacks, \d+ copies; \d+ bytes moved\n")
        self.assertRegex(output, r"profile: fastest of \d+ calls: .*\n.* GFLOP/s .*\n.* brgemm 5x24x16 ")
        with open(os.path.join(self.folder, "r.json")) as file:
            self.assertGreater(json.load(file)["profile"]["calls"], 2)
        with open(os.path.join(self.folder, "m.svg")) as file:
            self.assertIn("</svg>", file.read())
        self.tpp("m.mlir", "--layout-report=moves.txt", "--save=m.tpp")
        with open(os.path.join(self.folder, "moves.txt")) as file:
            self.assertIn("bytes moved", file.read())
        self.assertIn("has no drawing", self.tpp("m.tpp", "--layout-drawing=m.svg", status=1))

    def test_the_report_alone_on_standard_output(self):
        self.assertEqual(json.loads(self.tpp("m.mlir", "--json=-"))["entry"], "main")

    def test_written_arguments_are_results(self):
        with open(os.path.join(self.folder, "w.mlir"), "w") as file:
            file.write("func.func @f(%x: memref<4xf32>) {\n  %c = arith.constant 2.0 : f32\n  linalg.fill ins(%c : f32) outs(%x : memref<4xf32>)\n"
                       "  return\n}")
        self.assertIn("equal", self.tpp("w.mlir", "--check=reference", "--output=w.npy"))
        self.assertEqual(numpy.load(os.path.join(self.folder, "w.npy")).tolist(), [2] * 4)

    def test_a_wrong_element_is_noticed(self):
        expected = numpy.full((5, 24), 16, numpy.float32)
        expected[3, 7] = 16.1
        numpy.save(os.path.join(self.folder, "e.npy"), expected)
        self.assertIn("check: result 0: 1 of 120 elements differ, the first at (3, 7): 16.0, expected 16.1",
                      self.tpp("m.mlir", "--input=ones,ones", "--check=e.npy", status=2))

    def test_lower_precision_has_a_tolerance_of_its_own(self):
        generator = numpy.random.default_rng(1)
        weights = ", ".join(f"[{', '.join(f'{x:.6e}' for x in row)}]" for row in generator.standard_normal((64, 32)))
        with open(os.path.join(self.folder, "p.mlir"), "w") as file:
            file.write(f"""func.func @main(%x: tensor<8x64xf32>) -> tensor<8x32xf32> {{
  %w = arith.constant dense<[{weights}]> : tensor<64x32xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x32xf32>) -> tensor<8x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}}""")
        for precision in ("bf16", "int8"):
            self.assertIn("equal", self.tpp("p.mlir", f"--precision={precision}", "--check=reference", "--output=y.npy"))
            self.tpp("p.mlir", "--check=y.npy", status=2)  # the results are not those of f32

    def test_mistakes(self):
        rows = (
            (("none.mlir", ), "No such file"),
            (("m.mlir", "--frobnicate"), "unrecognized arguments: --frobnicate (see --help)"),
            (("m.mlir", "--input=ones"), "--input names 1 inputs, the model has 2"),
            (("m.mlir", "--input=ones,twos"), "--input: 'twos' is none of"),
            (("m.mlir", "--input=ones,none.npy"), "none.npy: not a .npy file"),
            (("m.mlir", "--shape=3"), "only ONNX files take them"),
            (("m.mlir", "--constant=x=1"), "only ONNX files take them"),
            (("m.mlir", "--constant=x"), "--constant: 'x' is not NAME=NUMBER or NAME=FILE.npy"),
            (("m.mlir", "--shape=axb"), "--shape: 'axb' is not a list of shapes"),
            (("m.mlir", "--output=a.npy,b.npy"), "--output names 2 files, the model has 1 results"),
            (("m.mlir", "--precision=f8"), "precision is 'f8'"),
            (("m.mlir", "--entry=other"), "other"),
            (("m.mlir", "--save=none/m.tpp"), "none/m.tpp"),
        )
        for words, text in rows:
            with self.subTest(words):
                message = self.tpp(*words, status=1)
                self.assertTrue(message.startswith("tpp: error: "), message)
                self.assertIn(text, message)
                self.assertEqual(message.count("\n"), 1, message)
        self.tpp("m.mlir", "--save=m.tpp")
        self.assertIn("--threads has no effect on a saved model", self.tpp("m.tpp", "--threads=1", status=1))
        self.assertIn("has no program", self.tpp("m.tpp", "--check=reference", status=1))
        with open(os.path.join(self.folder, "m.tpp"), "w") as file:
            file.write("no model")
        self.assertIn("m.tpp", self.tpp("m.tpp", status=1))


if __name__ == "__main__":
    unittest.main()
