"""Drawn Programs in real PaddlePaddle 1.8.5: saved here, run there in a process of their own, and compared."""

from __future__ import annotations

import collections
import pickle
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from . import ways
from .bounds import Bound
from .builder import NoFit
from .feeds import FEEDS, feed
from .trial import Comparison, Trial, drawn_trial, program_of

# of special numbers, NaN above all, Paddle's kernels make what their loops happen to make
ORDINARY = [shape for shape in FEEDS if not shape.special]
# steps that real Paddle computes otherwise (docs/differences.md), has no gradient of, or where of equal elements it takes any
UNLIKE = ("written_again", "dropout", "search", "scattered", "padded")
# of the largest number: Paddle computes variances in one pass, and has factors in float32
BESIDE = {"float32": 2e-5, "float64": 2e-8}
WORKER = Path(__file__).with_name("oracle_worker.py")


def compared(first: int, count: int, oracle: str, dtype: str | None = None) -> int:
    """Compare so many Programs with those of real Paddle; print what differs, and return how many do."""
    trials = {}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            trial = drawn_trial(seed, dtype or ("float32", "float64")[seed % 2], UNLIKE)
            try:
                _save(trial, Path(folder) / str(seed))
            except NoFit:
                continue
            trials[seed] = trial
        subprocess.run([oracle, str(WORKER), folder], check=True)
        tally: collections.Counter = collections.Counter()
        refused: collections.Counter = collections.Counter()
        for seed, trial in trials.items():
            results = pickle.loads((Path(folder) / f"{seed}.results").read_bytes())
            tally["programs"] += 1
            tally["differ"] += _judge(seed, trial, results, tally, refused)
    for text, number in refused.most_common():
        print(f"{number:>6} runs refused: {text}")
    print(", ".join(f"{n} {fact}" for fact, n in tally.items()))
    return tally["differ"]


def _save(trial: Trial, path: Path) -> None:
    with program_of(trial) as drawn:
        path.with_suffix(".program").write_bytes(drawn.program.desc.serialize_to_string())
        feeds = [_plain(feed(drawn.inputs, shape)) for shape in ORDINARY]
        job = {"feeds": feeds, "fetches": list(ways.fetches(drawn, False).values())}
        path.with_suffix(".pickle").write_bytes(pickle.dumps(job, 2))


def _plain(feeds: Mapping[str, Any]) -> dict[str, Any]:
    """Bytes, dtypes, shapes and LoDs: the NumPy of Python 3.7 reads no pickles of NumPy 2."""
    found = {}
    for name, value in feeds.items():
        array, lod = (value.array, value.lod()) if hasattr(value, "lod") else (value, [])
        found[name] = (array.tobytes(), array.dtype.name, array.shape, [[int(n) for n in level] for level in lod])
    return found


def _judge(seed: int, trial: Trial, results: Any, tally: collections.Counter, refused: collections.Counter) -> bool:
    """Whether a Program differs from real Paddle's; print how."""
    if isinstance(results, str):
        refused[results[:110]] += 1
        return False
    with np.errstate(all="ignore"), program_of(trial) as drawn:
        names = {variable: key for key, variable in ways.fetches(drawn, False).items()}
        comparison = Comparison(drawn, trial._replace(feeds=ORDINARY))
        theirs = [_keyed(each, names, right) for each, right in zip(results, comparison.right, strict=True)]
        comparison.limits = [
            _wider(limits, right) for limits, right in zip(comparison.limits, comparison.right, strict=True)
        ]
        comparison.against("PaddlePaddle 1.8.5", theirs)
        tally += comparison.tally  # type: ignore[misc]
    for each in results:
        if isinstance(each, str):
            refused[each[:110]] += 1
    if comparison.differences:
        print(f"seed {seed}, {trial.dtype}:")
        print(comparison.drawn.listing())
        for difference in comparison.differences[:4]:
            print("  ", tuple(difference.feed), difference.name, difference.text)
    return bool(comparison.differences)


def _keyed(result: Any, names: Mapping[str, str], right: Any) -> Any:
    """The results by what they are; None where Paddle refused to run.

    Paddle's empty tensors have neither shape nor dtype. What is NaN on one side only is not compared, nor are gradients where
    some value is NaN: which maxima of NaN are NaN, and where their gradients go, differs (docs/differences.md).
    """
    if isinstance(result, str):
        return None
    found = {}
    ours = right if isinstance(right, dict) else {}
    any_nan = any(bool(np.isnan(array).any()) for array, _ in ours.values() if array.dtype.kind == "f")
    for name, (array, lod) in result.items():
        key = names[name]
        if any_nan and key.endswith("@GRAD"):
            continue
        known = ours.get(key)
        if known is not None and array.size == known[0].size == 0:
            array = known[0]
        elif known is not None and array.shape == known[0].shape and array.dtype.kind == "f":
            array = np.where(np.isnan(array) | np.isnan(known[0]), known[0], array)
        found[key] = (array, [] if key.endswith("@GRAD") else [list(level) for level in lod])
    return found


def _wider(limits: Mapping[str, Bound], right: Any) -> dict[str, Bound]:
    """The bounds, and so much of the largest number as Paddle's kernels differ within one operator."""
    found = {}
    for name, limit in limits.items():
        array = right[name][0]
        finite = np.abs(array[np.isfinite(array)]) if array.dtype.kind == "f" else np.zeros(0)
        more = BESIDE.get(array.dtype.name, 0.0) * float(finite.max(initial=0.0))
        found[name] = limit._replace(allowed=limit.allowed + more)
    return found
