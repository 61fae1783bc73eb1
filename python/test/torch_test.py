"""Tests of torch.compile(backend="tpp"): equal results, side effects, shapes and strides; and that what cannot be compiled runs in PyTorch."""
import copy
import itertools
import math
import os
import pathlib
import tempfile
import threading
import unittest
import warnings
from unittest import mock

import numpy
import torch
import torch._dynamo
from torch._dynamo.utils import counters
from torch_check import Check, difference, randn

import tpp
import tpp.torch_backend


class TorchTest(Check):

    def test_layers(self):
        nn = torch.nn
        rows = {
            "linear": (nn.Linear(8, 8), randn(4, 8)),
            "conv": (nn.Conv2d(3, 8, 3, padding=1), randn(2, 3, 9, 9)),
            "conv1d": (nn.Conv1d(4, 8, 3), randn(2, 4, 16)),
            "conv3d": (nn.Conv3d(2, 4, 3), randn(1, 2, 6, 6, 6)),
            "conv3d in groups": (nn.Conv3d(4, 8, (2, 3, 1), (2, 1, 2), (1, 0, 2), groups=2), randn(2, 4, 6, 6, 6)),
            "transposed conv": (nn.ConvTranspose2d(4, 3, 3, stride=2), randn(1, 4, 5, 5)),
            "transposed conv of each channel": (nn.ConvTranspose2d(4, 4, 3, stride=(2, 3), padding=1, output_padding=1, groups=4), randn(2, 4, 5, 5)),
            "group norm": (nn.GroupNorm(2, 8), randn(2, 8, 5, 5)),
            "layer norm": (nn.LayerNorm(8), randn(2, 5, 8)),
            "embedding": (nn.Embedding(10, 4), torch.tensor([1, 2, 9])),
            "softmax": (nn.Softmax(-1), randn(4, 7)),
            "pool": (nn.AdaptiveAvgPool2d(3), randn(1, 3, 7, 7)),
            "upsample": (nn.Upsample(scale_factor=2, mode="bilinear"), randn(1, 3, 5, 5)),
            "cubic upsample": (nn.Upsample(scale_factor=2, mode="bicubic"), randn(1, 3, 5, 5)),
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
            "roll": (lambda x: torch.roll(x, (-2, 1), (1, 2)) * 2, randn(2, 5, 6, 8)),
            "cumsum": (lambda x: (x.cumsum(0), x.cumsum(1), (x > 0).cumsum(1)), randn(5, 37)),
            "attention": (lambda q, k, v: nn.scaled_dot_product_attention(q, k, v, is_causal=True), *(randn(1, 2, 8, 4) for _ in range(3))),
            "attention with a mask": (lambda q, k, v, m: nn.scaled_dot_product_attention(q, k, v, attn_mask=m),
                                      *(randn(1, 2, 8, 4) for _ in range(3)), torch.eye(8) > 0),
            "angles": (lambda x: (x.sin(), x.cos(), (x * 1e-3).sin()), 1e5 * randn(4, 64)),
            "gelu with tanh": (lambda x: nn.gelu(x, approximate="tanh") - nn.gelu(x.clamp(-3, 3), approximate="tanh"), torch.linspace(1, 3.01, 256)),
            "a shift by padding": (lambda x: (nn.pad(x, (0, 0, 1, -1)), nn.pad(x, (-1, 1)), nn.pad(x, (-1, 0, 2, -1), value=1.5)), randn(2, 5, 8)),
            "antialiased images": (lambda x: [nn.interpolate(x, size=(7, 31), mode=mode, antialias=True) for mode in ("bilinear", "bicubic")] +
                                   [nn.interpolate(x, scale_factor=.4, mode="bilinear", antialias=True)], randn(1, 3, 20, 20)),
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
                ("mode", lambda x: torch.mode(x)[0], randn(8), "aten.mode.default at .*torch_test.py:[0-9]+: torch-mlir cannot lower it", False))
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

    def test_special_values(self):
        inf = math.inf
        x = torch.tensor([0.0, -0.0, 2.0, -2.0, inf, -inf, math.nan, 1.0, 0.5, -7.5, 7.5, 3.0, 5.5])
        y = torch.tensor([1.0, 2.0, 0.0, inf, 2.0, 2.0, 1.0, 0.1, 0.1, inf, -inf, -inf, -2.0])
        for number, model in enumerate((lambda a, b: 1 / a, lambda a, b: a == a, lambda a, b: (a**.5, a**-.5, a**2, a**3), lambda a, b: torch.fmod(a, b),
                                        lambda a, b: torch.fmod(a, 0.1), lambda a, b: torch.remainder(a, b), lambda a, b: 7.5 % a, lambda a, b: a // b, lambda a, b: (a // .1, a // -0.7, a // 0),
                                        lambda a, b: torch.div(a, b, rounding_mode="trunc"), lambda a, b: torch.log2(a))):
            with self.subTest(number):
                self.setUp()
                torch.testing.assert_close(torch.compile(model, backend="tpp")(x, y), model(x, y), equal_nan=True)
                self.assertEqual(counters["tpp"]["graphs_compiled"], 1)

    def test_angles_of_special_values(self):
        values = torch.tensor([0.0, -0.0, 2.0, -2.0, math.inf, -math.inf, math.nan, 1e-40, -3e38, 3.5e-5])
        y, x = values.repeat(10), values.repeat_interleave(10)
        torch.testing.assert_close(torch.compile(torch.atan2, backend="tpp")(y, x), torch.atan2(y, x), equal_nan=True)
        self.assertEqual(counters["tpp"]["graphs_compiled"], 1)

    def test_elementwise_functions(self):
        values = torch.tensor([0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 1e-40, -3e38, 3e38, 1e-30, 5.0, -9.0, 0.3])
        y, x = values.repeat(14), values.repeat_interleave(14)
        for function in (torch.copysign, torch.fmax, torch.fmin, torch.hypot):
            with self.subTest(function.__name__):
                self.setUp()
                torch.testing.assert_close(torch.compile(function, backend="tpp")(y, x), function(y, x), equal_nan=True)
                self.assertEqual(counters["tpp"]["graphs_compiled"], 1)
        for function, tolerance in ((torch.signbit, 0), (torch.erfc, 2e-6)):
            for x in (values, torch.linspace(-9, 9, 1000)):
                with self.subTest(function.__name__):
                    self.setUp()
                    torch.testing.assert_close(torch.compile(function, backend="tpp")(x), function(x), rtol=tolerance, atol=0, equal_nan=True)
                    self.assertEqual(counters["tpp"]["graphs_compiled"], 1)

    def test_sums_of_exponentials(self):
        inf = math.inf
        for x in (torch.randn(3, 50, 4) * 10, torch.full((5, 7), 1e4), torch.tensor([[1., inf, 2], [math.nan, 0, 1], [-inf, -inf, 4]])):
            for dim in range(x.dim()):
                with self.subTest(shape=x.shape, dim=dim):
                    self.setUp()
                    torch.testing.assert_close(torch.compile(torch.logcumsumexp, backend="tpp")(x, dim), torch.logcumsumexp(x, dim), equal_nan=True)
                    self.assertEqual(counters["tpp"]["graphs_compiled"], 1)

    def test_triangular_systems(self):
        for n, upper, left, unit in itertools.product((1, 2, 5, 64), *3 * [(False, True)]):
            with self.subTest(n=n, upper=upper, left=left, unit=unit):
                self.setUp()
                a = torch.randn(2, 1, n, n) * .3 + 2 * torch.eye(n)
                unread = torch.full((n, n), 1e30)
                a = a.triu() + unread.tril(-1) if upper else a.tril() + unread.triu(1)
                b = torch.randn(3, n, 7) if left else torch.randn(3, 7, n)
                self.check(lambda a, b, options={"upper": upper, "left": left, "unitriangular": unit}: torch.linalg.solve_triangular(a, b, **options), [(a, b)])

    def test_tensors_without_elements(self):
        x = torch.randn(2, 3, 4)
        self.check(lambda x: (((x + 1)[..., :0, :]).flatten(-2), (x + 1)[:, :, :0].reshape(2, 0), (x > 0)[:0], x.topk(0)[1].reshape(-1), x + 2), [(x,)])

    def test_distances(self):
        x, y = torch.randn(2, 9, 5), torch.randn(30, 5)
        for p in (0., 1., 2., 3., math.inf):
            with self.subTest(p):
                self.setUp()
                torch.testing.assert_close(torch.compile(torch.cdist, backend="tpp")(x, y, p), torch.cdist(x, y, p))
                self.assertEqual(counters["tpp"]["graphs_compiled"], 1)

    def test_variances_of_few_elements(self):
        for shape, dim, correction in (((0, 3), 0, 1), ((0, 3), None, 1), ((2, 3), 0, 2), ((2, 3), (0, 1), 7), ((2, 3), 1, 4), ((2, 3), 1, 1), ((1, 3), 0, 1)):
            for function, keepdim in ((torch.std_mean, False), (torch.var, True)):
                with self.subTest(shape=shape, dim=dim, correction=correction, function=function.__name__):
                    self.setUp()
                    x, call = torch.randn(shape), lambda x: function(x, dim, correction=correction, keepdim=keepdim)
                    torch.testing.assert_close(torch.compile(call, backend="tpp")(x), call(x), equal_nan=True)
                    self.assertEqual(counters["tpp"]["graphs_compiled"], 1)

    def test_weights_of_samples(self):
        table, places, weights = torch.randn(10, 3), torch.tensor([1, 2, 4, 5, 4]), torch.randn(5)
        model = lambda w: torch.nn.functional.embedding_bag(places, table, torch.tensor([0, 3]), mode="sum", per_sample_weights=w)
        with self.assertWarnsRegex(UserWarning, "ignores its weights of samples"):
            torch.testing.assert_close(torch.compile(model, backend="tpp")(weights), model(weights))

    def test_nothing_in_a_constant(self):
        x = torch.zeros(0, dtype=torch.int64)
        torch.testing.assert_close(torch.compile(lambda x, y: torch.cat([x, y]), backend="tpp")(x, x), x)

    def test_index_of_the_first_nan(self):
        x = torch.arange(7 * 83.).view(7, 83) % 11
        x[1, 5] = x[1, 7] = x[2, 0] = x[3, 82] = x[6, 1:] = math.nan
        x[4], x[5] = math.inf, -math.inf
        for name, model in {
                "argmax": lambda x: (x.argmax(1), x.argmax(), x[4:6].argmax(0)), "argmin": lambda x: (x.argmin(1), x.argmin(), x[4:6].argmin(0)),
                "max": lambda x: x.max(1), "min": lambda x: x.min(0)
        }.items():
            with self.subTest(name):
                self.setUp()
                for actual, expected in zip(torch.compile(model, backend="tpp")(x), model(x), strict=True):
                    torch.testing.assert_close(actual, expected, rtol=0, atol=0, equal_nan=True)
                self.assertEqual(counters["tpp"]["graphs_compiled"], 1)

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
            return torch.frexp(x.relu().tanh().add(1).mul(2))[0]

        self.check(model, [(randn(n, 8),) for n in range(2, 7)], compiled=5, in_pytorch=2, reason="aten.frexp.Tensor at .*torch_test.py:[0-9]+: ")

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
                self.assertEqual(key == ({"threads": 1, "precision": "program", "winograd": "auto", "denormals": "keep", "packing": path, "target": "", "provider": "auto", "drawing": False}, [b""]),
                                 number != 1)

    def test_graphs_are_split(self):

        class Splitting(torch.nn.Module):
            """Two operations that cannot be compiled, one with two results, and a buffer that is written and read after."""

            def __init__(self):
                super().__init__()
                self.first, self.second = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)
                self.register_buffer("sum", torch.zeros(8))

            def forward(self, x):
                y = self.first(x).relu().tanh().add(1).neg()
                values, order = torch.frexp(y)
                self.sum += y.sum(0)
                z = self.second(values.t().contiguous().t() + x).relu().tanh().mul(0.1) + self.sum
                w, _ = torch.frexp(z)
                return {"w": w, "order": order, "half": z[:, ::2], "z": z, "last": (w @ values.t()).relu().add(1).tanh().sum()}

        reason = "^tpp: [0-9]+ of [0-9]+ operations run in PyTorch, the others in compiled parts, 3 in all: aten.frexp.Tensor at .*torch_test.py:[0-9]+: "
        module, fast = self.check(Splitting(), [(randn(4, 8),) for _ in range(3)], compiled=3, in_pytorch=1, reason=reason)
        self.assertEqual(counters["tpp"]["graphs_split"], 1)
        with torch.no_grad():
            module.second.weight.mul_(2)
            x, twin = randn(4, 8), copy.deepcopy(module)
            self.assertEqual(difference(fast(x), twin(x)), "", "after a change of a weight")

    def test_parts_are_lowered_before_any_is_compiled(self):

        def model(x):
            y = torch.special.bessel_j0(x.relu().tanh().add(1).mul(2)).relu().tanh().add(1).mul(2)
            return torch.frexp(y)[0].relu().tanh().add(1).mul(2)

        with mock.patch.object(tpp.torch_backend._native, "compile", wraps=tpp.torch_backend._native.compile) as compiled, torch.no_grad():
            with self.assertWarnsRegex(UserWarning, "3 in all: aten.special_bessel_j0.default.*; aten.frexp.Tensor"):
                result = torch.compile(model, backend="tpp", options={"cache": False})(x := randn(3, 8))
        self.assertEqual(difference(result, model(x)), "")
        self.assertEqual(compiled.call_count, 3)

    def test_parts_that_are_too_small(self):
        self.check(lambda x: torch.frexp(torch.frexp(x + 1)[0] * 2)[0] + 1, [(randn(8),)], compiled=0, in_pytorch=1, reason="runs in PyTorch: aten.frexp")

    def test_split_graphs_with_other_strides(self):

        def model(x):
            y = torch.frexp(x.permute(0, 2, 3, 1))[0]
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

    def test_tables_are_not_copied(self):

        class Words(torch.nn.Module):

            def __init__(self, tied):
                super().__init__()
                self.words, self.places, self.head = torch.nn.Embedding(500, 32), torch.nn.Embedding(8, 32), torch.nn.Linear(32, 500, bias=False)
                if tied:
                    self.head.weight = self.words.weight
                self.register_buffer("order", torch.arange(8).flip(0))

            def forward(self, words):
                return self.head(self.words(words) + self.words(self.order) + self.places(self.order))

        inputs = [(torch.randint(0, 500, (2, 8)),) for _ in range(2)]
        for tied in (False, True):
            module, fast = self.check(Words(tied), inputs)
            packed = tpp.graphs()[-1].report["weights_bytes"]
            self.assertLess(packed, 1.1 * module.head.weight.nbytes, f"tied: {tied}")
            with torch.no_grad():
                module.words.weight.mul_(2)
                module.places.weight.add_(1)
                self.assertEqual(difference(fast(*inputs[0]), module(*inputs[0])), "", f"tied: {tied}")

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

    def test_writes_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            nested = pathlib.Path(folder, "new", "programs")
            module, _ = self.check(torch.nn.Linear(8, 16, bias=False), [(x := randn(4, 8),)], options={"programs": str(nested)})
            path, = nested.iterdir()
            self.assertRegex(path.name, r"^graph\d+\.mlir$")
            model = tpp.compile(path)
            self.assertEqual([each.shape for each in model.signature.arguments if each.is_weight], [(16, 8)])
            model.pack([module.weight.detach()])
            self.assertTrue(numpy.allclose(model(x), module(x).detach(), atol=1e-5))
            file = pathlib.Path(folder, "file")
            file.touch()
            torch._dynamo.reset()
            with self.assertRaisesRegex(Exception, "File exists"), torch.no_grad():
                torch.compile(module, backend="tpp", options={"programs": str(file)})(x)

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


if __name__ == "__main__":
    unittest.main()
