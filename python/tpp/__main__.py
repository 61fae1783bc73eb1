"""python -m tpp: compiles a model and runs, checks and times it, as tpp-run does for MLIR."""
from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import statistics
import sys
import time
import typing

import numpy

import tpp
from tpp.values import random_array

BAD_INPUT, CHECK_FAILED = 1, 2  # exit statuses
# Relative tolerance of --check for each type; integers must be equal. A lower precision of contractions has one for all floating-point types.
TOLERANCES = {"f64": 1e-10, "f32": 1e-4, "f16": 1e-2, "bf16": 3e-2}
TOLERANCES_OF_PRECISIONS = {"bf16": TOLERANCES["bf16"], "int8": 0.1}

Arrays = list[typing.Any]


class Mistake(Exception):
    """What is wrong with the command line or an input. Its text is the message."""


class Parser(argparse.ArgumentParser):

    def error(self, message: str) -> typing.NoReturn:
        raise Mistake(message + " (see --help)")


def parse(words: list[str]) -> argparse.Namespace:
    parser = Parser(prog="python -m tpp", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="Exit status: 0 good, 1 bad input or unsupported, 2 a check failed.")
    parser.add_argument("model", metavar="MODEL", help="MLIR (text or bytecode), an ONNX file (.onnx), or a saved model (.tpp)")
    parser.add_argument("--input", metavar="SPEC,...", help="one per input: random[:SEED], zeros, ones or FILE.npy (random:0)")
    parser.add_argument("--shape", metavar="AxBxC,...", help="shapes of the inputs of an ONNX file with dynamic sizes")
    parser.add_argument("--constant", metavar="NAME=VALUE", action="append", default=[], help="an input of an ONNX file that is the same in every call: a number or FILE.npy")
    parser.add_argument("--output", metavar="FILE.npy,...", help="write the results")
    parser.add_argument("--check", metavar="reference|FILE.npy,...", help="compare with plain loops on the same inputs, or with files")
    parser.add_argument("--bench", action="store_true", help="time calls: min, median")
    parser.add_argument("--profile", action="store_true", help="time every kernel of a call")
    parser.add_argument("--min-time", metavar="S", type=float, default=1.0, help="time for at least S seconds (1)")
    parser.add_argument("--threads", metavar="N", type=int, help="threads of a call (all available cores)")
    parser.add_argument("--entry", metavar="NAME", default="", help="function of an MLIR file to call")
    parser.add_argument("--precision", metavar="program|bf16|int8", default="program", help="of the operands of contractions (program)")
    parser.add_argument("--winograd", metavar="auto|always|off", default="auto", help="Winograd's algorithm for 3x3 convolutions: auto where it is estimated to be faster (auto)")
    parser.add_argument("--denormals", metavar="keep|zero", default="keep", help="numbers too small for all digits: keep them, or compute with zeros, which is faster (keep)")
    parser.add_argument("--packing", metavar="STRATEGY", default="", help="packing strategy")
    parser.add_argument("--provider", metavar="NAME", default="auto", help="of the kernels: auto, xsmm, native or reference (auto)")
    parser.add_argument("--layout-report", metavar="FILE|-", help="list every relayout and copy of a call with its reason")
    parser.add_argument("--layout-drawing", metavar="FILE.svg", help="draw the operations and the layouts of their values")
    parser.add_argument("--save", metavar="FILE.tpp", help="write the compiled model, for tpp.load")
    parser.add_argument("--json", metavar="FILE|-", help="write the report as one JSON object")
    return parser.parse_args(words)


@contextlib.contextmanager
def step(name: str) -> typing.Iterator[None]:
    """One line of progress on the terminal: the name at once, the time when it is done."""
    live = sys.stderr.isatty()
    if live:
        print(f"{name} ...", end="", file=sys.stderr, flush=True)
    begin = time.perf_counter()
    try:
        yield
    except BaseException:
        if live:
            print(file=sys.stderr)
        raise
    if live:
        print(f"\r{name:<10} {time.perf_counter() - begin:8.2f} s", file=sys.stderr)


def read(path: str) -> typing.Any:
    try:
        return numpy.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise Mistake(f"{path}: not a .npy file: {error}") from error


