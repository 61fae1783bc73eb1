"""torch.compile(module, backend="tpp").

AOTAutograd gives a graph of aten operations without side effects, torch-mlir lowers it, and TPP compiles it. Parameters are arguments of the compiled
function, which are packed once and again after a change. What cannot be compiled runs as PyTorch runs it, with a warning.
"""
from __future__ import annotations

import collections.abc
import dataclasses
import logging
import threading
import typing
import warnings
import weakref

import torch
from torch._dynamo.utils import counters
from torch._functorch.aot_autograd import aot_module_simplified
from torch._guards import TracingContext
from torch.fx.experimental.proxy_tensor import make_fx

from tpp import _native
from tpp.errors import Error
from tpp.importing.lowering import NotLowered
from tpp.importing.problem import Problem
from tpp.importing.torch_graph import decompositions, lower_graph

log = logging.getLogger("tpp")

GRADIENTS = "it needs gradients: call the model under torch.inference_mode() or torch.no_grad()"
MOST_SHAPES = 8  # of one graph that are compiled; further ones run in PyTorch

Graph = torch.fx.GraphModule
_calls: weakref.WeakSet[_native.TorchCall] = weakref.WeakSet()  # all compiled graphs
Callable = collections.abc.Callable[..., typing.Any]


@dataclasses.dataclass(frozen=True)
class Options:
    """The `options` of torch.compile."""

    threads: int | None = None
    """Default: `torch.get_num_threads()` when the graph is compiled."""
    precision: str = "program"
    packing: str = ""
    target: str = ""
    provider: str = "auto"

    @staticmethod
    def read(given: collections.abc.Mapping[str, typing.Any] | None) -> Options:
        known = {field.name for field in dataclasses.fields(Options)}
        unknown = sorted(set(given or {}) - known)
        if unknown:
            raise ValueError(f"backend 'tpp' has no option {', '.join(map(repr, unknown))}; it has {', '.join(sorted(known))}")
        return Options(**(given or {}))

    def for_compiler(self) -> dict[str, typing.Any]:
        options = dataclasses.asdict(self)
        if self.threads is None:
            options["threads"] = torch.get_num_threads()
        return options


def backend(module: Graph,
            example_inputs: list[torch.Tensor],
            *,
            options: collections.abc.Mapping[str, typing.Any] | None = None,
            mode: str | None = None) -> Callable:
    """The backend that torch.compile calls for each graph. Returns the function that runs the graph."""
    chosen = Options.read(options)
    if mode not in (None, "default"):
        raise ValueError(f"backend 'tpp' has no mode {mode!r}; use options")
    if torch.is_grad_enabled() and any(isinstance(each, torch.Tensor) and each.requires_grad for each in example_inputs):
        return run_in_pytorch(module, Problem(GRADIENTS))
    try:
        return typing.cast(
            Callable,
            aot_module_simplified(module, example_inputs, fw_compiler=refuse_training,
                                  inference_compiler=lambda graph, inputs: CompiledGraph(graph, inputs, chosen).boxed(),
                                  decompositions=decompositions(), keep_inference_input_mutations=True))
    except Problem as reason:
        return run_in_pytorch(module, reason)


def refuse_training(graph: Graph, inputs: list[torch.Tensor]) -> Callable:
    raise Problem(GRADIENTS)


def run_in_pytorch(module: Graph, reason: Problem) -> Callable:
    text = reason.brief if isinstance(reason, NotLowered) else str(reason)
    counters["tpp"]["graphs_in_pytorch"] += 1
    warnings.warn(f"tpp: a graph of {count_calls(module)} operations runs in PyTorch: {text}", stacklevel=2)
    return module.forward


def count_calls(module: Graph) -> int:
    return sum(node.op.startswith("call") for node in module.graph.nodes)


