"""Tests tpp-tune: it finds a model's contractions, times packing variants of each, and writes records that tpp-run uses to pack.

No test depends on a measured time.
"""
import json
import os
import re
import subprocess
import unittest

from command_line import BIN, CommandLineTest, run

RUN = BIN / "tpp-run"
TUNE = BIN / "tpp-tune"
QUICK = ("--threads=1", "--min-time=0", "--rounds=2")

# Two equal layers, and one contraction of two arguments.
MODEL = """func.func @main(%x: tensor<8x48xf32>, %y: tensor<48x16xf32>) -> tensor<8x16xf32> {
  %w = arith.constant dense_resource<weight> : tensor<48x48xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x48xf32>) -> tensor<8x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x48xf32>, tensor<48x48xf32>) outs(%z : tensor<8x48xf32>) -> tensor<8x48xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x48xf32>) outs(%e : tensor<8x48xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<8x48xf32>
  %2 = linalg.matmul ins(%1, %w : tensor<8x48xf32>, tensor<48x48xf32>) outs(%z : tensor<8x48xf32>) -> tensor<8x48xf32>
  %e3 = tensor.empty() : tensor<8x16xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = linalg.matmul ins(%2, %y : tensor<8x48xf32>, tensor<48x16xf32>) outs(%z3 : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}
{-# dialect_resources: { builtin: { weight: "0x04000000ONES" } } #-}
""".replace("ONES", "0000803F" * 48 * 48)
# One contraction of the types of A and B, and of C, with what follows its operands, and with its post-ops.
CONTRACTION = """#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%%a: tensor<8x32x%(ab)s>, %%b: tensor<32x16x%(ab)s>, %%c: tensor<8x16x%(c)s>) -> tensor<8x16x%(c)s> {
  %%0 = tpp.contract ins(%%a, %%b : tensor<8x32x%(ab)s>, tensor<32x16x%(ab)s>) outs(%%c : tensor<8x16x%(c)s>)
    %(form)s, extents = array<i64: 8, 16, 32>, indexing_maps = [#a, #b, %(maps)s} -> tensor<8x16x%(c)s>
  return %%0 : tensor<8x16x%(c)s>
}
"""
DEEP_MODEL = """func.func @main(%x: tensor<8x1024xf32>, %w: tensor<1024x64xf32> {tpp.prepack}) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x1024xf32>, tensor<1024x64xf32>) outs(%z : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
"""
HEADINGS = [
    "contraction 1 of 2: 8 x 48 x 48 f32, B constant, relu, used 2 times in 2 forms",
    "contraction 2 of 2: 8 x 16 x 48 f32, B variable, used once",
]
ROW = re.compile(r" +(?P<number>\d+) +(?P<panel>none|\d+) +(?P<kc>all|\d+) +(?P<mc>auto|\d+) +(?P<nc>auto|\d+) +(?P<order>auto|rows|columns) +"
                 r"(?P<us>[\d.]+) +[\d.]+ +[\d.]+ +([\d.]+|-)(?P<star>  \*)?(?P<dropped>  dropped)?")
LAYOUTS = "layouts of the model's activations: "
LAYOUT_ROW = re.compile(r" +(?P<number>\d+)  (?P<packings>cost model|these     )   (?P<tiles>none|(all|\d+) x \d+) +(?P<us>[\d.]+) +[\d.]+(?P<star>  \*)?"
                        r"(  dropped)?")


