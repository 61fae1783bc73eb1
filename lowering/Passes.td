//===- Passes.td - all lowering passes ----------------------------------------------------------------------------------------===//
//
// Includes the pass records of every stage folder, in the order of the stages.
//
//===--------------------------------------------------------------------------------------------------------------------------===//

#ifndef TPP_LOWERING_PASSES
#define TPP_LOWERING_PASSES

include "setup/Passes.td"
include "normalize/Passes.td"
include "layout/Passes.td"
include "prepack/Passes.td"
include "fuse/Passes.td"
include "bufferize/Passes.td"
include "tile/Passes.td"
include "rows/Passes.td"
include "bind/Passes.td"
include "emit/Passes.td"
include "compile/Passes.td"
include "report/Passes.td"

#endif
