"""The default Programs, as far as imperative code uses them: their random seed."""

from __future__ import annotations

from typing import Any

from ..core import seeds
from ..core.errors import ArgumentTypeError, NotYetAvailable, message


class Program:
    """A default Program. Setting `random_seed` makes parameters and random operators reproducible.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.default_main_program().random_seed = 90
    """

    def __init__(self, role: str) -> None:
        object.__setattr__(self, "_role", role)

    @property
    def random_seed(self) -> int:
        """The seed of random operators that have none of their own; 0: different numbers every time."""
        return getattr(seeds, self._role)

    @random_seed.setter
    def random_seed(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise ArgumentTypeError(message("Program.random_seed", "seed", repr(seed), "an int"))
        setattr(seeds, self._role, seed)

    def __getattr__(self, name: str) -> Any:
        raise NotYetAvailable(
            f"Program.{name} is not yet available in this version: static Programs come with the next one"
        )


_main, _startup = Program("main"), Program("startup")


def default_main_program() -> Program:
    """The Program that operators outside of a `program_guard` belong to."""
    return _main


def default_startup_program() -> Program:
    """The Program that initialises the default main Program's parameters."""
    return _startup
