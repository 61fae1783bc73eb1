"""Reads files of problems: one per line, as words; # starts a comment."""


def read_problems(path, is_problem, expected):
    """The words of each line. Exits with a message at the first line that is_problem(words) rejects; `expected` describes valid lines."""
    problems = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split("#")[0].split()
            if words and not is_problem(words):
                raise SystemExit(f"{path}:{number}: expected {expected}")
            if words:
                problems.append(words)
    return problems
