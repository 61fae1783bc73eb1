"""A process that loads libtpp_compiler for itself alone, as Python does, compiles and calls a model.

    local_load_test.py LIBTPP_COMPILER
"""
import ctypes
import sys

PROGRAM = b"""
func.func @square(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}
"""


class Options(ctypes.Structure):
    """tpp_compile_options before it had `drawing`: the library accepts older structures."""
    _fields_ = [("struct_size", ctypes.c_size_t), *((name, ctypes.c_char_p) for name in ("entry", "target", "packing", "provider", "precision")),
                ("threads", ctypes.c_int32), ("reference", ctypes.c_int32), ("weights", ctypes.POINTER(ctypes.c_int64)),
                ("weight_count", ctypes.c_int64), ("diagnose", ctypes.c_void_p), ("user", ctypes.c_void_p)]


def main():
    library = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_LOCAL)
    library.tpp_compiler_last_error.restype = ctypes.c_char_p
    library.tpp_model_workspace_bytes.restype = ctypes.c_size_t
    for threads in (1, 2):
        options = Options(struct_size=ctypes.sizeof(Options), threads=threads)
        model = ctypes.c_void_p()
        if library.tpp_compile(PROGRAM, ctypes.c_size_t(len(PROGRAM)), b"square.mlir", ctypes.byref(options), ctypes.byref(model)):
            sys.exit(f"cannot compile: {library.tpp_compiler_last_error().decode()}")
        a, c = ((ctypes.c_float * 64)(*range(64)), (ctypes.c_float * 64)())
        scratch = ctypes.create_string_buffer(library.tpp_model_workspace_bytes(model) + 128)
        aligned = ctypes.addressof(scratch) + -ctypes.addressof(scratch) % 64
        values = (ctypes.c_void_p * 2)(ctypes.addressof(a), ctypes.addressof(c))
        if library.tpp_model_run(model, ctypes.c_void_p(aligned), values):
            sys.exit(f"cannot run: {library.tpp_compiler_last_error().decode()}")
        expected = [float(sum(a[8 * i + k] * a[8 * k + j] for k in range(8))) for i in range(8) for j in range(8)]
        if list(c) != expected:
            sys.exit(f"with {threads} threads: {list(c)} is not {expected}")
        library.tpp_model_destroy(model)


main()
