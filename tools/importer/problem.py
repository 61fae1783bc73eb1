"""Shared by all modules of the importer: errors that the user can fix, and progress output."""
import contextlib
import difflib
import io
import logging
import sys
import time


def near(name, names):
    """Returns ' (did you mean ...?)' with up to three names similar to `name`, or an empty string if there are none."""
    lower = {each.lower(): each for each in names}
    found = [lower[each] for each in difflib.get_close_matches(name.lower(), list(lower), n=3, cutoff=0.65)]
    return f" (did you mean {' or '.join(found)}?)" if found else ""


class Step:
    """One line of progress. The name is printed at once, the duration and the result when the step is done."""

    def __init__(self, name):
        self.name, self.result = name, ""

    def done(self, result):
        self.result = result


@contextlib.contextmanager
def step(name):
    begin = time.monotonic()
    live = sys.stdout.isatty()
    if live:
        print(f"{name:9s} ...", end="", flush=True)
    current = Step(name)
    try:
        yield current
    except BaseException:
        if live:
            print()
        raise
    start = "\r" if live else ""
    print(f"{start}{name:9s} {time.monotonic() - begin:6.1f} s  {current.result}", flush=True)


def show_bytes(count):
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes"


def show_count(count):
    for name, size in (("billion", 10**9), ("million", 10**6)):
        if count >= size:
            return f"{count / size:.1f} {name} parameters"
    return f"{count} parameters"


@contextlib.contextmanager
def quiet():
    """Suppresses output and log messages. PyTorch prints pages of text in addition to an exception that has all information."""
    logging.disable(logging.ERROR)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.disable(logging.NOTSET)
