// The machine that dispatch chooses kernels for: entries of machines.def, machine files, and what the C functions accept.
#include "tpp/tpp.hpp"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

tpp_machine empty() {
  tpp_machine machine = {};
  machine.struct_size = sizeof machine;
  return machine;
}

tpp_machine find(const char *name) {
  tpp_machine machine = empty();
  EXPECT_EQ(TPP_STATUS_OK, tpp_find_machine(name, &machine)) << name << ": " << tpp_last_error();
  return machine;
}

class MachineTest : public testing::Test {
protected:
  ~MachineTest() override {
    tpp_set_machine(nullptr);
    std::remove(path.c_str());
  }

  // The machine that a file with this text describes.
  tpp_status read(const std::string &text, tpp_machine *machine) {
    std::ofstream(path) << text;
    *machine = empty();
    return tpp_find_machine(path.c_str(), machine);
  }

  // Expects the text to be refused with a message that names the place.
  void expect_refused(const std::string &text, const std::string &message) {
    tpp_machine machine;
    EXPECT_EQ(TPP_STATUS_BAD_MACHINE, read(text, &machine)) << text;
    EXPECT_EQ(path + message, tpp_last_error());
  }

  const std::string path = testing::TempDir() + "machine_" + std::to_string(getpid()) + ".txt";
};

// An f32 brgemm and the log lines of its dispatch. Each size is dispatched once in this process, because a known one is not chosen again.
std::vector<std::string> log_of_dispatch(int64_t n) {
  std::vector<std::string> lines;
  tpp_set_log([](void *user, const char *line) { static_cast<std::vector<std::string> *>(user)->push_back(line); }, &lines);
  tpp_brgemm_desc desc = {};
  desc.struct_size = sizeof desc;
  desc.m = 64, desc.n = n, desc.k = 512;
  desc.a.ld = desc.k, desc.b.ld = desc.c.ld = n;
  desc.provider = TPP_PROVIDER_native;
  const tpp_kernel *kernel = nullptr;
  EXPECT_EQ(TPP_STATUS_OK, tpp_dispatch_brgemm(&desc, &kernel)) << tpp_last_error();
  tpp_set_log(nullptr, nullptr);
  return lines;
}

// The cost in the line of the chosen kernel.
double chosen_cost(const std::vector<std::string> &lines) {
  for (const std::string &line : lines)
    if (line.find('*') != std::string::npos && line.find(" ns") != std::string::npos)
      return std::stod(line.substr(line.rfind(' ', line.rfind(" ns") - 1)));
  ADD_FAILURE() << "no kernel is marked as chosen";
  return 0;
}

} // namespace

TEST_F(MachineTest, EveryEntryIsUsable) {
#define TPP_MACHINE(id, base, label, cpu, ...)                                                                                   \
  {                                                                                                                              \
    tpp_machine machine = find(label);                                                                                           \
    EXPECT_STREQ(label, machine.name);                                                                                           \
    EXPECT_EQ(TPP_STATUS_OK, tpp_set_machine(&machine)) << tpp_last_error();                                                     \
    EXPECT_TRUE(machine.l2_gbs >= machine.l3_gbs && machine.l3_gbs >= machine.memory_gbs) << label;                              \
    EXPECT_TRUE(machine.l2_ns <= machine.l3_ns && machine.l3_ns <= machine.memory_ns) << label;                                  \
    if (cpu[0]) {                                                                                                                \
      EXPECT_STREQ(label, find(cpu).name);                                                                                       \
    }                                                                                                                            \
  }
#include "tpp/machines.def"
}

TEST_F(MachineTest, TheHostIsTheDefault) {
  tpp_machine host = find("host"), current = empty();
  ASSERT_EQ(TPP_STATUS_OK, tpp_get_machine(&current));
  EXPECT_EQ(0, std::memcmp(&host, &current, sizeof host));
  tpp_machine other = find("zen4");
  ASSERT_EQ(TPP_STATUS_OK, tpp_set_machine(&other));
  ASSERT_EQ(TPP_STATUS_OK, tpp_get_machine(&current));
  EXPECT_STREQ("zen4", current.name);
  ASSERT_EQ(TPP_STATUS_OK, tpp_set_machine(nullptr));
  ASSERT_EQ(TPP_STATUS_OK, tpp_get_machine(&current));
  EXPECT_EQ(0, std::memcmp(&host, &current, sizeof host));
}

TEST_F(MachineTest, CostsAreThoseOfTheMachine) {
  tpp_machine machine = find("host");
  ASSERT_EQ(TPP_STATUS_OK, tpp_set_machine(&machine));
  const double before = chosen_cost(log_of_dispatch(61));
  machine.clock_ghz /= 4, machine.l3_gbs /= 4, machine.l2_gbs /= 4;
  ASSERT_EQ(TPP_STATUS_OK, tpp_set_machine(&machine));
  // As many columns in tiles, so that only the machine differs.
  const double after = chosen_cost(log_of_dispatch(62));
  EXPECT_NEAR(4, after / before, 0.2);
}

TEST_F(MachineTest, AFileChangesTheFieldsItNames) {
  tpp_machine machine;
  ASSERT_EQ(TPP_STATUS_OK, read("# measured\nname = zen4\n\n  memory_gbs=8 # GB/s\n l2_ways =16\n", &machine))
      << tpp_last_error();
  tpp_machine expected = find("zen4");
  expected.memory_gbs = 8, expected.l2_ways = 16;
  EXPECT_EQ(0, std::memcmp(&expected, &machine, sizeof machine));
  ASSERT_EQ(TPP_STATUS_OK, read("name = mine\nisa = avx2\n", &machine)) << tpp_last_error();
  EXPECT_STREQ("mine", machine.name);
  EXPECT_EQ(find("avx2").registers, machine.registers);
}

