"""Imports ONNX files. torch-mlir reads them; ONNX Runtime computes the expected outputs."""
import numpy
import onnx
import onnxruntime
from tpp.importing import onnx_file
from tpp.importing.lowering import first_line
from tpp.importing.problem import Problem

from importer import lowering
from importer.problem import show_count


def fix_shapes(graph, options):
    """Sets the shapes of the inputs from --shape or --input."""
    shapes = options.shape or ([lowering.read_array(path).shape for path in options.input] if options.input else None)
    onnx_file.fix_shapes(graph, shapes, "--shape" if options.shape else "--input", lambda examples: "--shape=" + ",".join(examples))


def show_type(dtype):
    return "zeros and ones" if dtype == numpy.bool_ or numpy.issubdtype(dtype, numpy.integer) else "normal"


class OnnxModel:
    reference = "ONNX Runtime"

    def __init__(self, options, proto, constants):
        self.options, self.proto, self.constants = options, proto, constants
        graph = proto.graph
        count = sum(int(numpy.prod(each.dims)) for each in graph.initializer)
        self.description = f"{len(graph.node)} nodes, {show_count(count)}"
        self.notes, self.inputs = [], {}
        own = numpy.random.default_rng(options.seed + 1)
        for number, each in enumerate(onnx_file.inputs_of(graph)):
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
            results = session.run(None, {**self.inputs, **self.constants})
        except Exception as error:
            raise Problem(f"ONNX Runtime cannot compute {self.options.path}: {first_line(error)}") from error
        return list(self.inputs.values()), [numpy.asarray(each) for each in results]

    def export(self, entry):
        return onnx_file.to_torch(self.proto, self.options.path, entry)

    def lower(self, module):
        onnx_file.lower(self.proto, module)


def load(options):
    given = {name: lowering.read_array(value) if isinstance(value, str) else value for name, value in options.constant}
    constants = {}

    def fix(graph):
        constants.update(onnx_file.fix_values(graph, given))
        fix_shapes(graph, options)

    return OnnxModel(options, onnx_file.load(options.path, fix), constants)
