// Tests of tpp-run's .npy files: round trips of every type and shape, variants that numpy may write, and the message for each
// broken file.
#include "support.h"
#include "tools/tpp-run/Npy.h"

#include <cstring>
#include <numeric>

namespace tpp::run {
namespace {

using test::TemporaryDirectory;
using test::textOf;

// A .npy file with this header text and data. No padding is added.
std::string npy(const std::string &header, const std::string &data, char major = 1, char minor = 0) {
  std::string text = header + "\n", file = "\x93NUMPY";
  file += major;
  file += minor;
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    file += char(text.size() >> (8 * i) & 0xff);
  return file + text + data;
}

std::string header(const std::string &descriptor, const std::string &shape, const std::string &order = "False") {
  return "{'descr': '" + descriptor + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

class NpyRoundTrip : public ::testing::TestWithParam<std::pair<ElementType, std::vector<int64_t>>> {};

TEST_P(NpyRoundTrip, GivesBackEveryByte) {
  TemporaryDirectory directory;
  TensorSpec spec{GetParam().first, GetParam().second, "argument #0"};
  std::vector<unsigned char> data(spec.bytes()), back(spec.bytes(), 0xee);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = spec.element == ElementType::i1 ? i % 3 == 0 : static_cast<unsigned char>(i * 37 + 11);
  std::string path = directory.file("x.npy");
  ASSERT_EQ(textOf(writeNpy(path, spec, data.data())), "");
  std::string bytes = test::readFile(path);
  auto parsed = parseNpyHeader(bytes, path);
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(parsed->dataOffset % 64, 0u) << "numpy aligns the data so";
  EXPECT_EQ(parsed->shape, spec.shape);
  EXPECT_EQ(parsed->descriptor, elementTypeInfo(spec.element).npyWritten);
  ASSERT_EQ(textOf(readNpy(path, spec, back.data())), "");
  EXPECT_EQ(data, back);
}

const ElementType allTypes[] = {
#define ROW(name, bytes, floating, written, accepted) ElementType::name,
    TPP_RUN_ELEMENT_TYPES(ROW)
#undef ROW
};

std::vector<std::pair<ElementType, std::vector<int64_t>>> roundTrips() {
  std::vector<std::pair<ElementType, std::vector<int64_t>>> rows;
  for (ElementType type : allTypes)
    for (const std::vector<int64_t> &shape : {std::vector<int64_t>{}, {1}, {7}, {3, 5}, {2, 3, 4}, {4, 0, 2}})
      rows.push_back({type, shape});
  return rows;
}
std::string caseName(const ::testing::TestParamInfo<NpyRoundTrip::ParamType> &info) {
  std::string name = elementTypeInfo(info.param.first).name;
  for (int64_t size : info.param.second)
    name += "_" + std::to_string(size);
  return name;
}
INSTANTIATE_TEST_SUITE_P(EveryTypeAndRank, NpyRoundTrip, ::testing::ValuesIn(roundTrips()), caseName);

TEST(NpyTest, WritesWhatNumpyWrites) {
  TemporaryDirectory directory;
  float data[] = {1, 2, 3};
  std::string path = directory.file("x.npy");
  ASSERT_EQ(textOf(writeNpy(path, {ElementType::f32, {3}, "r"}, data)), "");
  // Expected bytes of numpy.save(numpy.array([1, 2, 3], dtype='<f4')).
  std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
  text.resize(117, ' ');
  std::string expected = std::string("\x93NUMPY\x01\0\x76\0", 10) + text + "\n" + std::string(reinterpret_cast<char *>(data), 12);
  EXPECT_EQ(test::readFile(path), expected);
}

TEST(NpyTest, ReadsOtherSpellingsOfTheSameData) {
  TemporaryDirectory directory;
  TensorSpec spec{ElementType::f32, {2, 3}, "argument #0"};
  float data[6], values[] = {0, 1, 2, 3, 4, 5};
  std::string bytes(reinterpret_cast<char *>(values), sizeof values);
  for (const std::string &content : {
           npy(header("<f4", "(2, 3)"), bytes, 1),
           npy(header("<f4", "(2, 3)"), bytes, 2),
           npy(header("<f4", "(2, 3)"), bytes, 3),
           npy(header("=f4", "(2,3)"), bytes),
           npy("{\"shape\": (2L, 3L), \"fortran_order\": False, \"descr\": \"<f4\"}", bytes),
           npy("  {'shape':(2,3,),'descr':'<f4','fortran_order':False}      ", bytes),
       }) {
    std::memset(data, 0xee, sizeof data);
    ASSERT_EQ(textOf(readNpy(directory.write("x.npy", content), spec, data)), "") << content;
    EXPECT_EQ(std::memcmp(data, values, sizeof data), 0);
  }
}

TEST(NpyTest, PutsFortranOrderIntoCOrder) {
  TemporaryDirectory directory;
  int16_t column[24], data[24];
  // Element (i, j, k) of shape 2 x 3 x 4 has the value 100 i + 10 j + k.
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k)
        column[i + 2 * j + 6 * k] = int16_t(100 * i + 10 * j + k);
  std::string path = directory.write(
      "x.npy", npy(header("<i2", "(2, 3, 4)", "True"), std::string(reinterpret_cast<char *>(column), sizeof column)));
  ASSERT_EQ(textOf(readNpy(path, {ElementType::i16, {2, 3, 4}, "argument #0"}, data)), "");
  for (int i = 0; i < 24; ++i)
    EXPECT_EQ(data[i], 100 * (i / 12) + 10 * (i / 4 % 3) + i % 4) << i;
}

TEST(NpyTest, AcceptsBf16AsVoidAndNormalizesBooleans) {
  TemporaryDirectory directory;
  uint16_t half;
  ASSERT_EQ(textOf(readNpy(directory.write("v.npy", npy(header("|V2", "()"), "\x80\x3f")), {ElementType::bf16, {}, "a"}, &half)),
            "");
  EXPECT_EQ(half, 0x3f80);
  uint8_t flags[3];
  ASSERT_EQ(textOf(readNpy(directory.write("b.npy", npy(header("|u1", "(3,)"), std::string("\0\1\7", 3))),
                           {ElementType::i1, {3}, "a"}, flags)),
            "");
  EXPECT_EQ(flags[0], 0);
  EXPECT_EQ(flags[1], 1);
  EXPECT_EQ(flags[2], 1);
}

TEST(NpyTest, NamesEachMistake) {
  TemporaryDirectory directory;
  std::string bytes(24, '\0'), good = header("<f4", "(2, 3)");
  const std::pair<std::string, std::string> rows[] = {
      {"", "the file is empty"},
      {"hello", "not a .npy file (it does not start with \\x93NUMPY)"},
      {std::string("\x93NUMPY\x01", 7), "truncated inside the .npy header"},
      {npy(good, "").substr(0, 30), "truncated inside the .npy header"},
      {std::string("\x93NUMPY\x02\0\xff\xff\xff\xff", 12), "truncated inside the .npy header"},
      {std::string("\x93NUMPY\x02\0\xff\xff", 10), "truncated inside the .npy header"},
      {npy(good, bytes, 9), ".npy version 9.0 is unknown (1.0, 2.0 and 3.0 are)"},
      {npy(good, bytes, 1, 7), ".npy version 1.7 is unknown (1.0, 2.0 and 3.0 are)"},
      {npy("nonsense", bytes), "bad .npy header: it is not a dictionary"},
      {npy("{descr: 1}", bytes), "bad .npy header: a key is malformed"},
      {npy("{'descr'}", bytes), "bad .npy header: a key is malformed"},
      {npy("{'descr': '<f4' 'shape': (2, 3)}", bytes), "bad .npy header: a comma is missing after 'descr'"},
      {npy("{'descr': '<f4', 'shape': (2, 3)}", bytes), "bad .npy header: key 'fortran_order' is missing"},
      {npy("{'descr': '<f4', 'fortran_order': False}", bytes), "bad .npy header: key 'shape' is missing"},
      {npy("{'fortran_order': False, 'shape': (2, 3)}", bytes), "bad .npy header: key 'descr' is missing"},
      {npy("{'color': 3}", bytes), "bad .npy header: key 'color' is unknown"},
      {npy("{'fortran_order': 0}", bytes), "bad .npy header: 'fortran_order' is neither True nor False"},
      {npy("{'descr': [('x', '<f4')], }", bytes), "bad .npy header: structured types are not supported"},
      {npy("{'descr': 4, }", bytes), "bad .npy header: 'descr' is not a string"},
      {npy("{'shape': (2, -3)}", bytes), "bad .npy header: 'shape' is not a tuple of sizes"},
      {npy("{'shape': (2, 99999999999999999999)}", bytes), "bad .npy header: 'shape' is not a tuple of sizes"},
      {npy("{'shape': 6}", bytes), "bad .npy header: 'shape' is not a tuple of sizes"},
      {npy(good + " x", bytes), "bad .npy header: there is text after the dictionary"},
      {npy(header("<f8", "(2, 3)"), bytes), "holds type '<f8', argument #0 (tensor<2x3xf32>) needs '<f4'"},
      {npy(header("<i4", "(2, 3)"), bytes), "holds type '<i4', argument #0 (tensor<2x3xf32>) needs '<f4'"},
      {npy(header("|O", "(2, 3)"), bytes), "holds type '|O', argument #0 (tensor<2x3xf32>) needs '<f4'"},
      {npy(header("", "(2, 3)"), bytes), "holds type '', argument #0 (tensor<2x3xf32>) needs '<f4'"},
      {npy(header(">f4", "(2, 3)"), bytes), "holds big-endian data ('>f4'), only little-endian is supported"},
      {npy(header("<f4", "(3, 2)"), bytes), "holds shape (3, 2), argument #0 (tensor<2x3xf32>) needs (2, 3)"},
      {npy(header("<f4", "(6,)"), bytes), "holds shape (6,), argument #0 (tensor<2x3xf32>) needs (2, 3)"},
      {npy(header("<f4", "()"), bytes), "holds shape (), argument #0 (tensor<2x3xf32>) needs (2, 3)"},
      {npy(good, bytes.substr(1)), "truncated: holds 23 bytes of data, its header announces 24"},
      {npy(good, bytes + "x"), "too long: holds 25 bytes of data, its header announces 24"},
  };
  TensorSpec spec{ElementType::f32, {2, 3}, "argument #0"};
  for (const auto &[content, message] : rows) {
    float data[6];
    std::string path = directory.write("bad.npy", content);
    EXPECT_EQ(textOf(readNpy(path, spec, data)), path + ": " + message);
  }
}

TEST(NpyTest, EveryPrefixOfAFileIsRefused) {
  TemporaryDirectory directory;
  TensorSpec spec{ElementType::f32, {2, 3}, "argument #0"};
  std::string content = npy(header("<f4", "(2, 3)"), std::string(24, 'x'));
  float data[6];
  for (size_t length = 0; length < content.size(); ++length)
    EXPECT_NE(textOf(readNpy(directory.write("p.npy", content.substr(0, length)), spec, data)), "") << length;
  EXPECT_EQ(textOf(readNpy(directory.write("p.npy", content), spec, data)), "");
}

TEST(NpyTest, ReportsFilesThatCannotBeReadOrWritten) {
  TemporaryDirectory directory;
  TensorSpec spec{ElementType::f32, {1}, "argument #0"};
  float data[1] = {};
  std::string missing = directory.file("missing.npy"), nowhere = directory.file("no/such/directory.npy");
  EXPECT_EQ(textOf(readNpy(missing, spec, data)), missing + ": cannot read: No such file or directory");
  EXPECT_EQ(textOf(writeNpy(nowhere, spec, data)), nowhere + ": cannot write: No such file or directory");
  if (llvm::sys::fs::exists("/dev/full")) {
    EXPECT_EQ(textOf(writeNpy("/dev/full", spec, data)), "/dev/full: cannot write: No space left on device");
    EXPECT_TRUE(llvm::sys::fs::exists("/dev/full"));
  }
}

} // namespace
} // namespace tpp::run
