"""The exceptions that paddle_lite raises, and the functions that compose their messages.

A message names the operator or call, the argument, the value it got, the value it needs, and a remedy. Each class
derives from the built-in exceptions that PaddlePaddle raises in its place, and from `EnforceNotMet`, so that the `except`
clauses of a Fluid program catch it.
"""

from __future__ import annotations

from typing import Any


class EnforceNotMet(Exception):
    """The base class of the errors about a wrong call; Fluid calls it `fluid.core.EnforceNotMet`."""


class WrongCall(EnforceNotMet, TypeError, ValueError, AssertionError):
    """The base class of the errors about arguments.

    PaddlePaddle raises TypeError, ValueError, AssertionError or EnforceNotMet for them, for the same mistake in one function
    this and in the next one that. Programs that catch any of them catch these errors, too.
    """


class ShapeError(WrongCall):
    """A shape, rank or axis does not fit the operator. Reshape the argument, or pass another axis."""


class DtypeError(WrongCall):
    """An array has a dtype that the operator does not support. Convert it first: `x.astype('float32')`."""


class ArgumentTypeError(WrongCall):
    """An argument has the wrong Python type, such as an ndarray where a Variable is needed (`to_variable` makes one)."""


class ArgumentValueError(WrongCall):
    """An argument has a value that the call does not accept."""


class IndexRangeError(WrongCall, IndexError):
    """An index or a label lies outside the array that it indexes."""


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


class DeviceError(EnforceNotMet, RuntimeError):
    """A device was requested that this process cannot use."""


class MissingFileError(EnforceNotMet, FileNotFoundError, RuntimeError, ValueError):
    """A file of a saved model does not exist. Fluid raises a RuntimeError or a ValueError for it."""


class FileFormatError(EnforceNotMet, ValueError):
    """A file is truncated, has another format, or contains code, which a data file must not contain."""


class PipeCommandError(EnforceNotMet, RuntimeError):
    """The pipe command of a data set failed, or did not end. Its own errors are at the end of the text."""


class MissingKeyError(EnforceNotMet, KeyError, RuntimeError):
    """A state dict lacks entries. Fluid raises a RuntimeError for it; Python programmers expect a KeyError."""

    def __str__(self) -> str:  # KeyError shows the repr of its argument; a sentence reads better
        return str(self.args[0]) if self.args else ""


class MissingVariableError(MissingKeyError, ValueError):
    """A Program has no Variable with this name. Fluid raises a ValueError for it."""


class PeerError(EnforceNotMet, RuntimeError):
    """Another process of the job cannot be reached, is lost, or sent what it must not. The text says which and what."""


class VersionError(EnforceNotMet, RuntimeError):
    """A program needs a version of PaddlePaddle other than the one whose API paddle_lite implements."""


class NotYetAvailable(EnforceNotMet, AttributeError):
    """An API of PaddlePaddle that this version of paddle_lite does not implement."""


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
    text = " ".join(repr(value).split())
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"
