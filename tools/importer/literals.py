"""Imports weights as resources directly from PyTorch's memory. torch-mlir's default converts each tensor to a Python list of elements,
which takes a minute and a gigabyte for ResNet-50."""
import ctypes

import torch
from torch_mlir import ir
from torch_mlir.extras.fx_importer import FxImporterHooks

# Element types of weights. torch-mlir's default handles other types and small constants.
TYPES = {torch.float16: ir.F16Type, torch.bfloat16: ir.BF16Type, torch.float32: ir.F32Type, torch.float64: ir.F64Type}
SMALL = 1024  # bytes


class Literals(FxImporterHooks):

    def __init__(self):
        self.known = {}  # (address, shape, type) of a tensor: (attribute, tensor); the attribute refers to the tensor's memory

    def resolve_literal(self, gni, literal, info):
        if not isinstance(literal, torch.Tensor) or literal.dtype not in TYPES or not literal.is_contiguous():
            return None
        size = literal.numel() * literal.element_size()
        if size <= SMALL:
            return None
        key = (literal.data_ptr(), tuple(literal.shape), literal.dtype)
        if key not in self.known:
            # numpy() is not used here, because PyTorch forbids the conversion while the importer runs.
            memory = (ctypes.c_char * size).from_address(literal.data_ptr())
            kind = ir.RankedTensorType.get(tuple(literal.shape), TYPES[literal.dtype].get())
            attribute = ir.DenseResourceElementsAttr.get_from_buffer(memory, f"weight{len(self.known)}", kind, alignment=literal.element_size())
            self.known[key] = (attribute, literal)
        result = gni._cc.tensor_to_vtensor_type(literal)
        return ir.Operation.create("torch.vtensor.literal", results=[result], attributes={"value": self.known[key][0]}).result
