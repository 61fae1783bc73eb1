"""Lowers graphs of aten operations to linalg, with torch-mlir."""
from __future__ import annotations

import collections.abc
import dataclasses
import re
import typing

import torch
from torch.utils import _pytree
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras.fx_decomp_util import get_decomposition_table
from torch_mlir.extras.fx_importer import FxImporter
from torch_mlir.passmanager import PassManager

from tpp._native import Origin

Graph = torch.fx.GraphModule
Node = torch.fx.Node

# Dialects that TPP reads. torch-mlir leaves some operations in other dialects, for instance tm_tensor.
DIALECTS = {"builtin", "func", "arith", "math", "tensor", "linalg", "scf", "cf", "affine", "complex"}
PIPELINES = ("builtin.module(func.func(torch-match-quantized-custom-ops),torchdynamo-export-to-torch-backend-pipeline{extra-library=})",
             "builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline)")
SMALL = 1024  # bytes; larger constants of a graph become arguments, so that nobody prints and parses them
# Patterns for the operation's name in a message, the most specific first: an unknown operation is a torch.operator that contains its name.
OPERATION = (re.compile(r'name = "(?:torch\.)?([\w.]+)"'), re.compile(r"'([\w.]+)' op"), re.compile(r"operation '([\w.]+)'"))
PLACE = re.compile(r'"([^"]+)":(\d+):\d+')
FRAME = re.compile(r'File "([^"]+)", line (\d+)')
TYPES = {torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.bool, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8}


class Unsupported(Exception):
    """Why a graph cannot be compiled."""


def decompositions() -> dict[typing.Any, typing.Any]:
    """The operations that torch-mlir wants to see as compositions of others."""
    table = dict(typing.cast("dict[typing.Any, typing.Any]", get_decomposition_table()))
    table[torch.ops.aten.cumsum.default] = cumulative_sum
    return table


def cumulative_sum(x: torch.Tensor, dim: int, *, dtype: torch.dtype | None = None) -> torch.Tensor:
    """aten.cumsum in log2(n) additions of the tensor and its shifted copy: torch-mlir has only a loop for it, in a dialect of its own."""
    if dtype is None and x.dtype in (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32):
        dtype = torch.int64
    x = x.to(dtype) if dtype else x.clone()
    if x.dim() == 0:
        return x
    dim, shift = dim % x.dim(), 1
    while shift < x.shape[dim]:
        padding = [0, 0] * (x.dim() - 1 - dim) + [shift, 0]
        x = x + torch.constant_pad_nd(x.narrow(dim, 0, x.shape[dim] - shift), padding, 0)
        shift *= 2
    return x


@dataclasses.dataclass
class Lowered:
    """A graph as a function of MLIR. Positions are those of the graph's arguments, and after them of `tensors`; with each comes whether the
    tensor must be copied to lie densely."""

    program: bytes = b""
    inputs: list[tuple[int, bool]] = dataclasses.field(default_factory=list)
    weights: list[tuple[int, bool]] = dataclasses.field(default_factory=list)
    weight_arguments: list[int] = dataclasses.field(default_factory=list)  # of the function
    tensors: list[torch.Tensor] = dataclasses.field(default_factory=list)
    # Of each result: shape, strides, type and, if dimensions of extent 1 are repeated in what the graph returns, the shape of that.
    results: list[tuple[tuple[int, ...], tuple[int, ...], torch.dtype, tuple[int, ...] | None]] = dataclasses.field(default_factory=list)
    mutated: list[tuple[int, int]] = dataclasses.field(default_factory=list)  # argument and result
    returned: list[tuple[Origin, int]] = dataclasses.field(default_factory=list)
    constants: list[typing.Any] = dataclasses.field(default_factory=list)


