"""Drawn Programs in real PaddlePaddle 1.8.5: saved here, run there in a process of their own, and compared."""

from __future__ import annotations

import collections
import pickle
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from . import bounds, ways
from .bounds import Bound
from .builder import NoFit
from .feeds import FEEDS, feed
from .trial import Comparison, Difference, Trial, drawn_trial, program_of
from .unlike import emptied, masked, multiplied, numbered, unstated, unwritten

# of special numbers, NaN above all, Paddle's kernels make what their loops happen to make
ORDINARY = [shape for shape in FEEDS if not shape.special]
# steps that real Paddle computes otherwise (docs/differences.md), or where of equal elements it takes any
UNLIKE = ("written_again", "search", "scattered", "padded")
# of the largest number: Paddle computes variances in one pass, and has factors in float32
BESIDE = {"float32": 2e-5, "float64": 1.2e-7}
WORKER = Path(__file__).with_name("oracle_worker.py")


class Apart(NamedTuple):
    """Arrays that are not compared in some runs.

    theirs, ours: those that may be NaN in Paddle alone, or in paddle_lite alone. numbered: such arrays as Paddle may compute
    from a number in the place of NaN; no gradient of them is compared in a run with NaN. products: what follows from matmul,
    which is otherwise in an empty batch.
    """

    theirs: set[str] = set()
    ours: set[str] = set()
    numbered: set[str] = set()
    products: set[str] = set()


class Summary:
    """What was compared, and what was not. counts: by fact; refused, absent: values that were not compared, by reason."""

    def __init__(self) -> None:
        self.counts: collections.Counter = collections.Counter()
        self.refused: collections.Counter = collections.Counter()
        self.absent: collections.Counter = collections.Counter()

    def __str__(self) -> str:
        lines = [f"{n:>8} values refused: {text}" for text, n in self.refused.most_common()]
        lines += [f"{n:>8} values left out: {text}" for text, n in self.absent.most_common()]
        return "\n".join([*lines, ", ".join(f"{n} {fact}" for fact, n in self.counts.items())])


def compared(first: int, count: int, oracle: str, dtype: str | None = None) -> int:
    """Compare so many Programs with those of real Paddle; print what differs, and return how many do."""
    seeds, dtypes = range(first, first + count), ("float32", "float64")  # few of Paddle's CPU kernels have float16
    trials = {seed: drawn_trial(seed, dtype or dtypes[seed % 2], UNLIKE) for seed in seeds}
    return judged_beside(oracle, WORKER, trials, _save, _judge)


def judged_beside(
    oracle: str,
    worker: Path,
    trials: Mapping[int, Trial],
    save: Callable[[Trial, Path], None],
    judge: Callable[[int, Trial, Any, Summary], bool],
) -> int:
    """Save trials, run them with real Paddle, and judge what it gives; print a summary, and return how many differ.

    worker: the script that runs them. save: writes a trial for it, to a path without suffix. judge: whether a trial differs from
    what the script wrote.
    """
    saved, summary = {}, Summary()
    with tempfile.TemporaryDirectory() as folder:
        for seed, trial in trials.items():
            try:
                save(trial, Path(folder) / str(seed))
            except NoFit:
                continue
            saved[seed] = trial
        subprocess.run([oracle, str(worker), folder], check=True)
        for seed, trial in saved.items():
            results = pickle.loads((Path(folder) / f"{seed}.results").read_bytes())
            summary.counts["Programs"] += 1
            summary.counts["differ"] += judge(seed, trial, results, summary)
    print(summary)
    return summary.counts["differ"]


def _save(trial: Trial, path: Path) -> None:
    with program_of(trial) as drawn:
        path.with_suffix(".program").write_bytes(drawn.program.desc.serialize_to_string())
        feeds = [plain(feed(drawn.inputs, shape)) for shape in ORDINARY]
        names = [name for name in ways.fetches(drawn, False).values() if name not in drawn.inputs]
        job = {"feeds": feeds, "fetches": names}
        path.with_suffix(".pickle").write_bytes(pickle.dumps(job, 2))


