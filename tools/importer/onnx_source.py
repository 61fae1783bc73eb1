"""Imports ONNX files. torch-mlir reads them; ONNX Runtime computes the expected outputs."""
import os

import numpy
import onnx
import onnxruntime
from torch_mlir.extras import onnx_importer

from importer import lowering, quantized
from importer.problem import Problem, show_count


def first_line(error):
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__


def inputs_of(graph):
    weights = {each.name for each in graph.initializer}
    return [each for each in graph.input if each.name not in weights]


def fix_shapes(graph, options):
    """Sets the shapes of the inputs from --shape or --input. Raises Problem if a size stays dynamic."""
    inputs = inputs_of(graph)
    asked = options.shape or ([lowering.read_array(path).shape for path in options.input] if options.input else None)
    if asked is not None and len(asked) != len(inputs):
        raise Problem(f"{'--shape' if options.shape else '--input'} names {len(asked)} inputs, {options.model} has {len(inputs)}: "
                      f"{', '.join(each.name for each in inputs)}")
    for number, each in enumerate(inputs):
        shape = each.type.tensor_type.shape
        if asked is not None:
            if len(asked[number]) != len(shape.dim):
                raise Problem(f"input '{each.name}' has {len(shape.dim)} dimensions, {len(asked[number])} are given")
            for dim, extent in zip(shape.dim, asked[number]):
                if dim.HasField("dim_value") and dim.dim_value != extent:
                    raise Problem(f"input '{each.name}' has a size of {dim.dim_value} where {extent} is given")
                dim.dim_value = extent
        open_sizes = [dim.dim_param or "?" for dim in shape.dim if not dim.HasField("dim_value")]
        if open_sizes:
            example = ",".join("x".join(str(dim.dim_value) if dim.HasField("dim_value") else "1" for dim in other.type.tensor_type.shape.dim)
                               for other in inputs)
            raise Problem(f"input '{each.name}' has dynamic sizes ({', '.join(open_sizes)}); tpp-run needs static ones: "
                          f"give every input's shape, for instance --shape={example}")


def show_type(dtype):
    return "zeros and ones" if dtype == numpy.bool_ or numpy.issubdtype(dtype, numpy.integer) else "normal"


class OnnxModel:
    is_onnx, reference = True, "ONNX Runtime"

    def __init__(self, options, proto):
        self.options, self.proto = options, proto
        graph = proto.graph
        count = sum(int(numpy.prod(each.dims)) for each in graph.initializer)
        self.description = f"{len(graph.node)} nodes, {show_count(count)}"
        self.notes, self.inputs = [], {}
        own = numpy.random.default_rng(options.seed + 1)
        for number, each in enumerate(inputs_of(graph)):
            shape = [dim.dim_value for dim in each.type.tensor_type.shape.dim]
            dtype = onnx.helper.tensor_dtype_to_np_dtype(each.type.tensor_type.elem_type)
            if options.input:
                value = lowering.read_array(options.input[number])
                if value.dtype != dtype:
                    raise Problem(f"{options.input[number]}: holds {value.dtype}, input '{each.name}' is {dtype}")
            elif show_type(dtype) == "normal":
                value = own.standard_normal(shape).astype(dtype)
            else:
                value = own.integers(0, 2, shape).astype(dtype)
                self.notes.append(f"input '{each.name}' holds {dtype}: random zeros and ones (other values with --input)")
            self.inputs[each.name] = value

    def arrays(self):
        try:
            settings = onnxruntime.SessionOptions()
            settings.log_severity_level = 3
            session = onnxruntime.InferenceSession(self.options.path, settings, providers=["CPUExecutionProvider"])
            results = session.run(None, self.inputs)
        except Exception as error:
            raise Problem(f"ONNX Runtime cannot compute {self.options.path}: {first_line(error)}") from error
        return list(self.inputs.values()), [numpy.asarray(each) for each in results]

    def export(self, entry):
        try:
            info = onnx_importer.ModelInfo(self.proto, config=onnx_importer.Config())
            module = info.create_module(context=lowering.new_context())
            operation = module.operation
            onnx_importer.NodeImporter.define_function(info.main_graph, operation).import_all()
            function = operation.regions[0].blocks[0].operations[0]
            with operation.context:
                function.attributes["sym_name"] = lowering.ir.StringAttr.get(entry)
        except Exception as error:
            raise Problem(f"torch-mlir cannot read {self.options.path}: {first_line(error)}") from error
        return operation


def load(options):
    try:
        proto = onnx.load(options.path)
        onnx.checker.check_model(options.path)
    except Exception as error:
        raise Problem(f"{options.path}: not a sound ONNX file: {first_line(error)}") from error
    quantized.remove_quantized_operators(proto)
    fix_shapes(proto.graph, options)
    # The exporter's inferred shapes may contain the dynamic sizes that are now fixed: remove and infer them again.
    del proto.graph.value_info[:]
    for each in proto.graph.output:
        if any(not dim.HasField("dim_value") for dim in each.type.tensor_type.shape.dim):
            each.type.tensor_type.ClearField("shape")
    try:
        proto = onnx.shape_inference.infer_shapes(proto, data_prop=True)
        if quantized.compare_as_float(proto):
            proto = onnx.shape_inference.infer_shapes(proto, data_prop=True)
    except Exception as error:
        raise Problem(f"{os.path.basename(options.path)}: its shapes cannot be inferred: {first_line(error)}") from error
    return OnnxModel(options, proto)
