"""Draws the pictures of a comparison (benchmarks/peers/run): from its JSON object to SVG texts."""
import itertools

from . import rounds, svg

# Okabe and Ito's colours, which colour-blind readers can distinguish; marker shapes differ, too.
LOOKS = {
    "tpp": ("TPP", "#D55E00", "circle"), "onnxruntime": ("ONNX Runtime", "#0072B2", "square"), "openvino": ("OpenVINO", "#56B4E9", "up"),
    "pytorch": ("PyTorch", "#CC79A7", "diamond"), "openblas": ("OpenBLAS", "#E69F00", "down"),
    "libxsmm": ("libxsmm, loop by hand", "#009E73", "star"), "copy": ("copy", "#000000", "dash"), "in_l1": ("TPP in L1", "#D55E00", "dash")
}
VARIANTS = [("#666666", "square"), ("#999999", "diamond"), ("#333333", "up")]
POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
WIDTH, LEFT, RIGHT = 1140, 84, 20
HEAD = 102  # title, subtitle, legend and a remark


def looks(data):
    """{program: (label, colour, marker)} of every program in the data, in the order of the legend."""
    found = {name for result in data["results"] for name, timed in result["programs"].items() if "seconds_min" in timed}
    others = sorted(found - set(LOOKS))
    known = {name: look for name, look in LOOKS.items() if name in found}
    return {**known, **{name: (f"TPP, {name}", *VARIANTS[i % len(VARIANTS)]) for i, name in enumerate(others)}}


def machine_text(data):
    machine = data["machine"]
    cores = f"{machine['cores']} core{'s' if machine['cores'] > 1 else ''}"
    return f"{machine['cpu']} ({machine['cpu_id']}), {cores}" if machine.get("cpu_id") else f"{machine['cpu']}, {cores}"


def threads_text(threads):
    return f"{threads} thread{'s' if threads > 1 else ''}"


def shape_text(result):
    """256×1024⁴ for 256×1024×1024×1024×1024."""
    words = []
    for size, equal in itertools.groupby(result["sizes"]):
        count = len(list(equal))
        words += [str(size)] * count if count < 3 else [str(size) + str(count).translate(POWERS)]
    return "×".join(words) + "".join(f" {'const' if flag == 'constant' else flag}" for flag in result["flags"])


def is_main(data, result):
    """True if measured at the run's thread count, not only for scaling."""
    return result["threads"] == data["settings"]["threads"]


def begin(data, height, title, detail, names, remark=""):
    """Starts a drawing: title, machine and date, and the legend of the programs `names`."""
    drawing = svg.Drawing(WIDTH, height)
    drawing.text(LEFT, 24, title, 17, bold=True)
    settings = data["settings"]
    turns = settings["rounds"] * settings["passes"]
    rounds_text = f"fastest call of {turns} round{'s' if turns > 1 else ''}"
    drawing.text(LEFT, 43, f"{machine_text(data)} · {data['date'][:10]} · f32{detail} · {rounds_text}", 12, colour=svg.GREY)
    x = LEFT + 6
    for name, (label, colour, shape) in looks(data).items():
        if name in names:
            drawing.marker(x, 61, shape, colour)
            drawing.text(x + 11, 65, label, 12)
            x += 34 + 6.6 * len(label)
    drawing.text(LEFT, 84, remark, 11, colour=svg.GREY)
    return drawing


def names_of(results):
    return {name for result in results for name, timed in result["programs"].items() if "seconds_min" in timed}


def dots(data, drawing, frame, at, values, low=None):
    """Draws one value of each program at position `at` of the x axis, TPP on top. `low`: the end of TPP's whisker."""
    listed = [value for value in values.values() if value is not None]
    if len(listed) > 1:
        drawing.line(at, frame.y(min(listed)), at, frame.y(max(listed)), svg.PALE, 1.5)
    if low is not None and values.get("tpp") is not None:
        drawing.line(at, frame.y(values["tpp"]), at, frame.y(low), LOOKS["tpp"][1], 2)
    for name, (_, colour, shape) in reversed(looks(data).items()):
        if values.get(name) is not None:
            drawing.marker(at, frame.y(values[name]), shape, colour, 5 if name == "tpp" else 4.2)


def rows_of_groups(results, most):
    """Splits the groups of results, in order, into rows of whole groups: at most `most` results per row, unless one group has more."""
    groups = {}
    for result in results:
        groups.setdefault(result["group"], []).append(result)
    rows = []
    for name, members in groups.items():
        if rows and sum(len(each) for _, each in rows[-1]) + len(members) <= most:
            rows[-1].append((name, members))
        else:
            rows.append([(name, members)])
    return rows


