// Tests of tools/support/Flags.h: what is accepted, and the exact message of each mistake.
#include "tools/support/Flags.h"
#include "gtest/gtest.h"

namespace tpp::tools {
namespace {

const std::vector<Flag> table = {{"--count", "N", "a number"},
                                 {"--fast", nullptr, "a switch"},
                                 {"-o", "FILE", "a file"},
                                 {"--log", "[FILE]", "a file, or none"}};

TEST(FlagsTest, AcceptsBothSpellingsOfAValueAndPositionalWords) {
  ParsedLine line;
  ASSERT_EQ(parseLine({"in", "--count=3", "-o", "-", "--fast", "--", "--literal"}, table, line), "");
  EXPECT_EQ(line.positional, (std::vector<std::string>{"in", "--literal"}));
  EXPECT_EQ(*line.find("--count"), "3");
  EXPECT_EQ(*line.find("-o"), "-");
  EXPECT_TRUE(line.find("--fast"));
  EXPECT_FALSE(line.find("--other"));
}

TEST(FlagsTest, AValueMayBeLeftOut) {
  ParsedLine line, named;
  ASSERT_EQ(parseLine({"--log", "in"}, table, line), "");
  EXPECT_EQ(*line.find("--log"), "");
  EXPECT_EQ(line.positional, (std::vector<std::string>{"in"}));
  ASSERT_EQ(parseLine({"--log=out"}, table, named), "");
  EXPECT_EQ(*named.find("--log"), "out");
  EXPECT_NE(flagHelp(table).find("--log[=FILE] "), std::string::npos);
}

TEST(FlagsTest, KeepsEverythingBehindTheFirstEqualsSign) {
  ParsedLine line;
  ASSERT_EQ(parseLine({"-o=a=b"}, table, line), "");
  EXPECT_EQ(*line.find("-o"), "a=b");
}

TEST(FlagsTest, NamesEachMistake) {
  const std::pair<std::vector<std::string>, std::string> rows[] = {
      {{"--cuont=3"}, "unknown flag '--cuont', did you mean '--count'?"},
      {{"--unrelated"}, "unknown flag '--unrelated' (see --help)"},
      {{"--count"}, "flag '--count' needs a value: --count=N"},
      {{"--count="}, "flag '--count' needs a value: --count=N"},
      {{"--count", "--fast"}, "flag '--count' needs a value: --count=N"},
      {{"-o"}, "flag '-o' needs a value: -o FILE"},
      {{"--log="}, "flag '--log' needs a value: --log[=FILE]"},
      {{"--fast=1"}, "flag '--fast' takes no value"},
      {{"--fast", "--fast"}, "flag '--fast' is given twice"},
      {{"--count=1", "--count=1"}, "flag '--count' is given twice"},
  };
  for (const auto &[arguments, message] : rows) {
    ParsedLine line;
    EXPECT_EQ(parseLine(arguments, table, line), message);
  }
}

TEST(FlagsTest, ReadsIntegersInRangeOnly) {
  int64_t value = 0;
  EXPECT_EQ(parseInteger("--n", "-7", -7, 9, value), "");
  EXPECT_EQ(value, -7);
  EXPECT_EQ(parseInteger("--n", "9", -7, 9, value), "");
  EXPECT_EQ(value, 9);
  for (const char *bad : {"", "10", "-8", "3.5", "3x", " 3", "+3", "0x3", "99999999999999999999", "-99999999999999999999", "--3"})
    EXPECT_EQ(parseInteger("--n", bad, -7, 9, value), std::string("--n: '") + bad + "' is not an integer from -7 to 9");
  EXPECT_EQ(value, 9);
}

TEST(FlagsTest, ReadsFiniteNumbersInRangeOnly) {
  double value = 0;
  EXPECT_EQ(parseReal("--s", "2.5e-1", 0, 10, value), "");
  EXPECT_EQ(value, 0.25);
  for (const char *bad : {"", "-1", "11", "nan", "inf", "1e999", "1s", " 1"})
    EXPECT_EQ(parseReal("--s", bad, 0, 10, value), std::string("--s: '") + bad + "' is not a number from 0 to 10");
}

TEST(FlagsTest, ListsChoicesAndRejectsEmptyEntries) {
  EXPECT_EQ(parseChoice("--c", "b", {"a", "b"}), "");
  EXPECT_EQ(parseChoice("--c", "x", {"a", "b"}), "--c: 'x' is none of a, b");
  std::vector<std::string> parts;
  EXPECT_EQ(splitList("--l", "a,b", parts), "");
  EXPECT_EQ(parts, (std::vector<std::string>{"a", "b"}));
  for (const char *bad : {"", ",", "a,", ",a", "a,,b"}) {
    parts.clear();
    EXPECT_EQ(splitList("--l", bad, parts), std::string("--l: '") + bad + "' has an empty entry");
  }
}

} // namespace
} // namespace tpp::tools
