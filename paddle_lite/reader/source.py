"""Functions that all decorators apply to their readers: check, open and close them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ..core.errors import ArgumentTypeError, describe, message

Reader = Callable[[], Iterable[Any]]


def check_readers(call: str, *readers: Any) -> None:
    """Raise unless all readers are functions; a common mistake is to pass `reader()`."""
    for reader in readers:
        if not callable(reader):
            raise ArgumentTypeError(
                message(
                    f"paddle.reader.{call}",
                    "reader",
                    describe(reader),
                    "a function without arguments that returns an iterable of samples",
                    "Pass the reader itself, not what it returns: `reader`, not `reader()`.",
                )
            )


@contextmanager
def opened(*readers: Reader) -> Iterator[list[Iterator[Any]]]:
    """Open an iterator for each reader; at the end, close those that can be closed."""
    with ExitStack() as stack:
        iterators = []
        for reader in readers:
            iterator = iter(reader())
            close = getattr(iterator, "close", None)
            if callable(close):
                stack.callback(close)
            iterators.append(iterator)
        yield iterators
