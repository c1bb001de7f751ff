"""The random seeds of the two default Programs, which random operators without a seed of their own use.

Fluid code sets `fluid.default_main_program().random_seed`; in imperative mode it seeds parameters, dropout and all
other random operators. `fluid.default_startup_program().random_seed` seeds the parameters of static Programs. Seed 0
means a different sequence every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

startup = 0
main = 0
fresh_programs: Callable[[], AbstractContextManager] = nullcontext
"""Returns a context manager that enters new default Programs; static mode replaces it by its own."""


@contextmanager
def reset_seeds() -> Iterator[None]:
    """Reset both seeds inside the block, since each `guard()` has default Programs of its own."""
    global startup, main
    before = (startup, main)
    startup = main = 0
    try:
        with fresh_programs():
            yield
    finally:
        startup, main = before


@contextmanager
def use_seed(seed: int) -> Iterator[None]:
    """Use this seed for initializers inside the block: that of the startup Program which they are appended to."""
    global main
    before, main = main, seed
    try:
        yield
    finally:
        main = before
