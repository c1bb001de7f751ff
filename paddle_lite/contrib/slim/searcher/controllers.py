"""Controllers, which propose tokens and learn from their rewards."""

from __future__ import annotations

import copy
import logging
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....core.errors import ArgumentValueError, message

__all__ = ["EvolutionaryController", "SAController"]

_logger = logging.getLogger(__name__)


class EvolutionaryController:
    """The base of controllers: a subclass overrides all methods."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def update(self, tokens: Sequence[int], reward: float) -> None:
        """Learn the reward of tokens."""
        raise NotImplementedError(f"{type(self).__name__}.update: a subclass of EvolutionaryController defines it.")

    def reset(self, range_table: Sequence[int], constrain_func: Callable[..., bool] | None = None) -> None:
        """Begin a search."""
        raise NotImplementedError(f"{type(self).__name__}.reset: a subclass of EvolutionaryController defines it.")

    def next_tokens(self) -> list[int]:
        """Return tokens to try."""
        raise NotImplementedError(
            f"{type(self).__name__}.next_tokens: a subclass of EvolutionaryController defines it."
        )


class SAController(EvolutionaryController):
    """Simulated annealing: a step changes one token; worse tokens are kept by a chance that falls from step to step.

    Arguments:
        range_table: token i is at least 0 and less than range_table[i]; `reset` sets it, too.
        reduce_rate: the factor of the temperature at each step.
        init_temperature: the temperature of the first step.
        max_iter_number: how often a proposal is drawn anew where the constraint refuses it.

    >>> from paddle_lite.fluid.contrib.slim.searcher import SAController
    >>> controller = SAController()
    >>> controller.reset([3, 3], [0, 0])
    >>> sum(a != b for a, b in zip(controller.next_tokens(), [0, 0])) <= 1
    True
    """

    def __init__(
        self,
        range_table: Sequence[int] | None = None,
        reduce_rate: float = 0.85,
        init_temperature: float = 1024,
        max_iter_number: int = 300,
    ) -> None:
        super().__init__()
        self._range_table = range_table
        self._reduce_rate, self._init_temperature = reduce_rate, init_temperature
        self._max_iter_number = max_iter_number
        self._reward, self._max_reward = -1.0, -1.0
        self._tokens: list[int] | None = None
        self._best_tokens: list[int] | None = None
        self._constrain_func: Callable[..., bool] | None = None
        self._iter = 0

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_constrain_func"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _constrain_func=None)

    def reset(  # type: ignore[override]
        self,
        range_table: Sequence[int],
        init_tokens: Sequence[int],
        constrain_func: Callable[..., bool] | None = None,
    ) -> None:
        """Begin a search.

        Arguments:
            range_table: token i is at least 0 and less than range_table[i].
            init_tokens: the tokens to begin with.
            constrain_func: `f(tokens)` returns whether tokens may be proposed; None allows all.

        Raises:
            ArgumentValueError: there are not as many tokens as ranges.
        """
        if len(range_table) != len(init_tokens):
            needs = f"{len(range_table)}, one for each range"
            raise ArgumentValueError(message("SAController.reset", "init_tokens", f"{len(init_tokens)} of them", needs))
        self._range_table, self._constrain_func = list(range_table), constrain_func
        self._tokens, self._iter = list(init_tokens), 0

    def update(self, tokens: Sequence[int], reward: float) -> None:
        """Learn the reward of tokens: they are kept if it is better than the last one, else by chance."""
        self._iter += 1
        temperature = self._init_temperature * self._reduce_rate**self._iter
        if reward > self._reward or np.random.random() <= math.exp((reward - self._reward) / temperature):
            self._reward, self._tokens = reward, list(tokens)
        if reward > self._max_reward:
            self._max_reward, self._best_tokens = reward, list(tokens)
        _logger.info("step %d: reward %s of %s; the best one is %s of %s", self._iter, reward, list(tokens),
                     self._max_reward, self._best_tokens)  # fmt: skip

    def next_tokens(self, control_token: Sequence[int] | None = None) -> list[int]:
        """Return tokens to try: those that are kept, or the given ones, with one of them changed."""
        assert self._range_table is not None
        start = list(control_token) if control_token else copy.copy(self._tokens)
        assert start is not None
        tokens = self._changed(start, self._other)
        for _ in range(self._max_iter_number if self._constrain_func is not None else 0):
            assert self._constrain_func is not None
            if self._constrain_func(tokens):
                break
            tokens = self._changed(start, self._any)  # as in 1.8.5, it may be the token that was there
        return tokens

    def _changed(self, tokens: list[int], draw: Callable[[int, int], int]) -> list[int]:
        """Return the tokens with one of them drawn anew."""
        assert self._range_table is not None
        index = int(len(self._range_table) * np.random.random())
        new = list(tokens)
        new[index] = draw(new[index], self._range_table[index])
        return new

    @staticmethod
    def _other(token: int, count: int) -> int:
        return (token + int(np.random.randint(count - 1)) + 1) % count if count > 1 else 0

    @staticmethod
    def _any(token: int, count: int) -> int:
        return int(np.random.randint(count))
