// See VersionLoop.h.
#include "lowering/rows/VersionLoop.h"

using namespace mlir;

scf::IfOp tpp::versionLoop(scf::ForOp loop, Value condition, IRMapping &copy) {
  OpBuilder builder(loop);
  auto choice =
      scf::IfOp::create(builder, loop.getLoc(), loop.getResultTypes(), condition, /*addThenBlock=*/true, /*addElseBlock=*/true);
  loop.replaceAllUsesWith(choice.getResults());
  OpBuilder holds = OpBuilder::atBlockEnd(&choice.getThenRegion().front()),
            fails = OpBuilder::atBlockEnd(&choice.getElseRegion().front());
  Operation *version = holds.clone(*loop, copy);
  copy.map(loop.getOperation(), version);
  scf::YieldOp::create(holds, loop.getLoc(), version->getResults());
  loop->remove();
  fails.insert(loop);
  scf::YieldOp::create(fails, loop.getLoc(), loop.getResults());
  return choice;
}
