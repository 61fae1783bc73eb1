"""Runs the sample inputs of PyTorch's operators, which the package torch contains, compares compiled results with eager ones, and writes the table of
docs/torch-operators.md.

    build/import/bin/pip install expecttest     # PyTorch's samples need it
    build/import/bin/python python/test/torch_operators.py [OPERATOR...] [--write]

Needs the package with its extra torch. Each operator and type runs in a process of its own, as many at once as there are CPUs; all take about 15 minutes
on two. Exit status 1 if a result differs, an exception is raised, or a process ends by a signal, in an operator that is not in KNOWN.
"""
import collections
import multiprocessing
import os
import sys
import textwrap
import warnings

import torch
from apart import call_apart
from torch._dynamo.utils import counters
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree

import tpp.importing.torch_lowering
import tpp.torch_backend  # noqa: F401  (here, so that the processes of the operators share them)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCS = os.path.join(ROOT, "docs", "torch-operators.md")
TYPES = (torch.float32, torch.int64)
MOST = 6  # samples of an operator and type
SECONDS = 300  # of an operator and type
RANDOM = set("""cauchy exponential geometric log_normal normal uniform bernoulli multinomial randn randn_like rand_like randint randint_like empty empty_like
new_empty new_empty_strided empty_strided empty_permuted nn.functional.rrelu nn.functional.dropout nn.functional.dropout2d nn.functional.dropout3d
native_dropout_backward nn.functional.alpha_dropout nn.functional.feature_alpha_dropout""".split())
KNOWN = {
    "as_strided.partial_views": "the samples are views of larger tensors, which are copied here",
    "kthvalue": "the index of one of several equal elements",
    "topk": "the index of one of several equal elements",
    "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu": "the shape of its second result, the logarithms of sums",
}
HEAD = """# Operators of PyTorch

Written by `python/test/torch_operators.py --write`, with torch {torch}: the sample inputs that come with PyTorch, at most {most} of each operator and type,
through `torch.compile(backend="tpp")`. Results are compared with those of eager PyTorch. Not counted are operators that draw random numbers or
leave their results undefined, and samples whose graph has nothing to compute (views).

All samples are compiled of:
{compiled}.

In the table, `5 of 6` says that five samples of six are compiled. The graphs of the others run in PyTorch, with a warning that gives the reason (that of the
first is shown).

| operator | f32 | i64 | reason |
|---|---:|---:|---|
"""



def name_of(operator):
    return operator.name + (f".{operator.variant_test_name}" if operator.variant_test_name else "")


OPERATORS = sorted(op_db, key=name_of)


def compare(one, other):
    """As PyTorch's own tests do; the absolute tolerance grows with the largest value, of which sums in another order are a rounding apart."""
    if isinstance(other, torch.Tensor) and other.is_floating_point() and other.dtype == torch.float32:
        finite = other[other.isfinite()].abs()
        largest = finite.max().item() if finite.numel() else 0
        torch.testing.assert_close(one, other, equal_nan=True, rtol=1.3e-6, atol=1e-5 * max(1, largest))
    else:
        torch.testing.assert_close(one, other, equal_nan=True)


def run_sample(operator, sample):
    """The outcome of a sample and why: equal, eager, nothing, wrong or invalid."""
    leaves, structure = _pytree.tree_flatten(((sample.input, *sample.args), sample.kwargs))
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]

    def call(*given):
        rest = iter(given)
        arguments, options = _pytree.tree_unflatten([next(rest) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves], structure)
        return operator(*arguments, **options)

    try:
        expected = call(*[each.clone() for each in tensors])
    except Exception:  # pylint: disable=broad-except
        return "invalid", ""
    torch._dynamo.reset()
    counters.clear()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = torch.compile(call, backend="tpp")(*[each.clone() for each in tensors])
        except Exception as error:  # pylint: disable=broad-except
            return "wrong", f"{type(error).__name__}: {error}"
    if not counters["tpp"]["graphs_compiled"]:
        reasons = [str(each.message) for each in caught if str(each.message).startswith("tpp: ")]
        return ("eager", reasons[0]) if reasons else ("nothing", "")
    try:
        pairs = zip(_pytree.tree_leaves(result), _pytree.tree_leaves(expected), strict=True)
        for one, other in pairs:
            compare(one, other)
    except (AssertionError, ValueError) as error:
        return "wrong", str(error)
    return "equal", ""


