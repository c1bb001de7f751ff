"""Run the examples of 1.8.5's docstrings on both sides: `python -m compatibility.examples --fluid PYTHON`.

It writes `docs/examples-of-1.8.md`, and with `--differences` prints both outputs where they differ. The examples are read from the
installed PaddlePaddle; none is kept.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "examples-of-1.8.md"
NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")
Found = dict[str, tuple[int, str]]  # status and output by the name of an example

TEXT = """\
# The examples of 1.8.5's own documentation

The docstrings of PaddlePaddle 1.8.5 contain examples. This command takes them from an installed 1.8.5, runs each of them
unmodified on both sides, and writes this page:

    python -m compatibility.examples --fluid PYTHON-OF-1.8.5

Of {all} examples, {there} run on 1.8.5; the others need a GPU, other processes or missing data, or are wrong. Of
these {there}, **{here} run on paddle_lite**, as do {more} that 1.8.5 cannot run. The others:

| example of | error of paddle_lite |
| --- | --- |
{rows}

Many of these examples build a Program that no feed fits, but do not run it. paddle_lite refuses such a Program when it is built
([Differences](differences.md)).
"""


def both(fluid: str, only: str) -> tuple[Found, Found]:
    """Run the examples whose names contain `only` on 1.8.5 and here."""
    threads = {"OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    with tempfile.TemporaryDirectory() as folder:
        examples, results = Path(folder, "examples.json"), Path(folder, "results.json")
        printed = subprocess.run([fluid, HERE / "collect.py"], check=True, stdout=subprocess.PIPE, cwd=folder).stdout
        sources = json.loads(printed.splitlines()[-1])
        examples.write_text(json.dumps({name: text for name, text in sources.items() if only in name}))
        found: list[Found] = []
        for start, path in ([fluid], ""), ([sys.executable, "-m", "paddle_lite", "run"], str(ROOT)):
            environment = {**os.environ, **threads, "PYTHONPATH": path}
            command = [*start, HERE / "each.py", examples, results]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment, cwd=folder)
            found.append(json.loads(results.read_text()))
    return found[0], found[1]


def reason(output: str) -> str:
    """Return the line of an output that says what went wrong."""
    lines = [
        line.strip() for line in output.splitlines() if re.match(r"[\w.]*(Error|Exception|NotYetAvailable)\b", line)
    ]
    return (lines or ["no error"])[-1].replace("paddle_lite.core.errors.", "").replace("|", "\\|")


def page(theirs: Found, ours: Found) -> str:
    """Return the page."""
    there = [name for name, (status, _) in theirs.items() if not status]
    failing = [name for name in there if ours[name][0]]
    more = sum(bool(status) and not ours[name][0] for name, (status, _) in theirs.items())
    rows = [f"| `{name.split('#')[0]}` | {reason(ours[name][1])} |" for name in failing]
    counts = {"all": len(theirs), "there": len(there), "here": len(there) - len(failing), "more": more}
    return TEXT.format(**counts, rows="\n".join(rows))


def numbers(output: str) -> list[float]:
    """Return the numbers of an output, without those of warnings and log lines."""
    lines = [line for line in output.splitlines() if not re.search(r"(?i)warn|/|INFO|^[IWE]\d{4}", line)]
    return [float(found) for found in NUMBER.findall("\n".join(lines))]


def differing(theirs: Found, ours: Found) -> list[str]:
    """Return the names of examples that print other numbers here, random ones among them."""
    ran = [name for name in theirs if not (theirs[name][0] or ours[name][0])]
    pairs = [(name, numbers(theirs[name][1]), numbers(ours[name][1])) for name in ran]
    return [
        name
        for name, a, b in pairs
        if len(a) != len(b) or any(abs(x - y) > 1e-4 * max(1.0, abs(x)) for x, y in zip(a, b, strict=True))
    ]


def main() -> int:
    """Run the command line; return 0."""
    parser = argparse.ArgumentParser(prog="python -m compatibility.examples", description=__doc__)
    parser.add_argument("--fluid", required=True, help="the Python in which PaddlePaddle 1.8.5 is installed")
    parser.add_argument(
        "--only", default="", help="a part of the names of the examples to run; the page is not written"
    )
    parser.add_argument("--differences", action="store_true", help="print both outputs where their numbers differ")
    given = parser.parse_args()
    theirs, ours = both(given.fluid, given.only)
    if given.differences:
        for name in differing(theirs, ours):
            print(f"=== {name}\n--- 1.8.5\n{theirs[name][1]}\n--- here\n{ours[name][1]}")
    text = page(theirs, ours)
    if given.only:
        print(text)
    else:
        PAGE.write_text(text, encoding="utf8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
