"""Whether the calling thread shares parameters with others that compute at the same time (Hogwild).

Updates of optimizers then happen in place whoever else holds an array, for those are threads that want to see them.
Otherwise an array that another object holds is copied first.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["sharing", "sharing_parameters"]


class _Sharing(threading.local):
    """on: whether this thread shares parameters."""

    on = False


sharing = _Sharing()


@contextmanager
def sharing_parameters(on: bool = True) -> Iterator[None]:
    """Say within the block that the calling thread shares parameters, unless `on` is False.

    >>> with sharing_parameters():
    ...     print(sharing.on)
    True
    >>> sharing.on
    False
    """
    before, sharing.on = sharing.on, on
    try:
        yield
    finally:
        sharing.on = before
