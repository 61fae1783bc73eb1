"""Tests the programs of runtime/examples: with built-in inputs, with the inputs that PyTorch had, and with bad arguments.

    examples_test.py FOLDER     FOLDER holds the compiled programs
"""
import ast
import array
import pathlib
import subprocess
import sys
import tempfile
import unittest

import chains

HERE = pathlib.Path(__file__).parent
PROGRAMS = None
CHAINS = {"linear_gelu": chains.LINEAR, **chains.ROWS}  # name to sizes


def run(name, *words):
    return subprocess.run([PROGRAMS / name, *map(str, words)], capture_output=True, text=True, timeout=300)


def read_npy(path):
    """The elements of a version 1.0 .npy file of row-major f32."""
    content = path.read_bytes()
    end = 10 + int.from_bytes(content[8:10], "little")
    header = ast.literal_eval(content[10:end].decode())
    assert content[:8] == b"\x93NUMPY\x01\x00" and header["descr"] == "<f4" and not header["fortran_order"], path
    return array.array("f", content[end:])


class ExamplesTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.input = pathlib.Path(folder.name) / "input"
        self.output = pathlib.Path(folder.name) / "output"

    def assert_within_bounds(self, values, exact, who):
        exact = list(exact)
        self.assertEqual(len(values), len(exact))
        for index, (value, (wanted, bound)) in enumerate(zip(values, exact)):
            self.assertLessEqual(abs(value - wanted), bound, f"{who}: element {index} is {value}, exactly {wanted}")

    def test_the_programs_and_pytorch_lie_within_one_bound_around_the_exact_result(self):
        for name, sizes in CHAINS.items():
            with self.subTest(name):
                inputs = chains.inputs(name)
                self.input.write_bytes(b"".join(data.tobytes() for data in inputs))
                process = run(name, *sizes, self.input, self.output)
                self.assertEqual((process.returncode, process.stderr), (0, ""), process.stdout)
                exact = list(getattr(chains, name)(*inputs))
                self.assert_within_bounds(array.array("f", self.output.read_bytes()), exact, name)
                self.assert_within_bounds(read_npy(HERE / f"{name}.npy"), exact, "PyTorch")

    def test_a_wrong_element_is_noticed(self):
        for name in CHAINS:
            with self.subTest(name), self.assertRaises(AssertionError):
                exact = list(getattr(chains, name)(*chains.inputs(name)))
                values = [wanted for wanted, _ in exact]
                values[len(values) // 2] += 3e-5 * max(map(abs, values))
                self.assert_within_bounds(values, exact, name)

    def test_sizes_around_blocks_and_tiles(self):
        sizes = {"linear_gelu": [(), (1, 1, 1), (47, 63, 5), (48, 64, 7), (49, 65, 1), (97, 200, 33)],
                 "softmax": [(), (1, 1), (1, 9000), (4, 1024), (5, 1023), (64, 63)],
                 "layernorm": [(), (1, 1), (1, 9000), (4, 1024), (5, 1023), (64, 63)]}
        for name, all_sizes in sizes.items():
            for words in all_sizes:
                with self.subTest(name, sizes=words):
                    process = run(name, *words)
                    self.assertEqual((process.returncode, process.stderr), (0, ""), process.stdout)
                    self.assertRegex(process.stdout, rf"^{name}: largest error [0-9.e-]+ of its bound\n$")

    def test_results_beyond_the_bound_fail(self):
        self.input.write_bytes(array.array("f", [1.0, float("nan"), 2.0, 3.0]).tobytes())
        process = run("softmax", 2, 2, self.input, self.output)
        self.assertEqual((process.returncode, process.stdout), (2, "softmax: largest error inf of its bound\n"))

    def test_what_they_cannot_use_is_refused(self):
        self.input.write_bytes(bytes(16))
        for words, message in (((3,), "usage: softmax [ROWS COLS [INPUT OUTPUT]]"), ((2, 2, self.input), "usage: "),
                               ((0, 2), "0: not a size"), (("2x", 2), "2x: not a size"), ((70000, 1), "70000: not a size"),
                               ((2, 3, self.input, self.output), "input: shorter than the sizes say"),
                               ((1, 3, self.input, self.output), "input: longer than the sizes say"),
                               ((2, 2, self.input.with_name("none"), self.output), "cannot be opened"),
                               ((2, 2, self.input, "/dev/full"), "/dev/full: cannot be written")):
            with self.subTest(words):
                process = run("softmax", *words)
                self.assertEqual((process.returncode, process.stdout), (1, ""))
                self.assertIn(message, process.stderr)


if __name__ == "__main__":
    PROGRAMS = pathlib.Path(sys.argv.pop(1))
    unittest.main()
