"""Tests attention that is computed for some rows at a time: heads and groups of heads, masks, lengths that blocks do not divide, threads.

Results are compared with the loops pipeline. A target with tiny caches makes short sequences long.
"""
import unittest

from command_line import BIN, CommandLineTest, run

TINY = ("--target=#tpp.target<isa = \"portable\", vector_bits = 128, registers = 16, caches = [8192, 16384], cores = 2>",
        "--target=#tpp.target<isa = \"avx2\", vector_bits = 256, registers = 16, caches = [8192, 65536], cores = 2>")
INFINITY = {"f32": "0xFF800000", "bf16": "0xFF80"}

# Masks as the body of an op on scores %s with the indices %i of the row and %j of the column; and whether it leaves each row a column.
CAUSAL = """%seen = arith.cmpi ule, %j, %i : index
    %m = arith.select %seen, %s, %least : TYPE"""
WINDOW = """%end = arith.addi %j, %width : index
    %new = arith.cmpi ugt, %end, %i : index
    %old = arith.cmpi ule, %j, %i : index
    %seen = arith.andi %new, %old : i1
    %m = arith.select %seen, %s, %least : TYPE"""
CACHED = """%last = arith.addi %i, %offset : index
    %seen = arith.cmpi ule, %j, %last : index
    %m = arith.select %seen, %s, %least : TYPE"""
ADDED = """%seen = arith.cmpi ule, %j, %i : index
    %a = arith.select %seen, %zero, %lowest : TYPE
    %m = arith.addf %s, %a : TYPE"""
PER_HEAD = """%h = linalg.index 0 : index
    %more = arith.muli %h, %width : index
    %last = arith.addi %i, %more : index
    %seen = arith.cmpi ule, %j, %last : index
    %m = arith.select %seen, %s, %least : TYPE"""
NONE_FOR_SOME = """%seen = arith.cmpi ult, %j, %i : index
    %a = arith.select %seen, %zero, %lowest : TYPE
    %m = arith.addf %s, %a : TYPE"""