def run(operator, dtype):
    """The outcomes of the samples of an operator, a line each."""
    torch.manual_seed(0)
    samples = list(operator.sample_inputs("cpu", dtype))
    with torch.no_grad():
        outcomes = [run_sample(operator, sample) for sample in samples[::max(1, len(samples) // MOST)][:MOST]]
    return "\n".join(f"{outcome}\t{' '.join(why.split())[:300]}" for outcome, why in outcomes)


def run_apart(operator, dtype):
    """The same in another process."""

    def outcomes():
        try:
            return run(operator, dtype)
        except BaseException as error:  # pylint: disable=broad-except
            return f"invalid\t{type(error).__name__}"

    text, ended_by = call_apart(outcomes, SECONDS)
    if ended_by:
        return [("wrong", f"the process ended by signal {ended_by}")]
    return [tuple(line.split("\t", 1)) for line in text.splitlines()]


def brief(why):
    """What a warning says is missing, for a table."""
    return why.split(": ", 2)[-1].split(" at /")[0].replace("|", "\\|").replace("`", "'")[:110]


def write(rows):
    compiled = [name for name, row in rows.items() if not row["reasons"] and any(total for _, total in row["counts"].values())]
    with open(DOCS, "w", encoding="utf-8") as file:
        text = HEAD.format(torch=torch.__version__.split("+")[0], most=MOST, compiled=textwrap.fill(", ".join(f"`{name}`" for name in compiled), 150))
        file.write(text)
        for name, row in rows.items():
            if row["reasons"]:
                cells = [f"{equal} of {total}" if total else "" for equal, total in (row["counts"][dtype] for dtype in TYPES)]
                file.write(f"| {name} | {' | '.join(cells)} | {brief(row['reasons'][0])} |\n")
        file.write("\nResults that differ, or are refused:\n\n" + "".join(f"- `{name}`: {why}\n" for name, why in sorted(KNOWN.items())))


def run_task(task):
    operator, dtype = task
    return name_of(OPERATORS[operator]), dtype, run_apart(OPERATORS[operator], dtype)


def main(words):
    names = [word for word in words if not word.startswith("--")]
    unknown = set(names) - {name_of(each) for each in OPERATORS}
    if unknown:
        sys.exit(f"PyTorch has no samples for {', '.join(sorted(unknown))}")
    tasks = [(i, dtype) for i, each in enumerate(OPERATORS) for dtype in TYPES
             if dtype in each.dtypes and (name_of(each) in names if names else each.name not in RANDOM)]
    rows, failed = {}, 0
    with multiprocessing.get_context("fork").Pool() as pool:
        for number, (name, dtype, outcomes) in enumerate(pool.imap(run_task, tasks), 1):
            row = rows.setdefault(name, {"counts": collections.defaultdict(lambda: (0, 0)), "reasons": []})
            equal = sum(outcome == "equal" for outcome, _ in outcomes)
            eager = [why for outcome, why in outcomes if outcome == "eager"]
            row["counts"][dtype] = (equal, equal + len(eager))
            row["reasons"] += eager
            for outcome, why in outcomes:
                if outcome == "wrong":
                    failed += name not in KNOWN
                    print(f"{name} ({dtype}): {why}" + (f" (known: {KNOWN[name]})" if name in KNOWN else ""), flush=True)
            if number % 100 == 0:
                print(f"{number} of {len(tasks)}", flush=True)
    if "--write" in words:
        write(rows)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
