"""Every error that paddle_lite raises on purpose.

A message names the operator or call, the argument, what came, what is needed, and how to mend it. The classes derive from
the built-in ones that a Python programmer would catch, and from `EnforceNotMet`, which Fluid code catches.
"""

from __future__ import annotations

from typing import Any


class EnforceNotMet(Exception):
    """Base of every error that paddle_lite raises about a wrong call; Fluid calls it `fluid.core.EnforceNotMet`."""


class ShapeError(EnforceNotMet, ValueError):
    """A shape, rank or axis does not fit the operator. Reshape the argument, or pass another axis."""


class DtypeError(EnforceNotMet, TypeError):
    """An array has a dtype that the operator does not take. Convert it first: `x.astype('float32')`."""


class ArgumentTypeError(EnforceNotMet, TypeError):
    """An argument is of the wrong Python type, for example an ndarray where a Variable is needed (`to_variable` makes one)."""


class ArgumentValueError(EnforceNotMet, ValueError):
    """An argument has a value outside of what the call accepts."""


class IndexRangeError(EnforceNotMet, IndexError):
    """An index or a label points outside of the array that it indexes."""


class LoDError(EnforceNotMet, ValueError):
    """A LoD (the offsets of ragged rows) contradicts itself or the rows it describes."""


class ModeError(EnforceNotMet, RuntimeError):
    """A call needs the other mode: imperative calls need `paddle.enable_imperative()` or a `guard()`."""


class GraphError(EnforceNotMet, RuntimeError):
    """The recorded computation cannot be differentiated: it was freed, or an operator has no such gradient."""


class NonFiniteError(EnforceNotMet, FloatingPointError):
    """FLAGS_check_nan_inf is set, and an operator made a NaN or an infinity."""


class DeviceError(EnforceNotMet, RuntimeError):
    """A device was asked for that this process cannot use."""


class MissingFileError(EnforceNotMet, FileNotFoundError, RuntimeError):
    """A file of a saved model is not there. Fluid raises a RuntimeError for it."""


class FileFormatError(EnforceNotMet, ValueError):
    """A file is truncated, of another format, or holds what a data file must not hold (code)."""


class MissingKeyError(EnforceNotMet, KeyError, RuntimeError):
    """A state dict lacks entries. Fluid raises a RuntimeError for it, Python programmers expect a KeyError."""

    def __str__(self) -> str:  # KeyError shows the repr of its argument; a sentence reads better
        return str(self.args[0]) if self.args else ""


class MissingVariableError(MissingKeyError, ValueError):
    """A Program has no Variable of this name. Fluid raises a ValueError for it."""


class VersionError(EnforceNotMet, RuntimeError):
    """A program needs another version of PaddlePaddle than the one whose API this is."""


class NotYetAvailable(EnforceNotMet, AttributeError):
    """An API of PaddlePaddle that this version of paddle_lite does not have yet."""


def message(where: str, argument: str, got: Any, needs: str, fix: str = "") -> str:
    """The one shape of an error text: `where`: `argument` got ..., needs ...; remedy."""
    text = f"{where}: {argument} got {got}, needs {needs}."
    return f"{text} {fix}" if fix else text


def describe(value: Any) -> str:
    """What came, in few words: shape and dtype of an array or Variable, type and value of anything else."""
    array = getattr(value, "array", value)
    if hasattr(array, "shape") and hasattr(array, "dtype"):
        return f"{type(value).__name__} of shape {list(array.shape)} and dtype {array.dtype}"
    text = " ".join(repr(value).split())
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"
