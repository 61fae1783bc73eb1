"""What the rounds of a comparison say together. Needs no peer."""
import json
import statistics

PEERS = ("onnxruntime", "openvino", "pytorch", "openblas", "libxsmm")
LIMITS = ("copy", "in_l1")  # of row kernels: the memory's, the arithmetic's


def summary(rounds):
    """Of [(seconds of the fastest call, of the median one), ...]: the fastest call of all, the median of the medians, and how far the
    rounds' fastest calls lie apart."""
    fastest = [each[0] for each in rounds]
    return {"seconds_min": min(fastest), "seconds_median": statistics.median(each[1] for each in rounds), "rounds": len(rounds),
            "spread_percent": round(100 * (max(fastest) / min(fastest) - 1), 1)}


def best_peer(programs):
    """The name of the fastest program that is neither TPP nor a variant of it; None when there is none."""
    timed = [name for name in PEERS if "seconds_min" in programs.get(name, {})]
    return min(timed, key=lambda name: programs[name]["seconds_min"]) if timed else None


def ratio_to_best_peer(programs):
    """TPP's time in terms of the fastest peer's; None without either."""
    best = best_peer(programs)
    if best is None or "seconds_min" not in programs.get("tpp", {}):
        return None
    return programs["tpp"]["seconds_min"] / programs[best]["seconds_min"]


def ratio_to_limit(programs):
    """TPP's time in terms of the larger of the limits' times; None where one is missing."""
    timed = [programs.get(name, {}).get("seconds_min") for name in ("tpp", *LIMITS)]
    return timed[0] / max(timed[1:]) if all(timed) else None


def percent_of_peak(result, name):
    """Of the fastest burst of multiply-adds that any program saw while this problem was measured; None where that says nothing."""
    timed = result["programs"].get(name, {})
    if not result.get("flops") or not result.get("peak_gflops") or "seconds_min" not in timed:
        return None
    return 100 * result["flops"] / timed["seconds_min"] / (result["peak_gflops"] * 1e9)


def to_json(record):
    """A comparison as JSON, a line for each result: so that two of them can be compared by eye."""
    head = {key: value for key, value in record.items() if key != "results"}
    lines = ",\n".join("  " + json.dumps(result) for result in record["results"])
    return json.dumps(head, indent=1)[:-2] + ',\n "results": [\n' + lines + "\n ]\n}\n"


class Progress:
    """How long the rest takes. Each piece of work has an estimate; what is done says how far estimates are off."""

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
