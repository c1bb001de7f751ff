"""Random calls of operator families against real PaddlePaddle 1.8.5: outputs and gradients (README.md has the rest).

    python -m tests.oracle.random_calls all --oracle PYTHON_WITH_PADDLE_1_8_5 [FAMILY ...]
    PYTHON_WITH_PADDLE_1_8_5 tests/oracle/random_calls.py record FAMILY FILE [--calls N] [--seed N]
    python -m tests.oracle.random_calls compare FAMILY FILE               (all from the root of the repository)

`record` runs on Python 3.7 and imports nothing of paddle_lite; it writes what Paddle gives. `compare` draws the same calls
again and says how many agree, and how the others differ. Calls that Paddle refuses are counted apart; more than one in ten
of them means that the drawing needs mending. `all` does both for every family, and prints a table.
"""

import argparse
import collections
import importlib
import os
import pickle
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, ROOT)

from tests.oracle.draw import Draw  # noqa: E402

TOLERANCE = (2e-5, 4e-6)


def draws_of(family):
    return importlib.import_module("tests.oracle.draws." + family)


def families():
    """Every family that has draws."""
    found = []
    for folder in os.listdir(os.path.join(HERE, "draws")):
        files = os.listdir(os.path.join(HERE, "draws", folder))
        found += [folder + "." + name[:-3] for name in files if name.endswith(".py")]
    return sorted(found)


def drawn(family, calls, seed):
    """[(operator, Sample)], the operators in turn; none of a family that 1.8.5 has no operator of."""
    makers = sorted(draws_of(family).CALLS.items())
    draw, calls = Draw(seed), calls if makers else 0
    return [(op, make(draw)) for op, make in (makers[i % len(makers)] for i in range(calls))]


def record(family, path, calls, seed):
    """Write what Paddle gives."""
    import paddle.fluid as fluid

    from tests.ops.record import Recorder, in_children

    jobs = drawn(family, calls, seed)
    found = in_children([lambda op=op, sample=sample: Recorder(fluid, op, sample).record() for op, sample in jobs])
    with open(path, "wb") as file:
        pickle.dump({"calls": len(jobs), "seed": seed, "found": found}, file, 2)


def compare(family, path):
    """Count what agrees, differs and was refused; print a line for each call that does not agree."""
    with open(path, "rb") as file:
        stored = pickle.load(file)
    tally = collections.Counter(calls=stored["calls"], agree=0, differ=0, refused=0)
    for (op, sample), found in zip(drawn(family, stored["calls"], stored["seed"]), stored["found"]):
        if isinstance(found, str):
            tally["refused"] += 1
            print(f"  {op} {told(sample)} refused: {found[:120]}")
            continue
        try:
            compare_call(family, op, sample, found)
            tally["agree"] += 1
        except Exception as error:
            tally["differ"] += 1
            print(f"  {op} {told(sample)}: {type(error).__name__}: {error}")
    return tally


def compare_call(family, op, sample, found):
    """Raise unless paddle_lite gives what Paddle gave: by the CPU's kernels, and by the references that a GPU runs."""
    from paddle_lite.ops.framework import registry
    from tests.ops import checks
    from tests.ops.case import Case, device
    from tests.ops.recorded_numbers import Recorded
    from tests.ops.row import Row

    draws = draws_of(family)
    row = Row(op, [sample], tolerance=getattr(draws, "TOLERANCE", TOLERANCE), random=getattr(draws, "RANDOM", False))
    for kind in ("cpu", "gpu"):
        with device(kind):
            checks.compare_with(Case(registry.get(op), row, 0), Recorded(found, ""))


def told(sample):
    """What was called, in short."""

    def one(a):
        return f"{a.dtype}{list(a.shape)}" if hasattr(a, "dtype") else f"sparse of {a.height} rows"

    inputs = {k: [one(a) for a in v] if isinstance(v, list) else one(v) for k, v in sample.inputs.items()}
    return f"{inputs} {sample.attrs}" + (f" lods={sample.lods}" if sample.lods else "")


def wrong(tally):
    """Whether a call differs, or too many were refused."""
    return tally["differ"] > 0 or 10 * tally["refused"] > tally["calls"]


def compare_all(names, oracle, calls, seed):
    """Record and compare the families; print a table. The number of families that are wrong."""
    tallies = {}
    with tempfile.TemporaryDirectory() as folder:
        for family in names:
            path = os.path.join(folder, family)
            numbers = ["--calls", str(calls), "--seed", str(seed)]
            subprocess.run([oracle, os.path.abspath(__file__), "record", family, path, *numbers], check=True, cwd=ROOT)
            print(family, flush=True)
            tallies[family] = compare(family, path)
    columns = ("calls", "agree", "differ", "refused")
    print("\n{:<20}".format("family") + "".join(f"{c:>9}" for c in columns))
    for family, tally in [*tallies.items(), ("total", sum(tallies.values(), collections.Counter()))]:
        print(f"{family:<20}" + "".join(f"{tally[c]:>9}" for c in columns))
    missing = without_draws()
    print("no draws: " + ", ".join(missing) if missing else "every operator has draws")
    return sum(wrong(tally) for tally in tallies.values())


def without_draws():
    """The operators that no family draws."""
    from paddle_lite.ops.framework import registry

    known = {op for family in families() for op in [*draws_of(family).CALLS, *getattr(draws_of(family), "LATER", ())]}
    return [op.type for op in registry.all_ops() if op.forward is None and op.type not in known]


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="random_calls", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    parsers = {name: commands.add_parser(name) for name in ("all", "record", "compare")}
    parsers["all"].add_argument("families", nargs="*", metavar="FAMILY", help="only these")
    parsers["all"].add_argument("--oracle", required=True, help="a Python that has PaddlePaddle 1.8.5")
    for name in ("record", "compare"):
        parsers[name].add_argument("family")
        parsers[name].add_argument("path", metavar="FILE")
    for name in ("all", "record"):
        parsers[name].add_argument("--calls", type=int, default=200, help="of each family")
        parsers[name].add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if given.command == "all":
        return min(1, compare_all(given.families or families(), given.oracle, given.calls, given.seed))
    if given.command == "record":
        record(given.family, given.path, given.calls, given.seed)
        return 0
    tally = compare(given.family, given.path)
    print(f"{given.family}: {tally['agree']} agree, {tally['differ']} differ, {tally['refused']} refused by Paddle")
    return int(wrong(tally))


if __name__ == "__main__":
    sys.exit(main())
