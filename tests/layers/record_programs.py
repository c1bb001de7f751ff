"""Record the Programs of program_cases.py and layer_cases.py, and their numbers, into programs.json and programs.npz.

    PYTHON_WITH_PADDLE_1_8_5 tests/layers/record_programs.py

Runs on Python 3.7 and imports nothing of paddle_lite.
"""

import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.layers import layer_cases, program_cases  # noqa: E402


def main():
    import paddle.fluid as fluid

    recorded, values = {}, {}
    for name, build in list(program_cases.CASES.items()) + list(layer_cases.CASES.items()):
        recorded[name] = program_cases.describe(fluid, build)
        for key, value in program_cases.numbers(fluid, build).items():
            values[f"{name}: {key}"] = value
    with open(os.path.join(HERE, "programs.json"), "w") as file:
        lines = [f'"{name}": {json.dumps(recorded[name], sort_keys=True)}' for name in sorted(recorded)]
        file.write("{\n" + ",\n".join(lines) + "\n}\n")
    np.savez_compressed(os.path.join(HERE, "programs.npz"), **values)
    print(len(recorded), "recorded")


if __name__ == "__main__":
    main()