def lower_graph(graph: Graph, weights: collections.abc.Collection[int]) -> Lowered:
    """Lowers a graph without side effects (but for copy_ to its arguments) and with fixed shapes.

    Args:
      graph: of aten operations, as AOTAutograd makes it.
      weights: positions of the arguments that are the same in every call.

    Raises:
      Unsupported: it has an operation that cannot be lowered.
    """
    builder = Builder(graph, weights)
    if builder.lowered.results:
        builder.lowered.program = to_linalg(builder.module)
    return builder.lowered


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
        self.new = torch.fx.Graph()
        self.known: dict[Node, typing.Any] = {}
        self.lowered = Lowered()
        self.positions: dict[Node, int] = {}
        self.outputs: dict[Node, int] = {}  # results of the function
        self.functions: list[tuple[int, bool, bool]] = []  # of each argument of the function: position, copied, weight
        self.written: dict[int, Node] = {}
        self.arguments = [node for node in graph.graph.nodes if node.op == "placeholder"]
        self.add_arguments()
        for node in graph.graph.nodes:
            self.add(node)
        self.module = Graph(graph, self.new)
        lowered = self.lowered
        for i, (position, copied, weight) in enumerate(self.functions):
            (lowered.weights if weight else lowered.inputs).append((position, copied))
            if weight:
                lowered.weight_arguments.append(i)

    def add_arguments(self) -> None:
        for position, node in enumerate(self.arguments):
            self.positions[node] = position
            value = value_of(node)
            if not node.users:
                continue
            if isinstance(value, (int, float, bool)):
                self.known[node] = value
            elif isinstance(value, torch.Tensor):
                if all(user.target is torch.ops.aten.copy_.default and user.args[0] is node and not user.users for user in node.users):
                    continue  # only written
                self.add_argument(node, value, position, position in self.weights)
            else:
                raise Unsupported(f"it has an argument of type {type(value).__name__}")
        # The constants follow the arguments.
        for node in self.source.graph.nodes:
            if node.op == "get_attr":
                tensor = getattr_path(self.source, str(node.target))
                if not isinstance(tensor, torch.Tensor):
                    raise Unsupported(f"it uses {node.target}, which is no tensor")
                if tensor.numel() * tensor.element_size() > SMALL:
                    self.lowered.tensors.append(tensor)
                    self.add_argument(node, tensor, len(self.arguments) + len(self.lowered.tensors) - 1, True)

    def add_argument(self, node: Node, value: torch.Tensor, position: int, weight: bool) -> None:
        if value.device.type != "cpu":
            raise Unsupported(f"a tensor is on the device {value.device}")
        if value.dtype not in TYPES or value.layout != torch.strided:
            raise Unsupported(f"a tensor has elements of {value.dtype}, layout {value.layout}")
        if value.is_conj() or value.is_neg():
            raise Unsupported("a tensor is a conjugate or negative view")
        order = dense_order(value)
        argument = self.new.placeholder(f"argument{len(self.functions)}")
        self.functions.append((position, order is None, weight))
        if order is None or is_identity(order):
            argument.meta["val"] = value if order else torch.empty_like(value, memory_format=torch.contiguous_format)
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
            raise Unsupported(f"it has a node {node.op} {node.target}")
        elif node.target is torch.ops.aten.copy_.default:
            target, source = typing.cast(Node, node.args[0]), typing.cast(Node, node.args[1])
            if target not in self.positions:
                raise Unsupported(f"it writes what is no argument: {describe(node)}")
            self.written[self.positions[target]] = source
            self.known[node] = self.known[source]
        else:
            tags = getattr(node.target, "tags", ())
            if torch.Tag.nondeterministic_seeded in tags:
                raise Unsupported(f"it draws random numbers: {describe(node)}")
            value = value_of(node)
            for each in _pytree.tree_leaves(value):
                if isinstance(each, torch.Tensor):
                    if any(not isinstance(extent, int) for extent in each.shape):
                        raise Unsupported(f"a shape depends on values: {describe(node)}")
                    if each.is_complex():
                        raise Unsupported(f"it has complex numbers: {describe(node)}")
            self.known[node] = self.new.node_copy(node, lambda each: self.known[each])

    def add_output(self, node: Node) -> None:
        lowered, results = self.lowered, []

        def result(each: Node) -> int:
            if each not in self.outputs:
                value, made, expanded = value_of(each), self.known[each], None
                repeated = [i for i in range(value.dim()) if value.stride(i) == 0 and value.shape[i] > 1]
                if repeated:
                    expanded = tuple(value.shape)
                    for i in repeated:
                        value = value.narrow(i, 0, 1)
                        made = self.call(torch.ops.aten.slice.Tensor, (made, i, 0, 1), value)
                order, stride = dense_order(value), value.stride()
                if order is None:
                    stride = torch.empty(value.shape, device="meta").stride()
                elif not is_identity(order):
                    made = self.call(torch.ops.aten.permute.default, (made, order), value.permute(order))
                results.append(made)
                lowered.results.append((tuple(value.shape), tuple(stride), value.dtype, expanded))
                self.outputs[each] = len(results) - 1
            return self.outputs[each]

        for position, source in self.written.items():
            lowered.mutated.append((position, result(source)))
        for each in _pytree.tree_leaves(node.args):
            if not isinstance(each, Node):
                lowered.returned.append((Origin.constant, len(lowered.constants)))
                lowered.constants.append(each)
            elif each in self.positions:
                lowered.returned.append((Origin.argument, self.positions[each]))
            elif not isinstance(value_of(each), torch.Tensor):
                raise Unsupported(f"it returns a {type(value_of(each)).__name__}")
            elif each.op == "get_attr":
                lowered.returned.append((Origin.constant, len(lowered.constants)))
                lowered.constants.append(getattr_path(self.source, str(each.target)))
            else:
                lowered.returned.append((Origin.result, result(each)))
        self.new.output(tuple(results))


