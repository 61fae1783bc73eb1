"""The programs that are compared. Each one prepares a case (peer_models.py) for a number of threads and computes it once to check the
answer. Then it is timed, a given number of seconds at a time.

Peers run as their documentation recommends for latency: a fixed number of threads, inputs and outputs bound beforehand. ONNX Runtime,
OpenVINO and PyTorch are called from Python, which adds a few microseconds to each call. In bf16, OpenVINO gets f32 operands and its hint
for bf16.
"""
import importlib
import json
import os
import statistics
import subprocess
import time

import numpy

from . import peer_models, row_models

MODULES = {"onnxruntime": "onnxruntime", "openvino": "openvino", "pytorch": "torch"}
NATIVE = {"openblas": "openblas", "libxsmm": "xsmm"}  # names in bench-peers
SAMPLE_SECONDS = 50e-6  # shorter calls are timed several at a time
# Largest differences of answers, by type. One step of u8 is 1 / 255.
TOLERANCES = {"f32": 1e-4, "bf16": 1e-2, "u8": 1.01 / 255}
FIRST_LEVEL_BYTES = 24 << 10  # of rows and results; fit any L1 cache


class ProgramError(Exception):
    """A program failed or gave a wrong answer; its text is the whole message."""


class NotApplicable(Exception):
    """A program does not support this problem; its text is the reason."""


def time_calls(call, seconds):
    """Times calls for `seconds`; returns the seconds of the fastest and of the median call."""
    begin = time.perf_counter()
    call()
    once = max(time.perf_counter() - begin, 1e-7)
    repeat = max(1, int(SAMPLE_SECONDS / once))
    samples, end = [], time.perf_counter() + seconds
    while not samples or time.perf_counter() < end:
        begin = time.perf_counter()
        for _ in range(repeat):
            call()
        samples.append((time.perf_counter() - begin) / repeat)
    return min(samples), statistics.median(samples)


def largest_difference(name, case, results):
    """The largest difference of a result from the expected one, as a share of the largest value. Raises ProgramError if shapes differ."""
    if len(results) != len(case.expected):
        raise ProgramError(f"{name} gives {len(results)} results, not {len(case.expected)}")
    largest = 0.0
    for expected, found in zip(case.expected, results):
        if expected.shape != found.shape:
            raise ProgramError(f"{name} gives a result of shape {found.shape}, not {expected.shape}")
        difference = numpy.max(numpy.abs(expected - found.astype(numpy.float64)), initial=0)
        largest = max(largest, float(difference / max(numpy.max(numpy.abs(expected), initial=0), 1e-30)))
    return largest


def check(name, case, results):
    """Returns the largest difference. Raises ProgramError if it exceeds TOLERANCES, bounds on rounding errors."""
    error, tolerance = largest_difference(name, case, results), TOLERANCES[case.problem.type]
    if not error <= tolerance:
        raise ProgramError(f"{name} differs by {error:.1e} of the largest value, not at most {tolerance:g}")
    return error


def check_peer(name, case, results):
    """As check, but only f32 answers must be within the tolerance: in lower precision, peers have their own meaning (8-bit products may
    saturate on processors without a dot product), and the difference is recorded."""
    return (check if case.problem.type == "f32" else largest_difference)(name, case, results)


