"""Weights as resources straight from PyTorch's memory. torch-mlir's own way makes a Python list of every tensor's elements: a minute and
a gigabyte for ResNet-50."""
import ctypes

import torch
from torch_mlir import ir
from torch_mlir.extras.fx_importer import FxImporterHooks

# The types that weights have; others, and small constants, go torch-mlir's way.
TYPES = {torch.float16: ir.F16Type, torch.bfloat16: ir.BF16Type, torch.float32: ir.F32Type, torch.float64: ir.F64Type}
SMALL = 1024  # bytes


class Literals(FxImporterHooks):

    def __init__(self):
        self.known = {}  # where a tensor lies, its shape and type: its attribute, and the tensor, whose memory the attribute reads

    def resolve_literal(self, gni, literal, info):
        if not isinstance(literal, torch.Tensor) or literal.dtype not in TYPES or not literal.is_contiguous():
            return None
        size = literal.numel() * literal.element_size()
        if size <= SMALL:
            return None
        key = (literal.data_ptr(), tuple(literal.shape), literal.dtype)
        if key not in self.known:
            # Not through numpy(): the importer runs where PyTorch allows no such conversion.
            memory = (ctypes.c_char * size).from_address(literal.data_ptr())
            kind = ir.RankedTensorType.get(tuple(literal.shape), TYPES[literal.dtype].get())
            attribute = ir.DenseResourceElementsAttr.get_from_buffer(memory, f"weight{len(self.known)}", kind, alignment=literal.element_size())
            self.known[key] = (attribute, literal)
        result = gni._cc.tensor_to_vtensor_type(literal)
        return ir.Operation.create("torch.vtensor.literal", results=[result], attributes={"value": self.known[key][0]}).result
