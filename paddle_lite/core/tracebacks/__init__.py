"""Tracebacks of wrong calls: the lines of the program stay, those of paddle_lite are left out.

An error about a wrong call says by itself which call, argument and remedy it is about; the frames between the program's line
and the check that failed only hide the former. The calls that most errors pass, such as operators, Layers and `Executor.run`,
drop them from the error (`shortened`), so that logs, test runners and `traceback.print_exc` show few. What is left is
dropped where nothing catches the error (`core.errors.install_hooks`): in `sys.excepthook`, `threading.excepthook` and IPython.

FLAGS_full_traceback=1 keeps all frames. Errors that are not about a wrong call keep theirs as well, since they may be faults
of paddle_lite; those that the program's own code raises inside a Layer or callback lose the frames of paddle_lite above it.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, TypeVar

from .. import flags
from ..generated import MARK
from .wrong_keywords import name_arguments

_E = TypeVar("_E", bound=BaseException)
_F = TypeVar("_F", bound=Callable[..., Any])
FLAG = "FLAGS_full_traceback"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_STANDARD = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_SITE = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


def is_ours(filename: str) -> bool:
    """Return whether a file is one of paddle_lite, or a function that it has generated."""
    return filename.startswith((_PACKAGE, MARK))


def _is_program(filename: str) -> bool:
    """Return whether a file belongs to the user's program: not to paddle_lite, Python's library or an installed package."""
    if is_ours(filename) or filename.startswith("<frozen "):
        return False
    return not filename.startswith(_STANDARD) and not any(part in filename for part in _SITE)


def _chain(trace: TracebackType | None) -> Iterator[TracebackType]:
    while trace is not None:
        yield trace
        trace = trace.tb_next


def _file(trace: TracebackType) -> str:
    return trace.tb_frame.f_code.co_filename


def shortened(error: _E) -> _E:
    """Drop the frames of paddle_lite from the traceback of an error about a wrong call, and return the error.

    Nothing changes with FLAGS_full_traceback, and for a failure inside of paddle_lite that is not about a wrong call.
    """
    frames = list(_chain(error.__traceback__))
    if not frames or flags.value(FLAG):
        return error
    kept = [trace for trace in frames if not is_ours(_file(trace))]
    if len(kept) == len(frames) or not (getattr(error, "about_a_call", False) or _is_program(_file(frames[-1]))):
        return error
    return error.with_traceback(_linked(kept))


def _linked(frames: list[TracebackType]) -> TracebackType | None:
    """Return a traceback of these frames; None for no frames."""
    linked: TracebackType | None = None
    for trace in reversed(frames):
        linked = TracebackType(linked, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)
    return linked


def boundary(function: _F) -> _F:
    """Return a function whose errors are shortened. It takes 0.1 us, so it is for calls that take much longer than that."""

    @functools.wraps(function)
    def run(*args: Any, **keywords: Any) -> Any:
        try:
            return function(*args, **keywords)
        except Exception as error:
            raise shortened(error)  # noqa: B904 - the same error

    return run  # type: ignore[return-value]


def shorten_all(error: BaseException) -> None:
    """Shorten an error that nothing has caught, with its causes; an error whose frames are all paddle_lite's keeps them."""
    seen: set[int] = set()
    if type(error) is TypeError and error.__traceback__ is not None:
        name_arguments(error)
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if any(
            not is_ours(_file(trace)) and not _file(trace).startswith("<frozen ")
            for trace in _chain(error.__traceback__)
        ):
            shortened(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)  # type: ignore[assignment]
