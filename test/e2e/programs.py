"""Runs programs on given data with both pipelines, for tests whose results are exact."""
import random
import struct

from command_line import BIN, CommandLineTest, npy, read_npy, run

RUN = BIN / "tpp-run"
# numpy's descriptor and the letter of module struct; bf16 is passed as its bits.
FORMATS = {"f32": ("<f4", "f"), "f64": ("<f8", "d"), "f16": ("<f2", "e"), "bf16": ("<u2", "H"), "i1": ("|b1", "?"), "i8": ("|i1", "b"),
           "i32": ("<i4", "i"), "i64": ("<i8", "q"), "index": ("<i8", "q")}


def bf16_bits(value):
    bits, = struct.unpack("<I", struct.pack("<f", value))
    assert bits & 0xFFFF == 0, f"{value} is no bfloat16"
    return bits >> 16


def encode(kind, values):
    if kind == "bf16":
        values = [bf16_bits(value) for value in values]
    return struct.pack(f"<{len(values)}{FORMATS[kind][1]}", *values)


def numbers(count, seed=0):
    """Random integers from -3 to 3. They have no period, so that an element read from a wrong place is mostly another number."""
    generator = random.Random(seed)
    return [generator.randint(-3, 3) for _ in range(count)]


class ProgramTest(CommandLineTest):

    def check(self, text, inputs, expected, *words, threads=(1, 2), pipelines=("default", "loops")):
        """Runs a module with both pipelines and compares its outputs.

        `inputs` and `expected` are lists of (type, shape, values). In `expected`, memref arguments follow the results.
        """
        model = self.file("model.mlir", text)
        files = [self.file(f"in{i}.npy", npy(FORMATS[kind][0], shape, encode(kind, values))) for i, (kind, shape, values) in enumerate(inputs)]
        outputs = [self.directory / f"out{i}.npy" for i in range(len(expected))]
        for pipeline in pipelines:
            for count in threads:
                with self.subTest(pipeline=pipeline, threads=count):
                    arguments = [f"--input={','.join(map(str, files))}"] if files else []
                    process = run(RUN, model, *arguments, f"--output={','.join(map(str, outputs))}", f"--pipeline={pipeline}", f"--threads={count}", *words)
                    self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
                    for output, (kind, shape, values) in zip(outputs, expected):
                        self.assertEqual(read_npy(output), (FORMATS[kind][0], tuple(shape), encode(kind, values)))
