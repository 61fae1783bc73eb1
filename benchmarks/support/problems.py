"""Files of problems: one in each line, as words; what stands behind # is a comment."""


def read_problems(path, is_problem, expected):
    """The words of each line. Ends the program at a line that is none, by `is_problem`, with what was `expected`."""
    problems = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split("#")[0].split()
            if words and not is_problem(words):
                raise SystemExit(f"{path}:{number}: expected {expected}")
            if words:
                problems.append(words)
    return problems
