"""Operations of aten that are replaced by compositions of others before a graph is lowered."""
from __future__ import annotations

import collections.abc
import functools
import importlib.util
import math
import pathlib
import typing

import numpy
import torch
from torch.utils._python_dispatch import _disable_current_modes

from tpp.importing import elementwise, order, triangular
from tpp.importing.filters import antialiased, cubic_taps, linear_taps, source_places


def decompositions() -> dict[typing.Any, typing.Any]:
    """The operations that torch-mlir wants to see as compositions of others, and those that it cannot lower otherwise."""
    table = {**wanted_by_torch_mlir(), **order.table(), **elementwise.table()}
    aten = torch.ops.aten
    table[aten.cumsum.default] = cumulative_sum
    table[aten.logcumsumexp.default] = cumulative_log_sum
    table[aten.as_strided.default] = same_strides
    table[aten.empty_strided.default] = nothing
    table[aten.constant_pad_nd.default] = cropped
    table[aten.convolution.default] = grouped_convolution
    table[aten.upsample_bilinear2d.vec] = linear
    table[aten.upsample_linear1d.vec] = linear
    table[aten.upsample_trilinear3d.vec] = linear
    table[aten.upsample_bicubic2d.vec] = cubic
    for name, sharpness in (("linear", None), ("cubic", -.5)):
        antialiased_op = getattr(aten, f"_upsample_bi{name}2d_aa")
        table[antialiased_op.vec] = functools.partial(smooth, sharpness=sharpness)
        table[antialiased_op.default] = functools.partial(smooth_by_scales, sharpness=sharpness)
    table[aten._pad_circular.default] = functools.partial(padded, place=lambda i, extent: i.remainder(extent))
    table[aten._adaptive_avg_pool2d.default] = table[aten._adaptive_avg_pool3d.default] = adaptive_mean
    table[aten.adaptive_max_pool2d.default] = table[aten.adaptive_max_pool3d.default] = adaptive_maximum
    table[aten.native_group_norm.default] = group_norm
    table[aten.instance_norm.default] = instance_norm
    table[aten._cdist_forward.default] = distances
    table[aten.linalg_solve_triangular.default] = triangular.solve
    for name in ("var", "std", "var_mean", "std_mean"):
        operation = getattr(aten, name).correction
        table[operation] = functools.partial(variance_of_few, results=name, usual=table.get(operation))
    for each in (aten.addmv.default, aten.all.dims, aten.dist.default, aten.narrow_copy.default, aten.permute_copy.default,
                 aten.take.default, aten.unbind_copy.int, aten.view_copy.default):
        table[each] = torch._decomp.decomposition_table[each]
    for dims in (1, 2, 3):
        table[getattr(aten, f"reflection_pad{dims}d").default] = functools.partial(padded, place=lambda i, extent: extent - 1 - (extent - 1 - i.abs()).abs())
        table[getattr(aten, f"replication_pad{dims}d").default] = functools.partial(padded, place=lambda i, extent: i.clamp(0, extent - 1))
        table[getattr(aten, f"upsample_nearest{dims}d").vec] = functools.partial(nearest, exact=False)
        table[getattr(aten, f"_upsample_nearest_exact{dims}d").vec] = functools.partial(nearest, exact=True)
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
    """aten.cumsum: torch-mlir has only a loop for it, in a dialect of its own."""
    if dtype is None and x.dtype in (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32):
        dtype = torch.int64
    return accumulate(x.to(dtype, copy=True) if dtype else x.clone(), dim, torch.add, 0)


def cumulative_log_sum(x: torch.Tensor, dim: int) -> torch.Tensor:
    """aten.logcumsumexp. torch-mlir takes the logarithm of a sum that overflows."""
    return accumulate(widened(x).clone(), dim, torch.logaddexp, -math.inf).to(x.dtype)


