#!/usr/bin/env python3
"""Tests that the checks of tools/dev detect violations.

A check that reports nothing looks the same on a clean tree and when the check is broken. Each test creates a small git tree, clean or
with one violation, and runs the real script on it.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

CLEAN = {
    "microkernels/CMakeLists.txt": "# kernels\nadd_library(Kernels a.cpp)\ntarget_link_libraries(Kernels PRIVATE hwy)\n",
    "microkernels/a.cpp": "// a\n#include \"hwy/highway.h\"\n#include \"tpp/types.h\"\n#include <vector>\n",
    "microkernels/include/tpp/types.h": "/* types */\n#include <stdint.h>\n",
    "microkernels/include/tpp/microkernels.hpp": "// registry\n#include \"tpp/types.h\"\n",
    "runtime/CMakeLists.txt": "# runtime\nadd_library(Runtime b.cpp)\ntarget_link_libraries(Runtime PRIVATE Kernels xsmm dl)\n",
    "runtime/b.cpp": "// b\n#include \"tpp/microkernels.hpp\"\n#include <libxsmm.h>\n#include <string.h>\n",
    "tpp_dialect/CMakeLists.txt": "# dialect\nadd_mlir_dialect_library(Dialect D.cpp LINK_LIBS PUBLIC MLIRIR)\n",
    "tpp_dialect/D.cpp": "// D\n#include \"mlir/IR/Dialect.h\"\n#include \"tpp_dialect/Ops.h.inc\"\n",
    "lowering/CMakeLists.txt": "# lowering\nset(libs Dialect MLIR)\nadd_library(Lowering l.cpp)\n"
                               "target_link_libraries(Lowering PUBLIC ${libs})\n",
    "lowering/l.cpp": "// l\n#include \"tpp/types.h\"\n#include \"mlir/Pass/Pass.h\"\n#include \"tpp_dialect/Ops.h.inc\"\n",
    "tools/CMakeLists.txt": "# tools\nadd_executable(opt o.cpp)\ntarget_link_libraries(opt PRIVATE Lowering)\n",
    "tools/o.cpp": "// o\n#include \"mlir/IR/Dialect.h\"\n",
    "test/t.cpp": "// t\n#include \"gtest/gtest.h\"\n",
}


def run(script, files, *flags):
    """Runs tools/dev/<script> on a new git tree with `files`. Returns (exit code, output)."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(text if isinstance(text, bytes) else text.encode())
        subprocess.run(["git", "init", "-q", root], check=True)
        subprocess.run(["git", "-C", root, "add", "-A"], check=True)
        result = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "dev", script), "--root", root, *flags],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return result.returncode, result.stdout


