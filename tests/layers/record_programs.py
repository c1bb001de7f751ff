"""Record the Programs of program_cases.py: run it with PaddlePaddle 1.8.5's Python; it writes programs.json and programs.npz."""

import json
import os
import sys

import numpy as np
import paddle.fluid as fluid

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
from tests.layers import layer_cases, program_cases  # noqa: E402

recorded, failed, values = {}, {}, {}
for name, build in list(program_cases.CASES.items()) + list(layer_cases.CASES.items()):
    try:
        recorded[name] = program_cases.describe(fluid, build)
        values.update(("%s: %s" % (name, key), value) for key, value in program_cases.numbers(fluid, build).items())
    except BaseException as error:
        failed[name] = str(error).strip().splitlines()[-3:]
with open(os.path.join(HERE, "programs.json"), "w") as file:
    lines = ['"%s": %s' % (name, json.dumps(recorded[name], sort_keys=True)) for name in sorted(recorded)]
    file.write("{\n" + ",\n".join(lines) + "\n}\n")
np.savez_compressed(os.path.join(HERE, "programs.npz"), **values)
print(len(recorded), "recorded;", failed)
