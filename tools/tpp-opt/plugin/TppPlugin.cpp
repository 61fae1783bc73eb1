// The dialect, passes and pipelines as a plugin for an unmodified mlir-opt of the same LLVM release.
//
// mlir-opt parses its command line before it loads a plugin. The passes are therefore available inside --pass-pipeline='...', but not
// as separate flags.
#include "lowering/Pipelines.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

// The project compiles with hidden symbols. The plugin loader looks up the two functions below, so they must be exported.
#define TPP_PLUGIN_EXPORT __attribute__((visibility("default")))

extern "C" TPP_PLUGIN_EXPORT mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Tpp", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) { mlir::tpp::registerTpp(*registry); }};
}

extern "C" TPP_PLUGIN_EXPORT mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Tpp", LLVM_VERSION_STRING, []() {
            mlir::tpp::registerTppPasses();
            mlir::tpp::registerTppPipelines();
          }};
}
