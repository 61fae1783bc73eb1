"""TPP compiles tensor programs for CPUs and runs them close to the peak of the machine.

    import numpy, tpp
    model = tpp.compile("mlp.mlir")
    y = model(numpy.ones((128, 256), numpy.float32))

Models of PyTorch: `torch.compile(module, backend="tpp")`, which `pip install 'tpp[torch]'` enables.
"""
import importlib
import typing

if typing.TYPE_CHECKING:
    from tpp._native import __version__
    from tpp.errors import CompileError, Diagnostic, Error
    from tpp.model import Model, compile, load
    from tpp.pictures import Drawing, KernelTime, Profile
    from tpp.torch_backend import graphs, repack
    from tpp.values import Signature, Value

__all__ = [
    "CompileError", "Diagnostic", "Drawing", "Error", "KernelTime", "Model", "Profile", "Signature", "Value", "__version__", "compile", "graphs", "load",
    "repack"
]

# The compiler is loaded when it is first used, so that tools/import can use tpp.importing where the package is not built.
_MODULES = {"__version__": "_native", "CompileError": "errors", "Diagnostic": "errors", "Error": "errors", "Signature": "values", "Value": "values",
            "Drawing": "pictures", "KernelTime": "pictures", "Profile": "pictures", "graphs": "torch_backend", "repack": "torch_backend"}


def __getattr__(name: str) -> typing.Any:
    if name not in __all__:
        raise AttributeError(f"module 'tpp' has no attribute {name!r}")
    value = getattr(importlib.import_module("tpp." + _MODULES.get(name, "model")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
