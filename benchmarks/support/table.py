"""Formats results of benchmarks as aligned text. A result is a JSON object of support/harness.cpp or of models.py."""

COLUMNS = "{:<70} {:>11} {:>7} {:>10} {:>8}  {}"


def head():
    return COLUMNS.format("name", "min", "median", "rate", "of peak", "")


def seconds_text(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.2f} {unit}"
    return f"{seconds / 1e-9:.1f} ns"


def line(result):
    """Formats one result: fastest time, percent by which the median is larger, rate, share of peak, and its baseline or kernel."""
    if "skipped" in result:
        return COLUMNS.format(result["name"], "-", "", "", "", "skipped: " + result["skipped"][-90:])
    rate = share = note = ""
    if "gflops" in result:
        rate = f"{result['gflops']:.1f} GF"
    elif "gbytes_per_second" in result:
        rate = f"{result['gbytes_per_second']:.1f} GB"
    if "percent_of_peak" in result:
        share = f"{result['percent_of_peak']:.1f} %"
    if "ratio_to_baseline" in result:
        note = f"{result['nanoseconds_over_baseline']:+.1f} ns, {result['ratio_to_baseline']:.2f} x {result['baseline']}"
    above = 100 * (result["seconds_median"] / result["seconds_min"] - 1)
    kernel = result.get("kernel", "")
    if not note and kernel and kernel not in result["name"]:
        note = kernel
    return COLUMNS.format(result["name"], seconds_text(result["seconds_min"]), f"+{above:.0f}%", rate, share, note)


def models_summary(results):
    """One line per problem and thread count: TPP, each peer, and the ratio of TPP's time to the best peer's."""
    problems = {}
    for result in results:
        if "problem" in result:
            problems.setdefault((result["problem"], result["threads"]), {})[result["who"]] = result
    if not problems:
        return ""
    people = sorted({who for row in problems.values() for who in row}, key=lambda who: (who != "tpp", who))
    lines = ["{:<44}".format("problem") + "".join(f"{who:>18}" for who in people) + f"{'tpp / best peer':>18}"]
    for (problem, threads), row in problems.items():
        text = f"{problem + '/t' + str(threads):<44}"
        for who in people:
            cell = "-"
            if who in row and row[who].get("gflops"):
                result = row[who]
                share = f" ({result['percent_of_peak']:.0f} %)" if result.get("percent_of_peak") else ""
                cell = f"{result['gflops']:.1f}{share}"
            text += f"{cell:>18}"
        peers = [row[who]["seconds_min"] for who in row if who != "tpp"]
        ratio = f"{row['tpp']['seconds_min'] / min(peers):.2f}" if peers and "tpp" in row else "-"
        lines.append(text + f"{ratio:>18}")
    return "\n".join(lines)
