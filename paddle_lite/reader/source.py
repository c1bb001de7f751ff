"""What every decorator does with the readers it is given: check that they are readers, open them, close them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ..core.errors import ArgumentTypeError, describe, message

Reader = Callable[[], Iterable[Any]]


def check_readers(call: str, *readers: Any) -> None:
    """Refuse what is not a function, above all the common slip of passing `reader()`."""
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
    """One iterator for each reader; those that can be closed are closed on leaving, whatever happened."""
    with ExitStack() as stack:
        iterators = []
        for reader in readers:
            iterator = iter(reader())
            close = getattr(iterator, "close", None)
            if callable(close):
                stack.callback(close)
            iterators.append(iterator)
        yield iterators
