"""Tests quantized contractions in the forms that exporters write, against sums computed here.

Scales are powers of two, so every result is exact and both pipelines must give equal bits.
"""
import itertools
import random
import struct
import unittest

from command_line import npy
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


def rescale(value, multiplier, shift, zero, rounding):
    """TOSA's apply_scale_32, the output's zero point and saturation to i8."""
    added = 1 << (shift - 1)
    if rounding == "DOUBLE_ROUND" and shift > 31:
        added += (1 << 30) if value >= 0 else -(1 << 30)
    return min(max(((value * multiplier + added) >> shift) + zero, -128), 127)


class TosaTest(ProgramTest):
    """Integer contractions of TOSA, whose requantization is by an integer multiplier and a shift."""

    def constants(self, lists):
        """MLIR text: tosa.const NAME for each (name, element type, values)."""
        return "".join(f"  %{name} = \"tosa.const\"() {{values = {dense(values)} : tensor<{len(values)}x{kind}>}} : () -> tensor<{len(values)}x{kind}>\n"
                       for name, kind, values in lists)

    def test_matmul_with_rescale(self):
        m, n, k = 9, 20, 35
        multiplier, zero = 1431655766, -3
        for rounding, shift, (za, zb) in itertools.product(("SINGLE_ROUND", "DOUBLE_ROUND"), (33, 40), ((0, 0), (5, 0), (-128, 127))):
            with self.subTest(rounding=rounding, shift=shift, za=za, zb=zb):
                a, b = integers(m * k, "s", 5), integers(k * n, "s", 6)
                types = f"(tensor<1x{m}x{k}xi8>, tensor<1x{k}x{n}xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x{m}x{n}xi32>"
                text = f"""func.func @main(%a: tensor<1x{m}x{k}xi8>, %b: tensor<1x{k}x{n}xi8>) -> tensor<1x{m}x{n}xi8> {{
{self.constants((("za", "i8", [za]), ("zb", "i8", [zb]), ("m", "i32", [multiplier]), ("s", "i8", [shift]), ("zi", "i32", [0]), ("zo", "i8", [zero])))}
  %0 = tosa.matmul %a, %b, %za, %zb : {types}
  %1 = tosa.rescale %0, %m, %s, %zi, %zo {{scale32 = true, rounding_mode = {rounding}, per_channel = false, input_unsigned = false, output_unsigned = false}} : (tensor<1x{m}x{n}xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x{m}x{n}xi8>
  return %1 : tensor<1x{m}x{n}xi8>
}}
"""
                expected = [
                    rescale(sum((a[i * k + l] - za) * (b[l * n + j] - zb) for l in range(k)), multiplier, shift, zero, rounding) for i in range(m)
                    for j in range(n)
                ]
                self.check(text, [("i8", (1, m, k), a), ("i8", (1, k, n), b)], [("i8", (1, m, n), expected)])

    def test_convolution_with_rescale_per_channel(self):
        h, c, f, zero = 5, 6, 18, -128
        x, w = integers(h * h * c, "s", 7), integers(f * 3 * 3 * c, "s", 8)
        generator = random.Random(9)
        bias = [generator.randint(-100000, 100000) for _ in range(f)]
        multipliers = [generator.randint(1 << 30, (1 << 31) - 1) for _ in range(f)]
        shifts = [generator.randint(36, 41) for _ in range(f)]
        zx = -7  # the value of padding
        image, result = f"tensor<1x{h}x{h}x{c}xi8>", f"tensor<1x{h}x{h}x{f}x"
        text = f"""func.func @main(%x: {image}, %w: tensor<{f}x3x3x{c}xi8>, %b: tensor<{f}xi32>) -> {result}i8> {{
{self.constants((("zx", "i8", [zx]), ("zw", "i8", [0]), ("m", "i32", multipliers), ("s", "i8", shifts), ("zi", "i32", [0]), ("zo", "i8", [zero])))}
  %0 = tosa.conv2d %x, %w, %b, %zx, %zw {{acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}} : ({image}, tensor<{f}x3x3x{c}xi8>, tensor<{f}xi32>, tensor<1xi8>, tensor<1xi8>) -> {result}i32>
  %1 = tosa.rescale %0, %m, %s, %zi, %zo {{scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false}} : ({result}i32>, tensor<{f}xi32>, tensor<{f}xi8>, tensor<1xi32>, tensor<1xi8>) -> {result}i8>
  return %1 : {result}i8>
}}
"""

        def pixel(i, j, channel):
            return x[(i * h + j) * c + channel] - zx if 0 <= i < h and 0 <= j < h else 0

        def total(i, j, o):
            return bias[o] + sum(
                pixel(i + r - 1, j + s - 1, channel) * w[((o * 3 + r) * 3 + s) * c + channel] for r in range(3) for s in range(3) for channel in range(c))

        expected = [rescale(total(i, j, o), multipliers[o], shifts[o], zero, "SINGLE_ROUND") for i in range(h) for j in range(h) for o in range(f)]
        inputs = [("i8", (1, h, h, c), x), ("i8", (f, 3, 3, c), w), ("i32", (f,), bias)]
        self.check(text, inputs, [("i8", (1, h, h, f), expected)])


