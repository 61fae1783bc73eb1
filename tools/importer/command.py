"""The command line of tools/import, and the steps from a model to its files."""
import argparse
import ast
import contextlib
import os
import resource
import shlex
import signal
import sys
import traceback

from tpp.importing.problem import Problem
from importer import environment, files
from importer.problem import near, quiet, show_bytes, step

LIBRARIES = ("torchvision", "transformers")
LARGEST = 1 << 24


class Parser(argparse.ArgumentParser):
    def error(self, message):  # argparse would exit with 2, which means "check failed" in this project
        raise Problem(message)


def size(text):
    if not (text.isascii() and text.isdigit()) or not 0 < int(text) <= LARGEST:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size from 1 to {LARGEST}")
    return int(text)


def shapes(text):
    """Parses 1x3x224x224,8 as [(1, 3, 224, 224), (8,)]."""
    return [tuple(size(part) for part in each.split("x")) for each in text.split(",")]


def assignment(text):
    key, equals, value = text.partition("=")
    if not equals or not key.isidentifier():
        raise argparse.ArgumentTypeError(f"'{text}' is not KEY=VALUE")
    try:
        return key, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return key, value


def constant(text):
    """Returns a name, and a number or the path of a .npy file."""
    name, _, value = text.rpartition("=")
    if name and value.endswith(".npy"):
        return name, value
    try:
        number = ast.literal_eval(value)
    except (ValueError, SyntaxError):
        number = None
    if not name or not isinstance(number, (int, float)):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=NUMBER or NAME=FILE.npy")
    return name, number


def seed(text):
    if not (text.isascii() and text.isdigit()) or int(text) >= 1 << 63:
        raise argparse.ArgumentTypeError(f"'{text}' is not a seed from 0 to 2^63-1")
    return int(text)


