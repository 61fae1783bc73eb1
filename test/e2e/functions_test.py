"""Tests functions of every kind that tpp-run accepts: memref arguments, several results, other element types, calls, TOSA.

All data are small integers, so every result is exact and both pipelines must give equal bits.
"""
import unittest

from programs import ProgramTest, numbers


def matmul(a, b, m, n, k):
    return [sum(a[i * k + l] * b[l * n + j] for l in range(k)) for i in range(m) for j in range(n)]


class FunctionsTest(ProgramTest):

    def test_a_memref_function_accumulates_into_its_argument(self):
        m, n, k = 13, 37, 19
        a, b, c = numbers(m * k), numbers(k * n, 2), numbers(m * n, 5)
        text = f"""func.func @main(%a: memref<{m}x{k}xf32>, %b: memref<{k}x{n}xf32>, %c: memref<{m}x{n}xf32>) {{
  linalg.matmul ins(%a, %b : memref<{m}x{k}xf32>, memref<{k}x{n}xf32>) outs(%c : memref<{m}x{n}xf32>)
  return
}}
"""
        summed = [x + y for x, y in zip(c, matmul(a, b, m, n, k))]
        inputs = [("f32", (m, k), a), ("f32", (k, n), b), ("f32", (m, n), c)]
        self.check(text, inputs, inputs[:2] + [("f32", (m, n), summed)])

    def test_a_memref_is_changed_in_place_between_two_reads(self):
        x = numbers(5 * 9)
        text = """#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: memref<5x9xf32>, %y: memref<5x9xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.add ins(%x, %x : memref<5x9xf32>, memref<5x9xf32>) outs(%y : memref<5x9xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%x : memref<5x9xf32>) {
  ^bb0(%e: f32):
    %positive = arith.cmpf ugt, %e, %zero : f32
    %r = arith.select %positive, %e, %zero : f32
    linalg.yield %r : f32
  }
  linalg.add ins(%x, %y : memref<5x9xf32>, memref<5x9xf32>) outs(%y : memref<5x9xf32>)
  return
}
"""
        relu = [max(e, 0) for e in x]
        self.check(text, [("f32", (5, 9), x), ("f32", (5, 9), numbers(45, 1))],
                   [("f32", (5, 9), relu), ("f32", (5, 9), [2 * e + r for e, r in zip(x, relu)])])

    def test_tensor_arguments_are_not_changed_and_may_be_results(self):
        x, y = numbers(6 * 6), numbers(6 * 6, 3)
        text = """func.func @main(%x: tensor<6x6xf32>, %y: tensor<6x6xf32>) -> (tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) {
  %sum = linalg.matmul ins(%x, %y : tensor<6x6xf32>, tensor<6x6xf32>) outs(%x : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %sum, %x, %sum, %y : tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>
}
"""
        summed = [a + b for a, b in zip(x, matmul(x, y, 6, 6, 6))]
        shape = (6, 6)
        self.check(text, [("f32", shape, x), ("f32", shape, y)], [("f32", shape, summed), ("f32", shape, x), ("f32", shape, summed), ("f32", shape, y)])

    def test_matmuls_of_every_element_type(self):
        m, n, k = 7, 33, 10
        a, b = numbers(m * k), numbers(k * n, 4)
        product = matmul(a, b, m, n, k)
        for operand, result in (("f32", "f32"), ("f64", "f64"), ("bf16", "f32"), ("bf16", "bf16"), ("f16", "f32"), ("f16", "f16"), ("i32", "i32"),
                                ("i64", "i64"), ("i8", "i32"), ("f32", "f64")):
            zero = "0.0" if result[0] in "fb" else "0"
            text = f"""func.func @main(%a: tensor<{m}x{k}x{operand}>, %b: tensor<{k}x{n}x{operand}>) -> tensor<{m}x{n}x{result}> {{
  %zero = arith.constant {zero} : {result}
  %empty = tensor.empty() : tensor<{m}x{n}x{result}>
  %init = linalg.fill ins(%zero : {result}) outs(%empty : tensor<{m}x{n}x{result}>) -> tensor<{m}x{n}x{result}>
  %c = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{operand}>, tensor<{k}x{n}x{operand}>) outs(%init : tensor<{m}x{n}x{result}>) -> tensor<{m}x{n}x{result}>
  return %c : tensor<{m}x{n}x{result}>
}}
"""
            with self.subTest(operand=operand, result=result):
                self.check(text, [(operand, (m, k), a), (operand, (k, n), b)], [(result, (m, n), product)])

    def test_operations_that_llvm_lacks(self):
        x, y = numbers(37, 3), [1 + abs(e) for e in numbers(37, 5)]
        text = """#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<37xi32>, %y: tensor<37xi32>) -> (tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>) {
  %e = tensor.empty() : tensor<37xi32>
  %r:4 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<37xi32>, tensor<37xi32>) outs(%e, %e, %e, %e : tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>) {
  ^bb0(%a: i32, %b: i32, %o0: i32, %o1: i32, %o2: i32, %o3: i32):
    %floor = arith.floordivsi %a, %b : i32
    %ceil = arith.ceildivsi %a, %b : i32
    %unsigned = arith.ceildivui %b, %b : i32
    %power = math.ipowi %a, %b : i32
    linalg.yield %floor, %ceil, %unsigned, %power : i32, i32, i32, i32
  } -> (tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>
}
"""
        quotients = [a // b for a, b in zip(x, y)], [-(-a // b) for a, b in zip(x, y)]
        powers = [(a**b + 2**31) % 2**32 - 2**31 for a, b in zip(x, y)]
        results = [*quotients, [1] * 37, powers]
        self.check(text, [("i32", (37,), x), ("i32", (37,), y)], [("i32", (37,), r) for r in results])

    def test_integers_index_and_booleans(self):
        x, y = numbers(11), numbers(11, 5)
        text = """#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<11xi64>, %y: tensor<11xi64>) -> (tensor<11xindex>, tensor<11xi1>, tensor<11xi64>, tensor<i64>) {
  %zero = arith.constant 0 : i64
  %e0 = tensor.empty() : tensor<11xindex>
  %e1 = tensor.empty() : tensor<11xi1>
  %e2 = tensor.empty() : tensor<11xi64>
  %e3 = tensor.empty() : tensor<i64>
  %f3 = linalg.fill ins(%zero : i64) outs(%e3 : tensor<i64>) -> tensor<i64>
  %r:3 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<11xi64>, tensor<11xi64>) outs(%e0, %e1, %e2 : tensor<11xindex>, tensor<11xi1>, tensor<11xi64>) {
  ^bb0(%a: i64, %b: i64, %o0: index, %o1: i1, %o2: i64):
    %i = linalg.index 0 : index
    %twice = arith.addi %i, %i : index
    %less = arith.cmpi slt, %a, %b : i64
    %chosen = arith.select %less, %a, %b : i64
    linalg.yield %twice, %less, %chosen : index, i1, i64
  } -> (tensor<11xindex>, tensor<11xi1>, tensor<11xi64>)
  %total = linalg.generic {indexing_maps = [#id, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%r#2 : tensor<11xi64>) outs(%f3 : tensor<i64>) {
  ^bb0(%a: i64, %sum: i64):
    %next = arith.addi %a, %sum : i64
    linalg.yield %next : i64
  } -> tensor<i64>
  return %r#0, %r#1, %r#2, %total : tensor<11xindex>, tensor<11xi1>, tensor<11xi64>, tensor<i64>
}
"""
        smaller = [min(a, b) for a, b in zip(x, y)]
        self.check(text, [("i64", (11, ), x), ("i64", (11, ), y)], [("index", (11, ), [2 * i for i in range(11)]), ("i1", (11, ), [a < b for a, b in zip(x, y)]),
                                                                 ("i64", (11, ), smaller), ("i64", (), [sum(smaller)])])

    def test_private_functions_are_called(self):
        x, w = numbers(4 * 8), numbers(8 * 8, 1)
        text = f"""func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}}
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {{
  %w = arith.constant dense<{[[w[i * 8 + j] * 1.0 for j in range(8)] for i in range(8)]}> : tensor<8x8xf32>
  %y = call @layer(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %z = call @layer(%y, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}}
"""
        self.check(text, [("f32", (4, 8), x)], [("f32", (4, 8), matmul(matmul(x, w, 4, 8, 8), w, 4, 8, 8))])

    def test_the_entry_chooses_the_function(self):
        body = "  %r = linalg.{op} ins(%x, %x : tensor<3xf32>, tensor<3xf32>) outs(%x : tensor<3xf32>) -> tensor<3xf32>\n  return %r : tensor<3xf32>\n"
        text = "".join(f"func.func @{name}(%x: tensor<3xf32>) -> tensor<3xf32> {{\n{body.format(op=op)}}}\n" for name, op in (("twice", "add"), ("square", "mul")))
        self.check(text, [("f32", (3, ), [1, 2, -3])], [("f32", (3, ), [2, 4, -6])], "--entry=twice")
        self.check(text, [("f32", (3, ), [1, 2, -3])], [("f32", (3, ), [1, 4, 9])], "--entry=square")

    def test_a_tosa_model(self):
        x, w, b = numbers(6 * 20), numbers(20 * 9, 2), numbers(9, 1)
        text = f"""func.func @main(%x: tensor<1x6x20xf32>) -> tensor<1x6x9xf32> {{
  %w = "tosa.const"() <{{values = dense<{[[[w[i * 9 + j] * 1.0 for j in range(9)] for i in range(20)]]}> : tensor<1x20x9xf32>}}> : () -> tensor<1x20x9xf32>
  %b = "tosa.const"() <{{values = dense<{[[[e * 1.0 for e in b]]]}> : tensor<1x1x9xf32>}}> : () -> tensor<1x1x9xf32>
  %zero = "tosa.const"() <{{values = dense<0.0> : tensor<1xf32>}}> : () -> tensor<1xf32>
  %y = tosa.matmul %x, %w, %zero, %zero : (tensor<1x6x20xf32>, tensor<1x20x9xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x9xf32>
  %z = tosa.add %y, %b : (tensor<1x6x9xf32>, tensor<1x1x9xf32>) -> tensor<1x6x9xf32>
  %r = tosa.clamp %z {{min_val = 0.0 : f32, max_val = 20.0 : f32}} : (tensor<1x6x9xf32>) -> tensor<1x6x9xf32>
  return %r : tensor<1x6x9xf32>
}}
"""
        expected = [min(max(e + b[i % 9], 0), 20) for i, e in enumerate(matmul(x, w, 6, 9, 20))]
        self.check(text, [("f32", (1, 6, 20), x)], [("f32", (1, 6, 9), expected)])

    def test_empty_sums_and_empty_tensors(self):
        text = """#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: tensor<3x0xf32>, %b: tensor<0x4xf32>, %c: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<0x0xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<0x0xf32>
  %e3 = tensor.empty() : tensor<3xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<3xf32>) -> tensor<3xf32>
  %sum = linalg.matmul ins(%a, %b : tensor<3x0xf32>, tensor<0x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  %none = linalg.fill ins(%zero : f32) outs(%e : tensor<0x0xf32>) -> tensor<0x0xf32>
  %rows = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<3x0xf32>) outs(%f3 : tensor<3xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %sum, %none, %rows : tensor<3x4xf32>, tensor<0x0xf32>, tensor<3xf32>
}
"""
        c = numbers(12)
        self.check(text, [("f32", (3, 0), []), ("f32", (0, 4), []), ("f32", (3, 4), c)], [("f32", (3, 4), c), ("f32", (0, 0), []), ("f32", (3, ), [0, 0, 0])])


if __name__ == "__main__":
    unittest.main()
