"""Run the acceptance scripts that stand beside the project, those of one process beside those of several, and again what failed.

    python tests/acceptance.py ../shared/acceptance

`d01` compares the losses of a few random batches, which do not fall in a fourth of its runs. So a script that fails is run again, up to TRIES
times in all; each failure is shown. The exit status is 0 if every script has passed once.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TRIES = 6
_EVEN = r"d\d[02468]"  # how the names of half of the distributed jobs begin
PARTS = (
    ("distributed/run_distributed.py", f"^(?!{_EVEN})"),
    ("distributed/run_distributed.py", f"^{_EVEN}"),
    ("run.py", ""),
)
_FAILED = re.compile(r"^FAIL (.+?)  +[\d.]+ s", re.MULTILINE)


def run(script: Path, only: str = "") -> tuple[int, list[str]]:
    """Run a script that runs others, and show what it prints; return its exit status, and what has failed."""
    done = subprocess.run([sys.executable, script, "--only", only], stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, end="", flush=True)
    return done.returncode, [name.strip() for name in _FAILED.findall(done.stdout)]


def passes(script: Path, only: str = "") -> bool:
    """Return whether all that a script runs, or what a regular expression finds of it, has passed, at once or later."""
    status, failed = run(script, only)
    for _ in range(TRIES - 1):
        if status == 0 or not failed:
            break
        status, failed = run(script, "|".join(f"^{re.escape(name)}" for name in failed))
    return status == 0


def main(folders: Sequence[str]) -> int:
    """Run all scripts of the folders, two at a time; return how many of them have not passed.

    Distributed jobs wait as long as they compute, so half of them run beside the other half.
    """
    parts = [(Path(folder, name), only) for folder in folders for name, only in PARTS]
    with ThreadPoolExecutor(2) as both:
        return sum(not passed for passed in both.map(lambda part: passes(*part), parts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
