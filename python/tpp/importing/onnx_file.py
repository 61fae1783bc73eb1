"""Reads ONNX files."""
from __future__ import annotations

import collections.abc
import os
import typing

import numpy
import onnx
from torch_mlir.extras import onnx_importer

from tpp.importing import lowering, onnx_functions, onnx_graph, onnx_meanings, onnx_versions, pixels, quantized, sampling, spectra
from tpp.importing.lowering import first_line
from tpp.importing.problem import Problem

LARGE = 1024  # bytes; larger constants of floats and 8-bit integers are weights
WEIGHT_TYPES = {onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE, onnx.TensorProto.FLOAT16, onnx.TensorProto.INT8, onnx.TensorProto.UINT8}

Shapes = collections.abc.Sequence[collections.abc.Sequence[int]]
Constants = collections.abc.Mapping[str, typing.Any]


def inputs_of(graph: onnx.GraphProto) -> list[onnx.ValueInfoProto]:
    """The inputs that are no constants with a default."""
    weights = {each.name for each in graph.initializer}
    return [each for each in graph.input if each.name not in weights]


def fix_values(graph: onnx.GraphProto, constants: Constants) -> dict[str, numpy.ndarray[typing.Any, typing.Any]]:
    """Makes constants of inputs, by their names. A value is an array or a number. Returns them as arrays of the inputs' types. Raises Problem."""
    arrays = {}
    for name, value in constants.items():
        inputs = {each.name: each for each in inputs_of(graph)}
        if name not in inputs:
            raise Problem(f"the model has no input '{name}' to make a constant of; it has {', '.join(inputs) or 'none'}")
        kind = inputs[name].type.tensor_type
        dtype = numpy.dtype(onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type))
        array = constant_array(value, dtype)
        if array is None:
            raise Problem(f"input '{name}' has elements of type {dtype}, which cannot be {value!r}")
        extents = [onnx_graph.extent_of(dim) for dim in kind.shape.dim]
        if array.size == 1 and all(each in (None, 1) for each in extents):
            array = array.reshape([1] * len(extents))
        if array.ndim != len(extents) or any(each not in (None, extent) for each, extent in zip(extents, array.shape)):
            raise Problem(f"input '{name}' has the shape {show(extents)}, its constant {show(array.shape)}")
        graph.input.remove(inputs[name])
        graph.initializer.append(onnx.numpy_helper.from_array(array, name))
        arrays[name] = array
    return arrays


def constant_array(value: typing.Any, dtype: numpy.dtype[typing.Any]) -> numpy.ndarray[typing.Any, typing.Any] | None:
    """A number or an array with elements of another type, or None if they do not have these values: floats are rounded, integers are not."""
    try:
        given = numpy.asarray(value)
    except ValueError:  # lists of different lengths
        return None
    if given.dtype.kind not in "biuf":
        return None
    with numpy.errstate(all="ignore"):
        array = given.astype(dtype)
        same = numpy.isfinite(array) == numpy.isfinite(given) if array.dtype.kind == "f" else array == given
    return array if same.all() else None


def show(extents: collections.abc.Sequence[int | None]) -> str:
    return "[" + ", ".join("?" if each is None else str(each) for each in extents) + "]"


def fix_shapes(graph: onnx.GraphProto, shapes: Shapes | None, option: str, example: collections.abc.Callable[[list[str]], str]) -> None:
    """Sets the shapes of the inputs. `option` names what gave them, `example` formats shapes as that wants them. Raises Problem if a size stays
    dynamic."""
    inputs = inputs_of(graph)
    if shapes is not None and len(shapes) != len(inputs):
        raise Problem(f"{option} names {len(shapes)} inputs, the model has {len(inputs)}: {', '.join(each.name for each in inputs)}")
    for number, each in enumerate(inputs):
        shape = each.type.tensor_type.shape
        if shapes is not None:
            if len(shapes[number]) != len(shape.dim):
                raise Problem(f"input '{each.name}' has {len(shape.dim)} dimensions, {len(shapes[number])} are given")
            for dim, extent in zip(shape.dim, shapes[number]):
                if onnx_graph.extent_of(dim) not in (None, extent):
                    raise Problem(f"input '{each.name}' has a size of {dim.dim_value} where {extent} is given")
                dim.dim_value = extent
        open_sizes = [dim.dim_param or "?" for dim in shape.dim if onnx_graph.extent_of(dim) is None]
        if open_sizes:
            examples = ["x".join(str(onnx_graph.extent_of(dim) or 1) for dim in other.type.tensor_type.shape.dim)
                        for other in inputs]
            raise Problem(f"input '{each.name}' has dynamic sizes ({', '.join(open_sizes)}); TPP needs static ones: "
                          f"give every input's shape, for instance {example(examples)}")


