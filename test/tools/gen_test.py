"""Tests tools/gen: its output is valid MLIR, each flag changes the model as documented, and each bad value has its own message."""
import contextlib
import importlib.machinery
import importlib.util
import io
import itertools
import re
import struct
import unittest

from command_line import GEN, MLIR_OPT, CommandLineTest, run


# Imports the script as a module. Most tests call it in this process, because starting Python takes longer than writing a small
# model.
loader = importlib.machinery.SourceFileLoader("gen", str(GEN))
gen = importlib.util.module_from_spec(importlib.util.spec_from_loader("gen", loader))
loader.exec_module(gen)


class GenTest(CommandLineTest):

    def text(self, *words):
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = gen.main([*words, "-o", "-"])
        self.assertEqual((status, errors.getvalue()), (0, ""))
        return output.getvalue()

    def verify(self, *texts):
        process = run(MLIR_OPT, "-", "--split-input-file", input="\n// -----\n".join(texts))
        self.assertEqual(process.returncode, 0, process.stderr)
        return process.stdout

    def test_every_combination_is_valid_mlir(self):
        models = [("mlp", "--batch=3", "--widths=4,5,2"), ("mlp", "--batch=3", "--widths=4,5", "--weights=argument"),
                  ("mlp", "--batch=3", "--widths=4,5", "--transposed-weights"), ("matmul", "--m=3", "--n=4", "--k=5"),
                  ("matmul", "--m=3", "--n=4", "--k=5", "--constant-b", "--transposed-a", "--transposed-b")]
        activations, types, biases = ("none", "relu", "gelu", "tanh", "sigmoid"), ("f32", "f64", "bf16", "f16"), ((), ("--bias", ))
        texts = [self.text(*model, f"--activation={activation}", f"--type={element_type}", *bias)
                 for model, activation, element_type, bias in itertools.product(models, activations, types, biases)]
        texts += [self.text(*model, f"--activation={activation}", f"--type={element_type}", *bias)
                  for model, activation, element_type, bias in itertools.product(models, ("none", "relu"), ("i8", "u8"), biases)]
        self.assertEqual(self.verify(*texts).count("func.func @main"), len(texts))

    def test_empty_sizes_are_legal(self):
        self.verify(self.text("mlp", "--batch=0", "--widths=4,0,3", "--bias"), self.text("matmul", "--m=2", "--n=3", "--k=0", "--constant-b"))

    def test_torch_like_mlp(self):
        text = self.text("mlp", "--batch=2", "--widths=3,4", "--bias", "--activation=relu", "--transposed-weights")
        self.assertIn("func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x4xf32>", text)
        self.assertIn("dense_resource<layer0_weight> : tensor<4x3xf32>", text)
        self.assertIn("linalg.transpose", text)
        self.assertIn("arith.cmpf ugt", text)
        self.assertEqual(text.count("linalg.matmul"), 1)
        self.assertEqual(text.count("linalg.generic"), 2)

    def test_integers_are_summed_in_i32_and_an_mlp_saturates_its_layers(self):
        text = self.text("matmul", "--m=2", "--n=3", "--k=4", "--type=i8", "--bias")
        self.assertIn("(%arg0: tensor<2x4xi8>, %arg1: tensor<4x3xi8>, %arg2: tensor<3xi32>) -> tensor<2x3xi32>", text)
        self.assertIn("linalg.matmul", text)
        text = self.text("mlp", "--batch=2", "--widths=4,3", "--type=u8")
        self.assertIn("(%arg0: tensor<2x4xi8>) -> tensor<2x3xi8>", text)
        for line in ("arith.extui %x : i8 to i32", "arith.extsi %y : i8 to i32", "arith.constant 2.550000e+02 : f32", "arith.fptoui"):
            self.assertIn(line, text)
        weights = struct.unpack("<12b", self.blob(self.text("mlp", "--widths=4,3", "--type=u8"), "layer0_weight")[4:])
        self.assertGreater(len(set(weights)), 6)
        self.assertGreaterEqual(min(weights), -127)
        bias = struct.unpack("<3i", self.blob(self.text("mlp", "--widths=4,3", "--type=i8", "--bias"), "layer0_bias")[4:])
        self.assertGreater(max(map(abs, bias)), 127)

    def test_arguments_take_the_place_of_constants(self):
        text = self.text("mlp", "--batch=2", "--widths=3,4,5", "--bias", "--weights=argument")
        self.assertIn("(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4x5xf32>, %arg4: tensor<5xf32>)", text)
        self.assertNotIn("dense_resource", text)
        text = self.text("matmul", "--m=2", "--n=3", "--k=4", "--transposed-a", "--transposed-b", "--entry=f")
        self.assertIn("@f(%arg0: tensor<4x2xf32>, %arg1: tensor<3x4xf32>)", text)

    def blob(self, text, name):
        digits = re.search(rf'{name}: "0x([0-9A-Fa-f]*)"', text).group(1)
        return bytes.fromhex(digits)

    def test_weights_are_scaled_normal_numbers(self):
        k, n = 400, 300
        blob = self.blob(self.text("matmul", "--m=1", f"--n={n}", f"--k={k}", "--constant-b"), "b")
        self.assertEqual(blob[:4], struct.pack("<I", 4))
        values = struct.unpack(f"<{k * n}f", blob[4:])
        mean = sum(values) / len(values)
        deviation = (sum(x * x for x in values) / len(values))**0.5
        self.assertAlmostEqual(mean, 0, delta=0.05 / k**0.5)
        self.assertAlmostEqual(deviation, k**-0.5, delta=0.02 * k**-0.5)

    def test_narrow_types_hold_rounded_values_of_the_same_sample(self):
        wide = struct.unpack("<6f", self.blob(self.text("matmul", "--m=1", "--n=2", "--k=3", "--constant-b"), "b")[4:])
        blob = self.blob(self.text("matmul", "--m=1", "--n=2", "--k=3", "--constant-b", "--type=bf16"), "b")
        self.assertEqual(blob[:4], struct.pack("<I", 2))
        for value, bits in zip(wide, struct.unpack("<6H", blob[4:])):
            self.assertLessEqual(abs(struct.unpack("<f", struct.pack("<I", bits << 16))[0] - value), abs(value) / 256)
        half = struct.unpack("<6e", self.blob(self.text("matmul", "--m=1", "--n=2", "--k=3", "--constant-b", "--type=f16"), "b")[4:])
        for value, narrow in zip(wide, half):
            self.assertLessEqual(abs(narrow - value), abs(value) / 2048)

    def test_equal_seeds_give_equal_files(self):
        words = ("mlp", "--batch=1", "--widths=8,8")
        self.assertEqual(self.text(*words, "--seed=1"), self.text(*words, "--seed=1"))
        self.assertNotEqual(self.text(*words, "--seed=1"), self.text(*words, "--seed=2"))

    def test_the_large_mlp_is_written_whole(self):
        path = self.generate("mlp.mlir", "mlp", "--bias", "--activation=relu")
        self.assertGreater(path.stat().st_size, 2 * 3 * 4 * 1024 * 1024)

    def test_bad_values_have_their_own_messages(self):
        rows = [
            ((), "the following arguments are required: MODEL"),
            (("conv", ), "argument MODEL: invalid choice: 'conv' (choose from 'mlp', 'matmul')"),
            (("mlp", "--batch=-1"), "argument --batch: '-1' is not a size from 0 to 16777216"),
            (("mlp", "--batch=many"), "argument --batch: 'many' is not a size from 0 to 16777216"),
            (("mlp", "--batch=99999999999"), "argument --batch: '99999999999' is not a size from 0 to 16777216"),
            (("mlp", "--widths=4"), "argument --widths: '4': at least two widths are needed, input and output of one layer"),
            (("mlp", "--widths=4,,4"), "argument --widths: '' is not a size from 0 to 16777216"),
            (("mlp", "--width=4,4"), "unrecognized arguments: --width=4,4"),
            (("mlp", "--activation=swish"),
             "argument --activation: invalid choice: 'swish' (choose from 'none', 'relu', 'gelu', 'tanh', 'sigmoid')"),
            (("mlp", "--type=i4"), "argument --type: invalid choice: 'i4' (choose from 'f32', 'f64', 'bf16', 'f16', 'i8', 'u8')"),
            (("mlp", "--type=u8", "--activation=gelu"), "argument --activation: gelu needs a floating-point type"),
            (("mlp", "--seed=-1"), "argument --seed: '-1' is not a seed from 0 to 2^64-1"),
            (("mlp", "--entry=a b"), "argument --entry: 'a b' is not a plain identifier"),
            (("mlp", "--widths=1048576,1048576"), "constants of more than 4 GiB: use --weights=argument"),
            (("matmul", "--m=1", "--n=1"), "the following arguments are required: --k"),
        ]
        for words, message in rows:
            with self.subTest(words=words):
                process = run(GEN, *words, *(("-o", "-") if words and words[0] != "conv" else ()))
                self.assertEqual((process.returncode, process.stdout, process.stderr), (1, "", f"gen: error: {message}\n"))

    def test_output_is_needed_and_must_be_writable(self):
        self.assertIn("arguments are required: -o", run(GEN, "mlp").stderr)
        process = run(GEN, "mlp", "-o", self.directory / "no" / "x.mlir")
        self.assertEqual(process.returncode, 1)
        self.assertIn("x.mlir: cannot write: No such file or directory", process.stderr)


if __name__ == "__main__":
    unittest.main()
