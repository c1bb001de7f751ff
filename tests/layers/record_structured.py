"""Record the numbers of structured_cases.py with PaddlePaddle 1.8.5's Python, from the root of the repository."""

import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.layers.structured_cases import CASES, numbers  # noqa: E402


def main():
    import paddle.fluid as fluid

    arrays = {}
    for name in sorted(CASES):
        for key, value in numbers(fluid, name).items():
            arrays["%s: %s" % (name, key)] = value
    np.savez_compressed(os.path.join(HERE, "structured.npz"), **arrays)
    print(len(CASES), "recorded")


if __name__ == "__main__":
    main()
