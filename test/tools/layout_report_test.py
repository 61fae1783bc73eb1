"""Tests tpp-run --layout-report: its list of moves must agree with tpp-run's JSON and with tpp-opt --tpp-layout-report."""
import json
import unittest

from command_line import BIN, CommandLineTest, SOURCE, run

# One each of pack, unpack, transpose, broadcast, pad, concat, slice and copy; every call executes all of them.
EACH = """
func.func @main(%x: tensor<32x64xf32>, %p: tensor<4x32x16xf32>, %v: tensor<64xf32>)
    -> (tensor<4x32x16xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<34x66xf32>, tensor<64x64xf32>, tensor<256xf32>, tensor<32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4x32x16xf32>
  %0 = linalg.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [16] into %e0 : tensor<32x64xf32> -> tensor<4x32x16xf32>
  %e1 = tensor.empty() : tensor<32x64xf32>
  %1 = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [16] into %e1 : tensor<4x32x16xf32> -> tensor<32x64xf32>
  %e2 = tensor.empty() : tensor<64x32xf32>
  %2 = linalg.transpose ins(%x : tensor<32x64xf32>) outs(%e2 : tensor<64x32xf32>) permutation = [1, 0]
  %e3 = tensor.empty() : tensor<32x64xf32>
  %3 = linalg.broadcast ins(%v : tensor<64xf32>) outs(%e3 : tensor<32x64xf32>) dimensions = [0]
  %4 = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<32x64xf32> to tensor<34x66xf32>
  %5 = tensor.concat dim(0) %x, %x : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %e6 = tensor.empty() : tensor<32x64xf32>
  %exp = linalg.exp ins(%x : tensor<32x64xf32>) outs(%e6 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %part = tensor.extract_slice %exp[8, 16] [16, 16] [1, 1] : tensor<32x64xf32> to tensor<16x16xf32>
  %6 = tensor.collapse_shape %part [[0, 1]] : tensor<16x16xf32> into tensor<256xf32>
  return %0, %1, %2, %3, %4, %5, %6, %x : tensor<4x32x16xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<34x66xf32>, tensor<64x64xf32>, tensor<256xf32>, tensor<32x64xf32>
}
"""
TILE = 32 * 64 * 4
TOTALS = ("packs", "unpacks", "copies", "copy_bytes")


class LayoutReportTest(CommandLineTest):

    def reports(self, model, *words):
        """Runs the model. Returns tpp-run's JSON object and its list of moves."""
        path = self.directory / "moves.json"
        process = run(BIN / "tpp-run", model, "--threads=1", "--json=-", f"--layout-report={path}", *words)
        self.assertEqual(process.returncode, 0, process.stderr)
        functions = json.loads(path.read_text())["functions"]
        self.assertEqual(len(functions), 1)
        return json.loads(process.stdout), functions[0]

    def assert_agree(self, report, function):
        self.assertEqual(function["name"], report["entry"])
        self.assertEqual([function[key] for key in TOTALS], [report[key] for key in TOTALS])
        times = {"packs": 0, "unpacks": 0, "copies": 0}
        for move in function["moves"]:
            times[{"pack": "packs", "unpack": "unpacks"}.get(move["what"], "copies")] += move["times"]
        self.assertEqual(times, {key: report[key] for key in times})
        self.assertEqual(sum(move["bytes"] for move in function["moves"]), report["copy_bytes"])

    def test_one_of_each_is_listed_with_its_bytes(self):
        model = self.file("each.mlir", EACH)
        report, function = self.reports(model, "--check=reference")
        self.assert_agree(report, function)
        self.assertEqual([(move["what"], move["bytes"]) for move in function["moves"]],
                         [("pack", 2 * TILE), ("unpack", 2 * TILE), ("transpose", 2 * TILE), ("broadcast", TILE + 256), ("pad", 2 * TILE),
                          ("concat", 2 * TILE), ("concat", 2 * TILE), ("slice", 2048), ("copy", 2 * TILE)])
        order, memory = "comes in another order", "argument 0: the caller's memory"
        notes = (f"argument 0 {order}", f"argument 1 {order}", f"argument 0 {order}", "required by the program: argument 2", f"{memory} has no border",
                 f"{memory} is not part of the concatenation", f"{memory} is not part of the concatenation", "a part of it is made contiguous",
                 "result 7 is in another buffer: argument 0")
        for move, note in zip(function["moves"], notes):
            self.assertRegex(move["location"], r"each\.mlir:[0-9]+:[0-9]+$")
            self.assertIn(note, move["note"])

    def test_the_numbers_agree_for_whole_models_and_both_pipelines(self):
        models = sorted((SOURCE / "test" / "e2e" / "models").glob("*.mlir"))
        self.assertGreaterEqual(len(models), 4)
        for model in models:
            for pipeline in ("default", "loops"):
                with self.subTest(model=model.name, pipeline=pipeline):
                    self.assert_agree(*self.reports(model, f"--pipeline={pipeline}"))

    def test_tpp_opt_lists_the_same(self):
        for model in (self.file("each.mlir", EACH), SOURCE / "test" / "e2e" / "models" / "tiny_attention.mlir"):
            path = self.directory / "opt.json"
            process = run(BIN / "tpp-opt", model, "--tpp-default", f"--tpp-layout-report={path}", "-o", "/dev/null")
            self.assertEqual(process.returncode, 0, process.stderr)
            self.assertEqual(json.loads(path.read_text())["functions"], [self.reports(model)[1]])

    def test_text_on_stdout_leaves_the_summary_to_stderr(self):
        model = self.file("each.mlir", EACH)
        process = run(BIN / "tpp-run", model, "--threads=1", "--layout-report=-")
        self.assertEqual(process.returncode, 0, process.stderr)
        lines = process.stdout.splitlines()
        self.assertRegex(lines[0], r"^@main: packs 1, unpacks 1, copies 7, \d+ bytes read and written in a call$")
        self.assertEqual(len(lines), 2 + 9)
        self.assertIn("moved     packs 1, unpacks 1, copies 7", process.stderr)
        path = self.directory / "moves.txt"
        process = run(BIN / "tpp-run", model, "--threads=1", f"--layout-report={path}")
        self.assertEqual(path.read_text().splitlines(), lines)
        self.assertIn("moved     packs 1, unpacks 1, copies 7", process.stdout)

    def test_a_model_that_moves_nothing_has_an_empty_list(self):
        model = self.generate("mlp.mlir", "mlp", "--batch=16", "--widths=64,64", "--bias", "--activation=relu")
        report, function = self.reports(model)
        self.assert_agree(report, function)
        self.assertEqual(function["moves"], [])


if __name__ == "__main__":
    unittest.main()
