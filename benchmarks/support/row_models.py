"""Row kernels as MLIR, op by op as torch-mlir writes them: unfused linalg on tensors, with layernorm's variance in f64."""

HERE, ROW, COLUMN = "(d0, d1)", "(d0, 0)", "(d1)"


class Text:
    """Builds a function of one f32 argument; its results have the same shape."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.whole = f"{rows}x{columns}"
        self.row = f"{rows}x1"
        self.x = ("%x", f"{self.whole}xf32", HERE)
        self.lines, self.values = [], 0

    def emit(self, text):
        self.values += 1
        self.lines.append(f"    %{self.values} = {text}")
        return f"%{self.values}"

    def constant(self, value, element="f32"):
        return self.emit(f"arith.constant {value} : {element}")

    def vector(self, value):
        """A constant with one element per column, like weights."""
        return self.emit(f"arith.constant dense<{value}> : tensor<{self.columns}xf32>"), f"{self.columns}xf32", COLUMN

    def filled(self, value, shape):
        element = shape.rpartition("x")[2]
        cst = self.constant(value, element)
        empty = self.emit(f"tensor.empty() : tensor<{shape}>")
        return self.emit(f"linalg.fill ins({cst} : {element}) outs({empty} : tensor<{shape}>) -> tensor<{shape}>")

    def generic(self, operands, body, shape, out_map=HERE, reduces=None):
        """operands: (value, shape with type, map). body: lines with {0}, {1}... for the elements, {out} for the last result; the last
        line defines %r. reduces: the initial value of a reduction."""
        element = shape.rpartition("x")[2]
        out = reduces or self.emit(f"tensor.empty() : tensor<{shape}>")
        maps = ", ".join(f"affine_map<(d0, d1) -> {each}>" for each in [*(operand[2] for operand in operands), out_map])
        names = [f"%in{i}" for i in range(len(operands))]
        arguments = ", ".join(f"{name}: {operand[1].rpartition('x')[2]}" for name, operand in zip(names, operands))
        kinds = '"parallel", "reduction"' if reduces else '"parallel", "parallel"'
        lines = [f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
                 f"ins({', '.join(operand[0] for operand in operands)} : {', '.join(f'tensor<{operand[1]}>' for operand in operands)}) "
                 f"outs({out} : tensor<{shape}>) {{", f"    ^bb0({arguments}, %out: {element}):"]
        lines += ["      " + line.format(*names, out="%out") for line in body]
        lines += [f"      linalg.yield %r : {element}", f"    }} -> tensor<{shape}>"]
        return self.emit("\n".join(lines)), shape, out_map

    def map(self, operands, body, element="f32"):
        return self.generic(operands, body, f"{self.whole}x{element}")

    def map_row(self, operands, body, element="f32"):
        """map for one element per row. Both dimensions are parallel, as torch-mlir writes it."""
        value, shape, _ = self.generic([(value, shape, HERE) for value, shape, _ in operands], body, f"{self.row}x{element}")
        return value, shape, ROW

    def sum(self, operand, element="f32"):
        shape = f"{self.row}x{element}"
        return self.generic([operand], [f"%r = arith.addf {{0}}, {{out}} : {element}"], shape, ROW, self.filled("0.0", shape))

    def function(self, *results):
        kind = f"tensor<{self.whole}xf32>"
        kinds = ", ".join([kind] * len(results))
        values = ", ".join(result[0] for result in results)
        return "\n".join([f"func.func @main(%x: {kind}) -> ({kinds}) {{", *self.lines, f"    return {values} : {kinds}", "}", ""])


def elementwise(text, x, kind):
    if kind == "negf":
        return text.map([x], ["%r = arith.negf {0} : f32"])
    if kind != "gelu":
        return text.map([x], [f"%r = math.{kind} {{0}} : f32"])
    root, one, half = text.constant("1.41421354"), text.constant("1.0"), text.constant("0.5")
    return text.map([x], [f"%q = arith.divf {{0}}, {root} : f32", "%e = math.erf %q : f32", f"%p = arith.addf %e, {one} : f32",
                          f"%h = arith.mulf %p, {half} : f32", "%r = arith.mulf {0}, %h : f32"])


def softmax(text, x):
    rows = text.rows
    start, places = text.filled("0xFF800000", f"{rows}xf32"), text.filled("0", f"{rows}xi64")
    maps = ", ".join(f"affine_map<(d0, d1) -> {each}>" for each in (HERE, "(d0)", "(d0)"))
    # PyTorch's max also returns the index, and the export keeps it.
    most = text.emit(f"""linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "reduction"]}} \
ins({x[0]} : tensor<{x[1]}>) outs({start}, {places} : tensor<{rows}xf32>, tensor<{rows}xi64>) {{
    ^bb0(%in: f32, %out: f32, %at: i64):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in, %out : f32
      %c = arith.cmpf ogt, %in, %out : f32
      %k = arith.select %c, %j, %at : i64
      linalg.yield %m, %k : f32, i64
    }} -> (tensor<{rows}xf32>, tensor<{rows}xi64>)""")
    text.lines[-1] = text.lines[-1].replace(f"{most} =", f"{most}:2 =", 1)
    peak = text.emit(f"tensor.expand_shape {most}#0 [[0, 1]] output_shape [{rows}, 1] : tensor<{rows}xf32> into tensor<{rows}x1xf32>")
    shifted = text.map([x, (peak, f"{rows}x1xf32", ROW)], ["%r = arith.subf {0}, {1} : f32"])
    powers = text.map([shifted], ["%r = math.exp {0} : f32"])
    return text.map([powers, text.sum(powers)], ["%r = arith.divf {0}, {1} : f32"])


def layernorm(text, x):
    columns = text.columns
    wide = text.map([x], ["%r = arith.extf {0} : f32 to f64"], "f64")
    count = text.constant(f"{columns}.0", "f64")
    mean = text.map_row([text.sum(wide, "f64")], [f"%r = arith.divf {{0}}, {count} : f64"], "f64")
    apart = text.map([wide, mean], ["%r = arith.subf {0}, {1} : f64"], "f64")
    squares = text.map([apart, apart], ["%r = arith.mulf {0}, {1} : f64"], "f64")
    variance = text.map_row([text.sum(squares, "f64")], [f"%r = arith.divf {{0}}, {count} : f64"], "f64")
    narrow = text.map_row([variance], ["%r = arith.truncf {0} : f64 to f32"])
    count = text.constant(f"{columns}.0")
    mean = text.map_row([text.sum(x)], [f"%r = arith.divf {{0}}, {count} : f32"])
    epsilon = text.constant("1.0e-5", "f64")
    shifted = text.map_row([narrow], [f"%t = arith.truncf {epsilon} : f64 to f32", "%r = arith.addf {0}, %t : f32"])
    scale = text.map_row([shifted], ["%r = math.rsqrt {0} : f32"])
    centred = text.map([x, mean], ["%r = arith.subf {0}, {1} : f32"])
    normal = text.map([centred, scale], ["%r = arith.mulf {0}, {1} : f32"])
    weighted = text.map([normal, text.vector("1.25")], ["%r = arith.mulf {0}, {1} : f32"])
    return text.map([weighted, text.vector("-0.5")], ["%r = arith.addf {0}, {1} : f32"])


def model(kind, rows, columns):
    """The MLIR text of a function @main. layernorm has weights 1.25, biases -0.5 and epsilon 1e-5."""
    text = Text(rows, columns)
    kinds = {"softmax": softmax, "layernorm": layernorm}
    return text.function(kinds[kind](text, text.x) if kind in kinds else elementwise(text, text.x, kind))
