"""Record what calls give in the form that they had before 1.8: `PYTHON tests/fluid/record_former_calls.py`, with the Python of 1.6.1.

The package paddlepaddle-tiny has 1.6.1. It writes former_calls.npz with keys "<case>/<step> <result>".
"""

import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.fluid.former_calls import CASES, run  # noqa: E402


def main():
    import paddle.fluid as fluid

    found = {name + "|" + key: value for name, case in CASES.items() for key, value in run(fluid, case).items()}
    np.savez_compressed(os.path.join(HERE, "former_calls.npz"), **found)
    print("%d cases, %d arrays" % (len(CASES), len(found)))


if __name__ == "__main__":
    main()
