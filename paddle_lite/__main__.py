"""`python -m paddle_lite`."""

import sys

from paddle_lite.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
