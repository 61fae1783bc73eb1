// Strict reader of files of tuned packings: everything in a record that is not understood is an error, with the record's number and line.
#include "tpp_dialect/TunedPackings.h"
#include "tpp_dialect/JsonPlaces.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::tpp;

namespace {
// Reads one object, key by key. Stores the first problem.
class Reader {
public:
  Reader(const llvm::json::Object &object, std::string where) : object(object), where(std::move(where)) {}
  std::string problem;

  void refuse(const Twine &what) {
    if (problem.empty())
      problem = (where + ": " + what).str();
  }
  const llvm::json::Value *find(StringRef key, bool required) {
    known.push_back(key.str());
    const llvm::json::Value *value = object.get(key);
    if (!value && required)
      refuse("'" + key + "' is missing");
    return value;
  }
  void integer(StringRef key, bool required, int64_t &value) {
    if (const llvm::json::Value *given = find(key, required)) {
      if (std::optional<int64_t> parsed = given->getAsInteger())
        value = *parsed;
      else
        refuse("'" + key + "' must be an integer");
    }
  }
  const llvm::json::Array *array(StringRef key, bool required) {
    const llvm::json::Value *value = find(key, required);
    if (value && !value->getAsArray())
      refuse("'" + key + "' must be a list");
    return value ? value->getAsArray() : nullptr;
  }
  std::optional<StringRef> text(StringRef key) {
    const llvm::json::Value *value = find(key, /*required=*/false);
    if (value && !value->getAsString())
      refuse("'" + key + "' must be a string");
    return value ? value->getAsString() : std::nullopt;
  }
  void refuseOthers() {
    for (const auto &entry : object)
      if (!llvm::is_contained(known, StringRef(entry.first).str()))
        refuse("'" + StringRef(entry.first) + "' is no key; keys are " + llvm::join(known, ", "));
  }

private:
  const llvm::json::Object &object;
  std::string where;
  std::vector<std::string> known;
};
} // namespace

static void readShape(Reader &reader, TunedRecord &record) {
  const llvm::json::Array *shape = reader.array("shape", /*required=*/true);
  if (!shape)
    return;
  if (shape->size() != record.shape.size())
    return reader.refuse("'shape' must have 4 entries, batch, m, n and k, not " + Twine(shape->size()));
  for (auto [extent, entry] : llvm::zip_equal(record.shape, *shape)) {
    if (entry.getAsNull())
      continue;
    extent = entry.getAsInteger();
    if (!extent || *extent < 1)
      return reader.refuse("the entries of 'shape' must be positive integers, or null for any");
  }
}

static void readTypes(Reader &reader, TunedRecord &record) {
  const llvm::json::Array *types = reader.array("types", /*required=*/false);
  if (!types)
    return;
  std::vector<std::string> names;
  for (const llvm::json::Value &entry : *types)
    if (auto name = entry.getAsString(); name && symbolizeElementType(*name))
      names.push_back(name->str());
  if (names.size() != 3 || types->size() != 3)
    return reader.refuse("'types' must be 3 element types (f32, bf16, ...), those of A, B and C");
  record.types = llvm::join(names, ",");
}

// A tile: its rows and columns.
static std::optional<TileSizes> readTiles(Reader &reader, StringRef key) {
  const llvm::json::Array *sizes = reader.array(key, /*required=*/false);
  if (!sizes)
    return std::nullopt;
  std::optional<int64_t> rows = sizes->empty() ? std::nullopt : sizes->front().getAsInteger(),
                         columns = sizes->empty() ? std::nullopt : sizes->back().getAsInteger();
  if (sizes->size() != 2 || !rows || !columns) {
    reader.refuse("'" + key + "' must hold two integers, the rows and the columns of a tile");
    return std::nullopt;
  }
  return TileSizes{*rows, *columns};
}

static std::string readPacking(const llvm::json::Object &object, const std::string &where, Packing &packing) {
  Reader reader(object, where + ".packing");
  reader.integer("panel", /*required=*/true, packing.panel);
  reader.integer("kc", /*required=*/false, packing.kc);
  reader.integer("mc", /*required=*/false, packing.mc);
  reader.integer("nc", /*required=*/false, packing.nc);
  packing.a = readTiles(reader, "a");
  packing.c = readTiles(reader, "c");
  if (auto order = reader.text("order")) {
    if (std::optional<LoopOrder> known = symbolizeLoopOrder(*order))
      packing.order = *known;
    else
      reader.refuse("'order' must be auto, rows, columns, blocked or curve, not '" + *order + "'");
  }
  reader.refuseOthers();
  return reader.problem;
}

