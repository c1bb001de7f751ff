"""What the results of operators are called while a Program is built: after their layer, or as their maker says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from . import unique_name


class Current:
    """The key of the names of results; None: each operator's type gives it."""

    key: str | None = None


current = Current()


@contextmanager
def results(key: str) -> Iterator[None]:
    """Results of operators inside of the block are called `key`_0, `key`_1 and so on."""
    before, current.key = current.key, key
    try:
        yield
    finally:
        current.key = before


def layer(name: str) -> AbstractContextManager[None]:
    """Results of operators inside of the block are called `name`.tmp_0, `name`.tmp_1 and so on."""
    return results(f"{name}.tmp")


def result_key(type: str) -> str:
    """The key of the names of the results of an operator of this type."""
    return current.key or f"{unique_name.generate(type)}.tmp"
