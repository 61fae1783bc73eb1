"""Decompositions of operations of aten that sort, select by rank, search and count."""
from __future__ import annotations

import typing

import torch


def table() -> dict[typing.Any, typing.Any]:
    aten = torch.ops.aten
    with_dim = (aten.scatter.src, aten.scatter.value, aten.scatter_add.default, aten.scatter_reduce.two, aten.gather.default)
    return {**{operation: positive_dim(operation) for operation in with_dim},
            aten.sort.stable: sort, aten.topk.default: largest, aten.kthvalue.default: kth_value, aten.median.dim: median, aten.median.default: median_of_all,
            aten.searchsorted.Tensor: search, aten.histc.default: histogram, aten.cummax.default: cumulative_maximum,
            aten.cummin.default: cumulative_minimum}


def positive_dim(operation: typing.Any) -> typing.Any:
    """Some of torch-mlir's patterns end the process if the dimension is negative."""

    def decomposed(x: torch.Tensor, dim: int, *arguments: typing.Any, **options: typing.Any) -> typing.Any:
        return NotImplemented if dim >= 0 else operation(x, dim + max(x.dim(), 1), *arguments, **options)

    return decomposed


def sort(x: torch.Tensor, *, stable: bool | None, dim: int = -1, descending: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
    """aten.sort.stable: the loops of aten.sort are stable."""
    return torch.ops.aten.sort.default(x, dim, descending)


def largest(x: torch.Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[torch.Tensor, torch.Tensor]:
    """aten.topk; torch-mlir lowers it only if the results are to be sorted."""
    if x.dim() == 0:
        return NotImplemented
    values, places = torch.sort(x, dim, largest)
    return values.narrow(dim, 0, k), places.narrow(dim, 0, k)


def kth_value(x: torch.Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
    if x.dim() == 0:
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    values, places = torch.sort(x, dim)
    return element(values, dim, k - 1, keepdim), element(places, dim, k - 1, keepdim)


def median(x: torch.Tensor, dim: int, keepdim: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
    """The lower of two medians; a NaN if there is one: sorting puts NaNs last."""
    if x.dim() == 0:
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    values, places = torch.sort(x, dim)
    middle, last = (x.shape[dim] - 1) // 2, x.shape[dim] - 1
    value, place = element(values, dim, middle, keepdim), element(places, dim, middle, keepdim)
    if not x.is_floating_point():
        return value, place
    greatest = element(values, dim, last, keepdim)
    return torch.where(greatest.isnan(), greatest, value), torch.where(greatest.isnan(), element(places, dim, last, keepdim), place)


def median_of_all(x: torch.Tensor) -> torch.Tensor:
    return median(x.reshape(-1), 0)[0]


def element(x: torch.Tensor, dim: int, index: int, keepdim: bool) -> torch.Tensor:
    part = x.narrow(dim, index, 1)
    return part if keepdim else part.squeeze(dim)


def search(sequence: torch.Tensor, x: torch.Tensor, *, out_int32: bool = False, right: bool = False, side: str | None = None,
           sorter: torch.Tensor | None = None) -> torch.Tensor:
    """aten.searchsorted: how many elements of the sorted sequence are less than each element of x; if `right`, how many are not greater."""
    if sorter is not None:
        sequence = sequence.gather(-1, sorter)
    right = right or side == "right"
    a, b = sequence.unsqueeze(-2) if sequence.dim() > 1 else sequence, x.unsqueeze(-1)
    # A NaN is greater than every number and equal to itself.
    before = (a <= b) | b.isnan() if right else (a < b) | (b.isnan() & ~a.isnan())
    return before.sum(-1, dtype=torch.int32 if out_int32 else torch.int64)


def histogram(x: torch.Tensor, bins: int = 100, least: float = 0, most: float = 0) -> torch.Tensor:
    """aten.histc: the number of elements in each of `bins` intervals of equal width from `least` to `most`, which the last includes."""
    if least == most or not x.is_floating_point():
        return NotImplemented  # the range depends on the data
    place = ((x - least) / (most - least) * bins).to(torch.int64).clamp(max=bins - 1)
    inside = (x >= least) & (x <= most)
    counted = (place.reshape(-1, 1) == torch.arange(bins, device=x.device)) & inside.reshape(-1, 1)
    return counted.to(x.dtype).sum(0)


def cumulative_maximum(x: torch.Tensor, dim: int) -> tuple[torch.Tensor, torch.Tensor]:
    return cumulative_extremum(x, dim, torch.ge)


def cumulative_minimum(x: torch.Tensor, dim: int) -> tuple[torch.Tensor, torch.Tensor]:
    return cumulative_extremum(x, dim, torch.le)


def cumulative_extremum(x: torch.Tensor, dim: int, wins: typing.Any) -> tuple[torch.Tensor, torch.Tensor]:
    """aten.cummax and aten.cummin in log2(n) steps, as in decompositions.cumulative_sum. Of equal elements the last one is taken, and from the first NaN on
    each NaN."""
    if x.dim() == 0:
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    dim, extent, shift = dim % x.dim(), x.shape[dim], 1
    places = torch.arange(extent, device=x.device).reshape([-1] + [1] * (x.dim() - 1 - dim)).expand(x.shape)
    while shift < extent:
        first, first_places = x.narrow(dim, 0, extent - shift), places.narrow(dim, 0, extent - shift)
        later, later_places = x.narrow(dim, shift, extent - shift), places.narrow(dim, shift, extent - shift)
        stays = wins(later, first)
        if x.is_floating_point():
            stays = (stays & ~first.isnan()) | later.isnan()
        x = torch.cat([x.narrow(dim, 0, shift), torch.where(stays, later, first)], dim)
        places = torch.cat([places.narrow(dim, 0, shift), torch.where(stays, later_places, first_places)], dim)
        shift *= 2
    return x.clone() if shift == 1 else x, places.clone() if shift == 1 else places
