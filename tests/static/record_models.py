"""Record the Programs and losses of model_cases.py: run it with PaddlePaddle 1.8.5's Python; it writes models.json."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)


def main():
    import paddle.fluid as fluid
    from model_cases import MODELS, trained

    with open(os.path.join(HERE, "models.json"), "w") as file:
        lines = [
            '"{}": {}'.format(name, json.dumps(trained(fluid, build), sort_keys=True)) for name, build in MODELS.items()
        ]
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
