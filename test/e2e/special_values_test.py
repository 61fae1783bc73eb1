"""Tests NaN, infinities, signed zeros and overflow through both pipelines: compiled models follow the rules of kinds.def, too."""
import math
import random
import struct
import unittest

from command_line import BIN, CommandLineTest, npy, read_npy, run

RUN = BIN / "tpp-run"
INF, NAN = math.inf, math.nan
INPUT = [0.0, -0.0, INF, -INF, NAN, 1e30, -1e30, 100.0, -110.0, 1e-40, -1e-40, 0.5, -0.5, 3.4e38, -3.4e38, 88.0, -87.0, 9.5, -9.5, 1e-6, -2e-4, 0.01, 0.9, -1.0, 1.0]


def exact(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def exp(x):
    try:
        return math.exp(x)
    except OverflowError:
        return INF


def logarithm(of_positive, x):
    """The logarithm of x as f32."""
    return of_positive(exact(x)) if x > 0 else -INF if x == 0 else NAN


# name: (statements from %x to %r, expected function); both map f32 to f32
BODIES = {
    "relu": ("""    %positive = arith.cmpf ugt, %x, %zero : f32
    %r = arith.select %positive, %x, %zero : f32""", lambda x: x if x > 0 or math.isnan(x) else 0.0),
    "maximum": ("    %r = arith.maximumf %x, %half : f32", lambda x: NAN if math.isnan(x) else max(x, 0.5)),
    "exp": ("    %r = math.exp %x : f32", exp),
    "tanh": ("    %r = math.tanh %x : f32", math.tanh),
    "erf": ("    %r = math.erf %x : f32", math.erf),
    "log": ("    %r = math.log %x : f32", lambda x: logarithm(math.log, x)),
    "log2": ("    %r = math.log2 %x : f32", lambda x: logarithm(math.log2, x)),
    "log10": ("    %r = math.log10 %x : f32", lambda x: logarithm(math.log10, x)),
    "atan": ("    %r = math.atan %x : f32", math.atan),
    "atan2 of twice the same": ("    %r = math.atan2 %x, %x : f32", lambda x: math.atan2(x, x)),
    "asin": ("    %r = math.asin %x : f32", lambda x: math.asin(x) if abs(x) <= 1 else NAN),
    "acos": ("    %r = math.acos %x : f32", lambda x: math.acos(x) if abs(x) <= 1 else NAN),
    "sinh": ("    %r = math.sinh %x : f32", lambda x: math.copysign((exp(abs(x)) - exp(-abs(x))) / 2 if abs(x) > 1e-5 else abs(x), x)),
    "cosh": ("    %r = math.cosh %x : f32", lambda x: (exp(x) + exp(-x)) / 2),
    "asinh": ("    %r = math.asinh %x : f32", math.asinh),
    "acosh": ("    %r = math.acosh %x : f32", lambda x: math.acosh(x) if x >= 1 else NAN),
    "atanh": ("    %r = math.atanh %x : f32", lambda x: math.atanh(x) if abs(x) < 1 else math.copysign(INF, x) if abs(x) == 1 else NAN),
    "expm1": ("    %r = math.expm1 %x : f32", lambda x: math.expm1(x) if x < 700 else INF),
    "log1p": ("    %r = math.log1p %x : f32", lambda x: math.log1p(x) if x > -1 else -INF if x == -1 else NAN),
    "cbrt": ("    %r = math.cbrt %x : f32", lambda x: math.copysign(abs(x) ** (1 / 3), x)),
    "sqrt": ("    %r = math.sqrt %x : f32", lambda x: math.sqrt(x) if x > 0 else x if x == 0 else NAN),
    "atan2": ("    %r = math.atan2 %x, %half : f32", lambda x: math.atan2(x, 0.5)),
    "floor": ("    %r = math.floor %x : f32", lambda x: math.copysign(math.floor(x), x) if math.isfinite(x) else x),
    "ceil": ("    %r = math.ceil %x : f32", lambda x: math.copysign(math.ceil(x), x) if math.isfinite(x) else x),
    "round": ("    %r = math.round %x : f32", lambda x: math.copysign(math.floor(abs(x) + 0.5), x) if math.isfinite(x) else x),
    "roundeven": ("    %r = math.roundeven %x : f32", lambda x: math.copysign(round(x), x) if math.isfinite(x) else x),
    "sigmoid": ("""    %n = arith.negf %x : f32
    %e = math.exp %n : f32
    %d = arith.addf %e, %one : f32
    %r = arith.divf %one, %d : f32""", lambda x: 1 / (1 + exp(-x))),
    "gelu": ("""    %s = arith.divf %x, %root : f32
    %e = math.erf %s : f32
    %p = arith.addf %e, %one : f32
    %h = arith.mulf %p, %half : f32
    %r = arith.mulf %x, %h : f32""", lambda x: x * ((math.erf(x / exact(1.41421356)) + 1) * 0.5)),
    "rsqrt of a magnitude": ("""    %a = math.absf %x : f32
    %r = math.rsqrt %a : f32""", lambda x: INF if x == 0 else (0.0 if math.isinf(x) else 1 / math.sqrt(abs(exact(x))))),
}


def model(statements, size):
    shape = f"tensor<{size}xf32>"
    return f"""#id = affine_map<(d0) -> (d0)>
func.func @main(%t: {shape}) -> {shape} {{
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 1.41421356 : f32
  %e0 = tensor.empty() : {shape}
  %y = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%t : {shape}) outs(%e0 : {shape}) {{
  ^bb0(%x: f32, %o: f32):
{statements}
    linalg.yield %r : f32
  }} -> {shape}
  return %y : {shape}
}}
"""


def bound(expected):
    """8 ulp, or 8 ulp of 2^-24 for functions that approach 0 by an absolute approximation; plus the smallest normal value."""
    return 8 * 2**-23 * max(abs(expected), 2**-24) + 2**-126


def bfloat(x):
    """Rounds to bf16, ties to even."""
    if x == 0 or math.isinf(x) or math.isnan(x):
        return x
    unit = 2.0**max(math.frexp(x)[1] - 8, -133)
    rounded = round(x / unit) * unit if abs(x) < 2.0**128 else math.copysign(2.0**128, x)
    return math.copysign(INF if abs(rounded) >= 2.0**128 else rounded, x)


class SpecialValuesTest(CommandLineTest):

    def values(self, statements, inputs, pipeline):
        source = self.file("x.npy", npy("<f4", (len(inputs), ), struct.pack(f"<{len(inputs)}f", *inputs)))
        target = self.directory / "y.npy"
        process = run(RUN, self.file("m.mlir", model(statements, len(inputs))), f"--input={source}", f"--output={target}", f"--pipeline={pipeline}")
        self.assertEqual(process.returncode, 0, process.stderr)
        return struct.unpack(f"<{len(inputs)}f", read_npy(target)[2])

    def test_functions_of_special_values(self):
        # The values once, and repeated five times, so that full vectors and their remainders see each value.
        for name, (statements, function) in BODIES.items():
            for repeat in (1, 5):
                inputs = [exact(x) for x in INPUT] * repeat
                for pipeline in ("default", "loops"):
                    got = self.values(statements, inputs, pipeline)
                    for x, y in zip(inputs, got):
                        with self.subTest(name, x=x, pipeline=pipeline, repeat=repeat):
                            expected = NAN if math.isnan(x) else function(x)
                            if (name, x, pipeline) == ("gelu", -INF, "default"):
                                expected = -0.0  # the limit, as for kind gelu: the formula is recognized
                            if abs(expected) > 3.4028235e38:
                                expected = math.copysign(INF, expected)
                            if math.isnan(expected) or math.isinf(expected):
                                self.assertEqual(struct.pack("<f", y)[3] & 0x7F if math.isnan(expected) else y, 0x7F if math.isnan(expected) else expected)
                                self.assertEqual(math.isnan(y), math.isnan(expected))
                            else:
                                self.assertLessEqual(abs(y - expected), bound(expected))
                                if y == 0 or expected == 0:  # zeros have signs; a result that underflows keeps its sign
                                    self.assertEqual(math.copysign(1, y), math.copysign(1, expected))

    def test_a_nan_in_one_row_stays_in_its_row(self):
        m, n, k = 15, 33, 18
        a, b = [1.0] * (m * k), [2.0] * (k * n)
        a[7 * k + 3], a[9 * k] = NAN, INF
        text = f"""#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{m}x{n}xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %c = linalg.matmul ins(%a, %b : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) outs(%init : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %y = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}} ins(%c : tensor<{m}x{n}xf32>) outs(%empty : tensor<{m}x{n}xf32>) {{
  ^bb0(%x: f32, %o: f32):
    %positive = arith.cmpf ugt, %x, %zero : f32
    %r = arith.select %positive, %x, %zero : f32
    linalg.yield %r : f32
  }} -> tensor<{m}x{n}xf32>
  return %y : tensor<{m}x{n}xf32>
}}
"""
        files = [self.file("a.npy", npy("<f4", (m, k), struct.pack(f"<{m * k}f", *a))), self.file("b.npy", npy("<f4", (k, n), struct.pack(f"<{k * n}f", *b)))]
        for pipeline, provider in (("default", "native"), ("default", "reference"), ("loops", "auto")):
            with self.subTest(pipeline=pipeline, provider=provider):
                target = self.directory / "y.npy"
                process = run(RUN, self.file("m.mlir", text), f"--input={files[0]},{files[1]}", f"--output={target}", f"--pipeline={pipeline}", f"--provider={provider}")
                self.assertEqual(process.returncode, 0, process.stderr)
                got = struct.unpack(f"<{m * n}f", read_npy(target)[2])
                for i in range(m):
                    row = got[i * n:(i + 1) * n]
                    if i == 7:
                        self.assertTrue(all(map(math.isnan, row)))
                    else:
                        self.assertEqual(set(row), {INF if i == 9 else 2.0 * k})

    def test_a_nan_anywhere_in_a_row_is_its_maximum(self):
        n = 203  # a group of four vectors, single vectors, and a partial vector
        m = n + 1
        rows = [[float((i * 7 + j * 13) % 101 - 50) for j in range(n)] for i in range(m)]
        for i in range(n):
            rows[i][i] = NAN
        source = self.file("x.npy", npy("<f4", (m, n), b"".join(struct.pack(f"<{n}f", *row) for row in rows)))
        for kind, limit, function in (("maximumf", "0xFF800000", max), ("minimumf", "0x7F800000", min)):
            text = f"""func.func @main(%a: tensor<{m}x{n}xf32>) -> tensor<{m}xf32> {{
  %limit = arith.constant {limit} : f32
  %empty = tensor.empty() : tensor<{m}xf32>
  %init = linalg.fill ins(%limit : f32) outs(%empty : tensor<{m}xf32>) -> tensor<{m}xf32>
  %y = linalg.reduce {{arith.{kind}}} ins(%a : tensor<{m}x{n}xf32>) outs(%init : tensor<{m}xf32>) dimensions = [1]
  return %y : tensor<{m}xf32>
}}
"""
            for flags in (["--pipeline=default"], ["--pipeline=default", "--target=avx2"], ["--pipeline=loops"]):
                with self.subTest(kind, flags=flags):
                    target = self.directory / "y.npy"
                    process = run(RUN, self.file("m.mlir", text), f"--input={source}", f"--output={target}", *flags)
                    self.assertEqual(process.returncode, 0, process.stderr)
                    got = struct.unpack(f"<{m}f", read_npy(target)[2])
                    self.assertTrue(all(map(math.isnan, got[:n])))
                    self.assertEqual(got[n], function(rows[n]))

    def test_a_nan_in_a_pixel_stays_in_its_tiles(self):
        # As many images as pixels, each with one NaN. The figures of the machine make the algorithm worthwhile, for tiles of 4 x 4 outputs.
        outputs, channels, features = 9, 4, 5
        pixels = outputs + 2
        images = pixels * pixels
        x = [1.0] * (images * pixels * pixels * channels)
        for image in range(images):
            x[(image * pixels * pixels + image) * channels + 1] = NAN
        text = f"""func.func @main(%x: tensor<{images}x{pixels}x{pixels}x{channels}xf32>, %w: tensor<3x3x{channels}x{features}xf32> {{tpp.prepack}}) -> tensor<{images}x{outputs}x{outputs}x{features}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{images}x{outputs}x{outputs}x{features}xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<{images}x{outputs}x{outputs}x{features}xf32>) -> tensor<{images}x{outputs}x{outputs}x{features}xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<{images}x{pixels}x{pixels}x{channels}xf32>, tensor<3x3x{channels}x{features}xf32>) outs(%init : tensor<{images}x{outputs}x{outputs}x{features}xf32>) -> tensor<{images}x{outputs}x{outputs}x{features}xf32>
  return %y : tensor<{images}x{outputs}x{outputs}x{features}xf32>
}}
"""
        source = self.file("x.npy", npy("<f4", (images, pixels, pixels, channels), struct.pack(f"<{len(x)}f", *x)))
        machine = self.file("machine.txt", "name = host\nfma_per_cycle = 0.01\nmemory_gbs = 100000\n")
        for flags in (["--provider=native"], ["--provider=reference"], ["--winograd=off"]):
            with self.subTest(flags=flags):
                target = self.directory / "y.npy"
                process = run(RUN, self.file("m.mlir", text), f"--input={source},ones", f"--output={target}", f"--target={machine}", *flags)
                self.assertEqual(process.returncode, 0, process.stderr)
                uses_winograd = "--winograd=off" not in flags
                self.assertEqual("winograd_input" in process.stdout and "winograd_output" in process.stdout, uses_winograd)
                got = struct.unpack(f"<{images * outputs * outputs * features}f", read_npy(target)[2])
                for image in range(images):
                    bad = (image // pixels, image % pixels)
                    for i in range(outputs * outputs):
                        place = (i // outputs, i % outputs)
                        values = got[(image * outputs * outputs + i) * features:][:features]
                        reads = all(at <= pixel <= at + 2 for at, pixel in zip(place, bad))
                        # The tile of 6 x 6 pixels that the output is computed from.
                        tile = all(at - at % 4 <= pixel <= at - at % 4 + 5 for at, pixel in zip(place, bad))
                        if reads:
                            self.assertTrue(all(map(math.isnan, values)), (bad, place))
                        elif tile and uses_winograd:
                            continue  # NaN or not
                        else:
                            for value in values:
                                self.assertAlmostEqual(value, 9.0 * channels, delta=1e-4)

    def test_rounding_to_bfloat(self):
        tie = 1 + 2.0**-8  # halfway between two bf16 values
        numbers = [0.0, -0.0, INF, -INF, NAN, 1.0, tie, -tie, tie + 2.0**-7, tie + 2.0**-23, tie - 2.0**-23, 3.3895e38, 3.3961e38, -3.4028235e38, 2.0**-126, -2.0**-126]
        doubles = [tie + 2.0**-40, tie - 2.0**-40, tie + 2.0**-7 - 2.0**-40, -tie - 2.0**-52, 1e300, -1e300, 3.4e38 * (1 + 2.0**-30), 1e-300, -1e-60]
        seeded = random.Random(1)
        numbers += [struct.unpack("<f", struct.pack("<f", seeded.uniform(-1, 1) * 2.0**seeded.randint(-100, 100)))[0] for _ in range(200)]
        doubles += [seeded.uniform(-1, 1) * 2.0**seeded.randint(-100, 100) for _ in range(200)]
        for element, character, xs in (("f32", "f", numbers), ("f64", "d", numbers + doubles)):
            n = len(xs)
            source = self.file("x.npy", npy(f"<f{struct.calcsize(character)}", (n, ), struct.pack(f"<{n}{character}", *xs)))
            text = f"""#id = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<{n}x{element}>) -> tensor<{n}xf32> {{
  %empty = tensor.empty() : tensor<{n}xf32>
  %y = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%a : tensor<{n}x{element}>) outs(%empty : tensor<{n}xf32>) {{
  ^bb0(%x: {element}, %o: f32):
    %b = arith.truncf %x : {element} to bf16
    %r = arith.extf %b : bf16 to f32
    linalg.yield %r : f32
  }} -> tensor<{n}xf32>
  return %y : tensor<{n}xf32>
}}
"""
            for flags in ([], ["--target=avx2"], ["--target=sse4"], ["--pipeline=loops"]):
                with self.subTest(element, flags=flags):
                    target = self.directory / "y.npy"
                    process = run(RUN, self.file("m.mlir", text), f"--input={source}", f"--output={target}", *flags)
                    self.assertEqual(process.returncode, 0, process.stderr)
                    for x, y in zip(xs, struct.unpack(f"<{n}f", read_npy(target)[2])):
                        right = bfloat(x)
                        self.assertEqual((math.isnan(y), math.copysign(1, y)), (math.isnan(right), math.copysign(1, right)), x)
                        if not math.isnan(x):
                            self.assertEqual(y, right, x)
            code = self.directory / "m.s"
            self.assertEqual(run(RUN, self.file("m.mlir", text), "--target=avx2", "--emit=asm", "-o", code).returncode, 0)
            self.assertNotIn("__trunc", code.read_text())  # no call of a library function that not every compiler has

    def divided(self, xs, ds, operand):
        """Divides rows of `xs` by one value of `ds` each: an operand of the program or, if `operand` is false, a constant (ds[0])."""
        m, n = len(ds), len(xs)
        bits = struct.unpack("<I", struct.pack("<f", ds[0]))[0]
        text = f"""#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<{m}x{n}xf32>, %d: tensor<{m}xf32>) -> tensor<{m}x{n}xf32> {{
  %constant = arith.constant 0x{bits:08X} : f32
  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %y = linalg.generic {{indexing_maps = [#id, affine_map<(i, j) -> (i)>, #id], iterator_types = ["parallel", "parallel"]}} ins(%x, %d : tensor<{m}x{n}xf32>, tensor<{m}xf32>) outs(%e : tensor<{m}x{n}xf32>) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, {"%b" if operand else "%constant"} : f32
    linalg.yield %r : f32
  }} -> tensor<{m}x{n}xf32>
  return %y : tensor<{m}x{n}xf32>
}}
"""
        files = [self.file("x.npy", npy("<f4", (m, n), struct.pack(f"<{n}f", *xs) * m)), self.file("d.npy", npy("<f4", (m,), struct.pack(f"<{m}f", *ds)))]
        target = self.directory / "y.npy"
        process = run(RUN, self.file("m.mlir", text), f"--input={files[0]},{files[1]}", f"--output={target}")
        self.assertEqual(process.returncode, 0, process.stderr)
        return struct.unpack(f"<{m * n}f", read_npy(target)[2])

    def test_rows_divided_by_one_number(self):
        """As separate divisions: special values, signs of zeros, and the correctly rounded quotient; 1 ulp off is allowed below 2^-100."""
        rng = random.Random(1)
        any_float = lambda: struct.unpack("<f", struct.pack("<I", rng.getrandbits(32)))[0]
        special = [0.0, -0.0, INF, -INF, NAN, 1e-45, -1e-45, 1e-39, 2**-126, -2**-126, 2**-100, 2**64, 2**65, 2**127, -2**127, 3.4028235e38, 1.0, -1.0, 0.5, 3.0]
        xs = [exact(x) for x in special] + [any_float() for _ in range(500)] + [exact(rng.uniform(0.5, 2)) for _ in range(500)]
        ds = [exact(x) for x in special] + [any_float() for _ in range(100)] + [exact(rng.uniform(0.5, 4)) for _ in range(100)]
        got = self.divided(xs, ds, operand=True)
        for d in (exact(x) for x in (*special, 1.41421356, -3.3, 768, 1e-38, 1e20)):
            got += self.divided(xs, [d], operand=False)
            ds.append(d)
        for i, d in enumerate(ds):
            for x, y in zip(xs, got[i * len(xs):(i + 1) * len(xs)]):
                if d == 0 or math.isnan(d) or math.isnan(x) or (math.isinf(x) and math.isinf(d)):
                    right = NAN if d != 0 or x == 0 or math.isnan(x) else math.copysign(INF, x) * math.copysign(1, d)
                else:
                    right = x / d  # in f64; rounding it to f32 gives the correctly rounded quotient of two f32
                    right = exact(right) if abs(right) < 3.4028235677973366e38 else math.copysign(INF, right)
                if math.isnan(right):
                    self.assertTrue(math.isnan(y), (x, d, y))
                elif struct.pack("<f", y) != struct.pack("<f", right):
                    # Floats of the same sign are ordered like their bits.
                    a, b = (struct.unpack("<i", struct.pack("<f", z))[0] for z in (y, right))
                    self.assertEqual(abs(a - b), 1, (x, d, y, right))
                    self.assertLess(abs(right), 2**-100, (x, d, y, right))


if __name__ == "__main__":
    unittest.main()
