"""Strategy, the base of all strategies of compression."""

from __future__ import annotations

from typing import Any

__all__ = ["Strategy"]


class Strategy:
    """What is done at certain times of a training, such as pruning; a subclass overrides what it needs.

    Arguments:
        start_epoch: the first epoch of the strategy.
        end_epoch: the last one.
    """

    def __init__(self, start_epoch: int = 0, end_epoch: int = 0) -> None:
        self.start_epoch = start_epoch
        self.end_epoch = end_epoch

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("start_epoch", "end_epoch")}

    def on_compression_begin(self, context: Any) -> None:
        """Called before the first epoch."""

    def on_epoch_begin(self, context: Any) -> None:
        """Called before each epoch."""

    def on_epoch_end(self, context: Any) -> None:
        """Called after each epoch."""

    def on_batch_begin(self, context: Any) -> None:
        """Called before each batch."""

    def on_batch_end(self, context: Any) -> None:
        """Called after each batch."""

    def on_compression_end(self, context: Any) -> None:
        """Called after the last epoch."""

    def restore_from_checkpoint(self, context: Any) -> None:
        """Called after a checkpoint was loaded, to bring graphs into the state of its epoch."""