def read_constant(text: str) -> tuple[str, typing.Any]:
    name, _, value = text.rpartition("=")
    if name and value.endswith(".npy"):
        return name, read(value)
    with contextlib.suppress(ValueError):
        number = int(value) if value.lstrip("+-").isdigit() else float(value)
        if name:
            return name, number
    raise Mistake(f"--constant: '{text}' is not NAME=NUMBER or NAME=FILE.npy")


def make_input(spec: str, value: tpp.Value) -> typing.Any:
    kind, _, seed = spec.partition(":")
    if kind.endswith(".npy"):
        return read(spec)
    if kind in ("zeros", "ones"):
        return getattr(numpy, kind)(value.shape, value.dtype)
    if kind != "random" or not (seed or "0").isdigit():
        raise Mistake(f"--input: '{spec}' is none of random[:SEED], zeros, ones and FILE.npy")
    return random_array(value, int(seed or 0))


def make_inputs(model: tpp.Model, given: str | None) -> Arrays:
    wanted = model.signature.inputs
    specs = given.split(",") if given else ["random:" + str(i) for i in range(len(wanted))]
    if len(specs) != len(wanted):
        raise Mistake(f"--input names {len(specs)} inputs, the model has {len(wanted)}: {model.signature}")
    return [make_input(spec, value) for spec, value in zip(specs, wanted)]


def as_numbers(array: typing.Any, kind: str) -> typing.Any:
    """The array in f64; bf16 comes as its bits."""
    if kind == "bf16":
        array = (array.astype(numpy.uint32) << 16).view(numpy.float32)
    return array.astype(numpy.float64)


def compare(results: Arrays, expected: Arrays, values: tuple[tpp.Value, ...], precision: str) -> list[str]:
    """What differs, one line for each result; the absolute tolerance is the relative one times the largest expected magnitude."""
    found = []
    for i, (result, reference, value) in enumerate(zip(results, expected, values)):
        if reference.shape != result.shape:
            found.append(f"result {i} has shape {result.shape}, expected {reference.shape}")
            continue
        x, y = as_numbers(result, value.type), as_numbers(reference, value.type)
        relative = TOLERANCES.get(value.type, 0.0)
        if relative > 0:
            relative = max(relative, TOLERANCES_OF_PRECISIONS.get(precision, 0.0))
        finite = numpy.isfinite(y)
        largest = numpy.abs(y[finite]).max(initial=0)
        wrong = ~numpy.isclose(x, y, rtol=relative, atol=relative * largest, equal_nan=True)
        if wrong.any():
            at = tuple(int(each) for each in numpy.argwhere(wrong)[0])
            found.append(f"result {i}: {wrong.sum()} of {wrong.size} elements differ, the first at {at}: {x[at]}, expected {y[at]}")
    return found


def call(model: tpp.Model, inputs: Arrays) -> Arrays:
    """The results and, after them, the inputs that the model writes, in copies."""
    inputs = [each.copy() if value.is_written else each for each, value in zip(inputs, model.signature.inputs)]
    results = model(*inputs)
    written = [each for each, value in zip(inputs, model.signature.inputs) if value.is_written]
    return [*(results if isinstance(results, tuple) else [results] if model.signature.results else []), *written]


def write(paths: str, results: Arrays) -> None:
    names = paths.split(",")
    if len(names) != len(results):
        raise Mistake(f"--output names {len(names)} files, the model has {len(results)} results")
    for name, result in zip(names, results):
        numpy.save(name, result)


