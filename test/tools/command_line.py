"""Shared by the command-line tests: running the tools, and .npy files without numpy."""
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["TPP_SOURCE"])
BIN = pathlib.Path(os.environ["TPP_BIN"])
MLIR_OPT = os.environ["MLIR_OPT"]
GEN = SOURCE / "tools" / "gen"


def run(*words, variables=None, **options):
    """Runs a command, with these environment variables, and returns the finished process, with its output as text. A crash (death by a signal) fails the test."""
    # Gives the sanitizers an exit status of their own, so that their reports do not look like an expected error.
    environment = dict(os.environ, **(variables or {}), ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":exitcode=99", UBSAN_OPTIONS="exitcode=99")
    process = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, env=environment, **options)
    if process.returncode < 0 or process.returncode == 99:
        raise AssertionError(f"{words} died with {process.returncode}:\n{process.stderr}")
    return process


def npy(descriptor, shape, data, header=None):
    """The content of a version 1.0 .npy file."""
    text = header or str({"descr": descriptor, "fortran_order": False, "shape": tuple(shape)})
    text = text.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data


def read_npy(path):
    """Reads a version 1.0 .npy file. Returns (descriptor, shape, data)."""
    content = pathlib.Path(path).read_bytes()
    assert content[:8] == b"\x93NUMPY\x01\x00", content[:8]
    length, = struct.unpack("<H", content[8:10])
    header = eval(content[10:10 + length].decode(), {"__builtins__": {}})
    return header["descr"], header["shape"], content[10 + length:]


class CommandLineTest(unittest.TestCase):
    """A test with its own temporary directory."""
    maxDiff = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def file(self, name, content=None):
        path = self.directory / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif content is not None:
            path.write_text(content)
        return path

    def generate(self, name, *words):
        """Writes a model with tools/gen. Returns its path."""
        path = self.directory / name
        process = run(GEN, *words, "-o", path)
        self.assertEqual(process.returncode, 0, process.stderr)
        return path

    def bytecode(self, path):
        """Converts a model to bytecode. Returns the path."""
        result = path.with_suffix(".mlirbc")
        process = run(MLIR_OPT, path, "--emit-bytecode", "-o", result)
        self.assertEqual(process.returncode, 0, process.stderr)
        return result
