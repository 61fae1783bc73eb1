"""Problems in the form each program needs: MLIR, ONNX, a PyTorch function, the answer. Needs numpy and onnx; PyTorch is optional."""
import importlib.machinery
import importlib.util
import math
import os
import warnings

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
    """inputs: the arguments, in order; bf16 as f32. expected: the results, in order. mlir, onnx: files; onnx may be None. openvino: a file
    in another form for OpenVINO. torch(module): [(description, function of no arguments that returns the results), ...]; the fastest is
    used. flags: of tpp-run."""

    def __init__(self, problem, inputs, expected, mlir, onnx_file, torch, openvino=None, flags=()):
        self.problem, self.inputs, self.expected = problem, inputs, expected
        self.mlir, self.onnx, self.torch, self.openvino, self.flags = mlir, onnx_file, torch, openvino or onnx_file, list(flags)


def round_to_bf16(values):
    """f32 values rounded to nearest even bf16."""
    bits = values.astype("<f4").view("<u4")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & numpy.uint32(0xFFFF0000)).view("<f4")


def bf16_bits(values):
    return (round_to_bf16(values).view("<u4") >> 16).astype("<u2")


def from_bf16_bits(bits):
    return (bits.astype("<u4") << 16).view("<f4")


def normal(generator, rows, columns, scale=1.0):
    return generator.standard_normal((rows, columns), dtype=numpy.float32) * numpy.float32(scale)


def save_onnx(path, nodes, inputs, constants, output_shape, output_type=onnx.TensorProto.FLOAT):
    kinds = {name: onnx.helper.np_dtype_to_tensor_dtype(value.dtype) for name, value in inputs.items()}
    graph = onnx.helper.make_graph(
        nodes, "problem", [onnx.helper.make_tensor_value_info(name, kinds[name], value.shape) for name, value in inputs.items()],
        [onnx.helper.make_tensor_value_info("result", output_type, output_shape)],
        [onnx.numpy_helper.from_array(value, name) for name, value in constants.items()])
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", OPSET)], ir_version=IR_VERSION), path)


def matmul_text(problem, a, b):
    """The matmul as torch-mlir writes it: linalg on tensors, with transposed operands expressed by indexing maps."""
    m, n, _ = problem.sizes
    constant, ta, tb = (flag in problem.flags for flag in ("constant", "ta", "tb"))
    element, sum_type = {"f32": ("f32", "f32"), "bf16": ("bf16", "bf16"), "u8": ("i8", "i32")}[problem.type]
    zero = "0" if problem.type == "u8" else "0.0"
    a_type, b_type = (f"tensor<{rows}x{columns}x{element}>" for rows, columns in (a.shape, b.shape))
    c_type = f"tensor<{m}x{n}x{sum_type}>"
    maps = ["(k, m)" if ta else "(m, k)", "(n, k)" if tb else "(k, n)", "(m, n)"]
    listed = ", ".join(f"affine_map<(m, n, k) -> {each}>" for each in maps)
    lines = [f"func.func @main(%a: {a_type}" + ("" if constant else f", %b: {b_type}") + f") -> {c_type} {{"]
    if constant:
        lines.append(f"  %b = arith.constant dense_resource<b> : {b_type}")
    lines += [f"  %zero = arith.constant {zero} : {sum_type}", f"  %e = tensor.empty() : {c_type}",
              f"  %f = linalg.fill ins(%zero : {sum_type}) outs(%e : {c_type}) -> {c_type}"]
    if problem.type == "u8":  # linalg.matmul would read both operands as signed
        lines += [f"  %c = linalg.generic {{indexing_maps = [{listed}], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}} "
                  f"ins(%a, %b : {a_type}, {b_type}) outs(%f : {c_type}) {{", "  ^bb0(%x: i8, %y: i8, %sum: i32):",
                  "    %u = arith.extui %x : i8 to i32", "    %s = arith.extsi %y : i8 to i32", "    %p = arith.muli %u, %s : i32",
                  "    %r = arith.addi %sum, %p : i32", "    linalg.yield %r : i32", f"  }} -> {c_type}"]
    else:
        lines += [f"  %c = linalg.matmul indexing_maps = [{listed}] ins(%a, %b : {a_type}, {b_type}) outs(%f : {c_type}) -> {c_type}"]
    lines += [f"  return %c : {c_type}", "}"]
    if constant:
        stored = {"f32": lambda: b.astype("<f4"), "bf16": lambda: bf16_bits(b), "u8": lambda: b}[problem.type]()
        blob = stored.itemsize.to_bytes(4, "little") + stored.tobytes()
        lines += ["{-#", "  dialect_resources: { builtin: { b: \"0x" + blob.hex().upper() + "\" } }", "#-}"]
    return "\n".join(lines) + "\n"


def linear_paths(torch, layers, relu, x):
    """For constant weights: eager linear, and oneDNN's linear on prepacked weights (the result of freezing in torch.compile)."""
    try:
        with torch.inference_mode():
            packed = [(torch.ops.mkldnn._reorder_linear_weight(w, x.shape[0]), b) for w, b in layers]
    except RuntimeError:  # oneDNN has no bf16 on this processor
        packed = None

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

    paths = [("nn.functional.linear", eager)]
    return paths + ([("mkldnn linear, weights packed beforehand", prepacked)] if packed else [])


