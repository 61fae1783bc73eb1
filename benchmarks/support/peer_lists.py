"""Reads lists of problems to compare programs on (format: head comment of benchmarks/shapes/peers.txt). Needs no peer."""
import dataclasses
import math
import os
import re

FLAGS = ("constant", "ta", "tb")
MARKS = ("short", "scaling")
TYPES = ("f32", "bf16", "u8")
ROW_KINDS = ("exp", "tanh", "gelu", "softmax", "layernorm")
LARGEST_SIZE = 1 << 16
EXPECTED = ("expected 'matmul M N K [constant] [ta] [tb]', 'mlp BATCH WIDTH,WIDTH[,...]', 'rows KIND ROWSxCOLUMNS' (kinds: "
            f"{', '.join(ROW_KINDS)}), each with [short] [scaling], or 'group NAME'")


class ListError(Exception):
    """An error in a list or in a folder of models; its text is the whole message."""


@dataclasses.dataclass(frozen=True)
class Problem:
    """One problem. sizes: M N K, or BATCH WIDTH..., or ROWS COLUMNS; empty for a model, which consists of files. type: of A and the
    activations, one of TYPES."""
    kind: str
    sizes: tuple = ()
    flags: tuple = ()
    group: str = ""
    marks: frozenset = frozenset()
    row_kind: str = ""
    files: tuple = ()  # of a model: (role, path), ...
    type: str = "f32"

    @property
    def name(self):
        """The start of a benchmark name: <op>/<type>/<shape>."""
        if self.kind == "model":
            return f"model/{self.type}/{self.row_kind}"
        shape = "x".join(map(str, self.sizes))
        return f"{self.row_kind or self.kind}/{self.type}/" + "-".join([shape, *self.flags])

    @property
    def flops(self):
        """Floating-point operations of the contractions in a call; None for a model, where tpp-run counts them."""
        if self.kind == "matmul":
            return 2 * math.prod(self.sizes)
        if self.kind == "mlp":
            return sum(2 * self.sizes[0] * k * n for k, n in zip(self.sizes[1:], self.sizes[2:]))
        return 0 if self.kind == "rows" else None

    @property
    def bytes(self):
        """Bytes that a row kernel transfers if it reads its argument once and writes its result once."""
        return 2 * 4 * math.prod(self.sizes) if self.kind == "rows" else None

    @property
    def native_words(self):
        """The arguments of bench-peers for this problem; None if it does not support it."""
        if self.type != "f32":
            return None
        if self.kind == "matmul":
            return ["matmul", *map(str, self.sizes), *self.flags]
        if self.kind == "mlp":
            return ["mlp", str(self.sizes[0]), ",".join(map(str, self.sizes[1:]))]
        return None


def sizes_of(texts):
    """The sizes as a tuple, or None if one of the texts is no valid size."""
    if not all(re.fullmatch("[1-9][0-9]{0,4}", text) and int(text) <= LARGEST_SIZE for text in texts):
        return None
    return tuple(map(int, texts))


def parse_problem(words, group):
    """The problem of a line, or None if the line is invalid."""
    kind, rest = words[0], list(words[1:])
    marks = set()
    while rest and rest[-1] in MARKS and rest[-1] not in marks:
        marks.add(rest.pop())
    flags, row_kind = (), ""
    if kind == "matmul":
        flags = tuple(flag for flag in FLAGS if flag in rest[3:])
        if len(rest) != 3 + len(flags):
            return None
        texts = rest[:3]
    elif kind == "mlp" and len(rest) == 2:
        texts = [rest[0], *rest[1].split(",")]
        if len(texts) < 3:
            return None
    elif kind == "rows" and len(rest) == 2 and rest[0] in ROW_KINDS:
        row_kind, texts = rest[0], rest[1].split("x")
        if len(texts) != 2:
            return None
    else:
        return None
    sizes = sizes_of(texts)
    return sizes and Problem(kind, sizes, flags, group, frozenset(marks), row_kind)


def read_list(path):
    """The problems of a file, in order. Raises ListError with file and line."""
    problems, group, names = [], "", {}
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ListError(f"{path}: cannot read: {error}") from error
    for number, line in enumerate(lines, 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] == "group" and len(words) > 1:
            group = " ".join(words[1:])
            continue
        problem = parse_problem(words, group)
        if not problem:
            raise ListError(f"{path}:{number}: {EXPECTED}")
        if problem.name in names:
            raise ListError(f"{path}:{number}: '{problem.name}' stands in line {names[problem.name]} already")
        names[problem.name] = number
        problems.append(problem)
    return problems


def read_lists(choice, shapes):
    """The problems of --list: 'short' and 'full' select from the lists in the folder `shapes`; else files, separated by commas."""
    if choice not in ("short", "full"):
        return [problem for path in choice.split(",") for problem in read_list(path)]
    problems = [problem for name in ("peers.txt", "rows.txt") for problem in read_list(os.path.join(shapes, name))]
    return [problem for problem in problems if choice == "full" or "short" in problem.marks]


def in_type(problem, element_type):
    """The problem with elements of this type; None if it has no such form: row kernels and 8-bit models (a quantized model is quantized by
    itself)."""
    if element_type != "f32" and (problem.kind == "rows" or (problem.kind == "model" and element_type != "bf16")):
        return None
    return dataclasses.replace(problem, type=element_type)


def numbered(folder, name, what):
    """The existing files NAME.in.npy, or NAME.in0.npy, NAME.in1.npy, ..., in order (`what` is in or out)."""
    single = os.path.join(folder, f"{name}.{what}.npy")
    if os.path.exists(single):
        return [single]
    paths = []
    while os.path.exists(path := os.path.join(folder, f"{name}.{what}{len(paths)}.npy")):
        paths.append(path)
    return paths


def read_models(folder):
    """The models of a folder: NAME.mlirbc or NAME.mlir, NAME.in.npy (NAME.in0.npy, ...), NAME.out.npy, and NAME.onnx or NAME.pt2 for the
    peers. Returns (problems, [(name of a skipped model, reason), ...])."""
    try:
        listing = sorted(os.listdir(folder))
    except OSError as error:
        raise ListError(f"--models: {folder}: {error.strerror}") from error
    names = {}
    for file in listing:
        base, extension = os.path.splitext(file)
        if extension in (".mlirbc", ".mlir") and "." not in base and (base not in names or extension == ".mlirbc"):
            names[base] = os.path.join(folder, file)
    if not names:
        raise ListError(f"--models: {folder} holds no NAME.mlirbc and no NAME.mlir")
    problems, left_out = [], []
    for name, model in names.items():
        files = [("mlir", model)]
        files += [(what, path) for what in ("in", "out") for path in numbered(folder, name, what)]
        files += [(what, path) for what in ("onnx", "pt2") if os.path.exists(path := os.path.join(folder, f"{name}.{what}"))]
        have = {what for what, _ in files}
        missing = [f"{name}.{what}.npy" for what in ("in", "out") if what not in have]
        if not have & {"onnx", "pt2"}:
            missing.append(f"{name}.onnx or {name}.pt2")
        if missing:
            left_out.append((name, "no " + ", no ".join(missing)))
        else:
            problems.append(Problem("model", group="Models", row_kind=name, files=tuple(files)))
    return problems, left_out
