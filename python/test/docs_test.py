"""Runs the Python code of docs/python.md and of README.md. Blocks with the word torch need PyTorch."""
import contextlib
import importlib.util
import io
import os
import re
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BLOCK = re.compile(r"^```python( torch)?\n(.*?)^```$", re.M | re.S)


class DocsTest(unittest.TestCase):

    def run_blocks(self, path):
        with open(os.path.join(ROOT, path)) as file:
            blocks = BLOCK.findall(file.read())
        self.assertGreater(len(blocks), 0)
        variables, output = {}, io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(output):
            before = os.getcwd()
            os.chdir(folder)
            try:
                for torch, code in blocks:
                    if not torch or importlib.util.find_spec("torch"):
                        exec(compile(code, path, "exec"), variables)
            finally:
                os.chdir(before)
        return output.getvalue()

    def test_python(self):
        output = self.run_blocks("docs/python.md")
        self.assertIn("(128x256xf32, 256x512xf32 (weight)) -> (128x512xf32)\n", output)
        self.assertIn("\nTrue\n", output)
        self.assertIn("[0, 256, 512, 768, 1024, 1280, 1536, 1792]\n", output)
        self.assertNotIn("False", output)

    def test_readme(self):
        self.assertIn("True", self.run_blocks("README.md"))


if __name__ == "__main__":
    unittest.main()