def accumulate(x: torch.Tensor, dim: int, combine: collections.abc.Callable[[torch.Tensor, torch.Tensor], torch.Tensor], neutral: float) -> torch.Tensor:
    """The combination of each element and all before it, in log2(n) steps that each combine the tensor and its shifted copy."""
    if x.dim() == 0:
        return x
    dim, shift = dim % x.dim(), 1
    while shift < x.shape[dim]:
        padding = [0, 0] * (x.dim() - 1 - dim) + [shift, 0]
        x = combine(x, torch.constant_pad_nd(x.narrow(dim, 0, x.shape[dim] - shift), padding, neutral))
        shift *= 2
    return x


def same_strides(x: torch.Tensor, size: list[int], stride: list[int], storage_offset: int | None = None) -> torch.Tensor:
    """aten.as_strided that changes at most the strides of dimensions of extent 1, which say nothing: a mean over channels-last images ends with one.
    torch-mlir lowers it to a load of each element from an index of its own."""
    same = list(x.shape) == list(size) and storage_offset in (None, x.storage_offset())
    if same and all(extent == 1 or old == new for extent, old, new in zip(size, x.stride(), stride)):
        return x.view(size)
    return NotImplemented


def cropped(x: torch.Tensor, padding: list[int], value: float = 0) -> torch.Tensor:
    """aten.constant_pad_nd that is negative at some sides, where it takes elements away: torch-mlir ignores it if the shape stays the same."""
    if min(padding, default=0) >= 0:
        return NotImplemented
    for i in range(len(padding) // 2):
        before, after = min(padding[2 * i], 0), min(padding[2 * i + 1], 0)
        dim = x.dim() - 1 - i
        x = x.narrow(dim, -before, x.shape[dim] + before + after)
    kept = [max(each, 0) for each in padding]
    return torch.constant_pad_nd(x, kept, value) if any(kept) else x.clone()


def nothing(size: list[int], stride: list[int], *, dtype: torch.dtype | None = None, device: torch.device | None = None, **options: typing.Any) -> torch.Tensor:
    """aten.empty_strided without elements, which torch-mlir cannot lower."""
    return NotImplemented if 0 not in size else torch.arange(0, device=device).to(dtype or torch.get_default_dtype()).reshape(size)


def grouped_convolution(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, stride: list[int], padding: list[int], dilation: list[int],
                        transposed: bool, output_padding: list[int], groups: int) -> torch.Tensor:
    """aten.convolution in groups of channels, of the forms that torch-mlir cannot lower: videos, and transposed ones of groups of one channel."""
    count = weight.dim() - 2
    steps, borders, dilations, more = (list(each) * (count if len(each) == 1 else 1) for each in (stride, padding, dilation, output_padding))
    if groups > 1 and transposed and weight.shape[:2] == (groups, 1):
        return spread(x, weight, bias, steps, borders, dilations, more)
    if groups > 1 and not transposed and count == 3:
        return grouped_videos(x, weight, bias, steps, borders, dilations, groups)
    return NotImplemented


def spread(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, stride: list[int], padding: list[int], dilation: list[int],
           output_padding: list[int]) -> torch.Tensor:
    """A transposed convolution of each channel: the convolution, with the filter backwards, of the image with zeros between its pixels."""
    borders: list[int] = []
    for dim, (step, border, distance, more) in enumerate(zip(stride, padding, dilation, output_padding), start=2):
        extent = x.shape[dim]
        if step > 1:
            x = torch.constant_pad_nd(x.unsqueeze(dim + 1), [0, 0] * (x.dim() - 1 - dim) + [0, step - 1]).flatten(dim, dim + 1)
            x = x.narrow(dim, 0, (extent - 1) * step + 1)
        reach = distance * (weight.shape[dim] - 1)
        borders = [reach - border, reach - border + more] + borders
    ones = [1] * len(stride)
    return torch.ops.aten.convolution.default(torch.constant_pad_nd(x, borders), weight.flip(list(range(2, weight.dim()))), bias, ones, [0] * len(ones), dilation,
                                              False, [0] * len(ones), x.shape[1])


def grouped_videos(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, stride: list[int], padding: list[int], dilation: list[int],
                   groups: int) -> torch.Tensor:
    """The convolution of videos in groups of channels: the sum over the frames of the filter of convolutions of images."""
    if padding[0] != 0:
        x = torch.constant_pad_nd(x, [0, 0, 0, 0, padding[0], padding[0]], 0)
    taps = weight.shape[2]
    frames = (x.shape[2] - dilation[0] * (taps - 1) - 1) // stride[0] + 1
    total = None
    for tap in range(taps):
        first = tap * dilation[0]
        images = x[:, :, first:first + (frames - 1) * stride[0] + 1:stride[0]].transpose(1, 2).flatten(0, 1)
        part = torch.ops.aten.convolution.default(images, weight[:, :, tap], bias if tap == 0 else None, stride[1:], padding[1:], dilation[1:], False,
                                                  [0, 0], groups)
        total = part if total is None else total + part
    return total.unflatten(0, (x.shape[0], frames)).transpose(1, 2)


def linear(x: torch.Tensor, output_size: list[int] | None, align_corners: bool, scales: list[float] | None) -> torch.Tensor:
    """aten.upsample_linear1d, upsample_bilinear2d and upsample_trilinear3d: each element is a mean of two neighbours in each dimension, which are
    selected by constant indices."""
    if not x.is_floating_point():
        return NotImplemented
    sizes, kind = output_sizes(x, output_size, scales), x.dtype
    x = widened(x)
    corners, blends = [x], []
    for dim, size in enumerate(sizes, start=2):
        low, high, weights = linear_taps(source_places(x.shape[dim], size, scales[dim - 2] if scales else None, align_corners), x.shape[dim])
        corners = [each.index_select(dim, torch.tensor(index)) for each in corners for index in (low, high)]
        blends.append(along(dim, weights, x))
    for weight in reversed(blends):
        corners = [low + weight * (high - low) for low, high in zip(corners[::2], corners[1::2])]
    return corners[0].to(kind)


def cubic(x: torch.Tensor, output_size: list[int] | None, align_corners: bool, scales: list[float] | None) -> torch.Tensor:
    """aten.upsample_bicubic2d: weighted sums of four selected columns, then of four selected rows."""
    if not x.is_floating_point():
        return NotImplemented
    sizes, kind = output_sizes(x, output_size, scales), x.dtype
    x = widened(x)
    for dim in (3, 2):
        places = source_places(x.shape[dim], sizes[dim - 2], scales[dim - 2] if scales else None, align_corners)
        parts = [x.index_select(dim, torch.tensor(index)) * along(dim, weights, x) for index, weights in cubic_taps(places, x.shape[dim], -.75)]
        x = functools.reduce(torch.add, parts)
    return x.to(kind)


def smooth(x: torch.Tensor, output_size: list[int] | None, align_corners: bool, scales: list[float] | None, *, sharpness: float | None) -> torch.Tensor:
    """aten._upsample_bilinear2d_aa and _upsample_bicubic2d_aa: products with constant matrices, as a filter that shrinks much reads many elements."""
    if not x.is_floating_point():
        return NotImplemented
    sizes, kind = output_sizes(x, output_size, scales), x.dtype
    x = widened(x)
    for dim in (3, 2):
        extent, size = x.shape[dim], sizes[dim - 2]
        if align_corners:
            step = (extent - 1) / (size - 1) if size > 1 else 0
        else:
            step = 1 / scales[dim - 2] if scales else extent / size
        matrix = antialiased(extent, size, step, sharpness=sharpness).astype(numpy.float64 if x.dtype == torch.float64 else numpy.float32)
        x = torch.matmul(x.movedim(dim, -1), constant(matrix.T)).movedim(-1, dim)
    return x.to(kind)


def smooth_by_scales(x: torch.Tensor, output_size: list[int], align_corners: bool, scales_h: float | None = None, scales_w: float | None = None, *,
                     sharpness: float | None) -> torch.Tensor:
    scales = [scale or size / extent for scale, size, extent in zip((scales_h, scales_w), output_size, x.shape[2:])]
    return smooth(x, output_size, align_corners, scales, sharpness=sharpness)


def constant(values: numpy.ndarray) -> torch.Tensor:
    """`values` as a tensor. torch.tensor() would write to it in the graph, which is no longer allowed where operations of the dispatcher are decomposed."""
    with _disable_current_modes():
        tensor = torch.tensor(values)
    return torch.ops.aten.lift_fresh_copy.default(tensor)


def along(dim: int, values: numpy.ndarray, x: torch.Tensor) -> torch.Tensor:
    """`values` as a tensor of the type of `x` that is broadcast to all dimensions of `x` but this one."""
    return torch.tensor(values, dtype=x.dtype).reshape([-1] + [1] * (x.dim() - 1 - dim))


def nearest(x: torch.Tensor, output_size: list[int] | None, scales: list[float] | None, *, exact: bool) -> torch.Tensor:
    """aten.upsample_nearest1d, 2d and 3d, and those of _upsample_nearest_exact. Places are computed in f32, as PyTorch does."""
    for dim, size in enumerate(output_sizes(x, output_size, scales), start=2):
        step = numpy.float32(1 / scales[dim - 2]) if scales else numpy.float32(x.shape[dim]) / numpy.float32(size)
        places = [min(math.floor(numpy.float32((i + .5 * exact) * float(step))), x.shape[dim] - 1) for i in range(size)]
        x = x.index_select(dim, torch.tensor(places))
    return x


def padded(x: torch.Tensor, padding: list[int], *, place: collections.abc.Callable[[torch.Tensor, int], torch.Tensor]) -> torch.Tensor:
    """aten.reflection_pad1d to 3d, replication_pad1d to 3d and _pad_circular: `place` gives the elements that are repeated at indices outside."""
    for dim, before, after in zip(range(x.dim() - 1, -1, -1), padding[::2], padding[1::2]):
        extent = x.shape[dim]
        if before or after:
            x = x.index_select(dim, place(torch.arange(-before, extent + after), extent))
    return x


def adaptive_mean(x: torch.Tensor, output_size: list[int]) -> torch.Tensor:
    """aten._adaptive_avg_pool2d and 3d of sizes that do not divide: means of windows along one dimension, then along the next."""
    if not x.is_floating_point() or divides(x, output_size):
        return NotImplemented
    kind = x.dtype
    x = widened(x)
    for dim, windows in adaptive_windows(x, output_size):
        x = torch.cat([x.narrow(dim, first, end - first).mean(dim, keepdim=True) for first, end in windows], dim)
    return x.to(kind)


def adaptive_maximum(x: torch.Tensor, output_size: list[int]) -> tuple[torch.Tensor, torch.Tensor]:
    """aten.adaptive_max_pool2d and 3d: maxima along one dimension, then along the next. Their positions in the image are computed likewise; most programs
    do not use them, and what is not used is removed."""
    image = x.shape[x.dim() - len(output_size):]
    positions = torch.arange(math.prod(image)).reshape(image).expand(x.shape)
    for dim, windows in adaptive_windows(x, output_size):
        values, places = [], []
        for first, end in windows:
            window = x.narrow(dim, first, end - first)
            values.append(window.amax(dim, keepdim=True))
            places.append(positions.narrow(dim, first, end - first).gather(dim, window.argmax(dim, keepdim=True)))
        x, positions = torch.cat(values, dim), torch.cat(places, dim)
    return x, positions


def group_norm(x: torch.Tensor, weight: torch.Tensor | None, bias: torch.Tensor | None, images: int, channels: int, pixels: int, groups: int,
               eps: float) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """aten.native_group_norm from means of channels: no value of the size of `x` has dimensions for groups and their channels, which few layouts have."""
    wide, dims, in_groups = widened(x), tuple(range(2, x.dim())), (images, groups, channels // groups)

    def mean_of_groups(values: torch.Tensor) -> torch.Tensor:
        means = (values.mean(dims) if dims else values).reshape(in_groups).mean(2, keepdim=True)
        return means.expand(in_groups).reshape([images, channels] + [1] * len(dims))

    mean = mean_of_groups(wide)
    centered = wide - mean
    scale = torch.rsqrt(mean_of_groups(centered * centered) + eps)
    of_groups = [each.reshape(in_groups)[:, :, 0].to(x.dtype) for each in (mean, scale)]
    return affine(centered * scale, weight, bias).to(x.dtype), of_groups[0], of_groups[1]


def instance_norm(x: torch.Tensor, weight: torch.Tensor | None, bias: torch.Tensor | None, running_mean: torch.Tensor | None,
                  running_var: torch.Tensor | None, use_input_stats: bool, momentum: float, eps: float, cudnn_enabled: bool) -> torch.Tensor:
    """aten.instance_norm without a dimension that holds images and channels."""
    if not use_input_stats or running_mean is not None:
        return NotImplemented
    wide = widened(x)
    variance, mean = torch.var_mean(wide, tuple(range(2, x.dim())), correction=0, keepdim=True)
    return affine((wide - mean) * torch.rsqrt(variance + eps), weight, bias).to(x.dtype)


def distances(x: torch.Tensor, y: torch.Tensor, p: float, compute_mode: int | None) -> torch.Tensor:
    """aten._cdist_forward: the p-norms of the differences of all rows of `x` and all of `y`. By a product of matrices if PyTorch does so, too."""
    if p == 2 and compute_mode != 2 and (compute_mode == 1 or max(x.shape[-2], y.shape[-2]) > 25):
        return torch.ops.aten._euclidean_dist(x, y)
    return torch.linalg.vector_norm(x.unsqueeze(-2) - y.unsqueeze(-3), p, -1)


def variance_of_few(x: torch.Tensor, dim: list[int] | None = None, *, correction: float | None = None, keepdim: bool = False,
                    results: str, usual: collections.abc.Callable[..., typing.Any] | None) -> typing.Any:
    """aten.var, std, var_mean and std_mean of no more elements than the correction: PyTorch divides by 0, torch-mlir by a negative number. `usual` computes
    those of more; None: torch-mlir does."""
    dims = [each % max(x.dim(), 1) for each in dim] if dim else list(range(x.dim()))
    if not x.is_floating_point() or math.prod(x.shape[each] for each in dims if x.dim()) > (1 if correction is None else correction):
        return usual(x, dim, correction=correction, keepdim=keepdim) if usual else NotImplemented
    wide = widened(x)
    mean = wide.mean(dims, keepdim=True)
    variance = ((wide - mean).square().sum(dims, keepdim=True) / 0.).to(x.dtype)
    parts = [torch.sqrt(variance) if "std" in results else variance] + ([mean.to(x.dtype)] if "mean" in results else [])
    if not keepdim:
        parts = [each.reshape([extent for at, extent in enumerate(x.shape) if at not in dims]) for each in parts]
    return tuple(parts) if len(parts) > 1 else parts[0]


def affine(x: torch.Tensor, weight: torch.Tensor | None, bias: torch.Tensor | None) -> torch.Tensor:
    """Scales and shifts each channel."""
    shape = [1, -1] + [1] * (x.dim() - 2)
    if weight is not None:
        x = x * weight.reshape(shape)
    return x if bias is None else x + bias.reshape(shape)


def widened(x: torch.Tensor) -> torch.Tensor:
    """`x` in f32 at least, so that what is computed from it is rounded once."""
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x


def divides(x: torch.Tensor, output_size: list[int]) -> bool:
    return all(extent % size == 0 for extent, size in zip(x.shape[x.dim() - len(output_size):], output_size))


def adaptive_windows(x: torch.Tensor, output_size: list[int]) -> list[tuple[int, list[tuple[int, int]]]]:
    """For each dimension of an adaptive pool, the last first: the first and the end of what each output reads."""
    dims = range(x.dim() - 1, x.dim() - 1 - len(output_size), -1)
    return [(dim, [(i * x.shape[dim] // size, -(-(i + 1) * x.shape[dim] // size)) for i in range(size)]) for dim, size in zip(dims, reversed(output_size))]


def output_sizes(x: torch.Tensor, output_size: list[int] | None, scales: list[float] | None) -> list[int]:
    return output_size or [math.floor(extent * scale) for extent, scale in zip(x.shape[2:], scales or [])]
