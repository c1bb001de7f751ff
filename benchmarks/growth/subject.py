"""A subject of measurement: functions of a size, each timed in phases."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple


class Phases:
    """The times of the phases of one run, in seconds on the processor."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def time(self, name: str, work: Callable[[], Any]) -> Any:
        """Do a phase's work, and return what it returns."""
        start = time.process_time()
        result = work()
        self.seconds[name] = self.seconds.get(name, 0.0) + time.process_time() - start
        return result


class Subject(NamedTuple):
    """What is measured for several sizes.

    Attributes:
        name: what the table calls it. of: what the size counts. sizes: the sizes. run: measures one size.
        work: the exponents with which the work itself grows, by phase; 1 for other phases.
    """

    name: str
    of: str
    sizes: tuple[int, ...]
    run: Callable[[int, Phases], None]
    work: dict[str, float]


SUBJECTS: dict[str, Subject] = {}


def subject(of: str, sizes: tuple[int, ...], **work: float) -> Callable[[Callable[[int, Phases], None]], Any]:
    """Make a function a subject, named by the first line of its docstring."""

    def mark(run: Callable[[int, Phases], None]) -> Callable[[int, Phases], None]:
        title = (run.__doc__ or "").strip().splitlines()[0]
        SUBJECTS[run.__name__] = Subject(title, of, sizes, run, work)
        return run

    return mark
