"""`assert`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...layers.control.debugging import Assert
from .sizes import truth
from .values import condition, is_variable


def assert_(test: Any, said: Callable[[], Any]) -> None:
    """Do `assert test, said()`."""
    test = truth(test)
    if is_variable(test):
        Assert(condition(test), [test])
    elif not test:
        text = said()
        raise AssertionError() if text is None else AssertionError(text)
