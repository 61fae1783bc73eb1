//===- CountMoves.cpp - what a call only moves -------------------------------------------------------------------------------===//
//
// tpp-run reports every byte that is moved without being computed on. Counted twice, on either side of bufferization, since each
// side knows what the other does not: on tensors a pack is still a pack, and only bufferization decides which slices, pads and
// concats cost a copy. Nothing is counted on both sides: moves on tensors never become a memref.copy. What a move is, and what it is
// for, is Moves.h's business.
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
