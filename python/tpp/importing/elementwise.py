"""Elementwise operations of aten that torch-mlir cannot lower, or lowers to other values for special operands."""
from __future__ import annotations

import functools
import typing

import torch


def table() -> dict[typing.Any, typing.Any]:
    aten = torch.ops.aten
    return {
        aten.copysign.Tensor: with_sign,
        aten.div.Scalar_mode: rounded_quotient,
        aten.div.Tensor_mode: rounded_quotient,
        aten.eq.Tensor: equal,
        aten.erfc.default: complementary_error,
        aten.floor_divide.Scalar: functools.partial(rounded_quotient, rounding_mode="floor"),
        aten.floor_divide.default: functools.partial(rounded_quotient, rounding_mode="floor"),
        aten.fmax.default: functools.partial(of_numbers, torch.maximum),
        aten.fmin.default: functools.partial(of_numbers, torch.minimum),
        aten.fmod.Scalar: remainder_of_truncation,
        aten.fmod.Tensor: remainder_of_truncation,
        aten.hypot.default: hypotenuse,
        aten.pow.Tensor_Scalar: power,
        aten.remainder.Scalar_Tensor: remainder_of_number,
        aten.signbit.default: is_negative,
    }


def remainder_of_number(x: float, other: torch.Tensor) -> torch.Tensor:
    """aten.remainder of a number and a tensor."""
    return torch.remainder(torch.full_like(other, x, dtype=torch.result_type(other, x)), other)


def equal(x: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """aten.eq of a tensor and itself, which is false for NaN; torch-mlir makes it true."""
    return torch.ne(x, x).logical_not() if x is other and x.is_floating_point() else NotImplemented


def power(x: torch.Tensor, exponent: float) -> torch.Tensor:
    """aten.pow to 0.5 and -0.5, which are square roots to PyTorch: NaN for a negative infinity."""
    if not x.is_floating_point() or abs(exponent) != .5:
        return NotImplemented
    return torch.sqrt(x) if exponent > 0 else torch.rsqrt(x)


def remainder_of_truncation(x: torch.Tensor, divisor: torch.Tensor | float) -> torch.Tensor:
    """aten.fmod of floats, which is exact. torch-mlir computes it from the rounded quotient, and its aten.remainder exactly."""
    if not torch.is_floating_point(x) or (isinstance(divisor, torch.Tensor) and divisor.dtype != x.dtype):
        return NotImplemented
    rest = torch.remainder(x.abs(), abs(divisor))
    return torch.where(x < 0, -rest, rest)


def rounded_quotient(x: torch.Tensor, divisor: torch.Tensor | float, *, rounding_mode: str | None = None) -> torch.Tensor:
    """aten.div and aten.floor_divide of floats, rounded down as PyTorch does: from the exact remainder. The rounded quotient of 1 and 0.1 is 10, the
    largest integer below the exact one is 9."""
    if rounding_mode != "floor" or not x.is_floating_point() or (isinstance(divisor, torch.Tensor) and divisor.dtype != x.dtype):
        return NotImplemented
    rest = remainder_of_truncation(x, divisor)
    whole = torch.round((x - rest) / divisor)
    whole = torch.where((rest != 0) & ((rest < 0) != (divisor < 0)), whole - 1, whole)
    quotient = x / divisor
    whole = torch.where(whole == 0, quotient * 0, whole)
    if isinstance(divisor, torch.Tensor):
        return torch.where(divisor == 0, quotient, whole)
    return whole if divisor else quotient


def is_negative(x: torch.Tensor) -> torch.Tensor:
    """aten.signbit; that of NaN is not looked at."""
    return torch.where(x == 0, 1 / x < 0, x < 0) if x.is_floating_point() else NotImplemented


def with_sign(x: torch.Tensor, sign: torch.Tensor) -> torch.Tensor:
    """aten.copysign."""
    if not x.is_floating_point() or not sign.is_floating_point():
        return NotImplemented
    size = x.abs()
    return torch.where(is_negative(sign), -size, size)


def of_numbers(choose: typing.Callable[[torch.Tensor, torch.Tensor], torch.Tensor], x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """aten.fmax and aten.fmin: of a number and NaN, the number."""
    if not x.is_floating_point():
        return choose(x, y)
    return torch.where(x.isnan(), y, torch.where(y.isnan(), x, choose(x, y)))


def hypotenuse(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """aten.hypot, of scaled operands: squares would overflow. An infinity is larger than NaN."""
    low, high = torch.minimum(x.abs(), y.abs()), torch.maximum(x.abs(), y.abs())
    ratio = torch.where(high == 0, 0, low / high)
    infinite = x.isinf() | y.isinf()
    return torch.where(infinite, float("inf"), high * torch.sqrt(1 + ratio * ratio))


def complementary_error(x: torch.Tensor) -> torch.Tensor:
    """aten.erfc: exp(-x * x) times a polynomial of 1 / (1 + x / 2), within 1.2e-7 of the value (Numerical Recipes, erfcc). 1 - erf(x) would have no digits
    for large x."""
    if not x.is_floating_point() or x.dtype == torch.float64:
        return NotImplemented
    size = x.float().abs().clamp(max=15)  # from where on the value is 0
    t = 1 / (1 + .5 * size)
    series = torch.full_like(t, .17087277)
    for factor in (-.82215223, 1.48851587, -1.13520398, .27886807, -.18628806, .09678418, .37409196, 1.00002368, -1.26551223):
        series = series * t + factor
    # x * x is split, as its rounding error would be multiplied by it.
    near = torch.round(size * 16) / 16
    result = t * torch.exp(-near * near) * torch.exp((near - size) * (near + size) + series)
    return torch.where(x < 0, 2 - result, result).to(x.dtype)
