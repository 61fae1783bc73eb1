"""The package behind tools/import. Only sources, onnx_source and lowering need PyTorch; the rest is Python's standard library."""
