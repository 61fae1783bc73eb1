// The dialect, passes and pipelines as a plugin for an unmodified mlir-opt of the same LLVM release.
//
// mlir-opt reads its command line before it loads a plugin: the passes work inside --pass-pipeline='...', not as flags of their
// own.
#include "lowering/Pipelines.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

// The project hides its symbols; these two are what the loader looks up.
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
