"""What the default packing loses, on the results in benchmarks/results: with the entry of the machine in machines.def, and without it."""
import glob
import os
import statistics
import sys
import unittest

SOURCE, BIN = os.environ["TPP_SOURCE"], os.environ["TPP_BIN"]
sys.path.insert(0, os.path.join(SOURCE, "benchmarks", "support"))
import packing_regret


class PackingTest(unittest.TestCase):

    def test_knows_the_machines_of_the_results(self):
        self.assertEqual(packing_regret.machine_of("AuthenticAMD-26-2"), "zen5")
        self.assertEqual(packing_regret.machine_of("GenuineIntel-6-143"), "sapphire-rapids")
        self.assertIsNone(packing_regret.machine_of("GenuineIntel-5-2"))

    def test_losses_are_small(self):
        files = sorted(glob.glob(os.path.join(SOURCE, "benchmarks", "results", "*", "*-packing.json")))
        self.assertTrue(files)
        for path in files:
            with self.subTest(path=os.path.relpath(path, SOURCE)):
                name, own, generic = packing_regret.evaluate(path, os.path.join(BIN, "tpp-opt"))
                self.assertIsNotNone(own, f"{name} has no entry in machines.def")
                self.assertLessEqual(statistics.mean(own.default), 0.01)
                self.assertLessEqual(sum(loss > 0.03 for loss in own.default) / len(own.default), 0.05)
                self.assertLessEqual(statistics.mean(generic.default), 0.025)
                # Else the default would decide nothing.
                self.assertGreater(min(statistics.mean(own.never), statistics.mean(own.always)), statistics.mean(own.default))


if __name__ == "__main__":
    unittest.main()
