// Reads and writes .npy files. See Npy.h. Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include "Npy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <optional>

namespace tpp::run {

static_assert(llvm::endianness::native == llvm::endianness::little, "the data of a .npy file are copied without byte swapping");

static constexpr char magic[] = "\x93NUMPY";
static constexpr size_t magicBytes = 6;

namespace {
// Parses the header text: a Python dictionary literal with the keys descr, fortran_order and shape, in any order.
class HeaderParser {
public:
  HeaderParser(llvm::StringRef text, NpyHeader &header) : text(text), header(header) {}

  // Returns an empty string, or a description of the error.
  std::string parse() {
    if (!take('{'))
      return "it is not a dictionary";
    while (!take('}')) {
      std::optional<llvm::StringRef> key = quoted();
      if (!key || !take(':'))
        return "a key is malformed";
      std::string problem = value(*key);
      if (!problem.empty())
        return problem;
      if (!take(',') && !peek('}'))
        return "a comma is missing after '" + key->str() + "'";
    }
    if (!text.trim().empty())
      return "there is text after the dictionary";
    for (auto [seen, key] :
         {std::pair(haveDescriptor, "descr"), std::pair(haveOrder, "fortran_order"), std::pair(haveShape, "shape")})
      if (!seen)
        return std::string("key '") + key + "' is missing";
    return "";
  }

private:
  std::string value(llvm::StringRef key) {
    if (key == "descr") {
      if (peek('['))
        return "structured types are not supported";
      std::optional<llvm::StringRef> descriptor = quoted();
      if (!descriptor)
        return "'descr' is not a string";
      header.descriptor = descriptor->str();
      haveDescriptor = true;
      return "";
    }
    if (key == "fortran_order") {
      text = text.ltrim();
      if (text.consume_front("True"))
        header.fortranOrder = true;
      else if (!text.consume_front("False"))
        return "'fortran_order' is neither True nor False";
      haveOrder = true;
      return "";
    }
    if (key == "shape") {
      haveShape = true;
      return shape() ? "" : "'shape' is not a tuple of sizes";
    }
    return "key '" + key.str() + "' is unknown";
  }

  bool shape() {
    if (!take('('))
      return false;
    header.shape.clear();
    while (!take(')')) {
      int64_t size;
      text = text.ltrim();
      if (text.consumeInteger(10, size) || size < 0)
        return false;
      text.consume_front("L"); // Python 2 writes long integers as 123L
      header.shape.push_back(size);
      if (!take(',') && !peek(')'))
        return false;
    }
    return true;
  }

  bool peek(char c) {
    text = text.ltrim();
    return text.starts_with(llvm::StringRef(&c, 1));
  }
  bool take(char c) {
    bool found = peek(c);
    if (found)
      text = text.drop_front();
    return found;
  }
  std::optional<llvm::StringRef> quoted() {
    char quote = peek('"') ? '"' : '\'';
    if (!take(quote))
      return std::nullopt;
    size_t end = text.find(quote);
    if (end == llvm::StringRef::npos)
      return std::nullopt;
    llvm::StringRef content = text.take_front(end);
    text = text.drop_front(end + 1);
    return content;
  }

  llvm::StringRef text;
  NpyHeader &header;
  bool haveDescriptor = false, haveOrder = false, haveShape = false;
};
} // namespace

llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef bytes, llvm::StringRef path) {
  if (bytes.empty())
    return makeError(path + ": the file is empty");
  if (!bytes.starts_with(llvm::StringRef(magic, magicBytes)))
    return makeError(path + ": not a .npy file (it does not start with \\x93NUMPY)");
  if (bytes.size() < magicBytes + 4)
    return makeError(path + ": truncated inside the .npy header");
  unsigned major = static_cast<unsigned char>(bytes[magicBytes]), minor = static_cast<unsigned char>(bytes[magicBytes + 1]);
  if (major < 1 || major > 3 || minor != 0)
    return makeError(path + ": .npy version " + llvm::Twine(major) + "." + llvm::Twine(minor) +
                     " is unknown (1.0, 2.0 and 3.0 are)");
  size_t lengthBytes = major == 1 ? 2 : 4, textOffset = magicBytes + 2 + lengthBytes;
  if (bytes.size() < textOffset)
    return makeError(path + ": truncated inside the .npy header");
  const char *lengthAt = bytes.data() + magicBytes + 2;
  size_t length = major == 1 ? llvm::support::endian::read16le(lengthAt) : llvm::support::endian::read32le(lengthAt);
  if (bytes.size() - textOffset < length)
    return makeError(path + ": truncated inside the .npy header");
  NpyHeader header;
  std::string problem = HeaderParser(bytes.substr(textOffset, length), header).parse();
  if (!problem.empty())
    return makeError(path + ": bad .npy header: " + problem);
  header.dataOffset = textOffset + length;
  return header;
}

