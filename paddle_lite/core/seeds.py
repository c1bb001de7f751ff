"""Random seeds of the two default Programs: what random operators without a seed of their own start from.

Fluid code sets `fluid.default_startup_program().random_seed` (parameters) and `fluid.default_main_program().random_seed`
(dropout and other operators). Seed 0 means a different sequence every time.
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
