"""torch.compile(module, backend="tpp").

AOTAutograd gives a graph of aten operations without side effects, torch-mlir lowers it, and TPP compiles it. Parameters are arguments of the compiled
function, which are packed once and again after a change; those whose rows are looked up are read in place. What cannot be compiled runs as PyTorch
runs it, with a warning.
"""
from __future__ import annotations

import collections.abc
import dataclasses
import functools
import hashlib
import importlib.metadata
import itertools
import logging
import os
import pathlib
import sys
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
from tpp.cache import Cache
from tpp.errors import Error
from tpp.importing.decompositions import decompositions
from tpp.importing.problem import Problem
from tpp.importing.torch_graph import Function, describe, is_random, make_function, why_not
from tpp.importing.torch_parts import Part, count_operations, is_operation, join, split
from tpp.model import Model

log = logging.getLogger("tpp")

GRADIENTS = "it needs gradients: call the model under torch.inference_mode() or torch.no_grad()"
LIBRARIES = (os.path.dirname(torch.__file__) + os.sep, os.path.dirname(__file__) + os.sep)
MOST_SHAPES = 8  # of one graph that are compiled; further ones run in PyTorch

Graph = torch.fx.GraphModule
_calls: weakref.WeakValueDictionary[int, _native.TorchCall] = weakref.WeakValueDictionary()  # all compiled graphs
_numbers = itertools.count()
_programs = itertools.count()  # that were written
Callable = collections.abc.Callable[..., typing.Any]


@dataclasses.dataclass(frozen=True)
class Options:
    """What `options` of `torch.compile(module, backend="tpp", options={...})` may contain."""

    threads: int | None = None
    """Default: `torch.get_num_threads()` when the graph is compiled."""
    precision: str = "program"
    """`program`, `bf16` or `int8`: of the operands of contractions (docs/numerics.md)."""
    winograd: str = "auto"
    """Winograd's algorithm for 3 x 3 convolutions: `auto`, where it is estimated to be faster, `always` or `off` (docs/numerics.md)."""
    denormals: str = "keep"
    """Numbers too small for all digits: `keep` them, or `zero`: calls compute with zeros instead, which is faster where there are some (docs/numerics.md)."""
    packing: str = ""
    """The packing strategy (docs/packing-strategies.md). Default: the one of least cost."""
    target: str = ""
    """The machine to choose tiles for, as for `tpp-run --target`. Default: this one."""
    provider: str = "auto"
    """Of the kernels: `auto`, `xsmm`, `native` or `reference`."""
    drawing: bool = False
    """Whether the models of `tpp.graphs()` have drawings."""
    cache: bool = True
    """Whether compiled graphs are kept on disk, and those of other processes are used."""
    programs: str = ""
    """A folder to write the program of each graph to, in MLIR, as `graph0.mlir` and so on: for `tpp-run` and `tpp-tune`. It is made if it does not
    exist. Compiled graphs on disk are not used then. Default: none is written."""

    @staticmethod
    def read(given: collections.abc.Mapping[str, typing.Any] | None) -> Options:
        known = {field.name for field in dataclasses.fields(Options)}
        unknown = sorted(set(given or {}) - known)
        if unknown:
            raise ValueError(f"backend 'tpp' has no option {', '.join(map(repr, unknown))}; it has {', '.join(sorted(known))}")
        options = Options(**(given or {}))
        kinds = {int | None: "a number", str: "a text", bool: "True or False"}
        for name, kind in typing.get_type_hints(Options).items():
            value = getattr(options, name)
            if not isinstance(value, kind) or isinstance(value, bool) and kind is not bool:
                raise TypeError(f"option {name} of backend 'tpp' is {value!r}, must be {kinds[kind]}")
        if options.threads is not None and options.threads < 1:
            raise ValueError(f"option threads of backend 'tpp' is {options.threads}, must be at least 1")
        return options

    def key(self) -> typing.Any:
        """What compiled code depends on: with the content of files that options name."""
        files = [pathlib.Path(each).read_bytes() for each in (self.packing, self.target) if each and os.path.isfile(each)]
        return self.for_compiler(), files

    def for_compiler(self) -> dict[str, typing.Any]:
        options = dataclasses.asdict(self)
        del options["cache"], options["programs"]
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
    warn(count_fallback(module, reason))
    return module.forward


