#!/usr/bin/env python3
"""Says what the default packing loses against the best of the measured variants, on committed results.

  benchmarks/support/packing_regret.py RESULTS.json... [--tpp-opt=build/release/bin/tpp-opt]

RESULTS.json: matmuls of benchmarks/shapes/packing.txt with the variants `unpacked` and `panels` (benchmarks/peers/run). For each matmul, tpp-opt says
whether it packs B for the machine of the results and, leaving that machine's entry of tpp/machines.def out, for a machine with its cache sizes and
the generic figures of its instruction set. The loss is the time of that variant, compared with the faster of the two. A time is the
shortest of its turns (runs of the program). A loss counts only beyond the spread: the median over all matmuls of the difference between the two best turns.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MACHINES = os.path.join(ROOT, "microkernels", "include", "tpp", "machines.def")

MATMUL = """
func.func @f{number}(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{m}x{n}xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %c = linalg.matmul ins(%a, %b : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) outs(%filled : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %c : tensor<{m}x{n}xf32>
}}"""


def machine_of(cpu_id):
    """The name in machines.def of a processor, "VENDOR-FAMILY-MODEL"; None if it has no entry."""
    vendor, family, model = cpu_id.split("-")
    with open(MACHINES, encoding="utf-8") as file:
        text = file.read()
    for entry, maker, of_family, first, last in re.findall(r'^TPP_MACHINE_CPU\((\w+), "(\w+)", (\w+), (\w+), (\w+)\)', text, re.M):
        if maker == vendor and int(of_family, 0) == int(family) and int(first, 0) <= int(model) <= int(last, 0):
            return re.search(rf'^TPP_MACHINE\({entry}, \w+, "([^"]+)"', text, re.M).group(1)
    return None


def choose(tpp_opt, sizes, target):
    """Whether B is packed, for each (m, n, k)."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "matmuls.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(MATMUL.format(number=i, m=m, n=n, k=k) for i, (m, n, k) in enumerate(sizes))
        text = subprocess.run([tpp_opt, path, f"--tpp-target={target}", "--tpp-default-tensors"], check=True, capture_output=True, text=True).stdout
    # A matmul may have become several contractions, which share B.
    functions = dict(re.findall(r"func\.func @f(\d+)\(.*?tpp\.chosen_packing = #tpp\.packing<panel = (\d+)", text, re.S))
    if len(functions) != len(sizes):
        raise SystemExit(f"packing_regret: error: {tpp_opt} chose packings for {len(functions)} of {len(sizes)} matmuls")
    return [int(functions[str(i)]) > 0 for i in range(len(sizes))]


def without_entry(tpp_opt, name):
    """A target with the cache sizes of a machine, and otherwise the figures of its instruction set."""
    text = subprocess.run([tpp_opt, "-", f"--tpp-target={name}"], input="", check=True, capture_output=True, text=True).stdout
    isa, bits, registers, caches = re.search(r'isa = "(\w+)".*?vector_bits = (\d+), registers = (\d+), caches = (\[[^]]*\])', text).groups()
    return f'#tpp.target<isa = "{isa}", vector_bits = {bits}, registers = {registers}, caches = {caches}, cores = 1>'


def best_turns(program):
    return sorted(min(turn) for turn in program["turns"])


class Regret:
    """The losses of the default, of never packing and of always packing, as shares, each beyond the spread."""

    def __init__(self, results, packed):
        self.unpacked = [best_turns(result["programs"]["unpacked"]) for result in results]
        self.panels = [best_turns(result["programs"]["panels"]) for result in results]
        self.spread = statistics.median(turns[1] / turns[0] - 1 for turns in self.unpacked + self.panels)
        self.default = self.losses(packed)
        self.never, self.always = self.losses([False] * len(packed)), self.losses([True] * len(packed))

    def losses(self, packed):
        times = [(panels[0] if pack else unpacked[0], min(panels[0], unpacked[0]))
                 for pack, unpacked, panels in zip(packed, self.unpacked, self.panels)]
        return [max(0.0, time / best - 1 - self.spread) for time, best in times]


def evaluate(path, tpp_opt):
    """(name of the machine, the regret with its entry, the regret without it); the last two are None if there is no entry."""
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    name, results = machine_of(content["machine"]["cpu_id"]), content["results"]
    if name is None:
        return content["machine"]["cpu_id"], None, None
    sizes = [tuple(result["sizes"]) for result in results]
    return (name, Regret(results, choose(tpp_opt, sizes, name)),
            Regret(results, choose(tpp_opt, sizes, without_entry(tpp_opt, name))))


def line(what, losses):
    share = sum(loss > 0.03 for loss in losses) / len(losses)
    return f"  {what:<24} {statistics.mean(losses):7.2%} longer on average, more than 3 % for {share:.1%} of the matmuls, at most {max(losses):.1%}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--tpp-opt", default=os.path.join(ROOT, "build", "release", "bin", "tpp-opt"))
    arguments = parser.parse_args()
    for path in arguments.results:
        name, own, generic = evaluate(path, arguments.tpp_opt)
        if own is None:
            print(f"{path}: {name} has no entry in machines.def")
            continue
        print(f"{path}: {len(own.default)} matmuls on {name}, beyond a spread of {own.spread:.2%}:")
        for what, losses in [("the default", own.default), (f"without the entry {name}", generic.default), ("never pack", own.never),
                             ("always pack", own.always)]:
            print(line(what, losses))


if __name__ == "__main__":
    main()
