"""Record the Programs of detection_cases.py with PaddlePaddle 1.8.5's Python, from the root of the repository."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.layers.detection_cases import CASES  # noqa: E402
from tests.layers.program_cases import describe  # noqa: E402


def main():
    import paddle.fluid as fluid

    lines = ['"%s": %s' % (name, json.dumps(describe(fluid, CASES[name]), sort_keys=True)) for name in sorted(CASES)]
    with open(os.path.join(HERE, "detection_programs.json"), "w") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
