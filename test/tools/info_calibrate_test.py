"""Tests the file that tpp-info --calibrate writes. Apart from info_test because measuring takes about 20 s."""
import re
import unittest

from command_line import BIN, CommandLineTest, run
from info_test import figures

INFO = BIN / "tpp-info"
NOT_MEASURED = {
    "name", "isa", "vector_bytes", "registers", "cores", "l1_bytes", "l1_ways", "l2_bytes", "l2_ways", "l3_bytes", "tlb_pages", "prefetch_streams"
}


class InfoCalibrateTest(CommandLineTest):

    def test_calibration_writes_a_machine_file(self):
        path = self.file("machine.txt", "from before\n")
        process = run(INFO, "--calibrate", "-o", path)
        self.assertEqual((process.returncode, process.stdout), (0, ""), process.stderr)
        self.assertEqual([file.name for file in self.directory.iterdir()], ["machine.txt"])
        self.assertRegex(path.read_text(), r"^# .* measured by tpp-info --calibrate on \d{4}-\d\d-\d\d\.\n# .*--target=FILE.* TPP_MACHINE=FILE")
        used = run(INFO, "machine", variables={"TPP_MACHINE": str(path)})
        self.assertEqual((used.returncode, used.stderr), (0, ""))
        measured, before = figures(path.read_text()), figures(run(INFO, "machine").stdout)
        self.assertEqual(figures(used.stdout), measured)
        self.assertEqual(list(measured), list(before))
        for field, value in measured.items():
            if field in NOT_MEASURED:
                self.assertEqual(value, before[field], field)
            else:
                self.assertRegex(process.stderr, rf"(?m)^  {field} +\S+  (->|kept:) ")


if __name__ == "__main__":
    unittest.main()
