// See select.h.
#include "select.h"

#include "names.h"
#include "providers/provider.h"
#include "status.h"
#include "tpp/machine.hpp"

#include <new>
#include <string.h>
#include <utility>

namespace tpp {
namespace {

// In order of preference at equal cost.
const provider *const all_providers[] = {&native_provider, &xsmm_provider, &reference_provider};

const provider &provider_of(const candidate &of) {
  for (const provider *each : all_providers)
    if (each->id == of.provider)
      return *each;
  __builtin_unreachable(); // candidates come from all_providers
}

// The candidates of one dispatch, collected by the constructor. If allocation fails, the table is empty and `ok` is false.
struct candidate_table {
  candidate *entries = nullptr;
  size_t count = 0;
  bool ok = true;

  candidate_table(operation op, const void *desc, tpp_provider wanted) {
    const auto takes_part = [&](const provider &each) {
      return (wanted == TPP_PROVIDER_auto || wanted == each.id) && !each.unavailable();
    };
    size_t room = 0;
    for (const provider *each : all_providers)
      if (takes_part(*each))
        room += each->list(op, desc, nullptr, 0);
    if (room == 0)
      return;
    entries = new (std::nothrow) candidate[room];
    ok = entries != nullptr;
    for (const provider *each : all_providers)
      if (ok && takes_part(*each))
        count += each->list(op, desc, entries + count, room - count);
  }
  ~candidate_table() { delete[] entries; }
  candidate_table(const candidate_table &) = delete;
  candidate_table &operator=(const candidate_table &) = delete;

  // The reference kernel only if no other can run, whatever it costs.
  candidate *cheapest() {
    const auto rank = [](const candidate &entry) { return std::pair(entry.provider == TPP_PROVIDER_reference, entry.cost); };
    candidate *best = nullptr;
    for (size_t i = 0; i < count; ++i)
      if (!entries[i].rejection && (!best || rank(entries[i]) < rank(*best)))
        best = &entries[i];
    return best;
  }
};

// Writes the problem and the table to the log.
void write_table(operation op, const void *desc, const candidate_table &table, const candidate *winner, text &log) {
  describe(op, desc, log);
  log.append("\n");
  for (size_t i = 0; i < table.count; ++i) {
    const candidate &entry = table.entries[i];
    log.append("  %c %-9s %-44s ", &entry == winner ? '*' : ' ', provider_name(entry.provider), entry.name);
    if (entry.rejection)
      log.append("rejected: %s\n", entry.rejection);
    else
      log.append("%.1f ns\n", entry.cost);
  }
}

// All candidates are rejected. Writes each distinct reason once: the first candidate that gave it, and how many more did.
void write_reasons(const candidate_table &table, text &out) {
  for (size_t i = 0; i < table.count; ++i) {
    size_t same_before = 0, same_after = 0;
    for (size_t j = 0; j < table.count; ++j)
      if (strcmp(table.entries[i].rejection, table.entries[j].rejection) == 0)
        ++(j < i ? same_before : same_after);
    if (same_before)
      continue;
    out.append("%s%s", i ? "; " : "", table.entries[i].name);
    if (same_after > 1)
      out.append(" and %zu more", same_after - 1);
    out.append(": %s", table.entries[i].rejection);
  }
}

tpp_status fail_unsupported(operation op, const void *desc, tpp_provider wanted, const candidate_table &table) {
  text problem, reasons;
  describe(op, desc, problem);
  write_reasons(table, reasons);
  return fail(TPP_STATUS_UNSUPPORTED, "no kernel%s%s for %s: %s", wanted == TPP_PROVIDER_auto ? "" : " of provider ",
              wanted == TPP_PROVIDER_auto ? "" : provider_name(wanted), problem.c_str(),
              table.count ? reasons.c_str() : "the provider has none for this operation");
}

} // namespace

tpp_status select_kernel(operation op, const void *desc, size_t key_bytes, tpp_provider wanted, text *log,
                         kernel_record **record) {
  for (const provider *each : all_providers)
    if (each->id == wanted)
      if (const char *why = each->unavailable())
        return fail(TPP_STATUS_PROVIDER_UNAVAILABLE, "provider %s: %s", provider_name(wanted), why);

  if (const std::string problem = current_machine_problem(); !problem.empty())
    return fail(TPP_STATUS_BAD_MACHINE, "%s", problem.c_str());

  candidate_table table(op, desc, wanted);
  kernel_record *made = new (std::nothrow) kernel_record(); // zeroed, because only key_bytes bytes of the descriptor are copied
  if (!table.ok || !made) {
    delete made;
    return fail(TPP_STATUS_OUT_OF_MEMORY, "no memory for a kernel");
  }
  memcpy(&made->kernel.desc, desc, key_bytes);

  // Some rejections are found only while the kernel is created. Then the next cheapest candidate is tried; the log shows the rejection.
  candidate *winner;
  while ((winner = table.cheapest()) != nullptr) {
    winner->rejection = provider_of(*winner).create(*winner, &made->kernel);
    if (!winner->rejection)
      break;
  }
  if (log)
    write_table(op, desc, table, winner, *log);
  if (!winner) {
    delete made;
    return fail_unsupported(op, desc, wanted, table);
  }
  made->name = winner->name;
  made->provider = winner->provider;
  *record = made;
  return TPP_STATUS_OK;
}

} // namespace tpp
