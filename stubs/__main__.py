"""`python -m stubs`."""

from __future__ import annotations

import argparse
import sys

from .tree import outdated, write

parser = argparse.ArgumentParser(prog="python -m stubs", description="Write the type stubs of paddle_lite.")
parser.add_argument("--check", action="store_true", help="only list those that are out of date")
if parser.parse_args().check:
    wrong = outdated()
    sys.exit("\n".join(wrong) if wrong else 0)
print(f"{write()} files written")