def attention(queries, keys, depth, heads=2, groups=1, mask=None, kind="f32", scores_returned=False, padding=False):
    """A function of queries, keys and values. `groups`: heads of queries for each head of keys and values. `padding`: an argument is added to the
    masked scores of each key."""
    q, k, o = (f"tensor<{heads}x{groups}x{queries}x{depth}x{kind}>", f"tensor<{heads}x{keys}x{depth}x{kind}>",
               f"tensor<{heads}x{groups}x{queries}x{depth}x{kind}>")
    s, row = f"tensor<{heads}x{groups}x{queries}x{keys}x{kind}>", f"tensor<{heads}x{groups}x{queries}x{kind}>"
    five, four = '["parallel", "parallel", "parallel", "parallel", "reduction"]', '["parallel", "parallel", "parallel", "parallel"]'
    reduced = '["parallel", "parallel", "parallel", "reduction"]'
    masked = "%s0"
    text = f"""
#q = affine_map<(h, g, i, j, d) -> (h, g, i, d)>
#k = affine_map<(h, g, i, j, d) -> (h, j, d)>
#s = affine_map<(h, g, i, j, d) -> (h, g, i, j)>
#p = affine_map<(h, g, i, d, j) -> (h, g, i, j)>
#v = affine_map<(h, g, i, d, j) -> (h, j, d)>
#o = affine_map<(h, g, i, d, j) -> (h, g, i, d)>
#all = affine_map<(h, g, i, j) -> (h, g, i, j)>
#row = affine_map<(h, g, i, j) -> (h, g, i)>
#key = affine_map<(h, g, i, j) -> (j)>
func.func @main(%q: {q}, %k: {k}, %v: {k}{f', %pad: tensor<{keys}x{kind}>' if padding else ''}) -> ({o}{', ' + s if scores_returned else ''}) {{
  %zero = arith.constant 0.0 : {kind}
  %least = arith.constant {INFINITY[kind]} : {kind}
  %lowest = arith.constant -1.0e+38 : {kind}
  %width = arith.constant 150 : index
  %offset = arith.constant {keys - queries} : index
  %es = tensor.empty() : {s}
  %is = linalg.fill ins(%zero : {kind}) outs(%es : {s}) -> {s}
  %s0 = linalg.generic {{indexing_maps = [#q, #k, #s], iterator_types = {five}}} ins(%q, %k : {q}, {k}) outs(%is : {s}) {{
  ^bb0(%a: {kind}, %b: {kind}, %c: {kind}):
    %0 = arith.mulf %a, %b : {kind}
    %1 = arith.addf %c, %0 : {kind}
    linalg.yield %1 : {kind}
  }} -> {s}
"""
    if mask:
        masked = "%s1"
        text += f"""
  %s1 = linalg.generic {{indexing_maps = [#all, #all], iterator_types = {four}}} ins(%s0 : {s}) outs(%es : {s}) {{
  ^bb0(%s: {kind}, %c: {kind}):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    {mask.replace("TYPE", kind)}
    linalg.yield %m : {kind}
  }} -> {s}
"""
    if padding:
        text += f"""
  %s2 = linalg.generic {{indexing_maps = [#all, #key, #all], iterator_types = {four}}} ins({masked}, %pad : {s}, tensor<{keys}x{kind}>) outs(%es : {s}) {{
  ^bb0(%a: {kind}, %b: {kind}, %c: {kind}):
    %0 = arith.addf %a, %b : {kind}
    linalg.yield %0 : {kind}
  }} -> {s}
"""
        masked = "%s2"
    text += f"""
  %er = tensor.empty() : {row}
  %im = linalg.fill ins(%least : {kind}) outs(%er : {row}) -> {row}
  %m = linalg.generic {{indexing_maps = [#all, #row], iterator_types = {reduced}}} ins({masked} : {s}) outs(%im : {row}) {{
  ^bb0(%a: {kind}, %c: {kind}):
    %0 = arith.maximumf %a, %c : {kind}
    linalg.yield %0 : {kind}
  }} -> {row}
  %e = linalg.generic {{indexing_maps = [#all, #row, #all], iterator_types = {four}}} ins({masked}, %m : {s}, {row}) outs(%es : {s}) {{
  ^bb0(%a: {kind}, %b: {kind}, %c: {kind}):
    %0 = arith.subf %a, %b : {kind}
    %1 = math.exp %0 : {kind}
    linalg.yield %1 : {kind}
  }} -> {s}
  %it = linalg.fill ins(%zero : {kind}) outs(%er : {row}) -> {row}
  %t = linalg.generic {{indexing_maps = [#all, #row], iterator_types = {reduced}}} ins(%e : {s}) outs(%it : {row}) {{
  ^bb0(%a: {kind}, %c: {kind}):
    %0 = arith.addf %a, %c : {kind}
    linalg.yield %0 : {kind}
  }} -> {row}
  %p = linalg.generic {{indexing_maps = [#all, #row, #all], iterator_types = {four}}} ins(%e, %t : {s}, {row}) outs(%es : {s}) {{
  ^bb0(%a: {kind}, %b: {kind}, %c: {kind}):
    %0 = arith.divf %a, %b : {kind}
    linalg.yield %0 : {kind}
  }} -> {s}
  %eo = tensor.empty() : {o}
  %io = linalg.fill ins(%zero : {kind}) outs(%eo : {o}) -> {o}
  %r = linalg.generic {{indexing_maps = [#p, #v, #o], iterator_types = {five}}} ins(%p, %v : {s}, {k}) outs(%io : {o}) {{
  ^bb0(%a: {kind}, %b: {kind}, %c: {kind}):
    %0 = arith.mulf %a, %b : {kind}
    %1 = arith.addf %c, %0 : {kind}
    linalg.yield %1 : {kind}
  }} -> {o}
  return %r{', %s0' if scores_returned else ''} : {o}{', ' + s if scores_returned else ''}
}}
"""
    return text


