"""Makes constants of programs resources, and converts tensors to arrays."""
import numpy
import torch
from tpp.importing.lowering import ir, walk
from tpp.importing.problem import Problem

SMALL = 1024  # bytes; larger constants become resources, whose elements MLIR does not hash


def count(module):
    found = []
    walk(module, lambda operation: found.append(operation.name))
    return len(found)


def make_resources(module):
    """Converts large dense constants to resources. torch-mlir imports ONNX weights as dense attributes; every MLIR tool would hash them and
    keep them in memory until it ends."""
    constants = []
    walk(module, lambda operation: constants.append(operation) if operation.name == "arith.constant" else None)
    with module.context:
        for number, operation in enumerate(constants):
            value = operation.attributes["value"]
            if not isinstance(value, ir.DenseElementsAttr) or value.is_splat:
                continue
            try:
                array = numpy.array(value)
            except (TypeError, ValueError):
                continue  # Python buffers do not support this element type: the constant stays dense
            if array.nbytes > SMALL:
                operation.attributes["value"] = ir.DenseResourceElementsAttr.get_from_buffer(memoryview(array), f"weight{number}", value.type)


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
