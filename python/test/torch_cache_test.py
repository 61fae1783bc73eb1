"""Tests of the cache on disk of torch.compile(backend="tpp")."""
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock

import torch
import torch._dynamo
from torch._dynamo.utils import counters
from torch_check import Check, difference, randn

import tpp
import tpp.cache
import tpp.torch_backend


class TorchCacheTest(Check):

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
            self.check(lambda x: torch.frexp(x.exp().neg().add(3).relu())[0], [(randn(5),)], compiled=1, in_pytorch=1, reason="aten.frexp.Tensor at ")
            self.assertEqual(counters["tpp"]["cache_hits"], expected)
            self.assertEqual(len(list(cache.folder.glob("*.json"))) - before, 1 - expected)

    def test_damaged_reasons_are_found_anew(self):
        for damage in (None, "", "[]", "{}", '{"node": "1", "why": "because"}', '{"node": 1}'):
            with tempfile.TemporaryDirectory() as name:
                cache = tpp.cache.Cache(pathlib.Path(name), 1 << 20)
                cache.store_reason("key", {"node": 1, "why": "because"})
                if damage is None:
                    self.assertEqual(cache.load_reason("key"), {"node": 1, "why": "because"})
                    continue
                (cache.folder / "key.json").write_text(damage)
                self.assertIsNone(cache.load_reason("key"))
                self.assertEqual(list(cache.folder.iterdir()), [])

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