def categories(data, results, title, remark, label, value, low, top, line=None):
    """Draws groups of results along x, in several rows, and the value of each program along y up to `top`, with a dashed line at `line`.
    value(result, name) and low(result) may return None."""
    rows = rows_of_groups(results, 22)
    height, names = 200, names_of(results)
    pitch = height + 56 + 4.6 * max(len(result["label"]) for result in results)
    drawing = begin(data, HEAD + pitch * len(rows), title, f", {threads_text(data['settings']['threads'])}", names, remark)
    slots = max(sum(len(members) + 1 for _, members in row) - 1 for row in rows)
    step = min((WIDTH - LEFT - RIGHT) / max(slots, 1), 60)
    for index, row in enumerate(rows):
        ticks = svg.ticks(top)
        top = max(top, ticks[-1]) if line is None else top
        wide = step * (sum(len(members) + 1 for _, members in row) - 1)
        frame = svg.Frame(drawing, LEFT, HEAD + pitch * index + 22, wide, height, (0, 1), (0, top))
        frame.grid([tick for tick in ticks if tick <= top], lambda value: f"{value:g}", label)
        if line is not None:
            drawing.line(LEFT, frame.y(line), LEFT + wide, frame.y(line), svg.INK, 1.2, "6 4")
        place = 0.5
        for name, members in row:
            drawing.text(LEFT + step * (place - 0.4), frame.top - 8, name, 12, bold=True)
            for result in members:
                at = LEFT + step * place
                dots(data, drawing, frame, at, {each: value(result, each) for each in names}, low(result))
                drawing.text(at + 4, frame.top + height + 14, result["label"], 11, "end", turn=-45)
                place += 1
            place += 1
    return drawing.render(title)


def shapes(data):
    results = [{**each, "label": shape_text(each)} for each in data["results"] if each["kind"] in ("matmul", "mlp") and is_main(data, each)]
    results = [each for each in results if each["peak_gflops"]]
    if not results:
        return None
    peaks = [each["peak_gflops"] for each in results]
    shares = [share for each in results for name in each["programs"] if (share := rounds.percent_of_peak(each, name))]

    def low(result):
        timed = result["programs"]["tpp"]
        return rounds.percent_of_peak(result, "tpp") * timed["seconds_min"] / timed["seconds_median"]

    remark = (f"Peak: multiply-adds measured beside each problem, {min(peaks):.0f} to {max(peaks):.0f} GFLOP/s. "
              "TPP's line goes down to its median.")
    return categories(data, results, "Share of the machine's peak, by shape", remark, "% of peak", rounds.percent_of_peak, low,
                      max(100, *shares), 100)


def row_kernels(data):
    results = [{**each, "label": each["name"].split("/")[0] + " " + "×".join(map(str, each["sizes"]))}
               for each in data["results"] if each["kind"] == "rows" and is_main(data, each)]
    if not results:
        return None

    def value(result, name):
        seconds = result["programs"].get(name, {}).get("seconds_min")
        return result["bytes"] / seconds * 1e-9 if seconds else None

    def low(result):
        return result["bytes"] / result["programs"]["tpp"]["seconds_median"] * 1e-9

    most = max(value(each, name) for each in results for name in each["programs"] if value(each, name))
    return categories(data, results, "Row kernels: bytes of argument and result per second",
                      "Copy: what numpy reads and writes when it copies the argument. TPP's line goes down to its median.", "GB/s", value,
                      low, most)


def models(data):
    results = [{**each, "label": each["name"].split("/")[-1]} for each in data["results"]
               if each["kind"] == "model" and is_main(data, each)]
    if not results:
        return None

    def value(result, name):
        seconds = result["programs"].get(name, {}).get("seconds_min")
        return result["programs"]["tpp"]["seconds_min"] / seconds if seconds else None

    most = max(value(each, name) for each in results for name in each["programs"] if value(each, name))
    for each in results:
        each["label"] += f" ({each['programs']['tpp']['seconds_min'] * 1e3:.3g} ms)"
    return categories(data, results, "Models: speed relative to TPP", "Higher is faster. TPP's time is in parentheses.",
                      "TPP's time / time", value, lambda result: None, most * 1.05, 1)