static std::string readRecord(const llvm::json::Object &object, const std::string &where, TunedRecord &record) {
  Reader reader(object, where);
  readShape(reader, record);
  readTypes(reader, record);
  if (auto isa = reader.text("isa")) {
    record.isa = isa->str();
    if (!llvm::is_contained(TargetAttr::getIsas(), *isa))
      reader.refuse("'isa' must be one of " + llvm::join(TargetAttr::getIsas(), ", ") + ", not '" + *isa + "'");
  }
  if (const llvm::json::Value *constant = reader.find("constant_b", /*required=*/false)) {
    record.constantB = constant->getAsBoolean();
    if (!record.constantB)
      reader.refuse("'constant_b' must be true or false");
  }
  reader.find("measured", /*required=*/false); // written by tpp-tune, not used here
  const llvm::json::Value *packing = reader.find("packing", /*required=*/true);
  reader.refuseOthers();
  if (!reader.problem.empty())
    return reader.problem;
  if (!packing->getAsObject())
    return where + ": 'packing' must be an object";
  return readPacking(*packing->getAsObject(), where, record.packing);
}

TunedPackings TunedPackings::parse(StringRef text, StringRef file) {
  TunedPackings tuned;
  auto refuse = [&](const Twine &what) { // `what` follows the file's name and a colon: a line number and a problem, or a problem
    tuned.problem = (file + ":" + what).str();
    tuned.records.clear();
    return tuned;
  };
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed)
    return refuse(" " + llvm::toString(parsed.takeError()));
  if (!parsed->getAsObject())
    return refuse(" must hold an object with 'version' and 'records'");
  JsonPlaces places = findJsonPlaces(text, "records");
  if (places.repeatedLine != 0)
    return refuse(Twine(places.repeatedLine) + ": '" + places.repeatedKey + "' is given twice");
  Reader reader(*parsed->getAsObject(), file.str());
  int64_t version = 0;
  reader.integer("version", /*required=*/true, version);
  if (reader.problem.empty() && version != 1)
    reader.refuse("'version' is " + Twine(version) + ", this is a reader of version 1");
  reader.find("machine", /*required=*/false); // written by tpp-tune, not used here
  const llvm::json::Array *records = reader.array("records", /*required=*/true);
  reader.refuseOthers();
  if (!reader.problem.empty()) {
    tuned.problem = reader.problem;
    return tuned;
  }
  for (auto [index, entry] : llvm::enumerate(*records)) {
    std::string where = "records[" + std::to_string(index) + "]";
    int64_t line = places.entryLines[index];
    if (!entry.getAsObject())
      return refuse(Twine(line) + ": " + where + ": must be an object");
    TunedRecord record;
    if (std::string problem = readRecord(*entry.getAsObject(), where, record); !problem.empty())
      return refuse(Twine(line) + ": " + problem);
    record.packing.by = file.str() + ", " + where;
    tuned.records.push_back(std::move(record));
  }
  return tuned;
}

TunedPackings TunedPackings::read(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (std::error_code error = buffer.getError()) {
    TunedPackings tuned;
    tuned.problem = (file + ": cannot read: " + error.message()).str();
    return tuned;
  }
  return parse((*buffer)->getBuffer(), file);
}

static std::string getTypeNames(const ContractionInfo &contraction) {
  std::vector<std::string> names;
  for (Type type : {contraction.a().elementType, contraction.b().elementType, contraction.c().elementType}) {
    std::optional<ElementType> element = getElementType(type);
    names.push_back(element ? stringifyElementType(*element).str() : "");
  }
  return llvm::join(names, ",");
}

bool TunedRecord::fits(const ContractionInfo &contraction) const {
  constexpr DimensionRole roles[] = {DimensionRole::Batch, DimensionRole::Row, DimensionRole::Column, DimensionRole::Reduction};
  for (auto [extent, role] : llvm::zip_equal(shape, roles))
    if (extent && *extent != contraction.getExtent(role))
      return false;
  return (types.empty() || types == getTypeNames(contraction)) &&
         (isa.empty() || isa == contraction.target.getIsa().getValue()) &&
         (!constantB || *constantB == contraction.b().isConstant);
}

std::optional<Packing> TunedPackings::find(const ContractionInfo &wanted) const {
  for (const TunedRecord &record : records)
    if (record.fits(wanted))
      return record.packing;
  return std::nullopt;
}

const TunedPackings &TunedPackingFiles::get(StringRef file) {
  std::lock_guard<std::mutex> guard(mutex);
  std::unique_ptr<TunedPackings> &found = files[file];
  if (!found)
    found = std::make_unique<TunedPackings>(TunedPackings::read(file));
  return *found;
}

const TunedPackings &TppDialect::getTunedPackings(StringRef file) { return tunedPackingFiles->get(file); }
