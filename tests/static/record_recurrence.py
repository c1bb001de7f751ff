"""Record what PaddlePaddle 1.8.5 gives for recurrence_cases.py: PYTHON_WITH_PADDLE_1_8_5 tests/static/record_recurrence.py"""

import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import recurrence_cases  # noqa: E402


def main():
    """Write recurrence.npz."""
    import paddle.fluid as fluid

    arrays, lods = {}, {}
    for name in recurrence_cases.CASES:
        for i, (array, lod) in enumerate(recurrence_cases.results(fluid, name)):
            arrays["%s.%d" % (name, i)] = array
            lods["%s.%d" % (name, i)] = lod
    np.savez_compressed(os.path.join(HERE, "recurrence.npz"), lods=json.dumps(lods), **arrays)


if __name__ == "__main__":
    main()
