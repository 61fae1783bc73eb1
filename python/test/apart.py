"""Calls a function in a process of its own, which may end by a signal."""
import os
import signal


def call_apart(function, seconds):
    """The text that `function` returns, and the number of the signal that ended its process, or 0. SIGALRM ends it after `seconds`."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.write(writable, function().encode()[:60000])
        os._exit(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as pipe:
        text = pipe.read().decode(errors="replace")
    status = os.waitpid(child, 0)[1]
    return text, os.WTERMSIG(status) if status else 0
