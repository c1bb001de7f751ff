"""Ragged batches in time order: what recurrent operators over sequences share."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, LoDError, ShapeError, message
from ..support.require import require_shape
from ..support.time_steps import Steps, steps_of
from .rnn_unit import ACTIVATIONS


def require_activations(where: str, **names: str) -> None:
    """Raise unless the attributes name activations."""
    for attribute, name in names.items():
        if name not in ACTIVATIONS:
            needs = " or ".join(f'"{known}"' for known in ACTIVATIONS)
            raise ArgumentValueError(message(where, f"attribute {attribute!r}", repr(name), needs))


def codes(*names: str) -> list[int]:
    """Return the codes of activations."""
    return [ACTIVATIONS[name] for name in names]


def require_gates(where: str, Input: Any, size: int, gates: int) -> None:
    """Raise unless Input has `gates` features for each of the hidden state, by rows, with at most one LoD level known."""
    require_shape(where, "Input", Input, (-1, -1 if size == -1 else gates * size))
    if Input.lod_level > 1:
        needs = "one LoD level, with the rows of each sequence"
        raise LoDError(message(where, "Input(Input)", f"{Input.lod_level} LoD levels", needs))


def steps(where: str, Input: Any, lod: Any, is_reverse: bool, **firsts: Any) -> Steps:
    """Return the steps of Input's sequences; raise unless it has sequences, and the initial states one row for each."""
    if lod is None or len(lod) != 1:
        got = "no LoD" if lod is None else f"{len(lod)} LoD levels"
        fix = "Give the rows of each sequence with set_lod or create_lod_tensor."
        raise LoDError(message(where, "Input(Input)", got, "one LoD level, with the rows of each sequence", fix))
    if lod[0][-1] != Input.shape[0]:
        got = f"a LoD of {lod[0][-1]} rows"
        raise LoDError(message(where, "Input(Input)", got, f"{Input.shape[0]}, its number of rows"))
    for slot, first in firsts.items():
        if first is not None and len(first) != len(lod[0]) - 1:
            needs = f"{len(lod[0]) - 1} rows, one for each sequence of Input"
            raise ShapeError(message(where, f"Input({slot})", f"{len(first)} rows", needs))
    return steps_of(tuple(lod[0]), is_reverse)


def first_state(xp: Any, given: Any, sequences: int, like: Any, size: int) -> Any:
    """Return the state before the first step, [sequences, size]: zeros unless it is given."""
    return xp.zeros((sequences, size), like.dtype) if given is None else given


def to_sequences(xp: Any, values: Any, at: Any, rows: int) -> Any:
    """Scatter `values` to the rows `at` of `rows` rows; the others are 0."""
    out = xp.zeros((rows, values.shape[1]), values.dtype)
    out[at] = values
    return out
