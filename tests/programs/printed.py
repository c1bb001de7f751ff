"""What programs print, as text and numbers that can be compared; used by record.py, too, on Python 3.7."""

import re

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\bnan\b|\binf\b)")
ADVICE = re.compile(r"(With sparse|Sparse) mode")  # what PaddlePaddle prints of its own


def lines_of(text):
    """The lines of a program, without what NumPy's versions print differently: spaces, types, "dtype=int64"."""
    text = re.sub(r"np\.\w+\(([^()]*)\)", r"\1", text.replace(", dtype=int64", ""))
    text = re.sub(r"\s*([\[\],])[ \t]*", r"\1", re.sub(r",\s*\n\s*", ",", text))
    text = re.sub(r"\]\n?\[", "][", text)
    return [" ".join(line.split()) for line in text.splitlines() if line.strip() and not ADVICE.match(line)]


def text_of(line):
    """The line with # for each number."""
    return NUMBER.sub("#", line)


def numbers_of(line):
    """Its numbers."""
    return [float(number) for number in NUMBER.findall(line)]
