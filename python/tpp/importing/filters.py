"""Filters that resize along one dimension: the elements that each output is a weighted sum of."""
from __future__ import annotations

import collections.abc
import math
import typing

import numpy

# For each tap: the index and the weight that each output has.
Taps = list[tuple[list[int], numpy.ndarray]]


def cubic_taps(places: collections.abc.Sequence[float], extent: int, sharpness: float, *, exclude_outside: bool = False) -> Taps:
    """Keys' cubic convolution at `places` among `extent` elements; those outside repeat the outermost one, or are left out. `sharpness` is the parameter a,
    the slope at distance 1."""
    first = numpy.floor(places).astype(int) - 1
    indices = first[:, None] + numpy.arange(4)
    weights = cubic(indices - numpy.asarray(places, float)[:, None], sharpness)
    if exclude_outside:
        weights = normalized(numpy.where((indices < 0) | (indices >= extent), 0, weights))
    return list(zip(indices.clip(0, extent - 1).T.tolist(), weights.T))


def antialiased(extent: int, size: int, step: float, *, sharpness: float | None = None) -> numpy.ndarray:
    """The matrix (size x extent) that resizes by a filter that is `step` times as wide if it shrinks, as Pillow and PyTorch do: cubic with this sharpness, or
    linear. Elements outside are left out. `step` is the distance of two outputs."""
    radius, width = 1. if sharpness is None else 2., max(step, 1.)
    matrix = numpy.zeros((size, extent))
    for i in range(size):
        center = step * (i + .5)
        first, end = max(int(center - radius * width + .5), 0), min(int(center + radius * width + .5), extent)
        distances = (numpy.arange(first, end) - center + .5) / width
        matrix[i, first:end] = weights_at(distances, sharpness)
    return normalized(matrix)


def blurred(places: collections.abc.Sequence[float], extent: int, scale: float, *, sharpness: float | None = None,
            exclude_outside: bool = False) -> numpy.ndarray:
    """The matrix (places x extent) of ONNX's antialiased resizing to `scale` times as many elements: cubic with this sharpness, or linear. Elements outside
    repeat the outermost one, or are left out."""
    scale, radius = min(float(scale), 1.), 1 if sharpness is None else 2
    around = numpy.arange(math.floor(-radius / scale) + 1, math.ceil(radius / scale) + 1)
    indices = numpy.floor(places).astype(int)[:, None] + around
    distances = (indices - numpy.asarray(places, float)[:, None]) * scale
    weights = weights_at(distances, sharpness)
    if exclude_outside:
        weights = numpy.where((indices < 0) | (indices >= extent), 0, weights)
    matrix = numpy.zeros((len(places), extent))
    numpy.add.at(matrix, (numpy.arange(len(places))[:, None], indices.clip(0, extent - 1)), normalized(weights))
    return matrix


def weights_at(distances: numpy.ndarray, sharpness: float | None) -> numpy.ndarray:
    """Cubic with this sharpness, or linear."""
    return typing.cast(numpy.ndarray, numpy.maximum(1 - abs(distances), 0)) if sharpness is None else cubic(distances, sharpness)


def cubic(distances: numpy.ndarray, sharpness: float) -> numpy.ndarray:
    x = abs(distances)
    near = ((sharpness + 2) * x - (sharpness + 3)) * x * x + 1
    far = sharpness * (((x - 5) * x + 8) * x - 4)
    return typing.cast(numpy.ndarray, numpy.where(x < 1, near, numpy.where(x < 2, far, 0)))


def normalized(weights: numpy.ndarray) -> numpy.ndarray:
    """The weights of each row divided by their sum."""
    return typing.cast(numpy.ndarray, weights / weights.sum(-1, keepdims=True))


def source_places(extent: int, size: int, scale: float | None, align_corners: bool) -> list[float]:
    """The place of each of `size` elements among `extent` in PyTorch's interpolation."""
    if align_corners:
        return [i * (extent - 1) / max(size - 1, 1) for i in range(size)]
    step = 1 / scale if scale else extent / size
    return [(i + .5) * step - .5 for i in range(size)]


def linear_taps(places: collections.abc.Sequence[typing.Any], extent: int) -> tuple[list[int], list[int], numpy.ndarray]:
    """For each place: the indices of its two neighbours among `extent`, and the weight of the second. Places outside are those of the outermost elements."""
    places = numpy.clip(places, 0, extent - 1)
    low = numpy.floor(places).astype(int)
    return low.tolist(), (low + 1).clip(0, extent - 1).tolist(), places - low
