"""The stages of a decoder: before its block, inside of it, and behind it."""

from __future__ import annotations

from ...core.errors import ArgumentTypeError, describe, message
from .state_cell import DecoderError, StateCell

BEFORE, INSIDE, BEHIND = range(3)


class Stages:
    """Base class of decoders: holds the cell and the stage.

    Arguments:
        state_cell: the StateCell.

    Raises:
        ArgumentTypeError: state_cell is no StateCell.
        DecoderError: it is part of another decoder that is not complete.
    """

    def __init__(self, state_cell: StateCell) -> None:
        if not isinstance(state_cell, StateCell):
            raise ArgumentTypeError(message(type(self).__name__, "state_cell", describe(state_cell), "a StateCell"))
        self._state_cell = state_cell
        self._state_cell._enter_decoder(self)
        self._status = BEFORE

    def _begin(self) -> None:
        if self._status != BEFORE:
            raise DecoderError(f"{type(self).__name__}: block() may be entered once only. Make another decoder.")
        self._status = INSIDE

    def _end(self) -> None:
        self._status = BEHIND
        self._state_cell._leave_decoder(self)

    def _assert_in_decoder_block(self, method: str) -> None:
        if self._status != INSIDE:
            name = type(self).__name__
            raise DecoderError(f"{name}.{method}: use it inside of `with decoder.block():` only.")
