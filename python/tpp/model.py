"""Compiling, calling, saving and loading models."""
from __future__ import annotations

import collections.abc
import json
import os
import typing

import numpy

from tpp import _native
from tpp.errors import CompileError
from tpp.pictures import Drawing, Profile
from tpp.values import Signature, Value, random_array

Path = typing.Union[str, "os.PathLike[str]"]


def _cores() -> int:
    return len(os.sched_getaffinity(0))


class Model:
    """A compiled function. Made by `tpp.compile` and `tpp.load`.

    Calls may run at the same time in several threads: they release the GIL, and each has its own scratch memory, which the model keeps.
    """

    def __init__(self, native: _native.Model) -> None:
        self._native = native

        def describe(values: collections.abc.Iterable[_native.Value]) -> tuple[Value, ...]:
            return tuple(Value(each.type, tuple(each.shape), each.is_weight, each.is_written) for each in values)

        self.signature = Signature(describe(native.arguments), describe(native.results))
        """Types and shapes of arguments and results."""

    def __call__(self, *inputs: typing.Any, out: typing.Any = None) -> typing.Any:
        """Runs the model.

        Args:
          inputs: an array for each of `signature.inputs`, of that shape and element type: NumPy arrays, or whatever supports DLPack or the buffer
            protocol. Dense ones in row-major order are read in place, others are copied first. Lists and numbers are converted. Elements
            of bf16 may also come as their bits, in uint16.
          out: the array to write, or a sequence with one for each result: dense, writable, without overlap with the inputs. Default: new
            NumPy arrays.

        Returns: the result; of several results, a tuple. `out` if it is given.

        Raises:
          TypeError: a wrong number of inputs or a wrong element type.
          ValueError: a wrong shape, an array that is not in the memory of the CPU, an `out` that is read-only or not dense.
          tpp.Error: an assertion of the program failed, for instance because an index is out of range.
          MemoryError: there is no memory for the scratch memory.
        """
        return self._native(*inputs, out=out)

    def pack(self, weights: collections.abc.Sequence[typing.Any]) -> None:
        """Computes what depends on the weights only: before the first call, and again when weights have changed.

        Args:
          weights: an array for each argument that is a weight, in their order. They are read during this call only.

        Waits for calls at work; calls that begin meanwhile wait for it. Raises TypeError, ValueError and MemoryError as a call does.
        """
        self._native.pack(weights)

    @property
    def report(self) -> dict[str, typing.Any]:
        """What a call does, as `tpp_model_report` of the C API describes it: `kernels`, `flops`, `packs`, `copies`, `workspace_bytes` and so on."""
        return typing.cast("dict[str, typing.Any]", json.loads(self._native.report()))

    def layout_report(self) -> str:
        """Every relayout and copy of a call, with its reason (docs/layout-report.md): a line each, after a line with their sums."""
        report = self.report
        lines = [f"{report['packs']} packs, {report['unpacks']} unpacks, {report['copies']} copies; {report['moved_bytes']} bytes moved"]
        for move in report["moves"]:
            place = f" ({move['location']})" if move["location"] else ""
            lines.append(f"{move['what']} {move['from']} -> {move['to']}, {move['times']} times, {move['bytes']} bytes: {move['note'] or move['reason']}{place}")
        return "\n".join(lines)

    def layout_drawing(self) -> Drawing | None:
        """The operations and the layouts of their values (docs/layout-report.md), which a notebook shows. None if the model was compiled without, or
        has no tensors."""
        text = self._native.drawing()
        return Drawing(text) if text else None

    def profile(self, *inputs: typing.Any, seconds: float = 0.5) -> Profile:
        """Times every invocation of a kernel in calls that take `seconds` in all. Other calls wait meanwhile.

        Args:
          inputs: as for a call; those that the model writes are copied. Default: random numbers; integers are 0 or 1.
          seconds: at least three calls are made.

        Returns: the times of the fastest call, which a notebook shows as a table and a time line.

        Raises what a call raises.
        """
        wanted = self.signature.inputs
        if not inputs:
            inputs = tuple(random_array(value, number) for number, value in enumerate(wanted))
        elif len(inputs) == len(wanted):  # each call writes again
            inputs = tuple(numpy.array(each) if value.is_written else each for each, value in zip(inputs, wanted))
        return Profile(json.loads(self._native.profile(*inputs, seconds=seconds)))

    def save(self, path: Path) -> None:
        """Writes code, signature and packed weights to a file, which `tpp.load` reads without compiling.

        Raises:
          OSError: the file cannot be written.
        """
        self._native.save(os.fspath(path))

    def __repr__(self) -> str:
        return f"<tpp.Model {self.report['entry']}{self.signature}>"


