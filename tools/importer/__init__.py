"""The implementation of tools/import. The modules sources, onnx_source, lowering, literals and weights need the environment of --setup; the
others need only Python's standard library."""
