"""Reads and rewrites graphs of ONNX: what the modules that rewrite operators share."""
from __future__ import annotations

import typing

import numpy
from onnx import TensorProto, helper, numpy_helper


def opset_of(proto):
    """The version of ONNX's own operators."""
    return next((each.version for each in proto.opset_import if each.domain in ("", "ai.onnx")), 0)


def attributes_of(node):
    """The attributes of a node by their names."""
    return {each.name: helper.get_attribute_value(each) for each in node.attribute}


def types_of(graph):
    """The types of tensors by the names of values, as far as they have been inferred."""
    types = {each.name: each.type.tensor_type for each in (*graph.input, *graph.value_info, *graph.output)}
    types.update({each.name: helper.make_tensor_type_proto(each.data_type, each.dims).tensor_type for each in graph.initializer})
    return types


def element(types, name):
    """The type of the elements of a value (of TensorProto), by the types of all values; UNDEFINED if it has none."""
    return types[name].elem_type if name in types else TensorProto.UNDEFINED


def bodies_of(node):
    """The bodies of a node, such as the branches of If."""
    return [body for attribute in node.attribute for body in ([attribute.g] if attribute.HasField("g") else []) + list(attribute.graphs)]


def nodes_of(graph):
    """All nodes, also of bodies."""
    for node in graph.node:
        yield node
        for body in bodies_of(node):
            yield from nodes_of(body)


def names_in(nodes):
    """The names of all values that nodes read or compute, also in their bodies."""
    for node in nodes:
        yield from node.input
        yield from node.output
        for body in bodies_of(node):
            yield from names_in(body.node)
            yield from (each.name for each in (*body.input, *body.initializer, *body.output))


def shape_of(kind: typing.Any) -> list[int] | None:
    """The extents of a type, or None if they are not all known."""
    extents = None if kind is None or not kind.HasField("shape") else [extent_of(dim) for dim in kind.shape.dim]
    return None if extents is None or None in extents else extents


def extent_of(dim):
    """The extent of a dimension, or None if it is not known. Some exporters write -1 for that."""
    return dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else None


def fresh(name: str, names: set[str]) -> str:
    """A name that is not among `names`, to which it is added."""
    count, candidate = 0, name
    while candidate in names:
        count += 1
        candidate = f"{name}_{count}"
    names.add(candidate)
    return candidate


class Rewriter:
    """The graph with its constants, and the nodes that replace the old ones."""

    def __init__(self, graph, opset):
        self.graph, self.opset, self.nodes = graph, opset, []
        self.constants = {each.name: each for each in graph.initializer}
        self.names = {*self.constants, *names_in(graph.node), *(each.name for each in (*graph.input, *graph.output, *graph.value_info))}

    def commit(self):
        """Replaces the graph's nodes."""
        del self.graph.node[:]
        self.graph.node.extend(self.nodes)

    def fresh(self, name):
        """A name that the graph does not have yet."""
        return fresh(name, self.names)

    def array(self, name):
        """The value of a constant, or None."""
        return numpy_helper.to_array(self.constants[name]) if name in self.constants else None

    def constant(self, name, value):
        """Adds a constant and returns its name."""
        name = self.fresh(name)
        self.constants[name] = numpy_helper.from_array(value, name)
        self.graph.initializer.append(self.constants[name])
        return name

    def node(self, operator, inputs, output, **attributes):
        self.nodes.append(helper.make_node(operator, inputs, [output], name=f"{output}_{operator}", **attributes))
        return output


class Nodes:
    """Adds nodes for the value `name`. Operands are names of values, or numbers of the type `dtype`."""

    def __init__(self, rewriter: Rewriter, name: str, dtype: typing.Any) -> None:
        self.rewriter, self.name, self.dtype = rewriter, name, dtype

    def add(self, operator: str, *operands: str | float | numpy.ndarray, **attributes: typing.Any) -> str:
        names = [each if isinstance(each, str) else self.rewriter.constant(f"{self.name}_constant", numpy.asarray(each, getattr(each, "dtype", self.dtype)))
                 for each in operands]
        return self.rewriter.node(operator, names, self.rewriter.fresh(f"{self.name}_{operator}"), **attributes)

    def reshape(self, value: str, shape: list[int]) -> str:
        return self.add("Reshape", value, numpy.array(shape, numpy.int64))

    def finish(self, value: str) -> bool:
        self.rewriter.node("Identity", [value], self.name)
        return True


def rewrite(proto, rewrites, kind=Rewriter):
    """Rewrites nodes by their operator: a function of the rewriter (of class `kind`), the node and the types of all values (see `types_of`). It adds the new
    nodes and returns True, or leaves the node as it is and returns False. New values get no types. Returns whether the graph changed."""
    graph = proto.graph
    types = types_of(graph)
    rewriter, rewritten = kind(graph, opset_of(proto)), False
    for node in graph.node:
        if node.op_type in rewrites and node.domain in ("", "ai.onnx") and rewrites[node.op_type](rewriter, node, types):
            rewritten = True
        else:
            rewriter.nodes.append(node)
    if rewritten:
        rewriter.commit()
    return rewritten