// Normalizes the byte-order mark of a descriptor. "=f4" means native order. One-byte types have no byte order and may have any mark.
static std::string canonicalDescriptor(llvm::StringRef descriptor) {
  std::string canonical = descriptor.str();
  if (canonical.size() >= 3 && canonical[0] == '=')
    canonical[0] = '<';
  if (canonical.size() == 3 && canonical[2] == '1' && llvm::StringRef("<>|").contains(canonical[0]))
    canonical[0] = '|';
  return canonical;
}

static llvm::Error checkHeader(const NpyHeader &header, llvm::StringRef path, const TensorSpec &spec) {
  const ElementTypeInfo &info = elementTypeInfo(spec.element);
  std::string found = canonicalDescriptor(header.descriptor);
  std::string wanted = spec.what + " (" + spec.typeText() + ")";
  llvm::SmallVector<llvm::StringRef> accepted;
  llvm::StringRef(info.npyAccepted).split(accepted, ',', -1, /*KeepEmpty=*/false);
  accepted.insert(accepted.begin(), info.npyWritten);
  if (found[0] == '>')
    return makeError(path + ": holds big-endian data ('" + header.descriptor + "'), only little-endian is supported");
  if (!llvm::is_contained(accepted, found))
    return makeError(path + ": holds type '" + header.descriptor + "', " + wanted + " needs '" + llvm::join(accepted, "' or '") +
                     "'");
  if (header.shape != spec.shape)
    return makeError(path + ": holds shape " + npyShapeText(header.shape) + ", " + wanted + " needs " + npyShapeText(spec.shape));
  return llvm::Error::success();
}

// Copies `src` in Fortran order to `dst` in C order.
static void reorder(const TensorSpec &spec, const char *src, char *dst) {
  size_t size = elementTypeInfo(spec.element).bytes, rank = spec.shape.size();
  std::vector<int64_t> strides(rank, 1), position(rank, 0);
  for (size_t i = 1; i < rank; ++i)
    strides[i] = strides[i - 1] * spec.shape[i - 1];
  int64_t from = 0;
  for (int64_t to = 0, count = spec.elements(); to < count; ++to) {
    std::memcpy(dst + to * size, src + from * size, size);
    for (size_t i = rank; i-- > 0;) {
      from += strides[i];
      if (++position[i] < spec.shape[i])
        break;
      from -= strides[i] * spec.shape[i];
      position[i] = 0;
    }
  }
}

llvm::Error readNpy(llvm::StringRef path, const TensorSpec &spec, void *data) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (std::error_code error = file.getError())
    return makeError(path + ": cannot read: " + error.message());
  llvm::StringRef bytes = (*file)->getBuffer();
  llvm::Expected<NpyHeader> header = parseNpyHeader(bytes, path);
  if (!header)
    return header.takeError();
  if (llvm::Error error = checkHeader(*header, path, spec))
    return error;
  llvm::Expected<int64_t> needed = spec.checkedBytes();
  if (!needed)
    return needed.takeError();
  llvm::StringRef content = bytes.drop_front(header->dataOffset);
  if (content.size() != size_t(*needed))
    return makeError(path + ": " + (content.size() < size_t(*needed) ? "truncated" : "too long") + ": holds " +
                     llvm::Twine(content.size()) + " bytes of data, its header announces " + llvm::Twine(*needed));
  if (header->fortranOrder)
    reorder(spec, content.data(), static_cast<char *>(data));
  else
    std::memcpy(data, content.data(), content.size());
  // Compiled code expects an i1 to be a byte of value 0 or 1, but a file may contain any byte.
  if (spec.element == ElementType::i1)
    for (int64_t i = 0; i < *needed; ++i)
      static_cast<uint8_t *>(data)[i] = static_cast<uint8_t *>(data)[i] != 0;
  return llvm::Error::success();
}

llvm::Error writeNpy(llvm::StringRef path, const TensorSpec &spec, const void *data) {
  std::string text = "{'descr': '" + std::string(elementTypeInfo(spec.element).npyWritten) +
                     "', 'fortran_order': False, 'shape': " + npyShapeText(spec.shape) + ", }";
  // As in files that numpy writes, the data start at a multiple of 64 bytes and the header text ends in a newline.
  bool wide = magicBytes + 4 + llvm::alignTo(text.size() + 1, 64) > 0xffff;
  size_t prefix = magicBytes + 2 + (wide ? 4 : 2);
  text.resize(llvm::alignTo(prefix + text.size() + 1, 64) - prefix - 1, ' ');
  text += '\n';

  std::error_code error;
  llvm::raw_fd_ostream stream(path, error, llvm::sys::fs::OF_None);
  if (error)
    return makeError(path + ": cannot write: " + error.message());
  stream << llvm::StringRef(magic, magicBytes) << (wide ? '\2' : '\1') << '\0';
  for (int shift = 0; shift < (wide ? 32 : 16); shift += 8)
    stream << static_cast<char>((text.size() >> shift) & 0xff);
  stream << text;
  stream.write(static_cast<const char *>(data), spec.bytes());
  stream.close();
  if (stream.has_error()) {
    error = stream.error();
    stream.clear_error();
    llvm::sys::fs::remove(path);
    return makeError(path + ": cannot write: " + error.message());
  }
  return llvm::Error::success();
}

} // namespace tpp::run
