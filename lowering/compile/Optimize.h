// How much compiled code is optimized before instructions are selected.
#ifndef TPP_LOWERING_COMPILE_OPTIMIZE_H
#define TPP_LOWERING_COMPILE_OPTIMIZE_H

namespace mlir::tpp {

/// Code that runs many times gets all passes. Code that runs once, such as that of the weights, gets the passes that it needs to be correct:
/// each further pass takes longer than it saves.
enum class Optimize { ForManyRuns, ForOneRun };

} // namespace mlir::tpp

#endif // TPP_LOWERING_COMPILE_OPTIMIZE_H
