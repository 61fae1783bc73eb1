"""Tests small models exported from PyTorch: every pipeline, provider and thread count computes what PyTorch computed."""
import json
import pathlib
import struct
import unittest

from command_line import BIN, CommandLineTest, npy, read_npy, run

RUN = BIN / "tpp-run"
MODELS = pathlib.Path(__file__).parent / "models"
# The longest sum has 48 products of magnitudes up to 3. Error per layer: 48 * 3 * 2^-24 = 9e-6, relative to results around 1.
TOLERANCE = ("--rtol=1e-5", "--atol=1e-5")
OUTPUTS = {"tiny_mlp": ["out"], "tiny_cnn": ["out"], "tiny_attention": ["out0", "out1"], "tiny_vit": ["out"]}


def check_files(name):
    return ",".join(str(MODELS / f"{name}.{output}.npy") for output in OUTPUTS[name])


class ModelsTest(CommandLineTest):

    def test_every_model_of_the_folder_is_tested(self):
        self.assertEqual({path.stem for path in MODELS.glob("*.mlir")}, set(OUTPUTS))

    def check(self, model, name, *words):
        process = run(RUN, model, f"--input={MODELS / name}.in.npy", f"--check={check_files(name)}", *TOLERANCE, *words)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)

    def test_equal_pytorch_with_both_pipelines_on_one_and_two_threads(self):
        for name in OUTPUTS:
            for pipeline in ("default", "loops"):
                for threads in (1, 2):
                    with self.subTest(name, pipeline=pipeline, threads=threads):
                        self.check(MODELS / f"{name}.mlir", name, f"--pipeline={pipeline}", f"--threads={threads}")

    def test_equal_pytorch_with_every_provider_and_only_it_runs(self):
        for name in OUTPUTS:
            for provider in ("native", "reference"):
                with self.subTest(name, provider=provider):
                    report = self.directory / "report.json"
                    self.check(MODELS / f"{name}.mlir", name, f"--provider={provider}", f"--json={report}")
                    providers = {kernel["provider"] for kernel in json.loads(report.read_text())["kernels"]}
                    self.assertEqual(providers, {provider})

    def test_equal_pytorch_without_packing(self):
        for name in OUTPUTS:
            with self.subTest(name):
                self.check(MODELS / f"{name}.mlir", name, "--packing=none")

    def test_bytecode_gives_the_same_bits_as_text(self):
        for name in OUTPUTS:
            with self.subTest(name):
                text = self.file(f"{name}.mlir", (MODELS / f"{name}.mlir").read_bytes())
                results = []
                for model in (text, self.bytecode(text)):
                    outputs = [self.directory / f"{name}.{output}.npy" for output in OUTPUTS[name]]
                    process = run(RUN, model, f"--input={MODELS / name}.in.npy", "--output=" + ",".join(map(str, outputs)))
                    self.assertEqual(process.returncode, 0, process.stderr)
                    results.append([output.read_bytes() for output in outputs])
                self.assertEqual(*results)

    def test_default_equals_loops_on_random_inputs(self):
        for name in OUTPUTS:
            for seed in (1, 2):
                with self.subTest(name, seed=seed):
                    process = run(RUN, MODELS / f"{name}.mlir", f"--input=random:{seed}", "--check=reference", *TOLERANCE)
                    self.assertEqual(process.returncode, 0, process.stdout + process.stderr)

    def test_a_wrong_element_is_noticed(self):
        # The comparisons above are worth something only if one element that is off by ten times the tolerance fails them.
        for name in OUTPUTS:
            with self.subTest(name):
                files = []
                for output in OUTPUTS[name]:
                    descriptor, shape, data = read_npy(MODELS / f"{name}.{output}.npy")
                    values = list(struct.unpack(f"<{len(data) // 4}f", data))
                    values[len(values) // 2] += 1e-4 * max(1, abs(values[len(values) // 2]))
                    files.append(self.file(f"{output}.npy", npy(descriptor, shape, struct.pack(f"<{len(values)}f", *values))))
                process = run(RUN, MODELS / f"{name}.mlir", f"--input={MODELS / name}.in.npy", "--check=" + ",".join(map(str, files)), *TOLERANCE)
                self.assertEqual(process.returncode, 2, process.stdout + process.stderr)

    def test_nothing_is_moved_in_a_call(self):
        # tiny_cnn pads its image; tiny_vit puts a class token before the patches of two images.
        for name in ("tiny_mlp", "tiny_cnn", "tiny_vit"):
            for threads in (1, 2):
                with self.subTest(name, threads=threads):
                    report = self.directory / "report.json"
                    self.check(MODELS / f"{name}.mlir", name, f"--threads={threads}", f"--json={report}")
                    moves = json.loads(report.read_text())
                    self.assertEqual([moves[key] for key in ("packs", "unpacks", "copies", "copy_bytes")], [0, 0, 0, 0])

    def test_no_weight_becomes_a_constant_of_the_code(self):
        for name in OUTPUTS:
            with self.subTest(name):
                code = self.directory / f"{name}.ll"
                process = run(RUN, MODELS / f"{name}.mlir", "--emit=llvm", "-o", code)
                self.assertEqual(process.returncode, 0, process.stderr)
                constants = [line for line in code.read_text().splitlines() if line.startswith("@") and "constant" in line]
                self.assertGreater(len(constants), 0, "the kernels' descriptors are constants")
                for line in constants:
                    self.assertLess(len(line), 3000, "a constant array of more than 1 KiB: " + line[:200])


if __name__ == "__main__":
    unittest.main()
