"""Runs the test cases of ONNX's operators, which the package onnx contains, compares results with its expected ones, and writes the table of
docs/onnx-operators.md.

    build/import/bin/python python/test/onnx_operators.py [CASE...] [--write]

Needs the package with its extra onnx. Each case runs in a process of its own; all take about ten minutes. Exit status 1 if a result differs, or a process
ends by a signal, in a case that is not in KNOWN.
"""
import collections
import os
import sys
import tempfile
import warnings

import numpy
import onnx
import torch_mlir.ir  # noqa: F401  (here, so that the processes of the cases share it)
from apart import call_apart
from onnx.backend.test.case.node import collect_testcases

import tpp
import tpp.importing.onnx_file  # noqa: F401

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCS = os.path.join(ROOT, "docs", "onnx-operators.md")
SECONDS = 60  # of a case
KNOWN = {
    "test_resize_downsample_scales_cubic_align_corners": "as ONNX Runtime, which counts in whole pixels",
    "test_resize_downsample_scales_linear_align_corners": "as ONNX Runtime, which counts in whole pixels",
    "test_l2normalization_axis_0": "NaN where a whole vector is zero",
    "test_nonmaxsuppression_suppress_by_IOU_and_scores": "an error in the call: torch-mlir has no threshold of scores",
    "test_reshape_allowzero_reordered": "torch-mlir ends by a signal",
}
HEAD = """# Operators of ONNX

Written by `python/test/onnx_operators.py --write`, with onnx {onnx}: the test cases that come with ONNX, for operators of its own domain. Not counted are
cases of strings, sequences and optional values, and those that spell out an operator's definition (`_expanded`). Shapes must be static; types are those
of the case. Where sizes, axes and the like are inputs of a case, they may also be constants.

- **equal**: cases whose results are as expected.
- **not supported**: cases that are refused with an error, and the reason of the first.

| operator | equal | not supported | reason |
|---|---:|---:|---|
"""


def compare(result, expected, case):
    """What is wrong with a result; empty if nothing is."""
    result = numpy.asarray(result)
    if expected.dtype.name == "bfloat16" and result.dtype == numpy.uint16:  # NumPy has no bf16: the bits
        result = result.view(expected.dtype)
    if (result.shape, result.dtype) != (expected.shape, expected.dtype):
        return f"{result.dtype}{list(result.shape)} instead of {expected.dtype}{list(expected.shape)}"
    if expected.dtype != bool:
        result, expected = result.astype(float), expected.astype(float)
    small = max(getattr(case, "rtol", 1e-3) * 10, 2.**-6 if case.model.graph.output[0].type.tensor_type.elem_type == onnx.TensorProto.BFLOAT16 else 0)
    if numpy.allclose(result, expected, rtol=small, atol=max(case.atol, 1e-5), equal_nan=True):
        return ""
    return f"differs by {numpy.nanmax(abs(result.astype(float) - expected.astype(float)))}"


def with_constants(case):
    """The model with operands of at most one dimension, such as sizes and axes, as constants; the numbers of the inputs that remain."""
    model, (given, _) = onnx.ModelProto.FromString(case.model.SerializeToString()), case.data_sets[0]
    inputs = list(model.graph.input)
    kept = [i for i, array in enumerate(given) if i == 0 or array.ndim > 1]
    model.graph.initializer.extend(onnx.numpy_helper.from_array(array, each.name)
                                   for i, (each, array) in enumerate(zip(inputs, given)) if i not in kept)
    del model.graph.input[:]
    model.graph.input.extend(inputs[i] for i in kept)
    return model, kept


def run(case):
    """The outcome of a case and why: equal, refused, wrong or skipped."""
    given, expected = case.data_sets[0]
    if any(not isinstance(each, numpy.ndarray) or each.dtype == object or each.dtype.kind in "UT" for each in (*given, *expected)):
        return "skipped", "no tensors of numbers"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.onnx")
        for model, kept in ((case.model, range(len(given))), with_constants(case)):
            onnx.save(model, path)
            try:
                compiled = tpp.compile(path, threads=1, drawing=False)
                break
            except tpp.Error as error:
                refused = str(error)
        else:
            return "refused", refused
        results = compiled(*(given[i] for i in kept))
        results = results if isinstance(results, (tuple, list)) else (results, )
        if len(results) != len(expected):
            return "wrong", f"{len(results)} results instead of {len(expected)}"
        for pair in zip(results, expected):
            reason = compare(*pair, case)
            if reason:
                return "wrong", reason
    return "equal", ""


def run_apart(case):
    """The same in another process."""

    def outcome():
        try:
            return "\n".join(run(case))
        except BaseException as error:  # pylint: disable=broad-except
            return f"wrong\n{type(error).__name__}: {error}"

    text, ended_by = call_apart(outcome, SECONDS)
    if ended_by:
        return "wrong", f"the process ended by signal {ended_by}"
    return tuple(text.split("\n", 1))


def brief(why):
    """The part of an error that says what is missing, in one line for a table."""
    lines = [line.strip() for line in why.splitlines() if line.strip()]
    return lines[0].split(": ", 1)[-1].replace("|", "\\|").replace("`", "'")[:120] if lines else ""


def main(words):
    names = [word for word in words if not word.startswith("--")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        every = collect_testcases(None)
    cases = [case for case in every if not case.name.endswith("_expanded") and (not names or case.name in names)]
    cases = [case for case in cases if all(not node.domain or node.domain == "ai.onnx" for node in case.model.graph.node)]
    rows, failed = collections.defaultdict(lambda: {"equal": 0, "refused": []}), 0
    for number, case in enumerate(sorted(cases, key=lambda each: each.name), 1):
        outcome, why = run_apart(case)
        operator = case.model.graph.node[-1].op_type
        if outcome == "equal":
            rows[operator]["equal"] += 1
        elif outcome == "refused":
            rows[operator]["refused"].append(brief(why))
        elif outcome == "wrong":
            failed += case.name not in KNOWN
            print(f"{case.name}: {why}" + (f" (known: {KNOWN[case.name]})" if case.name in KNOWN else ""), flush=True)
        if number % 100 == 0:
            print(f"{number} of {len(cases)} cases", flush=True)
    if "--write" in words:
        with open(DOCS, "w", encoding="utf-8") as file:
            file.write(HEAD.format(onnx=onnx.__version__))
            for operator, row in sorted(rows.items()):
                file.write(f"| {operator} | {row['equal']} | {len(row['refused'])} | {row['refused'][0] if row['refused'] else ''} |\n")
            if KNOWN:
                file.write("\nKnown differences:\n\n")
                file.writelines(f"- `{name}`: {why}.\n" for name, why in sorted(KNOWN.items()))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
