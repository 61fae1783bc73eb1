"""Tests quantized contractions in the forms that exporters write, against sums computed here.

Scales are powers of two, so every result is exact and both pipelines must give equal bits.
"""
import itertools
import random
import unittest

from programs import ProgramTest

LOWEST = {"s": -128, "u": 0}
PARALLEL = ', '.join(['"parallel"'] * 2)


def as_i8(values):
    """Returns 8-bit integers as the signed ones of the same bits."""
    return [value - 256 if value > 127 else value for value in values]


def integers(count, sign, seed):
    """Random 8-bit integers, of which some are the smallest and the largest."""
    generator = random.Random(seed)
    low = LOWEST[sign]
    return [generator.choice((low, low + 255)) if generator.random() < 0.2 else generator.randint(low, low + 255) for _ in range(count)]


def dense(values):
    return "dense<[" + ", ".join(map(str, values)) + "]>"


def dequantize(name, source, shape, sign, zero, scale, by_column=False):
    """MLIR text: dequantizes tensor `source` to `name`. `zero` and `scale` are numbers, or names of tensors of one element for each column."""
    m, n = shape
    each = "affine_map<(i, j) -> (i, j)>"
    inputs, types, maps, arguments = [source], [f"tensor<{m}x{n}xi8>"], [each], ["%in: i8"]
    lines = [f"%w = arith.ext{sign}i %in : i8 to i32"]
    if by_column:
        inputs += [zero, scale]
        types += [f"tensor<{n}xi8>", f"tensor<{n}xf32>"]
        maps += ["affine_map<(i, j) -> (j)>"] * 2
        arguments += ["%z: i8", "%s: f32"]
        lines += [f"%zw = arith.ext{sign}i %z : i8 to i32"]
    else:
        lines += [f"%zw = arith.constant {zero} : i32", f"%s = arith.constant {scale} : f32"]
    lines += ["%d = arith.subi %w, %zw : i32", "%f = arith.sitofp %d : i32 to f32", "%p = arith.mulf %f, %s : f32", "linalg.yield %p : f32"]
    body = "\n    ".join(lines)
    return f"""  %e_{name} = tensor.empty() : tensor<{m}x{n}xf32>
  %{name} = linalg.generic {{indexing_maps = [{', '.join(maps + [each])}], iterator_types = [{PARALLEL}]}} ins({', '.join(inputs)} : {', '.join(types)}) outs(%e_{name} : tensor<{m}x{n}xf32>) {{
  ^bb0({', '.join(arguments)}, %out: f32):
    {body}
  }} -> tensor<{m}x{n}xf32>
"""


def zeros(shape, element, name="z"):
    kind = "x".join(map(str, shape)) + f"x{element}"
    number = "0.0" if element == "f32" else "0"
    return f"""  %c_{name} = arith.constant {number} : {element}
  %e_{name} = tensor.empty() : tensor<{kind}>
  %{name} = linalg.fill ins(%c_{name} : {element}) outs(%e_{name} : tensor<{kind}>) -> tensor<{kind}>
"""


