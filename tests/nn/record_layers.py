"""Record what Layers do in real PaddlePaddle 1.8.5:

    PYTHON_WITH_PADDLE_1_8_5 tests/nn/record_layers.py                 (from the root of the repository)

It runs the cases of recorded_cases.py and writes recorded_layers.npz beside them, with keys "<kind>/<case>/<what>".
"""

import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.nn.recorded_cases import FUNCTIONS, LAYERS, run  # noqa: E402


def main():
    import paddle.fluid as fluid

    store = {}
    for kind, cases in (("layer", LAYERS), ("function", FUNCTIONS)):
        for name, case in cases.items():
            found = run(fluid, case, kind == "layer")
            store.update({"/".join((kind, name, key)): value for key, value in found.items()})
    np.savez_compressed(os.path.join(HERE, "recorded_layers.npz"), **store)
    print("%d cases, %d arrays" % (len(LAYERS) + len(FUNCTIONS), len(store)))


if __name__ == "__main__":
    main()
