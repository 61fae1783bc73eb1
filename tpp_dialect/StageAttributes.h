// The discardable attributes by which the stages of the lowering speak to each other: every name, and the names built from a function's.
//
// tpp_dialect/StageAttributes.cpp verifies them on every op and function, whoever wrote them.
#ifndef TPP_DIALECT_STAGEATTRIBUTES_H
#define TPP_DIALECT_STAGEATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mlir::tpp {

// clang-format off
// Attribute                                                             | on                | set by                  | read by                       | meaning
inline constexpr llvm::StringLiteral
    kTargetAttr = "tpp.target",                 // module, function, op  | user, setup         | machine (every stage)   | #tpp.target: the machine to compile for
    kPackingAttr = "tpp.packing",               // module, function, op  | user, setup         | machine                 | a packing strategy
    kChosenPackingAttr = "tpp.chosen_packing",  // tpp.contract          | layout              | tile, report            | #tpp.packing: what the strategy answered
    kPrepackAttr = "tpp.prepack",               // argument              | user, compile       | analysis, prepack       | unit: given once, NAME_prepack takes it
    kArgumentAttr = "tpp.argument",             // argument              | prepack             | report                  | i64: its position in the program
    kWeightAttr = "tpp.weight",                 // argument              | prepack             | bufferize, prepack      | i64: weight N of the weights segment
    kPackedAttr = "tpp.packed",                 // function              | compile             | setup, compile          | unit: tpp-evaluate-prepack ran
    kMutableAttr = "tpp.mutable",               // argument              | setup               | emit                    | unit: a memref of the program, may be written
    kResultAttr = "tpp.result",                 // argument              | bufferize           | tile, rows, emit        | unit: a result of the program
    kWorkspaceAttr = "tpp.workspace",           // argument              | bufferize           | rows, emit              | unit: the block of all intermediates
    kWorkspaceBytesAttr = "tpp.workspace_bytes",// function              | bufferize           | emit, compile, report   | i64: size of that block
    kWeightsAttr = "tpp.weights",               // argument              | prepack             | emit                    | unit: the weights segment
    kWeightsBytesAttr = "tpp.weights_bytes",    // function              | prepack             | emit                    | i64: size of that segment
    kMovesAttr = "tpp.moves",                   // function              | bufferize           | compile, report         | array: operations of a call that only move data
    kScalarLoopsAttr = "tpp.scalar_loops",      // function              | rows, bind          | compile                 | i64: ops that became scalar loops
    kWorkNsAttr = "tpp.work_ns",                // parallel loop         | tile, rows          | rows, emit              | i64: estimated nanoseconds of work
    kInterleaveAttr = "tpp.interleave",         // scf.for               | emit                | emit                    | i64: iterations to interleave
    kSlotAttr = "tpp.slot",                     // tpp.dispatch          | emit                | emit                    | i64: index in the table of kernel handles
    kKernelsAttr = "tpp.kernels",               // module                | emit                | emit, compile           | array: descriptors of all kernels, by slot
    kAssertionsAttr = "tpp.assertions",         // module                | emit                | emit                    | array: messages of assertions, by number - 1
    kEntryPointAttr = "tpp.entry_point";        // function              | emit                | emit                    | unit: gets NAME_create, NAME_run ...
// clang-format on

/// The name of the function that computes the weights of function `entry`, NAME_prepack.
std::string getPrepackName(llvm::StringRef entry);
/// The function whose weights function `name` computes; nullopt where the name is of another form.
std::optional<llvm::StringRef> getPrepackedEntry(llvm::StringRef name);

} // namespace mlir::tpp

#endif
