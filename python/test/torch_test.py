"""Tests of torch.compile(backend="tpp"): equal results, side effects, shapes and strides; and that what cannot be compiled runs in PyTorch."""
import copy
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
import warnings

import numpy
import torch
import torch._dynamo
from torch._dynamo.utils import counters
from torch.utils import _pytree

import tpp
import tpp.cache
import tpp.torch_backend

CACHE = tempfile.TemporaryDirectory()
os.environ["TPP_CACHE_DIR"] = CACHE.name

TOLERANCE = 1e-4  # of the largest value


def randn(*shape):
    return torch.randn(*shape)


def difference(actual, expected):
    """What differs; empty if nothing does."""
    actual, expected = _pytree.tree_leaves(actual), _pytree.tree_leaves(expected)
    if len(actual) != len(expected):
        return f"{len(actual)} values instead of {len(expected)}"
    for x, y in zip(actual, expected):
        if not torch.is_tensor(y):
            if x != y:
                return f"{x} instead of {y}"
        elif (x.dtype, x.shape) != (y.dtype, y.shape):
            return f"{x.dtype}{tuple(x.shape)} instead of {y.dtype}{tuple(y.shape)}"
        elif y.is_floating_point() and y.numel():
            error = ((x - y).abs().max() / y.abs().max().clamp(min=1e-30)).item()
            if not error <= TOLERANCE:
                return f"an error of {error}"
        elif not torch.equal(x, y):
            return "other values"
    return ""