class AttentionTest(CommandLineTest):

    def check(self, text, *words, inputs="random:1,random:2,random:3"):
        model = self.file("model.mlir", text)
        process = run(BIN / "tpp-run", model, "--check=reference", f"--input={inputs}", *words)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)

    def find(self, text, what, *words, options=""):
        """How often `what` occurs after the rows are split."""
        model = self.file("model.mlir", text)
        process = run(BIN / "tpp-opt", model, *words, f"--tpp-default=threads=1{options}", "--mlir-print-ir-after=tpp-split-rows", "-o", "/dev/null")
        self.assertEqual(process.returncode, 0, process.stderr)
        return process.stderr.count(what)

    def test_lengths_and_heads(self):
        for queries, keys, depth, heads, groups in ((1, 300, 16, 2, 1), (64, 64, 8, 1, 1), (197, 197, 16, 3, 1), (130, 70, 5, 2, 3), (33, 257, 12, 1, 4)):
            text = attention(queries, keys, depth, heads, groups)
            for target in ("--target=host",) + TINY:
                for threads in (1, 2):
                    with self.subTest(shape=(queries, keys, depth, heads, groups), target=target, threads=threads):
                        self.check(text, target, f"--threads={threads}")

    def test_masks(self):
        for mask in (CAUSAL, WINDOW, ADDED, PER_HEAD, NONE_FOR_SOME):
            for queries, groups in ((300, 1), (389, 2)):
                text = attention(queries, queries, 8, 2, groups, mask)
                for target in ("--target=host",) + TINY:
                    for threads in (1, 2):
                        with self.subTest(mask=mask, queries=queries, groups=groups, target=target, threads=threads):
                            self.check(text, target, f"--threads={threads}")

    def test_masks_of_cached_keys(self):
        text = attention(140, 500, 8, 2, 1, CACHED)
        self.assertGreater(self.find(text, "tpp.visible"), 0)
        for target in ("--target=host",) + TINY:
            self.check(text, target)

    def test_padding_that_hides_what_a_mask_leaves_visible(self):
        """All elements of a row are hidden then: by finite numbers, which softmax still compares."""
        for mask in (CAUSAL, ADDED):
            text = attention(384, 384, 8, 2, 1, mask, padding=True)
            for padding in ("0", "-1e38", "-inf") if mask == CAUSAL else ("0", "-1e38"):
                for target in ("--target=host",) + TINY:
                    with self.subTest(mask=mask, padding=padding, target=target):
                        self.check(text, target, inputs=f"random:1,random:2,random:3,{padding}")
        self.assertEqual(self.find(attention(384, 384, 8, 2, 1, ADDED, padding=True), "tpp.visible"), 0)

    def test_no_keys_or_queries(self):
        for queries, keys in ((8, 0), (0, 8)):
            for mask in (None, ADDED):
                self.check(attention(queries, keys, 4, mask=mask))

    def test_bf16(self):
        for mask in (None, CAUSAL):
            for words in ((), ("--threads=2", TINY[1])):
                self.check(attention(300, 300, 16, 2, 1, mask, "bf16"), *words)
            self.check(attention(300, 300, 16, 2, 1, mask), "--precision=bf16", "--atol=0.02")

    def test_hidden_columns_are_not_computed(self):
        """Contractions of the first rows have fewer columns; a mask that hides a whole row, and scores that are returned, keep them all."""
        # Columns of the first contraction: all at once, or four panels of 32.
        some = (f"--tpp-target=target={TINY[1].partition('=')[2]}", ", 4, 8, 32>", ""), ("--tpp-target=target=zen4", ", 128, 8>", " packing=none")
        for mask in (CAUSAL, ADDED):
            text = attention(768, 768, 8, 12, 1, mask)
            for target, extents, options in some:
                with self.subTest(mask=mask, target=target):
                    self.assertGreater(self.find(text, "tpp.visible", target), 0)
                    self.assertGreater(self.find(text, extents, target, options=options), 0)
        self.assertEqual(self.find(attention(384, 384, 8, 2, 1, NONE_FOR_SOME), "tpp.visible"), 0)
        self.assertEqual(self.find(attention(384, 384, 8, 2, 1, CAUSAL, scores_returned=True), "tpp.visible"), 0)
        self.check(attention(384, 384, 8, 2, 1, CAUSAL, scores_returned=True))


if __name__ == "__main__":
    unittest.main()
