"""Measures relayouts as compiled models, relative to a copy of as many bytes (bench-relayouts)."""
import os
import re
import subprocess
import tempfile

from . import problems, table

BYTES = {"i8": 1, "bf16": 2, "f16": 2, "f32": 4, "i32": 4, "f64": 8, "i64": 8}
EXPECTED = "'transpose TYPE SHAPE PERMUTATION' or '[un]pack TYPE SHAPE INNER_DIMS INNER_TILES OUTER_PERMUTATION'"


def numbers(text):
    return [int(word) for word in re.split("[x,]", text)]


def is_problem(words):
    return (words[0], len(words)) in (("transpose", 4), ("pack", 6), ("unpack", 6)) and words[1] in BYTES


def name_of(words):
    """transpose/f32/64x64-1,0 or pack/f32/64x64-1-16-1,0"""
    return f"{words[0]}/{words[1]}/{'-'.join(words[2:])}"


def tensor(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def describe(words):
    """The model as MLIR, and the shapes of its argument and result."""
    element, shape = words[1], numbers(words[2])
    if words[0] == "transpose":
        order = numbers(words[3])
        result = [shape[dim] for dim in order]
        body = f"linalg.transpose ins(%a : {tensor(shape, element)}) outs(%e : {tensor(result, element)}) permutation = {order}"
        return function(shape, result, element, body), shape, result
    dims, tiles, order = (numbers(word) for word in words[3:])
    outer = list(shape)
    for dim, tile in zip(dims, tiles):
        outer[dim] = -(-outer[dim] // tile)
    packed = [outer[dim] for dim in order] + tiles
    how = f"outer_dims_perm = {order} inner_dims_pos = {dims} inner_tiles = {tiles} into %e"
    if words[0] == "pack":
        types = f"{tensor(shape, element)} -> {tensor(packed, element)}"
        return function(shape, packed, element, f"linalg.pack %a padding_value(%zero : {element}) {how} : {types}"), shape, packed
    types = f"{tensor(packed, element)} -> {tensor(shape, element)}"
    return function(packed, shape, element, f"linalg.unpack %a {how} : {types}"), packed, shape


def function(argument, result, element, body):
    zero = "0" if element.startswith("i") else "0.0"
    return f"""func.func @main(%a: {tensor(argument, element)}) -> {tensor(result, element)} {{
  %zero = arith.constant {zero} : {element}
  %e = tensor.empty() : {tensor(result, element)}
  %r = {body}
  return %r : {tensor(result, element)}
}}
"""


def emit(programs, model, library, *flags):
    """Compiles the model to a shared library. If that fails, records the failure and returns False."""
    command = [programs.path("tpp-run"), model, "--emit=shared", "-o", library, *flags]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        programs.fail(f"{' '.join(command)}: exit code {result.returncode}\n{result.stdout}")
    return result.returncode == 0


def bytes_of(shape, element):
    total = BYTES[element]
    for extent in shape:
        total *= extent
    return str(total)


def measure_all(programs, shapes):
    if not programs.path("tpp-run"):
        programs.fail(f"tpp-run is not in {programs.arguments.build}/bin")
        return []
    results = []
    print(table.head())
    with tempfile.TemporaryDirectory(prefix="tpp-bench-") as folder:
        model, loops, library = (os.path.join(folder, name) for name in ("model.mlir", "loops.so", "model.so"))
        for words in problems.read_problems(shapes, is_problem, EXPECTED):
            name = name_of(words)
            wanted = [threads for threads in programs.arguments.thread_counts
                      if any(re.search(programs.arguments.filter, f"{name}/{set_}/t{threads}") for set_ in ("warm", "huge"))]
            if not wanted:
                continue
            text, argument, result = describe(words)
            with open(model, "w", encoding="utf-8") as file:
                file.write(text)
            if not emit(programs, model, loops, "--pipeline=loops", "--threads=1"):
                continue
            for threads in wanted:
                if emit(programs, model, library, f"--threads={threads}"):
                    results += programs.results_of("bench-relayouts", f"--threads={threads}", library, loops, name,
                                                   bytes_of(argument, words[1]), bytes_of(result, words[1]))
    return results
