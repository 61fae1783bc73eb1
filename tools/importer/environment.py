"""The importer's Python environment, build/import: creates it, finds it, and restarts the importer in it."""
import importlib.util
import os
import shutil
import subprocess
import sys

from tpp.importing.problem import Problem
from importer.problem import show_bytes

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FOLDER = os.path.join(ROOT, "build", "import")
NEEDED = ("numpy", "onnx", "onnxruntime", "safetensors", "torch", "torch_mlir", "torchvision", "transformers")
DOWNLOAD = 7 << 30  # bytes on disk, if PyTorch includes its GPU libraries
MARK = "TPP_IMPORT_STARTED"  # set for the interpreter that the importer starts, so that it does not start another one


def missing():
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]


def continue_inside(python, words):
    """Restarts the importer with the right interpreter: replaces this process, and returns only in the restarted one.

    Raises Problem if there is no such interpreter or if it lacks a needed package.
    """
    if os.environ.get(MARK):
        del os.environ[MARK]
        if lacks := missing():
            how = "give another --python" if python else "run tools/import --setup again"
            raise Problem(f"{sys.executable} lacks {', '.join(lacks)}: {how}")
        return
    target = python or os.path.join(FOLDER, "bin", "python")
    if not os.access(target, os.X_OK) or os.path.isdir(target):
        if python:
            raise Problem(f"--python (or TPP_IMPORT_PYTHON): {python} is not a Python interpreter")
        raise Problem("PyTorch and torch-mlir are not set up: run tools/import --setup (once), or give an interpreter that has them with --python")
    os.environ[MARK] = "1"
    sys.stdout.flush()
    try:
        os.execv(target, [target, os.path.join(ROOT, "tools", "import"), *words])
    except OSError as error:
        raise Problem(f"{target}: cannot be started: {error.strerror}") from error


def setup():
    """Creates or updates the environment. Shows pip's output, because the download is large."""
    parent = os.path.dirname(FOLDER)
    os.makedirs(parent, exist_ok=True)
    python = os.path.join(FOLDER, "bin", "python")
    if not os.access(os.path.join(FOLDER, "bin", "pip"), os.X_OK):
        free = shutil.disk_usage(parent).free
        if free < DOWNLOAD:
            raise Problem(f"{parent}: {show_bytes(free)} are free, up to {show_bytes(DOWNLOAD)} are needed")
        shutil.rmtree(FOLDER, ignore_errors=True)
        print(f"creating the environment build/import: a large download, up to {show_bytes(DOWNLOAD)} on disk", flush=True)
        if subprocess.run([sys.executable, "-m", "venv", FOLDER]).returncode:
            shutil.rmtree(FOLDER, ignore_errors=True)
            raise Problem(f"{sys.executable} cannot create an environment (its message is above): install python3-venv")
    requirements = os.path.join(HERE, "requirements.txt")
    if subprocess.run([python, "-m", "pip", "install", "--requirement", requirements]).returncode:
        raise Problem("pip could not install what tools/importer/requirements.txt lists (its message is above); run the command again to go on")
    check = "import sys, torch, torchvision, transformers, onnx, onnxruntime; from torch_mlir import fx; print('torch', torch.__version__, end='')"
    if subprocess.run([python, "-c", check]).returncode:
        raise Problem("the environment in build/import is broken (the message is above): remove that folder and run the command again")
    print(" is in build/import\ntry: tools/import torchvision:mobilenet_v2")
