"""Replaces products of groups of rows with a matrix for each group (mixtures of experts), which torch-mlir cannot lower, by loops over the groups."""
from __future__ import annotations

import re
import typing

from torch_mlir import ir
from torch_mlir.passmanager import PassManager

from tpp.importing.operations import walk

# The operations: transformers' for types other than bf16, and PyTorch's.
NAMES = ("torch.transformers.grouped_mm_fallback", "torch.aten._grouped_mm")
# Rows offsets[g - 1] to offsets[g] of the result are those of `a`, times matrix g of `b`; further rows are 0. They are multiplied in blocks of as many
# rows as a block has, of which those that belong to the group are kept.
LOOPS = """
func.func @product(%a: tensor<{rows}x{inner}x{kind}>, %b: tensor<{groups}x{inner}x{columns}x{kind}>, %offsets: tensor<{groups}x{index}>)
    -> tensor<{rows}x{columns}x{kind}> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %block = arith.constant {block} : index
  %last = arith.constant {last} : index
  %groups = arith.constant {groups} : index
  %zero = arith.constant 0.0 : {kind}
  %zero_sum = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{rows}x{columns}x{kind}>
  %zeros = linalg.fill ins(%zero : {kind}) outs(%empty : tensor<{rows}x{columns}x{kind}>) -> tensor<{rows}x{columns}x{kind}>
  %end, %result = scf.for %g = %c0 to %groups step %c1 iter_args(%start = %c0, %out = %zeros) -> (index, tensor<{rows}x{columns}x{kind}>) {{
    %offset = tensor.extract %offsets[%g] : tensor<{groups}x{index}>
    %end = arith.index_cast %offset : {index} to index
    %matrix = tensor.extract_slice %b[%g, 0, 0] [1, {inner}, {columns}] [1, 1, 1] : tensor<{groups}x{inner}x{columns}x{kind}> to tensor<{inner}x{columns}x{kind}>
    %rows = scf.for %i = %start to %end step %block iter_args(%rows = %out) -> (tensor<{rows}x{columns}x{kind}>) {{
      %from = arith.minsi %i, %last : index
      %some = tensor.extract_slice %a[%from, 0] [{block}, {inner}] [1, 1] : tensor<{rows}x{inner}x{kind}> to tensor<{block}x{inner}x{kind}>
      %space = tensor.empty() : tensor<{block}x{columns}xf32>
      %initial = linalg.fill ins(%zero_sum : f32) outs(%space : tensor<{block}x{columns}xf32>) -> tensor<{block}x{columns}xf32>
      %{sums} = linalg.matmul ins(%some, %matrix : tensor<{block}x{inner}x{kind}>, tensor<{inner}x{columns}x{kind}>)
                            outs(%initial : tensor<{block}x{columns}xf32>) -> tensor<{block}x{columns}xf32>
{narrow}
      %next = arith.addi %i, %block : index
      %stop = arith.minsi %next, %end : index
      %written = scf.for %j = %i to %stop step %c1 iter_args(%into = %rows) -> (tensor<{rows}x{columns}x{kind}>) {{
        %place = arith.subi %j, %from : index
        %row = tensor.extract_slice %product[%place, 0] [1, {columns}] [1, 1] : tensor<{block}x{columns}x{kind}> to tensor<1x{columns}x{kind}>
        %more = tensor.insert_slice %row into %into[%j, 0] [1, {columns}] [1, 1] : tensor<1x{columns}x{kind}> into tensor<{rows}x{columns}x{kind}>
        scf.yield %more : tensor<{rows}x{columns}x{kind}>
      }}
      scf.yield %written : tensor<{rows}x{columns}x{kind}>
    }}
    scf.yield %end, %rows : index, tensor<{rows}x{columns}x{kind}>
  }}
  return %result : tensor<{rows}x{columns}x{kind}>
}}
"""
NARROW = """
      %narrow = tensor.empty() : tensor<{block}x{columns}x{kind}>
      %product = linalg.generic {{indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}}
          ins(%sums : tensor<{block}x{columns}xf32>) outs(%narrow : tensor<{block}x{columns}x{kind}>) {{
      ^bb0(%sum: f32, %unused: {kind}):
        %value = arith.truncf %sum : f32 to {kind}
        linalg.yield %value : {kind}
      }} -> tensor<{block}x{columns}x{kind}>"""


def replace_grouped_products(module: typing.Any) -> None:
    found: list[typing.Any] = []

    def each(operation: typing.Any) -> None:
        name = operation.attributes["name"].value if operation.name == "torch.operator" else operation.name
        if name in NAMES and is_supported(operation):
            found.append(operation)

    walk(module, each)
    if not found:
        return
    # A pass of torch-mlir loads its dialect of casts between its tensors and those of MLIR.
    with ir.Location.unknown():
        PassManager.parse("builtin.module(torch-func-backend-type-conversion)").run(ir.Module.create().operation)
    for operation in found:
        replace(operation)


def is_supported(operation: typing.Any) -> bool:
    """Whether it multiplies rows with a matrix for each group, without a bias or another type of the result."""
    a, b, offsets, *others = (str(value.type) for value in operation.operands)
    shapes = [re.fullmatch(r"!torch.vtensor<\[([0-9]+(?:,[0-9]+)*)\],(f32|bf16|f16|si32|si64)>", text) for text in (a, b, offsets)]
    ranks = [match[1].count(",") + 1 for match in shapes if match]
    return ranks == [2, 3, 1] and all(text == "!torch.none" for text in others) and "[0," not in a + b and ",0" not in a + b


def replace(operation: typing.Any) -> None:
    a, b, offsets = (ir.Operation.create("torch_c.to_builtin_tensor", results=[tensor_type(value)], operands=[value], ip=ir.InsertionPoint(operation),
                                         loc=operation.location).result for value in list(operation.operands)[:3])
    (rows, inner), (groups, _, columns), kind = a.type.shape, b.type.shape, str(a.type.element_type)
    block = min(max(rows // max(groups, 1), 4), 32, rows)
    sizes = dict(rows=rows, inner=inner, groups=groups, columns=columns, kind=kind, index=str(offsets.type.element_type), block=block, last=rows - block)
    names = dict(sums="product", narrow="") if kind == "f32" else dict(sums="sums", narrow=NARROW.format(**sizes))
    loops = ir.Module.parse(LOOPS.format(**names, **sizes))
    body = loops.body.operations[0].regions[0].blocks[0]
    for argument, value in zip(body.arguments, (a, b, offsets)):
        argument.replace_all_uses_with(value)
    *steps, end = body.operations
    product = end.operands[0]
    for step in steps:
        step.operation.move_before(operation)
    result = ir.Operation.create("torch_c.from_builtin_tensor", results=[operation.results[0].type], operands=[product], ip=ir.InsertionPoint(operation),
                                 loc=operation.location).result
    operation.results[0].replace_all_uses_with(result)
    operation.erase()


def tensor_type(value: typing.Any) -> typing.Any:
    """tensor<4x8xi32> of a value of type !torch.vtensor<[4,8],si32>."""
    sizes, element = str(value.type).removeprefix("!torch.vtensor<[").removesuffix(">").split("],")
    return ir.Type.parse(f"tensor<{sizes.replace(',', 'x')}x{element.removeprefix('s')}>")
