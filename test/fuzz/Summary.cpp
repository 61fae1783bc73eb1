// Counts and prints the results of a run (Summary.h).
#include "Summary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cstring>
#include <map>
#include <sys/mman.h>

namespace tpp::fuzz {

Shared *Shared::create() {
  void *memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<Shared *>(memory);
}

void Shared::count(const Program &program) {
  std::set<std::string> seen;
  for (const Node &node : program.nodes) {
    if (!seen.insert(node.what).second)
      continue;
    for (Kind &kind : kinds) {
      if (kind.programs == 0)
        std::strncpy(kind.name, node.what, sizeof kind.name - 1);
      if (kind.name != llvm::StringRef(node.what))
        continue;
      ++kind.programs;
      break;
    }
  }
}

void Shared::addReport(const Report &report) {
  ++checked;
  exactElements += report.exactElements, elements += report.elements;
  changedLayouts += report.changesLayouts;
  withWinograd += report.usesWinograd, withGroups += report.usesGroups, withPadding += report.readsPadding;
  worstShare = std::max(worstShare, report.worstShare);
}

size_t summarize(int64_t seeds, llvm::ArrayRef<Shared *> shared) {
  int64_t checked = 0, failures = 0, exact = 0, elements = 0, changed = 0, winograd = 0, groups = 0, padding = 0;
  double worst = 0;
  std::map<std::string, int64_t> kinds;
  std::set<int64_t> failedSeeds;
  for (const Shared *worker : shared) {
    checked += worker->checked, failures += worker->failed, exact += worker->exactElements, elements += worker->elements;
    changed += worker->changedLayouts, winograd += worker->withWinograd;
    groups += worker->withGroups, padding += worker->withPadding;
    worst = std::max(worst, worker->worstShare);
    failedSeeds.insert(worker->failedSeeds, worker->failedSeeds + std::min<int64_t>(worker->failed, Shared::mostFailedSeeds));
    for (const Shared::Kind &kind : worker->kinds)
      if (kind.programs > 0)
        kinds[kind.name] += kind.programs;
  }
  for (auto &[kind, programs] : kinds)
    llvm::outs() << "  " << kind << ": " << programs << "\n";
  llvm::outs() << "layouts change in " << changed << ", Winograd's algorithm is used in " << winograd
               << ", kernels for groups in " << groups << ", borders are not stored in " << padding << "\n"
               << checked << " of " << seeds << " programs pass; " << elements << " elements compared, " << exact
               << " of them exactly; the largest error is " << llvm::format("%.2f", worst) << " of its bound\n";
  if (failures > 0)
    llvm::outs() << failures << (failures == 1 ? " fails: seed " : " fail: seeds ")
                 << llvm::join(llvm::map_range(failedSeeds, [](int64_t x) { return std::to_string(x); }), ", ")
                 << (static_cast<int64_t>(failedSeeds.size()) < failures ? ", ..." : "") << "\n";
  if (checked + failures < seeds)
    llvm::outs() << seeds - checked - failures << " were not checked because of --max-failures\n";
  return kinds.size();
}

} // namespace tpp::fuzz