class CheckDependenciesTest(unittest.TestCase):

    def test_accepts_allowed_edges(self):
        code, output = run("check-dependencies", CLEAN)
        self.assertEqual(code, 0, output)
        self.assertIn("all allowed", output)

    def assert_caught(self, name, added, message):
        code, output = run("check-dependencies", {**CLEAN, name: CLEAN.get(name, "// new\n") + added})
        self.assertEqual(code, 1, output)
        self.assertIn(message, output)
        self.assertEqual(len(output.splitlines()), 1, output)

    def test_prints_and_enforces_the_order_of_the_rooms(self):
        rooms = {**CLEAN, "lowering/CMakeLists.txt": CLEAN.get("lowering/CMakeLists.txt", "") + "foreach(room analysis layout emit compile)\nendforeach()\n",
                 "lowering/analysis/A.h": "", "lowering/layout/L.h": '#include "lowering/analysis/A.h"\n',
                 "lowering/emit/E.h": '#include "../analysis/A.h"\n#include "lowering/Passes.h"\n', "lowering/Passes.h": "", "lowering/Pipelines.h": "",
                 "lowering/compile/C.h": '#include "lowering/Pipelines.h"\n#include "lowering/emit/E.h"\n'}
        code, output = run("check-dependencies", rooms, "--graph")
        self.assertEqual(code, 0, output)
        self.assertIn("analysis\nlayout     analysis\nemit       analysis\ncompile    emit\n", output)
        for name, header, message in [
            ("lowering/analysis/A.h", "lowering/layout/L.h", "lowering/analysis/A.h:1: forbidden edge analysis -> layout"),
            ("lowering/analysis/A.h", "../emit/E.h", "lowering/analysis/A.h:1: forbidden edge analysis -> emit"),
            ("lowering/emit/E.h", "lowering/Pipelines.h", "lowering/emit/E.h:1: forbidden edge emit -> compile"),
            ("lowering/other/O.h", "lowering/analysis/A.h", "lowering/other: is not in the list of rooms"),
        ]:
            with self.subTest(message=message):
                code, output = run("check-dependencies", {**rooms, name: f'#include "{header}"\n'})
                self.assertEqual(code, 1, output)
                self.assertIn(message, output)

    def test_catches_forbidden_includes(self):
        for name, header, edge in [
            ("microkernels/a.cpp", '"llvm/ADT/StringRef.h"', "microkernels -> mlir"),
            ("microkernels/a.cpp", "<libxsmm.h>", "microkernels -> xsmm"),
            ("runtime/b.cpp", '"mlir/IR/Value.h"', "runtime -> mlir"),
            ("runtime/b.cpp", "<omp.h>", "runtime -> openmp"),
            ("tpp_dialect/D.cpp", '"../lowering/l.cpp"', "tpp_dialect -> lowering"),
            ("lowering/l.cpp", '"tpp/microkernels.hpp"', "lowering -> microkernels"),
            ("lowering/l.cpp", '"../tools/o.cpp"', "lowering -> tools"),
            ("lowering/l.cpp", '"../test/t.cpp"', "lowering -> test"),
            ("tools/o.cpp", "<benchmark/benchmark.h>", "tools -> benchmark"),
        ]:
            with self.subTest(edge=edge):
                self.assert_caught(name, f"#include {header}\n", f"forbidden edge {edge}")

    def test_catches_types_defined_twice(self):
        text = "namespace mlir::tpp {\nstruct Form {\n};\n} // namespace mlir::tpp\n"
        for other, message in ((text, "tpp_dialect/E.h:2: mlir::tpp::Form is also defined at tpp_dialect/D.h:2"), (text.replace("tpp", "other"), None),
                               (text.replace("struct Form {", "class Form final : Base {"), "is also defined"), (text.replace("Form {", "Form;"), None)):
            code, output = run("check-dependencies", {**CLEAN, "tpp_dialect/D.h": text, "tpp_dialect/E.h": other})
            self.assertEqual(code, 1 if message else 0, output)
            self.assertIn(message or "all allowed", output)

    def test_catches_forbidden_links(self):
        for part, target, library, edge in [
            ("microkernels", "Kernels", "Runtime", "microkernels -> runtime"),
            ("runtime", "Runtime", "LLVM", "runtime -> mlir"),
            ("runtime", "Runtime", "OpenMP::OpenMP_CXX", "runtime -> openmp"),
            ("tpp_dialect", "Dialect", "Lowering", "tpp_dialect -> lowering"),
            ("lowering", "Lowering", "Runtime", "lowering -> runtime"),
            ("tools", "opt", "Kernels", "tools -> microkernels"),
        ]:
            with self.subTest(edge=edge):
                self.assert_caught(f"{part}/CMakeLists.txt", f"target_link_libraries({target} PRIVATE {library})\n",
                                   f"forbidden edge {edge}")

    def test_catches_what_it_cannot_attribute(self):
        self.assert_caught("runtime/b.cpp", "#include <boost/any.hpp>\n", "belongs to no known part")
        self.assert_caught("runtime/CMakeLists.txt", "target_link_libraries(Runtime PRIVATE tbb)\n", "belongs to no known part")


