"""Record what the results of the calls in result_cases.py declare, into results.json.

    PYTHON_WITH_PADDLE_1_8_5 tests/layers/record_results.py

Runs on Python 3.7 and imports nothing of paddle_lite.
"""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from tests.layers import result_cases  # noqa: E402


def main():
    import paddle.fluid as fluid

    lines = []
    for call in result_cases.calls():
        found = result_cases.described(fluid, call)
        assert found, call
        lines.append("%s: %s" % (json.dumps(call), json.dumps(found)))
    for call in result_cases.kinds():
        lines.append("%s: %s" % (json.dumps(call), json.dumps(result_cases.built(fluid, call))))
    with open(os.path.join(HERE, "results.json"), "w") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")
    print(len(lines), "recorded")


if __name__ == "__main__":
    main()
