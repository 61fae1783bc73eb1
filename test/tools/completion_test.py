"""Tests tools/completion: bash must offer exactly the flags and values in each tool's --help."""
import re
import subprocess
import unittest

from command_line import BIN, GEN, SOURCE, CommandLineTest, run

SCRIPT = SOURCE / "tools" / "completion" / "tpp.bash"


class CompletionTest(CommandLineTest):

    def complete(self, *words):
        """COMPREPLY at the end of the last word. Words are split at "=", as an interactive bash splits them."""
        cut = [piece for word in words for piece in re.split(r"(?<=[^=])(=)", str(word), maxsplit=1) if piece or not word]
        quoted = " ".join("'" + word + "'" for word in cut)
        program = f"source '{SCRIPT}'; COMP_WORDS=({quoted}); COMP_CWORD={len(cut) - 1}; _tpp_complete; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        process = subprocess.run(["bash", "--norc", "-c", program], capture_output=True, text=True, timeout=120, cwd=self.directory)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        return process.stdout.split()

    def test_every_flag_of_the_help_is_offered(self):
        for words in ((BIN / "tpp-run", ), (BIN / "tpp-tune", ), (BIN / "tpp-info", "brgemm"), (GEN, "mlp"), (BIN / "tpp-opt", )):
            with self.subTest(words=words):
                # Flags indented by 8 are options of a pass; they are written inside --pass="...".
                said = set(re.findall(r"(?m)^ {2}(?: {4})?(--[A-Za-z][\w.-]*)", run(*words, "--help").stdout))
                offered = {word.rstrip("=") for word in self.complete(*words, "--")}
                self.assertGreaterEqual(len(said), 4)
                self.assertEqual(said, offered)

    def test_values_follow_from_the_help(self):
        for words, expected in (
            ((BIN / "tpp-run", "--emit="), ["llvm", "asm", "obj", "shared"]),
            ((BIN / "tpp-run", "--emit=a"), ["asm"]),
            ((BIN / "tpp-run", "--pipeline="), ["default", "loops"]),
            ((BIN / "tpp-run", "--provider="), ["auto", "xsmm", "native", "reference"]),
            ((BIN / "tpp-info", "brgemm", "--type=b"), ["bf16"]),
            ((BIN / "tpp-opt", "--mlir-timing-display="), ["list", "tree"]),
            ((GEN, "mlp", "--activation="), ["none", "relu", "gelu", "tanh", "sigmoid"]),
        ):
            with self.subTest(words=words):
                self.assertEqual(self.complete(*words), expected)

    def test_commands_and_files(self):
        self.assertEqual(self.complete(BIN / "tpp-info", "p"), ["providers"])
        self.assertEqual(self.complete(GEN, "m"), ["mlp", "matmul"])
        self.file("model.mlir", "")
        (self.directory / "models").mkdir()
        self.assertEqual(sorted(self.complete(BIN / "tpp-run", "mod")), ["model.mlir", "models/"])
        self.assertEqual(self.complete(BIN / "tpp-run", "x.mlir", "--transform=model."), ["model.mlir"])

    def test_our_passes_and_pipelines_are_offered(self):
        self.assertIn("--tpp-default", self.complete(BIN / "tpp-opt", "--tpp-def"))


if __name__ == "__main__":
    unittest.main()
