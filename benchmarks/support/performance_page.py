"""The page docs/performance.md: from the JSON object of a comparison to Markdown."""
import json

from . import plots, rounds

KEYS = {"date", "machine", "versions", "settings", "results", "complete"}
PICTURES = {"shapes.svg": "Share of peak by shape", "sizes.svg": "Time against size", "scaling.svg": "Scaling over threads",
            "rows.svg": "Row kernels", "models.svg": "Models"}
SOURCE = "<!-- made by benchmarks/peers/report from "

HOW_TO_READ = """All is f32. A time is the fastest call, the shortest of a line in bold; *median* and *spread* are TPP's median call and how
far the fastest calls of its rounds lie apart: differences within the spread say nothing. *of peak*: TPP's share of the fastest burst of
multiply-adds seen beside the problem. *to best*: TPP's time in terms of the fastest peer's. ONNX Runtime, OpenVINO and PyTorch are called
from Python, which costs some microseconds: below some 20 µs that is what their columns show. PyTorch runs without torch.compile; where the
second operand is constant, the faster of its own linear and oneDNN's with packed weights. libxsmm has no matmul of such sizes: its kernels
are called in a loop written by hand (`benchmarks/models/peers.cpp`). *to limit*, of row kernels: TPP's time in terms of what they take at
least, the larger of a copy of the argument (numpy's, or TPP's negation, whichever is faster) and of TPP's own time where rows and results stay in
the first-level cache (*TPP in L1*)."""


class PageError(Exception):
    """What is wrong with the results; its text is the whole message."""


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
    """The fastest program, TPP among them; variants and copies do not count."""
    timed = [name for name in ("tpp", *rounds.PEERS) if "seconds_min" in result["programs"].get(name, {})]
    return min(timed, key=lambda name: result["programs"][name]["seconds_min"])


def number(ratio):
    return f"{ratio:.2f}" if ratio else "–"


def table(results, names):
    """One line per result; times are fastest calls, TPP's with its median and the spread of its rounds."""
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
    """How often TPP was the fastest, and how near it came where it was not."""
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
    """The whole text. `source`: where the results lie, from the root of the tree."""
    settings, machine = data["settings"], data["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in data["versions"].items() if version)
    turns = settings["rounds"] * settings["passes"]
    parts = [f"{SOURCE}{source}: do not edit -->", "# Performance",
             "TPP beside other programs on one machine, in one run in which all took turns ([how](benchmarking.md)). All on this page\n"
             f"is made from [{source.rsplit('/', 1)[-1]}](../{source}).", f"""| what | |
|---|---|
| machine | {plots.machine_text(data)}, load {machine['load_before']:.1f} before and {machine['load_after']:.1f} after |
| date | {data['date'].replace('T', ', ')} |
| versions | {versions} |
| turns | {turns} of {settings['min_time']:g} s for every program and problem; the list is {settings['list']} |""",
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
