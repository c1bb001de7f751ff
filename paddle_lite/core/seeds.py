"""The random seeds of the two default Programs, which random operators without a seed of their own use.

Fluid code sets `fluid.default_main_program().random_seed`; in imperative mode it seeds parameters, dropout and all
other random operators. `fluid.default_startup_program().random_seed` seeds the parameters of static Programs. Seed 0
means a different sequence every time. Blocks change the seeds of their own context (see threads/contexts.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from .threads.contexts import PerContext


class Seeds:
    """The seeds of the default main and the default startup Program."""

    __slots__ = ("main", "startup")

    def __init__(self, main: int = 0, startup: int = 0) -> None:
        self.main, self.startup = main, startup


_seeds = PerContext("seeds", Seeds())
current = _seeds.get
"""Return the Seeds of this context; to change them is a global call, for the innermost block or the process."""
fresh_programs: Callable[[], AbstractContextManager] = nullcontext
"""Returns a context manager that enters new default Programs; static mode replaces it by its own."""


@contextmanager
def reset_seeds() -> Iterator[None]:
    """Reset both seeds inside the block, since each `guard()` has default Programs of its own."""
    with own_seeds(0, 0), fresh_programs():
        yield


def own_seeds(main: int, startup: int) -> AbstractContextManager[None]:
    """Return a context manager that uses other seeds inside of its block."""
    return _seeds.replaced(Seeds(main, startup))


def use_seed(seed: int) -> AbstractContextManager[None]:
    """Use this seed for initializers inside the block: that of the startup Program which they are appended to."""
    return own_seeds(seed, current().startup)
