// Cost estimates for the layout stage: the time of a contraction, and the time of moving data.
#ifndef TPP_LOWERING_MACHINE_COST_H
#define TPP_LOWERING_MACHINE_COST_H

#include "lowering/analysis/Contractions.h"
#include "tpp_dialect/TppDialect.h"

namespace mlir::tpp {

// Maximum rows of a task. More would only delay the next panel of B.
constexpr int64_t maxTaskRows = 512;

// Nanoseconds of arithmetic of f32 kernels on one thread, for decisions that tolerate an error of a factor of a few: how to share loops among
// threads, and in which order to compute tasks.
double estimateFlopsNs(double flops, const tpp_machine &machine);

// The same for the operations of contractions that may be small or of groups of channels, at half of the arithmetic limit.
double estimateContractionNs(int64_t flops, const tpp_machine &machine);

// Nanoseconds to rewrite `bytes` in another order, reads included.
double estimateMoveNs(int64_t bytes, const tpp_machine &machine);

// One brgemm of m x n x k by the cheapest kernel for the contraction's types and target, with its data in caches: the time, and the rows of C that it
// computes at once.
struct BrgemmEstimate {
  double ns;
  int64_t rows;
};
BrgemmEstimate estimateBrgemm(const ContractionInfo &contraction, int64_t m, int64_t n, int64_t k);

// The time of the cheapest kernel for the contraction's types and target, in nanoseconds, if operands had layouts in which its longest reduction is k.
// Comparable between contractions that differ in their types only.
double estimateKernelNs(const ContractionInfo &contraction);

// An estimated time on one thread, in nanoseconds.
struct CostEstimate {
  double ns = 0;
  double moveNs = 0; // the part of it that moves data

  void addMove(double move) { ns += move, moveNs += move; }
  CostEstimate &operator+=(const CostEstimate &other) {
    ns += other.ns, moveNs += other.moveNs;
    return *this;
  }
};

// The time of a contraction, from the cost of the cheapest kernel of kernels.def for its types and target. Operands that depend on constants only are
// packed in advance, at no cost. Any other B is charged a move in each call if its rows are not contiguous, or if it is large and many rows of A
// reuse it. Without a kernel, only such moves count.
CostEstimate estimateContraction(const ContractionInfo &contraction);

// Whether kernels.def has a brgemm kernel for the contraction's types on its target, and no operand is read backwards. The reference does not count.
bool hasBrgemmKernel(const ContractionInfo &contraction);
// Whether the operands have the layouts that those kernels need: for types below 32 bits, B in VNNI form, with A contiguous along the steps of its
// groups. tpp-assign-layouts produces them.
bool hasKernelLayouts(const ContractionInfo &contraction);

} // namespace mlir::tpp

#endif
