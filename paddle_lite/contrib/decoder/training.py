"""TrainingDecoder: a cell along sequences whose words are given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...layers.control.dynamic_rnn import DynamicRNN
from .stages import Stages
from .state_cell import DecoderError, DecoderType, StateCell


class TrainingDecoder(Stages):
    """Runs a cell along ragged sequences whose words are given, by a DynamicRNN.

    Arguments:
        state_cell: the StateCell.
        name: a part of the names of results.

    Raises:
        ArgumentTypeError: state_cell is no StateCell.
        DecoderError: the cell is part of another decoder that is not complete; a method is called outside of `block()`, or the results
            are read inside of it.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.contrib.decoder import InitState, StateCell, TrainingDecoder
    >>> with fluid.program_guard(fluid.Program()):
    ...     words = fluid.data('words', [None, 4], lod_level=1)
    ...     first = fluid.data('first', [None, 8])
    ...     cell = StateCell(inputs={'x': None}, states={'h': InitState(init=first, need_reorder=True)}, out_state='h')
    ...     @cell.state_updater
    ...     def update(cell):
    ...         parts = [cell.get_state('h'), cell.get_input('x')]
    ...         cell.set_state('h', fluid.layers.fc(parts, 8, act='tanh'))
    ...     decoder = TrainingDecoder(cell)
    ...     with decoder.block():
    ...         decoder.state_cell.compute_state(inputs={'x': decoder.step_input(words)})
    ...         decoder.output(fluid.layers.fc(decoder.state_cell.get_state('h'), 10, act='softmax'))
    ...         decoder.state_cell.update_states()
    ...     decoder().shape
    (-1, 10)
    """

    BEFORE_DECODER, IN_DECODER, AFTER_DECODER = 0, 1, 2

    def __init__(self, state_cell: StateCell, name: str | None = None) -> None:
        super().__init__(state_cell)
        self._dynamic_rnn = DynamicRNN(name=name)

    @contextmanager
    def block(self) -> Iterator[None]:
        """Build one step inside of the `with` block."""
        self._begin()
        with self._dynamic_rnn.block():
            yield
        self._end()

    @property
    def state_cell(self) -> StateCell:
        """The cell, inside of `block()`."""
        self._assert_in_decoder_block("state_cell")
        return self._state_cell

    @property
    def dynamic_rnn(self) -> DynamicRNN:
        """The DynamicRNN that runs the cell."""
        return self._dynamic_rnn

    @property
    def type(self) -> int:
        """The kind of decoder."""
        return DecoderType.TRAINING

    def step_input(self, x: Any) -> Any:
        """Return this step's rows of ragged sequences."""
        self._assert_in_decoder_block("step_input")
        return self._dynamic_rnn.step_input(x)

    def static_input(self, x: Any) -> Any:
        """Return the rows of a Variable for the sequences that have this step."""
        self._assert_in_decoder_block("static_input")
        return self._dynamic_rnn.static_input(x)

    def output(self, *outputs: Any) -> None:
        """Make Variables of this step results of the decoder."""
        self._assert_in_decoder_block("output")
        self._dynamic_rnn.output(*outputs)

    def __call__(self, *_: Any, **__: Any) -> Any:
        """Return the results of all steps, ragged sequences: a Variable, or a list of several."""
        if self._status != self.AFTER_DECODER:
            raise DecoderError("TrainingDecoder: its results are there behind `with decoder.block():` only.")
        return self._dynamic_rnn()
