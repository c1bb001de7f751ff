"""Record the Programs of contrib_cases.py and their numbers into contrib.json and contrib.npz.

    PYTHON_WITH_PADDLE_1_8_5 tests/layers/record_contrib.py

Runs on Python 3.7 and imports nothing of paddle_lite.
"""

import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.layers import contrib_cases, program_cases  # noqa: E402


def main():
    import paddle.fluid as fluid

    recorded, values = {}, {}
    for name, build in contrib_cases.CASES.items():
        recorded[name] = program_cases.describe(fluid, build)
        if name not in contrib_cases.NO_KERNEL:
            for key, value in contrib_cases.results(fluid, name).items():
                values["%s: %s" % (name, key)] = value
    with open(os.path.join(HERE, "contrib.json"), "w") as file:
        lines = ['"%s": %s' % (name, json.dumps(recorded[name], sort_keys=True)) for name in sorted(recorded)]
        file.write("{\n" + ",\n".join(lines) + "\n}\n")
    np.savez_compressed(os.path.join(HERE, "contrib.npz"), **values)
    print(len(recorded), "recorded")


if __name__ == "__main__":
    main()
