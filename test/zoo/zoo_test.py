"""Tests small convolutional networks imported from PyTorch: both pipelines compute what PyTorch computed, and calls move no data."""
import ast
import functools
import json
import pathlib
import re
import struct
import tempfile
import unittest

from command_line import BIN, CommandLineTest, npy, read_npy, run

RUN = BIN / "tpp-run"
ZOO = pathlib.Path(__file__).parent
MODELS = ZOO / "models"
NAMES = sorted(path.stem for path in MODELS.glob("*.mlirbc"))
LARGEST_GROUP = 300_000  # bytes of a model with its input and outputs
# Of each element and of the largest one of its output. The largest error found is 4e-6 of the largest element.
TOLERANCE = "--rtol=1e-5"
# Each operand is rounded by up to 2^-9 = 2e-3 of its value. The largest error found is 1.7e-2 of the largest element, after six convolutions with
# instance norms.
BF16_TOLERANCE = "--rtol=3e-2"

# Models whose calls copy, and models with loops that run element by element, each with the reason. The others must have none.
RESULT = "an interpolated result is transposed to the program's layout"
COPIES = {
    "deeplab": f"one pixel is interpolated to an image channels-first; {RESULT}",
    "group_norm": "channels-last values are transposed where a norm divides channels into groups; vectors that are concatenated",
    "inception_v3": "some results are computed in another order of dimensions than their readers want",
    "lraspp": RESULT,
    "resnext": "with vectors of 16 elements, convolutions in groups of 8 channels read channels-first",
    "retinanet": "the boxes of each scale are computed in a buffer, transposed and copied into the result",
    "shufflenet_v2": "channels are interleaved by a transposition, and only half of them are computed",
    "style_transfer": "the program's image is continued at its edges and transposed, and the last result is transposed",
    "super_resolution": f"pixel shuffle; {RESULT}",
    "unet_bilinear": f"an image is padded for a pool and concatenated; {RESULT}",
    "unet_transposed": "an image is padded for a pool and concatenated, and transposed; the program's image is padded",
    "wavenet": "the input of a transposed convolution is padded",
    "yolo": "space to depth; images that are padded for pools and convolutions, and concatenated; the parts of a box",
}
SCALAR_LOOPS = {
    "style_transfer": "the program's image has its columns innermost, which are selected at the edges",
}
# Exceptions that not all machines need.
SOME_MACHINES = {"resnext", "style_transfer"}


@functools.cache
def checked(name, *words):
    """Runs a model and compares its results with PyTorch's. Returns the exit code, the summary and the JSON report."""
    expected = ",".join(map(str, sorted(MODELS.glob(f"{name}.out*.npy"))))
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        process = run(RUN, MODELS / f"{name}.mlirbc", f"--input={MODELS / name}.in0.npy", f"--check={expected}", f"--json={report}", *words)
        return process.returncode, process.stdout + process.stderr, json.loads(report.read_text()) if report.exists() else None


def default(name, threads):
    return checked(name, TOLERANCE, f"--threads={threads}")


def kernels(report):
    return {kernel["name"] for kernel in report["kernels"]}


def floats(path):
    """Reads an f32 array. Returns (descriptor, shape, list of its elements)."""
    descriptor, shape, data = read_npy(path)
    return descriptor, shape, list(struct.unpack(f"<{len(data) // 4}f", data))


class ZooTest(CommandLineTest):

    def check(self, name, *words):
        code, text, report = checked(name, *words)
        self.assertEqual(code, 0, text)
        return report

    def test_every_model_is_described_and_small(self):
        self.assertGreaterEqual(len(NAMES), 12)
        functions = [node for node in ast.parse((ZOO / "zoo.py").read_text()).body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"]
        self.assertEqual(NAMES, sorted(function.name for function in functions))
        rows = re.findall(r"^\| `(\w+)` \| (.*) \| [\d,]+ \|$", (ZOO / "README.md").read_text(), re.M)
        self.assertEqual(rows, [(function.name, ast.get_docstring(function)) for function in functions])
        for name in NAMES:
            with self.subTest(name):
                self.assertLessEqual(sum(path.stat().st_size for path in MODELS.glob(f"{name}.*")), LARGEST_GROUP)

    def test_the_outputs_are_of_order_one_and_differ(self):
        for name in NAMES:
            outputs = sorted(MODELS.glob(f"{name}.out*.npy"))
            self.assertGreater(len(outputs), 0)
            for path in outputs:
                with self.subTest(path.name):
                    _, _, values = floats(path)
                    mean = sum(values) / len(values)
                    self.assertLess(max(map(abs, values)), 10)
                    self.assertGreater((sum((value - mean)**2 for value in values) / len(values))**.5, .4)

    def test_equal_pytorch_on_one_and_two_threads(self):
        for name in NAMES:
            for threads in (1, 2):
                with self.subTest(name, threads=threads):
                    code, text, _ = default(name, threads)
                    self.assertEqual(code, 0, text)

    def test_plain_loops_equal_pytorch(self):
        for name in NAMES:
            with self.subTest(name):
                self.check(name, TOLERANCE, "--pipeline=loops")

    def test_equal_pytorch_without_packing(self):
        for name in NAMES:
            with self.subTest(name):
                self.check(name, TOLERANCE, "--packing=none", "--threads=1")

    def test_equal_pytorch_with_and_without_winograd(self):
        def winograd(report):
            return {kernel for kernel in kernels(report) if kernel.startswith("tpp_uk_winograd_")}

        names = [name for name in NAMES if winograd(default(name, 1)[2])]
        self.assertIn("vgg", names)
        for name in names:
            with self.subTest(name):
                self.assertEqual(winograd(self.check(name, TOLERANCE, "--winograd=off", "--threads=1")), set())

    def test_bf16_is_near_pytorch(self):
        for name in NAMES:
            with self.subTest(name):
                report = self.check(name, BF16_TOLERANCE, "--precision=bf16", "--threads=1")
                self.assertTrue(any("bf16bf16f32" in kernel for kernel in kernels(report)), kernels(report))

    def test_a_call_moves_nothing_and_has_no_scalar_loops(self):
        def scalar_loops(text):
            found = re.search(r"^scalar +(\d+) loops run element by element$", text, re.M)
            return int(found[1]) if found else 0

        self.assertLessEqual({*COPIES, *SCALAR_LOOPS}, set(NAMES))
        for name in NAMES:
            for threads in (1, 2):
                with self.subTest(name, threads=threads):
                    _, text, report = default(name, threads)
                    self.assertEqual([report["packs"], report["unpacks"]], [0, 0])
                    for what, count, excused in (("copies", report["copies"], COPIES), ("scalar loops", scalar_loops(text), SCALAR_LOOPS)):
                        if count or name not in SOME_MACHINES:
                            self.assertEqual(count > 0, name in excused, f"{count} {what}, expected: {excused.get(name, 'none')}")

    def test_a_wrong_element_is_noticed(self):
        # The comparisons above are worth something only if one element that is off by ten times the tolerance fails them.
        name = "mobilenet_v2"
        descriptor, shape, values = floats(MODELS / f"{name}.out0.npy")
        values[len(values) // 2] += 1e-4 * max(map(abs, values))
        wrong = self.file("wrong.npy", npy(descriptor, shape, struct.pack(f"<{len(values)}f", *values)))
        process = run(RUN, MODELS / f"{name}.mlirbc", f"--input={MODELS / name}.in0.npy", f"--check={wrong}", TOLERANCE)
        self.assertEqual(process.returncode, 2, process.stdout + process.stderr)


if __name__ == "__main__":
    unittest.main()
