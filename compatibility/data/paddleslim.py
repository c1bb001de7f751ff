"""Put PaddleSlim beside the demonstrations, and write data sets: `paddleslim.py mnist cifar`."""

import sys
from pathlib import Path

import datasets

if __name__ == "__main__":
    Path("..", "paddleslim").symlink_to("../paddleslim")
    for name in sys.argv[1:]:
        getattr(datasets, name)()
