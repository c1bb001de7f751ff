"""Which passes the Plans of a test go through."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from paddle_lite import fluid


@contextmanager
def passes(which: str = "all", warm_up: int = 0) -> Iterator[None]:
    """With these passes, those that compile kernels after so many runs."""
    before = fluid.get_flags(["FLAGS_plan_passes", "FLAGS_plan_warm_up"])
    fluid.set_flags({"FLAGS_plan_passes": which, "FLAGS_plan_warm_up": warm_up})
    try:
        yield
    finally:
        fluid.set_flags(before)
