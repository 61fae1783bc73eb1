//===- ModelFile.cpp - models in files ---------------------------------------------------------------------------------------===//
// tpp_model_save and tpp_model_load. A file is a header, a description in JSON, the object file of the code, and the weights, which start at a
// page and are mapped. Of weights that are not packed yet, most are zero: then the file has only the others, which are copied. A checksum
// covers all that follows the header.

#include "lowering/capi/Model.h"

#include "lowering/compile/ModelBuilder.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include "tpp/tpp.h"

#include <cstring>

using namespace llvm;
using namespace tpp::capi;
using mlir::tpp::CompileReport;
using mlir::tpp::LoadedModel;

namespace {
struct Header {
  char magic[8];
  uint64_t format;
  uint64_t descriptionBytes, objectBytes, weightsBytes; // of the parts of the file
  uint64_t checksum;
};
constexpr char fileMagic[8] = {'T', 'P', 'P', 'M', 'O', 'D', 'E', 'L'};
constexpr uint64_t fileFormat = 2, pageBytes = 4096;

// A part of the weights that the file has.
struct Run {
  uint64_t offset, bytes; // in the weights
};

// The runs of pages that are not all zero.
SmallVector<Run> findRuns(StringRef weights) {
  SmallVector<Run> runs;
  for (uint64_t offset = 0; offset < weights.size(); offset += pageBytes) {
    StringRef page = weights.substr(offset, pageBytes);
    if (page.find_first_not_of('\0') == StringRef::npos)
      continue;
    if (runs.empty() || runs.back().offset + runs.back().bytes != offset)
      runs.push_back({offset, 0});
    runs.back().bytes += page.size();
  }
  return runs;
}

uint64_t getWeightsOffset(const Header &header) {
  return alignTo(sizeof(Header) + header.descriptionBytes + header.objectBytes, pageBytes);
}

json::Array describeValues(const ModelValues &values) {
  json::Array list;
  for (const std::unique_ptr<ModelValue> &value : values)
    list.push_back(json::Object{{"type", value->type},
                                {"element_bytes", value->description.element_bytes},
                                {"shape", json::Array(ArrayRef<int64_t>(value->shape))},
                                {"is_weight", value->description.is_weight != 0},
                                {"is_written", value->description.is_written != 0}});
  return list;
}

// An integer >= 0; nothing if there is none.
std::optional<int64_t> readSize(const json::Object &object, StringRef name) {
  std::optional<int64_t> size = object.getInteger(name);
  return size && *size >= 0 ? size : std::nullopt;
}

// The values of a list that describeValues wrote; nothing if it is something else.
std::optional<ModelValues> readValues(const json::Array *list) {
  if (!list)
    return std::nullopt;
  ModelValues values;
  for (const json::Value &item : *list) {
    const json::Object *value = item.getAsObject();
    const json::Array *extents = value ? value->getArray("shape") : nullptr;
    if (!extents || !value->getString("type") || !readSize(*value, "element_bytes") || !value->getBoolean("is_weight") ||
        !value->getBoolean("is_written"))
      return std::nullopt;
    SmallVector<int64_t> shape;
    int64_t bytes = *readSize(*value, "element_bytes");
    for (const json::Value &extent : *extents) {
      shape.push_back(extent.getAsInteger().value_or(-1));
      if (shape.back() < 0 || MulOverflow(bytes, shape.back(), bytes))
        return std::nullopt;
    }
    values.push_back(std::make_unique<ModelValue>(*value->getString("type"), *readSize(*value, "element_bytes"), shape,
                                                  *value->getBoolean("is_weight"), *value->getBoolean("is_written")));
  }
  return values;
}

json::Array describeSlots(ArrayRef<CompileReport::Slot> slots) {
  json::Array list;
  for (const CompileReport::Slot &slot : slots)
    list.push_back(json::Object{{"what", slot.what},
                                {"name", slot.name},
                                {"provider", slot.provider},
                                {"flops_of_entry", slot.flopsOfEntry},
                                {"is_batched", slot.isBatched},
                                {"flops_type", slot.flopsType}});
  return list;
}

// The kernels that describeSlots wrote; nothing if they are something else.
std::optional<std::vector<CompileReport::Slot>> readSlots(const json::Array *list) {
  if (!list)
    return std::nullopt;
  std::vector<CompileReport::Slot> slots;
  for (const json::Value &item : *list) {
    const json::Object *slot = item.getAsObject();
    if (!slot || !slot->getString("what") || !slot->getString("name") || !slot->getString("provider") ||
        !readSize(*slot, "flops_of_entry") || !slot->getString("flops_type"))
      return std::nullopt;
    slots.push_back({slot->getString("name")->str(),
                     slot->getString("provider")->str(),
                     slot->getString("what")->str(),
                     {},
                     *readSize(*slot, "flops_of_entry"),
                     slot->getBoolean("is_batched").value_or(true), // without it, only a brgemm has flops
                     slot->getString("flops_type")->str()});
  }
  return slots;
}

json::Array describeRuns(ArrayRef<Run> runs) {
  json::Array list;
  for (const Run &run : runs) {
    list.push_back(run.offset);
    list.push_back(run.bytes);
  }
  return list;
}

// The runs that describeRuns wrote, if they are `stored` bytes in all, of `weightsBytes`; nothing if they are not.
std::optional<SmallVector<Run>> readRuns(const json::Array *list, uint64_t stored, uint64_t weightsBytes) {
  if (!list || list->size() % 2 != 0)
    return std::nullopt;
  SmallVector<Run> runs;
  uint64_t total = 0;
  for (size_t i = 0; i < list->size(); i += 2) {
    Run run = {(*list)[i].getAsUINT64().value_or(weightsBytes + 1), (*list)[i + 1].getAsUINT64().value_or(0)};
    if (run.offset > weightsBytes || run.bytes > weightsBytes - run.offset || run.bytes > stored - total)
      return std::nullopt;
    total += run.bytes;
    runs.push_back(run);
  }
  return total == stored ? std::optional(runs) : std::nullopt;
}

// The weights of a file that has runs of them.
Expected<std::shared_ptr<char[]>> copyRuns(ArrayRef<Run> runs, StringRef stored, int64_t weightsBytes) {
  auto memory = mlir::tpp::allocateZeroed(weightsBytes, "the weights");
  if (!memory)
    return memory.takeError();
  for (const Run &run : runs) {
    std::memcpy(memory->get() + run.offset, stored.data(), run.bytes);
    stored = stored.drop_front(run.bytes);
  }
  return std::shared_ptr<char[]>(std::move(*memory));
}

std::string describeModel(const tpp_model &model, ArrayRef<Run> runs) {
  const LoadedModel::Parts &parts = model.loaded->getParts();
  std::string text;
  raw_string_ostream(text) << json::Value(json::Object{{"tpp", TPP_PROJECT_VERSION},
                                                       {"runtime_abi", tpp_abi_version()},
                                                       {"name", parts.name},
                                                       {"workspace_bytes", parts.workspaceBytes},
                                                       {"has_prepack", parts.hasPrepack},
                                                       {"prepack_workspace_bytes", parts.prepackWorkspaceBytes},
                                                       {"is_packed", model.isPacked},
                                                       {"weights_bytes", parts.weightsBytes},
                                                       {"weight_runs", describeRuns(runs)},
                                                       {"arguments", describeValues(model.arguments)},
                                                       {"results", describeValues(model.results)},
                                                       {"kernels", describeSlots(model.slots)},
                                                       {"drawing", model.drawing},
                                                       {"report", model.report}});
  return text;
}

// The checksum of a whole file. `content` is everything between the header and the weights.
uint64_t computeChecksum(Header header, StringRef content, StringRef weights) {
  auto hash = [](const void *data, size_t bytes) { return xxh3_64bits(ArrayRef(static_cast<const uint8_t *>(data), bytes)); };
  header.checksum = 0;
  const uint64_t parts[] = {hash(&header, sizeof(header)), hash(content.data(), content.size()),
                            hash(weights.data(), weights.size())};
  return hash(parts, sizeof(parts));
}

// Writes the parts to a new file beside `path` and renames it: a reader sees the old file or the whole new one.
std::error_code replaceFile(const Twine &path, ArrayRef<StringRef> parts) {
  SmallString<128> temporary;
  int descriptor;
  if (std::error_code error = sys::fs::createUniqueFile(path + ".%%%%%%%%%%%%.tmp", descriptor, temporary, sys::fs::OF_None,
                                                        sys::fs::all_read | sys::fs::owner_write))
    return error;
  raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  for (StringRef part : parts)
    stream << part;
  stream.close();
  std::error_code error = stream.error();
  stream.clear_error();
  if (!error)
    error = sys::fs::rename(temporary, path);
  if (error)
    sys::fs::remove(temporary);
  return error;
}
} // namespace

