"""Converts models of older versions of ONNX's operators, whose forms torch-mlir does not all know.

The package onnx converts them. What it gets wrong is mended here: the results of 120 operators in all their versions from 7 on, before and after
the conversion, were compared in ONNX Runtime."""
from __future__ import annotations

import typing

import onnx
import onnx.version_converter

from tpp.importing.onnx_functions import without_data
from tpp.importing.onnx_graph import Nodes, Rewriter, attributes_of, opset_of, rewrite

OPSET = 17


def converted(proto: onnx.ModelProto) -> onnx.ModelProto:
    """The model in version 17, or as it was if its version is not older, or the package onnx cannot convert it."""
    version = opset_of(proto)
    if version >= OPSET:
        return proto
    if version < 13:
        rewrite(proto, {"Hardmax": flatten_first})
    resized = {node.output[0] for node in proto.graph.node if node.op_type in ("Resize", "Upsample") and version < 11}
    try:
        proto = without_data(lambda each: onnx.version_converter.convert_version(each, OPSET), proto)
    except Exception:  # most forms of older versions are known, too; `onnx_file.lower` says what the version is if one is not
        return proto
    for node in proto.graph.node:
        if node.op_type == "Resize" and node.output[0] in resized:
            mode_before = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
            kept = [each for each in node.attribute if each.name not in mode_before]
            del node.attribute[:]
            node.attribute.extend([*kept, *(onnx.helper.make_attribute(*each) for each in mode_before.items())])
    return proto


def flatten_first(rewriter: Rewriter, node: onnx.NodeProto, types: dict[str, typing.Any]) -> bool:
    """Hardmax was that of a matrix: dimensions from `axis` on were one."""
    nodes = Nodes(rewriter, node.output[0], None)
    shape = nodes.add("Shape", node.input[0])
    matrix = nodes.add("Flatten", node.input[0], axis=attributes_of(node).get("axis", 1))
    rewriter.nodes.append(onnx.helper.make_node("Hardmax", [matrix], [rewriter.fresh(f"{node.output[0]}_rows")], axis=1))
    return nodes.finish(nodes.add("Reshape", rewriter.nodes[-1].output[0], shape))
