"""Splits graphs of aten operations into parts that are compiled and operations that PyTorch runs."""
from __future__ import annotations

import collections.abc
import dataclasses
import operator
import typing

import torch

from tpp.importing.torch_graph import Graph, Node, getattr_path, value_of

MIN_PART_OPERATIONS = 4  # smaller parts run in PyTorch: they are not worth a call

Call = collections.abc.Callable[[list[typing.Any]], list[typing.Any]]


@dataclasses.dataclass
class Part:
    """Operations that are compiled together, as a graph. `inputs` and `outputs` are nodes of the original graph: the values, except constants, that the
    part reads, and those of its values that other nodes read."""

    graph: Graph
    inputs: list[Node]
    outputs: list[Node]


def split(graph: Graph, in_pytorch: collections.abc.Callable[[Node], bool]) -> list[Part | Node]:
    """Returns the schedule of a graph: parts, and single operations that PyTorch runs. Not compiled are operations for which `in_pytorch` is true, writes of
    arguments, and operations whose part would be too small. Writes come last, because all operations of the graph read the old values of arguments."""
    excluded = {node for node in graph.graph.nodes if is_operation(node) and (in_pytorch(node) or is_write(node))}
    while True:
        stages = find_stages(graph, excluded)
        compiled = [nodes for nodes in stages if nodes[0] not in excluded]
        small = {node for nodes in compiled if count_operations(nodes) < MIN_PART_OPERATIONS for node in nodes}
        if not small:
            break
        excluded |= small
    steps: list[Part | Node] = []
    for nodes in stages:
        steps += nodes if nodes[0] in excluded else [make_part(graph, nodes)]
    return sorted(steps, key=lambda step: isinstance(step, Node) and is_write(step))


def is_operation(node: Node) -> bool:
    return node.op not in ("placeholder", "get_attr", "output")


def is_write(node: Node) -> bool:
    return node.target is torch.ops.aten.copy_.default


def count_operations(nodes: collections.abc.Iterable[Node]) -> int:
    """Without writes of arguments, and without `getitem`, which only names a result."""
    return sum(is_operation(node) and not is_write(node) and node.target is not operator.getitem for node in nodes)


def find_stages(graph: Graph, excluded: set[Node]) -> list[list[Node]]:
    """Partitions the operations into stages that can run in sequence. All operations of a stage are excluded, or none is. The number of a stage is the
    largest number of transitions between compiled and excluded operations on a path from the inputs, which count as compiled: even stages are
    compiled, odd ones excluded. Also adds the `getitem` nodes of excluded operations to `excluded`."""
    stage_of: dict[Node, int] = {}
    stages: dict[int, list[Node]] = {}
    for node in graph.graph.nodes:
        if not is_operation(node):
            continue
        if node.target is operator.getitem and node.args[0] in excluded:
            excluded.add(node)
        kind = int(node in excluded)
        stage = max((stage_of[each] for each in node.all_input_nodes if each in stage_of), default=kind)
        stage_of[node] = stage + (stage % 2 != kind)
        stages.setdefault(stage_of[node], []).append(node)
    return [stages[stage] for stage in sorted(stages)]


def make_part(graph: Graph, nodes: list[Node]) -> Part:
    inside = set(nodes)
    read = dict.fromkeys(each for node in nodes for each in node.all_input_nodes if each not in inside)
    inputs = [each for each in read if each.op != "get_attr"]
    outputs = [node for node in nodes if any(user not in inside for user in node.users)]
    made = torch.fx.Graph()
    known: dict[Node, Node] = {}
    for each in inputs:
        known[each] = made.placeholder(each.name)
        known[each].meta = dict(each.meta)
    for node in [each for each in read if each.op == "get_attr"] + nodes:
        known[node] = made.node_copy(node, lambda each: known[each])
    made.output([known[each] for each in outputs])
    return Part(Graph(graph, made), inputs, outputs)


class PartCall(torch.nn.Module):
    """Calls a compiled part."""

    def __init__(self, part: Part, call: Call) -> None:
        super().__init__()
        self.call = call
        # Operations that PyTorch runs can return other shapes, types or strides than their fake-tensor trace predicts.
        self.expected = [(position, node.name, value_of(node)) for position, node in enumerate(part.inputs)
                         if is_operation(node) and isinstance(value_of(node), torch.Tensor)]

    def forward(self, *arguments: typing.Any) -> list[typing.Any]:
        given = list(arguments)
        for position, name, expected in self.expected:
            tensor = given[position]
            if tensor.shape != expected.shape or tensor.dtype != expected.dtype:
                raise RuntimeError(f"the operation {name} returned {tensor.dtype} {tuple(tensor.shape)}; "
                                   f"its fake-tensor trace predicted {expected.dtype} {tuple(expected.shape)}")
            if tensor.stride() != expected.stride():
                given[position] = torch.empty_strided(tensor.shape, expected.stride(), dtype=tensor.dtype).copy_(tensor)
        return self.call(given)


def join(graph: Graph, steps: list[Part | Node], compile_part: collections.abc.Callable[[Part], Call]) -> Graph:
    """The graph with calls of compiled parts in place of their operations."""
    made = torch.fx.Graph()
    members: dict[str, typing.Any] = {}
    known: dict[Node, Node] = {}
    for node in graph.graph.nodes:
        if node.op in ("placeholder", "get_attr"):
            known[node] = made.node_copy(node)
            if node.op == "get_attr":
                members[str(node.target)] = getattr_path(graph, str(node.target))
    for number, step in enumerate(steps):
        if isinstance(step, Node):
            known[step] = made.node_copy(step, lambda each: known[each])
            continue
        name = f"part{number}"
        members[name] = PartCall(step, compile_part(step))
        results = made.call_module(name, tuple(known[each] for each in step.inputs))
        for position, output in enumerate(step.outputs):
            known[output] = made.call_function(operator.getitem, (results, position))
    made.output(torch.fx.node.map_arg(graph.graph.output_node().args[0], lambda each: known[each]))
    return Graph(members, made)
