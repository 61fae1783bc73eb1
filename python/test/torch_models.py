"""Runs models of torchvision and transformers with torch.compile(backend="tpp"), compares results and times with PyTorch's, and writes the table of
docs/python-models.md. Transformers and large vision models are small instances; weights are random, and none is constant.

    build/import/bin/python python/test/torch_models.py [NAME...] [--write]

Needs torchvision and transformers in the versions of tools/importer/requirements.txt, and the package. One thread.
"""
import gc
import os
import re
import sys
import time
import warnings

import torch
import torch._dynamo
import torchvision
import transformers
from torch._dynamo.utils import counters
from torch.utils import _pytree

import tpp  # noqa: F401  (the installed package, before tools/importer puts the sources in front of it)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from importer.weights import vary  # noqa: E402  (the path is set above)

DOCS = os.path.join(ROOT, "docs", "python-models.md")
TOLERANCE = 1e-4  # of the largest value of a result
HEAD = """# Models that torch.compile(backend="tpp") runs

Written by `python/test/torch_models.py --write`, with torch {torch}, torchvision {torchvision}, transformers {transformers}, on {cpu}, one thread.
Transformers have two layers of width 64 and 16 tokens; vision models have their own size, and images of the size given. Weights are random.

- **graphs**: compiled graphs or parts of graphs, and what runs in PyTorch.
- **error**: the largest difference from PyTorch's result, relative to the result's largest value.
- **time**: of a call, relative to PyTorch without torch.compile: the best of calls that alternate for a second.

| model | input | graphs | error | time |
|---|---|---|---|---|
"""


def vision(name, extent=64, **options):

    def make():
        module = torchvision.models.get_model(name, weights=None, **options).eval()
        return module, {"x": torch.randn(1, 3, extent, extent)}

    return make, f"1x3x{extent}x{extent}"


def transformer(kind, image=0, **parameters):

    def make():
        config = transformers.AutoConfig.for_model(kind, **parameters)
        config.use_cache = False
        module = transformers.AutoModel.from_config(config).eval()
        if image:
            return module, {"pixel_values": torch.randn(1, 3, image, image)}
        inputs = {"input_ids": torch.randint(0, 100, (1, 16))}
        if getattr(config, "is_encoder_decoder", False):
            inputs["decoder_input_ids"] = torch.randint(0, 100, (1, 8))
        return module, inputs

    return make, f"1x3x{image}x{image}" if image else "16 tokens"


def all_models():
    models = {name: vision(name) for name in (
        "alexnet", "resnet18", "resnet50", "vgg11_bn", "squeezenet1_1", "densenet121", "mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large",
        "mnasnet0_5", "shufflenet_v2_x0_5", "efficientnet_b0", "regnet_y_400mf", "regnet_x_400mf", "convnext_tiny", "resnext50_32x4d",
        "wide_resnet50_2", "swin_t", "swin_v2_t")}
    models.update(googlenet=vision("googlenet", init_weights=False), inception_v3=vision("inception_v3", 96, init_weights=False),
                  vit_b_16=vision("vit_b_16", 224), maxvit_t=vision("maxvit_t", 224))
    for name in ("fcn_resnet50", "deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large"):
        models[name] = vision(name, weights_backbone=None)
    small = dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, vocab_size=128)
    embedded = dict(small, embedding_size=32)
    grouped = dict(small, num_key_value_heads=2)
    gpt = dict(n_embd=64, n_layer=2, n_head=4, vocab_size=128)
    for kind, parameters in {
            "bert": small, "roberta": small, "camembert": small, "xlm-roberta": small, "mpnet": small, "deberta-v2": small, "electra": embedded,
            "albert": embedded, "distilbert": dict(dim=64, hidden_dim=128, n_layers=2, n_heads=4, vocab_size=128), "gpt2": gpt,
            "gptj": dict(gpt, rotary_dim=8), "gpt_neox": small, "llama": grouped, "mistral": grouped, "qwen2": grouped,
            "qwen3": dict(grouped, head_dim=16), "gemma": dict(grouped, head_dim=16), "phi3": dict(grouped, pad_token_id=0),
            "olmo": small, "bloom": small, "falcon": small, "opt": dict(small, word_embed_proj_dim=64, ffn_dim=128), "mixtral": grouped,
            "t5": dict(d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4, vocab_size=128),
            "bart": dict(d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=128,
                         decoder_ffn_dim=128, vocab_size=128)
    }.items():
        models[kind] = transformer(kind, **parameters)
    for kind in ("vit", "deit", "dinov2", "beit"):
        models[kind] = transformer(kind, 32, **dict(small, image_size=32, patch_size=8))
    return models


def tensors(results):
    results = results.to_tuple() if hasattr(results, "to_tuple") else results
    return [each for each in _pytree.tree_leaves(results) if torch.is_tensor(each)]


def relative_time(call, other, seconds=1, least=5):
    """The best time of `call` over that of `other`."""
    times, end = ([], []), time.perf_counter() + seconds
    while len(times[0]) < least or time.perf_counter() < end:
        for each, taken in zip((call, other), times):
            begin = time.perf_counter()
            each()
            taken.append(time.perf_counter() - begin)
    return min(times[0]) / min(times[1])


def measure(make):
    """Returns (error, time relative to PyTorch, warnings)."""
    torch._dynamo.reset()
    counters.clear()
    gc.collect()
    torch.manual_seed(0)
    module, inputs = make()
    vary(module, 1)
    plain = (lambda: module(*inputs.values())) if "x" in inputs else (lambda: module(**inputs))
    compiled = torch.compile(module, backend="tpp", options={"threads": 1})
    fast = (lambda: compiled(*inputs.values())) if "x" in inputs else (lambda: compiled(**inputs))
    with torch.no_grad(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        expected, actual = tensors(plain()), tensors(fast())
        assert len(expected) == len(actual) > 0
        error = max(((x - y).abs().max() / y.abs().max().clamp(min=1e-30)).item() for x, y in zip(actual, expected) if y.is_floating_point())
        ratio = relative_time(fast, plain)
    return error, ratio, [str(each.message) for each in caught if str(each.message).startswith("tpp: ")]


def cpu_name():
    with open("/proc/cpuinfo") as file:
        return next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "an unknown processor")


def main(words):
    write = "--write" in words
    names = [word for word in words if word != "--write"]
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    models = all_models()
    rows, bad, whole = [], [], 0
    for name in names or models:
        make, shape = models[name]
        error, ratio, reasons = measure(make)
        graphs = str(counters["tpp"]["graphs_compiled"])
        if reasons:
            graphs += "; in PyTorch: " + "; ".join(re.sub(r" at /[^:]*:[0-9]+", "", reason.split(": ", 2)[2]) for reason in reasons)
        rows.append(f"| {name} | {shape} | {graphs} | {error:.0e} | {ratio:.2f} |")
        whole += not reasons
        print(rows[-1], flush=True)
        if not error <= TOLERANCE:
            bad.append(name)
    print(f"{whole} of {len(rows)} models run compiled as a whole" + (f"; wrong: {', '.join(bad)}" if bad else ""))
    if write:
        head = HEAD.format(torch=torch.__version__, torchvision=torchvision.__version__, transformers=transformers.__version__, cpu=cpu_name())
        with open(DOCS, "w") as file:
            file.write(head + "\n".join(rows) + f"\n\n{whole} of {len(rows)} models run compiled as a whole.\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