tpp_status tpp_model_save(const tpp_model *model, const char *path) {
  if (!model || !path)
    return fail(TPP_STATUS_NULL_POINTER, model ? "path is null" : "model is null");
  const LoadedModel::Parts &parts = model->loaded->getParts();
  StringRef weights(parts.weights.get(), parts.weightsBytes);
  SmallVector<Run> runs;
  std::string gathered;
  if (!model->isPacked) {
    runs = findRuns(weights);
    for (const Run &run : runs)
      gathered += weights.substr(run.offset, run.bytes);
    weights = gathered;
  }
  std::string description = describeModel(*model, runs);
  Header header = {{}, fileFormat, description.size(), parts.object.size(), weights.size(), 0};
  std::memcpy(header.magic, fileMagic, sizeof(fileMagic));
  std::string content = description + parts.object;
  content.resize(getWeightsOffset(header) - sizeof(Header));
  header.checksum = computeChecksum(header, content, weights);

  if (std::error_code error =
          replaceFile(path, {StringRef(reinterpret_cast<const char *>(&header), sizeof(header)), content, weights}))
    return fail(TPP_STATUS_FILE, Twine(path) + ": cannot write: " + error.message());
  return TPP_STATUS_OK;
}

tpp_status tpp_model_load(const char *path, tpp_model **model) {
  if (model)
    *model = nullptr;
  if (!model || !path)
    return fail(TPP_STATUS_NULL_POINTER, model ? "path is null" : "model is null");
  auto cannotRead = [&](const std::error_code &error) {
    return fail(TPP_STATUS_FILE, Twine(path) + ": cannot read: " + error.message());
  };
  auto damaged = [&](const Twine &why) { return fail(TPP_STATUS_INVALID_PROGRAM, Twine(path) + ": " + why); };

  auto file = sys::fs::openNativeFileForRead(path);
  if (!file)
    return cannotRead(errorToErrorCode(file.takeError()));
  sys::fs::file_status status;
  std::error_code error = sys::fs::status(*file, status);
  uint64_t size = error ? 0 : status.getSize();
  std::shared_ptr<sys::fs::mapped_file_region> region;
  if (!error && size >= sizeof(Header)) // private: prepack writes to the weights, and not to the file
    region = std::make_shared<sys::fs::mapped_file_region>(*file, sys::fs::mapped_file_region::priv, size, 0, error);
  sys::fs::closeFile(*file);
  if (error)
    return cannotRead(error);
  Header header;
  if (!region)
    return damaged("not a saved model");
  std::memcpy(&header, region->const_data(), sizeof(header));
  if (std::memcmp(header.magic, fileMagic, sizeof(fileMagic)) != 0)
    return damaged("not a saved model");
  if (header.format != fileFormat)
    return damaged("a saved model of another version of TPP");
  uint64_t most = size;
  if (header.descriptionBytes > most || header.objectBytes > most || header.weightsBytes > most ||
      getWeightsOffset(header) + header.weightsBytes != size)
    return damaged("the file of the model is incomplete");
  StringRef content(region->const_data() + sizeof(Header), getWeightsOffset(header) - sizeof(Header));
  StringRef weights(region->const_data() + getWeightsOffset(header), header.weightsBytes);
  if (header.checksum != computeChecksum(header, content, weights))
    return damaged("the file of the model is damaged: its checksum is wrong");

  Expected<json::Value> parsed = json::parse(content.take_front(header.descriptionBytes));
  const json::Object *description = parsed ? parsed->getAsObject() : nullptr;
  if (!description) {
    consumeError(parsed.takeError());
    return damaged("the file of the model is damaged: its description is no JSON object");
  }
  if (description->getString("tpp").value_or("") != TPP_PROJECT_VERSION ||
      description->getInteger("runtime_abi").value_or(-1) != tpp_abi_version())
    return damaged("a saved model of another version of TPP");
  std::optional<ModelValues> arguments = readValues(description->getArray("arguments"));
  std::optional<ModelValues> results = readValues(description->getArray("results"));
  std::optional<StringRef> name = description->getString("name"), report = description->getString("report"),
                           drawing = description->getString("drawing");
  std::optional<std::vector<CompileReport::Slot>> slots = readSlots(description->getArray("kernels"));
  std::optional<int64_t> workspaceBytes = readSize(*description, "workspace_bytes");
  std::optional<int64_t> weightsBytes = readSize(*description, "weights_bytes");
  std::optional<int64_t> prepackWorkspaceBytes = readSize(*description, "prepack_workspace_bytes");
  std::optional<bool> hasPrepack = description->getBoolean("has_prepack"), isPacked = description->getBoolean("is_packed");
  if (!arguments || !results || !name || !report || !drawing || !slots || !workspaceBytes || !weightsBytes ||
      !prepackWorkspaceBytes || !hasPrepack || !isPacked)
    return damaged("the file of the model is damaged: its description is incomplete");
  std::optional<SmallVector<Run>> runs =
      readRuns(description->getArray("weight_runs"), *isPacked ? 0 : weights.size(), static_cast<uint64_t>(*weightsBytes));
  if (!runs || (*isPacked && weights.size() != static_cast<uint64_t>(*weightsBytes)))
    return damaged("the file of the model is damaged: its weights are incomplete");

  exposeRuntime();
  auto made = std::make_unique<tpp_model>();
  LoadedModel::Parts parts;
  parts.object = content.substr(header.descriptionBytes, header.objectBytes).str();
  auto code = mlir::tpp::LoadedCode::load(parts.object);
  if (!code)
    return fail(TPP_STATUS_INVALID_PROGRAM, code.takeError());
  parts.name = name->str();
  parts.code = std::move(*code);
  if (*isPacked) {
    parts.weights = std::shared_ptr<char[]>(region, region->data() + getWeightsOffset(header));
    parts.hasMappedWeights = true;
  } else {
    auto copied = copyRuns(*runs, weights, *weightsBytes);
    if (!copied)
      return fail(TPP_STATUS_OUT_OF_MEMORY, copied.takeError());
    parts.weights = std::move(*copied);
  }
  parts.weightsBytes = *weightsBytes;
  parts.workspaceBytes = *workspaceBytes;
  parts.hasPrepack = *hasPrepack;
  parts.prepackWorkspaceBytes = *prepackWorkspaceBytes;
  parts.kernelCount = slots->size();
  auto loaded = LoadedModel::create(std::move(parts));
  if (!loaded)
    return fail(TPP_STATUS_INVALID_PROGRAM, loaded.takeError());
  made->loaded = std::move(*loaded);
  made->setValues(std::move(*arguments), std::move(*results));
  made->report = report->str();
  made->drawing = drawing->str();
  made->slots = std::move(*slots);
  made->isPacked = *isPacked;
  *model = made.release();
  return TPP_STATUS_OK;
}
