"""Put a small gym, and PARL itself, beside a program: `parl.py ../../parl`."""

import shutil
import sys
from pathlib import Path

from link import link

if __name__ == "__main__":
    shutil.copytree(Path(__file__).parent / "stand_ins" / "gym", "gym")
    link(sys.argv[1:], Path())
