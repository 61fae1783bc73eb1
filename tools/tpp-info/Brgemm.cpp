// tpp-info brgemm: dispatches a brgemm of one shape and prints the runtime's kernel selection log.
#include "../support/Flags.h"
#include "Info.h"
#include "tpp/tpp.h"

#include <algorithm>
#include <cstdio>

namespace tpp::info {
namespace {

using tools::Flag;

const std::vector<Flag> table = {
    {"--m", "M", "rows of A and C"},
    {"--n", "N", "columns of B and C"},
    {"--k", "K", "columns of A, rows of B"},
    {"--batch", "COUNT", "number of pairs A_b, B_b whose products are summed; pairs are adjacent along k (1)"},
    {"--beta", "0|1", "1 adds to C (0)"},
    {"--lda", "LD", "leading dimension of A: elements from one row to the next (dense)"},
    {"--ldb", "LD", "leading dimension of B"},
    {"--ldc", "LD", "leading dimension of C"},
    {"--a-panel", "COLUMNS", "A is packed in panels of this many columns, stored one after another"},
    {"--b-panel", "COLUMNS", "the same for B"},
    {"--c-panel", "COLUMNS", "the same for C"},
    {"--type", "f32|bf16|f16|i8|u8", "element type of A and B (u8: of A; B is i8); C is f32, or i32 for i8 and u8 (f32)"},
    {"--b-vnni", "1|2|4", "VNNI factor: rows of B that are interleaved (1; usually 2 for bf16, 4 for i8)"},
    {"--post", "STEP[,STEP...]", "post-ops on C: bias, bias-by-row, residual, scale, or a unary kind such as relu"},
    {"--provider", "NAME", "provider of the kernel: auto, xsmm, native or reference (auto)"},
    {"--help", nullptr, "print this help"},
};

// Keeps the first problem of several checks.
struct Problems {
  std::string text;
  void note(const std::string &message) {
    if (text.empty())
      text = message;
  }
};

int64_t integer(const tools::ParsedLine &line, Problems &problems, const char *name, int64_t least, int64_t otherwise) {
  int64_t value = otherwise;
  if (const std::string *given = line.find(name))
    problems.note(tools::parseInteger(name, *given, least, int64_t(1) << 40, value));
  return value;
}

int32_t position(Problems &problems, const char *flag, const std::string &name, const std::vector<std::string> &names,
                 const std::vector<int32_t> &values) {
  problems.note(tools::parseChoice(flag, name, names));
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name)
      return values[i];
  return 0;
}

int64_t bytesOf(int32_t type) {
  switch (type) {
#define TPP_TYPE(name, value, bytes, summary)                                                                                    \
  case TPP_TYPE_##name:                                                                                                          \
    return bytes;
#include "tpp/kinds.def"
  }
  return 0;
}

// An operand with `rows` rows. Without panels it is row-major, with a default leading dimension of `loose` columns. With panels, the
// panels are stored one after another. Leading dimensions are in elements and include the VNNI factor.
tpp_matrix operand(const tools::ParsedLine &line, Problems &problems, const std::string &name, int32_t type, int64_t rows,
                   int64_t loose, int32_t vnni = 1) {
  tpp_matrix matrix = {};
  matrix.type = type;
  matrix.vnni = vnni;
  std::string ld = "--ld" + name, panel = "--" + name + "-panel";
  matrix.panel = integer(line, problems, panel.c_str(), 1, 0);
  int64_t tight = (matrix.panel ? matrix.panel : std::max<int64_t>(loose, 1)) * vnni;
  matrix.ld = integer(line, problems, ld.c_str(), 1, tight);
  if (matrix.panel)
    matrix.panel_stride = (rows + vnni - 1) / vnni * matrix.ld;
  return matrix;
}

tpp_post_op step(Problems &problems, const std::string &name, const tpp_matrix &c) {
  static const std::vector<std::string> names = {
      "bias",
      "bias-by-row",
      "residual",
      "scale",
#define TPP_UNARY_KIND(name, value, group, formula, special_values) #name,
#include "tpp/kinds.def"
  };
  static const std::vector<int32_t> kinds = {
      TPP_BINARY_add,
      TPP_BINARY_add,
      TPP_BINARY_add,
      TPP_BINARY_mul,
#define TPP_UNARY_KIND(name, value, group, formula, special_values) value,
#include "tpp/kinds.def"
  };
  tpp_post_op op = {};
  op.kind = position(problems, "--post", name, names, kinds);
  op.form.type = c.type;
  op.form.ld = 1;
  op.op_class = TPP_POST_OP_binary;
  if (name == "bias") {
    op.broadcast = TPP_BROADCAST_row;
  } else if (name == "bias-by-row") {
    op.broadcast = TPP_BROADCAST_col;
  } else if (name == "scale") {
    op.broadcast = TPP_BROADCAST_scalar;
  } else if (name == "residual") {
    op.broadcast = TPP_BROADCAST_none;
    op.form = c;
  } else {
    op.op_class = TPP_POST_OP_unary;
    op.form = {};
  }
  return op;
}

tpp_brgemm_desc describe(const tools::ParsedLine &line, Problems &problems) {
  tpp_brgemm_desc desc = {};
  desc.struct_size = sizeof desc;
  for (const char *needed : {"--m", "--n", "--k"})
    if (!line.find(needed))
      problems.note(std::string(needed) + " is missing");
  desc.m = integer(line, problems, "--m", 0, 0);
  desc.n = integer(line, problems, "--n", 0, 0);
  desc.k = integer(line, problems, "--k", 0, 0);
  int64_t batch = integer(line, problems, "--batch", 1, 1);
  desc.beta = int32_t(integer(line, problems, "--beta", 0, 0));
  if (desc.beta > 1)
    problems.note("--beta is neither 0 nor 1");
  const std::string *type = line.find("--type"), *provider = line.find("--provider"), *post = line.find("--post");
  int32_t input = position(problems, "--type", type ? *type : "f32", {"f32", "bf16", "f16", "i8", "u8"},
                           {TPP_TYPE_f32, TPP_TYPE_bf16, TPP_TYPE_f16, TPP_TYPE_i8, TPP_TYPE_u8});
  bool isByte = input == TPP_TYPE_i8 || input == TPP_TYPE_u8;
  int32_t output = isByte ? TPP_TYPE_i32 : TPP_TYPE_f32;
  int64_t vnni = integer(line, problems, "--b-vnni", 1, 1);
  if (vnni != 1 && vnni != 2 && vnni != 4)
    problems.note("--b-vnni is none of 1, 2, 4");
  if (!problems.text.empty())
    return desc;
  desc.a = operand(line, problems, "a", input, desc.m, desc.k * batch);
  desc.b = operand(line, problems, "b", isByte ? TPP_TYPE_i8 : input, desc.k, desc.n, int32_t(vnni));
  desc.c = operand(line, problems, "c", output, desc.m, desc.n);
  // Batch entries are adjacent along k. The next entry of A starts k columns later, or after the panels of k columns; the next entry
  // of B starts k rows later, or after all panels of a k x n block.
  int64_t size = bytesOf(input);
  desc.batch_kind = TPP_BATCH_stride;
  desc.a_batch_stride = size * (desc.a.panel ? (desc.k + desc.a.panel - 1) / desc.a.panel * desc.a.panel_stride : desc.k);
  desc.b_batch_stride = size * (desc.b.panel ? (desc.n + desc.b.panel - 1) / desc.b.panel * desc.b.panel_stride
                                             : (desc.k + vnni - 1) / vnni * desc.b.ld);
  static const std::vector<std::string> providers = {
#define TPP_PROVIDER(name, value, summary) #name,
#include "tpp/kinds.def"
  };
  static const std::vector<int32_t> providerValues = {
#define TPP_PROVIDER(name, value, summary) value,
#include "tpp/kinds.def"
  };
  desc.provider = position(problems, "--provider", provider ? *provider : "auto", providers, providerValues);
  std::vector<std::string> steps;
  if (post)
    problems.note(tools::splitList("--post", *post, steps));
  if (steps.size() > TPP_MAX_POST_OPS)
    problems.note("--post: at most " + std::to_string(TPP_MAX_POST_OPS) + " steps are possible");
  for (size_t i = 0; i < steps.size() && i < TPP_MAX_POST_OPS; ++i)
    desc.post_ops[desc.post_op_count++] = step(problems, steps[i], desc.c);
  return desc;
}

} // namespace

int explainBrgemm(const Arguments &arguments) {
  tools::ParsedLine line;
  std::string problem = tools::parseLine(arguments, table, line);
  if (!problem.empty())
    return fail(problem);
  if (line.find("--help")) {
    std::printf("usage: tpp-info brgemm --m=M --n=N --k=K [flags]\n\n%s", tools::flagHelp(table).c_str());
    return 0;
  }
  if (!line.positional.empty())
    return fail("'" + line.positional[0] + "' is superfluous");
  Problems problems;
  tpp_brgemm_desc desc = describe(line, problems);
  if (!problems.text.empty())
    return fail(problems.text);

  tpp_set_log([](void *, const char *text) { std::printf("%s\n", text); }, nullptr);
  const tpp_kernel *kernel;
  tpp_status status = tpp_dispatch_brgemm(&desc, &kernel);
  tpp_set_log(nullptr, nullptr);
  std::fflush(stdout);
  if (status != TPP_STATUS_OK)
    return fail(std::string(tpp_status_text(status)) + ": " + tpp_last_error());
  std::printf("chosen: %s (%s)\n", tpp_kernel_name(kernel), providerName(tpp_kernel_provider(kernel)));
  return 0;
}

} // namespace tpp::info