class RequestedTest(ProgramTest):
    """--precision=int8. All scales are powers of two and all values multiples of them, so that quantization is exact."""

    def matmul(self, m, n, k, weights):
        return f"""func.func @main(%x: tensor<{m}x{k}xf32>) -> tensor<{m}x{n}xf32> {{
  %w = arith.constant {dense(f"[{', '.join(f'{w:.6e}' for w in weights[i * n:i * n + n])}]" for i in range(k))} : tensor<{k}x{n}xf32>
{zeros((m, n), "f32")}  %0 = linalg.matmul ins(%x, %w : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) outs(%z : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %0 : tensor<{m}x{n}xf32>
}}
"""

    def scaled(self, outer, inner, seed):
        """Integers up to 127, each of `outer` lists with a power of two as its scale, and with 127 among them."""
        generator = random.Random(seed)
        lists = []
        for i in range(outer):
            values = [generator.randint(-127, 127) for _ in range(inner)]
            values[generator.randrange(inner)] = 127
            lists.append([value * 2.0**(i % 3 - 1) for value in values])
        return lists

    def test_scales_of_rows_and_columns(self):
        for m, n, k in ((1, 5, 7), (7, 33, 19), (64, 64, 64)):
            rows, columns = self.scaled(m, k, 1), self.scaled(n, k, 2)
            expected = [sum(x * w for x, w in zip(row, column)) for row in rows for column in columns]
            weights = [columns[j][i] for i in range(k) for j in range(n)]
            text = self.matmul(m, n, k, weights)
            with self.subTest(m=m, n=n, k=k):
                self.check(text, [("f32", (m, k), sum(rows, []))], [("f32", (m, n), expected)], "--precision=int8", pipelines=("default", ))

    def test_rows_and_columns_of_zeros(self):
        weights = [0.0 if j == 1 else 127.0 for i in range(4) for j in range(3)]
        self.check(self.matmul(2, 3, 4, weights), [("f32", (2, 4), [0.0] * 4 + [127.0] * 4)], [("f32", (2, 3), [0.0] * 3 + [64516.0, 0.0, 64516.0])],
                   "--precision=int8", pipelines=("default", ))

    def test_recorded_ranges_saturate(self):
        k, n = 8, 16
        columns = self.scaled(n, k, 3)
        text = self.matmul(1, n, k, [columns[j][i] for i in range(k) for j in range(n)])
        # Ranges of several examples: from -128 to 127, which is scale 1 and zero point 128; and from 0 to 255.
        for number, (low, high) in enumerate(((-128, 127), (0, 255))):
            examples = [self.file(f"example{i}.npy", npy("<f4", (1, k), struct.pack(f"<{k}f", *([end] + [0] * (k - 1))))) for i, end in enumerate((low, high))]
            row = [300.0, -300.0, 127.0, 1.0, 2.5, 3.5, 0.0, 100.0]
            integers = [min(max(float(round(value)), low), high) for value in row]
            expected = [sum(x * w for x, w in zip(integers, column)) for column in columns]
            with self.subTest(low=low):
                self.check(text, [("f32", (1, k), row)], [("f32", (1, n), expected)], "--precision=int8",
                           f"--calibrate={examples[0]},{examples[1]}", pipelines=("default", ))


if __name__ == "__main__":
    unittest.main()
