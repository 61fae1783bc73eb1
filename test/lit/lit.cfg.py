# lit configuration: RUN lines run in lit's own shell, with TPP's and LLVM's tools first in PATH.
import os
import platform

import lit.formats

config.name = "TPP"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.tpp_build_dir, "bin"), config.llvm_tools_dir, config.environment.get("PATH", "")]
)
# No test may depend on the machine that it runs on: `TPP_MACHINE=FILE ctest -R lit` runs all of them as if on another with the same instructions.
if "TPP_MACHINE" in os.environ:
    config.environment["TPP_MACHINE"] = os.environ["TPP_MACHINE"]
config.substitutions += [
    ("%tpp_source", config.tpp_source_dir),
    ("%tpp_plugin", os.path.join(config.tpp_build_dir, "lib", "libTppPlugin.so")),
    ("%softmax_layout", os.path.join(config.tpp_build_dir, "lib", "libSoftmaxLayout.so")),
    ("%packing_strategy", os.path.join(config.tpp_build_dir, "lib", "libNarrowPanels.so")),
    ("%llvm_lib", os.path.join(os.path.dirname(config.llvm_tools_dir), "lib")),
]
# A tool that is not instrumented cannot load an instrumented plugin.
if config.tpp_sanitize:
    config.available_features.add("sanitizer")
config.available_features.add(platform.machine())
