"""Functions from source that we write ourselves at run time."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any


def define(title: str, name: str, source: str, scope: dict[str, Any]) -> Callable:
    """The function `name` of a source, with `scope` as its globals; tracebacks and debuggers show the source.

    Arguments:
        title: what the source is, unlike any other: tracebacks name the file <paddle_lite title>.

    >>> define("doubling", "twice", "def twice(x): return FACTOR * x", {"FACTOR": 2})(21)
    42
    """
    filename = f"<paddle_lite {title}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec"), scope)
    return scope[name]
