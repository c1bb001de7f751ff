"""Tracebacks of wrong calls: the lines of the program stay, those of paddle_lite are left out.

An error about a wrong call says by itself which call, argument and remedy it is about; the frames between the program's line
and the check that failed only hide the former. The calls that most errors pass, such as operators, Layers and `Executor.run`,
drop them from the error (`shortened`), so that logs, test runners and `traceback.print_exc` show few. What is left is
dropped where nothing catches the error (`core.errors.install_hooks`): in `sys.excepthook`, `threading.excepthook` and IPython.

FLAGS_full_traceback=1 keeps all frames. Errors that are not about a wrong call keep theirs as well, since they may be faults
of paddle_lite; those that the program's own code raises inside a Layer or callback lose the frames of paddle_lite above it.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, TypeVar

from .. import flags
from ..generated import MARK

_E = TypeVar("_E", bound=BaseException)
FLAG = "FLAGS_full_traceback"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_STANDARD = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_BETWEEN = (contextlib.__file__, functools.__file__)  # of decorators and of the end of a `with`
_SITE = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


def is_ours(filename: str) -> bool:
    """Return whether a file is one of paddle_lite, or a function that it has generated."""
    return filename.startswith((_PACKAGE, MARK))


def _is_program(filename: str) -> bool:
    """Return whether a file belongs to the user's program: not to paddle_lite, Python's library or an installed package."""
    if is_ours(filename) or filename.startswith(("<frozen ", "<__array_function__")) or filename.endswith(".pyx"):
        return False
    return not filename.startswith(_STANDARD) and not any(part in filename for part in _SITE)


def user_level() -> int:
    """Return the `stacklevel`, for a warning by the caller, of the innermost line outside of paddle_lite."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and (is_ours(frame.f_code.co_filename) or frame.f_code.co_filename in _BETWEEN):
        frame, level = frame.f_back, level + 1
    return level


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
    ours = [is_ours(_file(trace)) for trace in frames]
    kept = [
        trace
        for i, trace in enumerate(frames)
        if not ours[i] and not (_file(trace) in _BETWEEN and any(ours[max(i - 1, 0) : i + 2]))
    ]
    of_the_call = getattr(error, "about_a_call", isinstance(error, NotImplementedError))  # it names what to define
    if len(kept) == len(frames) or not (of_the_call or _is_program(_file(frames[-1]))):
        return error
    return error.with_traceback(_linked(kept))


def _linked(frames: list[TracebackType]) -> TracebackType | None:
    """Return a traceback of these frames; None for no frames."""
    linked: TracebackType | None = None
    for trace in reversed(frames):
        linked = TracebackType(linked, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)
    return linked


def about_the_call(function: Callable[..., Any], args: Any, keywords: Any, error: Exception) -> Exception:
    """Return the error of a call, shortened; where Python or NumPy raised it in code of paddle_lite, one that names the call."""
    from .explained import explained, explained_further, is_raw  # only an error needs it

    if getattr(error, "explained", False):
        if not any(
            _is_program(_file(trace)) for trace in _chain(error.__traceback__)
        ):  # else the program made the inner call
            error = explained_further(function, args, keywords, error)
    elif is_raw(error) and is_from_us(error):
        if _of_signature(function, error):
            error.about_a_call = True  # type: ignore[attr-defined]  # Python's text names the function and the argument
        else:
            error = explained(function, args, keywords, error)
    return shortened(error)


def _of_signature(function: Callable[..., Any], error: Exception) -> bool:
    """Return whether Python has refused the arguments of the call itself: the function that has the signature has not begun."""
    if not isinstance(error, TypeError):
        return False
    frames = [trace.tb_frame.f_code for trace in _chain(error.__traceback__)]
    if len(frames) == 1 and frames[0].co_name in ("run", "_call"):
        return True
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    named = str(error).startswith(f"{getattr(function, '__qualname__', None)}() ")
    return named and getattr(function, "__code__", None) not in frames


def is_from_us(error: Exception) -> bool:
    """Return whether paddle_lite, or a library that it called, raised an error, and not a function of the user's program."""
    last = next((f for f in reversed([*map(_file, _chain(error.__traceback__))]) if is_ours(f) or _is_program(f)), "")
    return is_ours(last)


def shorten_all(error: BaseException) -> None:
    """Shorten an error that nothing has caught, with its causes; an error whose frames are all paddle_lite's keeps them."""
    seen: set[int] = set()
    if type(error) is TypeError and error.__traceback__ is not None:
        from .wrong_keywords import name_arguments  # only an error needs it

        name_arguments(error)
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if any(
            not is_ours(_file(trace)) and not _file(trace).startswith("<frozen ")
            for trace in _chain(error.__traceback__)
        ):
            shortened(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)  # type: ignore[assignment]
