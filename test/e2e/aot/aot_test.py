"""Tests ahead-of-time compilation: an object and a shared library in a plain C program, and the content of the emitted LLVM IR."""
import os
import pathlib
import re
import struct
import unittest

from command_line import BIN, CommandLineTest, run

RUN = BIN / "tpp-run"
HERE = pathlib.Path(__file__).parent
RUNTIME = pathlib.Path(os.environ["TPP_RUNTIME"])
SOURCE = pathlib.Path(os.environ["TPP_SOURCE"])

WEIGHT = [[(i * 7 + j * 3) % 9 - 4 for j in range(32)] for i in range(16)]
BIAS = [j % 4 - 1 for j in range(32)]


def hexadecimal(values):
    return '"0x' + struct.pack(f"<{len(values)}f", *values).hex().upper() + '"'


MODEL = f"""
func.func @layer(%x: tensor<4x16xf32>) -> tensor<4x32xf32> {{
  %w = arith.constant dense<{hexadecimal(sum(WEIGHT, []))}> : tensor<16x32xf32>
  %b = arith.constant dense<{hexadecimal(BIAS)}> : tensor<32xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x32xf32>) -> tensor<4x32xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x16xf32>, tensor<16x32xf32>) outs(%f : tensor<4x32xf32>) -> tensor<4x32xf32>
  %1 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}}
      ins(%0, %b : tensor<4x32xf32>, tensor<32xf32>) outs(%e : tensor<4x32xf32>) {{
  ^bb0(%s: f32, %t: f32, %o: f32):
    %2 = arith.addf %s, %t : f32
    %3 = arith.cmpf ugt, %2, %zero : f32
    %4 = arith.select %3, %2, %zero : f32
    linalg.yield %4 : f32
  }} -> tensor<4x32xf32>
  return %1 : tensor<4x32xf32>
}}
"""