class QuantizedTest(ProgramTest):

    def test_signs_and_zero_points(self):
        m, n, k = 5, 18, 21
        for a_sign, b_sign, a_end, b_end in itertools.product("su", "su", (0, 128, 255), (None, 0, 128, 133)):
            with self.subTest(a=a_sign, b=b_sign, a_end=a_end, b_end=b_end):
                a, b = integers(m * k, a_sign, 1), integers(k * n, b_sign, 2)
                za = LOWEST[a_sign] + a_end
                zb = 0 if b_end is None else LOWEST[b_sign] + b_end
                text = f"func.func @main(%a: tensor<{m}x{k}xi8>, %b: tensor<{k}x{n}xi8>) -> tensor<{m}x{n}xf32> {{\n"
                text += dequantize("da", "%a", (m, k), a_sign, za, 0.5) + dequantize("db", "%b", (k, n), b_sign, zb, 0.25) + zeros((m, n), "f32")
                text += f"""  %y = linalg.matmul ins(%da, %db : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) outs(%z : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %y : tensor<{m}x{n}xf32>
}}
"""
                expected = [sum((a[i * k + l] - za) * (b[l * n + j] - zb) for l in range(k)) / 8 for i in range(m) for j in range(n)]
                inputs = [("i8", (m, k), as_i8(a)), ("i8", (k, n), as_i8(b))]
                self.check(text, inputs, [("f32", (m, n), expected)], threads=(1,))

    def test_constant_weights_with_parameters_of_columns(self):
        m, n, k = 9, 20, 33
        for sign in "su":
            with self.subTest(sign):
                a, b = integers(m * k, "u", 1), integers(k * n, sign, 2)
                zb = integers(n, sign, 3)
                scales = [2.0**-(j % 3) for j in range(n)]
                rows = [as_i8(b)[l * n:l * n + n] for l in range(k)]
                text = f"func.func @main(%a: tensor<{m}x{k}xi8>, %bias: tensor<{n}xf32>) -> tensor<{m}x{n}xf32> {{\n"
                text += f"  %b = arith.constant dense<{rows}> : tensor<{k}x{n}xi8>\n"
                text += f"  %zb = arith.constant {dense(as_i8(zb))} : tensor<{n}xi8>\n  %sb = arith.constant {dense(scales)} : tensor<{n}xf32>\n"
                text += dequantize("da", "%a", (m, k), "u", 7, 0.5) + dequantize("db", "%b", (k, n), sign, "%zb", "%sb", by_column=True)
                text += f"""  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %init = linalg.broadcast ins(%bias : tensor<{n}xf32>) outs(%e : tensor<{m}x{n}xf32>) dimensions = [0]
  %y = linalg.matmul ins(%da, %db : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) outs(%init : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %y : tensor<{m}x{n}xf32>
}}
"""
                bias = [float(j) for j in range(n)]
                expected = [
                    sum((a[i * k + l] - 7) * (b[l * n + j] - zb[j]) for l in range(k)) / 2 * scales[j] + bias[j] for i in range(m) for j in range(n)
                ]
                self.check(text, [("i8", (m, k), as_i8(a)), ("f32", (n,), bias)], [("f32", (m, n), expected)])

    def test_named_ops_with_zero_points(self):
        m, n, k = 6, 17, 10
        a, b = integers(m * k, "s", 1), integers(k * n, "s", 2)
        text = f"func.func @main(%a: tensor<{m}x{k}xi8>, %b: tensor<{k}x{n}xi8>, %za: i32, %zb: i32) -> tensor<{m}x{n}xi32> {{\n" + zeros((m, n), "i32")
        text += f"""  %y = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<{m}x{k}xi8>, tensor<{k}x{n}xi8>, i32, i32) outs(%z : tensor<{m}x{n}xi32>) -> tensor<{m}x{n}xi32>
  return %y : tensor<{m}x{n}xi32>
}}
"""
        for za, zb in ((0, 0), (-128, 127), (1000, -70000)):
            with self.subTest(za=za, zb=zb):
                expected = [sum((a[i * k + l] - za) * (b[l * n + j] - zb) for l in range(k)) for i in range(m) for j in range(n)]
                wrapped = [(value + 2**31) % 2**32 - 2**31 for value in expected]
                inputs = [("i8", (m, k), a), ("i8", (k, n), b), ("i32", (), [za]), ("i32", (), [zb])]
                self.check(text, inputs, [("i32", (m, n), wrapped)])

    def test_convolutions_of_padded_images(self):
        h, c, f = 6, 5, 19
        x, w = integers(h * h * c, "u", 1), integers(9 * c * f, "s", 2)
        for zero in (0, 11, 255):
            with self.subTest(zero=zero):
                text = f"""func.func @main(%x: tensor<1x{h}x{h}x{c}xi8>, %w: tensor<3x3x{c}x{f}xi8>, %zero: i8) -> tensor<1x{h}x{h}x{f}xi32> {{
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : i8
  }} : tensor<1x{h}x{h}x{c}xi8> to tensor<1x{h + 2}x{h + 2}x{c}xi8>
  %zx = arith.extui %zero : i8 to i32
{zeros((1, h, h, f), "i32")}  %y = linalg.generic {{indexing_maps = [affine_map<(b, i, j, f, r, s, c) -> (b, i + r, j + s, c)>, affine_map<(b, i, j, f, r, s, c) -> (r, s, c, f)>, affine_map<(b, i, j, f, r, s, c) -> (b, i, j, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}} ins(%p, %w : tensor<1x{h + 2}x{h + 2}x{c}xi8>, tensor<3x3x{c}x{f}xi8>) outs(%z : tensor<1x{h}x{h}x{f}xi32>) {{
  ^bb0(%a: i8, %b: i8, %out: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %out, %3 : i32
    linalg.yield %4 : i32
  }} -> tensor<1x{h}x{h}x{f}xi32>
  return %y : tensor<1x{h}x{h}x{f}xi32>
}}
"""

                def pixel(i, j, channel):
                    return x[(i * h + j) * c + channel] - zero if 0 <= i < h and 0 <= j < h else 0

                expected = [
                    sum(pixel(i + r - 1, j + s - 1, channel) * w[((r * 3 + s) * c + channel) * f + o] for r in range(3) for s in range(3)
                        for channel in range(c)) for i in range(h) for j in range(h) for o in range(f)
                ]
                inputs = [("i8", (1, h, h, c), as_i8(x)), ("i8", (3, 3, c, f), w), ("i8", (), as_i8([zero]))]
                self.check(text, inputs, [("i32", (1, h, h, f), expected)])


if __name__ == "__main__":
    unittest.main()
