"""Functions compiled from source that is generated at run time."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any


def define(title: str, name: str, source: str, scope: dict[str, Any]) -> Callable:
    """Return the function `name` of a source text, with `scope` as its globals.

    Tracebacks and debuggers show the source.

    Arguments:
        title: a unique description of the source: tracebacks name the file <paddle_lite title>.

    >>> define("doubling", "twice", "def twice(x): return FACTOR * x", {"FACTOR": 2})(21)
    42
    """
    filename = f"<paddle_lite {title}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec"), scope)
    return scope[name]
