"""The base class of decoders for `dynamic_decode`."""

from __future__ import annotations

from typing import Any

from ...ops.shape import fill

__all__ = ["Decoder"]


def constant(value: float, dtype: int, shape: list[int]) -> Any:
    """Make a Variable that is filled with one number."""
    return fill.fill_constant.call(shape=shape, value=float(value), dtype=int(dtype))


class Decoder:
    """Base class of decoders for `dynamic_decode`: `initialize` gives the first input, `step` computes one step."""

    def initialize(self, inits: Any) -> tuple[Any, Any, Any]:
        """Return (first inputs, first states, a bool Variable that tells which sequences are finished).

        Arguments:
            inits: the argument `inits` of `dynamic_decode`.
        """
        raise NotImplementedError(f"{type(self).__name__}.initialize: a decoder says how it begins")

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """Compute one step; return (outputs, new states, next inputs, which sequences are finished).

        Arguments:
            time: the number of the step, an int64 Variable [1].
            inputs, states: those of the step, as `initialize` or the previous step returned them.
            kwargs: the further arguments of `dynamic_decode`.
        """
        raise NotImplementedError(f"{type(self).__name__}.step: a decoder says what a step does")

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Return (outputs, states) computed from the outputs of all steps; called only if a subclass defines it.

        Arguments:
            outputs: the outputs of all steps, each [steps, ...].
            final_states: the states after the last step.
            sequence_lengths: the number of steps of each sequence, int64.
        """
        raise NotImplementedError(f"{type(self).__name__}.finalize")

    @property
    def tracks_own_finished(self) -> bool:
        """Whether `step` itself keeps finished sequences finished."""
        return False
