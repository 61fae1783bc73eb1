"""Tests tpp-fuzz's command line: fresh seeds with their progress and summary, the same seeds again, and bad values."""
import os
import pty
import re
import subprocess
import unittest

from command_line import BIN, CommandLineTest, run

FUZZ = BIN / "tpp-fuzz"
RANGE = re.compile(r"repeat this run: tpp-fuzz --seeds=(\d+):(\d+)(.*)\n")
SUMMARY = re.compile(r"(\d+) of (\d+) programs pass; .*\n")


class FuzzTest(CommandLineTest):

    def fresh(self, *words):
        """Checks fresh seeds. Returns the seeds and the other options for a repetition, and the summary."""
        process = run(FUZZ, *words)
        self.assertEqual(process.returncode, 0, process.stderr)
        first, end, options = RANGE.match(process.stdout).groups()
        return int(first), int(end), options, SUMMARY.search(process.stdout)

    def test_fresh_seeds_can_be_repeated(self):
        first, end, options, summary = self.fresh("--fresh=3")
        self.assertEqual((end - first, options, summary.group(1, 2)), (3, "", ("3", "3")))
        again = run(FUZZ, f"--seeds={first}:{end}")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(SUMMARY.search(again.stdout).group(), summary.group())

    def test_the_repetition_has_the_other_options(self):
        _, _, options, summary = self.fresh("--fresh=2", "--packing=random", "--provider=reference", "--workers=2", "--max-failures=1")
        self.assertEqual(options, " --provider=reference '--packing=random'")
        self.assertEqual(summary.group(1, 2), ("2", "2"))

    def test_later_runs_check_other_seeds(self):
        self.assertLess(self.fresh("--fresh=1")[0], self.fresh("--fresh=1")[0])

    def test_a_terminal_shows_one_line_of_progress(self):
        parent, child = pty.openpty()
        process = subprocess.Popen([FUZZ, "--fresh=4"], stdout=subprocess.DEVNULL, stderr=child)
        os.close(child)
        shown = b""
        try:
            while piece := os.read(parent, 4096):
                shown += piece
        except OSError:  # the other end is closed
            pass
        os.close(parent)
        self.assertEqual(process.wait(), 0)
        self.assertRegex(shown.decode(), r"^(\r\x1b\[K[0-4]/4 done, 0 failures(, \d+\.\d seeds/s, \d+ (s|min \d+ s) left)?)+\r\x1b\[K$")

    def test_bad_values_are_refused(self):
        for words, message in (
            (("--fresh=0", ), "--fresh must be at least 1 and at most 1000000000"),
            (("--fresh=-1", ), "--fresh must be at least 1 and at most 1000000000"),
            (("--fresh=1000000001", ), "--fresh must be at least 1 and at most 1000000000"),
            (("--fresh=two", ), "'two' value invalid"),
            (("--fresh", ), "requires a value"),
            (("--fresh=1", "--seeds=0:1"), "--fresh, --seeds and --seed exclude each other"),
            (("--fresh=1", "--seed=0"), "--fresh, --seeds and --seed exclude each other"),
            (("--fresh=1", "--workers=0"), "--workers must be at least 1"),
            (("--seeds=1:1", ), "--seeds must be FIRST:END"),
            (("--seeds=1", ), "--seeds must be FIRST:END"),
        ):
            with self.subTest(words=words):
                process = run(FUZZ, *words)
                self.assertEqual((process.returncode, process.stdout), (1, ""))
                self.assertIn(message, process.stderr)

    def test_help_lists_the_options_of_this_tool_only(self):
        text = run(FUZZ, "--help").stdout
        self.assertRegex(text, r"--fresh=<\w+> +- check N seeds that start at a number derived from the clock")
        flags = set(re.findall(r"(?m)^ +--([a-z0-9-]+)", text)) - {"help", "help-hidden", "help-list", "help-list-hidden", "version", "print-all-options", "print-options"}
        self.assertEqual(flags, {"cut", "fresh", "l2-bytes", "max-failures", "packing", "print", "provider", "require-kinds", "result", "seed", "seeds", "shrink", "timeout", "workers"})


if __name__ == "__main__":
    unittest.main()
