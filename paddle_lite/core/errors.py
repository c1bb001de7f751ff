"""The exceptions that paddle_lite raises, the functions that compose their messages, and hooks that show them briefly.

A message names the operator or call, the argument, the value it got, the value it needs, and a remedy. Each class
derives from the built-in exceptions that PaddlePaddle raises in its place, and from `EnforceNotMet`, so that the `except`
clauses of a Fluid program catch it.
"""

from __future__ import annotations

import reprlib
import sys
import threading
from types import TracebackType
from typing import Any


class EnforceNotMet(Exception):
    """The base class of the errors about a wrong call; Fluid calls it `fluid.core.EnforceNotMet`."""

    about_a_call = True  # whether the frames of paddle_lite are left out of its traceback


class EOFException(Exception):
    """Raised at the end of an epoch, when a reader has no more batches; not an error, hence not an EnforceNotMet."""


class WrongCall(EnforceNotMet, TypeError, ValueError, AssertionError):
    """The base class of the errors about arguments.

    PaddlePaddle raises TypeError, ValueError, AssertionError or EnforceNotMet for them, for the same mistake in one function
    this and in the next one that. Programs that catch any of them catch these errors, too.
    """


class ShapeError(WrongCall):
    """A shape, rank or axis does not fit the operator. Reshape the argument, or pass another axis."""


class DtypeError(WrongCall):
    """An array has a dtype that the operator does not support. Convert it first: `x.astype('float32')`."""


class StoredShapeError(ShapeError, RuntimeError):
    """A value in a file has another shape than the Variable that it is for: it was saved from another Program."""


class StoredDtypeError(DtypeError, RuntimeError):
    """A value in a file has another dtype than the Variable that it is for: it was saved from another Program."""


class ArgumentTypeError(WrongCall):
    """An argument has the wrong Python type, such as an ndarray where a Variable is needed (`to_variable` makes one)."""


class DenseNeeded(ArgumentTypeError, AttributeError):
    """A sparse gradient (SelectedRows) stands where a dense array is needed: `get_tensor_from_selected_rows` gives its values."""


class ArgumentValueError(WrongCall):
    """An argument has a value that the call does not accept."""


class TooLargeError(ArgumentValueError, MemoryError):
    """What a call asks for does not fit in memory."""


class IndexRangeError(WrongCall, IndexError):
    """An index or a label lies outside the array that it indexes."""


class UnknownNameError(ArgumentValueError, NameError):
    """A function or a syntax tree uses a name that stands for nothing."""


class NotSupportedError(ArgumentValueError, NotImplementedError):
    """A call asks for what PaddlePaddle 1.8.5 does not do either; the text says what does it."""


class LoDError(WrongCall):
    """A LoD (the offsets of ragged rows) is inconsistent in itself or does not fit the rows it describes."""


class ModeError(EnforceNotMet, RuntimeError, AssertionError):
    """A call is not possible in the current mode: imperative calls need `paddle.enable_imperative()` or a `guard()`."""


class GraphError(EnforceNotMet, RuntimeError, ValueError):
    """The recorded computation cannot be differentiated: it was freed, or an operator does not define the gradient."""


class RaggedError(LoDError, RuntimeError):
    """Ragged rows stand where an ndarray is needed, which cannot hold them. Fluid raises a RuntimeError for it."""


class NonFiniteError(EnforceNotMet, FloatingPointError):
    """FLAGS_check_nan_inf is set, and an operator produced a NaN or an infinity."""


class LoopLimitError(EnforceNotMet, RuntimeError):
    """A loop of a Program runs for more iterations than FLAGS_max_loop_iterations allows."""


class DeviceError(EnforceNotMet, RuntimeError):
    """A device was requested that this process cannot use."""


class MissingFileError(EnforceNotMet, FileNotFoundError, RuntimeError, ValueError):
    """A file of a saved model does not exist. Fluid raises a RuntimeError or a ValueError for it."""


class FolderError(EnforceNotMet, OSError, ValueError):
    """A folder stands where a file has to be written, or a file where a folder has to be, or it cannot be written."""


class FileFormatError(EnforceNotMet, ValueError):
    """A file is truncated, has another format, or contains code, which a data file must not contain."""


class PipeCommandError(EnforceNotMet, RuntimeError):
    """The pipe command of a data set failed, or did not end. Its own errors are at the end of the text."""


class MissingKeyError(EnforceNotMet, KeyError, RuntimeError):
    """A state dict lacks entries. Fluid raises a RuntimeError for it; Python programmers expect a KeyError."""

    def __str__(self) -> str:  # KeyError shows the repr of its argument; a sentence reads better
        return str(self.args[0]) if self.args else ""


class NoStateDictError(ArgumentTypeError, RuntimeError):
    """Something else stands where a state dict is needed. Fluid looks for the entries in it, and raises a RuntimeError."""


class MissingStateError(MissingKeyError, AssertionError):
    """The state dict of an optimizer lacks entries. Fluid asserts that they are there."""


class MissingSublayerError(IndexRangeError, MissingKeyError):
    """A list of sublayers or parameters has no such place. Fluid raises a KeyError; Python programmers expect an IndexError."""


class MissingVariableError(MissingKeyError, ValueError, AssertionError):
    """A Program or a Scope has no Variable with this name. Fluid raises a ValueError for it, or an AssertionError."""


