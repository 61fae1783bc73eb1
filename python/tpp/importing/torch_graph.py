"""Graphs of aten operations as functions that can be lowered: with dense arguments and results, and without side effects."""
from __future__ import annotations

import collections.abc
import dataclasses
import hashlib
import typing

import torch
from torch._guards import detect_fake_mode
from torch._subclasses.fake_tensor import FakeTensorMode, unset_fake_temporarily
from torch.utils import _pytree

from tpp.importing.places import FRAME
from tpp.importing.problem import Problem

View = tuple[tuple[int, ...], tuple[int, ...], int]
Graph = torch.fx.GraphModule
Node = torch.fx.Node

SMALL = 1024  # bytes; larger constants of a graph become arguments, so that nobody prints and parses them
# 8-bit integers: torch-mlir takes the unsigned ones as signed in arithmetic, and some of it ends the process. The operations of MOVES are right.
BYTES = {torch.int8, torch.uint8}
SAMPLE_WEIGHTS = 6  # the position of aten._embedding_bag's argument per_sample_weights
MOVES = {
    "_to_copy", "_unsafe_view", "alias", "as_strided", "cat", "clone", "constant_pad_nd", "convert_element_type", "copy", "copy_", "detach", "embedding", "expand",
    "expand_copy", "gather", "getitem", "index", "index_select", "permute", "repeat", "select", "slice", "split", "split_with_sizes", "squeeze", "stack",
    "t", "transpose", "unsqueeze", "view", "_reshape_alias"
}
TYPES = {torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.bool, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8}


@dataclasses.dataclass
class Function:
    """A graph as a function. A position counts the graph's arguments first, then `tensors`. The flag beside it tells whether the tensor is
    copied into dense memory before the call."""

    source: Graph  # what the function is made of
    graph: torch.fx.Graph = dataclasses.field(default_factory=torch.fx.Graph)  # what is lowered; its constants are attributes of `source`
    inputs: list[tuple[int, bool]] = dataclasses.field(default_factory=list)
    weights: list[tuple[int, bool]] = dataclasses.field(default_factory=list)
    weight_arguments: list[int] = dataclasses.field(default_factory=list)  # of the function
    tensors: list[torch.Tensor] = dataclasses.field(default_factory=list)
    results: list[tuple[tuple[int, ...], tuple[int, ...], torch.dtype]] = dataclasses.field(default_factory=list)  # shape, strides, type
    mutated: list[tuple[int, int]] = dataclasses.field(default_factory=list)  # argument and result
    # What the graph returns: a result, an argument or a constant (Origin of the extension module), which, and the sizes, strides and offset of
    # a view of it, or None.
    returned: list[tuple[str, int, View | None]] = dataclasses.field(default_factory=list)
    constants: list[typing.Any] = dataclasses.field(default_factory=list)
    sources: dict[Node, Node] = dataclasses.field(default_factory=dict)  # of nodes of `graph`: those of `source`

    def module(self) -> Graph:
        """The graph as a module. PyTorch compiles Python code for it, which takes longer than all else that a graph in the cache needs."""
        return Graph(self.source, self.graph)

    def digest(self) -> str:
        """A hash of all that the function's code depends on: equal for equal functions in other processes."""
        numbers: dict[Node, int] = {}
        hashed = hashlib.sha256(repr(self.weight_arguments).encode())
        for node in self.graph.nodes:
            text: list[typing.Any] = [node.op, describe_type(value_of(node))]
            if node.op == "get_attr":
                tensor = getattr_path(self.source, str(node.target))
                with unset_fake_temporarily():
                    text += [describe_type(tensor), tensor.detach().reshape(-1).view(torch.uint8).numpy().tobytes()]
            elif node.op != "placeholder":
                text += [str(node.target), torch.fx.node.map_arg((node.args, node.kwargs), lambda each: Numbered(numbers[each]))]
            hashed.update(repr(text).encode())
            numbers[node] = len(numbers)
        return hashed.hexdigest()


@dataclasses.dataclass(frozen=True)
class Numbered:
    """Stands for a node of a graph."""
    number: int


