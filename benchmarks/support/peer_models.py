"""Problems in the form each program needs: MLIR, ONNX, a PyTorch function, the answer. Needs numpy and onnx; PyTorch is optional."""
import importlib.machinery
import importlib.util
import math
import os

import numpy
import onnx

from . import row_models

OPSET, IR_VERSION = 20, 9  # Gelu needs opset 20
SEED = 0
EPSILON, WEIGHT, BIAS = 1e-5, 1.25, -0.5  # of layernorm, as in row_models


def load_gen(root):
    """Imports tools/gen as a module, so that the other programs can use the weights it writes."""
    path = os.path.join(root, "tools", "gen")
    loader = importlib.machinery.SourceFileLoader("gen", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("gen", loader))
    loader.exec_module(module)
    return module


class Case:
    """inputs: the arguments, in order. expected: the results, in order. mlir, onnx: files; onnx may be None.
    torch(module): [(description, function of no arguments that returns the results), ...]; the fastest is used."""

    def __init__(self, problem, inputs, expected, mlir, onnx_file, torch):
        self.problem, self.inputs, self.expected = problem, inputs, expected
        self.mlir, self.onnx, self.torch = mlir, onnx_file, torch


def normal(generator, rows, columns, scale=1.0):
    return generator.standard_normal((rows, columns), dtype=numpy.float32) * numpy.float32(scale)


def save_onnx(path, nodes, inputs, constants, output_shape):
    kind = onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        nodes, "problem", [onnx.helper.make_tensor_value_info(name, kind, value.shape) for name, value in inputs.items()],
        [onnx.helper.make_tensor_value_info("result", kind, output_shape)],
        [onnx.numpy_helper.from_array(value, name) for name, value in constants.items()])
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", OPSET)], ir_version=IR_VERSION), path)


def matmul_text(problem, a, b):
    """The matmul as torch-mlir writes it: linalg on tensors, with transposed operands expressed by indexing maps."""
    m, n, _ = problem.sizes
    constant, ta, tb = (flag in problem.flags for flag in ("constant", "ta", "tb"))
    a_type, b_type, c_type = (f"tensor<{rows}x{columns}xf32>" for rows, columns in (a.shape, b.shape, (m, n)))
    maps = ["(k, m)" if ta else "(m, k)", "(n, k)" if tb else "(k, n)", "(m, n)"]
    listed = ", ".join(f"affine_map<(m, n, k) -> {each}>" for each in maps)
    lines = [f"func.func @main(%a: {a_type}" + ("" if constant else f", %b: {b_type}") + f") -> {c_type} {{"]
    if constant:
        lines.append(f"  %b = arith.constant dense_resource<b> : {b_type}")
    lines += ["  %zero = arith.constant 0.0 : f32", f"  %e = tensor.empty() : {c_type}",
              f"  %f = linalg.fill ins(%zero : f32) outs(%e : {c_type}) -> {c_type}",
              f"  %c = linalg.matmul indexing_maps = [{listed}] ins(%a, %b : {a_type}, {b_type}) outs(%f : {c_type}) -> {c_type}",
              f"  return %c : {c_type}", "}"]
    if constant:
        blob = (4).to_bytes(4, "little") + b.astype("<f4").tobytes()
        lines += ["{-#", "  dialect_resources: { builtin: { b: \"0x" + blob.hex().upper() + "\" } }", "#-}"]
    return "\n".join(lines) + "\n"


def linear_paths(torch, layers, relu, x):
    """For constant weights: eager linear, and oneDNN's linear on prepacked weights (the result of freezing in torch.compile)."""
    with torch.inference_mode():
        packed = [(torch.ops.mkldnn._reorder_linear_weight(w, x.shape[0]), b) for w, b in layers]

    def eager():
        y = x
        for w, b in layers:
            y = torch.nn.functional.linear(y, w, b)
            y = torch.relu_(y) if relu else y
        return [y]

    def prepacked():
        y = x
        for w, b in packed:
            y = torch.ops.mkldnn._linear_pointwise(y, w, b, "relu" if relu else "none", [], "")
        return [y]

    return [("nn.functional.linear", eager), ("mkldnn linear, weights packed beforehand", prepacked)]


