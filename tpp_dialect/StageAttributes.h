// The discardable attributes through which the user and the stages of the lowering pass information to later stages: all of their names,
// and the function names that belong to them.
//
// tpp_dialect/StageAttributes.cpp verifies their values wherever they appear, whether a stage or a user wrote them.
#ifndef TPP_DIALECT_STAGEATTRIBUTES_H
#define TPP_DIALECT_STAGEATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mlir::tpp {

// Per attribute: its value and meaning; then the ops or arguments that have it, the stages that set it and the stages that read it. Stages
// are named by their folders in lowering/; a folder in parentheses contains the code that reads the attribute for them. The tools tpp-run
// and tpp-tune also set and read some of them.
//
// clang-format off
inline constexpr llvm::StringLiteral
    // #tpp.target: the machine to compile for. The nearest one applies; without one, it is the host.
    kTargetAttr = "tpp.target",                   // on: module, function, op | set: user, setup     | read: all stages (machine)
    // A packing strategy, which chooses how contractions are packed. The nearest one applies; without one, the cost model.
    kPackingAttr = "tpp.packing",                 // on: module, function, op | set: user, setup, layout | read: setup, normalize, layout, tile
    // #tpp.packing: the packing that the strategy chose.
    kChosenPackingAttr = "tpp.chosen_packing",    // on: tpp.contract         | set: layout          | read: fuse, tile
    // unit: operands A and C have the tiles that the packing strategy chose.
    kTiledAttr = "tpp.tiled",                     // on: tpp.contract         | set: layout          | read: layout
    // unit: the slice takes or places a part of a value that tiles do not divide; the parts have layouts of their own.
    kCutAttr = "tpp.cut",                         // on: slice                | set: layout          | read: layout
    // i64 array: the columns of attention's scores that a mask leaves visible (lowering/analysis/VisibleColumns.h).
    kVisibleAttr = "tpp.visible",                 // on: contraction          | set: normalize       | read: tile (analysis)
    // unit: the argument is given once, before the first call. NAME_prepack takes it, and NAME loses it.
    kPrepackAttr = "tpp.prepack",                 // on: argument             | set: user, compile   | read: analysis, prepack
    // unit: the integers of the argument or result are unsigned, which linalg's types do not say. They are passed and written to files as such.
    kUnsignedAttr = "tpp.unsigned",               // on: argument, result     | set: user            | read: compile
    // i64: the position of the argument in the program, if arguments before it were removed.
    kArgumentAttr = "tpp.argument",               // on: argument             | set: prepack         | read: report (analysis)
    // i64 N: the argument is weight N of the weights segment, result N of NAME_prepack.
    kWeightAttr = "tpp.weight",                   // on: argument             | set: prepack         | read: bufferize, prepack, tile, compile, report
    // unit: tpp-evaluate-prepack has computed the packed constants of the function.
    kPackedAttr = "tpp.packed",                   // on: function             | set: compile         | read: setup, compile
    // unit: the argument was a memref in the program, so that the function may write to it.
    kMutableAttr = "tpp.mutable",                 // on: argument             | set: setup           | read: emit
    // unit: the argument is the buffer of a result of the program.
    kResultAttr = "tpp.result",                   // on: argument             | set: bufferize       | read: tile, rows, emit, report
    // unit: the argument is the workspace, one buffer that holds all intermediate values.
    kWorkspaceAttr = "tpp.workspace",             // on: argument             | set: bufferize       | read: rows, emit, report
    // i64: the size of the workspace in bytes.
    kWorkspaceBytesAttr = "tpp.workspace_bytes",  // on: function             | set: bufferize, rows | read: emit, compile
    // unit: the argument is the weights segment, one buffer that holds all weights.
    kWeightsAttr = "tpp.weights",                 // on: argument             | set: prepack         | read: emit
    // i64: the size of the weights segment in bytes.
    kWeightsBytesAttr = "tpp.weights_bytes",      // on: function             | set: prepack         | read: emit
    // array: the operations of a call that only move data, with the reason of each (lowering/analysis/Moves.h).
    kMovesAttr = "tpp.moves",                     // on: function             | set: bufferize       | read: compile, report
    // i64: the number of ops that became scalar loops.
    kScalarLoopsAttr = "tpp.scalar_loops",        // on: function             | set: rows, bind      | read: bind, compile
    // i64: the estimated time of all iterations on one thread, in nanoseconds.
    kWorkNsAttr = "tpp.work_ns",                  // on: parallel loop        | set: tile, rows      | read: rows, emit
    // unit: the steps of the unrolled iterations in the loop's body are to be interleaved.
    kInterleaveAttr = "tpp.interleave",           // on: scf.for              | set: emit            | read: emit
    // i64: the index of the kernel in the compiled model's table of handles.
    kSlotAttr = "tpp.slot",                       // on: tpp.dispatch         | set: emit            | read: emit
    // array: the descriptors of all kernels, by slot; their texts after tpp-emit-entry-points.
    kKernelsAttr = "tpp.kernels",                 // on: module               | set: emit            | read: emit, compile
    // array: the messages of assertions; assertion number N has entry N - 1.
    kAssertionsAttr = "tpp.assertions",           // on: module               | set: emit            | read: emit
    // unit: the function gets the C entry points NAME_create, NAME_run and so on.
    kEntryPointAttr = "tpp.entry_point";          // on: function             | set: emit            | read: emit
// clang-format on

/// The attributes of a contraction that are kept when an op replaces it.
inline constexpr llvm::StringRef kStrategyAttrs[] = {kPackingAttr, kTargetAttr, kChosenPackingAttr, kTiledAttr, kVisibleAttr};

/// The name of the function that computes the weights of function `entry`: NAME_prepack.
std::string getPrepackName(llvm::StringRef entry);
/// The name of the function whose weights function `name` computes; nullopt if `name` does not have the form NAME_prepack.
std::optional<llvm::StringRef> getPrepackedEntry(llvm::StringRef name);

} // namespace mlir::tpp

#endif
