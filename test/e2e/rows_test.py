"""Tests softmax and other chains of row operations: fused loops, intermediates on the stack, prefetch of rows, non-temporal stores.

Results are compared with values computed here or with the loops pipeline, for row lengths around a vector, on one and two threads. A target
with tiny caches makes small results count as large.
"""
import ctypes
import math
import os
import random
import struct
import sys
import unittest

from command_line import BIN, SOURCE, CommandLineTest, npy, read_npy, run

sys.path.insert(0, str(SOURCE / "benchmarks"))
from support import row_models  # noqa: E402  (the path is set above)

RUN = BIN / "tpp-run"


def chain(m, n):
    """A module with three row functions: softmax, the elements minus the row's mean, and exp."""
    text = row_models.Text(m, n)
    softmax = row_models.softmax(text, text.x)
    mean = text.map_row([text.sum(text.x)], [f"%r = arith.divf {{0}}, {text.constant(float(n))} : f32"])
    centred = text.map([text.x, mean], ["%r = arith.subf {0}, {1} : f32"])
    return text.function(softmax, centred, row_models.elementwise(text, text.x, "exp"))


def expected(xs, m, n):
    softmax, centred = [], []
    for i in range(m):
        row = xs[i * n:(i + 1) * n]
        largest, mean = max(row), sum(row) / n
        powers = [math.exp(x - largest) for x in row]
        total = sum(powers)
        softmax += [power / total for power in powers]
        centred += [x - mean for x in row]
    return softmax, centred, [math.exp(x) for x in xs]


def tiny_caches(isa, bits):
    return f"--target=#tpp.target<isa = \"{isa}\", vector_bits = {bits}, registers = 16, caches = [8192, 16384], cores = 2>"


class RowsTest(CommandLineTest):

    def inputs(self, m, n):
        rng = random.Random(m * 1000 + n)
        return [struct.unpack("<f", struct.pack("<f", rng.uniform(-4, 4)))[0] for _ in range(m * n)]

    def check(self, got, wanted, what):
        for values, right, name in zip(got, wanted, ("softmax", "centred", "exp")):
            worst = max(abs(x - y) / (abs(y) if name != "centred" else 4) for x, y in zip(values, right))
            self.assertLess(worst, 3e-6, (name, *what))

    def targets(self):
        """Flags for the host, and for each of its instruction sets with tiny caches."""
        sets = [("avx512", 512), ("avx2", 256), ("sse4", 128), ("neon", 128), ("portable", 128)]
        tiny = [tiny_caches(*each) for each in sets]
        probe = self.file("probe.mlir", "func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> { return %x : tensor<1xf32> }")
        return ["--target=host"] + [target for target in tiny if run(RUN, probe, target).returncode == 0]

    def test_rows_of_many_lengths(self):
        targets = self.targets()
        self.assertIn(tiny_caches("portable", 128), targets)
        for m, n in ((1, 1), (3, 15), (16, 16), (5, 63), (7, 64), (9, 197), (64, 256), (2, 9000)):
            xs = self.inputs(m, n)
            wanted = expected(xs, m, n)
            source = self.file("x.npy", npy("<f4", (m, n), struct.pack(f"<{m * n}f", *xs)))
            model = self.file("m.mlir", chain(m, n))
            outputs = [self.directory / f"y{i}.npy" for i in range(3)]
            for words in [[target, "--threads=1"] for target in targets] + [[targets[1], "--threads=2"], ["--pipeline=loops"]]:
                process = run(RUN, model, f"--input={source}", f"--output={','.join(map(str, outputs))}", *words)
                self.assertEqual(process.returncode, 0, process.stderr)
                self.check([struct.unpack(f"<{m * n}f", read_npy(output)[2]) for output in outputs], wanted, (m, n, *words))

    def test_rows_written_while_the_next_one_is_computed(self):
        """More than a thousand rows, of which a core's cache holds four: blocks of four rows, the last one partial; one and two threads."""
        targets = self.targets()[1:]
        self.assertGreater(len(targets), 0)
        for kind, m, n in (("softmax", 1030, 64), ("softmax", 1030, 208), ("layernorm", 1025, 128), ("layernorm", 1027, 208), ("chain", 1030, 208)):
            xs = self.inputs(m, n)
            source = self.file("x.npy", npy("<f4", (m, n), struct.pack(f"<{m * n}f", *xs)))
            wanted = ",".join(str(self.directory / f"wanted{i}.npy") for i in range(3 if kind == "chain" else 1))
            model = self.file("m.mlir", chain(m, n) if kind == "chain" else row_models.model(kind, m, n))
            process = run(RUN, model, f"--input={source}", "--pipeline=loops", f"--output={wanted}")
            self.assertEqual(process.returncode, 0, process.stderr)
            for target in targets:
                for threads in (1, 2):
                    process = run(RUN, model, target, f"--threads={threads}", f"--input={source}", f"--check={wanted}", "--rtol=1e-5", "--atol=1e-5")
                    self.assertEqual(process.returncode, 0, (kind, m, n, target, threads, process.stdout, process.stderr))

    def test_results_that_do_not_start_at_a_line(self):
        """Only results aligned to cache lines use non-temporal stores. One code has both versions and chooses at each call."""
        m, n = 64, 256
        target = self.targets()[1]
        if "portable" in target:
            self.skipTest("no vector instructions")
        model, library = self.file("m.mlir", chain(m, n)), self.directory / "m.so"
        process = run(RUN, model, target, "--threads=1", "--emit=llvm", "-o", self.directory / "m.ll")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("!nontemporal", (self.directory / "m.ll").read_text())
        process = run(RUN, model, target, "--threads=1", "--emit=shared", "-o", library)
        self.assertEqual(process.returncode, 0, process.stderr)
        ctypes.CDLL(os.environ["TPP_RUNTIME"], mode=ctypes.RTLD_GLOBAL)
        code = ctypes.CDLL(str(library))
        handle = ctypes.c_void_p()
        code.main_create.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p)]
        self.assertEqual(code.main_create(None, 0, ctypes.byref(handle)), 0)
        code.main_workspace_bytes.restype, code.main_workspace_bytes.argtypes = ctypes.c_size_t, [ctypes.c_void_p]
        code.main_run.restype, code.main_run.argtypes = ctypes.c_int, [ctypes.c_void_p] * 6
        code.main_destroy.restype, code.main_destroy.argtypes = None, [ctypes.c_void_p]

        def aligned(size, shift):
            block = ctypes.create_string_buffer(size + 128)
            return block, (ctypes.addressof(block) + 63) // 64 * 64 + shift

        xs = self.inputs(m, n)
        source, x = aligned(4 * m * n, 0)
        ctypes.memmove(x, struct.pack(f"<{m * n}f", *xs), 4 * m * n)
        workspace, w = aligned(code.main_workspace_bytes(handle), 0)
        for shift in (0, 4, 32):
            blocks = [aligned(4 * m * n, shift) for _ in range(3)]
            self.assertEqual(code.main_run(handle, w, x, *(place for _, place in blocks)), 0)
            self.check([struct.unpack(f"<{m * n}f", ctypes.string_at(place, 4 * m * n)) for _, place in blocks], expected(xs, m, n), (shift,))
        code.main_destroy(handle)
        del source, workspace


if __name__ == "__main__":
    unittest.main()
