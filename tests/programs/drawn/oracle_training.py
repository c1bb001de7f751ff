"""Drawn Programs that train, in real PaddlePaddle 1.8.5: saved here, trained there in a process of their own, and compared."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np

from . import bounds
from .feeds import feed
from .oracle import UNLIKE, Summary, judged_beside, plain, wider
from .training import Reference, drawn_training, fed_of, initial, program_of
from .trial import Trial
from .unlike import masked, numbered, unstated, unwritten

WORKER = Path(__file__).with_name("oracle_training_worker.py")


def compared(first: int, count: int, oracle: str, dtype: str | None = None) -> int:
    """Compare so many Programs with those of real Paddle; print what differs, and return how many do."""
    trials = {seed: drawn_training(seed, dtype, UNLIKE) for seed in range(first, first + count)}
    return judged_beside(oracle, WORKER, trials, _save, _judge)


def _save(trial: Trial, path: Path) -> None:
    with program_of(trial) as trained:
        job = {
            "startup": trained.startup.desc.serialize_to_string(),
            "main": trained.main.desc.serialize_to_string(),
            "state": plain(initial(trained)),
            "feeds": [plain(feed(fed_of(trained), shape)) for shape in trial.feeds],
            "loss": trained.loss.name,
        }
    path.with_suffix(".pickle").write_bytes(pickle.dumps(job, 2))


def _unlike(program: Any, result: dict[str, Any]) -> str:
    """Why a Program is not compared, by differences that docs/differences.md lists; "" if it is."""
    operators = [op for block in program.blocks for op in block.ops]
    if unwritten(program):
        return "a Program with memory that Paddle does not write"
    sparse = [op for op in operators if op.type == "lookup_table" and op.attr("is_sparse")]
    if any(op.attr("padding_idx") >= 0 for op in sparse):
        return "a Program with a sparse gradient of a padding row, which Paddle keeps"
    if sparse and any(op.type == "rmsprop" for op in operators):
        return "a Program with RMSProp of sparse gradients, of which Paddle leaves rows out"
    if any(op.type == "clip_by_norm" for op in operators) and any(np.isnan(a).any() for a in result.values()):
        return "a Program whose clip_by_norm gives NaN, which it does of zeros in Paddle"
    return ""


def _judge(seed: int, trial: Trial, result: dict[str, Any] | str, summary: Summary) -> bool:
    """Whether a Program differs from real Paddle's; print how. result: what Paddle said, if it refused to train it."""
    if isinstance(result, str):
        summary.refused[result[:110]] += 1
        return False
    with np.errstate(all="ignore"), program_of(trial) as trained:
        reason = _unlike(trained.main, result)
        if reason:
            summary.absent[reason] += 1
            return False
        for repetitions in (bounds.REPETITIONS, bounds.MORE_REPETITIONS):
            reference = Reference(trained, trial, repetitions)
            right = reference.right
            if isinstance(right, Exception):
                summary.counts["errors here"] += 1
                return False
            if any(np.isnan(a).any() for a in right.values()) and (
                masked(trained.main) | unstated(trained.main) | numbered(trained.main)
            ):
                summary.absent["a Program whose NaN goes through masks, or becomes a number"] += 1
                return False
            reference.limits = wider(reference.limits, {name: (array, []) for name, array in right.items()})
            found = reference.differences(
                "PaddlePaddle 1.8.5", result | {k: right[k] for k in right.keys() - result.keys()}
            )
            if not found:
                break
        summary.counts["arrays compared"] += len(result)
        if found:
            print(f"seed {seed}, {trial.dtype}:")
            print(trained.listing())
            for difference in found[:4]:
                print("  ", difference.name, difference.text)
    return bool(found)
