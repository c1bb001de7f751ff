"""SearchSpace: the networks among which a search chooses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["SearchSpace"]


class SearchSpace:
    """The base of spaces of networks: a subclass defines the methods."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def init_tokens(self) -> list[int]:
        """Return the tokens of the first network."""
        raise NotImplementedError(f"{type(self).__name__}.init_tokens: a subclass of SearchSpace defines it.")

    def range_table(self) -> list[int]:
        """Return for each token the number of its values."""
        raise NotImplementedError(f"{type(self).__name__}.range_table: a subclass of SearchSpace defines it.")

    def create_net(self, tokens: Sequence[int]) -> tuple[Any, ...]:
        """Return what is needed to train the network of tokens.

        Returns:
            (startup Program, Program of training, Program of evaluation, what the training fetches, what the evaluation
            fetches, reader of training, reader of evaluation); what is fetched as pairs of a name and the name of a Variable.
        """
        raise NotImplementedError(f"{type(self).__name__}.create_net: a subclass of SearchSpace defines it.")

    def get_model_latency(self, program: Any) -> float:
        """Return how long a Program takes."""
        raise NotImplementedError(f"{type(self).__name__}.get_model_latency: a subclass of SearchSpace defines it.")