def torch_type(torch, problem):
    return torch.bfloat16 if problem.type == "bf16" else torch.float32


def integers(generator, a_shape, b_shape):
    """A of u8 and B of i8, small enough that no program's sums of two products leave 16 bits."""
    return generator.integers(0, 128, a_shape, numpy.uint8), generator.integers(-127, 128, b_shape, numpy.int8)


def dequantize(name, scale, constants):
    """An ONNX node that makes floats of the integers `name`."""
    constants[f"{name}_scale"] = numpy.float32(scale)
    return onnx.helper.make_node("DequantizeLinear", [name, f"{name}_scale"], [f"{name}_float"])


def integer_matmul_case(problem, folder, a, b):
    """u8 times i8, summed in i32. OpenVINO gets dequantized operands, which it multiplies as integers; its result is f32."""
    m, n, _ = problem.sizes
    constant, ta, tb = (flag in problem.flags for flag in ("constant", "ta", "tb"))
    mlir, onnx_file, openvino = (os.path.join(folder, name) for name in ("problem.mlir", "problem.onnx", "dequantized.onnx"))
    with open(mlir, "w", encoding="utf-8") as file:
        file.write(matmul_text(problem, a, b))
    variable, fixed = ({"a": a}, {"b": b}) if constant else ({"a": a, "b": b}, {})
    turned = [onnx.helper.make_node("Transpose", [name], [f"{name}_turned"], perm=[1, 0]) for name, flag in (("a", ta), ("b", tb)) if flag]
    left, right = "a_turned" if ta else "a", "b_turned" if tb else "b"
    save_onnx(onnx_file, [*turned, onnx.helper.make_node("MatMulInteger", [left, right], ["result"])], variable, fixed, (m, n),
              onnx.TensorProto.INT32)
    scales = {}
    nodes = [*turned, dequantize(left, 1, scales), dequantize(right, 1, scales),
             onnx.helper.make_node("MatMul", [f"{left}_float", f"{right}_float"], ["result"])]
    save_onnx(openvino, nodes, variable, {**fixed, **scales}, (m, n))

    def torch_paths(torch):
        ours, theirs = torch.from_numpy(a.astype(numpy.int8)), torch.from_numpy(b)
        left, right = ours.t() if ta else ours, theirs.t() if tb else theirs
        return [("_int_mm, A as i8", lambda: [torch._int_mm(left, right)])]

    expected = (a.T if ta else a).astype(numpy.float64) @ (b.T if tb else b)
    return Case(problem, [a] if constant else [a, b], [expected], mlir, onnx_file, torch_paths, openvino)


def matmul_case(problem, folder):
    m, n, k = problem.sizes
    constant, ta, tb = (flag in problem.flags for flag in ("constant", "ta", "tb"))
    generator = numpy.random.default_rng(SEED)
    shapes = (k, m) if ta else (m, k), (n, k) if tb else (k, n)
    if problem.type == "u8":
        return integer_matmul_case(problem, folder, *integers(generator, *shapes))
    a, b = (normal(generator, *shape, 1 / math.sqrt(k)) for shape in shapes)
    if problem.type == "bf16":
        a, b = round_to_bf16(a), round_to_bf16(b)
    mlir, onnx_file = os.path.join(folder, "problem.mlir"), os.path.join(folder, "problem.onnx")
    with open(mlir, "w", encoding="utf-8") as file:
        file.write(matmul_text(problem, a, b))
    node = onnx.helper.make_node("Gemm", ["a", "b"], ["result"], transA=int(ta), transB=int(tb))
    variable, fixed = ({"a": a}, {"b": b}) if constant else ({"a": a, "b": b}, {})
    save_onnx(onnx_file, [node], variable, fixed, (m, n))

    def torch_paths(torch):
        ours, theirs = (torch.from_numpy(value).to(torch_type(torch, problem)) for value in (a, b))
        left, right = ours.t() if ta else ours, theirs.t() if tb else theirs
        result = torch.empty(m, n, dtype=ours.dtype)
        paths = [("mm", lambda: [torch.mm(left, right, out=result)])]
        return paths + (linear_paths(torch, [(right.t().contiguous(), None)], False, left.contiguous()) if constant and not ta else [])

    expected = (a.T if ta else a).astype(numpy.float64) @ (b.T if tb else b)
    return Case(problem, [a] if constant else [a, b], [expected], mlir, onnx_file, torch_paths)