def describe_type(value: typing.Any) -> typing.Any:
    if isinstance(value, torch.Tensor):
        return tuple(value.shape), str(value.dtype)
    return [describe_type(each) for each in value] if isinstance(value, (list, tuple)) else type(value).__name__


def make_function(graph: Graph, weights: collections.abc.Collection[int]) -> Function:
    """Makes a function of a graph without side effects (but for copy_ to its arguments) and with fixed shapes.

    Args:
      graph: of aten operations, as AOTAutograd makes it; `why_not` has a reason against none of them.
      weights: positions of the arguments that are the same in every call.

    Raises:
      Problem: it has something that cannot be compiled.
    """
    return Builder(graph, weights).function


def dense_order(tensor: torch.Tensor) -> list[int] | None:
    """The order of the dimensions in memory, outermost first; None if the elements do not lie densely or overlap."""
    shape, stride = tensor.shape, tensor.stride()
    order = sorted(range(tensor.dim()), key=lambda i: (-stride[i] if shape[i] != 1 else 0, i))
    # Dimensions of extent 1 lie anywhere: keep them in place if that is an order.
    for candidate in (list(range(tensor.dim())), order, sorted(order, key=lambda i: (-stride[i], i))):
        expected, dense = 1, True
        for i in reversed(candidate):
            dense &= shape[i] == 1 or stride[i] == expected
            expected *= max(shape[i], 1)
        if dense:
            return candidate
    return None


def is_identity(order: list[int]) -> bool:
    return order == sorted(order)


def inverse(order: list[int]) -> list[int]:
    return [order.index(i) for i in range(len(order))]


def value_of(node: Node) -> typing.Any:
    return node.meta.get("val")


def why_not(node: Node) -> Problem | None:
    """Why an operation can never be compiled; None if there is no such reason."""
    if is_random(node):
        return Problem(f"it draws random numbers: {describe(node)}")
    read = [each for argument in node.all_input_nodes for each in _pytree.tree_leaves(value_of(argument)) if isinstance(each, torch.Tensor)]
    made = [each for each in _pytree.tree_leaves(value_of(node)) if isinstance(each, torch.Tensor)]
    for each in (*read, *made):
        if any(not isinstance(extent, int) for extent in each.shape):
            return Problem(f"a shape depends on values: {describe(node)}")
        reason = why_not_passed(each)
        if reason:
            return Problem(f"{reason}: {describe(node)}")
    name = getattr(node.target, "_opname", getattr(node.target, "__name__", ""))
    if any(each.dtype in BYTES for each in read) and name not in MOVES:
        return Problem(f"it computes with integers of 8 bits: {describe(node)}")
    if name.startswith("_embedding_bag") and len(node.args) > SAMPLE_WEIGHTS and node.args[SAMPLE_WEIGHTS] is not None:
        return Problem(f"torch-mlir ignores its weights of samples: {describe(node)}")
    return None


def why_not_passed(value: torch.Tensor) -> str:
    """Why a tensor cannot be passed to compiled code; empty if it can."""
    if value.device.type != "cpu":
        return f"a tensor is on the device {value.device}"
    if value.is_complex():
        return "it has complex numbers"
    if value.dtype not in TYPES or value.layout != torch.strided:
        return f"a tensor has elements of {value.dtype}, layout {value.layout}"
    if value.is_conj() or value.is_neg():
        return "a tensor is a conjugate or negative view"
    return ""


def is_random(node: Node) -> bool:
    return torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ())


def describe(node: Node) -> str:
    """The operation and the line of the model that it comes from."""
    places = FRAME.findall(node.meta.get("stack_trace") or "")
    own = [place for place in places if "/site-packages/" not in place[0]] or places
    return f"{node.target}" + (f" at {own[-1][0]}:{own[-1][1]}" if own else "")