def warn(text: str) -> None:
    """Warns at the line of the program that called the compiled function: the innermost one outside PyTorch and this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_code.co_filename.startswith(LIBRARIES):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, stacklevel=level)


def count_fallback(module: Graph, reason: Problem) -> str:
    """Counts a graph that PyTorch runs, and returns a warning about it."""
    counters["tpp"]["graphs_in_pytorch"] += 1
    return f"tpp: a graph of {count_operations(module.graph.nodes)} operations runs in PyTorch: {reason.brief}"


class CompiledGraph:
    """A graph of AOTAutograd, compiled for each shape of its inputs."""

    def __init__(self, graph: Graph, inputs: list[typing.Any], options: Options) -> None:
        self.graph, self.options = graph, options
        metadata = TracingContext.get().fw_metadata
        assert metadata is not None
        self.weights = set(metadata.static_input_indices) - {i for i, each in enumerate(metadata.input_info) if each.mutates_data}
        self.lock = threading.Lock()
        self.said: set[str] = set()
        self.variants: dict[typing.Any, Callable] = {}
        self.dynamic = any(isinstance(each, torch.SymInt) or isinstance(each, torch.Tensor) and has_symbols(each) for each in inputs)
        self.run: Callable = self.run_dynamic if self.dynamic else compile_graph(graph, self.weights, options, self.say)

    def say(self, text: str) -> None:
        """Warns, but only once for each text."""
        if text not in self.said:
            self.said.add(text)
            warn(text)

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
                with torch.no_grad(), torch.fx.traceback.preserve_node_meta():
                    special = make_fx(torch.fx.Interpreter(self.graph).run, tracing_mode="fake")(*arguments)
                variant = compile_graph(special, self.weights, self.options, self.say)
            except Problem as reason:
                self.say(count_fallback(self.graph, reason))
        elif len(self.variants) == MOST_SHAPES:
            self.say(count_fallback(self.graph, Problem(f"it was compiled for {MOST_SHAPES} shapes of its inputs, further ones are not")))
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
    for call in list(_calls.values()):
        call.forget()


def graphs() -> list[Model]:
    """The compiled graphs of torch.compile, in the order in which they were compiled: what they do, how fast their kernels are, their drawings. Their
    weights are packed by the first call of the graph. Parameters whose rows are looked up are inputs of the model."""
    return [Model(call.model) for call in list(_calls.values())]


def has_symbols(tensor: torch.Tensor) -> bool:
    return any(isinstance(each, torch.SymInt) for each in (*tensor.shape, *tensor.stride(), tensor.storage_offset()))


class Refused(Problem):
    """An operation that cannot be lowered."""

    def __init__(self, node: torch.fx.Node, why: str) -> None:
        super().__init__(f"{describe(node)}: {why}")
        self.target = node.target


def compile_graph(graph: Graph, weights: set[int], options: Options, say: collections.abc.Callable[[str], None]) -> Callable:
    """Compiles a graph of aten operations with fixed shapes: as a whole, or the parts of it between operations that PyTorch has to run, which it says.

    Raises:
      Problem: PyTorch has to run all of it.
    """
    operations = [node for node in graph.graph.nodes if is_operation(node)]
    reasons: dict[torch.fx.Node, Problem] = {}
    for node in operations:
        reason = why_not(node)
        if reason and is_random(node):
            raise reason  # the numbers are those of PyTorch only if it runs the original operations
        if reason:
            reasons[node] = reason
    while True:
        try:
            return compile_parts(graph, weights, options, say, reasons) if reasons else lower_whole(graph, weights, options)()
        except Refused as refused:
            known = len(reasons)
            reasons.update((node, refused) for node in operations if node.target == refused.target and node not in reasons)
            if len(reasons) == known:
                raise


def compile_parts(graph: Graph, weights: set[int], options: Options, say: collections.abc.Callable[[str], None],
                  reasons: dict[torch.fx.Node, Problem]) -> Callable:
    why = "; ".join(dict.fromkeys(each.brief for each in reasons.values()))
    steps = split(graph, reasons.__contains__)
    parts = [step for step in steps if isinstance(step, Part)]
    if not parts:
        raise Problem(why)
    placeholders = [node for node in graph.graph.nodes if node.op == "placeholder"]
    fixed = {placeholders[position] for position in weights}

    # All parts are lowered before the first one is compiled, which takes far longer: an operation that cannot be lowered changes the parts.
    lowered = {
        id(part): lower_whole(part.graph, {position
                                           for position, node in enumerate(part.inputs)
                                           if node in fixed}, options)
        for part in parts
    }
    joined = join(graph, steps, lambda part: lowered.pop(id(part))())
    counters["tpp"]["graphs_split"] += 1
    outside = count_operations(step for step in steps if not isinstance(step, Part))
    say(f"tpp: {outside} of {count_operations(graph.graph.nodes)} operations run in PyTorch, the others in compiled parts, {len(parts)} in all: {why}")
    return lambda arguments: joined(*arguments)


def lower_whole(graph: Graph, weights: set[int], options: Options) -> collections.abc.Callable[[], Callable]:
    """Lowers a graph that is a function, or finds it in the cache. Returns what compiles it. Both raise Problem."""
    function = make_function(graph, weights)
    if not function.results:  # nothing is computed
        return lambda: lambda arguments: graph(*arguments)
    find = find_or_lower(function, options)

    def compile_whole() -> Callable:
        model = find()
        counters["tpp"]["graphs_compiled"] += 1
        log.debug("compiled: %s", model.report())
        call = _native.TorchCall(model=model,
                                 inputs=function.inputs,
                                 weights=function.weights,
                                 tensors=function.tensors,
                                 results=function.results,
                                 mutated=function.mutated,
                                 constants=function.constants,
                                 returned=[(getattr(_native.Origin, origin), index, view) for origin, index, view in function.returned])
        _calls[next(_numbers)] = call
        if function.weights:  # PyTorch has more to do before the first call packs them
            try:
                threading.Thread(target=model.touch_weights, name="tpp weights").start()
            except RuntimeError as error:  # no thread: the first call allocates their memory
                log.debug("the memory of weights is not allocated ahead: %s", error)
        return typing.cast(Callable, call)

    return compile_whole


def find_or_lower(function: Function, options: Options) -> collections.abc.Callable[[], _native.Model]:
    """Finds the model of a function in the cache, or lowers the function. Returns what gives the model, compiling it if it was not found."""
    cache = user_cache() if options.cache and not options.programs else None
    key = Cache.key("torch", torch.__version__, importlib.metadata.version("torch-mlir"), hash_of_importer(), options.key(), function.digest()) if cache else ""
    found = cache.load(key) if cache else None
    if found:
        counters["tpp"]["cache_hits"] += 1
        return lambda: found
    reason = cache.load_reason(key) if cache else None
    if reason:
        raise refuse(function, reason["node"], reason["why"])
    from tpp.importing.torch_lowering import to_linalg  # imports torch-mlir
    try:
        program = to_linalg(function.module(), function.weight_arguments)
    except Problem as problem:
        if problem.node is None:
            raise
        if cache:
            cache.store_reason(key, {"node": problem.node, "why": problem.brief})
        raise refuse(function, problem.node, problem.brief) from problem
    if options.programs:
        save_program(pathlib.Path(options.programs), program)

    def compile_program() -> _native.Model:
        try:
            model = _native.compile(program=program, name="the graph", **options.for_compiler())
        except Error as error:
            raise Problem(str(error)) from error
        if cache:
            cache.store(key, model)
        return model

    return compile_program


def save_program(folder: pathlib.Path, program: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"graph{next(_programs)}.mlir"
    path.write_bytes(program)
    log.info("wrote %s", path)


def refuse(function: Function, number: int, why: str) -> Problem:
    node = list(function.graph.nodes)[number]
    return Refused(function.sources.get(node, node), why)


@functools.cache
def hash_of_importer() -> str:
    """Of the sources that make programs of graphs."""
    folder = pathlib.Path(__file__).parent / "importing"
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(folder.glob("*.py")))).hexdigest()


user_cache = functools.cache(Cache.of_user)
