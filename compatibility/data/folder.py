"""Makes empty folders that a program expects to be there: `folder.py NAME ...`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).mkdir(parents=True, exist_ok=True)