class TorchTest(unittest.TestCase):

    def setUp(self):
        torch.manual_seed(0)
        torch._dynamo.reset()
        counters.clear()

    def check(self, model, inputs, compiled=1, in_pytorch=0, reason="", grad=False, strides=False, **options):
        """Calls model and its compiled copy with each of `inputs`, and compares results, arguments and state after each call."""
        twin = copy.deepcopy(model) if isinstance(model, torch.nn.Module) else model
        fast = torch.compile(twin, backend="tpp", **options)
        with warnings.catch_warnings(record=True) as caught, torch.set_grad_enabled(grad):
            warnings.simplefilter("always")
            for arguments in inputs:
                own, other = copy.deepcopy(arguments), copy.deepcopy(arguments)
                expected, actual = model(*own), fast(*other)
                self.assertEqual(difference(actual, expected), "")
                self.assertEqual(difference(other, own), "", "arguments after the call")
                if strides:
                    self.assertEqual([each.stride() for each in _pytree.tree_leaves(actual)],
                                     [each.stride() for each in _pytree.tree_leaves(expected)])
                if isinstance(model, torch.nn.Module):
                    self.assertEqual(difference(twin.state_dict(), model.state_dict()), "", "state after the call")
        texts = [str(each.message) for each in caught if str(each.message).startswith("tpp: ")]
        self.assertEqual((counters["tpp"]["graphs_compiled"], len(texts)), (compiled, in_pytorch), texts)
        if reason:
            self.assertRegex(texts[0], reason)
        return twin, fast

    def test_layers(self):
        nn = torch.nn
        rows = {
            "linear": (nn.Linear(8, 8), randn(4, 8)),
            "conv": (nn.Conv2d(3, 8, 3, padding=1), randn(2, 3, 9, 9)),
            "conv1d": (nn.Conv1d(4, 8, 3), randn(2, 4, 16)),
            "conv3d": (nn.Conv3d(2, 4, 3), randn(1, 2, 6, 6, 6)),
            "transposed conv": (nn.ConvTranspose2d(4, 3, 3, stride=2), randn(1, 4, 5, 5)),
            "group norm": (nn.GroupNorm(2, 8), randn(2, 8, 5, 5)),
            "layer norm": (nn.LayerNorm(8), randn(2, 5, 8)),
            "embedding": (nn.Embedding(10, 4), torch.tensor([1, 2, 9])),
            "softmax": (nn.Softmax(-1), randn(4, 7)),
            "pool": (nn.AdaptiveAvgPool2d(3), randn(1, 3, 7, 7)),
            "upsample": (nn.Upsample(scale_factor=2, mode="bilinear"), randn(1, 3, 5, 5)),
        }
        for name, (module, x) in rows.items():
            with self.subTest(name):
                self.setUp()
                self.check(module.eval(), [(x,)])

    def test_functions(self):
        nn = torch.nn.functional
        rows = {
            "where": (lambda x, y: torch.where(x > 0, x, y), randn(4, 4), randn(4)),
            "einsum": (lambda x, y: torch.einsum("bij,bjk->bik", x, y), randn(2, 3, 4), randn(2, 4, 5)),
            "integers": (lambda x: (x + 1, x.sum(), x > 2, x.argmax(1)), torch.arange(12).view(4, 3)),
            "cumsum": (lambda x: (x.cumsum(0), x.cumsum(1), (x > 0).cumsum(1)), randn(5, 37)),
            "attention": (lambda q, k, v: nn.scaled_dot_product_attention(q, k, v, is_causal=True), *(randn(1, 2, 8, 4) for _ in range(3))),
            "attention with a mask": (lambda q, k, v, m: nn.scaled_dot_product_attention(q, k, v, attn_mask=m),
                                      *(randn(1, 2, 8, 4) for _ in range(3)), torch.eye(8) > 0),
            "no element": (lambda x: x * 2, randn(0, 4)),
            "scalar": (lambda x: x.sum(), randn(4, 3)),
            "a view": (lambda x: x.view(-1), randn(4, 3)),
        }
        for name, (function, *arguments) in rows.items():
            with self.subTest(name):
                self.setUp()
                self.check(function, [tuple(arguments)], compiled=0 if name == "a view" else 1)

    def test_types(self):
        for dtype in (torch.bfloat16, torch.float16, torch.float64):
            with self.subTest(dtype):
                self.setUp()
                module, x = torch.nn.Linear(16, 8).to(dtype), randn(4, 16).to(dtype)
                fast = torch.compile(module, backend="tpp")
                with torch.no_grad():
                    torch.testing.assert_close(fast(x), module(x))
                self.assertEqual(counters["tpp"]["graphs_compiled"], 1)

    def test_buffers_and_inputs_that_are_written(self):

        class Counting(torch.nn.Module):

            def __init__(self):
                super().__init__()
                self.register_buffer("count", torch.zeros(4))
                self.layer = torch.nn.Linear(4, 4)

            def forward(self, x):
                self.count.add_(1)
                return self.layer(x) + self.count

        self.check(Counting(), [(randn(3, 4),)] * 3)
        self.setUp()
        self.check(lambda x: x.add_(1) * 2, [(randn(3, 4),)] * 2)

    def test_batch_norm_in_training_mode(self):
        self.check(torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8)).train(), [(randn(2, 3, 8, 8),)] * 2)

    def test_results_of_all_kinds(self):
        self.check(lambda x: {"a": x * 2, "b": [x + 1, None, 3], "c": (x, x.view(-1))}, [(randn(3, 4),)], strides=False)

    def test_strides(self):
        self.check(torch.nn.Conv2d(3, 8, 3, padding=1), [(randn(2, 3, 8, 8).to(memory_format=torch.channels_last),)], strides=True)
        for name, function, x in (("transposed input", lambda x: x * 2, randn(4, 3).t()), ("slice", lambda x: x * 2, randn(4, 6)[:, ::2]),
                                  ("expanded input", lambda x: x * 2, randn(4, 1).expand(4, 6)),
                                  ("transposed result", lambda x: (x * 2).t(), randn(4, 3)),
                                  ("expanded result", lambda x: x.sum(1, keepdim=True).expand(4, 6), randn(4, 3))):
            with self.subTest(name):
                self.setUp()
                self.check(function, [(x,)], strides=name != "slice" and "expanded input" != name)

    def test_graph_breaks(self):

        def broken(x):
            y = x * 2
            print(end="")
            return y + 1 if y.sum() > 0 else y - 1

        self.check(broken, [(torch.ones(4),), (-torch.ones(4),)], compiled=4)

    def test_results_that_share_memory(self):

        def shared(x):
            y = x * 2
            v = y.view(-1)
            print(end="")
            v.add_(1)
            return y, v

        def halves(x):
            a, b = (x + 1).chunk(2)
            c, d = x.chunk(2)
            return a, b, c, d

        self.check(shared, [(randn(3, 4),)] * 2, compiled=counters["tpp"]["graphs_compiled"] or 2)
        self.setUp()
        self.check(halves, [(randn(n, 4),) for n in (4, 6, 8)], compiled=3, strides=True)
        self.setUp()
        self.check(lambda x: (x * 2)[:, ::2], [(randn(4, 6),)], strides=True)

    def test_modules_that_share_a_graph(self):
        modules = [torch.nn.Linear(8, 8) for _ in range(3)]
        compiled = [torch.compile(each, backend="tpp") for each in modules]
        x = randn(4, 8)
        with torch.no_grad():
            for _ in range(3):
                for module, fast in zip(modules, compiled):
                    self.assertEqual(difference(fast(x), module(x)), "")
            expected, wrong = [module(x) for module in modules], []

            def calls(i):
                with torch.no_grad():
                    wrong.extend(text for text in (difference(compiled[i](x), expected[i]) for _ in range(200)) if text)

            threads = [threading.Thread(target=calls, args=(i % 3,)) for i in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(wrong, [])

    def test_weights_whose_memory_is_used_again(self):
        module, fast = self.check(torch.nn.Linear(64, 64), [(randn(4, 64),)])
        x = randn(4, 64)
        with torch.no_grad():
            for _ in range(5):
                module.weight.data = randn(64, 64)
                module.weight.data = randn(64, 64)
                self.assertEqual(difference(fast(x), module(x)), "")

    def test_another_default_device(self):
        module, fast = self.check(torch.nn.Linear(8, 8), [(randn(4, 8),)])
        x = randn(4, 8)
        expected = module(x)
        with torch.no_grad(), torch.device("meta"):
            self.assertEqual(difference(fast(x), expected), "")

    def test_shapes_that_vary(self):
        self.check(torch.nn.Linear(8, 8), [(randn(n, 8),) for n in range(1, 14)], compiled=9, in_pytorch=1, reason="8 shapes")

    def test_numbers_as_arguments(self):
        self.check(lambda x, factor: x * factor, [(randn(4), 2.5), (randn(4), 3.5), (randn(4), 4.5)], compiled=2)

    def test_what_runs_in_pytorch(self):
        rows = (("gradients", torch.nn.Linear(4, 4), randn(2, 4), "needs gradients: call the model under", True),
                ("random", lambda x: x + 0 * torch.rand(4), randn(4), "random numbers: aten.rand.default at .*torch_test.py:[0-9]+", False),
                ("dropout", torch.nn.Dropout(0.5).train(), torch.zeros(4), "random numbers", False),
                ("complex", lambda x: torch.fft.fft(x).abs(), randn(8), "complex", False),
                ("sort", lambda x: torch.sort(x)[0], randn(8), "aten.sort.default at .*torch_test.py:[0-9]+: torch-mlir lowers it to tm_tensor.sort", False))
        for name, model, x, reason, grad in rows:
            with self.subTest(name):
                self.setUp()
                self.check(model, [(x,)], compiled=0, in_pytorch=1, reason=reason, grad=grad)

    def test_constants_in_graphs(self):
        many = list(range(1000))
        rows = (lambda x: x + torch.tensor([1.0, 2.0, 3.0]), lambda x: x + torch.tensor([1.0, 2.0, 4.0]), lambda x: x + torch.tensor(16.0),
                lambda x: torch.where(torch.tensor([True, False, True]), x, -x), lambda x: (x.sum() + torch.tensor(many)) * 2,
                lambda x: (x, torch.tensor([1, 2]), torch.zeros(0)))
        for number, model in enumerate(rows):
            with self.subTest(number):
                self.setUp()
                self.check(model, [(randn(3),), (randn(3),)], compiled=1)
                self.assertEqual(counters["tpp"]["cache_hits"], 0, "another constant makes another graph")

    def test_nan(self):
        x, y = torch.tensor([float("nan"), 2.0, -1.0, 0.5]), torch.tensor([1.0, float("nan"), 3.0, 0.0])
        functional = torch.nn.functional
        for number, model in enumerate((lambda a, b: a.clamp(0, 1), lambda a, b: a.clamp(min=0), lambda a, b: a.clamp_max(1), lambda a, b: a.clamp(min=b),
                                        lambda a, b: functional.relu6(a), lambda a, b: functional.hardtanh(a), lambda a, b: functional.hardswish(a),
                                        lambda a, b: functional.hardsigmoid(a), lambda a, b: torch.maximum(a, b), lambda a, b: torch.minimum(a, b),
                                        lambda a, b: torch.where(a > b, a, b), lambda a, b: a.max(), lambda a, b: a.relu(), lambda a, b: a.amin())):
            with self.subTest(number), torch.no_grad():
                self.setUp()
                self.assertTrue(torch.equal(torch.compile(model, backend="tpp")(x, y).nan_to_num(77), model(x, y).nan_to_num(77)))

    def test_integers(self):
        models = {
            "divide": lambda x: x // 3, "remainder": lambda x: x % 7, "largest": lambda x: (x.max(), x.min(1)), "share": lambda x: x / 255, "scale": lambda x: x * 0.5,
            "sum": lambda x: (x.sum(1), x.prod()), "compare": lambda x: (x == 200, x >= 100, x < 2, torch.where(x > 3, x, x + 1)), "float": lambda x: x.float() / 255,
            "moves": lambda x: (x.t().contiguous()[1:], torch.cat([x, x]), x.reshape(-1)), "truncate": lambda x: torch.div(x, 3, rounding_mode="trunc")
        }
        for dtype, values in ((torch.uint8, [[200, 128, 127, 3], [0, 255, 1, 2]]), (torch.int8, [[-128, 127, -1, 3], [0, 5, 1, 2]]),
                              (torch.int16, [[-300, 200, 3, 4], [0, 1, 2, 7]]), (torch.int32, [[-300, 200, 3, 4], [0, 1, 2, 7]]),
                              (torch.int64, [[-300, 200, 3, 4], [0, 1, 2, 7]])):
            for name, model in models.items():
                with self.subTest(f"{name} {dtype}"), warnings.catch_warnings(), torch.no_grad():
                    warnings.simplefilter("ignore")
                    self.setUp()
                    x = torch.tensor(values, dtype=dtype)
                    self.assertEqual(difference(torch.compile(model, backend="tpp")(x), model(x)), "")

    def test_results_that_are_no_inputs(self):
        for model in (lambda x: x.cumsum(0, dtype=torch.float32), lambda x: x.cumsum(0), lambda x: x.clone()):
            x = torch.zeros(1, 4)
            with torch.no_grad():
                y = torch.compile(model, backend="tpp")(x)
            y.add_(1)
            self.assertEqual(x.sum().item(), 0)

    def test_operations_that_break_their_promise(self):

        @torch.library.custom_op("tpp_test::wrong", mutates_args=())
        def wrong(x: torch.Tensor) -> torch.Tensor:
            return x[:1].clone()

        @wrong.register_fake
        def _(x):
            return torch.empty_like(x)

        def model(x):
            x = x.relu().tanh().add(1).mul(2)
            return wrong(x).relu().tanh().add(1).mul(2)

        with torch.no_grad(), warnings.catch_warnings(), self.assertRaisesRegex(RuntimeError, r"wrong.* returned torch.float32 \(1, 8\).*\(20, 8\)"):
            warnings.simplefilter("ignore")
            torch.compile(model, backend="tpp")(randn(20, 8))

    def test_complex_numbers_split_graphs(self):

        def model(x):
            y = x.relu().tanh().add(1).mul(2)
            return (y + torch.fft.fft(y).abs()).relu().tanh().add(1).mul(2)

        self.check(model, [(randn(3, 8),)], compiled=2, in_pytorch=1, reason="complex numbers: ")

    def test_split_graphs_of_varying_shapes_warn_once(self):

        def model(x):
            return torch.sort(x.relu().tanh().add(1).mul(2))[0]

        self.check(model, [(randn(n, 8),) for n in range(2, 7)], compiled=5, in_pytorch=2, reason="aten.sort.default at .*torch_test.py:[0-9]+: ")

    def test_packings_of_graphs_by_hand(self):
        module, fast = self.check(torch.nn.Linear(8, 8), [(randn(4, 8),)])
        x, graph = randn(4, 8), tpp.graphs()[-1]
        with torch.no_grad():
            graph.pack([torch.zeros(each.shape) for each in graph.signature.arguments if each.is_weight])
            self.assertEqual(difference(fast(x), module(x)), "")

    def test_packings_in_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "packing.json")
            for number, content in enumerate(("", "no records", "")):
                pathlib.Path(path).write_text(content)
                key = tpp.torch_backend.Options.read({"packing": path, "threads": 1}).key()
                self.assertEqual(key == ({"threads": 1, "precision": "program", "packing": path, "target": "", "provider": "auto", "drawing": False}, [b""]),
                                 number != 1)

    def test_graphs_are_split(self):

        class Sorting(torch.nn.Module):
            """Two operations that cannot be compiled, one with two results, and a buffer that is written and read after."""

            def __init__(self):
                super().__init__()
                self.first, self.second = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)
                self.register_buffer("sum", torch.zeros(8))

            def forward(self, x):
                y = self.first(x).relu().tanh().add(1).neg()
                values, order = torch.sort(y, dim=1)
                self.sum += y.sum(0)
                z = self.second(values.t().contiguous().t() + x).relu().tanh().mul(0.1) + self.sum
                w, _ = torch.sort(z, dim=0)
                return {"w": w, "order": order, "half": z[:, ::2], "z": z, "last": (w @ values.t()).relu().add(1).tanh().sum()}

        reason = "^tpp: [0-9]+ of [0-9]+ operations run in PyTorch, the others in compiled parts, 3 in all: aten.sort.default at .*torch_test.py:[0-9]+: "
        module, fast = self.check(Sorting(), [(randn(4, 8),) for _ in range(3)], compiled=3, in_pytorch=1, reason=reason)
        self.assertEqual(counters["tpp"]["graphs_split"], 1)
        with torch.no_grad():
            module.second.weight.mul_(2)
            x, twin = randn(4, 8), copy.deepcopy(module)
            self.assertEqual(difference(fast(x), twin(x)), "", "after a change of a weight")

    def test_parts_that_are_too_small(self):
        self.check(lambda x: torch.sort(torch.sort(x + 1)[0] * 2)[0] + 1, [(randn(8),)], compiled=0, in_pytorch=1, reason="runs in PyTorch: aten.sort")

    def test_split_graphs_with_other_strides(self):

        def model(x):
            y = torch.sort(x.permute(0, 2, 3, 1), dim=1)[0]
            return (y.exp() * 2 + 1).relu().tanh(), y

        self.check(model, [(randn(2, 3, 4, 5),), (randn(2, 3, 4, 5),)], compiled=1, in_pytorch=1, strides=True)

    def test_changed_weights_are_packed_again(self):
        module, fast = self.check(torch.nn.Linear(8, 8), [(randn(4, 8),)])
        x = randn(4, 8)
        with torch.no_grad():
            module.weight.mul_(2)
            self.assertEqual(difference(fast(x), module(x)), "", "written in place")
            module.load_state_dict({name: value + 1 for name, value in module.state_dict().items()})
            self.assertEqual(difference(fast(x), module(x)), "", "load_state_dict")
        optimizer = torch.optim.SGD(module.parameters(), 0.1)
        module(x).sum().backward()
        optimizer.step()
        with torch.no_grad():
            self.assertEqual(difference(fast(x), module(x)), "", "a step of an optimizer")
            module.weight.data = randn(8, 8)
            self.assertEqual(difference(fast(x), module(x)), "", "other storage")

    def test_writes_that_pytorch_does_not_count(self):
        module, fast = self.check(torch.nn.Linear(8, 8), [(randn(4, 8),)])
        x = randn(4, 8)
        module.weight.detach().numpy()[:] = 1
        tpp.repack()
        with torch.no_grad():
            self.assertEqual(difference(fast(x), module(x)), "")

    def test_inference_mode(self):
        module, x = torch.nn.Linear(8, 8), randn(4, 8)
        fast = torch.compile(module, backend="tpp")
        with torch.inference_mode():
            self.assertEqual(difference(fast(x), module(x)), "")
        self.assertEqual(counters["tpp"]["graphs_compiled"], 1)

    def test_graphs_as_models(self):
        x = randn(4, 8)
        module, fast = self.check(torch.nn.Linear(8, 8), [(x,)], options={"drawing": True})
        model = tpp.graphs()[-1]
        self.assertEqual([each.shape for each in model.signature.inputs], [(4, 8)])
        self.assertGreater(model.profile(x, seconds=0).kernel_seconds, 0)
        self.assertIn("</svg>", str(model.layout_drawing()))
        self.assertIn("packs", model.layout_report())
        with torch.no_grad():
            self.assertTrue(numpy.allclose(model(x), fast(x).numpy()))

    def test_options(self):
        self.check(torch.nn.Linear(64, 64), [(randn(64, 64),)], options={"threads": 2})
        for options, text in (({"fast": True}, "has no option 'fast'"), ({"precision": "f8"}, "precision is 'f8'"), ({"threads": -1}, "threads .* is -1, must be at least 1"),
                              ({"threads": "2"}, "threads .* is '2', must be a number"), ({"cache": "no"}, "cache .* must be True or False")):
            torch._dynamo.reset()
            with self.subTest(text), self.assertRaisesRegex(Exception, text), torch.no_grad():
                torch.compile(torch.nn.Linear(4, 4), backend="tpp", options=options)(randn(4, 4))

    def test_threads_share_a_model(self):
        module = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 64))
        fast = torch.compile(module, backend="tpp", options={"threads": 2})
        x = randn(32, 64)
        with torch.no_grad():
            expected = module(x)
            fast(x)
        wrong = []

        def calls():
            with torch.no_grad():
                wrong.extend(text for text in (difference(fast(x), expected) for _ in range(100)) if text)

        threads = [threading.Thread(target=calls) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_tensors_as_arguments_of_models(self):
        program = """func.func @f(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
          %e = tensor.empty() : tensor<4x3xf32>
          %y = linalg.add ins(%x, %x : tensor<4x3xf32>, tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
          return %y : tensor<4x3xf32>
        }"""
        model, x, out = tpp.compile(program.encode(), threads=1), randn(4, 3), torch.empty(4, 3)
        self.assertIs(model(x, out=out), out)
        self.assertTrue(torch.equal(out, 2 * x))

    def run_in_process(self, folder):
        """Runs a compiled model in a process of its own. Returns what it prints: whether its results are right, hits of the cache, and whether
        torch-mlir was imported."""
        program = """
import sys, torch
from torch._dynamo.utils import counters
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU(), torch.nn.Linear(64, 8))
fast, x = torch.compile(model, backend="tpp"), torch.randn(4, 32)
with torch.no_grad():
    print(torch.allclose(fast(x), model(x), atol=1e-5), counters["tpp"]["cache_hits"], any(each.startswith("torch_mlir") for each in sys.modules))
"""
        done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, check=False,
                              env={**os.environ, "TPP_CACHE_DIR": str(folder)})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.strip()

    def test_processes_share_compiled_graphs(self):
        with tempfile.TemporaryDirectory() as name:
            folder, printed = pathlib.Path(name) / "new", []
            threads = [threading.Thread(target=lambda: printed.append(self.run_in_process(folder))) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertTrue(all(each.startswith("True ") for each in printed) and len(printed) == 3, printed)
            self.assertEqual([each.suffix for each in folder.iterdir()], [".tpp"])
            self.assertEqual(folder.stat().st_mode & 0o777, 0o700)
            self.assertEqual(self.run_in_process(folder), "True 1 False")

    def test_damaged_and_deleted_files_are_made_again(self):
        torch.manual_seed(0)
        module, x = torch.nn.Linear(24, 40), randn(3, 24)
        folder = tpp.torch_backend.user_cache().folder
        before = set(folder.iterdir())

        def hits():
            torch._dynamo.reset()
            counters.clear()
            with torch.no_grad():
                self.assertEqual(difference(torch.compile(module, backend="tpp")(x), module(x)), "")
            return counters["tpp"]["cache_hits"]

        self.assertEqual((hits(), hits()), (0, 1))
        [file] = set(folder.iterdir()) - before
        content = file.read_bytes()
        for damaged in (b"", content[:1000], content[:-1], content.replace(b"avx", b"axv"), b"x" * len(content)):
            with self.subTest(damaged[:20]):
                file.write_bytes(damaged)
                with self.assertLogs("tpp", "WARNING") as logged:
                    self.assertEqual(hits(), 0)
                self.assertIn(f"{file} is removed: ", logged.output[0])
                self.assertEqual(hits(), 1)
        file.unlink()
        self.assertEqual((hits(), hits()), (0, 1))
        module = torch.nn.Linear(24, 40, bias=False)
        self.assertEqual(hits(), 0, "another graph")

    def test_caches_that_cannot_be_used(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "file").touch()
            (folder / "open").mkdir()
            (folder / "open").chmod(0o777)
            for path, size, why in ((folder / "file", "", "File exists"), (folder / "file" / "new", "", "Not a directory"),
                                    (folder / "open", "", "others may write to it"),
                                    (folder / "new", "much", "TPP_CACHE_MIB is 'much', must be a number of MiB")):
                with self.subTest(why), unittest.mock.patch.dict(os.environ, {"TPP_CACHE_DIR": str(path), "TPP_CACHE_MIB": size}), \
                        self.assertLogs("tpp", "WARNING") as logged:
                    self.assertIsNone(tpp.cache.Cache.of_user())
                    self.assertRegex(logged.output[0], f"compiled models are not kept: .*{why}")
            with unittest.mock.patch.dict(os.environ, {"TPP_CACHE_DIR": ""}), self.assertNoLogs("tpp"):
                self.assertIsNone(tpp.cache.Cache.of_user())
            with unittest.mock.patch.object(tpp.torch_backend, "user_cache", lambda: tpp.cache.Cache(folder / "file" / "new", 1 << 20)), \
                    self.assertLogs("tpp", "WARNING") as logged:
                self.check(torch.nn.Linear(4, 4), [(randn(2, 4),)])
            self.assertRegex(logged.output[0], "a compiled model is not kept: .*Not a directory")
            cache = tpp.cache.Cache(folder / "deleted", 1 << 20)
            with unittest.mock.patch.object(tpp.torch_backend, "user_cache", lambda: cache):
                self.setUp()
                self.check(torch.nn.Linear(4, 4), [(randn(2, 4),)])
            self.assertEqual(len(list(cache.folder.iterdir())), 1, "the folder is made again")

    def test_reasons_are_kept(self):
        for expected in (0, 1, 1):  # compilations with torch-mlir
            self.setUp()
            cache = tpp.torch_backend.user_cache()
            before = len(list(cache.folder.glob("*.json")))
            self.check(lambda x: torch.sort(x.exp().neg().add(3).relu())[0], [(randn(5),)], compiled=1, in_pytorch=1, reason="aten.sort.default at ")
            self.assertEqual(counters["tpp"]["cache_hits"], expected)
            self.assertEqual(len(list(cache.folder.glob("*.json"))) - before, 1 - expected)

    def test_the_size_of_a_cache_is_bounded(self):
        with tempfile.TemporaryDirectory() as name:
            cache = tpp.cache.Cache(pathlib.Path(name), 3000)
            for number in range(5):
                (cache.folder / f"{number}.tpp").write_bytes(b"x" * 1000)
                os.utime(cache.folder / f"{number}.tpp", (number, number))
            (cache.folder / "other").write_bytes(b"x" * 10000)
            (cache.folder / "left.tmp").touch()
            (cache.folder / "new.tmp").touch()
            os.utime(cache.folder / "left.tmp", (0, 0))
            with self.assertLogs("tpp", "WARNING"):
                cache.load("0")  # it is damaged
            cache.shrink()
            self.assertEqual(sorted(each.name for each in cache.folder.iterdir()), ["2.tpp", "3.tpp", "4.tpp", "new.tmp", "other"])


if __name__ == "__main__":
    unittest.main()
