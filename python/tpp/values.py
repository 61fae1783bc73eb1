"""Types and shapes of the arguments and results of a model."""
from __future__ import annotations

import dataclasses
import functools
import typing

import numpy

_DTYPES = {
    "f16": "float16", "bf16": "uint16", "f32": "float32", "f64": "float64", "i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32",
    "i64": "int64", "index": "int64", "ui8": "uint8", "ui16": "uint16", "ui32": "uint32", "ui64": "uint64"
}


@functools.cache
def numpy_dtype(name: str) -> numpy.dtype[typing.Any]:
    """The NumPy type of an element type of MLIR. NumPy has no bf16: its bits are uint16."""
    return numpy.dtype(_DTYPES[name])


@dataclasses.dataclass(frozen=True)
class Value:
    """An argument or result of a model: a dense array in row-major order; a scalar has no dimensions."""

    type: str
    """The element type as MLIR writes it, for instance `f32` or `ui8`."""
    shape: tuple[int, ...]
    is_weight: bool = False
    """Given to `Model.pack`, and not to a call."""
    is_written: bool = False
    """An argument that a call may write."""

    @property
    def dtype(self) -> numpy.dtype[typing.Any]:
        """The type of the elements in NumPy. bf16 is `uint16`: its bits."""
        return numpy_dtype(self.type)

    def __str__(self) -> str:
        return "x".join([*map(str, self.shape), self.type])


def random_array(value: Value, seed: int) -> numpy.ndarray[typing.Any, typing.Any]:
    """Normally distributed numbers, or integers of 0 and 1."""
    random = numpy.random.default_rng(seed)
    if value.type == "bf16":
        return (random.standard_normal(value.shape).astype(numpy.float32).view(numpy.uint32) >> 16).astype(numpy.uint16)
    if value.dtype.kind == "f":
        return random.standard_normal(value.shape).astype(value.dtype)
    return random.integers(0, 2, value.shape).astype(value.dtype)


@dataclasses.dataclass(frozen=True)
class Signature:
    """What a model takes and returns."""

    arguments: tuple[Value, ...]
    results: tuple[Value, ...]

    @property
    def inputs(self) -> tuple[Value, ...]:
        """The arguments of a call, without the weights."""
        return tuple(each for each in self.arguments if not each.is_weight)

    def __str__(self) -> str:
        arguments = ", ".join(str(each) + (" (weight)" if each.is_weight else "") for each in self.arguments)
        return f"({arguments}) -> ({', '.join(map(str, self.results))})"