class CheckFilesTest(unittest.TestCase):

    def test_accepts_a_clean_tree(self):
        code, output = run("check-files", CLEAN)
        self.assertEqual(code, 0, output)

    def test_catches_each_violation(self):
        for name, text, message in [
            ("big.npy", b"\0" * ((2 << 20) + 1), "at most 2097152"),
            ("a.cpp", "// a\nint x; // TO" + "DO: y\n", "a.cpp:2: TO" + "DO"),
            ("a.md", "see /ho" + "me/someone/x\n", "path of one machine"),
            ("a.md", "<" * 7 + " HEAD\n", "conflict marker"),
            ("a.cpp", "#include <vector>\n// late\n", "no head comment"),
            ("a.py", "#!/usr/bin/env python3\nimport os\n", "no head comment"),
            ("a.hpp", "// long\n" + "int f();\n" * 601, "lines, at most"),
            ("a.txt", b"\xff\xfe", "neither binary nor UTF-8"),
            ("lowering/a.cpp", "// Fitted on Zen 5.\n", "lowering/a.cpp:1: name of a CPU, Zen 5"),
            ("microkernels/a.cpp", "// a\nif (__builtin_cpu_is(\"amd\"))\n", "name of a CPU, __builtin_cpu_is"),
            ("runtime/src/a.cpp", "// a\nconstexpr double moveNs = 0.5;\n", "runtime/src/a.cpp:2: a constant in nanoseconds"),
            ("tpp_dialect/a.h", "// a\n#define TPP_CALL_NS 12\n", "a constant in nanoseconds"),
        ]:
            with self.subTest(message=message):
                code, output = run("check-files", {**CLEAN, name: text})
                self.assertEqual(code, 1, output)
                self.assertIn(message, output)


