"""Puts small modules of `stand_ins/` beside a program in the place of packages: `stand_in.py visualdl ...`."""

import shutil
import sys
from pathlib import Path

if __name__ == "__main__":
    for name in sys.argv[1:]:
        source = Path(__file__).parent / "stand_ins" / name
        if source.is_dir():
            shutil.copytree(source, source.name)
        else:
            shutil.copy(source.with_suffix(".py"), ".")
