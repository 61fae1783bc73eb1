#!/usr/bin/env python3
"""Tests the scripts of benchmarks/peers without any peer: lists, rounds, pictures, the page, and messages for missing files."""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from support import peer_lists, performance_page, plots, rounds  # noqa: E402  (the path is set above)


def timed(seconds, **more):
    return {"seconds_min": seconds, "seconds_median": 1.2 * seconds, "rounds": 3, "spread_percent": 4.0, **more}


def result(kind, sizes, group, threads=1, flags=(), row_kind="", scaling=False, factor=1.0):
    """A synthetic result in which TPP takes `factor` times as long as ONNX Runtime."""
    problem = peer_lists.Problem(kind, tuple(sizes), flags, group, frozenset(), row_kind)
    seconds = (problem.flops or 0) / 50e9 + (problem.bytes or 0) / 5e9 or 0.01
    programs = {"tpp": timed(factor * seconds / threads), "onnxruntime": timed(seconds / threads), "openvino": timed(2 * seconds)}
    programs["libxsmm"] = timed(1.5 * seconds) if kind == "matmul" else {"skipped": "contractions only"}
    return {"name": problem.name, "kind": kind, "group": group, "sizes": list(sizes), "flags": list(flags), "scaling": scaling,
            "threads": threads, "flops": problem.flops if kind != "model" else 4e9, "bytes": problem.bytes, "peak_gflops": 100.0 * threads,
            "programs": programs, "ratio_to_best_peer": rounds.ratio_to_best_peer(programs)}


def comparison():
    """A synthetic run with results of every kind."""
    results = [result("matmul", (n, n, n), "Squares", scaling=n == 512, factor=0.9) for n in (16, 64, 512, 1024)]
    results += [result("matmul", (512, 512, 512), "Squares", threads=2, scaling=True),
                result("matmul", (8, 1024, 1024), "Small", flags=("constant",), factor=1.3),
                result("mlp", (256, 1024, 1024, 1024, 1024), "MLP"), result("rows", (512, 768), "In cache", row_kind="softmax"),
                result("model", (), "Models", row_kind="bert<&>")]
    machine = {"cpu": "A CPU & more", "cpu_id": "X-1-2", "cores": 2, "load_before": 0.1, "load_after": 0.9}
    settings = {"list": "short", "filter": "", "rounds": 3, "passes": 1, "min_time": 0.1, "threads": 1, "variants": {}}
    return {"date": "2026-01-02T03:04:05", "complete": True, "machine": machine, "versions": {"onnxruntime": "1.2"},
            "left_out": [["vit", "no vit.onnx"]], "settings": settings, "results": results}


class FolderTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, text=""):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run_script(self, name, *words, flags=(), root=ROOT):
        command = [sys.executable, "-B", *flags, str(root / "benchmarks" / "peers" / name), *map(str, words)]
        process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        return process.returncode, process.stdout

    def assert_fails(self, message, name, *words, **options):
        code, output = self.run_script(name, *words, **options)
        self.assertNotEqual(code, 0, output)
        self.assertIn(message, output)
        self.assertNotIn("Traceback", output)


