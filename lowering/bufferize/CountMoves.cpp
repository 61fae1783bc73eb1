//===- CountMoves.cpp - counts the operations that only move data ------------------------------------------------------------===//
//
// tpp-run reports every byte that is moved without computation. The pass runs before and after bufferization, because each side has information
// that the other lacks. On tensors a pack is still a pack; only bufferization decides which slices, pads and concatenations need a copy. No
// move is counted twice, because a move on tensors never becomes a memref.copy. Moves.h defines which ops are moves and their reasons.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#include "lowering/Passes.h"
#include "lowering/analysis/CountWork.h"
#include "lowering/analysis/Moves.h"

namespace mlir::tpp {
#define GEN_PASS_DEF_COUNTMOVES
#include "lowering/Passes.h.inc"
} // namespace mlir::tpp

using namespace mlir;

namespace {
struct CountMoves : public tpp::impl::CountMovesBase<CountMoves> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    SmallVector<tpp::Move> moves;
    func.walk([&](Operation *op) {
      std::optional<tpp::Move> move = tpp::describeMove(op);
      if (!move)
        return;
      move->times = tpp::countExecutions(op);
      if (llvm::MulOverflow(move->bytes, move->times, move->bytes))
        move->bytes = std::numeric_limits<int64_t>::max();
      moves.push_back(std::move(*move));
    });
    tpp::addMoves(func, moves);
  }
};
} // namespace
