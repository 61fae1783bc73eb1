"""Tests tpp-info: its lists, the explanation of a kernel selection, the machine, and errors for bad input."""
import os
import pathlib
import re
import subprocess
import unittest

from command_line import BIN, SOURCE, CommandLineTest, run

INFO = BIN / "tpp-info"
FIELDS = SOURCE / "microkernels" / "include" / "tpp" / "machine_fields.def"


def figures(text):
    """The fields of a machine file, in their order."""
    return dict(re.findall(r"(?m)^(\w+) = (\S+)", text))


class InfoTest(CommandLineTest):

    def output(self, *words):
        process = run(INFO, *words)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        return process.stdout

    def test_without_a_command_it_tells_everything(self):
        text = self.output()
        for part in ("host", "providers", "targets", "kernels"):
            self.assertRegex(text, rf"(?m)^{part}$")
            lines = self.output(part).splitlines()
            self.assertGreater(len(lines), 1)
            self.assertIn(lines[1], text)

    def test_caches_are_those_that_a_core_reaches(self):
        folders = sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"))
        sizes = [(folder / "size").read_text().strip() for folder in folders if (folder / "type").read_text().strip() != "Instruction"]
        if not sizes:
            self.skipTest("this system does not tell its caches")
        self.assertEqual(re.findall(r"(?m)^  L\d +(\d+K)", self.output("host")), sizes)

    def machine_of(self, path):
        """Runs tpp-info machine with a machine file."""
        return run("env", f"TPP_MACHINE={path}", INFO, "machine")

    def test_machine_prints_a_machine_file_of_the_host(self):
        text = self.output("machine")
        fields = re.findall(r"(?m)^TPP_MACHINE_FIELD\(\w+, (\w+),", FIELDS.read_text())
        self.assertEqual(list(figures(text)), ["name", "isa", *fields])
        name = re.search(r"(?m)^  machine +(\S+)$", self.output("host")).group(1)
        self.assertEqual(figures(text)["name"], name)
        self.assertEqual(text.splitlines()[0], f"# from the entry '{name}' of tpp/machines.def; caches and cores from the operating system")

    def test_machine_prints_the_file_that_TPP_MACHINE_names(self):
        text = self.output("machine")
        path = self.file("machine.txt", text)
        process = self.machine_of(path)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        source = f"# from the file {path}, which the environment variable TPP_MACHINE names"
        self.assertEqual(process.stdout.splitlines(), [source, *text.splitlines()[1:]])
        path.write_text("name = host\nmemory_gbs = 1.25\nl2_bytes = 65536 # half\n")
        self.assertEqual(figures(self.machine_of(path).stdout), {**figures(text), "memory_gbs": "1.25", "l2_bytes": "65536"})

    def test_a_machine_file_that_cannot_be_used_is_an_error(self):
        isa = figures(self.output("machine"))["isa"]
        other = "avx2" if isa == "neon" else "neon"
        for content, message in (
            (f"isa = {isa}\nspeed = 3\n", ":2: there is no field 'speed'"),
            (f"isa = {isa}\n\nmemory_gbs = -1 # GB/s\n", ":3: memory_gbs is -1, must be between 0.001 and 100000"),
            (f"isa = {isa}\nl1_ways = 2.5\n", ":2: l1_ways is '2.5', must be a whole number"),
            (f"isa = {isa}\nclock_ghz = fast\n", ":2: clock_ghz is 'fast', must be a number"),
            (f"isa = {isa}\nclock_ghz 3\n", ":2: expected 'field = value', got 'clock_ghz 3'"),
            (f"isa = {other}\n", f": it describes a machine with {other}, but this one has {isa}"),
            ("isa = mmx\n", ":1: isa is 'mmx', must be one of avx512, "),
            (None, ": the file cannot be read"),
        ):
            with self.subTest(content=content):
                path = self.file("bad.txt" if content else "missing.txt", content)
                process = self.machine_of(path)
                self.assertEqual((process.returncode, process.stdout), (1, ""))
                self.assertTrue(process.stderr.startswith(f"tpp-info: error: TPP_MACHINE: {path}{message}"), process.stderr)

    def test_dispatch_fails_with_a_bad_machine_file(self):
        path = self.file("bad.txt", "isa = vax\n")
        process = run("env", f"TPP_MACHINE={path}", INFO, "brgemm", "--m=4", "--n=4", "--k=4")
        self.assertEqual(process.returncode, 1)
        self.assertIn(f"TPP_MACHINE: {path}:1: isa is 'vax'", process.stderr)

    def test_calibration_keeps_a_file_that_it_cannot_replace(self):
        path = self.file("machine.txt", "from before\n")
        (self.directory / "machine.txt.tmp").mkdir()
        rows = [(path, "Is a directory"), (self.directory, "Is a directory"), (self.directory / "no" / "machine.txt", "No such file or directory")]
        if os.path.exists("/dev/full"):
            rows.append(("/dev/full", "No space left on device"))
        for file, reason in rows:
            with self.subTest(file=file):
                process = run(INFO, "--calibrate", "-o", file)
                self.assertEqual((process.returncode, process.stdout), (1, ""))
                self.assertEqual(process.stderr, f"tpp-info: error: {file}: cannot write: {reason}\n")
        self.assertEqual(path.read_text(), "from before\n")

    def test_a_full_disk_is_an_error(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("this system has no /dev/full")
        for words in (("machine", ), ("kernels", ), ("--help", ), ("--calibrate", )):
            with self.subTest(words=words), open("/dev/full", "w") as full:
                process = subprocess.run([str(INFO), *words], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual((process.returncode, process.stderr), (1, "tpp-info: error: stdout: cannot write: No space left on device\n"))

    def test_providers_of_every_build_work(self):
        for provider in ("auto", "native", "reference"):
            self.assertRegex(self.output("providers"), rf"(?m)^  {provider} +works ")

    def test_a_working_xsmm_names_its_version(self):
        line = re.search(r"(?m)^  xsmm .*", self.output("providers")).group()
        self.assertRegex(line, r"^  xsmm +(works .* \(built with libxsmm \S.*\)|unavailable provider xsmm: \S.*)$")

    def test_kernels_are_rows_of_the_registry(self):
        rows = self.output("kernels").splitlines()[2:]
        self.assertGreater(len(rows), 0)
        for row in rows:
            self.assertRegex(row, r"^  tpp_uk_(\w+)_\w+ +\1 +(native|reference) +\w+ +(-|\d+x\d+) +(yes|no)$")
        self.assertTrue(any(" brgemm " in row and row.endswith("yes") for row in rows))

    def test_a_target_runs_here_when_a_kernel_of_it_does(self):
        here = set(re.findall(r"(?m)^  (\w+) +runs here", self.output("targets")))
        rows = (row.split() for row in self.output("kernels").splitlines()[2:])
        self.assertEqual(here, {row[3] for row in rows if row[5] == "yes"})

    def test_brgemm_tells_the_candidates_and_the_choice(self):
        shape = ("brgemm", "--m=64", "--n=64", "--k=64")
        for words, provider in ((("--provider=reference", ), "reference"), (("--provider=native", ), "native"),
                                (("--provider=native", "--batch=4", "--b-panel=16", "--post=bias,relu,residual", "--beta=1"), "native")):
            with self.subTest(words=words):
                lines = self.output(*shape, *words).splitlines()
                self.assertRegex(lines[-1], rf"^chosen: \S+ \({provider}\)$")
                chosen = lines[-1].split()[1]
                self.assertTrue(any(chosen in line for line in lines[:-1]), "the log names the winner")

    def test_brgemm_costs_more_where_rows_push_each_other_out_of_the_cache(self):
        def nanoseconds(n, lda):
            text = self.output("brgemm", "--m=256", f"--n={n}", "--k=1000", f"--lda={lda}")
            return {name: float(ns) for name, ns in re.findall(r"(tpp_uk_brgemm_f32_13x32_avx3|xsmm_brgemm_\w+) +([0-9.]+) ns", text)}

        # In libxsmm's kernels for several vectors of columns, tiles have few rows, so rows of A cause no conflict misses.
        for n, pays in ((16, ("tpp", "xsmm")), (17, ("tpp", ))):
            apart, together = nanoseconds(n, 1008), nanoseconds(n, 1024)
            if not together:
                self.skipTest("this machine runs none of the kernels compared here")
            for name, ns in together.items():
                if name.startswith(pays):
                    self.assertGreaterEqual(ns, 1.05 * apart[name], name)
                else:
                    self.assertEqual(ns, apart[name], name)

    def test_bad_input_has_its_own_message(self):
        shape = ("brgemm", "--m=4", "--n=4", "--k=4")
        rows = [
            (("frobnicate", ), "unknown command 'frobnicate' (see --help)"),
            (("kernels", "x"), "'kernels' takes no arguments, 'x' is given"),
            (("machine", "x"), "'machine' takes no arguments, 'x' is given"),
            (("--frobnicate", ), "unknown flag '--frobnicate' (see --help)"),
            (("--calibrat", ), "unknown flag '--calibrat', did you mean '--calibrate'?"),
            (("--calibrate", "x"), "'x' is superfluous"),
            (("--calibrate", "-o"), "flag '-o' needs a value: -o FILE"),
            (("-o", "x"), "-o has an effect only with --calibrate"),
            (("brgemm", ), "--m is missing"),
            (("brgemm", "--m=4", "--n=4"), "--k is missing"),
            (("brgemm", "--m=-4", "--n=4", "--k=4"), "--m: '-4' is not an integer from 0 to 1099511627776"),
            (("brgemm", "--m=1e9", "--n=4", "--k=4"), "--m: '1e9' is not an integer from 0 to 1099511627776"),
            ((*shape, "--beta=2"), "--beta is neither 0 nor 1"),
            ((*shape, "--type=f8"), "--type: 'f8' is none of f32, bf16, f16, i8, u8"),
            ((*shape, "--b-vnni=3"), "--b-vnni is none of 1, 2, 4"),
            ((*shape, "--provider=mkl"), "--provider: 'mkl' is none of auto, xsmm, native, reference"),
            ((*shape, "--unroll=4"), "unknown flag '--unroll' (see --help)"),
            ((*shape, "x"), "'x' is superfluous"),
            ((*shape, "--post=" + ",".join(["relu"] * 17)), "--post: at most 16 steps are possible"),
        ]
        for words, message in rows:
            with self.subTest(words=words):
                process = run(INFO, *words)
                self.assertEqual((process.returncode, process.stdout, process.stderr), (1, "", f"tpp-info: error: {message}\n"))

    def test_what_the_runtime_refuses_is_told(self):
        process = run(INFO, "brgemm", "--m=4", "--n=4", "--k=4", "--ldc=3")
        self.assertEqual(process.returncode, 1)
        self.assertIn("leading dimension", process.stderr)


if __name__ == "__main__":
    unittest.main()
