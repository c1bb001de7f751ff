"""Functions compiled from source that is generated at run time."""

from __future__ import annotations

import linecache
import weakref
from collections import Counter
from collections.abc import Callable
from typing import Any

MARK = "<paddle_lite "  # how the names of their files begin


def define(title: str, name: str, source: str, scope: dict[str, Any]) -> Callable:
    """Return the function `name` of a source text, with `scope` as its globals.

    Tracebacks and debuggers show the source, as long as the function exists.

    Arguments:
        title: a unique description of the source: tracebacks name the file <paddle_lite title>.

    >>> define("doubling", "twice", "def twice(x): return FACTOR * x", {"FACTOR": 2})(21)
    42
    """
    filename = f"{MARK}{title}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    _texts[filename] = source
    exec(compile(source, filename, "exec"), scope)
    function = scope[name]
    _alive[filename] += 1
    weakref.finalize(function.__code__, _forget, filename).atexit = False
    return function


def text_of(filename: str) -> str:
    """Return the source of a file: of `define`, also after `linecache.clearcache()`, or of one on the disk; "" if there is none."""
    text = _texts.get(filename)
    return "".join(linecache.getlines(filename)) if text is None else text


_texts: dict[str, str] = {}
_alive: Counter[str] = Counter()
"""The functions that exist, by the name of their file; one that is defined again has the same source."""


def _forget(filename: str) -> None:
    """Drop the source of a function that is gone, unless another has it, too."""
    _alive[filename] -= 1
    if not _alive[filename]:
        del _alive[filename]
        linecache.cache.pop(filename, None)
        _texts.pop(filename, None)
