"""The mode: what an operator call does. `ops.emit` is the one place that asks.

`state.recorder` is None in plain imperative mode on the CPU, the path that must be fast. Otherwise it is an object
whose `record(op, inputs, attrs)` does what the mode demands: build a static Program, trace, or run on a GPU.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from .place import CPUPlace, Place


class Recorder(Protocol):
    """What a mode does with an operator call."""

    imperative: bool

    def record(self, op: Any, inputs: tuple, attrs: dict[str, Any]) -> Any:
        """Handle one call: `inputs` as declared by the slots (None, a Variable, or a list), `attrs` by name."""


class StaticMode:
    """The mode in which a process starts: operators are appended to the current Program."""

    imperative = False
    append: Callable[[Any, tuple, dict[str, Any]], Any] | None = None  # static mode installs it when it is loaded

    def record(self, op: Any, inputs: tuple, attrs: dict[str, Any]) -> Any:
        """Append the call to the current Program."""
        if self.append is None:
            importlib.import_module("paddle_lite.static")
            assert self.append is not None
        return self.append(op, inputs, attrs)


static_mode = StaticMode()


class State:
    """The process-wide mode; Paddle keeps it per process too.

    training: what the latest `Layer.train()` or `eval()` said; functions that have no Layer of their own, such as
        `layers.dropout`, go by it.
    retaining: whether the backward pass that is under way leaves the tape as it is, to be gone through again.
    """

    __slots__ = ("grad_enabled", "place", "recorder", "retaining", "training", "xp")

    def __init__(self) -> None:
        self.recorder: Recorder | None = static_mode
        self.grad_enabled = True
        self.training = True
        self.retaining = False
        self.place: Place = CPUPlace()
        self.xp: Any = None  # the array module of `place`; None stands for NumPy until imperative mode is entered


state = State()


def in_imperative_mode() -> bool:
    """Return whether operators run at once (imperative) rather than build a Program."""
    return state.recorder is None or state.recorder.imperative


def current_place() -> Place:
    """Return the place that operators run on."""
    return state.place


@contextmanager
def switched(recorder: Recorder | None, place: Place, xp: Any) -> Iterator[None]:
    """Another mode inside of the block, training until a Layer says otherwise."""
    before = (state.recorder, state.place, state.xp, state.training)
    state.recorder, state.place, state.xp, state.training = recorder, place, xp, True
    try:
        yield
    finally:
        state.recorder, state.place, state.xp, state.training = before
