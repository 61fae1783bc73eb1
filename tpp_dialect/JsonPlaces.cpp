// See JsonPlaces.h. The text is valid JSON, so the scanner only finds where values begin and end.
#include "tpp_dialect/JsonPlaces.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::tpp;

namespace {
class Scanner {
public:
  Scanner(StringRef text, StringRef list) : text(text), list(list) {}

  JsonPlaces scan() {
    value(/*depth=*/0, /*isList=*/false);
    return std::move(places);
  }

private:
  char next() {
    while (at < text.size() && StringRef(" \t\r\n").contains(text[at]))
      line += text[at++] == '\n';
    return at < text.size() ? text[at] : '\0';
  }

  // Scans a string. Returns it with its quotes.
  StringRef string() {
    size_t begin = at++;
    while (at < text.size() && text[at] != '"')
      at += text[at] == '\\' ? 2 : 1;
    at = std::min(at + 1, text.size());
    return text.slice(begin, at);
  }

  void value(int64_t depth, bool isList) {
    char first = next();
    if (first == '{')
      object(depth);
    else if (first == '[')
      array(depth, isList);
    else if (first == '"')
      string();
    else
      at = std::min(text.find_first_of(",]} \t\r\n", at), text.size());
  }

  void object(int64_t depth) {
    llvm::StringSet<> keys;
    ++at;
    for (char c = next(); c != '}' && c != '\0'; c = next()) {
      if (c == ',') {
        ++at;
        continue;
      }
      std::string name = unescape(string());
      if (!keys.insert(name).second && places.repeatedKey.empty()) {
        places.repeatedKey = name;
        places.repeatedLine = line;
      }
      next();
      ++at; // the colon
      value(depth + 1, depth == 0 && name == list);
    }
    ++at;
  }

  void array(int64_t depth, bool isList) {
    ++at;
    for (char c = next(); c != ']' && c != '\0'; c = next()) {
      if (c == ',') {
        ++at;
        continue;
      }
      if (isList)
        places.entryLines.push_back(line);
      value(depth + 1, /*isList=*/false);
    }
    ++at;
  }

  // Resolves escapes, because one key may be written in several ways.
  static std::string unescape(StringRef quoted) {
    llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(quoted);
    if (!parsed) {
      llvm::consumeError(parsed.takeError());
      return quoted.str();
    }
    return parsed->getAsString().value_or(quoted).str();
  }

  StringRef text, list;
  size_t at = 0;
  int64_t line = 1;
  JsonPlaces places;
};
} // namespace

JsonPlaces tpp::findJsonPlaces(StringRef text, StringRef list) { return Scanner(text, list).scan(); }