class InProcess:
    """A library called in this process."""

    def __init__(self, name):
        self.name = name
        self.module = importlib.import_module(MODULES[name])

    def version(self):
        return self.module.__version__

    def prepare(self, case, threads, _folder):
        self.call, results, self.note = getattr(self, self.name)(case, threads)
        self.difference = check_peer(self.name, case, results)

    def measure(self, seconds):
        noted = {"note": self.note} if self.note else {}
        return {self.name: {"seconds": time_calls(self.call, seconds), "difference": self.difference, **noted}}

    def release(self):
        self.call = None

    def onnxruntime(self, case, threads):
        if not case.onnx:
            raise NotApplicable("no .onnx of this model")
        if case.problem.type == "bf16" and case.problem.kind != "model":
            raise NotApplicable("no matmul of bf16")
        options = self.module.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.log_severity_level = 3
        session = self.module.InferenceSession(case.onnx, options, providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        for argument, value in zip(session.get_inputs(), case.inputs):
            binding.bind_ortvalue_input(argument.name, self.module.OrtValue.ortvalue_from_numpy(value))
        for output in session.get_outputs():
            binding.bind_output(output.name, "cpu")
        session.run_with_iobinding(binding)
        results = binding.copy_outputs_to_cpu()
        for output, value in zip(session.get_outputs(), results):
            binding.bind_ortvalue_output(output.name, self.module.OrtValue.ortvalue_from_numpy(numpy.empty_like(value)))
        return lambda: session.run_with_iobinding(binding), results, ""

    def openvino(self, case, threads):
        if not case.openvino:
            raise NotApplicable("no .onnx of this model")
        core = self.module.Core()
        precision = "bf16" if case.problem.type == "bf16" else "f32"
        hints = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": precision}
        request = core.compile_model(core.read_model(case.openvino), "CPU", hints).create_infer_request()
        for index, value in enumerate(case.inputs):
            request.set_input_tensor(index, self.module.Tensor(value, shared_memory=True))
        request.infer()
        results = [request.get_output_tensor(index).data.copy() for index in range(len(case.expected))]

        def call():
            request.start_async()
            request.wait()

        return call, results, ""

    def pytorch(self, case, threads):
        torch = self.module
        torch.set_num_threads(threads)
        paths = case.torch(torch)
        if not paths:
            raise NotApplicable("no .pt2 of this model")

        def quiet(call):
            """Calls within inference_mode."""
            with torch.inference_mode():
                return call()

        timed = []
        for note, path in paths:
            results = [(each.float() if each.dtype == torch.bfloat16 else each).numpy().copy() for each in quiet(path)]
            check_peer(self.name, case, results)
            timed.append((quiet(lambda path=path: min(time_calls(path, 0)[0] for _ in range(3))), len(timed), note, path, results))
        _, _, note, path, results = min(timed)
        return path, results, note


class PyTorch(InProcess):
    """InProcess with every sample inside inference_mode. Entering it for each call would cost a microsecond."""

    def measure(self, seconds):
        with self.module.inference_mode():
            return super().measure(seconds)


class Tpp:
    """tpp-run, one process per measurement. A variant is the same with additional flags."""

    def __init__(self, name, program, flags=()):
        self.name, self.program, self.flags = name, program, list(flags)

    def run(self, folder, *flags):
        report = os.path.join(folder, "report.json")
        command = [self.program, self.case.mlir, f"--threads={self.threads}", f"--json={report}", *self.case.flags, *self.flags, *flags]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise ProgramError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}")
        with open(report, encoding="utf-8") as file:
            return json.load(file)

    def prepare(self, case, threads, folder):
        self.case, self.threads, self.folder = case, threads, folder
        inputs, outputs = [], [os.path.join(folder, f"out{i}.npy") for i in range(len(case.expected))]
        for i, value in enumerate(case.inputs):
            inputs.append(os.path.join(folder, f"in{i}.npy"))
            numpy.save(inputs[-1], peer_models.bf16_bits(value) if self.as_bits() else value)
        self.run(folder, f"--input={','.join(inputs)}", f"--output={','.join(outputs)}")
        results = [numpy.load(path) for path in outputs]
        if case.problem.type == "u8":  # MLIR's integers have no sign, and files show them as signed
            results = [value.view(numpy.uint8) if value.dtype == numpy.int8 else value for value in results]
        self.difference = check(self.name, case, [peer_models.from_bf16_bits(value) for value in results] if self.as_bits() else results)

    def as_bits(self):
        """Whether arguments and results are bf16, in files as their bits."""
        return self.case.problem.type == "bf16" and self.case.problem.kind != "model"

    def measure(self, seconds):
        timed = self.run(self.folder, "--bench", f"--min-time={seconds}")
        kept = {key: timed[key] for key in ("packs", "copies") if key in timed}
        kept["kernels"] = sorted({kernel["name"] for kernel in timed["kernels"]})
        return {self.name: {"seconds": (timed["seconds_min"], timed["seconds_median"]), "difference": self.difference, "peak_gflops": timed.get("peak_gflops") or 0,
                            "flops": timed.get("flops"), **kept}}

    def release(self):
        self.case = None


class RowLimit(Tpp):
    """A lower limit of a row kernel's time, measured as TPP's time on another row kernel."""

    def __init__(self, program):
        super().__init__(self.name, program)

    def prepare_rows(self, case, threads, folder, kind, rows, inputs, expected):
        folder = os.path.join(folder, self.name)
        os.mkdir(folder)
        mlir = os.path.join(folder, "problem.mlir")
        with open(mlir, "w", encoding="utf-8") as file:
            file.write(row_models.model(kind, rows, case.problem.sizes[1]))
        super().prepare(peer_models.Case(case.problem, inputs, expected, mlir, None, None), threads, folder)


class Copy(RowLimit):
    """The memory's limit of a row kernel: the faster of numpy's copy of the argument and TPP's negation."""
    name = "copy"

    def prepare(self, case, threads, folder):
        source, target = case.inputs[0], numpy.empty_like(case.inputs[0])
        self.call = lambda: numpy.copyto(target, source)
        self.prepare_rows(case, threads, folder, "negf", case.problem.sizes[0], [source], [-source])

    def measure(self, seconds):
        negation = super().measure(seconds)[self.name]
        return {self.name: {"seconds": [min(each) for each in zip(negation["seconds"], time_calls(self.call, seconds))]}}

    def release(self):
        super().release()
        self.call = None


class FirstLevel(RowLimit):
    """The arithmetic's limit of a row kernel: TPP on as few rows as fit L1 together with their results, scaled to all rows."""
    name = "in_l1"

    def prepare(self, case, threads, folder):
        rows, columns = case.problem.sizes
        few = min(rows, max(1, FIRST_LEVEL_BYTES // (8 * columns)))
        self.share = rows / few
        self.prepare_rows(case, threads, folder, case.problem.row_kind, few, *([value[:few] for value in values] for values in (case.inputs, case.expected)))

    def measure(self, seconds):
        timed = super().measure(seconds)[self.name]
        return {self.name: {"seconds": [each * self.share for each in timed["seconds"]]}}


class Native:
    """bench-peers: OpenBLAS and a hand-written loop around libxsmm. It makes its own data and checks results bit for bit."""
    name = "bench-peers"

    def __init__(self, program, names):
        self.program, self.names = program, names

    def prepare(self, case, threads, _folder):
        self.threads, self.words = threads, case.problem.native_words
        if not self.words:
            raise NotApplicable("contractions only")

    def measure(self, seconds):
        wanted = "|".join(f"/{NATIVE[name]}/" for name in self.names)
        command = [self.program, f"--threads={self.threads}", f"--min-time={seconds}", f"--filter={wanted}", *self.words]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise ProgramError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
        found = {}
        for line in done.stdout.splitlines():
            result = json.loads(line)
            name = next(name for name in self.names if f"/{NATIVE[name]}/" in result["name"])
            found[name] = {"seconds": (result["seconds_min"], result["seconds_median"]), "peak_gflops": result.get("peak_gflops", 0)}
        return found

    def release(self):
        pass
