"""Errors: one shape of message, and the classes that callers catch."""

import inspect

import numpy as np
import pytest

from paddle_lite.core import errors
from paddle_lite.core.errors import EnforceNotMet, MissingKeyError, describe, message

DEFINED = [c for _, c in inspect.getmembers(errors, inspect.isclass) if c.__module__ == errors.__name__]
CLASSES = [c for c in DEFINED if c is not errors.EOFException]  # the end of an epoch is no error


@pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)
def test_every_error_is_what_fluid_catches_and_says_when_it_is_raised(cls):
    assert issubclass(cls, EnforceNotMet) and inspect.getdoc(cls)


@pytest.mark.parametrize(
    ("name", "builtin"),
    [
        ("ShapeError", ValueError), ("DtypeError", TypeError), ("ArgumentTypeError", TypeError),
        ("ArgumentValueError", ValueError), ("IndexRangeError", IndexError), ("LoDError", ValueError),
        ("ModeError", RuntimeError), ("GraphError", RuntimeError), ("DeviceError", RuntimeError),
        ("FileFormatError", ValueError), ("MissingKeyError", KeyError), ("MissingKeyError", RuntimeError),
        ("MissingFileError", FileNotFoundError), ("MissingFileError", RuntimeError), ("NotYetAvailable", AttributeError),
    ],
)  # fmt: skip
def test_errors_are_also_the_builtin_ones(name, builtin):
    with pytest.raises(builtin, match="a sentence"):
        raise getattr(errors, name)("a sentence")


def test_a_message_names_call_argument_value_need_and_remedy():
    assert message("op", "x", 3, "4") == "op: x got 3, needs 4."
    assert message("op", "x", 3, "4", "Add 1.") == "op: x got 3, needs 4. Add 1."


def test_a_missing_key_reads_as_a_sentence():
    assert str(MissingKeyError("it's gone")) == "it's gone" and str(MissingKeyError()) == ""


def test_describe():
    assert describe(np.zeros([2, 3], "int32")) == "ndarray of shape [2, 3] and dtype int32"
    assert describe(np.zeros([2, 2]).tolist() * 20).count("\n") == 0
    assert describe([1, 2]) == "list [1, 2]" and describe(None) == "NoneType None"
    assert describe("x" * 100) == "str 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."
