# How lit runs the tests below this folder: RUN lines in a shell, our tools and LLVM's first in the path.
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
config.substitutions += [
    ("%tpp_source", config.tpp_source_dir),
    ("%tpp_plugin", os.path.join(config.tpp_build_dir, "lib", "libTppPlugin.so")),
    ("%softmax_layout", os.path.join(config.tpp_build_dir, "lib", "libSoftmaxLayout.so")),
    ("%packing_strategy", os.path.join(config.tpp_build_dir, "lib", "libNarrowPanels.so")),
    ("%llvm_lib", os.path.join(os.path.dirname(config.llvm_tools_dir), "lib")),
]
# An instrumented plugin cannot be loaded by a tool that is not.
if config.tpp_sanitize:
    config.available_features.add("sanitizer")
config.available_features.add(platform.machine())
