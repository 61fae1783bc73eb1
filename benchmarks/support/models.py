"""Measures whole problems: TPP with tpp-run, libxsmm and OpenBLAS with bench-peers, interleaved.

The clock of a machine changes within minutes. So each round runs every program once, and the best round of each program counts. Each
program measures the machine's peak between its own calls, so its share of peak refers to the clock during its own run.
"""
import json
import os
import re
import statistics
import subprocess
import tempfile

from . import problems, table


def is_problem(words):
    return (words[0], len(words)) in (("matmul", 4), ("mlp", 3))


def name_of(words):
    """The problem's name, as bench-peers prints it."""
    if words[0] == "matmul":
        return "matmul/f32/" + "x".join(words[1:])
    return "mlp/f32/" + "x".join([words[1], *words[2].split(",")])


def generate(root, words, path):
    """Writes the problem as MLIR with tools/gen."""
    if words[0] == "matmul":
        command = ["matmul", f"--m={words[1]}", f"--n={words[2]}", f"--k={words[3]}"]
    else:
        command = ["mlp", f"--batch={words[1]}", f"--widths={words[2]}", "--weights=constant", "--bias", "--activation=relu"]
    subprocess.run([os.path.join(root, "tools", "gen"), *command, "-o", path], check=True)


def run_tpp(programs, model, threads, *flags):
    """Runs tpp-run and returns its JSON object. If it fails, records the failure and returns None."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [programs.path("tpp-run"), model, f"--threads={threads}", f"--json={file.name}", *flags]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode:
            programs.fail(f"{' '.join(command)}: exit code {result.returncode}\n{result.stdout}")
            return None
        with open(file.name, encoding="utf-8") as text:
            return json.load(text)


def best_of(rounds):
    """The round with the fastest call, with the median and the spread of all rounds."""
    best = dict(min(rounds, key=lambda each: each["seconds_min"]))
    fastest = [each["seconds_min"] for each in rounds]
    best["seconds_median"] = statistics.median(each["seconds_median"] for each in rounds)
    best["rounds"] = len(rounds)
    best["spread_percent"] = round(100 * (max(fastest) / min(fastest) - 1), 2)
    return best


def measure(programs, words, model, threads):
    name = name_of(words)
    arguments = programs.arguments
    # Check the answer first.
    if run_tpp(programs, model, threads, "--check=reference") is None:
        return []
    rounds = {}
    for _ in range(1 if arguments.quick else 3):
        timed = run_tpp(programs, model, threads, "--bench", f"--min-time={0.1 if arguments.quick else 0.5}")
        if timed is None:
            return []
        rounds.setdefault("tpp", []).append(timed)
        for result in programs.results_of("bench-peers", f"--threads={threads}", *words, show=False):
            rounds.setdefault(result["name"].split("/")[-2], []).append(result)
    results = []
    for who, each in rounds.items():
        result = best_of(each)
        result.update({"name": f"{name}/{who}/t{threads}", "problem": name, "who": who, "threads": threads})
        result["kernel"] = who if who != "tpp" else ", ".join(sorted({kernel["name"] for kernel in result["kernels"]})) or "no kernel"
        results.append(result)
        print(table.line(result), flush=True)
    return results


def measure_compiled(programs, words, folder):
    """Measures a call of a small compiled matmul relative to libxsmm's bare kernel, in one process (bench-compiled)."""
    model, library = os.path.join(folder, "compiled.mlir"), os.path.join(folder, "compiled.so")
    generate(programs.root, words, model)
    command = [programs.path("tpp-run"), model, "--threads=1", "--emit=shared", "-o", library]
    emitted = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if emitted.returncode:
        programs.fail(f"{' '.join(command)}: exit code {emitted.returncode}\n{emitted.stdout}")
        return []
    return programs.results_of("bench-compiled", library, "main", *words[1:])


def measure_all(programs, shapes):
    if not programs.path("tpp-run"):
        programs.fail(f"tpp-run is not in {programs.arguments.build}/bin")
        return []
    results = []
    print(table.head())
    with tempfile.TemporaryDirectory(prefix="tpp-bench-") as folder:
        for words in problems.read_problems(shapes, is_problem, "'matmul M N K' or 'mlp BATCH WIDTH,WIDTH[,...]'"):
            name = name_of(words)
            wanted = [threads for threads in programs.arguments.thread_counts
                      if any(re.search(programs.arguments.filter, f"{name}/{who}/t{threads}") for who in ("tpp", "xsmm", "openblas"))]
            if not wanted:
                continue
            model = os.path.join(folder, name.replace("/", "-") + ".mlir")
            generate(programs.root, words, model)
            for threads in wanted:
                results += measure(programs, words, model, threads)
            os.remove(model)
            if words[0] == "matmul" and max(map(int, words[1:])) <= 64 and 1 in wanted:
                results += measure_compiled(programs, words, folder)
    return results