def getattr_path(module: torch.nn.Module, path: str) -> typing.Any:
    found: typing.Any = module
    for name in path.split("."):
        found = getattr(found, name)
    return found


def to_linalg(module: Graph) -> bytes:
    """The text of the module's function @main, in linalg on tensors."""
    context = ir.Context()
    torch_dialect.register_dialect(context)
    context.enable_multithreading(False)
    importer = FxImporter(context=context)
    try:
        with torch.no_grad():
            importer.import_stateless_graph(module.graph, func_name="main")
    except Exception as error:
        raise Unsupported(f"torch-mlir cannot read it: {first_line(error)}") from error
    with context:
        for pipeline in PIPELINES:
            try:
                PassManager.parse(pipeline).run(importer.module.operation)
            except ir.MLIRError as error:
                raise translate(error) from error
        check_dialects(importer.module)
        return typing.cast(str, importer.module.operation.get_asm()).encode()


def first_line(error: BaseException) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def describe_place(location: typing.Any) -> str:
    """The source line of a location of MLIR: the model's own before those of libraries."""
    places = PLACE.findall(str(location))
    own = [place for place in places if "/site-packages/" not in place[0]] or places
    return f" at {own[0][0]}:{own[0][1]}" if own else ""


def translate(error: ir.MLIRError) -> Unsupported:
    diagnostics = getattr(error, "error_diagnostics", None)
    if not diagnostics:
        return Unsupported(f"torch-mlir cannot lower it: {first_line(error)}")
    first = diagnostics[0]
    found = next(filter(None, (pattern.search(first.message) for pattern in OPERATION)), None)
    name = found.group(1) if found else "an operation"
    return Unsupported(f"torch-mlir cannot lower {name}{describe_place(first.location)}: {first.message.splitlines()[0][:200]}")


def check_dialects(module: typing.Any) -> None:
    strange: list[typing.Any] = []

    def visit(operation: typing.Any) -> typing.Any:
        if operation.name.split(".")[0] not in DIALECTS:
            strange.append(operation)
            return ir.WalkResult.INTERRUPT
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    if strange:
        raise Unsupported(f"torch-mlir lowers a part of it to {strange[0].name}, which TPP does not read{describe_place(strange[0].location)}")
