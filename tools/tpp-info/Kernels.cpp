// tpp-info providers, targets and kernels: lists the entries of kinds.def and of this build's kernel registry.
#include "Info.h"
#include "tpp/microkernels.hpp"
#include "tpp/tpp.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tpp::info {

const char *providerName(tpp_provider provider) {
  switch (provider) {
#define TPP_PROVIDER(name, value, summary)                                                                                       \
  case TPP_PROVIDER_##name:                                                                                                      \
    return #name;
#include "tpp/kinds.def"
  }
  return "unknown";
}

// Dispatches a 32 x 32 x 32 f32 brgemm, which every provider supports, to find out whether the provider works on this machine.
static tpp_status probe(tpp_provider provider) {
  tpp_brgemm_desc desc = {};
  desc.struct_size = sizeof desc;
  desc.m = desc.n = desc.k = 32;
  for (tpp_matrix *matrix : {&desc.a, &desc.b, &desc.c}) {
    matrix->type = TPP_TYPE_f32;
    matrix->ld = 32;
  }
  desc.provider = provider;
  const tpp_kernel *kernel;
  return tpp_dispatch_brgemm(&desc, &kernel);
}

// Text appended to the summary of a working provider: the libxsmm version for xsmm.
static const char *versionOf(tpp_provider provider) {
#ifdef TPP_XSMM_VERSION
  if (provider == TPP_PROVIDER_xsmm)
    return " (built with libxsmm " TPP_XSMM_VERSION ")";
#endif
  return "";
}

int printProviders(const Arguments &arguments) {
  if (!takesNothing("providers", arguments))
    return 1;
  static const struct {
    tpp_provider provider;
    const char *name, *summary;
  } rows[] = {
#define TPP_PROVIDER(name, value, summary) {TPP_PROVIDER_##name, #name, summary},
#include "tpp/kinds.def"
  };
  std::printf("providers\n");
  for (const auto &row : rows) {
    tpp_status status = probe(row.provider);
    bool works = status == TPP_STATUS_OK;
    std::printf("  %-12s%-12s%s%s\n", row.name, works ? "works" : "unavailable", works ? row.summary : tpp_last_error(),
                works ? versionOf(row.provider) : "");
  }
  return 0;
}

int printTargets(const Arguments &arguments) {
  if (!takesNothing("targets", arguments))
    return 1;
  size_t count;
  const microkernel_row *rows = microkernel_rows(&count);
  struct Target {
    const char *name;
    bool runsHere;
    size_t kernels;
  };
  std::vector<Target> targets;
  for (size_t i = 0; i < count; ++i) {
    auto same = [&](const Target &target) { return std::strcmp(target.name, rows[i].target) == 0; };
    auto found = std::find_if(targets.begin(), targets.end(), same);
    if (found == targets.end())
      found = targets.insert(targets.end(), {rows[i].target, false, 0});
    found->kernels++;
    found->runsHere |= microkernel_row_runs_here(rows[i]);
  }
  std::printf("targets\n");
  for (const Target &target : targets)
    std::printf("  %-12s%-12s%zu kernels\n", target.name, target.runsHere ? "runs here" : "-", target.kernels);
  return 0;
}

int printKernels(const Arguments &arguments) {
  if (!takesNothing("kernels", arguments))
    return 1;
  size_t count;
  const microkernel_row *table = microkernel_rows(&count);
  std::vector<const microkernel_row *> rows; // by operation, within one in the order of the registry
  for (size_t i = 0; i < count; ++i)
    rows.push_back(&table[i]);
  std::sort(rows.begin(), rows.end(), [](auto *a, auto *b) { return a->op != b->op ? a->op < b->op : a < b; });
  int nameWidth = 6, opWidth = 6;
  for (const microkernel_row *row : rows) {
    nameWidth = std::max(nameWidth, int(std::strlen(row->name)));
    opWidth = std::max(opWidth, int(std::strlen(operation_name(row->op))));
  }
  std::printf("kernels\n  %-*s  %-*s  %-12s%-12s%-8s%s\n", nameWidth, "name", opWidth, "op", "provider", "target", "tile",
              "runs here");
  for (const microkernel_row *row : rows) {
    std::string tile = row->mr ? std::to_string(row->mr) + "x" + std::to_string(row->nr) : "-";
    std::printf("  %-*s  %-*s  %-12s%-12s%-8s%s\n", nameWidth, row->name, opWidth, operation_name(row->op),
                providerName(row->provider), row->target, tile.c_str(), microkernel_row_runs_here(*row) ? "yes" : "no");
  }
  return 0;
}

} // namespace tpp::info