def make_parser(description):
    parser = Parser(prog="import", usage="tools/import MODEL [flags]\n       tools/import --setup", description=description,
                    formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("model", nargs="?", metavar="MODEL", help="torchvision:NAME, transformers:NAME (a model_type or a folder), FILE.py:NAME or FILE.onnx")
    parser.add_argument("-o", dest="output", metavar="FILE", help="output file (NAME.mlirbc in this folder); text if it ends in .mlir; .npy files go to the same folder")
    parser.add_argument("--weights", metavar="FILE", help="load a state dict (.pt, .pth, .bin or .safetensors) instead of using random weights")
    parser.add_argument("--input", metavar="FILE.npy[,...]", type=lambda text: text.split(","), help="use these inputs instead of random ones")
    parser.add_argument("--shape", metavar="AxBxC[,...]", type=shapes, help="shapes of the inputs, for FILE.py:NAME without example inputs and for ONNX with dynamic sizes")
    parser.add_argument("--constant", metavar="NAME=VALUE", type=constant, action="append", default=[], help="ONNX: an input that is the same in every call: a number or FILE.npy; it is no input then")
    parser.add_argument("--batch", metavar="N", type=size, help="torchvision, transformers: batch size of the input (1)")
    parser.add_argument("--size", metavar="N", type=size, help="torchvision, transformers: height and width of the image (torchvision: mostly 224; transformers: the configuration's)")
    parser.add_argument("--sequence", metavar="N", type=size, help="transformers: number of tokens (128)")
    parser.add_argument("--layers", metavar="N", type=size, help="transformers: num_hidden_layers (default: the architecture's)")
    parser.add_argument("--ids", action="store_true", help="transformers: use token ids (i64) as input instead of embedded tokens (f32)")
    parser.add_argument("--set", metavar="KEY=VALUE", type=assignment, action="append", default=[], help="torchvision, transformers: set a parameter of the model")
    parser.add_argument("--seed", metavar="N", type=seed, default=0, help="seed of random weights and inputs (0)")
    parser.add_argument("--entry", metavar="NAME", default="main", help="name of the function (main)")
    parser.add_argument("--peers", action="store_true", help="also write NAME.onnx and NAME.pt2, the same model for the programs of benchmarks/peers")
    parser.add_argument("--list", metavar="LIBRARY", choices=LIBRARIES, help="print the model names of torchvision or transformers, and stop")
    parser.add_argument("--setup", action="store_true", help="create or update the environment build/import, and stop")
    parser.add_argument("--python", metavar="PATH", default=os.environ.get("TPP_IMPORT_PYTHON") or None,
                        help="interpreter with the packages of tools/importer/requirements.txt (TPP_IMPORT_PYTHON, else build/import)")
    parser.add_argument("--verbose", action="store_true", help="print Python's stack trace with an error")
    return parser


def split_model(text):
    """Returns (kind, name, path). The kind is one of LIBRARIES, py or onnx; the path is None for libraries."""
    head, colon, name = text.rpartition(":")
    if head in LIBRARIES and name:
        return head, name, None
    if text.endswith(".onnx"):
        return "onnx", os.path.basename(text)[:-len(".onnx")], text
    if head.endswith(".py") and name.isidentifier():
        return "py", name, head
    if text.endswith(".py"):
        raise Problem(f"{text}: name a class or function: {text}:NAME")
    if colon and "/" not in head and not head.endswith(".py"):
        raise Problem(f"{text}: unknown library '{head}'{near(head, LIBRARIES)}; known: {', '.join(LIBRARIES)}")
    raise Problem(f"{text}: not a model; expected torchvision:NAME, transformers:NAME, FILE.py:NAME or FILE.onnx")


# Flags that have no effect on a kind of model, and are therefore rejected.
FOREIGN = {
    "torchvision": ("shape", "constant", "sequence", "layers", "ids"),
    "transformers": ("shape", "constant"),
    "py": ("constant", "batch", "size", "sequence", "layers", "ids", "set"),
    "onnx": ("weights", "batch", "size", "sequence", "layers", "ids", "set", "peers"),
}


def parse(words, description):
    options = make_parser(description).parse_args(words)
    if options.setup or options.list:
        if options.setup and options.list:
            raise Problem("--setup and --list exclude each other")
        if options.model:
            raise Problem(f"{'--setup' if options.setup else '--list'} takes no model")
        return options
    if not options.model:
        raise Problem("the following arguments are required: MODEL (or --setup; see --help)")
    options.kind, options.name, options.path = split_model(options.model)
    for flag in FOREIGN[options.kind]:
        if getattr(options, flag):
            raise Problem(f"--{flag} has no effect on {options.model}")
    if not options.entry.isidentifier() or not options.entry.isascii():
        raise Problem(f"argument --entry: '{options.entry}' is not a plain identifier")
    if options.weights and not options.weights.endswith((".pt", ".pth", ".bin", ".safetensors")):
        raise Problem(f"argument --weights: '{options.weights}' must end in .pt, .pth, .bin or .safetensors")
    if options.shape and options.input:
        raise Problem("--shape has no effect with --input, whose files have shapes")
    arrays = [value for _, value in options.constant if isinstance(value, str)]
    for path in [options.path, options.weights, *arrays, *(options.input or [])]:
        if path and not os.path.isfile(path):
            raise Problem(f"{path}: cannot read: {'Is a directory' if os.path.isdir(path) else 'No such file or directory'}")
    options.output = options.output or os.path.basename(options.name.rstrip("/")) + ".mlirbc"
    return options


def show_tensor(array):
    kind = {"f": "f", "i": "i", "u": "u", "b": "i"}.get(array.dtype.kind, array.dtype.name)
    bits = 1 if array.dtype.kind == "b" else array.dtype.itemsize * 8
    return "x".join([*map(str, array.shape), f"{kind}{bits}"])


def convert(options):
    with files.Outputs(options.output) as outputs:
        files.find_mlir_opt()
        with step("start") as now:
            from importer import lowering  # imported here, because earlier steps do not need PyTorch
            now.done("PyTorch and torch-mlir")
        with step("load") as now:
            if options.kind == "onnx":
                from importer import onnx_source
                model = onnx_source.load(options)
            else:
                from importer import sources
                model = sources.load(options)
            now.done(f"{options.model}, {model.description}")
        for note in model.notes:
            print(f"note      {note}")
        with step("compute") as now:
            inputs, results = model.arrays()
            now.done(f"{model.reference}: ({', '.join(map(show_tensor, inputs))}) -> ({', '.join(map(show_tensor, results))})")
        with step("export") as now:
            with contextlib.nullcontext() if options.verbose else quiet():
                module = model.export(options.entry)
            now.done(f"{lowering.count(module)} operations of torch-mlir")
        peers = []
        if options.peers:
            with step("peers") as now:
                peers = [outputs.file(name, save) for name, save in model.peer_files()]
                now.done("the same model for other programs")
        with step("lower") as now:
            model.lower(module)
            lowering.make_resources(module)
            now.done(f"{lowering.count(module)} operations on tensors")
        with step("write") as now:
            written = outputs.module(lambda sink: module.operation.print(file=sink, enable_debug_info=True))
            ins = [outputs.file(f"in{i}.npy", lambda file, x=x: lowering.save(file, x)) for i, x in enumerate(inputs)]
            outs = [outputs.file(f"out{i}.npy", lambda file, x=x: lowering.save(file, x)) for i, x in enumerate(results)]
            outputs.commit()
            now.done(", ".join([f"{options.output} ({show_bytes(written)})", *ins, *outs, *peers]))
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) << 10
    print(f"memory    peak of the largest process: {show_bytes(peak)}")
    program = os.path.relpath(os.path.join(environment.ROOT, "build", "release", "bin", "tpp-run"))
    flags = ([f"--input={','.join(ins)}"] if ins else []) + [f"--check={','.join(outs)}"]
    print("check it with\n  " + shlex.join([program, options.output, *flags]))


def work(options, words):
    if options.setup:
        environment.setup()
        return
    environment.continue_inside(options.python, words)
    if options.list:
        from importer import sources
        print("\n".join(sources.names(options.list)))
        return
    convert(options)


def main(words, description):
    options = None
    # Exit through an exception on SIGTERM, so that temporary files are removed as on an interrupt.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        options = parse(words, description)
        work(options, words)
    except Problem as problem:
        if options and options.verbose:
            traceback.print_exc()
        print(f"import: error: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("import: interrupted; nothing was written", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader closed the pipe. Redirect stdout, so that Python does not report the error again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        print("import: error: out of memory", file=sys.stderr)
        return 1
    return 0
