"""Record what the programs of scripts/ print under real PaddlePaddle 1.8.5 into recorded.json.

    PYTHON_WITH_PADDLE_1_8_5 tests/programs/record.py        (from the root of the repository)

Runs on Python 3.7 and imports nothing of paddle_lite.
"""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.programs.printed import lines_of  # noqa: E402


def main():
    found, scripts = {}, os.path.join(HERE, "scripts")
    for name in sorted(os.listdir(scripts)):
        if name.endswith(".py"):
            with tempfile.TemporaryDirectory() as folder:
                command = [sys.executable, os.path.join(scripts, name)]
                found[name[:-3]] = lines_of(subprocess.check_output(command, cwd=folder, timeout=120).decode())
    with open(os.path.join(HERE, "recorded.json"), "w") as file:
        json.dump(found, file, indent=0)
        file.write("\n")


if __name__ == "__main__":
    main()
