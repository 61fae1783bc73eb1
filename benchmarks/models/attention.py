"""Attention alone, for a comparison with peers: 12 heads of 64 features, as scaled_dot_product_attention computes it.

    tools/import benchmarks/models/attention.py:Causal --shape 1x12x512x64,1x12x512x64,1x12x512x64 --peers -o DIR/causal_512.mlirbc
    benchmarks/peers/run --models=DIR --list=/dev/null --peers=onnxruntime,openvino,pytorch
"""
import torch
from torch.nn.functional import scaled_dot_product_attention


class Full(torch.nn.Module):
    """Of queries, keys and values, each of the shape batch x heads x tokens x features; returns that shape."""

    def forward(self, queries, keys, values):
        return scaled_dot_product_attention(queries, keys, values)


class Causal(torch.nn.Module):
    """The same, but each token sees only itself and those before it."""

    def forward(self, queries, keys, values):
        return scaled_dot_product_attention(queries, keys, values, is_causal=True)
