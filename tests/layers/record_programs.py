"""Record the Programs of program_cases.py: run it with PaddlePaddle 1.8.5's Python; it writes programs.json beside it."""

import json
import os
import sys

import paddle.fluid as fluid

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from program_cases import CASES, describe  # noqa: E402

recorded, failed = {}, {}
for name, build in CASES.items():
    try:
        recorded[name] = describe(fluid, build)
    except BaseException as error:
        failed[name] = str(error).strip().splitlines()[-3:]
with open(os.path.join(HERE, "programs.json"), "w") as file:
    lines = ['"%s": %s' % (name, json.dumps(recorded[name], sort_keys=True)) for name in sorted(recorded)]
    file.write("{\n" + ",\n".join(lines) + "\n}\n")
print(len(recorded), "recorded;", failed)
