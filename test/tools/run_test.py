"""Tests tpp-run end to end: results, input and output files, checks, timing, emitted code."""
import json
import math
import struct
import unittest

from command_line import BIN, CommandLineTest, npy, read_npy, run

RUN = BIN / "tpp-run"
KEYS = """model entry threads target flops compile_seconds parse_seconds passes_seconds prepack_seconds jit_seconds seconds_min seconds_median seconds_p95
gflops peak_gflops percent_of_peak percent_of_peak_median packs unpacks copies copy_bytes peak_anonymous_bytes workspace_bytes weights_bytes
kernels""".split()
MEASURED = ("seconds_min", "seconds_median", "seconds_p95", "gflops", "peak_gflops", "percent_of_peak", "percent_of_peak_median")


def identity(shaped, name="main"):
    return f"func.func @{name}(%a: {shaped}) -> {shaped} {{\n  return %a : {shaped}\n}}\n"


class RunTest(CommandLineTest):

    def run_model(self, *words, status=0):
        process = run(RUN, *words)
        self.assertEqual(process.returncode, status, process.stderr + process.stdout)
        return process

    def json_of(self, *words, status=0):
        process = self.run_model(*words, "--json=-", status=status)
        return json.loads(process.stdout)

    def floats(self, path):
        descriptor, shape, data = read_npy(path)
        self.assertEqual(descriptor, "<f4")
        return shape, struct.unpack(f"<{len(data) // 4}f", data)

    def test_an_mlp_equals_the_reference_in_text_and_bytecode(self):
        text = self.generate("mlp.mlir", "mlp", "--batch=13", "--widths=40,33,70", "--bias", "--activation=relu", "--transposed-weights")
        outputs = []
        for model in (text, self.bytecode(text)):
            output = self.directory / "y.npy"
            process = self.run_model(model, "--check=reference", f"--output={output}")
            self.assertIn("result #0 equals the reference", process.stdout)
            outputs.append(output.read_bytes())
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual(read_npy(output)[:2], ("<f4", (13, 70)))

    def test_a_matmul_computes_the_right_numbers(self):
        model = self.generate("m.mlir", "matmul", "--m=2", "--n=2", "--k=3")
        a = self.file("a.npy", npy("<f4", (2, 3), struct.pack("<6f", 1, 2, 3, 4, 5, 6)))
        b = self.file("b.npy", npy("<f4", (3, 2), struct.pack("<6f", 7, 8, 9, 10, 11, 12)))
        for pipeline in ("default", "loops"):
            self.run_model(model, f"--input={a},{b}", f"--output={self.directory / 'c.npy'}", f"--pipeline={pipeline}")
            self.assertEqual(self.floats(self.directory / "c.npy"), ((2, 2), (58, 64, 139, 154)))

    def test_every_provider_gives_the_same(self):
        model = self.generate("m.mlir", "matmul", "--m=32", "--n=32", "--k=32")
        for provider in ("auto", "native", "reference"):
            report = self.json_of(model, f"--provider={provider}", "--check=reference")
            self.assertGreater(len(report["kernels"]), 0)
            for kernel in report["kernels"]:
                self.assertEqual(sorted(kernel), ["calls_per_run", "name", "provider"])
                if provider != "auto":
                    self.assertEqual(kernel["provider"], provider)

    def test_json_has_exactly_the_keys_of_the_contract(self):
        model = self.generate("m.mlir", "matmul", "--m=64", "--n=48", "--k=32", "--entry=f")
        report = self.json_of(model, "--threads=1")
        self.assertEqual(list(report), KEYS)
        self.assertEqual((report["model"], report["entry"], report["threads"]), (str(model), "f", 1))
        self.assertEqual(report["flops"], 2 * 64 * 48 * 32)
        self.assertTrue(all(report[key] is None for key in MEASURED))
        self.assertGreaterEqual(report["compile_seconds"], report["passes_seconds"] + report["jit_seconds"])
        self.assertGreater(report["peak_anonymous_bytes"], 1 << 20)
        report = self.json_of(model, "--threads=1", "--bench", "--min-time=0.05")
        self.assertEqual(list(report), KEYS)
        self.assertLess(0, report["seconds_min"])
        self.assertLessEqual(report["seconds_min"], report["seconds_median"])
        self.assertLessEqual(report["seconds_median"], report["seconds_p95"])
        self.assertAlmostEqual(report["gflops"], report["flops"] / report["seconds_min"] * 1e-9, delta=1e-6 * report["gflops"])
        self.assertAlmostEqual(report["percent_of_peak"], 100 * report["gflops"] / report["peak_gflops"], delta=1e-4)
        self.assertAlmostEqual(report["percent_of_peak_median"], report["percent_of_peak"] * report["seconds_min"] / report["seconds_median"], delta=1e-4)

    def test_json_to_a_file_leaves_the_summary_on_stdout(self):
        model = self.generate("m.mlir", "matmul", "--m=4", "--n=4", "--k=4")
        path = self.directory / "r.json"
        process = self.run_model(model, f"--json={path}")
        self.assertIn("model", process.stdout)
        self.assertEqual(list(json.loads(path.read_text())), KEYS)

    def test_bench_counts_calls_and_takes_threads_and_cold_caches(self):
        model = self.generate("m.mlir", "matmul", "--m=64", "--n=64", "--k=64", "--constant-b")
        process = self.run_model(model, "--bench", "--reps=7", "--threads=2")
        self.assertIn("(7 calls, warm caches, 2 threads)", process.stdout)
        process = self.run_model(model, "--bench", "--reps=3", "--threads=1", "--cold")
        self.assertIn("(3 calls, cold caches, 1 thread)", process.stdout)

    def test_profile_says_where_the_time_goes(self):
        model = self.generate("mlp.mlir", "mlp", "--batch=64", "--widths=256,256,256", "--bias", "--activation=relu")
        for threads in (1, 2):
            trace = self.directory / "trace.json"
            report = self.json_of(model, f"--threads={threads}", f"--profile={trace}")
            profile = report["profile"]
            calls = sum(kernel["calls_per_run"] for kernel in report["kernels"])
            self.assertEqual(sum(kernel["calls"] for kernel in profile["kernels"]), calls)
            self.assertAlmostEqual(sum(kernel["seconds"] for kernel in profile["kernels"]), profile["kernel_seconds"])
            self.assertLess(profile["kernel_seconds"], threads * profile["seconds"])
            for kernel in profile["kernels"]:
                self.assertRegex(kernel["what"], "^brgemm [0-9]+x[0-9]+x[0-9]+$")
                self.assertIn(kernel["name"], [each["name"] for each in report["kernels"]])
                self.assertGreater(kernel["gflops"], 0)
                # All kernels are related to the same peak. There is no upper bound on the percentage: hyperthreads share a core's
                # peak, and a kernel has all of it while the other thread waits.
                one = profile["kernels"][0]
                self.assertAlmostEqual(kernel["percent_of_peak"] / kernel["gflops"], one["percent_of_peak"] / one["gflops"])
            flops = sum(kernel["gflops"] * 1e9 * kernel["seconds"] for kernel in profile["kernels"])
            self.assertAlmostEqual(flops / report["flops"], 1, places=6)
            events = [event for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "X"]
            self.assertEqual(len(events), calls)
            for thread in range(threads):
                ends = 0.0
                for event in (event for event in events if event["tid"] == thread):
                    self.assertGreaterEqual(event["ts"], ends - 0.002)
                    ends = event["ts"] + event["dur"]
                self.assertLessEqual(ends, profile["seconds"] * 1e6 + 0.002)
        self.assertIn("in kernels", self.run_model(model, "--profile").stdout)
        self.assertNotIn("profile", self.json_of(model))
        # A model without kernels can be profiled, and a profile does not change later calls.
        plain = self.file("plain.mlir", identity("tensor<4xf32>"))
        self.assertEqual(self.json_of(plain, "--profile")["profile"]["kernels"], [])
        self.run_model(model, "--profile", "--check=reference")

    def test_a_trace_that_cannot_be_written_is_an_error(self):
        model = self.generate("small.mlir", "matmul", "--m=8", "--n=8", "--k=8")
        process = self.run_model(model, f"--profile={self.directory}/none/trace.json", status=1)
        self.assertIn("none/trace.json", process.stderr)

    def test_precision_bf16_reports_its_error(self):
        model = self.generate("m.mlir", "mlp", "--batch=13", "--widths=40,33,70", "--bias", "--activation=relu")
        text = self.run_model(model, "--precision=bf16", "--check=reference").stdout
        self.assertIn("tpp_uk_brgemm_bf16bf16f32_", text)
        self.assertRegex(text, r"check +result #0 equals .*, mean absolute error \S+, cosine similarity 0\.9999")
        error, = self.json_of(model, "--precision=bf16", "--check=reference")["errors"]
        self.assertEqual(error["value"], "result #0")
        self.assertTrue(0 < error["mean"] < error["max"] and 0.999 < error["cosine"] < 1, error)
        self.run_model(model, "--precision=bf16", "--check=reference", "--rtol=1e-4", status=2)
        # The share of peak is of the type that is multiplied.
        self.assertIn("% of the bf16 peak", self.run_model(model, "--precision=bf16", "--bench", "--reps=2").stdout)
        self.assertIn("% of the i8 peak", self.run_model(model, "--precision=int8", "--bench", "--reps=2").stdout)
        process = self.run_model(model, "--precision=bf16", "--pipeline=loops", status=1)
        self.assertIn("--precision has no effect with --pipeline=loops, which computes what the program says", process.stderr)

    def test_precision_int8_reports_its_error(self):
        model = self.generate("m.mlir", "mlp", "--batch=13", "--widths=40,33,70", "--bias", "--activation=relu")
        example = self.file("x.npy", npy("<f4", (13, 40), struct.pack("<520f", *(math.sin(i) * 3 for i in range(520)))))
        for words in ((), (f"--calibrate={example}", ), (f"--calibrate={example},{example}", )):
            with self.subTest(words=words):
                text = self.run_model(model, "--precision=int8", "--check=reference", *words).stdout
                self.assertRegex(text, "tpp_uk_brgemm_[iu]8[iu]8i32_")
                self.assertNotIn("brgemm_f32", text)
                error, = self.json_of(model, "--precision=int8", "--check=reference", *words)["errors"]
                self.assertTrue(0 < error["mean"] < error["max"] and 0.99 < error["cosine"] < 1, error)
        nan = self.file("nan.npy", npy("<f4", (13, 40), struct.pack("<520f", *([math.nan] * 520))))
        rows = [((f"--calibrate={example}", "--precision=bf16"), "--calibrate has no effect without --precision=int8"),
                ((f"--calibrate={example}.txt", "--precision=int8"), "does not end in .npy"),
                ((f"--calibrate={self.directory}/none.npy", "--precision=int8"), "none.npy"),
                ((f"--calibrate={nan}", "--precision=int8"), "nan.npy: a value that would be quantized is not finite"),
                (("--pipeline=loops", "--precision=int8"), "--precision has no effect with --pipeline=loops")]
        for words, message in rows:
            with self.subTest(words=words):
                self.assertIn(message, self.run_model(model, *words, status=1).stderr)
        two = self.generate("two.mlir", "matmul", "--m=8", "--n=8", "--k=8")
        self.assertIn("--calibrate lists 1 file, and @main has 2 arguments; give one file per argument, all files of one example before the next",
                      self.run_model(two, "--precision=int8", f"--calibrate={example}", status=1).stderr)
        self.assertIn("nothing is quantized: found no contraction of an f32 value and a constant with static shapes, outside loops",
                      self.run_model(two, "--precision=int8").stdout)
        self.assertIn("tpp_uk_brgemm_u8i8i32_", self.run_model(two, "--precision=int8", "--weights=1", "--check=reference").stdout)

    def test_check_against_files_fails_with_status_2_and_times_nothing(self):
        model = self.generate("m.mlir", "matmul", "--m=1", "--n=2", "--k=1")
        ones = self.file("ones.npy", npy("<f4", (1, 2), struct.pack("<2f", 1, 1)))
        other = self.file("other.npy", npy("<f4", (1, 2), struct.pack("<2f", 1, 1.25)))
        nan = self.file("nan.npy", npy("<f4", (1, 2), struct.pack("<2f", 1, math.nan)))
        self.run_model(model, "--input=ones,ones", f"--check={ones}")
        process = self.run_model(model, "--input=ones,ones", f"--check={other}", "--bench", status=2)
        self.assertIn("result #0 DIFFERS from the reference: largest absolute error 2.50e-01 at [0,1]", process.stdout)
        self.assertNotIn("GFLOP/s", process.stdout)
        self.run_model(model, "--input=ones,ones", f"--check={other}", "--atol=0.25")
        self.run_model(model, "--input=ones,ones", f"--check={other}", "--rtol=0.2", "--atol=0")
        self.run_model(model, "--input=ones,ones", f"--check={other}", "--rtol=0.19", "--atol=0", status=2)
        self.run_model(model, "--input=ones,ones", f"--check={nan}", "--atol=1e9", status=2)

    def test_every_element_type_passes_through_npy(self):
        types = {"f32": ("<f4", 4), "f64": ("<f8", 8), "f16": ("<f2", 2), "bf16": ("<u2", 2), "i1": ("|b1", 1), "i8": ("|i1", 1), "i16": ("<i2", 2),
                 "i32": ("<i4", 4), "i64": ("<i8", 8), "index": ("<i8", 8)}
        for name, (descriptor, size) in types.items():
            with self.subTest(name):
                model = self.file("m.mlir", identity(f"tensor<2x3x{name}>"))
                data = bytes(i % 2 if name == "i1" else i + 1 for i in range(6 * size))
                source, target = self.file("x.npy", npy(descriptor, (2, 3), data)), self.directory / "y.npy"
                self.run_model(model, f"--input={source}", f"--output={target}")
                self.assertEqual(read_npy(target), (descriptor, (2, 3), data))

    def test_integers_marked_as_unsigned_are_so_in_files(self):
        text = identity("tensor<2x2xi8>")
        marked = text.replace("tensor<2x2xi8>)", "tensor<2x2xi8> {tpp.unsigned})", 1).replace("-> tensor<2x2xi8>", "-> (tensor<2x2xi8> {tpp.unsigned})", 1)
        self.assertEqual(marked.count("tpp.unsigned"), 2)
        model, target = self.file("m.mlir", marked), self.directory / "y.npy"
        source = self.file("x.npy", npy("|u1", (2, 2), bytes((0, 127, 128, 255))))
        self.run_model(model, f"--input={source}", f"--output={target}", f"--check={source}")
        self.assertEqual(read_npy(target), ("|u1", (2, 2), bytes((0, 127, 128, 255))))
        process = self.run_model(model, f"--input={self.file('s.npy', npy('|i1', (2, 2), bytes(4)))}", status=1)
        self.assertIn("ui8", process.stderr)

    def test_zero_sized_tensors_are_legal(self):
        for m, n, k in ((0, 4, 4), (4, 0, 4), (4, 4, 0), (0, 0, 0)):
            with self.subTest(m=m, n=n, k=k):
                model = self.generate("m.mlir", "matmul", f"--m={m}", f"--n={n}", f"--k={k}")
                output = self.directory / "y.npy"
                self.run_model(model, "--check=reference", f"--output={output}")
                self.assertEqual(self.floats(output), ((m, n), (0, ) * (m * n)))

    def test_memref_arguments_are_outputs_too(self):
        model = self.file("m.mlir", """func.func @main(%a: memref<2x2xf32>, %c: memref<2x2xf32>) {
  linalg.matmul ins(%a, %a : memref<2x2xf32>, memref<2x2xf32>) outs(%c : memref<2x2xf32>)
  return
}
""")
        a = self.file("a.npy", npy("<f4", (2, 2), struct.pack("<4f", 1, 2, 3, 4)))
        outputs = [self.directory / name for name in ("a_out.npy", "c_out.npy")]
        self.run_model(model, f"--input={a},ones", f"--output={outputs[0]},{outputs[1]}", "--check=reference", "--bench", "--reps=3")
        self.assertEqual(self.floats(outputs[0]), ((2, 2), (1, 2, 3, 4)))
        self.assertEqual(self.floats(outputs[1]), ((2, 2), (8, 11, 16, 23)))

    def test_several_results_and_no_arguments(self):
        model = self.file("m.mlir", """func.func @main() -> (tensor<2xf32>, tensor<3xi32>) {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[3, 4, 5]> : tensor<3xi32>
  return %a, %b : tensor<2xf32>, tensor<3xi32>
}
""")
        outputs = [self.directory / name for name in ("a.npy", "b.npy")]
        self.run_model(model, f"--output={outputs[0]},{outputs[1]}")
        self.assertEqual(self.floats(outputs[0]), ((2, ), (1, 2)))
        self.assertEqual(read_npy(outputs[1]), ("<i4", (3, ), struct.pack("<3i", 3, 4, 5)))

    def test_the_entry_is_the_only_public_function_or_main_or_the_named_one(self):
        helper = identity("tensor<1xf32>", "helper").replace("func.func", "func.func private")
        for text, words, entry in ((helper + identity("tensor<2xf32>", "only"), (), "only"),
                                   (identity("tensor<1xf32>", "f") + identity("tensor<2xf32>", "main"), (), "main"),
                                   (identity("tensor<1xf32>", "f") + identity("tensor<2xf32>", "main"), ("--entry=f", ), "f")):
            self.assertEqual(self.json_of(self.file("m.mlir", text), *words)["entry"], entry)

    def test_tosa_models_run(self):
        model = self.file("m.mlir", """func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.add %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
""")
        output = self.directory / "y.npy"
        self.run_model(model, "--input=ones,ones", f"--output={output}", "--check=reference")
        self.assertEqual(self.floats(output), ((2, 3), (2, ) * 6))

    def test_models_come_from_standard_input(self):
        process = run(RUN, "-", "--json=-", input=identity("tensor<2xf32>"))
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(json.loads(process.stdout)["entry"], "main")

    def test_help(self):
        process = self.run_model("--help")
        for flag in ("--entry", "--input", "--weights", "--output", "--check", "--rtol", "--atol", "--bench", "--min-time", "--reps", "--cold", "--threads",
                     "--pipeline", "--provider", "--target", "--packing", "--json", "--emit", "-o"):
            self.assertIn(f"\n  {flag}", process.stdout)

    def test_bytecode_weights_are_not_copied_by_loading(self):
        text = self.generate("mlp.mlir", "mlp", "--batch=1", "--widths=2048,2048,2048")
        weights = 2 * 2048 * 2048 * 4
        report = self.json_of(self.bytecode(text), "--threads=1")
        self.assertLessEqual(report["peak_anonymous_bytes"], 2 * weights + (300 << 20))
        self.assertGreaterEqual(report["weights_bytes"], weights)

    def test_emitted_code_says_where_it_cannot_be_written(self):
        model = self.generate("m.mlir", "matmul", "--m=4", "--n=4", "--k=4")
        for kind in ("llvm", "asm", "obj", "shared"):
            process = run(RUN, model, f"--emit={kind}", "-o", self.directory / "no" / "x")
            self.assertEqual((process.returncode, process.stdout), (1, ""))
            self.assertIn(str(self.directory / "no" / "x"), process.stderr)

    def test_each_kind_of_code_is_emitted_with_header_and_weights(self):
        model = self.generate("m.mlir", "mlp", "--batch=4", "--widths=64,64")
        for kind, name, pattern in (("llvm", "m.ll", rb"(?m)^define .*@main_run\("), ("asm", "m.s", rb"(?m)^main_run:"), ("obj", "m.o", rb"\A\x7fELF"),
                                    ("shared", "m.so", rb"\A\x7fELF")):
            with self.subTest(kind):
                process = self.run_model(model, f"--emit={kind}", "-o", self.directory / name)
                self.assertEqual(process.stdout, "")
                code = (self.directory / name).read_bytes()
                self.assertRegex(code, pattern)
                self.assertIn(b"main_run", code)
                self.assertIn("main_create", (self.directory / "m.h").read_text())
                self.assertGreaterEqual((self.directory / f"{name}.weights").stat().st_size, 64 * 64 * 4)


if __name__ == "__main__":
    unittest.main()
