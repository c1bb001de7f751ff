"""Random seeds of the two default Programs: what random operators without a seed of their own start from.

Fluid code sets `fluid.default_main_program().random_seed`, which in imperative mode is that of parameters, dropout and
all other random operators, and `fluid.default_startup_program().random_seed`, which is that of the parameters of static
Programs. Seed 0 means a different sequence every time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

startup = 0
main = 0


@contextmanager
def fresh() -> Iterator[None]:
    """Unset seeds inside of the block, as each `guard()` has Programs of its own."""
    global startup, main
    before = (startup, main)
    startup = main = 0
    try:
        yield
    finally:
        startup, main = before
