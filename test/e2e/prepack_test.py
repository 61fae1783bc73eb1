"""Tests work that is done once, not per call: weights that are arguments, models packed into a file, and the memory they need."""
import json
import platform
import re
import unittest

from command_line import BIN, SOURCE, CommandLineTest, run

RUN = BIN / "tpp-run"
OPT = BIN / "tpp-opt"
MODELS = SOURCE / "test" / "e2e" / "models"


class WeightArgumentsTest(CommandLineTest):

    def report(self, model, *words, status=0):
        report = self.directory / "report.json"
        process = run(RUN, model, f"--json={report}", *words)
        self.assertEqual(process.returncode, status, process.stdout + process.stderr)
        return json.loads(report.read_text())

    def mlp(self, *words):
        return self.generate("mlp.mlir", "mlp", "--batch=160", "--widths=1024,1024,512", "--bias", "--activation=relu", "--weights=argument",
                             *words)

    def test_what_depends_on_them_is_moved_once(self):
        for words in ((), ("--transposed-weights",)):
            for threads in (1, 2):
                with self.subTest(words, threads=threads):
                    model = self.mlp(*words)
                    each_call = self.report(model, f"--threads={threads}")
                    once = self.report(model, "--check=reference", f"--threads={threads}", "--weights=1-4")
                    self.assertGreater(each_call["packs"] + each_call["copies"], 0)
                    self.assertEqual((once["packs"], once["unpacks"], once["copies"]), (0, 0, 0))
                    self.assertEqual(each_call["weights_bytes"], 0)
                    self.assertGreaterEqual(once["weights_bytes"], (1024 * 1024 + 1024 * 512 + 1536) * 4)
                    self.assertGreater(once["prepack_seconds"], 0)
                    self.assertEqual(each_call["flops"], once["flops"])

    def test_they_give_the_same_as_constants(self):
        # The generator's constants differ from tpp-run's random arguments, so runs with the same random arguments are compared:
        # in each call, as weights, and with other options.
        model = self.mlp()
        outputs = []
        for words in ((), ("--weights=1-4",), ("--weights=1,3",), ("--weights=0-4",), ("--weights=1-4", "--packing=none"),
                      ("--weights=1-4", "--pipeline=loops")):
            with self.subTest(words):
                output = self.directory / "y.npy"
                process = run(RUN, model, "--threads=1", "--input=" + ",".join(["random:5"] * 5), f"--output={output}", *words)
                self.assertEqual(process.returncode, 0, process.stderr)
                if outputs:
                    process = run(RUN, model, "--threads=1", "--input=" + ",".join(["random:5"] * 5), f"--check={outputs[0]}", *words)
                    self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
                else:
                    outputs.append(output.rename(self.directory / "first.npy"))

    def test_a_program_with_a_function_of_that_name(self):
        text = """func.func @main_prepack(%x: tensor<512xf32>) -> tensor<512xf32> {
  %e = tensor.empty() : tensor<512xf32>
  %y = linalg.exp ins(%x : tensor<512xf32>) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  return %y : tensor<512xf32>
}
func.func @main(%x: tensor<512xf32>, %w: tensor<512xf32>) -> tensor<512xf32> {
  %y = call @main_prepack(%x) : (tensor<512xf32>) -> tensor<512xf32>
  %e = tensor.empty() : tensor<512xf32>
  %v = linalg.exp ins(%w : tensor<512xf32>) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %z = linalg.add ins(%y, %v : tensor<512xf32>, tensor<512xf32>) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  return %z : tensor<512xf32>
}
"""
        inlined = self.file("inlined.mlir", text)
        for words in ((), ("--weights=1",)):
            self.report(inlined, "--entry=main", "--check=reference", *words)
        called = self.file("called.mlir", text.replace("-> tensor<512xf32> {", "-> tensor<512xf32> attributes {no_inline} {", 1))
        for words in ((), ("--weights=1",)):
            process = run(RUN, called, "--entry=main", *words)
            self.assertEqual((process.returncode, process.stdout), (1, ""))
            self.assertIn("called.mlir:1:1: 'func.func' op has the name of the function that computes the weights of @main", process.stderr)

    def test_real_models_with_every_argument_a_weight(self):
        # With every argument a weight, the whole model is prepack, results included.
        models = sorted(MODELS.glob("*.mlir"))
        self.assertGreaterEqual(len(models), 4)
        for model in models:
            with self.subTest(model.name):
                report = self.report(model, "--check=reference", "--weights=0", "--rtol=1e-3")
                self.assertEqual(report["packs"] + report["unpacks"], 0)

    def test_the_report_lists_what_moves_when_they_change(self):
        moves = self.directory / "moves.json"
        process = run(RUN, self.mlp("--transposed-weights"), "--weights=1-4", "--threads=1", f"--layout-report={moves}")
        self.assertEqual(process.returncode, 0, process.stderr)
        main, prepack = json.loads(moves.read_text())["functions"]
        self.assertEqual((main["name"], main["moves"]), ("main", []))
        self.assertEqual(prepack["name"], "main_prepack")
        self.assertGreaterEqual(prepack["packs"] + prepack["copies"], 2)

    def test_bad_arguments_are_refused(self):
        model = self.file("m.mlir", "func.func @main(%x: tensor<4xf32>, %m: memref<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}\n")
        for flag, message in (("--weights=2", "argument 2 cannot be a weight: @main has 2 arguments"),
                              ("--weights=1", "argument 1 of @main is a memref, which a call may write: only tensors can be weights")):
            process = run(RUN, model, flag)
            self.assertEqual((process.returncode, process.stdout), (1, ""))
            self.assertIn(message, process.stderr)

    def test_a_step_of_training_packs_its_weight_once(self):
        # The forward and the backward pass multiply with W along different dimensions, which needs two layouts of W, made once
        # per step. Both passes read X and dY unpacked. At these sizes both layouts also pay off when they are made in each call.
        text = (SOURCE / "test" / "e2e" / "linear_step.mlir").read_text().replace("512", "1024")
        moves = self.directory / "moves.json"
        once = self.report(self.file("once.mlir", text), "--check=reference", f"--layout-report={moves}")
        each_call = self.report(self.file("each_call.mlir", text.replace(" {tpp.prepack}", "")), "--check=reference")
        main, prepack = json.loads(moves.read_text())["functions"]
        self.assertEqual((each_call["packs"] - once["packs"], prepack["packs"]), (2, 2))
        self.assertEqual(once["weights_bytes"], 2 * 1024 * 1024 * 4)
        self.assertEqual(main["moves"], [])


