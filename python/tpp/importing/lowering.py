"""Lowers torch-mlir's dialect to linalg on tensors. Errors name the operation and its place in the model."""
from __future__ import annotations

import io
import math
import re
import typing

import numpy
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.passmanager import PassManager

from tpp.importing import isolated
from tpp.importing.grouped import replace_grouped_products
from tpp.importing.loops import replace_by_loops
from tpp.importing.operations import LESS, walk
from tpp.importing.places import NODE, PLACE, describe_place
from tpp.importing.problem import Problem

# Dialects that TPP reads. torch-mlir leaves some operations in other dialects, for instance tm_tensor.
DIALECTS = {"builtin", "func", "arith", "math", "tensor", "linalg", "scf", "cf", "affine", "complex"}
ONNX_PIPELINE = "builtin.module(func.func(convert-torch-onnx-to-torch))"
PIPELINES = ("builtin.module(func.func(torch-match-quantized-custom-ops),torchdynamo-export-to-torch-backend-pipeline{extra-library=})",
             "builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline)")
# Patterns for the operation's name in a message, the most specific first: an unknown operation is a torch.operator that contains its name.
OPERATION = (re.compile(r'name = "(?:torch\.)?([\w.]+)"'), re.compile(r"'([\w.]+)' op"), re.compile(r"operation '([\w.]+)'"))

def not_lowered(what: str, place: str, brief: str, said: str = "") -> Problem:
    """torch-mlir cannot lower a model. `brief` says it of the operation at `place`."""
    node = next((int(line) for path, line in PLACE.findall(place) if path == NODE), None)
    return Problem(what + describe_place(place) + (f"\n  it says: {said}" if said else ""), what if node is None else brief, node)


def new_context() -> ir.Context:
    context = ir.Context()
    torch_dialect.register_dialect(context)
    # With several threads, the messages of passes that fail at the same time would be mixed.
    context.enable_multithreading(False)
    return context


def lower(module: typing.Any, from_onnx: bool = False) -> None:
    """Lowers the module in place. Raises Problem. torch-mlir runs in a copy of the process, which some models end."""

    def lowered() -> bytes:
        lower_here(module, from_onnx)
        result = io.BytesIO()
        module.operation.write_bytecode(result)
        return result.getvalue()

    try:
        result = isolated.call(lowered)
    except isolated.Crash as crash:
        raise Problem(f"torch-mlir fails with this model: its process {crash}", f"torch-mlir fails: its process {crash}") from crash
    with module.context:
        new = ir.Module.parse(result).body
        body = module.operation.regions[0].blocks[0]
        for operation in list(body.operations):
            operation.operation.erase()
        for operation in list(new.operations):
            operation.operation.detach_from_parent()
            body.append(operation)


def lower_here(module: typing.Any, from_onnx: bool) -> None:
    with module.context:
        replace_grouped_products(module)
        for pipeline in (ONNX_PIPELINE, *PIPELINES) if from_onnx else PIPELINES:
            try:
                PassManager.parse(pipeline).run(module.operation)
            except ir.MLIRError as error:
                raise translate(error, module) from error
        replace_by_loops(module)
    strange: list[typing.Any] = []
    walk(module, lambda operation: strange.append(operation) if operation.name.split(".")[0] not in DIALECTS else None)
    if strange:
        name = strange[0].name
        raise not_lowered(f"torch-mlir lowers a part of the model to {name}, which TPP does not read", str(strange[0].location),
                          f"torch-mlir lowers it to {name}, which TPP does not read")
    with module.context:
        divide_by_zero(module)
        widen_booleans(module)
        keep_nans(module)
        find_nans(module)
        correct_gelus(module)


def mark_unsigned(module: typing.Any, arguments: list[bool], results: list[bool]) -> None:
    """Marks the arguments and results of the only function whose integers are unsigned. Those after the last one of each list are not marked."""
    function = module.regions[0].blocks[0].operations[0]
    with module.context as context:
        context.allow_unregistered_dialects = True  # torch-mlir does not know the dialect of the mark
        for name, marks, count in (("arg_attrs", arguments, len(function.type.inputs)), ("res_attrs", results, len(function.type.results))):
            if any(marks):
                assert name not in function.attributes
                marks += [False] * (count - len(marks))
                function.attributes[name] = ir.ArrayAttr.get([ir.DictAttr.get({"tpp.unsigned": ir.UnitAttr.get()} if each else {}) for each in marks])


def divide_by_zero(module: typing.Any) -> None:
    """Removes the assertion that an operand of reciprocal is not 0: its result is an infinity, as PyTorch's is."""
    found: list[typing.Any] = []
    walk(module, lambda operation: found.append(operation) if operation.name == "cf.assert" else None)
    for assertion in found:
        if assertion.attributes["msg"].value == "unimplemented: tensor with zero element":
            assertion.erase()


def widen_booleans(module: typing.Any) -> None:
    """Replaces constants of booleans by bytes that are truncated. Written as hexadecimal digits, a boolean of torch-mlir's MLIR is a byte and one of
    MLIR 22 a bit."""
    constants: list[typing.Any] = []
    walk(module, lambda operation: constants.append(operation) if operation.name == "arith.constant" else None)
    for constant in constants:
        value = constant.attributes["value"]
        if not isinstance(value, ir.DenseElementsAttr) or value.is_splat or value.type.element_type != ir.IntegerType.get_signless(1):
            continue
        array = numpy.array(value)
        with constant.location, ir.InsertionPoint(constant):
            kind = ir.RankedTensorType.get(array.shape, ir.IntegerType.get_signless(8))
            widened = ir.Operation.create("arith.constant", [kind], attributes={"value": ir.DenseElementsAttr.get(array.astype(numpy.int8), type=kind)})
            truncated = ir.Operation.create("arith.trunci", [constant.results[0].type], [widened.result])
        constant.results[0].replace_all_uses_with(truncated.result)
        constant.operation.erase()


