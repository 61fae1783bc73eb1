"""What notebooks show: drawings of layouts and profiles."""
from __future__ import annotations

import dataclasses
import html
import os
import typing


class Drawing:
    """An SVG document. Notebooks show it; `str` is its text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text

    def _repr_svg_(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<tpp.Drawing, {len(self._text)} characters of SVG>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the document to a file. Raises OSError."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._text)


@dataclasses.dataclass(frozen=True)
class KernelTime:
    """The time of the kernels of a call that compute the same; they may differ in strides and post-ops."""

    what: str
    """What is computed, for instance `brgemm 64x64x1024`."""
    name: str
    """Of the kernel that computes it."""
    provider: str
    """Where the kernel comes from: `native`, `xsmm` or `reference`."""
    calls: int
    """Invocations in the call, by all threads."""
    seconds: float
    """Over all threads."""
    gflops: float | None
    """Of one thread: 10^9 multiplications and additions per second. None for kernels without multiplications of matrices."""


class Profile:
    """The time of every kernel in the fastest of several calls. `print` shows a table, a notebook a table and a time line."""

    def __init__(self, report: dict[str, typing.Any]) -> None:
        self._report = report
        self.calls: int = report["calls"]
        """How many calls were timed."""
        self.seconds: float = report["seconds"]
        """Of the fastest call. Timing makes it slower, by about 50 ns for each invocation of a kernel."""
        self.kernel_seconds: float = report["kernel_seconds"]
        """Of its kernels, summed over threads."""
        self.kernels: tuple[KernelTime, ...] = tuple(KernelTime(**each) for each in report["kernels"])
        """The longest first."""
        self.threads: tuple[tuple[tuple[int, float, float], ...], ...] = tuple(tuple((kernel, begin, end) for kernel, begin, end in each)
                                                                               for each in report["threads"])
        """For each thread that ran kernels, each invocation: the number of its kernel, begin and end in seconds since the start of the call."""

    def report(self) -> dict[str, typing.Any]:
        """What `tpp_model_profile` of the C API says."""
        return self._report

    def _share(self, kernel: KernelTime) -> float:
        return kernel.seconds / max(self.kernel_seconds, 1e-12)

    def __str__(self) -> str:
        rows = [("time of kernels", "share", "calls", "GFLOP/s", "computes", "kernel")]
        for each in self.kernels:
            rows.append((_time(each.seconds), f"{100 * self._share(each):.1f} %", str(each.calls), "" if each.gflops is None else f"{each.gflops:.1f}",
                         each.what, each.name))
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = ["  ".join(cell.ljust(width) if column > 3 else cell.rjust(width) for column, (cell, width) in enumerate(zip(row, widths))).rstrip()
                 for row in rows]
        return "\n".join([self._title(), *lines])

    def _title(self) -> str:
        return f"fastest of {self.calls} calls: {_time(self.seconds)}; in kernels {_time(self.kernel_seconds)}, over {len(self.threads)} thread{'' if len(self.threads) == 1 else 's'}"

    def __repr__(self) -> str:
        return f"<tpp.Profile, {self._title()}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th style='text-align:left'>{each}</th>" for each in ("", "time", "share", "calls", "GFLOP/s", "computes", "kernel"))
        rows = []
        for number, each in enumerate(self.kernels):
            bar = f"<div style='width:{max(1, round(120 * self._share(each)))}px;height:10px;background:{_colour(number)}'></div>"
            cells = (bar, _time(each.seconds), f"{100 * self._share(each):.1f} %", str(each.calls), "" if each.gflops is None else f"{each.gflops:.1f}",
                     html.escape(each.what), f"<code>{html.escape(each.name)}</code>")
            rows.append("<tr>" + "".join(f"<td style='text-align:left'>{cell}</td>" for cell in cells) + "</tr>")
        return f"<p>{self._title()}</p>{self._time_line()}<table><tr>{head}</tr>{''.join(rows)}</table>"

    def _time_line(self) -> str:
        """A row for each thread, with a colour for each kernel. Invocations that are narrower than a pixel are joined."""
        width, height = 900, 18
        scale = width / max(self.seconds, 1e-12)
        shapes = []
        for row, invocations in enumerate(self.threads):
            joined: list[tuple[int, float, float]] = []  # kernel, begin and end in pixels
            for kernel, begin, end in invocations:
                left, right = begin * scale, end * scale
                if joined and joined[-1][0] == kernel and left - joined[-1][2] < 0.5:
                    joined[-1] = (kernel, joined[-1][1], right)
                elif not joined or right - joined[-1][1] >= 1:
                    joined.append((kernel, left, right))
            for kernel, left, right in joined:
                title = html.escape(self.kernels[kernel].what)
                shapes.append(f"<rect x='{left:.1f}' y='{row * (height + 4)}' width='{max(right - left, 0.5):.1f}' height='{height}' "
                              f"fill='{_colour(kernel)}'><title>{title}</title></rect>")
        return f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{len(self.threads) * (height + 4)}'>{''.join(shapes)}</svg>"


def _time(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.4g} {unit}"
    return f"{seconds * 1e9:.4g} ns"


def _colour(number: int) -> str:
    return f"hsl({number * 137.508 % 360:.0f}, 60%, {60 if number < 12 else 75}%)"
