"""Statistics over the rounds of a comparison. Needs no peer."""
import json
import statistics

PEERS = ("onnxruntime", "openvino", "pytorch", "openblas", "libxsmm")
LIMITS = ("copy", "in_l1")  # lower limits of row kernels: memory, arithmetic


def summary(rounds):
    """From [(seconds of the fastest call, of the median call), ...], one per round: the fastest call of all, the median of the medians, and
    the spread of the rounds' fastest calls."""
    fastest = [each[0] for each in rounds]
    return {"seconds_min": min(fastest), "seconds_median": statistics.median(each[1] for each in rounds), "rounds": len(rounds),
            "spread_percent": round(100 * (max(fastest) / min(fastest) - 1), 1)}


def best_peer(programs):
    """The name of the fastest peer; None if no peer was measured."""
    timed = [name for name in PEERS if "seconds_min" in programs.get(name, {})]
    return min(timed, key=lambda name: programs[name]["seconds_min"]) if timed else None


def ratio_to_best_peer(programs):
    """TPP's time divided by the fastest peer's; None if either is missing."""
    best = best_peer(programs)
    if best is None or "seconds_min" not in programs.get("tpp", {}):
        return None
    return programs["tpp"]["seconds_min"] / programs[best]["seconds_min"]


def ratio_to_limit(programs):
    """TPP's time divided by the larger of the limits' times; None if one is missing."""
    timed = [programs.get(name, {}).get("seconds_min") for name in ("tpp", *LIMITS)]
    return timed[0] / max(timed[1:]) if all(timed) else None


def percent_of_peak(result, name):
    """Share of the fastest burst of multiply-adds that any program measured during this problem; None without contractions or peak."""
    timed = result["programs"].get(name, {})
    if not result.get("flops") or not result.get("peak_gflops") or "seconds_min" not in timed:
        return None
    return 100 * result["flops"] / timed["seconds_min"] / (result["peak_gflops"] * 1e9)


def to_json(record):
    """A comparison as JSON with one line per result, so that two files can be compared by eye."""
    head = {key: value for key, value in record.items() if key != "results"}
    lines = ",\n".join("  " + json.dumps(result) for result in record["results"])
    return json.dumps(head, indent=1)[:-2] + ',\n "results": [\n' + lines + "\n ]\n}\n"


class Progress:
    """Estimates the remaining time. Every piece of work has an estimate; finished pieces give a correction factor."""

    def __init__(self, estimates):
        self.left = list(estimates)
        self.expected = self.spent = 0.0
        self.total = len(self.left)

    def done(self, seconds):
        self.expected += self.left.pop(0)
        self.spent += seconds

    def text(self):
        seconds = sum(self.left) * (self.spent / self.expected if self.expected else 1)
        left = f"{seconds / 60:.0f} min left" if seconds >= 90 else f"{seconds:.0f} s left"
        return f"[{self.total - len(self.left)}/{self.total}, {left}]"
