"""Random seeds of the two default Programs: what random operators without a seed of their own start from.

Fluid code sets `fluid.default_main_program().random_seed`, which in imperative mode is that of parameters, dropout and
all other random operators, and `fluid.default_startup_program().random_seed`, which is that of the parameters of static
Programs. Seed 0 means a different sequence every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

startup = 0
main = 0
fresh_programs: Callable[[], AbstractContextManager] = nullcontext
"""Enters default Programs of a guard's own; static mode puts its own way here."""


@contextmanager
def fresh() -> Iterator[None]:
    """Unset seeds inside of the block, as each `guard()` has Programs of its own."""
    global startup, main
    before = (startup, main)
    startup = main = 0
    try:
        with fresh_programs():
            yield
    finally:
        startup, main = before


@contextmanager
def using(seed: int) -> Iterator[None]:
    """This seed for initializers inside of the block: that of the startup Program which they go into."""
    global main
    before, main = main, seed
    try:
        yield
    finally:
        main = before