def write_text(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def time_calls(model: tpp.Model, inputs: Arrays, least: float) -> list[float]:
    outs = [numpy.empty(each.shape, each.dtype) for each in model.signature.results]
    for _ in range(3):
        model(*inputs, out=outs)
    samples: list[float] = []
    end = time.perf_counter() + least
    while not samples or time.perf_counter() < end:
        begin = time.perf_counter()
        model(*inputs, out=outs)
        samples.append(time.perf_counter() - begin)
    return samples


def run(options: argparse.Namespace) -> int:
    shapes = None
    if options.shape:
        try:
            shapes = [tuple(int(extent) for extent in each.split("x")) for each in options.shape.split(",")]
        except ValueError as error:
            raise Mistake(f"--shape: '{options.shape}' is not a list of shapes such as 1x3x224x224,1x128") from error
    settings = {
        "entry": options.entry, "precision": options.precision, "winograd": options.winograd, "denormals": options.denormals, "packing": options.packing, "provider": options.provider, "threads": options.threads,
        "shapes": shapes, "constants": dict(map(read_constant, options.constant)) or None, "drawing": bool(options.layout_drawing)
    }
    is_saved = options.model.endswith(".tpp")
    if is_saved:
        fixed = [name for name in ("entry", "packing", "threads", "shape", "constant") if getattr(options, name)]
        fixed += [name for name, default in (("precision", "program"), ("winograd", "auto"), ("denormals", "keep"), ("provider", "auto")) if getattr(options, name) != default]
        if fixed:
            raise Mistake(f"--{fixed[0]} has no effect on a saved model")
        if options.check == "reference":
            raise Mistake("--check=reference: a saved model has no program to compute the reference from")
    # With --json=-, standard output is for the report.
    say = functools.partial(print, file=sys.stderr if options.json == "-" else sys.stdout)
    with step("compile"):
        model = tpp.load(options.model) if is_saved else tpp.compile(options.model, **settings)
    report = {"model": options.model, "signature": str(model.signature), **model.report}
    values = (*model.signature.results, *(each for each in model.signature.inputs if each.is_written))
    inputs = make_inputs(model, options.input)
    with step("run"):
        results = call(model, inputs)
    say(f"{options.model}: {model.signature}")
    say(f"relayouts of a call: {report['packs']} packs, {report['unpacks']} unpacks, {report['copies']} copies")
    if options.layout_report == "-":
        say(model.layout_report())
    elif options.layout_report:
        write_text(options.layout_report, model.layout_report() + "\n")
    if options.layout_drawing:
        drawing = model.layout_drawing()
        if drawing is None:
            raise Mistake("--layout-drawing: the model has no drawing: it was saved without one, or has no tensors")
        drawing.save(options.layout_drawing)
    if options.save:
        model.save(options.save)
    if options.output:
        write(options.output, results)
    status = 0
    if options.check:
        if options.check == "reference":
            with step("reference"):
                reference = tpp.compile(options.model, **{**settings, "precision": "program", "packing": "", "provider": "auto"}, reference=True)
                expected = call(reference, inputs)
        else:
            expected = [read(path) for path in options.check.split(",")]
            if len(expected) != len(results):
                raise Mistake(f"--check names {len(expected)} files, the model has {len(results)} results")
        wrong = compare(results, expected, values, options.precision)
        report["check"] = "failed" if wrong else "passed"
        say("\n".join(["check: " + each for each in wrong] or ["check: equal within the tolerance"]))
        status = CHECK_FAILED if wrong else 0
    if options.bench:
        with step("bench"):
            samples = time_calls(model, inputs, options.min_time)
        report["seconds_min"], report["seconds_median"], report["calls"] = min(samples), statistics.median(samples), len(samples)
        rate = report["flops"] / report["seconds_min"] * 1e-9
        say(f"time: {report['seconds_min'] * 1e3:.4g} ms min, {report['seconds_median'] * 1e3:.4g} ms median of {len(samples)} calls; "
              f"contractions {rate:.4g} GFLOP/s")
    if options.profile:
        with step("profile"):
            profile = model.profile(*inputs, seconds=options.min_time / 2)
        report["profile"] = profile.report()
        say(f"profile: {profile}")
    if options.json:
        text = json.dumps(report, indent=1) + "\n"
        if options.json == "-":
            sys.stdout.write(text)
        else:
            write_text(options.json, text)
    return status


def main(words: list[str]) -> int:
    try:
        return run(parse(words))
    except (Mistake, tpp.Error, ValueError, TypeError, OSError, MemoryError, ModuleNotFoundError) as error:
        sys.stdout.flush()
        print(f"tpp: error: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("tpp: interrupted", file=sys.stderr)
        sys.stderr.flush()
        os._exit(130)  # the compiler's thread may still be at work


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