class CheckTest(unittest.TestCase):

    def check(self, *words):
        result = subprocess.run([os.path.join(ROOT, "tools", "check"), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return result.returncode, result.stdout

    def test_names_what_it_knows(self):
        for words, message in [
            (("--fast",), "unknown argument '--fast'; there are --quick, --only=BUILD[,BUILD...], --with-torch, --help, and -- before CTest's arguments"),
            (("-R", "x"), "unknown argument '-R'; there are --quick"),
            (("--only=debug",), "unknown build 'debug'; there are dev, asan, tsan, runtime-only-gcc and python"),
            (("--quick", "--only=dev"), "--quick and --only cannot be combined"),
        ]:
            with self.subTest(words=words):
                code, output = self.check(*words)
                self.assertEqual(code, 1)
                self.assertTrue(output.startswith(f"tools/check: error: {message}"), output)

    def test_help(self):
        code, output = self.check("--help")
        self.assertEqual(code, 0)
        self.assertIn("tools/check [--quick", output)
        self.assertNotIn("set -euo", output)


class LintTest(unittest.TestCase):
    """tools/dev/lint on a tree with one file, several times: results of a file that was clean are kept."""

    def lint(self, root, text, checks="modernize-use-nullptr", flags=("",)):
        files = {"a.cpp": text, ".clang-tidy": f"Checks: '-*,{checks}'\nWarningsAsErrors: '*'\n"}
        for name, content in files.items():
            with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                file.write(content)
        with open(os.path.join(root, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump([{"directory": root, "file": f"{root}/a.cpp", "command": f"clang++ -std=c++17 {flag} -o a.o -c {root}/a.cpp"}
                       for flag in flags], file)
        result = subprocess.run([os.path.join(ROOT, "tools", "dev", "lint"), "--root", root, "--build=.", "a.cpp"], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, env={**os.environ, "CCACHE_DIR": os.path.join(root, "cache")})
        return result.returncode, result.stdout

    def test_what_was_clean_is_checked_again_when_it_has_changed(self):
        excused = "int *find() { return 0; } // NOLINT\n"
        with tempfile.TemporaryDirectory() as root:
            subprocess.run(["git", "init", "-q", root], check=True)
            self.assertIn("git tracks no file 'a.cpp'", self.lint(root, excused)[1])
            subprocess.run(["git", "-C", root, "add", "a.cpp"], check=True)
            for _ in range(2):
                self.assertEqual(self.lint(root, excused), (0, "lint: 1 files\nlint: 1 files are clean.\n"))
            for _ in range(2):
                code, output = self.lint(root, excused.replace(" // NOLINT", ""))
                self.assertEqual(code, 1)
                self.assertIn("a.cpp:1:22: error: use nullptr", output)
            self.assertEqual(self.lint(root, excused)[0], 0)
            clean = "int *find() { return nullptr; }\n"
            self.assertEqual(self.lint(root, clean)[0], 0)
            code, output = self.lint(root, clean, checks="modernize-use-trailing-return-type")
            self.assertEqual(code, 1)
            self.assertIn("use a trailing return type", output)

    def test_every_command_of_a_file_is_checked(self):
        with tempfile.TemporaryDirectory() as root:
            subprocess.run(["git", "init", "-q", root], check=True)
            self.lint(root, "")
            subprocess.run(["git", "-C", root, "add", "a.cpp"], check=True)
            text = "#ifdef OLD\nint *find() { return 0; }\n#endif\n"
            for first, second in (("-DOLD", ""), ("", "-DOLD")):
                code, output = self.lint(root, text, flags=(first, second))
                self.assertEqual(code, 1)
                self.assertIn("a.cpp:2:22: error: use nullptr", output)


class SuiteEntriesTest(unittest.TestCase):
    """test/cmake/discover_suites.cmake with a program that prints a list of tests, and accepts any filter."""

    LISTING = "Running main() from gtest_main.cc\nPlain.\n  Case\nRows/Table.\n  Case/a  # GetParam() = \\\"[;\\\"\nMore/Table.\n  Case/b\n"

    def discover(self, listing, run_output="[==========] 2 tests ran.", shards=""):
        """Returns the script's exit code and output, and the output of ctest with the entries that it wrote."""
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            with open(program, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\nif [ $1 = --gtest_list_tests ]; then printf '%b' \"{listing}\"\n"
                           f"else printf '%b\\n' '{run_output}'; echo \"$1 $GTEST_SHARD_INDEX of $GTEST_TOTAL_SHARDS\"; fi\n")
            os.chmod(program, 0o755)
            script = subprocess.run(["cmake", f"-DPROGRAM={program}", "-DPREFIX=unit", f"-DSHARDS={shards}", f"-DOUTPUT={folder}/CTestTestfile.cmake",
                                     "-P", os.path.join(ROOT, "test", "cmake", "discover_suites.cmake")],
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            ctest = subprocess.run(["ctest", "--test-dir", folder, "-V"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            return script.returncode, script.stdout, ctest.stdout

    def test_one_entry_for_all_instances_of_a_suite(self):
        code, output, ctest = self.discover(self.LISTING)
        self.assertEqual(code, 0, output)
        self.assertIn("--gtest_filter=Plain.*:*/Plain.*", ctest)
        self.assertRegex(ctest, r"unit\.Table \.+ +Passed")
        self.assertIn("100% tests passed, 0 tests failed out of 2", ctest)

    def test_a_long_suite_is_cut_into_shards(self):
        code, output, ctest = self.discover(self.LISTING, shards="Table=2")
        self.assertEqual(code, 0, output)
        self.assertIn("Table.* 0 of 2", ctest)
        self.assertIn("Table.* 1 of 2", ctest)
        self.assertIn("out of 3", ctest)
        self.assertEqual(self.discover(self.LISTING, shards="Tabel=2")[0], 1)

    def test_running_nothing_fails_and_skipping_all_is_skipped(self):
        self.assertIn("0% tests passed, 2 tests failed out of 2", self.discover(self.LISTING, "[==========] 0 tests from 0 test suites ran.")[2])
        skipped = "[==========] 2 tests from 1 test suite ran.\\n[  PASSED  ] 0 tests.\\n[  SKIPPED ] 2 tests."
        self.assertRegex(self.discover(self.LISTING, skipped)[2], r"unit\.Plain \.+\*\*\*Skipped")

    def test_lists_that_it_cannot_read_are_errors(self):
        for listing, message in (("", "has no tests"), ("Typed/0.\n  Case\n", "which is no suite")):
            code, output, _ = self.discover(listing)
            self.assertEqual(code, 1)
            self.assertIn(message, output)


if __name__ == "__main__":
    unittest.main()