class TuneTest(CommandLineTest):

    def setUp(self):
        super().setUp()
        self.model = self.file("model.mlir", MODEL)

    def tune(self, *words):
        process = run(TUNE, *words)
        self.assertEqual(process.returncode, 0, process.stderr)
        return process.stdout

    def refuse(self, message, *words):
        process = run(TUNE, *words)
        self.assertEqual((process.returncode, process.stdout), (1, ""), process.stderr)
        self.assertEqual(process.stderr.split("tpp-tune: error: ", 1)[-1], message + "\n")

    def tables(self, text):
        """Parses tpp-tune's output. Returns a dictionary: heading -> rows of the table of a contraction."""
        tables = {}
        for line in text.split(LAYOUTS)[0].splitlines():
            if line.startswith("contraction "):
                rows = tables.setdefault(line, [])
            elif not line.startswith("  variant "):
                match = ROW.fullmatch(line)
                self.assertTrue(match, line)
                rows.append(match.groupdict())
        return tables

    def layouts(self, text):
        """Parses tpp-tune's output. Returns what it says about layouts, and the rows of their table."""
        verdict, *lines = text.split(LAYOUTS)[1].splitlines()
        matches = [LAYOUT_ROW.fullmatch(line) for line in lines[1:]]
        self.assertTrue(all(matches), lines)
        return verdict, [match.groupdict() for match in matches]

    def expected_packing(self, text, best):
        """What the record of a contraction must hold, whose fastest variant is the row `best`."""
        expected = {"panel": 0 if best["panel"] == "none" else int(best["panel"])}
        verdict, rows = self.layouts(text)
        if verdict == "tiles are faster":
            rows, columns = rows[0]["tiles"].replace("all", "0").split(" x ")
            return {**expected, "a": [int(rows), int(columns)], "c": [int(rows), int(columns)]}
        for key in ("kc", "mc", "nc", "order"):
            if best[key] not in ("all", "auto"):
                expected[key] = best[key] if key == "order" else int(best[key])
        return expected

    def test_help(self):
        text = self.tune("--help")
        self.assertIn("usage: tpp-tune MODEL", text)
        self.assertIn("--only=", text)

    def test_tables_hold_every_variant_sorted_by_time(self):
        tables = self.tables(self.tune(self.model, *QUICK))
        self.assertEqual(list(tables), HEADINGS)
        for heading, rows in tables.items():
            with self.subTest(heading):
                numbers = [int(row["number"]) for row in rows]
                self.assertEqual(sorted(numbers), list(range(len(rows))))
                self.assertEqual([int(row["number"]) for row in rows if row["star"]], [0], "the cost model's choice is variant 0")
                for dropped in (None, "  dropped"):
                    times = [float(row["us"]) for row in rows if row["dropped"] == dropped]
                    self.assertEqual(times, sorted(times))
                self.assertEqual([row["dropped"] for row in rows], sorted((row["dropped"] for row in rows), key=bool))
                sizes = [tuple(row[key] for key in ("panel", "kc", "mc", "nc", "order")) for row in rows]
                self.assertEqual(len(set(sizes)), len(sizes), "no variant twice")

    def test_records_are_what_tpp_run_packs_by(self):
        records = self.directory / "records.json"
        text = self.tune(self.model, *QUICK, "-o", records)
        tables = self.tables(text)
        written = json.loads(records.read_text())
        self.assertEqual(written["version"], 1)
        self.assertEqual(written["machine"]["threads"], 1)
        self.assertEqual([(record["shape"], record["types"], record["constant_b"]) for record in written["records"]],
                         [([1, 8, 48, 48], ["f32"] * 3, True), ([1, 8, 16, 48], ["f32"] * 3, False)])
        for rows, record in zip(tables.values(), written["records"]):
            packing = record["packing"]
            self.assertEqual(packing, self.expected_packing(text, rows[0]))
            if "measured" in record:
                self.assertLessEqual(record["measured"]["seconds"], record["measured"]["seconds_cost_model"])
            self.assertEqual("measured" in record, "a" not in packing)
        process = run(RUN, self.model, f"--packing={records}", "--check=reference", "--threads=1")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertNotIn("has no record", process.stdout)
        self.assertIn("equals the reference", process.stdout)

    def test_kc_blocks_of_a_long_sum(self):
        model = self.file("deep.mlir", DEEP_MODEL)
        records = self.directory / "records.json"
        text = self.tune(model, *QUICK, "-o", records)
        (rows,) = self.tables(text).values()
        steps = {row["kc"] for row in rows if row["panel"] != "none"}
        self.assertIn("all", steps)
        self.assertTrue(steps - {"all"}, "no KC blocking was tried")
        for k in steps - {"all"}:
            self.assertTrue(256 <= int(k) < 1024 and 1024 % int(k) == 0, k)
        self.assertEqual({row["kc"] for row in rows if row["panel"] == "none"}, {"all"})
        (record,) = json.loads(records.read_text())["records"]
        self.assertEqual(record["packing"], self.expected_packing(text, rows[0]))
        process = run(RUN, model, f"--packing={records}", "--check=reference", "--threads=1")
        self.assertEqual(process.returncode, 0, process.stderr)

    def test_layouts_of_activations(self):
        verdict, rows = self.layouts(self.tune(self.model, *QUICK))
        self.assertIn(verdict, ("tiles are faster", "no tiles are faster", "neither tiles nor these packings are faster than the cost model's"))
        self.assertEqual(sorted(int(row["number"]) for row in rows), list(range(8)))
        self.assertEqual([(row["number"], row["packings"].strip()) for row in rows if row["star"]], [("0", "cost model")])
        self.assertEqual(len({row["tiles"] for row in rows}), 7, "no tiles, and six sizes")
        self.assertNotIn(LAYOUTS, self.tune(self.model, *QUICK, "--only=1"), "layouts are of the whole model")

    def test_layouts_of_a_model_that_changes_its_argument(self):
        model = self.file("in-place.mlir", MODEL.replace("%y: tensor<48x16xf32>)", "%y: tensor<48x16xf32>, %changed: memref<4xf32>)").replace(
            "  return", "  memref.store %zero, %changed[%i] : memref<4xf32>\n  return").replace("  %e =", "  %i = arith.constant 0 : index\n  %e ="))
        self.assertEqual(self.layouts(self.tune(model, *QUICK))[0], "not timed, because a call may change an argument")

    def test_records_with_tiles_are_what_tpp_run_packs_by(self):
        records = self.directory / "records.json"
        self.tune(self.model, *QUICK, "-o", records)
        written = json.loads(records.read_text())
        for record in written["records"]:
            record["packing"] = {"panel": record["packing"]["panel"], "a": [4, 16], "c": [4, 16]}
        records.write_text(json.dumps(written))
        process = run(RUN, self.model, f"--packing={records}", "--check=reference", "--threads=1", "--layout-report=-")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertNotIn("has no record", process.stdout)
        self.assertRegex(process.stdout, r"pack +1 +\d+ +8x48xf32 +2x3x4x16xf32")

    def test_some_contractions_only(self):
        for words, headings in ((("--only=2",), HEADINGS[1:]), (("--only=1-2",), HEADINGS), (("--only=B constant",), HEADINGS[:1]),
                                (("--only=x 16 x",), HEADINGS[1:])):
            with self.subTest(words):
                self.assertEqual(list(self.tables(self.tune(self.model, *QUICK, *words))), headings)

    def test_weights_that_are_arguments(self):
        text = self.tune(self.model, *QUICK, "--only=2", "--weights=1")
        self.assertIn("contraction 2 of 2: 8 x 16 x 48 f32, B constant, used once\n", text)

    def test_a_post_op_reads_what_the_result_overwrites(self):
        model = self.file("residual.mlir", CONTRACTION % {"ab": "f32", "c": "f32", "form": "post(%c : tensor<8x16xf32>) {beta = 0 : i64",
                                                         "maps": "#c, #c], post_ops = [#tpp.post_op<binary add>]"})
        self.assertIn("8 x 16 x 32 f32, B variable, add, used once\n", self.tune(model, *QUICK))

    def test_signed_and_unsigned_operands_are_forms(self):
        first = CONTRACTION % {"ab": "i8", "c": "i32", "form": "{beta = 1 : i64", "maps": "#c], post_ops = []"}
        second = "  %1 = tpp.contract" + first.split("%0 = tpp.contract")[1].replace("outs(%c", "outs(%0").replace("{beta", "{a_unsigned, beta")
        model = self.file("signs.mlir", first.split("  return")[0] + second.replace("return %0", "return %1"))
        self.assertIn("8 x 16 x 32 i8 x i8 -> i32, B variable, used 2 times in 2 forms\n", self.tune(model, *QUICK))

    def test_assembly(self):
        for words in (("--asm=0",), ("--asm=1", "--threads=1"), ("--asm=best", *QUICK)):
            with self.subTest(words):
                text = self.tune(self.model, "--only=2", *words)
                self.assertIn("contraction_run:", text)
                self.assertEqual("contraction 2 of 2" in text, "--asm=best" in words)

    def test_threads(self):
        records = self.directory / "records.json"
        tables = self.tables(self.tune(self.model, "--threads=2", "--min-time=0", "--rounds=1", "--cold", "--only=2", "-o", records))
        self.assertEqual(list(tables), HEADINGS[1:])
        written = json.loads(records.read_text())
        self.assertEqual((written["machine"]["threads"], len(written["records"])), (2, 1))

    def test_bad_command_lines(self):
        for words, message in (
            ((), "no model is given (see --help)"),
            (("",), "the model's file name is empty"),
            (("a.mlir", "b.mlir"), "one model is expected, 'b.mlir' is superfluous"),
            (("a.mlir", "--round=2"), "unknown flag '--round', did you mean '--rounds'?"),
            (("a.mlir", "--rounds=0"), "--rounds: '0' is not an integer from 1 to 1000"),
            (("a.mlir", "--min-time=x"), "--min-time: 'x' is not a number from 0 to 86400"),
            (("a.mlir", "-o", "records.txt"), "-o: 'records.txt' does not end in .json, which --packing requires"),
            (("a.mlir", "--only=0"), "--only: '0' is not an integer from 1 to 1048576"),
            (("a.mlir", "--only=2,2"), "--only: contraction 2 is given twice"),
            (("a.mlir", "--only=(x"), "--only: '(x' is not a regular expression: parentheses not balanced"),
            (("a.mlir", "--asm=worst"), "--asm: 'worst' is neither best nor the number of a variant"),
            (("a.mlir", "--asm=3", "-o", "r.json"), "--asm=3 times nothing: -o has no effect"),
        ):
            with self.subTest(words):
                self.refuse(message, *words)

    def test_bad_models_and_files(self):
        missing = self.directory / "missing.mlir"
        self.refuse(f"{missing}: cannot read: No such file or directory", missing)
        nothing = self.file("nothing.mlir", "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %a : tensor<4xf32>\n}\n")
        self.refuse(f"{nothing}: @main has no contraction that can be packed: there is nothing to tune", nothing)
        for path in (self.directory / "no" / "records.json", self.directory / "folder.json"):
            if path.name == "folder.json":
                path.mkdir()
            reason = "Is a directory" if path.is_dir() else "No such file or directory"
            self.refuse(f"{path}: cannot write: {reason}", self.model, "-o", path)
        if os.path.exists("/dev/full"):
            with open("/dev/full", "w") as full:
                process = subprocess.run([str(TUNE), str(self.model), "--only=2", "--asm=0"], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual((process.returncode, process.stderr), (1, "tpp-tune: error: stdout: cannot write: No space left on device\n"))
        self.refuse("--weights: @main has 2 arguments, there is no argument 2", self.model, "--weights=2")

    def test_choices_that_the_model_does_not_have(self):
        titles = "".join(f"\n  {i}: {heading.split(': ', 1)[1]}" for i, heading in enumerate(HEADINGS, 1))
        self.refuse(f"--only: there is no contraction 3; the model has{titles}", self.model, "--only=3")
        self.refuse(f"--only: no title matches 'bf16'; the model has{titles}", self.model, "--only=bf16")
        self.refuse(f"--asm is for one contraction, choose it with --only; the model has{titles}", self.model, "--asm=best")
        process = run(TUNE, self.model, "--only=2", "--asm=1000")
        self.assertEqual(process.returncode, 1)
        self.assertRegex(process.stderr, r"^tpp-tune: error: --asm: there is no variant 1000, the last one is \d+\n$")


if __name__ == "__main__":
    unittest.main()
