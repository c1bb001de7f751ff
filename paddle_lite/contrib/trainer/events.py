"""What a Trainer tells its event handler: epochs and steps that begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class BeginEpochEvent:
    """An epoch begins.

    Arguments:
        epoch_id: the number of the epoch, from 0.
    """

    def __init__(self, epoch_id: int) -> None:
        self.epoch = epoch_id


class EndEpochEvent:
    """An epoch has ended.

    Arguments:
        epoch_id: the number of the epoch, from 0.
    """

    def __init__(self, epoch_id: int) -> None:
        self.epoch = epoch_id


class BeginStepEvent:
    """A step begins. A handler that sets `fetch_metrics` to False gets no metrics at its end.

    Arguments:
        epoch_id: the number of the epoch, from 0.
        step_id: the number of the step in the epoch, from 0.
    """

    def __init__(self, epoch_id: int, step_id: int) -> None:
        self.epoch = epoch_id
        self.step = step_id
        self.fetch_metrics = True


class EndStepEvent:
    """A step has ended.

    Arguments:
        epoch_id: the number of the epoch, from 0.
        step_id: the number of the step in the epoch, from 0.
        metrics: arrays, the values of what the train function returned.
    """

    def __init__(self, epoch_id: int, step_id: int, metrics: Sequence[Any]) -> None:
        self.epoch = epoch_id
        self.step = step_id
        self.metrics = metrics