class CompiledGraph:
    """A graph of AOTAutograd, compiled for each shape of its inputs."""

    def __init__(self, graph: Graph, inputs: list[typing.Any], options: Options) -> None:
        self.graph, self.options = graph, options
        metadata = TracingContext.get().fw_metadata
        assert metadata is not None
        self.weights = set(metadata.static_input_indices) - {i for i, each in enumerate(metadata.input_info) if each.mutates_data}
        self.lock = threading.Lock()
        self.variants: dict[typing.Any, Callable] = {}
        self.dynamic = any(isinstance(each, torch.SymInt) or isinstance(each, torch.Tensor) and has_symbols(each) for each in inputs)
        self.run: Callable = self.run_dynamic if self.dynamic else compile_graph(graph, self.weights, options)

    def boxed(self) -> Callable:
        # Dynamo's convention for functions that take their arguments as one list, which they may empty.
        if isinstance(self.run, _native.TorchCall):
            return self.run

        def run(arguments: list[typing.Any]) -> typing.Any:
            return self.run(arguments)

        run._boxed_call = True  # type: ignore[attr-defined]
        return run

    def run_dynamic(self, arguments: list[typing.Any]) -> typing.Any:
        key = sizes_of(arguments)
        variant = self.variants.get(key)
        if variant is None:
            with self.lock:
                variant = self.variants.get(key) or self.add_variant(key, arguments)
        return variant(list(arguments))

    def add_variant(self, key: typing.Any, arguments: list[typing.Any]) -> Callable:
        variant = typing.cast(Callable, lambda given: self.graph(*given))
        if len(self.variants) < MOST_SHAPES:
            try:
                with torch.no_grad():
                    special = make_fx(self.graph, tracing_mode="fake")(*arguments)
                variant = compile_graph(special, self.weights, self.options)
            except Problem as reason:
                run_in_pytorch(self.graph, reason)
        elif len(self.variants) == MOST_SHAPES:
            run_in_pytorch(self.graph, Problem(f"it was compiled for {MOST_SHAPES} shapes of its inputs, further ones are not"))
            self.run = self.run_known
            return variant
        self.variants[key] = variant
        return variant

    def run_known(self, arguments: list[typing.Any]) -> typing.Any:
        variant = self.variants.get(sizes_of(arguments))
        return variant(list(arguments)) if variant else self.graph(*arguments)


def sizes_of(arguments: list[typing.Any]) -> tuple[typing.Any, ...]:
    """What a variant of a graph is compiled for."""
    return tuple((each.shape, each.stride()) if isinstance(each, torch.Tensor) else each for each in arguments)


def repack() -> None:
    """Lets the next call of each graph of torch.compile pack its weights again: after writes that PyTorch does not count, which are those through
    `.data`, through a NumPy array that shares the memory, and those to tensors made under `torch.inference_mode()`."""
    for call in list(_calls):
        call.forget()


def has_symbols(tensor: torch.Tensor) -> bool:
    return any(isinstance(each, torch.SymInt) for each in (*tensor.shape, *tensor.stride(), tensor.storage_offset()))


def compile_graph(graph: Graph, weights: set[int], options: Options) -> Callable:
    """Compiles a graph of aten operations with fixed shapes. Raises Problem."""
    lowered = lower_graph(graph, weights)
    if not lowered.results:  # nothing is computed
        return lambda arguments: graph(*arguments)
    try:
        model = _native.compile(program=lowered.program, name="the graph", weights=lowered.weight_arguments, **options.for_compiler())
    except Error as error:
        raise Problem(str(error)) from error
    counters["tpp"]["graphs_compiled"] += 1
    log.debug("compiled: %s", model.report())
    call = _native.TorchCall(model=model, inputs=lowered.inputs, weights=lowered.weights, tensors=lowered.tensors, results=lowered.results,
                             mutated=lowered.mutated, constants=lowered.constants,
                             returned=[(getattr(_native.Origin, origin), index, view) for origin, index, view in lowered.returned])
    _calls.add(call)
    return typing.cast(Callable, call)