class Builder:
    """Makes the graph that is lowered from that of AOTAutograd: its arguments and results are dense in row-major order, and it writes none of its
    arguments."""

    def __init__(self, graph: Graph, weights: collections.abc.Collection[int]) -> None:
        self.source, self.weights = graph, weights
        self.known: dict[Node, typing.Any] = {}
        self.tables: dict[Node, Node] = {}  # for a lookup of a weight's rows: the argument that it reads
        self.function = Function(graph)
        self.new = self.function.graph
        self.outputs: dict[Node, int] = {}  # results of the function
        self.results: list[Node] = []  # of the new graph, in this order
        self.parameters: list[tuple[int, bool, bool]] = []  # of the function, each: position, copied, weight
        self.written: dict[int, Node] = {}
        self.arguments = [node for node in graph.graph.nodes if node.op == "placeholder"]
        self.positions = {node: position for position, node in enumerate(self.arguments)}
        self.add_arguments()
        for node in graph.graph.nodes:
            self.add(node)
        self.function.sources = {made: node for node, made in self.known.items() if isinstance(made, Node)}
        function = self.function
        for i, (position, copied, weight) in enumerate(self.parameters):
            (function.weights if weight else function.inputs).append((position, copied))
            if weight:
                function.weight_arguments.append(i)

    def add_arguments(self) -> None:
        for node, position in self.positions.items():
            value = value_of(node)
            if not node.users:
                continue
            if isinstance(value, (int, float, bool)):
                self.known[node] = value
            elif isinstance(value, torch.Tensor):
                if all(user.target is torch.ops.aten.copy_.default and user.args[0] is node and not user.users for user in node.users):
                    continue  # only written
                self.add_tensor(node, value, position)
            else:
                raise Problem(f"it has an argument of type {type(value).__name__}")
        # The constants follow the arguments.
        for node in self.source.graph.nodes:
            if node.op == "get_attr":
                tensor = getattr_path(self.source, str(node.target))
                if not isinstance(tensor, torch.Tensor):
                    raise Problem(f"it uses {node.target}, which is no tensor")
                if tensor.numel() * tensor.element_size() > SMALL:
                    self.function.tensors.append(tensor)
                    self.add_argument(node, self.trace(tensor), len(self.arguments) + len(self.function.tensors) - 1, True)

    def add_tensor(self, node: Node, value: torch.Tensor, position: int) -> None:
        """Adds an argument for a tensor of the graph. A weight whose rows are looked up is an argument of each call, because packing would only copy it. If it
        is used otherwise, too, it is also a weight."""
        if position in self.weights and value.is_contiguous():
            lookups = [user for user in node.users if is_lookup(user, node)]
            if lookups:
                self.add_argument(node, value, position, False)
                self.tables.update((lookup, self.known[node]) for lookup in lookups)
            if len(lookups) == len(node.users):
                return
        self.add_argument(node, value, position, position in self.weights)

    def trace(self, tensor: torch.Tensor) -> torch.Tensor:
        """The tensor as the values of the graph's nodes are: type, shape and strides."""
        mode = detect_fake_mode([value_of(node) for node in self.source.graph.nodes]) or FakeTensorMode()
        return mode.from_tensor(tensor, static_shapes=True)

    def add_argument(self, node: Node, value: torch.Tensor, position: int, weight: bool) -> None:
        reason = why_not_passed(value)
        if reason:
            raise Problem(reason)
        order = dense_order(value)
        argument = self.new.placeholder(f"argument{len(self.parameters)}")
        self.parameters.append((position, order is None, weight))
        if order is None or is_identity(order):
            argument.meta["val"] = value if order is not None else torch.empty_like(value, memory_format=torch.contiguous_format)
            self.known[node] = argument
            return
        argument.meta["val"] = value.permute(order)
        self.known[node] = self.call(torch.ops.aten.permute.default, (argument, inverse(order)), value)

    def call(self, operation: typing.Any, arguments: tuple[typing.Any, ...], value: torch.Tensor) -> Node:
        made = self.new.call_function(operation, arguments)
        made.meta["val"] = value
        return made

    def add(self, node: Node) -> None:
        if node in self.known or node.op == "placeholder":
            return
        if node.op == "output":
            self.add_output(node)
        elif node.op == "get_attr":
            self.known[node] = self.new.node_copy(node, lambda each: self.known[each])
        elif node.op != "call_function":
            raise Problem(f"it has a node {node.op} {node.target}")
        elif node.target is torch.ops.aten.copy_.default:
            target, source = typing.cast(Node, node.args[0]), typing.cast(Node, node.args[1])
            if target not in self.positions:
                raise Problem(f"it writes what is no argument: {describe(node)}")
            self.written[self.positions[target]] = source
            self.known[node] = self.known[source]
        else:
            value = value_of(node)
            if isinstance(value, torch.Tensor) and value.numel() == 0:  # torch-mlir divides by the elements of what it reshapes
                self.known[node] = self.new.call_function(torch.ops.aten.full.default, (list(value.shape), 0), {"dtype": value.dtype})
                self.known[node].meta["val"] = value
            else:
                table = node.args[0] if node in self.tables else None
                self.known[node] = self.new.node_copy(node, lambda each: self.tables[node] if each is table else self.known[each])

    def result(self, node: Node) -> int:
        """The number of the function's result with the value of a node; adds it if it is new."""
        if node not in self.outputs:
            value, made = value_of(node), self.known[node]
            order, stride = dense_order(value), value.stride()
            if order is None:
                stride = torch.empty(value.shape, device="meta").stride()
            elif not is_identity(order):
                made = self.call(torch.ops.aten.permute.default, (made, order), value.permute(order))
            self.outputs[node] = len(self.function.results)
            self.results.append(made)
            self.function.results.append((tuple(value.shape), tuple(stride), value.dtype))
        return self.outputs[node]

    def add_output(self, node: Node) -> None:
        # Tensors of a graph without side effects share memory only as views of the first of them.
        creators: dict[int, Node] = {}
        for each in self.source.graph.nodes:
            if isinstance(value_of(each), torch.Tensor):
                creators.setdefault(storage_of(each), each)
        returned = [each for each in _pytree.tree_leaves(node.args)]
        users: dict[int, set[Node]] = {}
        for each in returned:
            if isinstance(each, Node) and isinstance(value_of(each), torch.Tensor):
                users.setdefault(storage_of(each), set()).add(each)
        for position, source in self.written.items():
            self.function.mutated.append((position, self.result(source)))
        for each in returned:
            if not isinstance(each, Node):
                self.return_constant(each)
            elif not isinstance(value_of(each), torch.Tensor):
                if each not in self.positions:
                    raise Problem(f"it returns a {type(value_of(each)).__name__}")
                self.function.returned.append(("argument", self.positions[each], None))
            elif each.op == "get_attr":
                self.return_constant(getattr_path(self.source, str(each.target)))
            else:
                storage = storage_of(each)
                self.return_tensor(each, creators[storage], len(users[storage]) > 1)
        self.new.output(tuple(self.results))

    def return_constant(self, value: typing.Any) -> None:
        self.function.returned.append(("constant", len(self.function.constants), None))
        self.function.constants.append(value)

    def return_tensor(self, node: Node, base: Node, shared: bool) -> None:
        """Returns a tensor: as a view of an argument, or of another result if several share its memory or it does not lie densely."""
        value, whole = value_of(node), value_of(base)
        view = (tuple(value.shape), tuple(value.stride()), value.storage_offset() - whole.storage_offset()) if node is not base else None
        if base in self.positions and value.dtype == whole.dtype:
            self.function.returned.append(("argument", self.positions[base], view))
        elif (shared or dense_order(value) is None) and base.op == "call_function" and value.dtype == whole.dtype and \
                dense_order(whole) is not None and whole.storage_offset() == 0:
            self.function.returned.append(("result", self.result(base), view))
        else:
            self.function.returned.append(("result", self.result(node), None))


def is_lookup(node: Node, table: Node) -> bool:
    """Whether a node takes rows of a table, and uses it for nothing else."""
    return node.target is torch.ops.aten.embedding.default and node.args[0] is table and node.args[1] is not table


def storage_of(node: Node) -> int:
    """What tensors that share memory have in common."""
    return typing.cast(int, value_of(node).untyped_storage()._cdata)


def getattr_path(module: torch.nn.Module, path: str) -> typing.Any:
    found: typing.Any = module
    for name in path.split("."):
        found = getattr(found, name)
    return found
