"""Tests tpp-run with bad input: each mistake has its own message and exit status 1, nothing crashes, and no result is printed."""
import os
import platform
import struct
import subprocess
import unittest

from command_line import BIN, CommandLineTest, npy, run

RUN = BIN / "tpp-run"

ADD = """func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.add ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
"""


def identity(argument, name="main"):
    return f"func.func @{name}(%a: {argument}) -> {argument} {{\n  return %a : {argument}\n}}\n"


class BadInputTest(CommandLineTest):

    def refuse(self, message, *words):
        """Runs tpp-run, which must fail. The last line of stderr must be 'tpp-run: error: ' + `message`. Returns the lines before."""
        process = run(RUN, *words)
        lines = process.stderr.splitlines()
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertEqual(process.stdout, "")
        self.assertEqual(lines[-1], f"tpp-run: error: {message}")
        return lines[:-1]

    def test_files_that_are_no_model(self):
        missing = self.directory / "missing.mlir"
        self.refuse(f"{missing}: cannot read: No such file or directory", missing)
        self.refuse(f"{self.directory}: cannot read: Is a directory", self.directory)
        for name, content in (("empty.mlir", b""), ("blank.mlir", b" \n\n")):
            path = self.file(name, content)
            self.refuse(f"{path}: the file is empty", path)
        bytecode = self.bytecode(self.file("whole.mlir", ADD)).read_bytes()
        for name, content in (("binary.mlir", bytes(range(256))), ("nul.mlir", b"\0" * 64)):
            path = self.file(name, content)
            self.refuse(f"{path}: a binary file, but not MLIR bytecode", path)
        for name, content in (("text.mlir", b"hello world\n"), ("half.mlir", ADD[:100].encode()), ("head.mlirbc", b"ML\xefR"), ("half.mlirbc", bytecode[:len(bytecode) // 2]),
                              ("flipped.mlirbc", bytecode[:40] + bytes(byte ^ 255 for byte in bytecode[40:]))):
            with self.subTest(name):
                path = self.file(name, content)
                diagnostics = self.refuse(f"{path}: not a valid MLIR module (text or bytecode)", path)
                self.assertIn("error:", diagnostics[0], "the parser says what is wrong, and where")
                self.assertIn(str(path), diagnostics[0])

    def test_modules_that_do_not_verify(self):
        path = self.file("m.mlir", ADD.replace("-> tensor<2x3xf32>\n  return", "-> tensor<2x4xf32>\n  return"))
        diagnostics = self.refuse(f"{path}: not a valid MLIR module (text or bytecode)", path)
        self.assertRegex(diagnostics[0], r"m\.mlir:\d+:\d+: error: ")

    def test_entries(self):
        path = self.file("none.mlir", "module {}\n")
        self.refuse(f"{path}: there is no function with a body", path)
        path = self.file("declared.mlir", "func.func private @main(tensor<1xf32>)\n")
        self.refuse(f"{path}: there is no function with a body", path)
        self.refuse(f"{path}:1:1: --entry: function @main has no body", path, "--entry=main")
        path = self.file("two.mlir", identity("tensor<1xf32>", "f") + identity("tensor<1xf32>", "g"))
        self.refuse(f"{path}: several public functions and none is @main; name one with --entry (there is @f, @g)", path)
        self.refuse(f"{path}: --entry: there is no function @h (there is @f, @g)", path, "--entry=h")
        path = self.file("private.mlir", identity("tensor<1xf32>", "f").replace("func.func", "func.func private"))
        self.refuse(f"{path}: there is no public function with a body; name one with --entry (there is @f)", path)

    def test_types_that_cannot_be_passed(self):
        types = "supported element types are f16, bf16, f32, f64, index and integers of 1, 8, 16, 32 and 64 bits"
        dynamic = "dynamic shapes are not supported, compile one model for each shape"
        only = "only tensors, memrefs and scalars of supported types can be passed"
        for name, why in (("tensor<?x4xf32>", dynamic), ("tensor<*xf32>", dynamic), ("memref<?xf32>", dynamic), ("complex<f32>", only), ("i4", only),
                          ("vector<4xf32>", only), ("tensor<4xcomplex<f32>>", types), ("tensor<4xi4>", types), ("tensor<4xf8E4M3FN>", types),
                          ("memref<4xf32, strided<[2]>>", "only memrefs of the default layout can be passed")):
            with self.subTest(name):
                path = self.file("m.mlir", identity(name))
                self.refuse(f"{path}:1:1: @main: argument #0 has type {name}: {why}", path)
        path = self.file("m.mlir", "func.func @main(%a: tensor<4xf32>) -> tensor<?xf32> {\n  %r = tensor.cast %a : tensor<4xf32> to tensor<?xf32>\n"
                         "  return %r : tensor<?xf32>\n}\n")
        self.refuse(f"{path}:1:1: @main: result #0 has type tensor<?xf32>: {dynamic}", path)

    def test_wrong_numbers_of_inputs_and_outputs(self):
        path = self.file("m.mlir", ADD)
        self.refuse(f"{path}: @main has 2 arguments, --input gives 1", path, "--input=ones")
        self.refuse(f"{path}: @main has 2 arguments, --input gives 3", path, "--input=ones,ones,ones")
        self.refuse(f"{path}: @main has 1 output, --output gives 2", path, "--output=a.npy,b.npy")
        self.refuse(f"{path}: @main has 1 output, --check gives 2", path, "--check=a.npy,b.npy")

    def test_a_file_for_two_outputs(self):
        path = self.file("m.mlir", "func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {\n"
                         "  return %a, %a : tensor<2xf32>, tensor<2xf32>\n}\n")
        self.refuse("--output gives 'a.npy' for two outputs", path, "--output=a.npy,a.npy")

    def test_npy_files(self):
        path = self.file("m.mlir", ADD)
        data = struct.pack("<6f", *range(6))
        needs = "argument #0 (tensor<2x3xf32>) needs"
        rows = [
            ("shape", npy("<f4", (3, 2), data), f"holds shape (3, 2), {needs} (2, 3)"),
            ("rank", npy("<f4", (6, ), data), f"holds shape (6,), {needs} (2, 3)"),
            ("type", npy("<f8", (2, 3), data * 2), f"holds type '<f8', {needs} '<f4'"),
            ("order", npy(">f4", (2, 3), data), "holds big-endian data ('>f4'), only little-endian is supported"),
            ("truncated", npy("<f4", (2, 3), data[:-1]), "truncated: holds 23 bytes of data, its header announces 24"),
            ("head", npy("<f4", (2, 3), data)[:50], "truncated inside the .npy header"),
            ("long", npy("<f4", (2, 3), data + b"x"), "too long: holds 25 bytes of data, its header announces 24"),
            ("garbage", npy("", (), data, header="garbage"), "bad .npy header: it is not a dictionary"),
            ("text", b"1 2 3\n", "not a .npy file (it does not start with \\x93NUMPY)"),
            ("empty", b"", "the file is empty"),
        ]
        for name, content, message in rows:
            with self.subTest(name):
                file = self.file(f"{name}.npy", content)
                self.refuse(f"{file}: {message}", path, f"--input={file},ones")
        missing = self.directory / "missing.npy"
        self.refuse(f"{missing}: cannot read: No such file or directory", path, f"--input=ones,{missing}")
        wrong = self.directory / "shape.npy"
        self.refuse(f"{wrong}: holds shape (3, 2), result #0 (tensor<2x3xf32>) needs (2, 3)", path, f"--check={wrong}")

    def test_unwritable_outputs(self):
        path = self.file("m.mlir", ADD)
        nowhere = self.directory / "no" / "x"
        self.refuse(f"{nowhere}.npy: cannot write: No such file or directory", path, f"--output={nowhere}.npy")
        self.refuse(f"{nowhere}: cannot write: No such file or directory", path, f"--json={nowhere}")
        self.refuse(f"{self.directory}: cannot write: Is a directory", path, f"--json={self.directory}")
        if os.path.exists("/dev/full"):
            self.refuse("/dev/full: cannot write: No space left on device", path, "--json=/dev/full")
            self.refuse("/dev/full: cannot write: No space left on device", path, "--layout-report=/dev/full")
            for words in ((), ("--json=-", ), ("--layout-report=-", ), ("--help", )):
                with self.subTest(words), open("/dev/full", "w") as full:
                    process = subprocess.run([str(RUN), str(path), *words], stdout=full, stderr=subprocess.PIPE, text=True)
                    self.assertEqual(process.returncode, 1)
                    self.assertEqual(process.stderr.splitlines()[-1], "tpp-run: error: stdout: cannot write: No space left on device")
        closed = subprocess.run(["sh", "-c", f"'{RUN}' '{path}' --json=- >&-"], stderr=subprocess.PIPE, text=True)
        self.assertEqual(closed.returncode, 1)
        self.assertIn("tpp-run: error: stdout: cannot write: ", closed.stderr)
        self.refuse(f"{nowhere}: cannot write: No such file or directory", path, f"--layout-report={nowhere}")
        self.refuse(f"{self.directory}: cannot write: Is a directory", path, f"--layout-report={self.directory}")

    def test_flags(self):
        path = self.file("m.mlir", ADD)
        rows = [
            (("--frobnicate", ), "unknown flag '--frobnicate' (see --help)"),
            (("--bench=3", ), "flag '--bench' takes no value"),
            (("--bench", "--bench"), "flag '--bench' is given twice"),
            (("--threads", ), "flag '--threads' needs a value: --threads=N"),
            (("--threads=0", ), "--threads: '0' is not an integer from 1 to 1024"),
            (("--threads=-2", ), "--threads: '-2' is not an integer from 1 to 1024"),
            (("--threads=999999999999999999999", ), "--threads: '999999999999999999999' is not an integer from 1 to 1024"),
            (("--bench", "--reps=0"), "--reps: '0' is not an integer from 1 to 1000000000"),
            (("--bench", "--min-time=-1"), "--min-time: '-1' is not a number from 0 to 86400"),
            (("--check=reference", "--rtol=-1"), "--rtol: '-1' is not a number from 0 to 1e+300"),
            (("--pipeline=best", ), "--pipeline: 'best' is none of default, loops"),
            (("--provider=mkl", ), "--provider: 'mkl' is none of auto, xsmm, native, reference"),
            (("--emit=exe", "-o", "x"), "--emit: 'exe' is none of llvm, asm, obj, shared"),
            (("--emit=obj", ), "--emit needs -o FILE"),
            (("--input=random:x,ones", ), "--input: 'random:x' is not a random input: write random or random:SEED with a SEED from 0 to 2^64-1"),
            (("other.mlir", ), "one model is expected, 'other.mlir' is superfluous"),
        ]
        for words, message in rows:
            with self.subTest(words=words):
                self.refuse(message, path, *words)
        self.refuse("no model is given (see --help)")

    def test_unknown_targets_and_packings(self):
        path = self.file("m.mlir", ADD)
        for flag in ("--target=vax", "--packing=origami"):
            with self.subTest(flag):
                process = run(RUN, path, flag)
                self.assertEqual((process.returncode, process.stdout), (1, ""))
                self.assertIn(flag.split("=")[1], process.stderr)

    def test_machine_files_that_cannot_be_used(self):
        path, bad = self.file("m.mlir", ADD), self.file("machine.txt", "isa = avx2\nclock_ghz = fast\n")
        problem = f"{bad}:2: clock_ghz is 'fast', must be a number"
        process = run(RUN, path, f"--target={bad}")
        self.assertEqual((process.returncode, process.stdout), (1, ""))
        self.assertIn(problem, process.stderr)
        for tool in ("tpp-run", "tpp-opt"):
            process = run(BIN / tool, path, variables={"TPP_MACHINE": str(bad)})
            self.assertEqual((process.returncode, process.stdout, process.stderr), (1, "", f"{tool}: error: TPP_MACHINE: {problem}\n"))

    def test_a_target_that_this_machine_is_not_can_only_be_emitted(self):
        path = self.file("m.mlir", ADD)
        foreign, architecture = ("avx2", "x86_64") if platform.machine() == "aarch64" else ("neon", "aarch64")
        process = run(RUN, path, f"--target={foreign}")
        self.assertEqual((process.returncode, process.stdout), (1, ""))
        self.assertRegex(process.stderr, f"cannot run what is compiled for {foreign}: this machine, .*, has no {foreign}; it can only be emitted")
        for kind in ("llvm", "asm", "obj"):
            process = run(RUN, path, f"--target={foreign}", f"--emit={kind}", "-o", self.directory / f"m.{kind}")
            self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.assertIn(f'target triple = "{architecture}', (self.directory / "m.llvm").read_text())
        shared = self.directory / "m.so"
        process = run(RUN, path, f"--target={foreign}", "--emit=shared", "-o", shared)
        self.assertEqual((process.returncode, process.stdout), (1, ""))
        self.assertRegex(process.stderr, f"^tpp-run: error: cannot link {shared}: this machine's linker is for .*, the code for {architecture}; "
                         "emit an object and link it with a compiler driver for that machine\n$")
        self.assertFalse(shared.exists())
        unknown = '#tpp.target<isa = "avx2", cpu = "abacus", vector_bits = 256, registers = 16, caches = [32768], cores = 1>'
        process = run(RUN, path, f"--target={unknown}", "--emit=asm", "-o", self.directory / "m.s")
        self.assertEqual(process.returncode, 1)
        self.assertIn("'abacus' is no processor of x86_64 that LLVM knows", process.stderr)

    def test_tensors_too_large_for_memory(self):
        path = self.file("m.mlir", identity("tensor<1048576x1048576xf32>"))
        process = run(RUN, path)
        self.assertEqual((process.returncode, process.stdout), (1, ""))
        self.assertRegex(process.stderr, r"^tpp-run: error: arguments and results do not fit into memory: they need 8192\.0 GiB, [\d.]+ GiB are "
                         r"available; the largest is argument #0 \(tensor<1048576x1048576xf32>\), 4096\.0 GiB\n$")
        size = 1 << 40
        path = self.file("m.mlir", identity(f"tensor<{size}x{size}xf32>"))
        self.refuse(f"argument #0 (tensor<{size}x{size}xf32>) is too large: its bytes do not fit in 63 bits", path)


if __name__ == "__main__":
    unittest.main()
