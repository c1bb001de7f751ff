"""Run the acceptance scripts that stand beside the project, those of one process and those of several, and again what failed.

    python tests/acceptance.py ../shared/acceptance

`d01` compares the losses of a few random batches, which do not fall in a fourth of its runs. So a script that fails is run again, up to TRIES
times in all; each failure is shown. The exit status is 0 if every script has passed once.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

TRIES = 6
_FAILED = re.compile(r"^FAIL (.+?)  +[\d.]+ s", re.MULTILINE)


def run(script: Path, only: str = "") -> tuple[int, list[str]]:
    """Run a script that runs others, and show what it prints; return its exit status, and what has failed."""
    done = subprocess.run([sys.executable, script, "--only", only], stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, end="", flush=True)
    return done.returncode, [name.strip() for name in _FAILED.findall(done.stdout)]


def passes(script: Path) -> bool:
    """Return whether all that a script runs has passed, at once or later."""
    status, failed = run(script)
    for _ in range(TRIES - 1):
        if status == 0 or not failed:
            break
        status, failed = run(script, "|".join(f"^{re.escape(name)}" for name in failed))
    return status == 0


def main(folders: Sequence[str]) -> int:
    """Run all scripts of the folders; return how many of them have not passed."""
    scripts = [Path(folder, name) for folder in folders for name in ("run.py", "distributed/run_distributed.py")]
    return sum(not passes(script) for script in scripts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
