"""Record the Programs of sequence_cases.py and their numbers with PaddlePaddle 1.8.5's Python, from the root of the repository."""

import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.layers.program_cases import describe  # noqa: E402
from tests.layers.sequence_cases import CASES, numbers  # noqa: E402


def main():
    import paddle.fluid as fluid

    programs, arrays = {}, {}
    for name in sorted(CASES):
        programs[name] = describe(fluid, CASES[name])
        for key, value in numbers(fluid, name).items():
            arrays["%s: %s" % (name, key)] = value
    lines = ['"%s": %s' % (name, json.dumps(programs[name], sort_keys=True)) for name in sorted(CASES)]
    with open(os.path.join(HERE, "sequence_programs.json"), "w") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")
    np.savez_compressed(os.path.join(HERE, "sequence_programs.npz"), **arrays)
    print(len(CASES), "recorded")


if __name__ == "__main__":
    main()