def mlp_case(problem, folder, gen):
    batch, widths = problem.sizes[0], problem.sizes[1:]
    mlir, onnx_file = os.path.join(folder, "problem.mlir"), os.path.join(folder, "problem.onnx")
    options = gen.parse(["mlp", f"--batch={batch}", f"--widths={','.join(map(str, widths))}", f"--type={problem.type}", "--bias",
                         "--activation=relu", "-o", mlir])
    function = gen.Function(options.entry, options.type, gen.Constants(options.seed))
    result, shape, element_type = options.generate(options, function)
    with open(mlir, "w", encoding="ascii") as stream:
        function.write(stream, result, shape, element_type)
    dtypes = {"f32": ("<f4", "<f4"), "bf16": ("<u2", "<u2"), "u8": ("<i1", "<i4")}[problem.type]
    blobs = {name: numpy.frombuffer(data, dtypes[name.endswith("bias")]) for name, _, data in function.constants.blobs}
    if problem.type == "bf16":
        blobs = {name: from_bf16_bits(bits) for name, bits in blobs.items()}
    layers = [(blobs[f"layer{i}_weight"].reshape(k, n), blobs[f"layer{i}_bias"]) for i, (k, n) in enumerate(zip(widths, widths[1:]))]
    generator = numpy.random.default_rng(SEED)
    if problem.type == "u8":
        return integer_mlp_case(problem, layers, [function.scale(k) for k in widths], generator, mlir, onnx_file)
    x = normal(generator, batch, widths[0])
    if problem.type == "bf16":
        x = round_to_bf16(x)

    nodes, constants, value, expected = [], {}, "x", x.astype(numpy.float64)
    for i, (w, b) in enumerate(layers):
        constants.update({f"w{i}": w, f"b{i}": b})
        out = "result" if i + 1 == len(layers) else f"y{i}"
        nodes += [onnx.helper.make_node("Gemm", [value, f"w{i}", f"b{i}"], [f"s{i}"]), onnx.helper.make_node("Relu", [f"s{i}"], [out])]
        value, expected = out, numpy.maximum(expected @ w + b, 0)
    save_onnx(onnx_file, nodes, {"x": x}, constants, expected.shape)

    def torch_paths(torch):
        kind = torch_type(torch, problem)
        tensors = [(torch.from_numpy(w.T.copy()).to(kind), torch.from_numpy(b.copy()).to(kind)) for w, b in layers]
        return linear_paths(torch, tensors, True, torch.from_numpy(x).to(kind))

    return Case(problem, [x], [expected], mlir, onnx_file, torch_paths)


def integer_mlp_case(problem, layers, scales, generator, mlir, onnx_file):
    """Layers of u8: the other programs get them in QDQ form, with zero points of 0 and activations of scale 1."""
    x = generator.integers(0, 256, problem.sizes[:2], numpy.uint8)
    nodes, constants, value, expected = [], {"one": numpy.float32(1), "zero": numpy.uint8(0)}, "x", x.astype(numpy.float64)
    for i, ((w, b), scale) in enumerate(zip(layers, scales)):
        constants.update({f"w{i}": w, f"b{i}": b})
        out = "result" if i + 1 == len(layers) else f"y{i}"
        nodes += [dequantize(value, 1, constants), dequantize(f"w{i}", scale, constants), dequantize(f"b{i}", scale, constants),
                  onnx.helper.make_node("Gemm", [f"{value}_float", f"w{i}_float", f"b{i}_float"], [f"s{i}"]),
                  onnx.helper.make_node("Relu", [f"s{i}"], [f"r{i}"]),
                  onnx.helper.make_node("QuantizeLinear", [f"r{i}", "one", "zero"], [out])]
        value, expected = out, numpy.clip(numpy.rint(numpy.maximum(expected @ w + b, 0) * numpy.float32(scale)), 0, 255)
    save_onnx(onnx_file, nodes, {"x": x}, constants, expected.shape, onnx.TensorProto.UINT8)

    def torch_paths(torch):
        warnings.filterwarnings("ignore", message="torch.quantize_per_tensor")  # deprecated, without a successor for CPUs in PyTorch itself
        quantized = torch._make_per_tensor_quantized_tensor
        packed = [torch.ops.quantized.linear_prepack(quantized(torch.from_numpy(w.T.copy()), scale, 0), torch.from_numpy((b * scale).astype("<f4")))
                  for (w, b), scale in zip(layers, scales)]
        first = quantized(torch.from_numpy(x), 1.0, 0)

        def call():
            y = first
            for layer in packed:
                y = torch.ops.quantized.linear_relu(y, layer, 1.0, 0)
            return [y.int_repr()]

        return [(f"quantized.linear_relu ({torch.backends.quantized.engine})", call)]

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
            with torch.autocast("cpu", torch.bfloat16, enabled=problem.type == "bf16"):
                results = module(*tensors)
            return [each.float() for each in results] if isinstance(results, (tuple, list)) else [results.float()]

        return [("torch.export's program, eager" + (", autocast to bf16" if problem.type == "bf16" else ""), call)]

    flags = ["--precision=bf16"] if problem.type == "bf16" else []
    return Case(problem, inputs, expected, files["mlir"][0], files.get("onnx", [None])[0], torch_paths, flags=flags)


def make_case(problem, folder, gen):
    if problem.kind == "matmul":
        return matmul_case(problem, folder)
    if problem.kind == "mlp":
        return mlp_case(problem, folder, gen)
    return rows_case(problem, folder) if problem.kind == "rows" else model_case(problem)