class PeerError(EnforceNotMet, RuntimeError):
    """Another process of the job cannot be reached, is lost, or sent what it must not. The text says which and what."""


class PeerLost(PeerError):
    """Another process of the job has ended or is silent, so the job cannot go on.

    Start the job again; `paddle_lite.distributed.load_checkpoint` resumes it.

    Arguments:
        role: "trainer" or "server".
        number: which of them, counted from 0; -1 where it is not known.
        endpoint: its address, "HOST:PORT"; "" where it is not known.
        why: what is known of it: "has ended: ...".
        last_call: the last call that it made or was asked for; "" where there is none.
        silent: how many seconds ago that was.
        others: texts about further processes that are lost.

    Attributes: those of the arguments.
    """

    def __init__(
        self,
        role: str,
        number: int,
        endpoint: str,
        why: str,
        last_call: str = "",
        silent: float = 0.0,
        others: str = "",
    ) -> None:
        who = f"{role} {number}" if number >= 0 else role
        last = f", last call: {last_call}, {silent:.1f} s ago" if last_call else ""
        remedy = (
            "Start the job again: paddle_lite.distributed.load_checkpoint resumes it from the newest whole checkpoint."
        )
        more = f"; {others}" if others else ""
        super().__init__(f"{who}{f' ({endpoint})' if endpoint else ''} {why}{last}{more}. {remedy}")
        self.role, self.number, self.endpoint, self.why = role, number, endpoint, why
        self.last_call, self.silent, self.others = last_call, silent, others

    def __reduce__(self) -> tuple:
        return PeerLost, (
            self.role, self.number, self.endpoint, self.why, self.last_call, self.silent, self.others
        )  # fmt: skip


class MissingPackageError(EnforceNotMet, ModuleNotFoundError):
    """A package is not installed that only a part of paddle_lite needs."""


class VersionError(EnforceNotMet, RuntimeError):
    """A program needs a version of PaddlePaddle other than the one whose API paddle_lite implements."""


class NotYetAvailable(EnforceNotMet, AttributeError):
    """An API of PaddlePaddle that this version of paddle_lite does not implement."""


def missing_name(text: str, name: str, owner: Any = None) -> AttributeError:
    """Return the AttributeError about a name that an object does not have.

    Arguments:
        text: the text, which may say what it is called here. name: the name.
        owner: the object; where it is given, Python appends "Did you mean" with the closest of its names.
    """
    error = AttributeError(text, name=name, obj=owner)
    error.about_a_call = True  # type: ignore[attr-defined]
    return error


def message(where: str, argument: str, got: Any, needs: str, fix: str = "") -> str:
    """Return an error text in the standard form: `where`: `argument` got ..., needs ...; remedy."""
    text = f"{where}: {argument} got {got}, needs {needs}."
    return f"{text} {fix}" if fix else text


def describe(value: Any) -> str:
    """Return a short description of a value.

    Shape and dtype of an array or Variable, type and value of anything else.
    """
    array = getattr(value, "array", value)
    if hasattr(array, "shape") and hasattr(array, "dtype"):
        return f"{type(value).__name__} of shape {list(array.shape)} and dtype {array.dtype}"
    text = " ".join(_text(value).split())
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"


def _text(value: Any) -> str:
    """Return the beginning of the text of a value, also of one that is large or nested deeply, or that cannot be printed."""
    try:
        if isinstance(value, (str, bytes, list, tuple, dict, set, frozenset)) and len(value) > 100:
            return _beginnings.repr(value)
        return repr(value)
    except RecursionError:
        return _beginnings.repr(value)
    except Exception as error:  # of a __repr__ of the user's
        return f"whose repr() raises {type(error).__name__}"


_beginnings = reprlib.Repr()
_beginnings.maxlist = _beginnings.maxtuple = _beginnings.maxdict = _beginnings.maxset = _beginnings.maxfrozenset = 30
_beginnings.maxstring = _beginnings.maxother = 200


def install_hooks() -> None:
    """Let Python and a running IPython show errors that nothing has caught without the frames of paddle_lite.

    Hooks that others have set before are called afterwards, as they were.
    """
    before, before_threads = sys.excepthook, threading.excepthook

    def uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _shorten_all(error)
        before(kind, error, error.__traceback__)

    def uncaught_in_thread(args: Any) -> None:
        if args.exc_value is not None:
            _shorten_all(args.exc_value)
            args = threading.ExceptHookArgs((args.exc_type, args.exc_value, args.exc_value.__traceback__, args.thread))
        before_threads(args)

    uncaught.__wrapped__ = before  # type: ignore[attr-defined]  # whoever replaces it may ask whose it is
    sys.excepthook, threading.excepthook = uncaught, uncaught_in_thread
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    if shell is not None and not shell.custom_exceptions:
        shell.set_custom_exc((Exception,), _shown_by_ipython)


def _shorten_all(error: BaseException) -> None:
    if isinstance(
        error, Exception
    ):  # an import while KeyboardInterrupt is shown would change the exit code of the process
        from .tracebacks import shorten_all  # only an error needs it

        shorten_all(error)


def _shown_by_ipython(shell: Any, kind: Any, error: BaseException, trace: Any, tb_offset: int | None = None) -> None:
    """Show an error in IPython."""
    _shorten_all(error)
    shell.showtraceback((kind, error, error.__traceback__), tb_offset=tb_offset)