def matmul_case(problem, folder):
    m, n, k = problem.sizes
    constant, ta, tb = (flag in problem.flags for flag in ("constant", "ta", "tb"))
    generator = numpy.random.default_rng(SEED)
    a = normal(generator, *((k, m) if ta else (m, k)), 1 / math.sqrt(k))
    b = normal(generator, *((n, k) if tb else (k, n)), 1 / math.sqrt(k))
    mlir, onnx_file = os.path.join(folder, "problem.mlir"), os.path.join(folder, "problem.onnx")
    with open(mlir, "w", encoding="utf-8") as file:
        file.write(matmul_text(problem, a, b))
    node = onnx.helper.make_node("Gemm", ["a", "b"], ["result"], transA=int(ta), transB=int(tb))
    variable, fixed = ({"a": a}, {"b": b}) if constant else ({"a": a, "b": b}, {})
    save_onnx(onnx_file, [node], variable, fixed, (m, n))

    def torch_paths(torch):
        ours, theirs = (torch.from_numpy(value) for value in (a, b))
        left, right = ours.t() if ta else ours, theirs.t() if tb else theirs
        result = torch.empty(m, n)
        paths = [("mm", lambda: [torch.mm(left, right, out=result)])]
        return paths + (linear_paths(torch, [(right.t().contiguous(), None)], False, left.contiguous()) if constant and not ta else [])

    expected = (a.T if ta else a).astype(numpy.float64) @ (b.T if tb else b)
    return Case(problem, [a] if constant else [a, b], [expected], mlir, onnx_file, torch_paths)


def mlp_case(problem, folder, gen):
    batch, widths = problem.sizes[0], problem.sizes[1:]
    mlir, onnx_file = os.path.join(folder, "problem.mlir"), os.path.join(folder, "problem.onnx")
    options = gen.parse(["mlp", f"--batch={batch}", f"--widths={','.join(map(str, widths))}", "--bias", "--activation=relu", "-o", mlir])
    function = gen.Function(options.entry, options.type, gen.Constants(options.seed, options.type))
    result, shape = options.generate(options, function)
    with open(mlir, "w", encoding="ascii") as stream:
        function.write(stream, result, shape)
    blobs = {name: numpy.frombuffer(data, "<f4") for name, data in function.constants.blobs}
    layers = [(blobs[f"layer{i}_weight"].reshape(k, n), blobs[f"layer{i}_bias"]) for i, (k, n) in enumerate(zip(widths, widths[1:]))]
    x = normal(numpy.random.default_rng(SEED), batch, widths[0])

    nodes, constants, value, expected = [], {}, "x", x.astype(numpy.float64)
    for i, (w, b) in enumerate(layers):
        constants.update({f"w{i}": w, f"b{i}": b})
        out = "result" if i + 1 == len(layers) else f"y{i}"
        nodes += [onnx.helper.make_node("Gemm", [value, f"w{i}", f"b{i}"], [f"s{i}"]), onnx.helper.make_node("Relu", [f"s{i}"], [out])]
        value, expected = out, numpy.maximum(expected @ w + b, 0)
    save_onnx(onnx_file, nodes, {"x": x}, constants, expected.shape)

    def torch_paths(torch):
        tensors = [(torch.from_numpy(w.T.copy()), torch.from_numpy(b.copy())) for w, b in layers]
        return linear_paths(torch, tensors, True, torch.from_numpy(x))

    return Case(problem, [x], [expected], mlir, onnx_file, torch_paths)


