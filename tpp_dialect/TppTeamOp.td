//===- TppTeamOp.td - code that a team of threads executes ------------------------------------------------------------------------===//

#ifndef TPP_TEAM_OP
#define TPP_TEAM_OP

include "TileOps.td"

def Tpp_TeamOp : Tpp_Op<"team", [AutomaticAllocationScope, RecursiveMemoryEffects]> {
  let summary = "Execute a region in each thread of a team";
  let description = [{
    At most `threads` threads execute the region at the same time. Its arguments are the number of the thread, from 0, and the number of
    threads. The operation ends when all threads have reached a `tpp.team_end`. Stack buffers belong to each thread. The threads
    come from tpp_run_team of the runtime.

    ```mlir
    tpp.team threads(2) {
    ^bb0(%thread: index, %threads: index):
      ...
      tpp.team_barrier
      ...
      tpp.team_end
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntPositive]>:$threads);
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = "`threads` `(` $threads `)` $body attr-dict";
  let hasRegionVerifier = 1;
}

def Tpp_TeamBarrierOp : Tpp_Op<"team_barrier", [HasParent<"TeamOp">]> {
  let summary = "Wait until all threads of the team have come here";
  let assemblyFormat = "attr-dict";
}

def Tpp_TeamEndOp : Tpp_Op<"team_end", [Terminator, HasParent<"TeamOp">]> {
  let summary = "The end of a thread's work in a team";
  let assemblyFormat = "attr-dict";
}

#endif
