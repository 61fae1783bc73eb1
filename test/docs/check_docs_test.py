#!/usr/bin/env python3
"""Tests that tools/dev/check-docs detects wrong documents. Each case runs the real script on a small document."""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def check(text):
    """Runs check-docs on a document with this text and an empty build folder. Returns (exit code, output)."""
    with tempfile.TemporaryDirectory() as folder:
        document = os.path.join(folder, "document.md")
        with open(document, "w", encoding="utf-8") as file:
            file.write(text)
        result = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "dev", "check-docs"), f"--build={folder}", document],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return result.returncode, result.stdout


def block(marker, text):
    return f"<!-- {marker} -->\n```sh\n{text}\n```\n"


class CheckDocsTest(unittest.TestCase):

    def assert_good(self, text):
        code, output = check(text)
        self.assertEqual(code, 0, output)

    def assert_caught(self, text, message):
        code, output = check(text)
        self.assertEqual(code, 1, output)
        self.assertIn(message, output)

    def test_commands_run_beside_the_tree_and_their_files(self):
        self.assert_good("In `a.txt`:\n" + block("file: a.txt", "hello") + block("run", "cmp <(echo hello) a.txt; test -f README.md -a -d build/release"))

    def test_a_file_that_the_reader_cannot_name_is_caught(self):
        self.assert_caught(block("file: a.txt", "hello"), "does not name the file `a.txt`")
        self.assert_caught("In `a.txt`:\n" + block("file: a.txt", "hello") + block("file: a.txt", "again"), ":6: the text before")

    def test_failing_commands_are_caught(self):
        self.assert_caught(block("run", "false; true"), "exit code 1")
        self.assert_caught(block("run", "false | true"), "exit code 1")

    def test_outputs_are_compared_as_words(self):
        run = block("run", "echo one  two; echo three >&2")
        for wanted in ("one two three", "one\n  two\nthree", "one ... three", "...", "... two three", "one two ...", "one ... two ... three"):
            self.assert_good(run + block("output", wanted))
        for wanted in ("one two", "two three", "one three ...", "... two", "one ... two ... two three", "one two three ... three"):
            self.assert_caught(run + block("output", wanted), "print something else")
        self.assert_caught(block("output", "..."), "no commands")

    def test_excerpts_are_compared_with_the_tree(self):
        self.assert_good(block("from: microkernels/include/tpp/kinds.def", 'TPP_TYPE(f32, 0, 4, "IEEE binary32")\n...\nTPP_TYPE(i8, 2'))
        self.assert_caught(block("from: microkernels/include/tpp/kinds.def", "TPP_TYPE(f32, 1"), "does not contain these lines")
        self.assert_caught(block("from: no/such/file", "x"), "does not exist")

    def test_markers_and_links_lead_somewhere(self):
        self.assert_caught("<!-- run -->\n\ntext\n", "no fenced block")
        self.assert_caught(block("file", "x"), "lacks name")
        self.assert_caught(block("run: x", "true"), "takes no name")
        self.assert_caught("[there](nowhere.md)\n", "link to nowhere.md")
        self.assert_good("[here](document.md#part)\n")


if __name__ == "__main__":
    unittest.main()
