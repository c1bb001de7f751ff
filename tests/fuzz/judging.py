"""What a hostile file or a wrong call may end in: a result, or an error that says what is wrong; nothing else."""

from __future__ import annotations

import inspect
import os
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import paddle_lite
from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.core.generated import MARK

PACKAGE = os.path.dirname(os.path.abspath(paddle_lite.__file__)) + os.sep
SIGNATURE = re.compile(
    r"got an unexpected keyword argument|missing \d+ required|takes (from )?\d+.* positional|got multiple values for"
    r"|takes no (keyword )?arguments|positional-only"
)
"""Python's own texts about the arguments of a call, which name the function and the argument."""
RAW = re.compile(
    r"\b(IndexError|KeyError|AttributeError|TypeError|UnboundLocalError|NameError|RecursionError|ZeroDivisionError"
    r"|UnicodeDecodeError|struct\.error|StopIteration): |: it does not work with that \(\w"
)
"""Texts that only quote an error of Python or NumPy."""


class Ended(Exception):
    """A case ended in something that it must not end in. kind: a short text that is equal for equal causes."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


def _frames(trace: TracebackType | None) -> Iterator[traceback.FrameSummary]:
    yield from traceback.extract_tb(trace)


def _is_ours(filename: str) -> bool:
    return filename.startswith((PACKAGE, MARK))


def _is_of(program: str, filename: str) -> bool:
    """Return whether a file is the program's: its source, or a tree of its own that `ast_to_func` makes a function of."""
    return bool(program) and (filename == program or filename.startswith("<translated "))


def _is_about_a_function_of(program: str, error: BaseException) -> bool:
    """Return whether Python refuses the arguments of a call of a function that the program defines, such as a declared one."""
    name, trace = str(error).partition("(")[0], error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != program:
        trace = trace.tb_next
    if trace is None or type(error) is not TypeError or not SIGNATURE.search(str(error)):
        return False
    function = inspect.unwrap(trace.tb_frame.f_globals.get(name.rpartition(".")[2], len))
    return getattr(getattr(function, "__code__", None), "co_filename", "") == program


def judged(error: BaseException, program: str = "") -> str:
    """Return "" for a fair error; the text of one that only quotes what was raised further down; raise Ended otherwise.

    Arguments:
        error: what a case has raised.
        program: the name of the file whose frames are those of the user's program. What its own lines raise is fair, and so
            is what they get from libraries that they call without paddle_lite.
    """
    if isinstance(error, Ended):
        raise error
    if isinstance(error, EnforceNotMet) or getattr(error, "about_a_call", False):
        return str(error) if RAW.search(str(error)) and not SIGNATURE.search(str(error)) else ""
    if isinstance(error, (SystemExit, KeyboardInterrupt)) or (
        isinstance(error, OSError) and error.filename is not None
    ):
        return ""  # Python names the file
    known = [
        frame for frame in _frames(error.__traceback__) if _is_ours(frame.filename) or _is_of(program, frame.filename)
    ]
    if program and (not known or _is_of(program, known[-1].filename) or _is_about_a_function_of(program, error)):
        return ""  # an operator of Python, a callback, NumPy called directly
    if type(error) is TypeError and SIGNATURE.search(str(error)) and len(known) <= 1:
        return ""
    where = f"{known[-1].filename.removeprefix(PACKAGE)}:{known[-1].lineno}" if known else "nowhere"
    lines = "".join(traceback.format_list(known[-4:]))
    raise Ended(f"{type(error).__name__} at {where}", f"{type(error).__name__}: {str(error)[:300]}\n{lines}") from error


LOADING = 256 << 20
"""The bytes that loading a file of some kilobytes may take at most, beside what the process has already."""


@contextmanager
def limited(more: int = LOADING) -> Iterator[None]:
    """Let the block take this much more memory at most, where the operating system can limit it."""
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:  # macOS
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + more, most))
    try:
        yield
    except MemoryError as error:
        raise Ended("memory", f"takes more than {more >> 20} MiB: {error}") from error
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, most))
