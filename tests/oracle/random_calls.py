"""Random calls of an operator family against real PaddlePaddle 1.8.5: outputs and gradients.

    PYTHON_WITH_PADDLE_1_8_5 tests/oracle/random_calls.py record FAMILY FILE [CALLS [SEED]]
    python -m tests.oracle.random_calls compare FAMILY FILE      (both from the root of the repository)

tests/oracle/draws/<family>.py says how the arguments of each operator are drawn: a dict CALLS from its type to a function
of a Draw that returns a Sample. `record` runs on Python 3.7 and imports nothing of paddle_lite; it writes what Paddle
gives for 200 calls. `compare` draws the same calls again and says how many agree, and how the others differ. Calls that
Paddle refuses are counted apart; more than one in ten of them means that the drawing needs mending.
"""

import collections
import importlib
import os
import pickle
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)

from tests.oracle.draw import Draw  # noqa: E402

TOLERANCE = (2e-5, 4e-6)


def drawn(family, calls, seed):
    """[(operator, Sample)], the operators in turn."""
    makers = sorted(importlib.import_module("tests.oracle.draws." + family).CALLS.items())
    draw = Draw(seed)
    return [(op, make(draw)) for op, make in (makers[i % len(makers)] for i in range(calls))]


def record(family, path, calls="200", seed="1"):
    """Write what Paddle gives."""
    import paddle.fluid as fluid

    from tests.ops.record import Recorder, in_children

    jobs = drawn(family, int(calls), int(seed))
    found = in_children([lambda op=op, sample=sample: Recorder(fluid, op, sample).record() for op, sample in jobs])
    with open(path, "wb") as file:
        pickle.dump({"calls": int(calls), "seed": int(seed), "found": found}, file, 2)
    print(f"{family}: {len(found)} calls, {sum(isinstance(f, str) for f in found)} refused")
    return 0


def compare(family, path):
    """Compare what paddle_lite gives with what was written; the number of calls that differ."""
    from paddle_lite.ops import registry
    from tests.ops import checks
    from tests.ops.case import Case, device
    from tests.ops.recorded_numbers import Recorded
    from tests.ops.row import Row

    with open(path, "rb") as file:
        stored = pickle.load(file)
    tally = collections.Counter()
    for (op, sample), found in zip(drawn(family, stored["calls"], stored["seed"]), stored["found"]):
        if isinstance(found, str):
            tally["refused"] += 1
            print(f"{op} refused: {found[:120]}")
            continue
        try:
            with device("cpu"):
                case = Case(registry.get(op), Row(op, [sample], tolerance=TOLERANCE), 0)
                checks.compare_with(case, Recorded(found, ""))
            tally["agree"] += 1
        except Exception as error:
            tally["differ"] += 1
            shapes = {k: [getattr(a, "shape", None) for a in v] if isinstance(v, list) else v.shape
                      for k, v in sample.inputs.items()}  # fmt: skip
            print(f"{op} {shapes} {sample.attrs}: {type(error).__name__}: {error}")
    print(
        "{}: {} agree, {} differ, {} refused by Paddle".format(
            family, tally["agree"], tally["differ"], tally["refused"]
        )
    )
    return tally["differ"] + (10 * tally["refused"] > stored["calls"])


if __name__ == "__main__":
    sys.exit(1 if {"record": record, "compare": compare}[sys.argv[1]](*sys.argv[2:]) else 0)
