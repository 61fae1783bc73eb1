"""What is wrong with a model, or cannot be done with it."""


class Problem(Exception):
    """An error that the user can fix. Its text is the whole message."""
