"""Runs code that may end the process in a child process."""
from __future__ import annotations

import collections.abc
import faulthandler
import os
import pickle
import resource
import signal
import tempfile
import typing
import warnings


class Crash(Exception):
    """The child process ended without an answer. The text says how."""


def call(work: collections.abc.Callable[[], typing.Any]) -> typing.Any:
    """Returns what `work` returns, or raises what it raises, in a copy of this process. Both must be picklable. `work` must start no threads, and use nothing
    that threads of this process may hold.

    Raises:
      Crash: the copy was ended by a signal, or ended itself.
    """
    reader, writer = os.pipe()
    with tempfile.TemporaryFile() as words, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # that this process has threads
        child = os.fork()
        if child == 0:
            os.close(reader)
            answer_and_exit(work, writer, words.fileno())
        os.close(writer)
        status = 0
        try:
            with os.fdopen(reader, "rb") as answers:
                answer = answers.read()
        except BaseException:  # an interrupt too
            os.kill(child, signal.SIGKILL)
            raise
        finally:
            try:
                status = os.waitpid(child, 0)[1]
            except ChildProcessError:
                pass  # the program ignores what becomes of children
        if not answer:
            words.seek(0)
            raise Crash(describe(status, words.read().decode(errors="replace")))
    succeeded, value = pickle.loads(answer)
    if not succeeded:
        raise value
    return value


def answer_and_exit(work: collections.abc.Callable[[], typing.Any], writer: int, words: int) -> typing.NoReturn:
    try:
        faulthandler.disable()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(words, 2)
        try:
            answer = True, work()
        except Exception as error:
            answer = False, error
        with os.fdopen(writer, "wb") as answers:
            pickle.dump(answer, answers)
    finally:
        os._exit(0)


def describe(status: int, words: str) -> str:
    how = f"was ended by {signal.Signals(os.WTERMSIG(status)).name}" if os.WIFSIGNALED(status) else f"exited with {os.waitstatus_to_exitcode(status)}"
    said = next((line.strip() for line in words.splitlines() if "LLVM ERROR" in line or "Assertion" in line), "")
    return how + (f": {said}" if said else "")
