"""Runs docs/resnet50.ipynb."""
import os
import tempfile
import unittest

import nbclient
import nbformat

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class NotebookTest(unittest.TestCase):

    def test_resnet50(self):
        with open(os.path.join(ROOT, "docs", "resnet50.ipynb")) as file:
            notebook = nbformat.read(file, 4)
        with tempfile.TemporaryDirectory() as folder:
            nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
        outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
        text = "".join(output.text for output in outputs if output.output_type == "stream")
        self.assertRegex(text, "largest difference to PyTorch: .*\\nPyTorch: .* ms  TPP: .* ms")
        self.assertIn(" unpacks, ", text)
        self.assertIn("equal: True", text)
        shown = {kind: content for output in outputs if output.output_type == "execute_result" for kind, content in output.data.items()}
        self.assertIn("</svg>", shown["image/svg+xml"])
        self.assertRegex(shown["text/html"], "<table>.*brgemm ")


if __name__ == "__main__":
    unittest.main()
