#!/usr/bin/env python3
"""Writes PyTorch's results for the inputs of chains.py to linear_gelu.npy, softmax.npy and layernorm.npy beside this file.

Run once on a machine with torch and numpy; the results are checked in.
"""
import pathlib

import numpy
import torch

import chains


def tensors(chain, *shapes):
    return [torch.frombuffer(data, dtype=torch.float32).reshape(shape) for data, shape in zip(chains.inputs(chain), shapes)]


def main():
    m, n, k = chains.LINEAR
    x, w, b = tensors("linear_gelu", (m, k), (k, n), (n,))
    results = {"linear_gelu": torch.nn.functional.gelu(torch.nn.functional.linear(x, w.T, b))}
    x, = tensors("softmax", chains.ROWS["softmax"])
    results["softmax"] = torch.softmax(x, dim=1)
    cols = chains.ROWS["layernorm"][1]
    x, gamma, beta = tensors("layernorm", chains.ROWS["layernorm"], (cols,), (cols,))
    results["layernorm"] = torch.nn.functional.layer_norm(x, (cols,), gamma, beta, eps=1e-5)
    for name, result in results.items():
        numpy.save(pathlib.Path(__file__).with_name(f"{name}.npy"), result.numpy())


if __name__ == "__main__":
    main()
