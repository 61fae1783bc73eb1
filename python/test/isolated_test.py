"""Running code that may end the process in a copy of it."""
import os
import signal
import threading
import time
import unittest

from tpp.importing import isolated
from tpp.importing.problem import Problem


def raising(error):
    raise error


class IsolatedTest(unittest.TestCase):

    def test_it_returns_the_value(self):
        for value in (None, b"", b"x" * (1 << 20), ["text", 1]):
            self.assertEqual(isolated.call(lambda value=value: value), value)
        self.assertNotEqual(isolated.call(os.getpid), os.getpid())

    def test_it_raises_the_error(self):
        with self.assertRaisesRegex(KeyError, "name"):
            isolated.call(lambda: raising(KeyError("name")))
        with self.assertRaisesRegex(Problem, "^the text$") as caught:
            isolated.call(lambda: raising(Problem("the text", "brief", 7)))
        self.assertEqual((caught.exception.brief, caught.exception.node), ("brief", 7))

    def test_a_crash_is_an_error(self):
        ends = ((lambda: os.kill(os.getpid(), signal.SIGSEGV), "was ended by SIGSEGV$"), (lambda: os._exit(3), "exited with 3$"),
                (lambda: (os.write(2, b"LLVM ERROR: out of memory\n"), os.abort()), "was ended by SIGABRT: LLVM ERROR: out of memory$"))
        for end, text in ends:
            with self.assertRaisesRegex(isolated.Crash, text):
                isolated.call(end)

    def test_an_interrupt_ends_the_copy(self):
        thread = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
        thread.start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            isolated.call(lambda: time.sleep(600))
        self.assertLess(time.monotonic() - begin, 300)
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, 0)  # there is no child left


if __name__ == "__main__":
    unittest.main()
