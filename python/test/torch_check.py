"""What the tests of torch.compile share: comparing results and state with those of PyTorch. Compiled graphs are kept in a folder of the process."""
import copy
import os
import tempfile
import unittest
import warnings

import torch
import torch._dynamo
from torch._dynamo.utils import counters
from torch.utils import _pytree

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


class Check(unittest.TestCase):

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
        own = [each for each in caught if str(each.message).startswith("tpp: ")]
        self.assertEqual({os.path.dirname(each.filename) for each in own} - {os.path.dirname(__file__)}, set(), "warnings name the line of the call")
        texts = [str(each.message) for each in own]
        self.assertEqual((counters["tpp"]["graphs_compiled"], len(texts)), (compiled, in_pytorch), texts)
        if reason:
            self.assertRegex(texts[0], reason)
        return twin, fast