def load(path: str, fix: collections.abc.Callable[[onnx.GraphProto], None]) -> onnx.ModelProto:
    """Reads a file; `fix` gives its inputs static shapes, or makes constants of them. The result has inferred shapes, no functions, and no operators that tpp.importing
    rewrites. Raises Problem."""
    try:
        proto = onnx.load(path)
        onnx.checker.check_model(path)
    except Exception as error:
        raise Problem(f"{path}: not a sound ONNX file: {first_line(error)}") from error
    for each in proto.opset_import:
        each.domain = "" if each.domain == "ai.onnx" else each.domain
    proto = onnx_versions.converted(proto)
    onnx_functions.evaluate(proto)  # scales may be computed, too
    quantized.remove_quantized_operators(proto)
    fix(proto.graph)
    # The exporter's shapes may contain the dynamic sizes that are now fixed, and some are wrong: remove and infer them again.
    del proto.graph.value_info[:]
    declared = [onnx.TypeProto.FromString(each.type.SerializeToString()).tensor_type for each in proto.graph.output]
    for each in proto.graph.output:
        each.type.tensor_type.ClearField("shape")
    name = os.path.basename(path)
    try:
        proto = onnx_functions.simplify(proto)
    except Exception as error:
        raise Problem(f"{name}: its shapes cannot be inferred: {first_line(error)}") from error
    for each, kind in zip(proto.graph.output, declared):
        if onnx_graph.shape_of(each.type.tensor_type) is None and onnx_graph.shape_of(kind) is not None:
            each.type.tensor_type.CopyFrom(kind)
    try:
        for rewrite in (onnx_meanings.restate, quantized.compare_as_float, pixels.select_pixels, sampling.compute_places, spectra.multiply_spectra):
            if rewrite(proto):
                proto = onnx_functions.inferred(proto)  # the next one needs the types of new values
    except Problem:
        raise
    except Exception as error:
        raise Problem(f"{name} cannot be rewritten for torch-mlir: {type(error).__name__}: {first_line(error)}") from error
    refuse_misread(proto.graph)
    return proto


def refuse_misread(graph: onnx.GraphProto) -> None:
    """Raises Problem for nodes that torch-mlir would lower to something else, without saying so."""
    check(graph, {}, within="")


def check(graph: onnx.GraphProto, outer: dict[str, typing.Any], within: str) -> None:
    """Raises Problem for nodes of a graph, or of a body of the operator `within`, to which nothing has been done."""
    types = {**outer, **onnx_graph.types_of(graph)}
    for node in graph.node:
        why = misread(node, types, graph) or (misread_in_body(node, types, graph) if within else "")
        if why:
            place = f" in a body of {within}" if within else ""
            raise Problem(f"'{node.name or next(filter(None, node.output), '')}' ({node.op_type}) is not supported{place}: {why}")
        for body in onnx_graph.bodies_of(node):
            check(body, types, node.op_type)


def misread_in_body(node: onnx.NodeProto, types: dict[str, typing.Any], graph: onnx.GraphProto) -> str:
    """The same for operators that are rewritten, but not in bodies."""
    kind = onnx_graph.element(types, node.input[0]) if node.input else onnx.TensorProto.UNDEFINED
    if node.op_type in ("Abs", "Clip", "Div", "Mod") and kind in (*onnx_meanings.UNSIGNED, onnx.TensorProto.UNDEFINED):
        return "its elements may be integers without a sign"
    if node.op_type == "Sign" and kind not in (onnx.TensorProto.INT8, onnx.TensorProto.INT16, onnx.TensorProto.INT32, onnx.TensorProto.INT64):
        return "that of NaN would be 0"
    if node.op_type == "MaxPool" and len(node.output) > 1 and node.output[1]:
        return "its indices would count other elements"
    if node.op_type == "Pad":
        pads = constant_of(graph, node.input[1]) if len(node.input) > 1 else numpy.array(onnx_graph.attributes_of(node).get("pads", [-1]))
        if pads is None or pads.min(initial=0) < 0 or onnx_graph.attributes_of(node).get("mode", b"constant") != b"constant":
            return "it may remove elements or repeat some"
    return "images are resized elsewhere only" if node.op_type in ("Resize", "Upsample", "GridSample") else ""


