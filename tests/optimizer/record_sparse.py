"""Record what real PaddlePaddle 1.8.5 does in the cases of sparse_cases.py.

    PYTHON_WITH_PADDLE_1_8_5 tests/optimizer/record_sparse.py      (from the root of the repository)

writes tests/optimizer/sparse.npz: the rows of both tables after each case, by its mode and name.
"""

import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
    import paddle.fluid as fluid

    from tests.optimizer.sparse_cases import CASES, MODES

    store = {}
    for case in CASES:
        for mode in case.modes:
            store[mode + " " + case.name] = MODES[mode](fluid, case)
    path = os.path.join(HERE, "sparse.npz")
    np.savez_compressed(path, **store)
    print("%d cases, %d KiB" % (len(store), os.path.getsize(path) // 1024))


if __name__ == "__main__":
    main()
