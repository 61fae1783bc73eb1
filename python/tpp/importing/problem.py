"""What is wrong with a model, or cannot be done with it."""
from __future__ import annotations


class Problem(Exception):
    """An error that the user can fix. Its text is the whole message."""

    def __init__(self, text: str, brief: str = "", node: int | None = None) -> None:
        super().__init__(text)
        self.brief = brief or text
        """The message in one line, without the place."""
        self.node = node
        """The number of the node of the graph that cannot be lowered, if it is known."""

    def __reduce__(self) -> tuple[type[Problem], tuple[str, str, int | None]]:
        return Problem, (str(self), self.brief, self.node)
