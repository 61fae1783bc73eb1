"""Lowers torch-mlir's dialect to linalg on tensors. Errors name the operation and its location in the model."""
import linecache
import re

import numpy
import torch
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.passmanager import PassManager

from importer.problem import Problem

# Dialects that tpp-run reads. torch-mlir leaves some operations in other dialects, for instance tm_tensor.
DIALECTS = {"builtin", "func", "arith", "math", "tensor", "linalg", "scf", "cf", "affine", "complex"}
SMALL = 1024  # bytes; larger constants become resources, whose elements MLIR does not hash
ONNX_PIPELINE = "builtin.module(func.func(convert-torch-onnx-to-torch))"
PIPELINES = ("builtin.module(func.func(torch-match-quantized-custom-ops),torchdynamo-export-to-torch-backend-pipeline{extra-library=})",
             "builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline)")
PLACE = re.compile(r'"([^"]+)":(\d+):\d+')
FRAME = re.compile(r'File "([^"]+)", line (\d+),')
# Patterns for the operation's name in a message, the most specific first: an unknown operation is a torch.operator that contains its name.
OPERATION = (re.compile(r'name = "(?:torch\.)?([\w.]+)"'), re.compile(r"'([\w.]+)' op"), re.compile(r"operation '([\w.]+)'"))


def new_context():
    context = ir.Context()
    torch_dialect.register_dialect(context)
    # With several threads, the messages of passes that fail at the same time would be mixed.
    context.enable_multithreading(False)
    return context


def walk(module, visit):
    def each(operation):
        visit(operation)
        return ir.WalkResult.ADVANCE
    module.operation.walk(each, ir.WalkOrder.PRE_ORDER)


def count(module):
    found = []
    walk(module, lambda operation: found.append(operation.name))
    return len(found)


def source_line(path, line):
    text = linecache.getline(path, int(line)).strip()
    return f"{path}:{line}" + (f": {text}" if text else "")


def describe_place(location):
    """Describes a location: the source lines that led to it, the model's own first, or the name of the ONNX node."""
    text = str(location)
    places = PLACE.findall(text)
    if places:
        own = [place for place in places if "/site-packages/" not in place[0] and not place[0].endswith("/importer/sources.py")]
        chosen = (own or places)[:1] + [place for place in places[:1] if own and place != own[0]]
        return "\n  at " + "\n  in ".join(source_line(*place) for place in chosen)
    named = re.search(r'loc\("([^"]+)"', text)
    return f"\n  at the ONNX node '{named.group(1)}'" if named else ""


def translate(error):
    """Converts an exception of MLIR's pass manager to a Problem."""
    diagnostics = getattr(error, "error_diagnostics", None)
    if not diagnostics:
        return Problem(f"torch-mlir cannot lower the model: {error}")
    first = diagnostics[0]
    found = next(filter(None, (pattern.search(first.message) for pattern in OPERATION)), None)
    what = f"the operation {found.group(1)}" if found else "the model"
    return Problem(f"torch-mlir cannot lower {what}{describe_place(first.location)}\n  it says: {first.message.splitlines()[0][:300]}")


def lower(module, from_onnx):
    """Lowers the module in place to linalg on tensors. Raises Problem if torch-mlir cannot lower an operation."""
    with module.context:
        for pipeline in (ONNX_PIPELINE, *PIPELINES) if from_onnx else PIPELINES:
            try:
                PassManager.parse(pipeline).run(module.operation)
            except ir.MLIRError as error:
                raise translate(error) from error
        check(module)
        make_resources(module)


def check(module):
    strange = []
    walk(module, lambda operation: strange.append(operation) if operation.name.split(".")[0] not in DIALECTS else None)
    if strange:
        raise Problem(f"torch-mlir lowers a part of the model to {strange[0].name}, which tpp-run does not read" +
                      describe_place(strange[0].location))


def make_resources(module):
    """Converts large dense constants to resources. torch-mlir imports ONNX weights as dense attributes; every MLIR tool would hash them and
    keep them in memory until it ends."""
    constants = []
    walk(module, lambda operation: constants.append(operation) if operation.name == "arith.constant" else None)
    for number, operation in enumerate(constants):
        value = operation.attributes["value"]
        if not isinstance(value, ir.DenseElementsAttr) or value.is_splat:
            continue
        try:
            array = numpy.array(value)
        except (TypeError, ValueError):
            continue  # Python buffers do not support this element type: the constant stays dense
        if array.dtype == numpy.bool_:
            widen_booleans(operation, array)
        elif array.nbytes > SMALL:
            operation.attributes["value"] = ir.DenseResourceElementsAttr.get_from_buffer(memoryview(array), f"weight{number}", value.type)


def widen_booleans(constant, array):
    """Replaces a constant of booleans by bytes that are truncated. Written as hexadecimal digits, a boolean of torch-mlir's MLIR is a byte and
    one of MLIR 22 a bit."""
    with constant.location, ir.InsertionPoint(constant):
        kind = ir.RankedTensorType.get(array.shape, ir.IntegerType.get_signless(8))
        value = ir.DenseElementsAttr.get(array.astype(numpy.int8), type=kind)
        widened = ir.Operation.create("arith.constant", [kind], attributes={"value": value})
        truncated = ir.Operation.create("arith.trunci", [constant.results[0].type], [widened.result])
    constant.results[0].replace_all_uses_with(truncated.result)
    constant.operation.erase()


def to_array(tensor):
    """Returns the tensor as a numpy array. bf16, which numpy lacks, becomes its bits as uint16, as in tpp-run's files."""
    tensor = tensor.detach().cpu().contiguous()
    return (tensor.view(torch.uint16) if tensor.dtype == torch.bfloat16 else tensor).numpy()


def save(file, array):
    numpy.save(file, numpy.ascontiguousarray(array).reshape(array.shape))


def read_array(path):
    try:
        return numpy.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise Problem(f"{path}: not a .npy file: {error}") from error
