"""Inputs and exact results of the programs in runtime/examples, for the programs and for PyTorch (make_expected.py).

Inputs are the same on every machine. Sizes leave a tail in every loop of the programs. Uses only Python's standard library, so
that the tests do not need PyTorch.
"""
import array
import math
import random

UNIT = 2.0**-24  # one rounding to f32 changes x by at most UNIT * |x|
LINEAR = (53, 70, 19)  # M, N, K
ROWS = {"softmax": (13, 330), "layernorm": (23, 100)}  # rows, columns


def matrix(generator, rows, cols, reach=2.0, middle=0.0):
    """Row-major f32 values, uniform in middle +- reach. Uses only random(), the one method that is the same in all Python versions."""
    return array.array("f", [middle + reach * (2 * generator.random() - 1) for _ in range(rows * cols)])


def inputs(chain):
    generator = random.Random(chain)
    if chain == "linear_gelu":
        m, n, k = LINEAR
        return [matrix(generator, m, k), matrix(generator, k, n, 0.5), matrix(generator, 1, n)]
    rows, cols = ROWS[chain]
    if chain == "softmax":
        return [matrix(generator, rows, cols, reach=30.0, middle=10.0)]
    return [matrix(generator, rows, cols, middle=3.0), matrix(generator, 1, cols), matrix(generator, 1, cols)]


def linear_gelu(x, w, b):
    """Yields (exact result, bound of the f32 error) per element: K + 1 roundings of the sum of magnitudes, times
    gelu's slope; gelu itself to 8 ulp."""
    m, n, k = LINEAR
    for i in range(m):
        for j in range(n):
            products = [x[i * k + p] * w[p * n + j] for p in range(k)]
            s = math.fsum(products) + b[j]
            y = s / 2 * math.erfc(-s / math.sqrt(2))
            yield y, UNIT * (1.13 * (k + 1) * (math.fsum(map(abs, products)) + abs(b[j])) + 16 * abs(y))


def softmax(x):
    """Yields (exact result, bound of the f32 error) per element.

    Error sources: the difference from the maximum is rounded once, in the dividend and in the sum; exp to 2 ulp in both; the sum; the
    quotient.
    """
    rows, cols = ROWS["softmax"]
    for i in range(rows):
        row = x[i * cols:(i + 1) * cols]
        terms = [math.exp(v - max(row)) for v in row]
        for term in terms:
            y = term / math.fsum(terms)
            yield y, UNIT * (2 * (max(row) - min(row)) + cols + 8) * y + 2.0**-126


def layernorm(x, gamma, beta):
    """Yields (exact result, bound of the f32 error) per element: rounding of the mean and of the variance, propagated to the result.

    runtime/examples/layernorm.c derives the bound.
    """
    rows, cols = ROWS["layernorm"]
    for i in range(rows):
        row = x[i * cols:(i + 1) * cols]
        mean = math.fsum(row) / cols
        centred = [v - mean for v in row]
        below = math.fsum(c * c for c in centred) / cols + 1e-5
        shift = UNIT * math.fsum(map(abs, row))
        deviation = math.fsum(map(abs, centred)) / cols
        relative = (2 * deviation * shift + shift * shift + UNIT * (cols + 6) * below) / (2 * below) + 7 * UNIT
        for c, g, b in zip(centred, gamma, beta):
            normal = c * g / math.sqrt(below)
            yield normal + b, abs(g) * shift / math.sqrt(below) + relative * abs(normal) + UNIT * abs(normal + b)