def panels(data, count, title, detail, names, columns=3, height=230):
    """Starts a drawing of `count` small pictures; returns it and their rectangles (left, top, width, height)."""
    rows = -(-count // columns)
    drawing = begin(data, HEAD + rows * (height + 78), title, detail, names)
    width = (WIDTH - columns * (LEFT + RIGHT)) / columns
    places = [(LEFT + (i % columns) * (width + LEFT + RIGHT), HEAD + 26 + i // columns * (height + 78)) for i in range(count)]
    return drawing, [(*place, width, height) for place in places]


def scaling(data):
    problems = {}
    for result in data["results"]:
        if result.get("scaling"):
            problems.setdefault(result["name"], []).append(result)
    problems = {name: each for name, each in problems.items() if len(each) > 1}
    if not problems:
        return None
    shown = [result for each in problems.values() for result in each]
    names = names_of(shown) - set(rounds.LIMITS)
    drawing, boxes = panels(data, len(problems), "Scaling over threads", "", names)
    for (name, results), box in zip(problems.items(), boxes):
        scale = 1e-9 * (results[0]["flops"] or results[0]["bytes"])
        lines = {who: [(each["threads"], scale / each["programs"][who]["seconds_min"]) for each in results
                       if "seconds_min" in each["programs"].get(who, {})] for who in looks(data) if who in names}
        peak = [(each["threads"], each["peak_gflops"]) for each in results] if results[0]["flops"] else []
        ticks = svg.ticks(max(value for line in [*lines.values(), peak] for _, value in line))
        counts = [each["threads"] for each in results]
        frame = svg.Frame(drawing, *box, (0.75 * counts[0], counts[-1] + 0.25 * counts[0]), (0, ticks[-1]))
        frame.grid(ticks, lambda value: f"{value:g}", "GFLOP/s" if peak else "GB/s")
        for count in counts:
            frame.x_tick(count, str(count))
        drawing.text(frame.left + frame.width / 2, frame.top + frame.height + 33, "threads", 11, "middle", svg.GREY)
        drawing.text(frame.left, frame.top - 9, f"{name.split('/')[0]} {shape_text(results[0])}", 12, bold=True)
        if peak:
            drawing.polyline([(frame.x(x), frame.y(y)) for x, y in peak], svg.INK, 1.2, "6 4")
            drawing.text(frame.x(peak[-1][0]) - 8, frame.y(peak[-1][1]) + 4, "peak", 11, "end", svg.GREY)
        for who, (_, colour, shape) in reversed(looks(data).items()):
            points = [(frame.x(x), frame.y(y)) for x, y in lines.get(who, [])]
            if len(points) > 1:
                drawing.polyline(points, colour, 2.2 if who == "tpp" else 1.4)
            for x, y in points:
                drawing.marker(x, y, shape, colour)
    return drawing.render("Scaling over threads")


def sizes(data):
    squares = [each for each in data["results"] if each["kind"] == "matmul" and is_main(data, each) and len(set(each["sizes"])) == 1
               and not each["flags"] and each["peak_gflops"]]
    if len(squares) < 2:
        return None
    squares.sort(key=lambda each: each["sizes"][0])
    names = names_of(squares)
    title = "Time of a square matmul against its size"
    drawing = begin(data, HEAD + 480, title, f", {threads_text(data['settings']['threads'])}", names)
    lines = {who: [(each["sizes"][0], each["programs"][who]["seconds_min"] * 1e6) for each in squares
                   if "seconds_min" in each["programs"].get(who, {})] for who in looks(data) if who in names}
    at_peak = [(each["sizes"][0], each["flops"] / each["peak_gflops"] * 1e-3) for each in squares]
    times = [time for line in [*lines.values(), at_peak] for _, time in line]
    ticks = svg.decades(min(times), max(times))
    ends = (squares[0]["sizes"][0] / 1.2, squares[-1]["sizes"][0] * 1.2)
    frame = svg.Frame(drawing, LEFT + 10, HEAD + 8, WIDTH - LEFT - RIGHT - 20, 400, ends, (ticks[0], ticks[-1]), log=True)
    frame.grid(ticks, lambda value: f"{value * 1e-3:g} ms" if value >= 1e3 else f"{value:g} µs")
    last = 0
    for each in squares:
        if frame.x(each["sizes"][0]) - last > 34:
            last = frame.x(each["sizes"][0])
            frame.x_tick(each["sizes"][0], str(each["sizes"][0]))
    drawing.text(frame.left + frame.width / 2, frame.top + 436, "M = N = K, both operands variable", 12, "middle", svg.GREY)
    drawing.polyline([(frame.x(x), frame.y(y)) for x, y in at_peak], svg.INK, 1.2, "6 4")
    drawing.text(frame.x(at_peak[-1][0]) - 4, frame.y(at_peak[-1][1]) + 22, "at peak", 11, "end", svg.GREY)
    for who, (_, colour, shape) in reversed(looks(data).items()):
        if points := [(frame.x(x), frame.y(y)) for x, y in lines.get(who, [])]:
            drawing.polyline(points, colour, 2.2 if who == "tpp" else 1.2)
            for x, y in points:
                drawing.marker(x, y, shape, colour)
    return drawing.render(title)


def draw_all(data):
    """{file name: SVG} of every picture for which there are results."""
    drawn = {"shapes.svg": shapes(data), "sizes.svg": sizes(data), "scaling.svg": scaling(data), "rows.svg": row_kernels(data),
             "models.svg": models(data)}
    return {name: text for name, text in drawn.items() if text}