def erf(x):
    """erf of each element: a table and three Taylor terms between its entries. numpy has no erf, and a loop over math.erf is too slow."""
    step = 1.0 / 4096
    places = numpy.rint(numpy.clip(x, -6, 6) / step)
    table = numpy.array([math.erf(i * step) for i in range(int(6 / step) + 1)])
    at = places * step
    off = numpy.clip(x, -6, 6) - at
    slope = 2 / math.sqrt(math.pi) * numpy.exp(-at * at)
    return numpy.sign(places) * table[numpy.abs(places).astype(int)] + slope * off * (1 - at * off + (4 * at * at - 2) / 6 * off * off)


def rows_expected(kind, x):
    x = x.astype(numpy.float64)
    if kind in ("exp", "tanh"):
        return getattr(numpy, kind)(x)
    if kind == "gelu":
        return x * 0.5 * (1 + erf(x / math.sqrt(2)))
    if kind == "softmax":
        powers = numpy.exp(x - x.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)
    centred = x - x.mean(axis=1, keepdims=True)
    return centred / numpy.sqrt((centred**2).mean(axis=1, keepdims=True) + EPSILON) * WEIGHT + BIAS


def rows_case(problem, folder):
    rows, columns = problem.sizes
    kind = problem.row_kind
    x = normal(numpy.random.default_rng(SEED), rows, columns)
    mlir, onnx_file = os.path.join(folder, "problem.mlir"), os.path.join(folder, "problem.onnx")
    with open(mlir, "w", encoding="utf-8") as file:
        file.write(row_models.model(kind, rows, columns))
    weights = {"w": WEIGHT, "b": BIAS} if kind == "layernorm" else {}
    weights = {name: numpy.full(columns, value, numpy.float32) for name, value in weights.items()}
    name, attributes = {"exp": ("Exp", {}), "tanh": ("Tanh", {}), "gelu": ("Gelu", {}), "softmax": ("Softmax", {"axis": -1}),
                        "layernorm": ("LayerNormalization", {"axis": -1, "epsilon": EPSILON})}[kind]
    save_onnx(onnx_file, [onnx.helper.make_node(name, ["x", *weights], ["result"], **attributes)], {"x": x}, weights, x.shape)

    def torch_paths(torch):
        # Results are written to existing memory, as by TPP: allocating 64 MiB anew costs more than the computation.
        aten, tensor, y = torch.ops.aten, torch.from_numpy(x), torch.empty(rows, columns)
        vectors = [torch.from_numpy(value) for value in weights.values()]
        mean, scale = torch.empty(rows, 1), torch.empty(rows, 1)
        call = {
            "exp": lambda: torch.exp(tensor, out=y),
            "tanh": lambda: torch.tanh(tensor, out=y),
            "gelu": lambda: aten.gelu.out(tensor, out=y),
            "softmax": lambda: aten._softmax.out(tensor, -1, False, out=y),
            "layernorm": lambda: aten.native_layer_norm.out(tensor, [columns], *vectors, EPSILON, out0=y, out1=mean, out2=scale)[0]
        }[kind]
        return [(f"{kind}, result given", lambda: [call()])]

    return Case(problem, [x], [rows_expected(kind, x)], mlir, onnx_file, torch_paths)


def model_case(problem):
    files = {what: [path for each, path in problem.files if each == what] for what, _ in problem.files}
    inputs, expected = ([numpy.load(path) for path in files[what]] for what in ("in", "out"))

    def torch_paths(torch):
        if "pt2" not in files:
            return []
        module, tensors = torch.export.load(files["pt2"][0]).module(), [torch.from_numpy(value) for value in inputs]

        def call():
            results = module(*tensors)
            return list(results) if isinstance(results, (tuple, list)) else [results]

        return [("torch.export's program, eager", call)]

    return Case(problem, inputs, expected, files["mlir"][0], files.get("onnx", [None])[0], torch_paths)


def make_case(problem, folder, gen):
    if problem.kind == "matmul":
        return matmul_case(problem, folder)
    if problem.kind == "mlp":
        return mlp_case(problem, folder, gen)
    return rows_case(problem, folder) if problem.kind == "rows" else model_case(problem)
