"""Places in the source of a model: of MLIR's locations and PyTorch's stack traces."""
from __future__ import annotations

import linecache
import re

PLACE = re.compile(r'"([^"]+)":(\d+):\d+')
FRAME = re.compile(r'File "([^"]+)", line (\d+)')
# A name of a file, for locations that stand for nodes of a graph: the line is the node's number.
NODE = "node of the graph"

Places = list[tuple[str, int]]


def find_places(location: str) -> Places:
    """The source lines that a location names: the model's own first, then the innermost one if it is a library's."""
    places = [(path, int(line)) for path, line in PLACE.findall(location) if path != NODE]
    own = [place for place in places if "/site-packages/" not in place[0] and not place[0].endswith("/importer/sources.py")]
    return (own or places)[:1] + [place for place in places[:1] if own and place != own[0]]


def source_line(path: str, line: int) -> str:
    text = linecache.getline(path, line).strip()
    return f"{path}:{line}" + (f": {text}" if text else "")


def describe_place(location: str) -> str:
    """A location in lines of its own: source lines, or the name of the ONNX node."""
    places = find_places(location)
    if places:
        return "\n  at " + "\n  in ".join(source_line(*place) for place in places)
    named = re.search(r'loc\("([^"]+)"', location)
    return f"\n  at the ONNX node '{named.group(1)}'" if named else ""
