"""TPP compiles tensor programs for CPUs and runs them close to the peak of the machine.

    import numpy, tpp
    model = tpp.compile("mlp.mlir")
    y = model(numpy.ones((128, 256), numpy.float32))

Models of PyTorch: `torch.compile(module, backend="tpp")`, which `pip install 'tpp[torch]'` enables.
"""
from tpp._native import __version__
from tpp.errors import CompileError, Diagnostic, Error
from tpp.model import Model, compile, load
from tpp.values import Signature, Value

__all__ = ["CompileError", "Diagnostic", "Error", "Model", "Signature", "Value", "__version__", "compile", "load"]