def compile(program: Path | bytes,
            *,
            entry: str = "",
            weights: collections.abc.Mapping[int, typing.Any] | None = None,
            threads: int | None = None,
            precision: str = "program",
            winograd: str = "auto",
            denormals: str = "keep",
            packing: str = "",
            target: str = "",
            provider: str = "auto",
            reference: bool = False,
            drawing: bool = True,
            shapes: collections.abc.Sequence[collections.abc.Sequence[int]] | None = None,
            constants: collections.abc.Mapping[str, typing.Any] | None = None) -> Model:
    """Compiles a program for this machine.

    Args:
      program: the path of a file of MLIR (text or bytecode: linalg on tensors, or TOSA), or its content as `bytes`; or the path of an ONNX file, a
        name that ends in `.onnx` (`pip install 'tpp[onnx]'`).
      entry: the function to compile. Default: the only public one with a body, else `main`.
      weights: arrays for arguments that are the same in every call, by the argument's index from 0. What depends on them only is computed once,
        now, and again by `Model.pack`. They are not kept.
      threads: how many threads a call may use. Default: the cores that this process may use.
      precision: `program`, `bf16` or `int8`: of the operands of contractions (docs/numerics.md).
      winograd: Winograd's algorithm for 3 x 3 convolutions: `auto`, where it is estimated to be faster, `always` or `off` (docs/numerics.md).
      denormals: numbers too small for all digits (for f32, below 2^-126): `keep` them, or `zero`: calls compute with zeros instead, which is faster where
        there are some (docs/numerics.md).
      packing: the packing strategy (docs/packing-strategies.md). Default: the program's own, else the one of least cost.
      target: the machine to choose tiles for, as for `tpp-run --target`. Default: this one.
      provider: of the kernels: `auto`, `xsmm`, `native` or `reference`.
      reference: compile to plain loops, to compare results with.
      drawing: make what `Model.layout_drawing` returns, which takes a few percent of the time.
      shapes: of the inputs of an ONNX file, one for each, if sizes in it are dynamic.
      constants: arrays or numbers for inputs of an ONNX file, by their names: these are inputs no longer, and what depends on them only is computed
        now, such as the condition of a branch.

    Raises:
      tpp.CompileError: the program is not valid or cannot be compiled; `diagnostics` has the positions.
      ValueError: an option has a value that does not exist.
      OSError: the file cannot be read.
      MemoryError: there is no memory for the weights.
    """
    given = dict(weights or {})
    name = ""
    if not isinstance(program, (bytes, bytearray, memoryview)):
        path = os.fspath(program)
        os.stat(path)  # its OSError says what is wrong
        if path.endswith(".onnx"):
            if given:
                raise ValueError("weights: those of an ONNX file are its constants")
            program, given = _read_onnx(path, shapes, constants or {})
            name = path
    if not name and (shapes is not None or constants is not None):
        raise ValueError(f"{'constants' if shapes is None else 'shapes'}: only ONNX files take them")
    options: dict[str, typing.Any] = {
        "entry": entry, "weights": sorted(given), "threads": _cores() if threads is None else threads, "precision": precision,
        "winograd": winograd, "denormals": denormals, "packing": packing, "target": target, "provider": provider, "reference": reference, "drawing": drawing
    }
    if isinstance(program, (bytes, bytearray, memoryview)):
        native = _native.compile(program=bytes(program), name=name, **options)
    else:
        native = _native.compile(path=path, **options)
    model = Model(native)
    if given:
        lacking = [i for i, each in enumerate(model.signature.arguments) if each.is_weight and i not in given]
        if lacking:
            raise ValueError(f"weights lacks the arguments {', '.join(map(str, lacking))}, which the program marks as weights")
        model.pack([given[i] for i in sorted(given)])
    return model


def _read_onnx(path: str, shapes: typing.Any, constants: typing.Any) -> tuple[bytes, dict[int, typing.Any]]:
    try:
        from tpp.importing.onnx_file import compile_to_mlir
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"reading {path} needs the package {error.name}: pip install 'tpp[onnx]'", name=error.name) from error
    from tpp.importing.problem import Problem
    try:
        return compile_to_mlir(path, shapes, constants)
    except Problem as problem:
        raise CompileError(str(problem)) from problem


def load(path: Path) -> Model:
    """Loads a model that `Model.save` has written. Nothing is compiled; the weights are mapped, so that processes share them.

    A file contains machine code: load only files that you trust.

    Raises:
      OSError: the file cannot be read.
      tpp.CompileError: it is not a saved model, is damaged, or was written by another version of TPP.
      tpp.Error: the code needs instructions that this processor lacks.
      MemoryError: there is no memory for weights that are not packed.
    """
    path = os.fspath(path)
    os.stat(path)
    return Model(_native.load(path))
