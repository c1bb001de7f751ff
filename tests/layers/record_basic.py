"""Records basic.npz: `PYTHON tests/layers/record_basic.py`, with the Python that has PaddlePaddle 1.8.5."""

import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)


def main():
    import basic_cases
    import paddle.fluid as fluid

    recorded = {}
    for kind in basic_cases.KINDS:
        for case, options in basic_cases.RECURRENT.items():
            values, names = basic_cases.recurrent(fluid, kind, **options)
            recorded.update({"%s_%s_%d" % (kind, case, i): value for i, value in enumerate(values)})
            recorded["%s_%s_names" % (kind, case)] = np.array(names)
    np.savez_compressed(os.path.join(HERE, "basic.npz"), **recorded)


if __name__ == "__main__":
    main()
