"""`paddle.sysconfig`: where the files of the native library are, which paddle_lite does not have."""

from __future__ import annotations

from typing import NoReturn

from .core.errors import DeviceError

__all__ = ["get_include", "get_lib"]


def get_include() -> NoReturn:
    """Raise: there are no C++ headers.

    Raises:
        DeviceError: always. docs/operators.md shows how to declare an operator in Python.
    """
    _no_library("get_include")


def get_lib() -> NoReturn:
    """Raise: there is no native library.

    Raises:
        DeviceError: always. docs/operators.md shows how to declare an operator in Python.
    """
    _no_library("get_lib")


def _no_library(call: str) -> NoReturn:
    fix = "Declare operators in Python, as docs/operators.md shows."
    raise DeviceError(
        f"paddle.sysconfig.{call}: paddle_lite is pure Python, without headers and libraries to compile against. {fix}"
    )
