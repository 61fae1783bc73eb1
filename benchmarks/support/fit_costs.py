#!/usr/bin/env python3
"""Fits the counts of brgemm kernels, which are set in kernels.def and runtime/src/providers/xsmm.cpp.

  bench-brgemm --shapes=benchmarks/shapes/costs.txt --rows --filter='brgemm/f32/.*(xsmm|avx3)/' > costs.jsonl   (with AVX2: xsmm|avx2)
  benchmarks/support/fit_costs.py costs.jsonl... --machine=FILE [--tpp-info=build/release/bin/tpp-info]

FILE is the machine file of the CPU on which they were measured (`tpp-info machine`). Prints for each f32 kernel the counts that minimize the sum of |log(model / measured)| over all shapes, with the median, the 90th percentile
and the largest relative error. With --tpp-info, also prints the errors of the costs in that build. The formulas are those of
tpp/brgemm_cost.h and of xsmm.cpp. The measured time of a shape is its shortest sample in all files.
"""
import argparse
import json
import math
import random
import re
import subprocess

LANES = {"avx3": 16, "avx2": 8, "sse4": 4, "neon": 4, "portable": 4}  # of f32, by the last word of a kernel's name


def native(shape, parameters, tile, machine):
    """Nanoseconds by tpp_brgemm_tiles, for a dense problem without conflict misses. `tile` is (mr, nr, lanes)."""
    call, per_tile, multiplies, loads, stores = parameters
    m, n, k = shape
    mr, nr, lanes = tile
    vectors = math.ceil(n / lanes)
    column_tiles, row_tiles = math.ceil(vectors * lanes / nr), math.ceil(m / mr)
    rows, columns = m / row_tiles, vectors / column_tiles
    step = max(multiplies / machine["fma_per_cycle"] * rows * columns, loads / machine["loads_per_cycle"] * (rows + columns),
               machine["fma_latency"] / 2)
    return (call + row_tiles * column_tiles * (per_tile + k * step + stores * rows * columns)) / machine["clock_ghz"]


def xsmm(shape, parameters, tile, machine):
    """Nanoseconds by the cost formula of xsmm.cpp, for f32. `tile` is (lanes, rows)."""
    call, stores, multiplies, loads, rows_per_load, least = parameters
    m, n, k = shape
    lanes, rows = tile
    vectors, rows = math.ceil(n / lanes), min(m, rows)
    compute = m / rows * max(rows * vectors, least) * multiplies / machine["fma_per_cycle"]
    load = vectors * loads / machine["loads_per_cycle"] * (m + rows_per_load - 1) / rows_per_load
    return (call + m * vectors * stores + k * max(compute, load)) / machine["clock_ghz"]


def read_machine(path):
    """The fields of a machine file."""
    fields = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, sign, value = line.partition("#")[0].partition("=")
            if sign and name.strip() not in ("name", "isa"):
                fields[name.strip()] = float(value)
    return fields


def errors(points, predict):
    ratios = sorted(abs(predict(shape) / ns - 1) for shape, ns in points)
    return f"median {ratios[len(ratios) // 2]:.1%}, 90th percentile {ratios[len(ratios) * 9 // 10]:.1%}, largest {ratios[-1]:.1%}"


def fit(points, formula, start, tile, machine, fixed, steps=20000):
    """Random search on the logarithms of all but the last `fixed` parameters, with decreasing steps and a fixed seed."""
    generator = random.Random(0)

    def loss(parameters):
        return sum(abs(math.log(formula(shape, parameters, tile, machine) / ns)) for shape, ns in points)

    best, least = list(start), loss(start)
    for step in range(steps):
        width = 0.5 * (1 - step / steps) ** 2 + 0.001
        trial = [value * math.exp(generator.gauss(0, width)) if generator.random() < 0.5 else value for value in best]
        trial[len(trial) - fixed :] = best[len(best) - fixed :]
        if (found := loss(trial)) < least:
            best, least = trial, found
    return best


def read(paths):
    """{kernel: [((m, n, k), ns), ...]} of all results with batch 1."""
    shortest = {}
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for result in map(json.loads, lines):
                if "kernel" not in result:
                    continue
                m, n, k, batch = map(int, result["name"].split("/")[2].split("x"))
                key = (result["kernel"], (m, n, k))
                if batch == 1:
                    shortest[key] = min(shortest.get(key, math.inf), result["seconds_min"] * 1e9)
    points = {}
    for (kernel, shape), ns in shortest.items():
        points.setdefault(kernel, []).append((shape, ns))
    return points


def present_cost(tpp_info, kernel, shape):
    m, n, k = shape
    text = subprocess.run([tpp_info, "brgemm", f"--m={m}", f"--n={n}", f"--k={k}"], check=True, capture_output=True, text=True).stdout
    return float(re.search(re.escape(kernel) + r"\s+([0-9.]+) ns", text).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", help="JSON lines of bench-brgemm")
    parser.add_argument("--machine", metavar="FILE", required=True, help="machine file of the CPU on which they were measured")
    parser.add_argument("--tpp-info", metavar="PROGRAM", help="also print the errors of the costs in this build")
    arguments = parser.parse_args()
    points, machine = read(arguments.results), read_machine(arguments.machine)
    groups = []
    for name, found in points.items():
        if match := re.fullmatch(r"tpp_uk_brgemm_f32_(\d+)x(\d+)_([a-z0-9]+)", name):
            mr, nr = int(match[1]), int(match[2])
            start = (25, 45, 1, 1, 0.3) if nr == 32 else (25, 28, 1, 1.2, 0.4)
            groups.append((name, found, native, start, (mr, nr, LANES[match[3]])))
    lanes = max((tile[2] for _, _, _, _, tile in groups), default=16)  # libxsmm uses the widest vectors of the machine
    of_libxsmm = (lanes, math.inf if lanes == 16 else 3)
    groups += [(name, points[name], xsmm, (10, 0.6, 1, 1.7, 28, 6), of_libxsmm) for name in points if name.startswith("xsmm_")]
    for name, found, formula, start, tile in groups:
        # Without post-ops, the cost of a tile's stores cannot be separated from its other costs.
        parameters = fit(found, formula, start, tile, machine, fixed=1 if formula is native else 0)
        print(f"{name}: {', '.join(f'{value:.4g}' for value in parameters)}")
        print(f"  {len(found)} shapes; fitted: {errors(found, lambda shape: formula(shape, parameters, tile, machine))}")
        # xsmm.cpp adds the cost of a cold B from 4/3 of L1 on. The measured operands are in cache, so only smaller ones are compared.
        hot = [(shape, ns) for shape, ns in found if 4 * shape[1] * shape[2] < machine["l1_bytes"] * 4 / 3]
        if arguments.tpp_info and hot:
            print(f"  in this build: {errors(hot, lambda shape: present_cost(arguments.tpp_info, name, shape))}")


if __name__ == "__main__":
    main()