TEST_F(MachineTest, AFileMayStartFromTheHost) {
  tpp_machine machine, host = find("host");
  ASSERT_EQ(TPP_STATUS_OK, read("\xef\xbb\xbfname = host\r\nmemory_gbs = 8\r\n", &machine)) << tpp_last_error();
  host.memory_gbs = 8;
  EXPECT_EQ(0, std::memcmp(&host, &machine, sizeof machine));
}

TEST_F(MachineTest, LlvmsNamesAreNamesToo) {
  tpp_machine machine;
  ASSERT_EQ(TPP_STATUS_OK, read("name = znver4\nisa = avx512\n", &machine)) << tpp_last_error();
  EXPECT_STREQ("zen4", machine.name);
}

TEST_F(MachineTest, RefusesBadFiles) {
  const std::string isas = "avx512, avx2, sse4, neon, portable";
  expect_refused("isa = avx2\nclock_ghz = 0\n", ":2: clock_ghz is 0, must be between 0.01 and 100");
  expect_refused("isa = avx2\nclock_ghz = 1e400\n", ":2: clock_ghz is '1e400', must be a number");
  expect_refused("isa = avx2\nclock_ghz = nan\n", ":2: clock_ghz is 'nan', must be a number");
  expect_refused("isa = avx2\nclock_ghz = 3 GHz\n", ":2: clock_ghz is '3 GHz', must be a number");
  expect_refused("isa = avx2\nclock_ghz =\n", ":2: clock_ghz is '', must be a number");
  expect_refused("isa = avx2\n\nl2_ways = 1.5\n", ":3: l2_ways is '1.5', must be a whole number");
  expect_refused("isa = avx2\nvector_bytes = 24\n", ":2: vector_bytes is 24, must be a power of two");
  expect_refused("isa = avx2\nspeed = 3\n", ":2: there is no field 'speed'");
  expect_refused("isa = avx2\nfast\n", ":2: expected 'field = value', got 'fast'");
  expect_refused("isa = avx2\ncores = 3\ncores = 4\n", ":3: cores is set again; line 2 sets it, too");
  expect_refused("name = zen4\nisa = avx2\n", ":2: isa is 'avx2', but the machine zen4 has avx512");
  expect_refused("name = mine\nisa = vax\n", ":2: isa is 'vax', must be one of " + isas);
  expect_refused("name = mine\n", ": no line 'isa = ...' (" + isas + "), nor a 'name = ...' of an entry of tpp/machines.def");
  expect_refused("", ": no line 'isa = ...' (" + isas + "), nor a 'name = ...' of an entry of tpp/machines.def");
  expect_refused("name = " + std::string(40, 'x') + "\nisa = avx2\n", ":1: name must have 1 to 31 characters");
  tpp_machine machine = empty();
  EXPECT_EQ(TPP_STATUS_BAD_MACHINE, tpp_find_machine("no/such/file", &machine));
  EXPECT_STREQ("no/such/file: the file cannot be read", tpp_last_error());
}

// Whatever the machine, a kernel that is faster than the reference is chosen.
TEST_F(MachineTest, TheReferenceIsTheLastResort) {
  tpp_machine machine = find("host");
  machine.fma_per_cycle = 0.01, machine.fma_latency = 1000, machine.l3_gbs = machine.l2_gbs = 0.001;
  ASSERT_EQ(TPP_STATUS_OK, tpp_set_machine(&machine)) << tpp_last_error();
  tpp_brgemm_desc desc = {};
  desc.struct_size = sizeof desc;
  desc.m = 1, desc.n = 1024, desc.k = 1023;
  desc.a.ld = desc.k, desc.b.ld = desc.c.ld = desc.n;
  const tpp_kernel *kernel = nullptr;
  ASSERT_EQ(TPP_STATUS_OK, tpp_dispatch_brgemm(&desc, &kernel)) << tpp_last_error();
  EXPECT_NE(TPP_PROVIDER_reference, tpp_kernel_provider(kernel));
}

TEST_F(MachineTest, RefusesBadMachines) {
  EXPECT_EQ(TPP_STATUS_NULL_POINTER, tpp_get_machine(nullptr));
  EXPECT_EQ(TPP_STATUS_NULL_POINTER, tpp_find_machine(nullptr, nullptr));
  tpp_machine machine = {};
  EXPECT_EQ(TPP_STATUS_STRUCT_SIZE, tpp_get_machine(&machine));
  EXPECT_EQ(TPP_STATUS_STRUCT_SIZE, tpp_find_machine("zen4", &machine));
  EXPECT_EQ(TPP_STATUS_STRUCT_SIZE, tpp_set_machine(&machine));
  machine = find("zen4");
  machine.l1_ways = 0;
  EXPECT_EQ(TPP_STATUS_BAD_MACHINE, tpp_set_machine(&machine));
  EXPECT_STREQ("machine.l1_ways is 0, must be between 1 and 1024", tpp_last_error());
  machine = find("zen4");
  std::memset(machine.isa, 'a', sizeof machine.isa);
  EXPECT_EQ(TPP_STATUS_BAD_MACHINE, tpp_set_machine(&machine));
  machine = find("zen4");
  std::strcpy(machine.isa, "vax");
  EXPECT_EQ(TPP_STATUS_BAD_MACHINE, tpp_set_machine(&machine));
  EXPECT_STREQ("machine.isa is 'vax', must be one of avx512, avx2, sse4, neon, portable", tpp_last_error());
}
