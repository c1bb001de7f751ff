"""StateCell: what a step of a decoder computes, from inputs and states to new states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, ModeError, describe, message
from .states import ArrayState, InitState, MemoryState

_CALL = "StateCell"


class DecoderError(ModeError, ValueError):
    """A call of a decoder or of its cell is in the wrong place."""


class DecoderType:
    """The kinds of decoders."""

    TRAINING = 1
    BEAM_SEARCH = 2


class StateCell:
    """A step of a decoder: the names of its inputs, its states, and the function that computes new states.

    Arguments:
        inputs: name -> Variable of each input, or None where the decoder gives it.
        states: name -> InitState of each state.
        out_state: the name of the state from which words are predicted.
        name: not used; names of results come from the layers.

    Raises:
        ArgumentTypeError: inputs or states is no dict.
        ArgumentValueError: a state is no InitState, or out_state is no state.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.contrib.decoder import InitState, StateCell
    >>> with fluid.program_guard(fluid.Program()):
    ...     first = fluid.data('first', [None, 8], lod_level=1)
    ...     cell = StateCell(inputs={'x': None}, states={'h': InitState(init=first)}, out_state='h')
    ...     @cell.state_updater
    ...     def update(cell):
    ...         parts = [cell.get_state('h'), cell.get_input('x')]
    ...         cell.set_state('h', fluid.layers.fc(parts, 8, act='tanh'))
    """

    def __init__(
        self, inputs: Mapping[str, Any], states: Mapping[str, InitState], out_state: str, name: str | None = None
    ) -> None:
        for argument, given in (("inputs", inputs), ("states", states)):
            if not isinstance(given, Mapping):
                raise ArgumentTypeError(message(_CALL, argument, describe(given), "a dict"))
        for key, state in states.items():
            if not isinstance(state, InitState):
                raise ArgumentValueError(message(_CALL, f"states[{key!r}]", describe(state), "an InitState"))
        if out_state not in states:
            raise ArgumentValueError(message(_CALL, "out_state", repr(out_state), f"one of {list(states)}"))
        self._cur_states: dict[str, Any] = dict(states)
        self._state_names = list(states)
        self._inputs = dict(inputs)
        self._out_state = out_state
        self._state_updater: Callable[[StateCell], Any] | None = None
        self._decoder: Any = None
        self._kept: dict[Any, dict[str, Any]] = {}  # the states of each decoder

    # --- decoders that use it -------------------------------------------------------------------------------------------

    def _enter_decoder(self, decoder: Any) -> None:
        if self._decoder is not None:
            fix = "Make one cell for each decoder, or the second decoder behind the first one's block."
            raise DecoderError(
                f"{_CALL}: it is part of a {type(self._decoder).__name__} that is not complete yet. {fix}"
            )
        self._decoder = decoder

    def _leave_decoder(self, decoder: Any) -> None:
        if self._decoder is None or self._decoder is not decoder:
            raise DecoderError(f"{_CALL}: it is not part of this {type(decoder).__name__}.")
        self._decoder = None

    def _switch_decoder(self) -> None:
        """Make the states of the decoder, and read them."""
        decoder = self._decoder
        if decoder is None:
            raise DecoderError(
                f"{_CALL}: it is not part of a decoder. Make a TrainingDecoder or a BeamSearchDecoder of it."
            )
        if decoder in self._kept:
            return
        kept: dict[str, Any] = {}
        for name in self._state_names:
            first = self._cur_states[name]
            if not isinstance(first, InitState):
                raise DecoderError(
                    f"{_CALL}: state {name!r} has been computed already, so it cannot start in a decoder."
                )
            if decoder.type == DecoderType.TRAINING:
                kept[name] = MemoryState(name, decoder.dynamic_rnn, first)
            else:
                kept[name] = ArrayState(name, decoder._parent_block(), first)
        self._kept[decoder] = kept
        for name in self._state_names:
            self._cur_states[name] = kept[name].get_state()

    # --- what updaters and decoders call ----------------------------------------------------------------------------------

    def get_state(self, state_name: str) -> Any:
        """Return a state as it is now: that of the step before, or the one that has been set.

        Raises:
            ArgumentValueError: there is no state of this name.
        """
        if self._decoder is not None and self._decoder not in self._kept:
            self._switch_decoder()
        if state_name not in self._cur_states:
            needs = f"one of {self._state_names}"
            raise ArgumentValueError(message(f"{_CALL}.get_state", "state_name", repr(state_name), needs))
        return self._cur_states[state_name]

    def get_input(self, input_name: str) -> Any:
        """Return an input of this step.

        Raises:
            ArgumentValueError: there is no input of this name, or it has no value yet.
        """
        if self._inputs.get(input_name) is None:
            known = [name for name, value in self._inputs.items() if value is not None]
            needs = f"one of the inputs that have a value, {known}"
            raise ArgumentValueError(message(f"{_CALL}.get_input", "input_name", repr(input_name), needs))
        return self._inputs[input_name]

    def set_state(self, state_name: str, state_value: Any) -> None:
        """Set a state of this step."""
        self._cur_states[state_name] = state_value

    def state_updater(self, updater: Callable[[StateCell], Any]) -> Callable[[StateCell], None]:
        """Decorate the function that computes new states: it takes the cell, reads inputs and states, and sets states.

        Returns:
            A function of a cell, which may be this one only.
        """
        self._state_updater = updater

        def decorated(state_cell: StateCell) -> None:
            if state_cell is self:
                raise ArgumentTypeError(
                    message("state_updater", "state_cell", "the cell itself", "a call by compute_state only")
                )
            updater(state_cell)

        return decorated

    def compute_state(self, inputs: Mapping[str, Any]) -> None:
        """Compute the states of this step from inputs.

        Arguments:
            inputs: name -> Variable.

        Raises:
            ArgumentValueError: the cell has no input of a name.
            DecoderError: the cell is in no decoder, or has no state_updater.
        """
        if self._decoder is not None and self._decoder not in self._kept:
            self._switch_decoder()
        for name, value in inputs.items():
            if name not in self._inputs:
                got, needs = f"an input {name!r}", f"inputs of the cell, {list(self._inputs)}"
                raise ArgumentValueError(message(f"{_CALL}.compute_state", "inputs", got, needs))
            self._inputs[name] = value
        if self._state_updater is None:
            raise DecoderError(f"{_CALL}.compute_state: there is no function for it. Decorate one with state_updater.")
        self._state_updater(self)

    def update_states(self) -> None:
        """Keep the states of this step for the next one."""
        if self._decoder is not None and self._decoder not in self._kept:
            self._switch_decoder()
        for name, state in self._kept.get(self._decoder, {}).items():
            state.update_state(self._cur_states[name])

    def out_state(self) -> Any:
        """Return the state from which words are predicted."""
        return self._cur_states[self._out_state]
