"""Record the Programs of program_cases.py: run it with PaddlePaddle 1.8.5's Python; it writes programs.json beside it."""

import json
import os
import sys

import paddle.fluid as fluid

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
from tests.layers import layer_cases, program_cases  # noqa: E402

recorded, failed = {}, {}
for name, build in list(program_cases.CASES.items()) + list(layer_cases.CASES.items()):
    try:
        recorded[name] = program_cases.describe(fluid, build)
    except BaseException as error:
        failed[name] = str(error).strip().splitlines()[-3:]
with open(os.path.join(HERE, "programs.json"), "w") as file:
    lines = ['"%s": %s' % (name, json.dumps(recorded[name], sort_keys=True)) for name in sorted(recorded)]
    file.write("{\n" + ",\n".join(lines) + "\n}\n")
print(len(recorded), "recorded;", failed)
