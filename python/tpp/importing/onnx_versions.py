"""Converts models of older versions of ONNX's operators, whose forms torch-mlir does not all know.

The package onnx converts them. What it gets wrong is mended here: the results of 120 operators in all their versions from 7 on, before and after
the conversion, were compared in ONNX Runtime."""
from __future__ import annotations

import typing

import onnx
import onnx.version_converter

from tpp.importing.onnx_functions import inline_local, without_data
from tpp.importing.onnx_graph import Nodes, Rewriter, attributes_of, bodies_of, nodes_of, opset_of, rewrite
from tpp.importing.problem import Problem

OPSET = 17


def converted(proto: onnx.ModelProto) -> onnx.ModelProto:
    """The model in version 17, or as it was if its version is not older, the package onnx cannot convert it, or a node needs its version. Raises
    Problem."""
    version = opset_of(proto)
    if version >= OPSET or any(needs_version(node, version, proto.graph) for node in proto.graph.node):
        return proto
    if proto.functions:  # the conversion drops them
        proto = without_data(inline_local, proto)
    if version < 13:
        rewrite(proto, {"Hardmax": flatten_first})
        for node in nodes_of(proto.graph):
            if any(each.op_type == "Hardmax" for body in bodies_of(node) for each in body.node):
                raise Problem(f"'{node.name or node.output[0]}' ({node.op_type}) is not supported: a body contains a Hardmax of version {version}")
    resized = {node.output[0] for node in nodes_of(proto.graph) if node.op_type in ("Resize", "Upsample") and version < 11}
    try:
        proto = without_data(lambda each: onnx.version_converter.convert_version(each, OPSET), proto)
    except Exception:  # most forms of older versions are known, too; `onnx_file.lower` says what the version is if one is not
        return proto
    for node in nodes_of(proto.graph):
        if node.op_type == "Resize" and node.output[0] in resized:
            mode_before = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
            kept = [each for each in node.attribute if each.name not in mode_before]
            del node.attribute[:]
            node.attribute.extend([*kept, *(onnx.helper.make_attribute(*each) for each in mode_before.items())])
    return proto


def needs_version(node: onnx.NodeProto, version: int, graph: onnx.GraphProto) -> bool:
    """Whether a node means something that version 17 cannot say: a mask of Dropout that is no boolean, or a Resize to fewer of the nearest pixels (perhaps,
    if its scales are computed), of which version 10 does not say which are taken (`pixels.resize` refuses it)."""
    if node.op_type == "Dropout":
        return version < 10 and len(node.output) > 1 and node.output[1] != ""
    if node.op_type != "Resize" or version != 10 or attributes_of(node).get("mode", b"nearest") != b"nearest":
        return False
    constants = {each.name: each for each in graph.initializer}
    constants.update({each.output[0]: attributes_of(each).get("value") for each in graph.node if each.op_type == "Constant"})
    scales = constants.get(node.input[1])
    return scales is None or onnx.numpy_helper.to_array(scales).min(initial=1) < 1


def flatten_first(rewriter: Rewriter, node: onnx.NodeProto, types: dict[str, typing.Any]) -> bool:
    """Hardmax was that of a matrix: dimensions from `axis` on were one."""
    nodes = Nodes(rewriter, node.output[0], None)
    shape = nodes.add("Shape", node.input[0])
    matrix = nodes.add("Flatten", node.input[0], axis=attributes_of(node).get("axis", 1))
    return nodes.finish(nodes.add("Reshape", nodes.add("Hardmax", matrix, axis=1), shape))
