"""Tests gelu in vector code, written as x (1 + erf(x / sqrt(2))) / 2, against the error bounds in lowering/emit/VectorMath.h."""
import array
import math
import random
import unittest

from command_line import BIN, CommandLineTest, npy, read_npy, run

COUNT = 65536
MODEL = f"""#id = affine_map<(d0) -> (d0)>
func.func @main(%t: tensor<{COUNT}xf32>) -> tensor<{COUNT}xf32> {{
  %root = arith.constant 0.707106769 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %e0 = tensor.empty() : tensor<{COUNT}xf32>
  %y = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%t : tensor<{COUNT}xf32>) outs(%e0 : tensor<{COUNT}xf32>) {{
  ^bb0(%x: f32, %o: f32):
    %s = arith.mulf %x, %root : f32
    %e = math.erf %s : f32
    %a = arith.addf %e, %one : f32
    %h = arith.mulf %a, %half : f32
    %r = arith.mulf %x, %h : f32
    linalg.yield %r : f32
  }} -> tensor<{COUNT}xf32>
  return %y : tensor<{COUNT}xf32>
}}
"""


class GeluTest(CommandLineTest):

    def gelu(self, numbers):
        """Runs the compiled model. Returns gelu of the floats."""
        model, x, y = self.file("gelu.mlir", MODEL), self.file("x.npy", npy("<f4", (COUNT,), numbers.tobytes())), self.file("y.npy")
        process = run(BIN / "tpp-run", model, f"--input={x}", f"--output={y}")
        self.assertEqual(process.returncode, 0, process.stderr)
        return array.array("f", read_npy(y)[2])

    def test_bounds(self):
        numbers = random.Random(1)
        half = COUNT // 2
        x = array.array("f", [numbers.uniform(-12, 12) for _ in range(half)])
        x.extend(numbers.choice((-1, 1)) * 2.0**numbers.uniform(-30, 6) for _ in range(half))
        for at, y in zip(x, self.gelu(x)):
            exact = 0.5 * at * math.erfc(-at / math.sqrt(2))
            last_place = 2.0**(math.frexp(exact)[1] - 24)
            self.assertLessEqual(abs(y - exact), 2 * last_place if at > 0 else 7e-8 * abs(at), at)

    def test_special_values(self):
        values = [0.0, -0.0, math.inf, -math.inf, math.nan, -100.0, -3e38, 3e38]
        y = self.gelu(array.array("f", values + [0.0] * (COUNT - len(values))))
        self.assertEqual([math.copysign(1, y[0]), math.copysign(1, y[1]), y[0], y[1], y[2]], [1, -1, 0, 0, math.inf])
        self.assertTrue(math.isnan(y[4]))
        for number in (y[3], y[5], y[6]):  # the limit is -0
            self.assertEqual((number, math.copysign(1, number)), (0, -1))
        self.assertEqual(y[7], array.array("f", [3e38])[0])


if __name__ == "__main__":
    unittest.main()