def misread(node: onnx.NodeProto, types: dict[str, typing.Any], graph: onnx.GraphProto) -> str:
    """What torch-mlir would lower to something else; empty if nothing."""
    given, options = dict(enumerate(node.input)), onnx_graph.attributes_of(node)
    if node.domain not in ("", "ai.onnx"):  # torch-mlir would take it for an operator of ONNX of the same name
        return f"it is an operator of {node.domain}, not of ONNX"
    if node.op_type in ("RNN", "GRU", "LSTM"):
        if given.get(7):
            return "it has peepholes (input P)"
        if {each.decode() for each in options.get("activations", [])} - {"Sigmoid", "Tanh", "Relu"}:
            return "it has other activations than Sigmoid, Tanh and Relu"
        if "clip" in options:
            return "it has the attribute clip"
        lengths, shape = constant_of(graph, given.get(4, "")), onnx_graph.shape_of(types.get(node.input[0]))
        if given.get(4) and (lengths is None or shape is None or any(lengths != shape[1 if options.get("layout") else 0])):
            return "it has sequences of different lengths (input sequence_lens)"
    elif node.op_type in ("DFT", "STFT"):
        return "its sizes are computed or too large, its inputs are not those that ONNX describes, or one half of a complex spectrum is asked for"
    elif node.op_type == "DequantizeLinear" and given.get(2) in types:
        zero = types[given[2]]
        if zero.elem_type == onnx.TensorProto.UINT8 and any(dim.dim_value != 1 for dim in zero.shape.dim):  # that of constants has a sign now
            return "it has an unsigned zero point for each channel"
    elif node.op_type in ("TopK", "Pow") and onnx_graph.element(types, node.input[0]) in onnx_meanings.UNSIGNED:
        return "integers without a sign " + ("are compared as others" if node.op_type == "TopK" else "lose digits")
    elif node.op_type == "MaxPool" and len(node.output) > 1 and node.output[1]:
        pads = options.get("pads", [])
        if options.get("storage_order") or options.get("auto_pad", b"NOTSET") != b"NOTSET" or pads[:len(pads) // 2] != pads[len(pads) // 2:]:
            return "its indices would count other elements; rows first and equal padding on both sides are supported"
    return ""


def constant_of(graph: onnx.GraphProto, name: str) -> numpy.ndarray[typing.Any, typing.Any] | None:
    return next((onnx.numpy_helper.to_array(each) for each in graph.initializer if each.name == name), None)


def to_torch(proto: onnx.ModelProto, path: str, entry: str) -> typing.Any:
    """The model as a function of torch-mlir's dialect. Raises Problem."""
    try:
        info = onnx_importer.ModelInfo(proto, config=onnx_importer.Config())
        module = info.create_module(context=lowering.new_context())
        operation = module.operation
        onnx_importer.NodeImporter.define_function(info.main_graph, operation).import_all()
        function = operation.regions[0].blocks[0].operations[0]
        with operation.context:
            function.attributes["sym_name"] = lowering.ir.StringAttr.get(entry)
    except Exception as error:
        raise Problem(f"torch-mlir cannot read {path}: {first_line(error)}") from error
    return operation


def take_weights(graph: onnx.GraphProto, folder: str) -> list[numpy.ndarray[typing.Any, typing.Any]]:
    """Makes the large constants the last inputs of the graph, and returns their values."""
    taken = [each for each in graph.initializer if each.data_type in WEIGHT_TYPES and
             numpy.prod(each.dims) * onnx.helper.tensor_dtype_to_np_dtype(each.data_type).itemsize > LARGE]
    names = {each.name for each in taken}
    values = [onnx.numpy_helper.to_array(each, folder) for each in taken]
    kept = [each for each in graph.initializer if each.name not in names]
    inputs = [each for each in graph.input if each.name not in names]
    inputs += [onnx.helper.make_tensor_value_info(each.name, each.data_type, list(each.dims)) for each in taken]
    del graph.initializer[:], graph.input[:]
    graph.initializer.extend(kept)
    graph.input.extend(inputs)
    return values


def lower(proto: onnx.ModelProto, operation: typing.Any) -> None:
    """Lowers what `to_torch` has made, and marks the arguments and results whose integers are unsigned, which torch-mlir does not keep. Raises Problem."""
    version = onnx_graph.opset_of(proto)
    try:
        lowering.lower(operation, from_onnx=True)
    except Problem as problem:
        if version >= onnx_versions.OPSET:
            raise
        raise Problem(f"{problem}\n  the model uses version {version} of ONNX's operators, which has not been converted to version {onnx_versions.OPSET}") from problem

    def unsigned(values: collections.abc.Iterable[onnx.ValueInfoProto]) -> list[bool]:
        types = (onnx.helper.tensor_dtype_to_np_dtype(each.type.tensor_type.elem_type) for each in values)
        return [numpy.issubdtype(each, numpy.unsignedinteger) for each in types]

    lowering.mark_unsigned(operation, unsigned(inputs_of(proto.graph)), unsigned(proto.graph.output))


def compile_to_mlir(path: str, shapes: Shapes | None, constants: Constants) -> tuple[bytes, dict[int, numpy.ndarray[typing.Any, typing.Any]]]:
    """The program in MLIR, and the values of the arguments that are weights, by their index. Raises Problem."""

    def example(each: list[str]) -> str:
        return "shapes=[" + ", ".join("(" + text.replace("x", ", ") + ("," if "x" not in text else "") + ")" for text in each) + "]"

    def fix(graph: onnx.GraphProto) -> None:
        fix_values(graph, constants)
        fix_shapes(graph, shapes, "shapes", example)

    proto = load(path, fix)
    count = len(inputs_of(proto.graph))
    weights = take_weights(proto.graph, os.path.dirname(path))
    operation = to_torch(proto, path, "main")
    lower(proto, operation)
    return operation.get_asm().encode(), dict(enumerate(weights, count))
