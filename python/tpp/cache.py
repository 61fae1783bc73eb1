"""Compiled models on disk."""
from __future__ import annotations

import hashlib
import json
import logging
import os
import pathlib
import secrets
import time
import typing

from tpp import _native
from tpp.errors import CompileError

log = logging.getLogger("tpp")

DEFAULT_MIB = 1024
OLD_SECONDS = 3600.0  # of temporary files: their process has ended


def make_folder(folder: pathlib.Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


class Cache:
    """Files of compiled models and of reasons why a program cannot be compiled, by a key. Several processes may use the same folder. The least recently used
    files are removed when there are too many. What the file system refuses is not kept, with a message of the logger `tpp`."""

    def __init__(self, folder: pathlib.Path, most_bytes: int) -> None:
        self.folder, self.most_bytes = folder, most_bytes

    @staticmethod
    def of_user() -> Cache | None:
        """The cache that the environment variables say: TPP_CACHE_DIR (default: `tpp` in XDG_CACHE_HOME or ~/.cache; empty: no cache) and TPP_CACHE_MIB."""
        chosen = os.environ.get("TPP_CACHE_DIR")
        if chosen == "" or not _native.identity():
            return None
        try:
            folder = pathlib.Path(chosen or os.path.join(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "tpp")).absolute()
            size = os.environ.get("TPP_CACHE_MIB") or str(DEFAULT_MIB)
            if not size.isdecimal():
                raise ValueError(f"TPP_CACHE_MIB is '{size}', must be a number of MiB")
            make_folder(folder)
            # Files contain machine code: nobody else may write them.
            status = folder.stat()
            if status.st_uid != os.geteuid() or status.st_mode & 0o022:
                raise PermissionError(f"{folder} belongs to another user, or others may write to it")
            return Cache(folder, int(size) << 20)
        except (OSError, RuntimeError, ValueError) as error:
            log.warning("compiled models are not kept: %s", error)
            return None

    @staticmethod
    def key(*parts: typing.Any) -> str:
        """Of anything whose repr says all that matters; of this build and this processor as well."""
        return hashlib.sha256(repr((_native.identity(), *parts)).encode()).hexdigest()

    def load(self, key: str) -> _native.Model | None:
        path = self.path(key, "tpp")
        if not path.exists():
            return None
        self.touch(path)
        try:
            return _native.load(str(path))
        except CompileError as error:  # damaged: it is made again
            log.warning("%s is removed: %s", path, error)
            self.remove(path)
        except (OSError, RuntimeError) as error:
            if path.exists():  # else another process has removed it
                log.warning("a compiled model is not used: %s", error)
        return None

    def store(self, key: str, model: _native.Model) -> None:
        try:
            make_folder(self.folder)
            model.save(str(self.path(key, "tpp")))
            self.shrink()
        except OSError as error:
            log.warning("a compiled model is not kept: %s", error)

    def load_reason(self, key: str) -> dict[str, typing.Any] | None:
        """What `store_reason` stored: the number of an operation and why it cannot be lowered. A damaged file is removed."""
        path = self.path(key, "json")
        try:
            reason = json.loads(path.read_text(encoding="utf-8"))
        except OSError:
            return None
        except ValueError:
            reason = None
        if not isinstance(reason, dict) or not isinstance(reason.get("node"), int) or not isinstance(reason.get("why"), str):
            self.remove(path)
            return None
        self.touch(path)
        return reason

    def store_reason(self, key: str, reason: dict[str, typing.Any]) -> None:
        temporary = self.path(key, f"{secrets.token_hex(8)}.tmp")
        try:
            make_folder(self.folder)
            temporary.write_text(json.dumps(reason), encoding="utf-8")
            temporary.replace(self.path(key, "json"))
        except OSError as error:
            log.warning("a reason is not kept: %s", error)
            self.remove(temporary)

    def shrink(self) -> None:
        """Removes the least recently used files until the others are small enough."""
        files, total = [], 0
        for entry in os.scandir(self.folder):
            try:
                status = entry.stat()
            except FileNotFoundError:  # another process removed it
                continue
            if entry.name.endswith(".tmp"):
                if time.time() - status.st_mtime > OLD_SECONDS:
                    self.remove(pathlib.Path(entry.path))
            elif entry.name.endswith((".tpp", ".json")):
                files.append((status.st_mtime, status.st_size, entry.path))
                total += status.st_size
        for _, size, path in sorted(files):
            if total <= self.most_bytes:
                break
            self.remove(pathlib.Path(path))
            total -= size

    def path(self, key: str, ending: str) -> pathlib.Path:
        return self.folder / f"{key}.{ending}"

    @staticmethod
    def touch(path: pathlib.Path) -> None:
        """Notes that a file is in use."""
        try:
            os.utime(path)
        except OSError:  # a folder that only others may write
            pass

    @staticmethod
    def remove(path: pathlib.Path) -> None:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            log.warning("cannot remove %s: %s", path, error)