class PackedModelTest(CommandLineTest):

    SAME = ("packs", "unpacks", "copies", "copy_bytes", "workspace_bytes", "weights_bytes", "kernels")

    def pack(self, model, *words):
        packed = self.directory / "packed.mlirbc"
        process = run(OPT, model, "--tpp-default-tensors", "--tpp-evaluate-prepack", "--emit-bytecode", "-o", packed, *words)
        self.assertEqual(process.returncode, 0, process.stderr)
        return packed

    def outcome(self, model, *words):
        report, moves = self.directory / "report.json", self.directory / "moves.json"
        process = run(RUN, model, "--threads=1", f"--json={report}", f"--layout-report={moves}", *words)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        return json.loads(report.read_text()), moves.read_text()

    def models(self):
        yield from sorted(MODELS.glob("*.mlir"))
        yield self.generate("mlp.mlir", "mlp", "--batch=160", "--widths=256,300,256", "--bias", "--activation=relu")
        yield self.generate("mlp.mlir", "mlp", "--batch=3", "--widths=300,70", "--transposed-weights", "--type=bf16")

    def prepack_operations(self, model):
        process = run(OPT, model, "--mlir-elide-elementsattrs-if-larger=4", "--mlir-elide-resource-strings-if-larger=4")
        self.assertEqual(process.returncode, 0, process.stderr)
        body = re.search(r"^  func\.func private @main_prepack\(.*\n((?:    .*\n)+)  }$", process.stdout, re.MULTILINE).group(1)
        return {re.match(r"    (?:%\S+ = )?(\S+)", line).group(1) for line in body.splitlines()}

    def test_it_runs_as_the_model_does_with_nothing_left_to_prepack(self):
        for model in self.models():
            with self.subTest(model.name):
                results = "0.npy,1.npy" if "attention" in model.name else "0.npy"
                names = [self.directory / name for name in results.split(",")]
                outcomes, flops, packed = [], [], self.pack(model)
                for candidate in (model, packed):
                    report, moves = self.outcome(candidate, "--output=" + ",".join(map(str, names)))
                    flops.append(report["flops"])
                    outcomes.append(({key: report[key] for key in self.SAME}, moves, [name.read_bytes() for name in names]))
                self.assertEqual(*outcomes)
                # The program contains multiplications with the zeros of padding; the packed model does not.
                self.assertLessEqual(flops[1], flops[0])
                self.assertGreater(flops[1], 0.9 * flops[0])
                self.assertEqual(self.prepack_operations(packed), {"arith.constant", "return"})

    def test_its_files_are_those_of_the_model(self):
        model = next(self.models())
        files = []
        for candidate in (model, self.pack(model)):
            process = run(RUN, candidate, "--threads=1", "--emit=obj", "-o", self.directory / "m.o")
            self.assertEqual(process.returncode, 0, process.stderr)
            files.append([(self.directory / name).read_bytes() for name in ("m.o", "m.h", "m.o.weights")])
        self.assertEqual(*files)

    def test_it_is_checked_and_compiled_by_both_pipelines(self):
        for model in self.models():
            with self.subTest(model.name):
                process = run(RUN, self.pack(model), "--check=reference", "--rtol=1e-2")
                self.assertEqual(process.returncode, 0, process.stdout + process.stderr)

    def test_an_entry_is_packed_beside_another(self):
        text = (MODELS / "tiny_mlp.mlir").read_text()
        model = self.file("two.mlir", text.replace("func.func @main", "func.func @second(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                                                   "  return %x : tensor<4xf32>\n}\nfunc.func @main"))
        packed = self.pack(model)
        for entry in ("main", "second"):
            process = run(RUN, packed, f"--entry={entry}", "--check=reference")
            self.assertEqual(process.returncode, 0, process.stdout + process.stderr)

    def test_what_was_decided_is_not_decided_again(self):
        packed = self.pack(MODELS / "tiny_mlp.mlir")
        for flag in ("--weights=0", "--packing=none"):
            process = run(RUN, packed, flag)
            self.assertEqual((process.returncode, process.stdout), (1, ""))
            self.assertIn("@main is already packed: remove the options that set weights or packing", process.stderr)
        process = run(OPT, packed, "--tpp-default-tensors", "-o", self.directory / "again.mlir")
        self.assertEqual(process.returncode, 1)
        self.assertIn("is packed already (tpp.packed): the stages on tensors have run", process.stderr)

    def test_a_packed_attribute_without_moves_is_rejected(self):
        text = (MODELS / "tiny_mlp.mlir").read_text()
        head, body = text.split("func.func @main", 1)
        signature, body = body.split(" {\n", 1)
        for attributes, message in (
            ("tpp.packed", "@main has the attribute tpp.packed but no valid tpp.moves, so it was not packed by tpp-evaluate-prepack"),
            ("tpp.packed, tpp.moves = 3 : i64", 'has "tpp.moves" = 3 : i64: it is an array'),
        ):
            model = self.file("claims.mlir", f"{head}func.func @main{signature} attributes {{{attributes}}} {{\n{body}")
            process = run(RUN, model, "--check=reference")
            self.assertEqual((process.returncode, process.stdout), (1, ""))
            self.assertIn(message, process.stderr)

    def test_the_target_is_not_decided_yet(self):
        packed = self.pack(MODELS / "tiny_mlp.mlir")
        process = run(RUN, packed, "--target=vax")
        self.assertEqual((process.returncode, process.stdout), (1, ""))
        self.assertIn("unknown target 'vax'", process.stderr)
        report, _ = self.outcome(packed, "--target=portable", "--check=reference")
        self.assertEqual(report["target"], "portable")
        foreign, architecture = ("avx2", "x86_64") if platform.machine() == "aarch64" else ("neon", "aarch64")
        code = self.directory / "m.ll"
        process = run(RUN, packed, f"--target={foreign}", "--emit=llvm", "-o", code)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn(f'target triple = "{architecture}', code.read_text())


class MemoryTest(CommandLineTest):

    def mlp(self, layers):
        widths = ",".join(["1024"] * (layers + 1))
        return self.generate(f"mlp{layers}.mlir", "mlp", "--batch=8", f"--widths={widths}", "--transposed-weights")

    def peak(self, model):
        report = self.directory / "report.json"
        process = run(RUN, model, "--threads=1", f"--json={report}")
        self.assertEqual(process.returncode, 0, process.stderr)
        report = json.loads(report.read_text())
        return report["peak_anonymous_bytes"], report["weights_bytes"]

    def test_weights_are_in_memory_once(self):
        # Sixteen more layers must take only their packed weights: no copy of the constants, not even of those that a text file
        # was parsed into.
        texts = self.mlp(2), self.mlp(18)
        for models in (texts, tuple(map(self.bytecode, texts))):
            with self.subTest(models[0].suffix):
                small, more = map(self.peak, models)
                weights = more[1] - small[1]
                self.assertEqual(weights, 16 * 1024 * 1024 * 4)
                self.assertLess(more[0] - small[0], 1.3 * weights)


if __name__ == "__main__":
    unittest.main()
