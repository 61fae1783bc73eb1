"""Generates the page docs/performance.md from the JSON object of a comparison."""
import json

from . import plots, rounds

KEYS = {"date", "machine", "versions", "settings", "results", "complete"}
PICTURES = {"shapes.svg": "Share of peak by shape", "sizes.svg": "Time against size", "scaling.svg": "Scaling over threads",
            "rows.svg": "Row kernels", "models.svg": "Models"}
SOURCE = "<!-- made by benchmarks/peers/report from "

HOW_TO_READ = """All problems are f32. Columns:

- *Times* are those of the fastest call; the shortest of a line is bold. *median*: TPP's median call. *spread*: the difference between
  the fastest calls of TPP's rounds; smaller differences are not significant.
- *of peak*: TPP's share of the fastest burst of multiply-adds that ran between the measurements of the problem.
- *to best*: TPP's time divided by that of the fastest peer.
- *to limit* (row kernels): TPP's time divided by a lower limit. The limit is the larger of two times: a copy of the argument (the faster
  of numpy's copy and TPP's negation), and TPP with rows and results in L1 (*TPP in L1*).

ONNX Runtime, OpenVINO and PyTorch are called from Python, which costs a few microseconds and dominates times below about 20 µs. PyTorch
runs without torch.compile; with a constant second operand, its time is that of the faster of its own linear and oneDNN's linear with packed
weights. libxsmm has no matmul of these sizes: its kernels are called in a hand-written loop (`benchmarks/models/peers.cpp`)."""


class PageError(Exception):
    """An error in the results; its text is the whole message."""


def read_results(path):
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except (OSError, ValueError) as error:
        raise PageError(f"{path}: cannot read: {error}") from error
    if not isinstance(data, dict) or not KEYS <= set(data):
        raise PageError(f"{path}: no results of benchmarks/peers/run (they have {', '.join(sorted(KEYS))})")
    if not data["results"]:
        raise PageError(f"{path}: holds no result")
    return data


def time_text(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def cell(result, name):
    timed = result["programs"].get(name, {})
    if "seconds_min" not in timed:
        return "–"
    text = time_text(timed["seconds_min"])
    return f"**{text}**" if name == fastest(result) else text


def fastest(result):
    """The fastest program, TPP or a peer; variants and limits do not count."""
    timed = [name for name in ("tpp", *rounds.PEERS) if "seconds_min" in result["programs"].get(name, {})]
    return min(timed, key=lambda name: result["programs"][name]["seconds_min"])


def number(ratio):
    return f"{ratio:.2f}" if ratio else "–"


def table(results, names):
    """One line per result: the time of the fastest call of each program, and TPP's median and spread."""
    limited = any(rounds.ratio_to_limit(each["programs"]) for each in results)
    lines = ["| problem | threads | " + " | ".join(plots.LOOKS[name][0] for name in names) + " | of peak | median | spread | to best |" +
             " to limit |" * limited, "|---|---|" + "---|" * (len(names) + 4 + limited)]
    for result in results:
        tpp = result["programs"]["tpp"]
        share, ratio = rounds.percent_of_peak(result, "tpp"), result["ratio_to_best_peer"]
        lines.append(f"| {result['name']} | {result['threads']} | " + " | ".join(cell(result, name) for name in names) +
                     f" | {f'{share:.0f} %' if share else '–'} | {time_text(tpp['seconds_median'])} | {tpp['spread_percent']:.0f} % | "
                     f"{number(ratio)} |" + f" {number(rounds.ratio_to_limit(result['programs']))} |" * limited)
    return "\n".join(lines)


def counts(results):
    """A sentence: how often TPP was the fastest, and how close it was otherwise."""
    ratios = [each["ratio_to_best_peer"] for each in results if each["ratio_to_best_peer"]]
    if not ratios:
        return ""
    slower = sorted(ratio for ratio in ratios if ratio > 1)
    text = f"Of {len(ratios)} results TPP is the fastest in {len(ratios) - len(slower)}"
    if not slower:
        return text + "."
    near = sum(ratio <= 1.05 for ratio in slower)
    return text + f"; in {near} others it takes at most 5 % longer than the fastest peer, at worst {slower[-1]:.2f} times as long."


def page(data, source):
    """Returns the page's text and its pictures. `source`: path of the results from the root of the tree."""
    settings, machine = data["settings"], data["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in data["versions"].items() if version)
    turns = settings["rounds"] * settings["passes"]
    parts = [f"{SOURCE}{source}: do not edit -->", "# Performance",
             "TPP compared with other programs on one machine, interleaved in one run ([how](benchmarking.md)). This page is generated\n"
             f"from [{source.rsplit('/', 1)[-1]}](../{source}).", f"""| what | |
|---|---|
| machine | {plots.machine_text(data)}, load {machine['load_before']:.1f} before and {machine['load_after']:.1f} after |
| date | {data['date'].replace('T', ', ')} |
| versions | {versions} |
| rounds | {turns} of {settings['min_time']:g} s per program and problem; list: {settings['list']} |""",
             HOW_TO_READ, counts(data["results"])]
    drawn = plots.draw_all(data)
    for name in drawn:
        parts += [f"## {PICTURES[name]}", f"![{PICTURES[name]}](performance/{name})"]
    parts.append("## Results")
    groups = {}
    for result in data["results"]:
        groups.setdefault(result["group"], []).append(result)
    for group, results in groups.items():
        found = plots.names_of(results)
        present = [name for name in ("tpp", *rounds.PEERS, *rounds.LIMITS) if name in found]
        parts += [f"### {group}" if group else "", table(results, present)]
    notes = sorted({timed["note"] for each in data["results"] for timed in each["programs"].values() if timed.get("note")})
    if notes:
        parts.append("Paths through PyTorch that were the fastest: " + "; ".join(notes) + ".")
    if data.get("left_out"):
        parts.append("Left out: " + "; ".join(f"{name} ({reason})" for name, reason in data["left_out"]) + ".")
    return "\n\n".join(part for part in parts if part) + "\n", drawn
