"""Record what real PaddlePaddle 1.8.5 does in the cases of static_cases.py.

    PYTHON_WITH_PADDLE_1_8_5 tests/optimizer/record_static.py      (from the root of the repository)

writes tests/optimizer/static.npz: for each case all its numbers in one array, and what they are in "about" (JSON); and the
bytes of some Programs, without the places in files where their operators were made.
"""

import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
    import paddle.fluid as fluid

    from tests.optimizer.static_cases import AVERAGES, CASES, EXCHANGED, SCHEDULES, averages, built, rates, simulate

    store, about = {}, {"numbers": {}, "operators": {}, "losses": {}}

    def keep(name, found):
        numbers = sorted(found.items())
        about["numbers"][name] = [[what, list(value.shape), value.dtype.name] for what, value in numbers]
        store[name] = np.concatenate([value.ravel().astype("float64") for _, value in numbers])

    for case in CASES:
        found, operators = simulate(fluid, case)
        keep(case.name, found)
        if not case.branches:
            about["operators"][case.name] = operators
    for name, make in AVERAGES.items():
        keep("average " + name, averages(fluid, make))
    for name, make in SCHEDULES.items():
        store["rates " + name] = rates(fluid, make)
    for case in CASES:
        if case.name in EXCHANGED:
            main, startup, loss = built(fluid, case)
            about["losses"][case.name] = loss
            for which, program in (("main", main), ("startup", startup)):
                for block in program.blocks:
                    for op in block.ops:
                        op.desc.remove_attr("op_callstack")
                written = program.desc.serialize_to_string()
                store[which + " of " + case.name] = np.frombuffer(written, "uint8")
    path = os.path.join(HERE, "static.npz")
    np.savez_compressed(path, about=np.array(json.dumps(about)), **store)
    print("%d cases, %d KiB" % (len(CASES), os.path.getsize(path) // 1024))


if __name__ == "__main__":
    main()
