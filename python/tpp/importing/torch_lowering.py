"""Lowers graphs of torch_graph.py to linalg with torch-mlir."""
from __future__ import annotations

import typing

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch_mlir.extras.fx_importer import FxImporter

from tpp.importing import lowering
from tpp.importing.problem import Problem


def to_linalg(module: torch.fx.GraphModule) -> bytes:
    """The text of the module's function @main, in linalg on tensors.

    Raises:
      Problem: torch-mlir cannot lower it. `node` is the number of the node in the graph, if it is known.
    """
    # The innermost frame of each node's place in the model is the node itself.
    for number, node in enumerate(module.graph.nodes):
        node.meta["stack_trace"] = f'{node.meta.get("stack_trace") or ""}\n  File "{lowering.NODE}", line {number}, in graph\n'
    importer = FxImporter(context=lowering.new_context())
    try:
        with torch.no_grad(), unset_fake_temporarily():  # constants are tensors
            importer.import_stateless_graph(module.graph, func_name="main")
    except Exception as error:
        raise Problem(f"torch-mlir cannot read it: {lowering.first_line(error)}") from error
    lowering.lower(importer.module)
    return typing.cast(str, importer.module.operation.get_asm()).encode()
