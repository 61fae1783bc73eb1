"""Draws SVG: shapes, texts, and frames with axes. Uses Python's standard library only. Output is deterministic, so a stored picture can
be compared with its data (benchmarks/peers/report --check)."""
import math
from xml.sax.saxutils import escape

FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
INK, GREY, PALE = "#222222", "#777777", "#e3e3e3"


def number(value):
    """Formats with at most two digits after the point, without trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Drawing:
    """A picture of width x height pixels; y grows downwards."""

    def __init__(self, width, height):
        self.width, self.height, self.parts = width, height, []

    def line(self, x1, y1, x2, y2, colour=INK, width=1.0, dash=""):
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<line x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}" stroke="{colour}" '
                          f'stroke-width="{number(width)}"{dashed}/>')

    def polyline(self, points, colour, width=1.5, dash=""):
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        listed = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self.parts.append(f'<polyline points="{listed}" fill="none" stroke="{colour}" stroke-width="{number(width)}"{dashed}/>')

    def text(self, x, y, text, size=12, anchor="start", colour=INK, bold=False, turn=0):
        turned = f' transform="rotate({number(turn)} {number(x)} {number(y)})"' if turn else ""
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="{anchor}" fill="{colour}"'
                          f"{weight}{turned}>{escape(text)}</text>")

    def marker(self, x, y, shape, colour, radius=4.5):
        """A closed shape with a white rim, so that overlapping markers can be distinguished."""
        corners = {"square": 4, "diamond": 4, "up": 3, "down": 3, "star": 10}
        if shape == "circle":
            body = f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
        elif shape == "dash":
            self.line(x - 1.8 * radius, y, x + 1.8 * radius, y, colour, 2.5)
            return
        else:
            start = {"square": 45, "diamond": 0, "up": -90, "down": 90, "star": -90}[shape]
            points = []
            for i in range(corners[shape]):
                angle = math.radians(start + 360 * i / corners[shape])
                far = radius * (1.15 if shape != "star" or i % 2 == 0 else 0.55) * (1.2 if shape == "star" else 1)
                points.append(f"{number(x + far * math.cos(angle))},{number(y + far * math.sin(angle))}")
            body = f'<polygon points="{" ".join(points)}"'
        self.parts.append(f'{body} fill="{colour}" stroke="#ffffff" stroke-width="0.8"/>')

    def render(self, title):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(self.width)}" height="{number(self.height)}" '
                f'viewBox="0 0 {number(self.width)} {number(self.height)}" font-family="{FONT}" role="img">')
        background = f'<rect width="{number(self.width)}" height="{number(self.height)}" fill="#ffffff"/>'
        return "\n".join([head, f"<title>{escape(title)}</title>", background, *self.parts, "</svg>", ""])


def ticks(most, about=5):
    """Round numbers from 0 to at least `most`, about `about` of them."""
    step = 10**math.floor(math.log10(most / about))
    step *= next(factor for factor in (1, 2, 5, 10) if most / (factor * step) <= about)
    return [i * step for i in range(math.ceil(most / step - 1e-9) + 1)]


def decades(least, most):
    """Powers of ten from at most `least` to at least `most`."""
    return [10.0**i for i in range(math.floor(math.log10(least) + 1e-9), math.ceil(math.log10(most) - 1e-9) + 1)]


class Frame:
    """A rectangle of a drawing with axes; converts values to pixels."""

    def __init__(self, drawing, left, top, width, height, x_range, y_range, log=False):
        self.drawing, self.left, self.top, self.width, self.height = drawing, left, top, width, height
        self.x_range, self.y_range, self.log = x_range, y_range, log

    def part(self, value, ends):
        if self.log:
            value, ends = math.log10(value), [math.log10(end) for end in ends]
        return (value - ends[0]) / (ends[1] - ends[0])

    def x(self, value):
        return self.left + self.width * self.part(value, self.x_range)

    def y(self, value):
        return self.top + self.height * (1 - self.part(value, self.y_range))

    def grid(self, y_ticks, y_text, label=""):
        """Horizontal lines with their values, the axis' label, and the axes themselves."""
        for value in y_ticks:
            self.drawing.line(self.left, self.y(value), self.left + self.width, self.y(value), PALE)
            self.drawing.text(self.left - 6, self.y(value) + 4, y_text(value), 11, "end", GREY)
        bottom = self.top + self.height
        self.drawing.line(self.left, self.top, self.left, bottom, GREY)
        self.drawing.line(self.left, bottom, self.left + self.width, bottom, GREY)
        if label:
            self.drawing.text(self.left - 44, self.top + self.height / 2, label, 12, "middle", turn=-90)

    def x_tick(self, value, text):
        bottom = self.top + self.height
        self.drawing.line(self.x(value), bottom, self.x(value), bottom + 4, GREY)
        self.drawing.text(self.x(value), bottom + 17, text, 11, "middle", GREY)
