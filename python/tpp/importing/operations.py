"""Visiting and naming operations of MLIR."""
from __future__ import annotations

import collections.abc
import typing

from torch_mlir import ir

# Predicates of arith.cmpf by number: those that are true for a lesser first operand.
LESS = {4, 5, 11, 12}


def walk(module: typing.Any, visit: collections.abc.Callable[[typing.Any], None]) -> None:

    def each(operation: typing.Any) -> typing.Any:
        visit(operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(each, ir.WalkOrder.PRE_ORDER)
