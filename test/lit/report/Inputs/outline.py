"""Prints the contents of the drawings of tpp-layout-graph, one line per item.

Fails if the file is not XML, or if nodes overlap or leave the page.
"""
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == SVG + "svg", root.tag


def text_of(group):
    return " | ".join(text.text for text in group.findall(SVG + "text"))


def box(node):
    x, y, width, height = (float(node.find(SVG + "rect").get(name)) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


for drawing in root.findall(SVG + "g"):
    print("drawing", drawing.find(SVG + "text").text)
    groups = drawing.findall(SVG + "g")
    nodes = [group for group in groups if group.get("class").startswith("node ")]
    for group in groups:
        if group.get("class") == "legend":
            print("legend", text_of(group))
    for node in nodes:
        print(node.get("class"), "|", text_of(node))
    for label in drawing.findall(SVG + "text")[1:]:
        print("label", label.text)
    print(len(nodes), "nodes,", sum(group.get("class") == "edge" for group in groups), "edges")
    for i, node in enumerate(nodes):
        left, top, right, bottom = box(node)
        assert 0 <= left and right <= float(root.get("width")) and 0 <= top and bottom <= float(root.get("height")), box(node)
        for other in nodes[:i]:
            x0, y0, x1, y1 = box(other)
            assert right < x0 or x1 < left or bottom < y0 or y1 < top, (box(node), box(other))