def plain(feeds: Mapping[str, Any]) -> dict[str, Any]:
    """Bytes, dtypes, shapes and LoDs: the NumPy of Python 3.7 reads no pickles of NumPy 2."""
    found = {}
    for name, value in feeds.items():
        array, lod = (value.array, value.lod()) if hasattr(value, "lod") else (value, [])
        found[name] = (array.tobytes(), array.dtype.name, array.shape, [[int(n) for n in level] for level in lod])
    return found


def _judge(seed: int, trial: Trial, results: Any, summary: Summary) -> bool:
    """Whether a Program differs from real Paddle's; print how."""
    with np.errstate(all="ignore"), program_of(trial) as drawn:
        names = {variable: key for key, variable in ways.fetches(drawn, False).items()}
        theirs = [_keyed(each, names, unwritten(drawn.program), summary) for each in results]
        reasons = (masked, unstated, numbered, multiplied)
        apart = Apart(*({names[n] for n in found(drawn.program) if n in names} for found in reasons))
        differences = _differences(drawn, trial, theirs, apart, summary)
        if not differences:
            return False
        print(f"seed {seed}, {trial.dtype}:")
        print(drawn.listing())
        for difference in differences[:4]:
            print("  ", tuple(difference.feed), difference.name, difference.text)
    return True


def _differences(drawn: Any, trial: Trial, theirs: Any, apart: Apart, summary: Summary) -> list[Difference]:
    """What differs, by bounds of more repetitions if it does by those of a few."""
    for repetitions in (bounds.REPETITIONS, bounds.MORE_REPETITIONS):
        comparison = Comparison(drawn, trial._replace(feeds=ORDINARY), repetitions)
        pairs = list(zip(theirs, comparison.right, strict=True))
        comparison.limits = [wider(*each) for each in zip(comparison.limits, comparison.right, strict=True)]
        comparison.against("PaddlePaddle 1.8.5", [_comparable(found, right, apart) for found, right in pairs])
        if not comparison.differences:
            break
    for fact, n in comparison.tally.items():
        summary.counts[f"{fact[1]} compared" if fact[1] in ("arrays", "elements") else fact[1]] += n
    return comparison.differences


def _keyed(result: Any, names: Mapping[str, str], absent: Mapping[str, str], summary: Summary) -> Any:
    """The results by what they are, less those that Paddle refused, or leaves unwritten."""
    said, values = result
    summary.counts["runs"] += 1
    summary.counts["runs refused as a whole"] += bool(said)
    found = {}
    for name, value in values.items():
        if isinstance(value, str):
            summary.refused[value[:110]] += 1
        elif name in absent:
            summary.absent[absent[name]] += 1
        else:
            found[names[name]] = value
    return found


def _comparable(found: Any, right: Any, apart: Apart) -> Any:
    """Paddle's results with what its empty tensors lack, shape and dtype; None if paddle_lite refuses to run."""
    if isinstance(right, Exception):
        return None
    made = {}
    any_nan = any(array.dtype.kind == "f" and np.isnan(array).any() for array, _ in right.values())
    for name, (array, lod) in found.items():
        known = right.get(name)
        if any_nan and name in apart.numbered and name.endswith("@GRAD"):
            continue
        if known is not None and emptied(name, array, known[0], apart.products):
            continue
        if known is not None and array.size == known[0].size == 0:
            array = known[0]
        elif known is not None and array.shape == known[0].shape:
            array = np.where(np.isnan(array), known[0], array) if name in apart.theirs else array
            array = np.where(np.isnan(known[0]), known[0], array) if name in apart.ours | apart.numbered else array
        made[name] = (array, [] if name.endswith("@GRAD") else [list(level) for level in lod])
    return made


def wider(limits: Mapping[str, Bound], right: Any) -> dict[str, Bound]:
    """The bounds, and so much of the largest number as Paddle's kernels differ within one operator."""
    found = {}
    for name, limit in limits.items():
        array = right[name][0]
        finite = np.abs(array[np.isfinite(array)]) if array.dtype.kind == "f" else np.zeros(0)
        more = BESIDE.get(array.dtype.name, 0.0) * float(finite.max(initial=0.0))
        found[name] = limit._replace(allowed=limit.allowed + more)
    return found
