// Writes placed drawings as one SVG document. It uses only text, rectangles and paths, which every browser can show.
#include "lowering/report/Drawing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace mlir::tpp {

namespace {

using Sizes = DrawingSizes;
constexpr size_t mostCharacters = 40; // that fit into a node's width

// Border and fill of each layout; layouts beyond the end of this table share its last entry.
constexpr std::pair<StringLiteral, StringLiteral> colours[] = {
    {"#5f6b7a", "#f2f4f7"}, {"#1f6fb4", "#e3f0fb"}, {"#2b8a3e", "#e4f5e7"}, {"#8e44ad", "#f4e8f9"}, {"#b8860b", "#fbf3dc"},
    {"#0f8b8d", "#def4f4"}, {"#6d4c41", "#f3ebe7"}, {"#455a9d", "#e8ebf8"}, {"#7a7f2a", "#f4f5dd"}};
constexpr StringLiteral moveColour = "#c92a2a", moveFill = "#ffe3e3";

const std::pair<StringLiteral, StringLiteral> &getColours(unsigned layout) {
  return colours[std::min<size_t>(layout, std::size(colours) - 1)];
}

// Escapes text for use between tags and in attributes.
std::string escape(StringRef text) {
  std::string escaped;
  for (char c : llvm::json::fixUTF8(text)) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (static_cast<unsigned char>(c) >= ' ' || c == '\n')
      escaped += c; // other control characters are dropped: XML does not allow them
  }
  return escaped;
}

std::string shorten(StringRef text) {
  return text.size() <= mostCharacters ? text.str() : text.take_front(mostCharacters - 3).str() + "...";
}

std::string number(double value) { return llvm::formatv("{0:f1}", value); }

void writeEdge(const Drawing &drawing, const Drawing::Edge &edge, raw_ostream &stream) {
  stream << "<g class=\"edge\"><path stroke=\"" << getColours(drawing.nodes[edge.from].layout).first << "\" d=\"M";
  std::pair<double, double> last = edge.points.front();
  stream << number(last.first) << ' ' << number(last.second);
  for (auto [x, y] : llvm::drop_begin(edge.points)) {
    // A vertical line within a row; between rows a curve if the column changes.
    double middle = (last.second + y) / 2;
    if (x == last.first)
      stream << " V" << number(y);
    else
      stream << " C" << number(last.first) << ' ' << number(middle) << ' ' << number(x) << ' ' << number(middle) << ' '
             << number(x) << ' ' << number(y);
    last = {x, y};
  }
  stream << "\"/></g>\n";
}

// Written after all lines, so that no line is drawn over a label.
void writeLabel(const Drawing::Edge &edge, raw_ostream &stream) {
  stream << "<text class=\"label\" x=\"" << number(edge.labelX) << "\" y=\"" << number(edge.labelY) << "\""
         << (edge.isLabelLeft ? " text-anchor=\"end\"" : "") << ">" << escape(edge.label) << "</text>\n";
}

StringRef getClass(Drawing::Kind kind) {
  switch (kind) {
  case Drawing::Kind::Value:
    return "value";
  case Drawing::Kind::Contraction:
    return "contraction";
  case Drawing::Kind::Compute:
    return "compute";
  case Drawing::Kind::Move:
    return "move";
  }
  llvm_unreachable("a kind without a class");
}

void writeNode(const Drawing::Node &node, raw_ostream &stream) {
  bool isMove = node.kind == Drawing::Kind::Move;
  auto [border, fill] = getColours(node.layout);
  stream << "<g class=\"node " << getClass(node.kind) << "\"><title>" << escape(node.tooltip) << "</title><rect x=\""
         << number(node.x - Sizes::nodeWidth / 2) << "\" y=\"" << number(node.y) << "\" width=\"" << number(Sizes::nodeWidth)
         << "\" height=\"" << number(node.height) << "\" rx=\"" << (node.kind == Drawing::Kind::Contraction ? "2" : "9")
         << "\" stroke=\"" << (isMove ? moveColour : border) << "\" fill=\"" << (isMove ? moveFill : fill) << "\"/>";
  double y = node.y + Sizes::nodePadding + Sizes::lineHeight - 4;
  for (auto [i, line] : llvm::enumerate(node.lines)) {
    stream << "<text x=\"" << number(node.x) << "\" y=\"" << number(y) << "\"" << (i == 0 ? " class=\"title\"" : "") << ">"
           << escape(shorten(line)) << "</text>";
    y += Sizes::lineHeight;
  }
  stream << "</g>\n";
}

void writeLegend(const Drawing &drawing, raw_ostream &stream) {
  double y = Sizes::margin + Sizes::lineHeight;
  stream << "<text class=\"heading\" x=\"" << number(Sizes::margin) << "\" y=\"" << number(y) << "\">" << escape(drawing.title)
         << "</text>\n";
  auto writeEntry = [&](StringRef name, StringRef border, StringRef fill) {
    y += Sizes::legendLine;
    stream << "<g class=\"legend\"><rect x=\"" << number(Sizes::margin) << "\" y=\"" << number(y - 10)
           << "\" width=\"22\" height=\"12\" stroke=\"" << border << "\" fill=\"" << fill << "\"/><text x=\""
           << number(Sizes::margin + 30) << "\" y=\"" << number(y) << "\">" << escape(name) << "</text></g>\n";
  };
  for (auto [i, layout] : llvm::enumerate(drawing.layouts))
    writeEntry(layout, getColours(i).first, getColours(i).second);
  writeEntry("moves data in every call", moveColour, moveFill);
}

} // namespace

void writeSvg(ArrayRef<Drawing> drawings, raw_ostream &stream) {
  double width = 0, height = 0;
  for (const Drawing &drawing : drawings) {
    width = std::max(width, drawing.width);
    height += drawing.height;
  }
  stream << llvm::formatv(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:f0}\" height=\"{1:f0}\" viewBox=\"0 0 {0:f0} {1:f0}\">\n",
                width, height)
         << "<style>text{font:11px sans-serif;fill:#1b1f24}.node text{text-anchor:middle}.node "
            ".title{font-weight:bold;font-size:12px}"
            ".heading{font-weight:bold;font-size:14px}.node rect{stroke-width:1.3}.contraction rect{stroke-width:2.4}.move "
            "rect{stroke-width:2.4}"
            ".edge path{fill:none;stroke-width:1.6}"
            ".label{font-size:10px;fill:#444;paint-order:stroke;stroke:#fff;stroke-width:3px}"
            "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  double top = 0;
  for (const Drawing &drawing : drawings) {
    stream << "<g transform=\"translate(0 " << number(top) << ")\">\n";
    writeLegend(drawing, stream);
    for (const Drawing::Edge &edge : drawing.edges)
      writeEdge(drawing, edge, stream);
    for (const Drawing::Edge &edge : drawing.edges)
      writeLabel(edge, stream);
    for (const Drawing::Node &node : drawing.nodes)
      writeNode(node, stream);
    stream << "</g>\n";
    top += drawing.height;
  }
  stream << "</svg>\n";
}

} // namespace mlir::tpp
