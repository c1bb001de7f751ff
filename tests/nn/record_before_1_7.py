"""Record what layers do in the form of Fluid 1.3 to 1.6:

    PYTHON_WITH_PADDLE_1_6 tests/nn/record_before_1_7.py               (from the root of the repository)

It runs the cases of cases_before_1_7.py and writes before_1_7.npz beside them, with keys "<case>/<what>". What is recorded is what the
Python layers of October 2019 do on the operators of 1.8.5. The package paddlepaddle-tiny has 1.6.1, which gives the same numbers, to
1e-5; it ends in "layer_norm without shift", by a fault of its kernel.
"""

import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.nn.cases_before_1_7 import CASES, run  # noqa: E402


def main():
    import paddle.fluid as fluid

    store = {"/".join((name, key)): value for name, case in CASES.items() for key, value in run(fluid, case).items()}
    np.savez_compressed(os.path.join(HERE, "before_1_7.npz"), **{key.replace("/", "|"): v for key, v in store.items()})
    print("%d cases, %d arrays" % (len(CASES), len(store)))


if __name__ == "__main__":
    main()
