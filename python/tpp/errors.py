"""The errors that TPP raises."""
from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """What the compiler says about a program."""

    severity: str
    """`error`, `warning`, `remark` or `note`; a note belongs to the diagnostic before it."""
    message: str
    file: str
    """Of the program, or that its debug information names."""
    line: int
    """From 1; 0 if there is no position."""
    column: int

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.severity}: {self.message}"


class Error(RuntimeError):
    """A model cannot be compiled, loaded or run."""

    def __init__(self, message: str, status: str = "") -> None:
        super().__init__(message)
        self.status = status
        """The name of the C API's status, for instance `ASSERTION`."""


class CompileError(Error):
    """The program is not valid, or cannot be compiled."""

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message, "INVALID_PROGRAM")
        self.diagnostics = diagnostics
        """The compiler's messages, with their positions."""


def make(status: int, message: str, diagnostics: list[tuple[str, str, str, int, int]]) -> Exception:
    """The exception for a failure of the C API. Called by the extension module."""
    from tpp import _native
    name = _native.status_name(status)
    if name == "INVALID_ARGUMENT":
        return ValueError(message)
    if name == "FILE":
        return OSError(message)
    if name == "OUT_OF_MEMORY":
        return MemoryError(message)
    if name == "INVALID_PROGRAM":
        return CompileError(message, tuple(Diagnostic(*each) for each in diagnostics))
    return Error(message, name)
