"""Operations of aten that are replaced by compositions of others before a graph is lowered."""
from __future__ import annotations

import functools
import importlib.util
import pathlib
import typing

import torch


def decompositions() -> dict[typing.Any, typing.Any]:
    """The operations that torch-mlir wants to see as compositions of others, and those that it cannot lower otherwise."""
    table = dict(wanted_by_torch_mlir())
    table[torch.ops.aten.cumsum.default] = cumulative_sum
    return table


@functools.cache
def wanted_by_torch_mlir() -> dict[typing.Any, typing.Any]:
    # Its file is read as a module of its own: importing torch_mlir is slow, and a graph that was compiled before does not need it.
    package = importlib.util.find_spec("torch_mlir")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("compiling models of PyTorch needs the package torch-mlir: pip install 'tpp[torch]'", name="torch_mlir")
    path = pathlib.Path(package.submodule_search_locations[0]) / "extras" / "fx_decomp_util.py"
    spec = importlib.util.spec_from_file_location("tpp.importing.fx_decomp_util", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return typing.cast("dict[typing.Any, typing.Any]", module.get_decomposition_table())


def cumulative_sum(x: torch.Tensor, dim: int, *, dtype: torch.dtype | None = None) -> torch.Tensor:
    """aten.cumsum in log2(n) additions of the tensor and its shifted copy: torch-mlir has only a loop for it, in a dialect of its own."""
    if dtype is None and x.dtype in (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32):
        dtype = torch.int64
    x = x.to(dtype, copy=True) if dtype else x.clone()
    if x.dim() == 0:
        return x
    dim, shift = dim % x.dim(), 1
    while shift < x.shape[dim]:
        padding = [0, 0] * (x.dim() - 1 - dim) + [shift, 0]
        x = x + torch.constant_pad_nd(x.narrow(dim, 0, x.shape[dim] - shift), padding, 0)
        shift *= 2
    return x
