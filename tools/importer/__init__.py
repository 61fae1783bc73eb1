"""The implementation of tools/import. The modules sources, onnx_source, lowering, literals and weights need the environment of --setup; the
others need only Python's standard library."""
import os
import sys

# What is shared with the Python package: tpp.importing.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "python"))
