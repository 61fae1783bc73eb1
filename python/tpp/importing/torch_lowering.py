"""Lowers graphs of torch_graph.py to linalg with torch-mlir."""
from __future__ import annotations

import typing

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch_mlir import ir
from torch_mlir.extras.fx_importer import FxImporter

from tpp.importing import lowering
from tpp.importing.problem import Problem


def to_linalg(module: torch.fx.GraphModule, weights: list[int]) -> bytes:
    """The text of the module's function @main, in linalg on tensors. The arguments `weights` have the attribute tpp.prepack.

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
    mark_weights(importer.module, set(weights))
    return typing.cast(str, importer.module.operation.get_asm()).encode()


def mark_weights(module: typing.Any, weights: set[int]) -> None:
    with module.context as context:
        context.allow_unregistered_dialects = True  # tpp
        function = next(operation for operation in module.body.operations if operation.attributes["sym_name"].value == "main")
        attributes = [{"tpp.prepack": ir.UnitAttr.get()} if number in weights else {} for number in range(len(function.regions[0].blocks[0].arguments))]
        function.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(each) for each in attributes])