class ListTest(FolderTest):

    def read(self, text):
        return peer_lists.read_list(str(self.file("list.txt", text)))

    def test_lines_become_problems(self):
        matmul, mlp, rows = self.read("# comment\ngroup One of them\nmatmul 3 4 5 tb constant short # more\n\n"
                                      "mlp 2 8,9,10 scaling\nrows gelu 6x7\n")
        self.assertEqual((matmul.name, matmul.group, matmul.flops), ("matmul/f32/3x4x5-constant-tb", "One of them", 120))
        self.assertEqual((matmul.native_words, matmul.marks), (["matmul", "3", "4", "5", "constant", "tb"], {"short"}))
        self.assertEqual((mlp.name, mlp.flops, mlp.native_words), ("mlp/f32/2x8x9x10", 2 * 2 * (72 + 90), ["mlp", "2", "8,9,10"]))
        self.assertEqual((rows.name, rows.bytes, rows.native_words), ("gelu/f32/6x7", 8 * 42, None))

    def test_types(self):
        matmul, rows = self.read("matmul 3 4 5 tb\nrows gelu 6x7\n")
        model = peer_lists.Problem("model", row_kind="bert")
        self.assertEqual([peer_lists.in_type(each, "f32") for each in (matmul, rows, model)], [matmul, rows, model])
        narrow = peer_lists.in_type(matmul, "u8")
        self.assertEqual((narrow.name, narrow.flops, narrow.native_words), ("matmul/u8/3x4x5-tb", 120, None))
        self.assertEqual(peer_lists.in_type(model, "bf16").name, "model/bf16/bert")
        self.assertEqual([peer_lists.in_type(rows, "bf16"), peer_lists.in_type(model, "u8")], [None, None])

    def test_bad_lines_are_named(self):
        for line in ("matmul 3 4", "matmul 3 4 0", "matmul 3 4 99999", "matmul 3 4 5 fast", "matmul 3 4 5 ta ta", "rows exp 6x7 short short",
                     "mlp 2 8", "mlp 2 8,x", "rows sin 6x7", "rows exp 6x7x8", "rows exp 6", "group", "conv 1", "3 4 5"):
            with self.assertRaisesRegex(peer_lists.ListError, r"list\.txt:2: expected 'matmul M N K", msg=line):
                self.read("group One\n" + line + "\n")
        with self.assertRaisesRegex(peer_lists.ListError, r"list\.txt:3: 'matmul/f32/3x4x5' stands in line 1 already"):
            self.read("matmul 3 4 5\n\nmatmul 3 4 5 short\n")
        with self.assertRaisesRegex(peer_lists.ListError, "cannot read"):
            peer_lists.read_list(str(self.folder / "none.txt"))

    def test_the_lists_of_the_tree(self):
        shapes = str(ROOT / "benchmarks" / "shapes")
        full, short = peer_lists.read_lists("full", shapes), peer_lists.read_lists("short", shapes)
        self.assertGreaterEqual(sum(problem.kind == "matmul" for problem in full), 60)
        self.assertLess(len(short), len(full))
        for problems in (full, short):
            self.assertEqual({problem.kind for problem in problems}, {"matmul", "mlp", "rows"})
            self.assertTrue(any("scaling" in problem.marks for problem in problems))
            self.assertTrue(all(problem.group for problem in problems))

    def test_models_of_a_folder(self):
        for name in ("a.mlirbc", "a.mlir", "a.in.npy", "a.out.npy", "a.onnx", "b.mlir", "b.in0.npy", "b.in1.npy", "b.out.npy", "b.pt2",
                     "c.mlir", "c.elided.mlir"):
            self.file(name)
        (a, b), left_out = peer_lists.read_models(str(self.folder))
        self.assertEqual([(what, os.path.basename(path)) for what, path in a.files],
                         [("mlir", "a.mlirbc"), ("in", "a.in.npy"), ("out", "a.out.npy"), ("onnx", "a.onnx")])
        self.assertEqual([os.path.basename(path) for what, path in b.files if what == "in"], ["b.in0.npy", "b.in1.npy"])
        self.assertEqual(left_out, [("c", "no c.in.npy, no c.out.npy, no c.onnx or c.pt2")])
        for folder in ("none", "empty"):
            (self.folder / "empty").mkdir(exist_ok=True)
            with self.assertRaisesRegex(peer_lists.ListError, "--models: "):
                peer_lists.read_models(str(self.folder / folder))


class RoundsTest(unittest.TestCase):

    def test_summary(self):
        self.assertEqual(rounds.summary([(1.0, 1.5), (1.25, 2.0), (1.1, 1.6)]),
                         {"seconds_min": 1.0, "seconds_median": 1.6, "rounds": 3, "spread_percent": 25.0})

    def test_only_peers_are_compared_with(self):
        programs = {"tpp": timed(2.0), "copy": timed(0.1), "variant": timed(0.2), "libxsmm": {"skipped": "x"}, "pytorch": timed(4.0)}
        self.assertEqual((rounds.best_peer(programs), rounds.ratio_to_best_peer(programs)), ("pytorch", 0.5))
        self.assertIsNone(rounds.ratio_to_best_peer({"tpp": timed(1.0)}))

    def test_share_of_peak(self):
        made = {"flops": 1e9, "peak_gflops": 100.0, "programs": {"tpp": timed(0.02), "libxsmm": {"skipped": "x"}}}
        self.assertAlmostEqual(rounds.percent_of_peak(made, "tpp"), 50)
        self.assertIsNone(rounds.percent_of_peak(made, "libxsmm"))
        self.assertIsNone(rounds.percent_of_peak({**made, "flops": 0}, "tpp"))

    def test_progress_learns_from_what_is_done(self):
        progress = rounds.Progress([10, 10, 100])
        self.assertEqual(progress.text(), "[0/3, 2 min left]")
        progress.done(5)
        self.assertEqual(progress.text(), "[1/3, 55 s left]")
        progress.done(5)
        progress.done(1)
        self.assertEqual(progress.text(), "[3/3, 0 s left]")

    def test_json_is_what_it_was(self):
        self.assertEqual(json.loads(rounds.to_json(comparison())), comparison())