# Further predicates of arith.cmpf by number: those that are false for a NaN, and 7 more, those that are true.
GREATER, UNORDERED = {2, 3, 9, 10}, {9, 10, 11, 12}


def selections_by_comparison(module: typing.Any) -> list[tuple[typing.Any, typing.Any]]:
    """Each arith.select whose condition is the result of an arith.cmpf, and that comparison."""
    selections: list[typing.Any] = []
    walk(module, lambda operation: selections.append(operation) if operation.name == "arith.select" else None)
    pairs = [(selection, selection.operands[0].owner) for selection in selections]
    return [(selection, owner) for selection, owner in pairs if not isinstance(owner, ir.Block) and owner.name == "arith.cmpf"]


def keep_nans(module: typing.Any) -> None:
    """Changes comparisons with selections of what they compare so that a NaN is the result, as for PyTorch's and ONNX's maximum, minimum and clamp;
    torch-mlir's comparisons let the other operand win."""
    for selection, comparison in selections_by_comparison(module):
        condition, chosen, other = selection.operands
        if len(list(condition.uses)) != 1:
            continue
        predicate = comparison.attributes["predicate"].value
        if predicate not in LESS | GREATER or {chosen, other} != set(comparison.operands) or chosen == other:
            continue
        is_unordered = predicate in UNORDERED
        lost, kept = (other, chosen) if is_unordered else (chosen, other)  # if `lost` is NaN, `kept` is the result
        if is_constant(lost):
            continue
        if is_constant(kept):
            attribute = comparison.attributes["predicate"]
            comparison.attributes["predicate"] = ir.IntegerAttr.get(attribute.type, predicate + (-7 if is_unordered else 7))
            continue
        smallest = (predicate in LESS) == (chosen == comparison.operands[0])
        with selection.location, ir.InsertionPoint(selection):
            made = ir.Operation.create("arith.minimumf" if smallest else "arith.maximumf", [chosen.type], [chosen, other])
        selection.results[0].replace_all_uses_with(made.result)
        selection.erase()
        comparison.erase()


def find_nans(module: typing.Any) -> None:
    """Makes argmax, argmin and the index of a maximum or minimum that of the first NaN, as PyTorch's and ONNX's are: torch-mlir's comparison
    with the best value so far is false for NaN."""
    extremes = ("arith.maximumf", "arith.minimumf")
    for selection, comparison in selections_by_comparison(module):
        value, best = comparison.operands
        if not any(use.owner.name in extremes and list(use.owner.operands) == [value, best] for use in best.uses):
            continue
        attribute = comparison.attributes["predicate"]
        if attribute.value not in (LESS | GREATER) - UNORDERED:
            continue
        comparison.attributes["predicate"] = ir.IntegerAttr.get(attribute.type, attribute.value + 7)
        with selection.location, ir.InsertionPoint(selection):
            ordered = ir.Operation.create("arith.cmpf", [comparison.results[0].type], [best, best], {"predicate": ir.IntegerAttr.get(attribute.type, 7)})
            both = ir.Operation.create("arith.andi", [comparison.results[0].type], [comparison.results[0], ordered.result])
        selection.operation.operands[0] = both.result


def correct_gelus(module: typing.Any) -> None:
    """Replaces the factor 0.797724 in the argument of a tanh by sqrt(2 / pi) = 0.797885: torch-mlir writes gelu with the less exact one, and its results are
    off by up to 5e-5."""
    inexact, exact = 0.797724, math.sqrt(2 / math.pi)
    found: list[typing.Any] = []

    def each(operation: typing.Any) -> None:
        product = operation.operands[0].owner if operation.name == "math.tanh" else None
        if product is None or isinstance(product, ir.Block) or product.name != "arith.mulf":
            return
        for position, factor in enumerate(product.operands):
            if is_constant(factor) and isinstance(factor.owner.attributes["value"], ir.FloatAttr):
                if abs(factor.owner.attributes["value"].value - inexact) < 1e-6:
                    found.append((product, position))

    walk(module, each)
    for product, position in found:
        kind = product.operands[position].type
        with product.location, ir.InsertionPoint(product):
            product.operands[position] = ir.Operation.create("arith.constant", [kind], attributes={"value": ir.FloatAttr.get(kind, exact)}).result


def is_constant(value: typing.Any) -> bool:
    return not isinstance(value.owner, ir.Block) and value.owner.name == "arith.constant"


def translate(error: ir.MLIRError, module: typing.Any) -> Problem:
    """The error of a pass manager as one that names operation and place."""
    diagnostics = getattr(error, "error_diagnostics", None)
    if not diagnostics:
        return not_lowered(f"torch-mlir cannot lower the model: {error}", "", "")
    first = diagnostics[0]
    found = next(filter(None, (pattern.search(first.message) for pattern in OPERATION)), None)
    name, place = found.group(1) if found else "", str(first.location)
    if name.startswith("torch.constant."):
        # A constant without a place, of an operation that is not lowered either.
        left: list[typing.Any] = []
        walk(module, lambda operation: left.append(operation) if operation.name.startswith("torch.aten.") else None)
        if left:
            name, place = left[0].name, str(left[0].location)
    what = f"the operation {name}" if name else "the model"
    return not_lowered(f"torch-mlir cannot lower {what}", place, "torch-mlir cannot lower it", first.message.splitlines()[0][:300])


def first_line(error: BaseException) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
