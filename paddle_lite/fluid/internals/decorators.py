"""Decorators, and what they say: `fluid.wrapped_decorator`, `fluid.annotations`, `fluid.log_helper`."""

from __future__ import annotations

import functools
import logging
import threading
import warnings
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

from ...core.tracebacks import user_level

__all__ = ["deprecated", "get_logger", "wrap_decorator"]

signature_safe_contextmanager = contextmanager


def wrap_decorator(decorator_func: Callable[[Any], Callable]) -> Callable[[Any], Callable]:
    """Return a decorator whose results keep the name, the signature and the docstring of what they decorate.

    Arguments:
        decorator_func: a decorator.

    Returns:
        A decorator that does the same.

    >>> from paddle_lite.fluid.wrapped_decorator import wrap_decorator
    >>> @wrap_decorator
    ... def doubled(function):
    ...     return lambda *args: 2 * function(*args)
    >>> @doubled
    ... def successor(n):
    ...     return n + 1
    >>> successor(3), successor.__name__
    (8, 'successor')
    """

    @functools.wraps(decorator_func)
    def decorator(function: Callable) -> Callable:
        return functools.wraps(function)(decorator_func(function))

    return decorator


def deprecated(since: str, instead: str, extra_message: str = "") -> Callable[[Callable], Callable]:
    """Return a decorator of functions that are to be replaced: a call warns, and the docstring says so.

    Arguments:
        since: the version that deprecated the function.
        instead: what to call instead.
        extra_message: more text.

    Returns:
        A decorator.

    >>> from paddle_lite.fluid.annotations import deprecated
    >>> @deprecated('1.6', 'new_name')
    ... def old_name(n):
    ...     return n
    >>> print(old_name.__doc__.strip())
    API old_name is deprecated since 1.6. Please use new_name instead.
    """

    def decorator(function: Callable) -> Callable:
        text = f"API {function.__name__} is deprecated since {since}. Please use {instead} instead."
        text = f"{text}\n{extra_message}" if extra_message else text

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            warnings.warn(text, DeprecationWarning, stacklevel=user_level())
            return function(*args, **kwargs)

        wrapper.__doc__ = f"{function.__doc__ or ''}\n    {text}"
        return wrapper

    return decorator


def get_logger(name: str, level: int, fmt: str | None = None) -> logging.Logger:
    """Return a logger that writes to stderr, and nowhere else.

    Arguments:
        name: its name.
        level: the lowest level that is written, such as `logging.INFO`.
        fmt: the format of a line, as of `logging.Formatter`.

    Returns:
        A Logger. A second call with the same name returns the same one, with no second handler.

    >>> import logging
    >>> from paddle_lite.fluid.log_helper import get_logger
    >>> get_logger('example', logging.INFO, fmt='%(asctime)s %(message)s').level == logging.INFO
    True
    """
    logger = logging.getLogger(name)
    logger.setLevel(level)
    if not logger.handlers:
        handler = logging.StreamHandler()
        if fmt:
            handler.setFormatter(logging.Formatter(fmt=fmt))
        logger.addHandler(handler)
    logger.propagate = False
    return logger


cache_lock = threading.Lock()
"""What functions under `synchronized` hold while they run."""


def synchronized(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function that runs in one thread at a time, and not while another such function runs."""

    @functools.wraps(func)
    def alone(*args: Any, **kwargs: Any) -> Any:
        with cache_lock:
            return func(*args, **kwargs)

    return alone
