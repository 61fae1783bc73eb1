"""Operations that become loops with torch.compile: sorting, selecting by rank, searching, counting, scattering, and products of groups of rows. They are
equal to PyTorch's, in one compiled graph."""
import unittest

import torch
from torch_check import Check, randn

NAN, INFINITY = float("nan"), float("inf")


def distinct(*shape):
    """Numbers that differ along the last dimension: the order of equal ones is PyTorch's own."""
    return torch.stack([torch.randperm(shape[-1]) for _ in range(torch.Size(shape[:-1]).numel())]).reshape(shape).float()


def assigned(x, place, value):
    x = x.clone()
    x[place] = value
    return x


class OrderTest(Check):

    def all_compiled(self, rows):
        """Checks functions, each with its arguments: all in one graph, which is quicker than one for each. If that fails, each alone, to say which."""
        functions, arguments = [row[0] for row in rows.values()], [row[1:] for row in rows.values()]

        def together(*arguments):
            return [function(*own) for function, own in zip(functions, arguments)]

        self.setUp()
        try:
            self.check(together, [arguments])
        except Exception:
            for name, (function, *own) in rows.items():
                with self.subTest(name):
                    self.setUp()
                    self.check(function, [own])
            raise

    def test_sort_every_extent(self):
        rows = {}
        for n in (0, 1, 2, 3, 7, 8, 63, 64, 65, 100, 257, 1000):
            x = distinct(2, 3, n)
            rows[f"{n}"] = lambda x, y: (torch.sort(x), torch.sort(y, 1, True)), x, x.transpose(1, 2).contiguous()
        self.all_compiled(rows)

    def test_select_every_number(self):
        for n in (2, 9, 64, 65, 300):
            rows = {}
            for k in sorted({1, 2, n // 2, n}):
                x = distinct(2, 3, n)
                rows[f"{k} of {n}"] = (
                    lambda x, y, k=k: (torch.topk(x, k), torch.topk(y, k, 0, False), torch.topk(x, k, sorted=False)[0].sort()[0]), x,
                    x.permute(2, 0, 1).contiguous())
            self.all_compiled(rows)

    def test_equal_elements_keep_their_order(self):
        def stable(x):
            return torch.sort(x, stable=True), torch.sort(x, stable=True, descending=True)

        for n in (7, 64, 200):
            few = torch.randint(0, 4, (3, n))
            self.all_compiled({f"{kind} {n}": (stable, few.to(kind)) for kind in (torch.int64, torch.int32, torch.float32, torch.float64)})
        self.all_compiled({"booleans": (lambda x: torch.sort(x > 0, stable=True), randn(3, 20))})

    def test_nans_are_the_greatest(self):
        x = torch.tensor([1.0, NAN, -INFINITY, 3.0, INFINITY, NAN, 2.0])
        for x in (x, x.repeat(20)):
            for descending in (False, True):
                with self.subTest(len(x), descending=descending), torch.no_grad():
                    self.setUp()
                    function = lambda x: torch.sort(x, descending=descending)[0]  # noqa: E731  (torch.compile takes a function)
                    self.assertTrue(torch.equal(torch.compile(function, backend="tpp")(x).nan_to_num(77), function(x).nan_to_num(77)))

    def test_ranks(self):
        x = randn(4, 9)
        self.all_compiled({
            "median": (lambda x: (x.median(1), x.median(0, keepdim=True), x.median()), x),
            "median of integers": (lambda x: x.median(0), torch.randperm(36).reshape(4, 9)),
            "k-th value": (lambda x: (x.kthvalue(3), x.kthvalue(1, 0, True)), x),
            "quantile": (lambda x: x.quantile(torch.tensor([.3, .8]), 1), x),
            "argsort and gather": (lambda x: x.take_along_dim(x.argsort(1), 1), x),
            "running extremes": (lambda x: (x.cummax(0), x.cummin(1), x.cummax(-1)), x),
            "running products": (lambda x: (x.cumprod(0), x.cumprod(1), x.logcumsumexp(1)), x),
            "search": (lambda s, x: (torch.searchsorted(s, x), torch.searchsorted(s, x, right=True, out_int32=True)), torch.arange(-2., 3.), x.round()),
            "search in rows": (torch.searchsorted, randn(4, 7).sort()[0], x),
            "buckets": (lambda x: torch.bucketize(x, torch.tensor([-1., 0., 1.])), x),
            "histogram": (lambda x: torch.histc(x, 5, -1, 1.5), torch.tensor([-1.0, -2, 1.5, 0, .5, .49, 3])),
            "a number": (lambda x: (x.sort(), x.kthvalue(1), x.median(0), x.cummin(0)), torch.tensor(3.0)),
        })

    def test_scatter(self):
        x, y = randn(4, 8), randn(4, 8)
        places = torch.randint(0, 4, (4, 8))
        for dim in (0, 1, -1, -2):
            order = torch.argsort(randn(4, 8), dim)
            two = torch.tensor([3, 1])
            part = randn(2, 8) if dim in (0, -2) else randn(4, 2)
            self.all_compiled({
                f"write along {dim}": (lambda x, i, y: x.scatter(dim, i, y), x, order, y),
                f"write a number along {dim}": (lambda x, i: x.scatter(dim, i, 2.0), x, places),
                f"add along {dim}": (lambda x, i, y: x.scatter_add(dim, i, y), x, places, y),
                f"maxima along {dim}": (lambda x, i, y: x.scatter_reduce(dim, i, y, "amax"), x, places, y),
                f"means along {dim}": (lambda x, i, y: x.scatter_reduce(dim, i, y, "mean", include_self=False), x, places, y),
                f"gather along {dim}": (lambda x, i: x.gather(dim, i), x, places),
                f"copy slices along {dim}": (lambda x, i, y: x.index_copy(dim, i, y), x, two, part),
                f"add slices along {dim}": (lambda x, i, y: x.index_add(dim, i, y), x, two, part),
                f"fill slices along {dim}": (lambda x, i: x.index_fill(dim, i, 2.0), x, two)})

    def test_assignments_at_indices(self):
        x, i, j = randn(4, 8), torch.tensor([1, 3]), torch.tensor([-1, -4])
        self.all_compiled({
            "rows": (lambda x, i, y: assigned(x, i, y), x, i, randn(2, 8)),
            "rows from the end": (lambda x, i, y: assigned(x, i, y), x, j, randn(2, 8)),
            "columns": (lambda x, i, y: assigned(x, (slice(None), i), y), x, j, randn(4, 2)),
            "elements": (lambda x, i, j, y: assigned(x, (i, j), y), x, i, j, randn(2)),
            "a block": (lambda x, i, j: assigned(x, (i[:, None], j[None]), 1.5), x, i, j),
            "sums": (lambda x, i, y: x.index_put((i,), y, accumulate=True), x, torch.tensor([1, 1]), randn(2, 8)),
            "a cache of keys": (lambda x, i, y: x.index_copy(2, i, y), randn(1, 4, 16, 8), torch.tensor([5]), randn(1, 4, 1, 8)),
        })

    def test_products_of_groups(self):
        """Rows that are sorted by expert, each times the matrix of its expert: groups of several sizes, also none."""
        for kind in (torch.float32, torch.bfloat16):
            for rows, inner, columns, ends in ((1, 8, 8, (0, 1, 1)), (7, 16, 33, (0, 3, 3, 7)), (70, 24, 64, (1, 40, 41, 70)),
                                               (200, 16, 48, (199, 200))):
                x, weights = randn(rows, inner).to(kind), randn(len(ends), columns, inner).to(kind)

                def function(x, weights, ends):
                    return torch.nn.functional.grouped_mm(x, weights.transpose(1, 2), offs=ends) + 1

                with self.subTest(kind=kind, rows=rows, ends=ends):
                    self.setUp()
                    self.check(function, [(x, weights, torch.tensor(ends, dtype=torch.int32))])

    def test_an_index_out_of_range(self):
        fast = torch.compile(lambda x, i, y: x.index_copy(0, i, y), backend="tpp")
        with torch.no_grad():
            fast(randn(4, 8), torch.tensor([3]), randn(1, 8))
            for place in (4, -5, 1 << 40):
                with self.assertRaisesRegex(Exception, "is not in"):
                    fast(randn(4, 8), torch.tensor([place]), randn(1, 8))


if __name__ == "__main__":
    unittest.main()
