"""The output files of an import. Either all of them get their final names at the end, or none does."""
import os
import shutil
import subprocess
import tempfile

from tpp.importing.problem import Problem

SUFFIXES = (".mlirbc", ".mlir")


def find_mlir_opt():
    """Returns the path of MLIR 22's mlir-opt. torch-mlir contains a later MLIR: MLIR 22 reads its text, but not its bytecode."""
    found = shutil.which("mlir-opt-22") or shutil.which("mlir-opt", path="/usr/lib/llvm-22/bin")
    if not found:
        raise Problem("mlir-opt-22 is not installed: run tools/setup")
    return found


class TextSink:
    """A file to print IR to. MLIR calls write() from C++, so an error is kept, and the caller raises it after printing."""

    def __init__(self, file):
        self.file, self.error = file, None

    def write(self, text):
        if self.error is None:
            try:
                self.file.write(text)
            except OSError as error:
                self.error = error


class Outputs:
    """Writes files to a temporary folder beside the model, so that finished files only have to be renamed."""

    def __init__(self, model):
        self.model = model
        self.stem = model[:-len(os.path.splitext(model)[1])] if model.endswith(SUFFIXES) else model
        self.folder, self.names = None, []

    def __enter__(self):
        parent = os.path.dirname(os.path.abspath(self.model))
        if os.path.isdir(self.model):
            raise Problem(f"{self.model}: cannot write: Is a directory")
        try:
            self.folder = tempfile.mkdtemp(prefix=".tpp-import-", dir=parent)
        except OSError as error:
            raise Problem(f"{self.model}: cannot write: {error.strerror}") from error
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def _place(self, name):
        self.names.append(name)
        return os.path.join(self.folder, os.path.basename(name))

    def file(self, suffix, save):
        """Creates a file beside the model; `save` writes its content to an open file. Returns the final path."""
        path = f"{self.stem}.{suffix}"
        try:
            with open(self._place(path), "wb") as file:
                save(file)
        except OSError as error:
            raise Problem(f"{path}: cannot write: {error.strerror or error}") from error
        return path

    def module(self, show):
        """Writes the module as bytecode, or as text if the name ends in .mlir. `show` prints it to a sink. Returns the size in bytes."""
        text = os.path.join(self.folder, "text")
        target = self._place(self.model)
        try:
            with open(text, "w", encoding="utf-8", buffering=1 << 20) as file:
                sink = TextSink(file)
                show(sink)
                if sink.error:
                    raise sink.error
        except OSError as error:
            raise Problem(f"{self.model}: cannot write: {error.strerror}") from error
        form = "--mlir-print-debuginfo" if self.model.endswith(".mlir") else "--emit-bytecode"
        done = subprocess.run([find_mlir_opt(), text, form, "-o", target], capture_output=True, text=True)
        size = os.path.getsize(text)
        os.unlink(text)
        if done.returncode:
            if shutil.disk_usage(self.folder).free < size:
                raise Problem(f"{self.model}: cannot write: No space left on device")
            raise Problem(f"MLIR 22 does not accept what torch-mlir made:\n{done.stderr.strip().replace(text, self.model)[:2000]}")
        return os.path.getsize(target)

    def commit(self):
        """Renames all files to their final names. The model comes last, so that its arrays exist whenever it exists."""
        for name in sorted(self.names, key=lambda each: each == self.model):
            try:
                os.replace(os.path.join(self.folder, os.path.basename(name)), name)
            except OSError as error:
                raise Problem(f"{name}: cannot write: {error.strerror}") from error