GATHER_MODEL = """
func.func @layer(%index: tensor<4xi32>) -> tensor<4xf32> {
  %table = arith.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %four = arith.constant 4 : i32
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%index : tensor<4xi32>) outs(%e : tensor<4xf32>) {
  ^bb0(%i: i32, %o: f32):
    %inside = arith.cmpi ult, %i, %four : i32
    cf.assert %inside, "the index is out of range"
    %at = arith.index_castui %i : i32 to index
    %value = tensor.extract %table[%at] : tensor<4xf32>
    linalg.yield %value : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

SCALE = [[(i + j) % 3 + 1 for j in range(32)] for i in range(16)]
WEIGHTS_MODEL = f"""
func.func @layer(%w: tensor<16x32xf32> {{tpp.prepack}}, %x: tensor<4x16xf32>, %b: tensor<32xf32> {{tpp.prepack}}) -> tensor<4x32xf32> {{
  %s = arith.constant dense<{hexadecimal(sum(SCALE, []))}> : tensor<16x32xf32>
  %we = tensor.empty() : tensor<16x32xf32>
  %ws = linalg.mul ins(%w, %s : tensor<16x32xf32>, tensor<16x32xf32>) outs(%we : tensor<16x32xf32>) -> tensor<16x32xf32>
  %e = tensor.empty() : tensor<4x32xf32>
  %f = linalg.broadcast ins(%b : tensor<32xf32>) outs(%e : tensor<4x32xf32>) dimensions = [0]
  %0 = linalg.matmul ins(%x, %ws : tensor<4x16xf32>, tensor<16x32xf32>) outs(%f : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}}
"""


def expected_with_weights(seed):
    x = [[(i * 16 + k) % 5 - 2 for k in range(16)] for i in range(4)]
    w = [[((k * 32 + j) * seed % 7 - 3) * SCALE[k][j] for j in range(32)] for k in range(16)]
    return [sum(x[i][k] * w[k][j] for k in range(16)) + j % seed for i in range(4) for j in range(32)]


def expected():
    x = [[(i * 16 + k) % 5 - 2 for k in range(16)] for i in range(4)]
    return [max(0, sum(x[i][k] * WEIGHT[k][j] for k in range(16)) + BIAS[j]) for i in range(4) for j in range(32)]


@unittest.skipIf(os.environ["TPP_SANITIZE"], "an instrumented runtime needs an instrumented program")
class AotTest(CommandLineTest):

    def emit(self, kind, name, *flags, model=MODEL):
        model = self.file("layer.mlir", model)
        process = run(RUN, model, f"--emit={kind}", "-o", self.directory / name, "--threads=1", *flags)
        self.assertEqual((process.returncode, process.stdout), (0, ""), process.stderr)
        return self.directory / name

    def compile_and_run(self, code, *flags, main="main.c"):
        """Links the C program with the emitted code and runs it. Returns its output as floats."""
        program = self.directory / "program"
        includes = [f"-I{self.directory}", f"-I{SOURCE / 'microkernels/include'}", f"-I{SOURCE / 'runtime/include'}"]
        process = run(os.environ["TPP_CC"], "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", *includes, HERE / main, code, RUNTIME,
                      f"-Wl,-rpath,{RUNTIME.parent}", f"-Wl,-rpath,{self.directory}", "-lm", *flags, "-o", program)
        self.assertEqual(process.returncode, 0, process.stderr)
        process = run(program, f"{code}.weights")
        self.assertEqual(process.returncode, 0, process.stderr)
        return [float(line) for line in process.stdout.split()]

    def test_an_object_runs_in_a_plain_c_program(self):
        self.assertEqual(self.compile_and_run(self.emit("obj", "layer.o")), expected())

    def test_assembly_is_the_same_program(self):
        self.assertEqual(self.compile_and_run(self.emit("asm", "layer.s")), expected())

    def test_a_shared_library_runs_in_a_plain_c_program(self):
        self.assertEqual(self.compile_and_run(self.emit("shared", "layer.so")), expected())

    def test_the_reference_pipeline_emits_the_same_numbers(self):
        self.assertEqual(self.compile_and_run(self.emit("obj", "layer.o", "--pipeline=loops")), expected())

    def test_weights_that_are_arguments_are_packed_once_and_again(self):
        for pipeline in ("default", "loops"):
            code = self.emit("obj", f"{pipeline}.o", f"--pipeline={pipeline}", model=WEIGHTS_MODEL)
            (self.directory / f"{pipeline}.h").rename(self.directory / "layer.h")
            self.assertEqual(self.compile_and_run(code, main="weights.c"), expected_with_weights(3) + expected_with_weights(5))

    def test_a_flag_marks_the_same_arguments(self):
        marked = self.emit("obj", "marked.o", model=WEIGHTS_MODEL)
        flagged = self.emit("obj", "flagged.o", "--weights=0,2", model=WEIGHTS_MODEL.replace(" {tpp.prepack}", ""))
        self.assertEqual(marked.read_bytes(), flagged.read_bytes())
        self.assertEqual((self.directory / "marked.h").read_text().replace("marked", "flagged"), (self.directory / "flagged.h").read_text())

    def test_the_code_of_a_model_with_weights_exports_its_six_functions(self):
        text = self.emit("llvm", "layer.ll", model=WEIGHTS_MODEL).read_text()
        defined = set(re.findall(r"^define (?!internal)[^@]*@([\w.]+)\(", text, re.MULTILINE))
        names = ("create", "workspace_bytes", "run", "destroy", "prepack", "prepack_workspace_bytes")
        self.assertEqual(defined, {f"layer_{name}" for name in names})

    def test_equal_models_give_equal_files(self):
        first = self.emit("obj", "a.o")
        second = self.emit("obj", "b.o")
        self.assertEqual(first.read_bytes(), second.read_bytes())
        self.assertEqual((self.directory / "a.o.weights").read_bytes(), (self.directory / "b.o.weights").read_bytes())

    def test_a_failed_assertion_ends_the_call_not_the_program(self):
        code = self.emit("obj", "layer.o", model=GATHER_MODEL)
        self.assertEqual(self.compile_and_run(code, main="assertion.c"), [30, 20, 10, 40])

    def test_a_model_for_another_processor_cannot_be_created(self):
        # Excavator has FMA4 and XOP, which no processor with AVX-512 and none of Intel has.
        target = '#tpp.target<isa = "avx2", cpu = "bdver4", vector_bits = 256, registers = 16, caches = [32768, 524288], cores = 1>'
        code = self.emit("obj", "layer.o", f"--target={target}")
        self.assertEqual(self.compile_and_run(code, main="other_cpu.c"), [])

    def test_the_header_names_shapes_and_sizes(self):
        self.emit("obj", "layer.o")
        header = (self.directory / "layer.h").read_text()
        self.assertIn("argument0: 4x16xf32, row-major", header)
        self.assertIn("result0: 4x32xf32, row-major, written", header)
        self.assertIn(f"layer_weights_bytes = {(self.directory / 'layer.o.weights').stat().st_size}", header)
        self.assertIn("the file layer.o.weights", header)

    def test_the_code_holds_no_weights_and_no_constructors(self):
        model = self.generate("mlp.mlir", "mlp", "--batch=32", "--widths=64,64,64", "--bias", "--activation=gelu")
        code = self.directory / "mlp.ll"
        process = run(RUN, model, "--emit=llvm", "-o", code, "--threads=1")
        self.assertEqual(process.returncode, 0, process.stderr)
        text = code.read_text()
        self.assertRegex(text, r"define [\w ]*i32 @main_run\(")
        self.assertNotIn("llvm.global_ctors", text)
        self.assertNotIn("@tpp_run_team", text)
        sizes = {"i1": 1, "i8": 1, "i16": 2, "half": 2, "bfloat": 2, "i32": 4, "float": 4, "i64": 8, "double": 8, "ptr": 8}
        arrays = re.findall(r"= (?:[a-z_]+ )*(?:constant|global) \[(\d+) x (\w+)\]", text)
        self.assertGreater(len(arrays), 0, "the kernels' descriptors are constants")
        for count, element in arrays:
            self.assertLessEqual(int(count) * sizes[element], 1024)
        self.assertNotRegex(text, r"(?:constant|global) \[\d+ x \[", "no nested array either")


if __name__ == "__main__":
    unittest.main()