class PictureTest(unittest.TestCase):

    def parsed(self, text):
        return xml.etree.ElementTree.fromstring(text)

    def test_every_picture_is_well_formed_and_within_its_frame(self):
        pictures = plots.draw_all(comparison())
        self.assertEqual(set(pictures), set(performance_page.PICTURES))
        for name, text in pictures.items():
            root = self.parsed(text)
            width, height = float(root.get("width")), float(root.get("height"))
            texts = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
            self.assertTrue(any("A CPU & more (X-1-2), 2 cores · 2026-01-02" in each for each in texts), name)
            self.assertIn("TPP", texts)
            for each in root.iter():
                for key in ("x", "x1", "x2", "cx", "y", "y1", "y2", "cy"):
                    most = width if "x" in key else height
                    self.assertTrue(0 <= float(each.get(key, 0)) <= most, f"{name}: {each.tag} {each.attrib}")

    def test_what_is_not_there_is_not_drawn(self):
        data = comparison()
        data["results"] = [each for each in data["results"] if each["kind"] == "rows"]
        self.assertEqual(set(plots.draw_all(data)), {"rows.svg"})

    def test_shares_beyond_peak_and_variants_stay_visible(self):
        data = comparison()
        data["results"][2]["programs"]["packed"] = timed(data["results"][2]["flops"] / 140e9)
        text = plots.shapes(data)
        self.assertIn("TPP, packed", text)
        peak, = (each for each in self.parsed(text).iter() if each.get("stroke-dasharray"))
        highest = min(float(each.get("y1")) for each in self.parsed(text).iter() if each.get("y1"))
        self.assertGreater(float(peak.get("y1")), highest + 40)

    def test_labels_are_short(self):
        shapes = {(16, 16, 16): "16³", (128, 768, 768): "128×768×768", (256, 1024, 1024, 1024): "256×1024³"}
        for sizes, text in shapes.items():
            self.assertEqual(plots.shape_text({"sizes": sizes, "flags": ["constant", "tb"]}), text + " const tb")


class ScriptTest(FolderTest):

    def tree(self):
        """A fake source root: the tree's benchmarks, and its own docs folder, results and build."""
        (self.folder / "benchmarks").symlink_to(ROOT / "benchmarks")
        self.file("results.json", rounds.to_json(comparison()))
        (self.folder / "docs").mkdir()
        self.file("build/release/bin/tpp-run").chmod(0o755)
        return self.folder

    def report(self, *words):
        return self.run_script("report", *words, root=self.folder)

    def test_a_page_is_checked_against_its_results(self):
        root = self.tree()
        self.assertEqual(self.report(root / "results.json")[0], 0)
        page = root / "docs" / "performance.md"
        text = page.read_text(encoding="utf-8")
        for part in ("A CPU & more (X-1-2), 2 cores", "2026-01-02", "onnxruntime 1.2", "| matmul/f32/8x1024x1024-constant | 1 |", "1.30",
                     "vit (no vit.onnx)"):
            self.assertIn(part, text)
        self.assertEqual(self.report("--check")[0], 0)
        self.assertEqual(self.report()[0], 0)
        self.assertEqual(page.read_text(encoding="utf-8"), text)
        page.write_text(text.replace("1.30", "0.90"), encoding="utf-8")
        self.assert_fails("performance.md:", "report", "--check", root=root)
        self.report()
        self.file("docs/performance/more.svg")
        self.assert_fails("more.svg: nothing in the results gives it", "report", "--check", root=root)
        (root / "docs" / "performance" / "more.svg").unlink()
        (root / "docs" / "performance" / "shapes.svg").unlink()
        self.assert_fails("shapes.svg: No such file", "report", "--check", root=root)

    def test_a_page_is_of_whole_runs_in_the_tree(self):
        root = self.tree()
        for change in ({"complete": False}, {"settings": {**comparison()["settings"], "filter": "x"}}):
            self.file("part.json", rounds.to_json({**copy.deepcopy(comparison()), **change}))
            self.assert_fails("part of a run", "report", root / "part.json", root=root)
        self.file("other.json", "[]")
        self.assert_fails("no results of benchmarks/peers/run", "report", root / "other.json", root=root)
        self.assert_fails("cannot read", "report", root / "none.json", root=root)
        self.assert_fails("outside the tree", "report", "/none.json", root=root)
        self.assert_fails("name the results", "report", "--check", root=root)
        self.file("docs/performance.md", "# By hand\n")
        self.assert_fails("names no results", "report", "--check", root=root)

    def test_plot_writes_pictures(self):
        root = self.tree()
        code, output = self.run_script("plot", root / "results.json", "-o", root / "out")
        self.assertEqual((code, len(list((root / "out").glob("*.svg")))), (0, 5), output)
        self.assert_fails("cannot read", "plot", root / "none.json")

    def test_what_is_missing_is_said_before_anything_runs(self):
        root = self.tree()
        self.assert_fails("tpp-run: run 'cmake --preset release", "run", f"--build={root}/none")
        # Without site packages (-S), and without an environment in build/peers.
        self.assert_fails("no Python module numpy: run benchmarks/peers/setup first", "run", flags=("-S", "-E"), root=root)

    def test_bad_command_lines(self):
        bad = self.file("bad.txt", "matmul 1 2 3\nmatmul 1 2\n")
        for message, *words in (("bad.txt:2: expected", f"--list={bad}"), ("no problem's name contains 'none'", "--filter=none"),
                                ("--filter is not a valid regular expression", "--filter=("), ("unknown peer 'gcc'", "--peers=gcc"),
                                ("--variant wants NAME=FLAGS", "--variant=openblas=--x"), ("want positive numbers", "--rounds=0"),
                                ("--scaling wants", "--scaling=1,x"), ("--models: ", f"--models={self.folder}/none")):
            self.assert_fails(message, "run", *words)


if __name__ == "__main__":
    unittest.main()
