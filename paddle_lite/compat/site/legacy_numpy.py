"""What Fluid code takes from NumPy, and NumPy has dropped since.

Loaded by sitecustomize.py when a program under `python -m paddle_lite run` imports NumPy.
"""

import functools
import sys
import warnings

BUILTINS = {  # np.float was the float of Python; dropped in NumPy 1.24
    "bool": bool,
    "complex": complex,
    "float": float,
    "int": int,
    "long": int,
    "object": object,
    "str": str,
    "unicode": str,
}
RENAMED = {  # dropped in NumPy 2.0
    "Inf": "inf",
    "Infinity": "inf",
    "NaN": "nan",
    "PINF": "inf",
    "alltrue": "all",
    "cfloat": "complex128",
    "clongfloat": "clongdouble",
    "complex_": "complex128",
    "cumproduct": "cumprod",
    "float_": "float64",
    "infty": "inf",
    "longcomplex": "clongdouble",
    "longfloat": "longdouble",
    "mat": "asmatrix",
    "product": "prod",
    "round_": "round",
    "singlecomplex": "complex64",
    "sometrue": "any",
    "string_": "bytes_",
    "typeDict": "sctypeDict",
    "unicode_": "str_",
}
SCTYPES = {  # dropped in NumPy 2.0
    "int": "int8 int16 int32 int64",
    "uint": "uint8 uint16 uint32 uint64",
    "float": "float16 float32 float64 longdouble",
    "complex": "complex64 complex128 clongdouble",
}


def asscalar(a):
    """Return the one element of an array; dropped in NumPy 1.23."""
    return a.item()


class _Cast:
    """Gives a function that converts to a dtype for each dtype: `numpy.cast`; dropped in NumPy 2.0."""

    def __init__(self, asarray):
        self._asarray = asarray

    def __getitem__(self, dtype):
        return lambda x: self._asarray(x).astype(dtype)


def _functions_of_2_0(numpy):
    """Return, by name, what NumPy 2.0 dropped and has no other name for."""

    def asfarray(a, dtype=numpy.float64):
        return numpy.asarray(a, dtype if numpy.issubdtype(dtype, numpy.inexact) else numpy.float64)

    return {
        "asfarray": asfarray,
        "cast": _Cast(numpy.asarray),
        "msort": lambda a: numpy.sort(a, axis=0),
        "obj2sctype": lambda rep, default=None: numpy.dtype(rep).type,
        "sctype2char": lambda sctype: numpy.dtype(sctype).char,
        "sctypes": {
            **{kind: [getattr(numpy, name) for name in row.split()] for kind, row in SCTYPES.items()},
            "others": [bool, object, bytes, str, numpy.void],
        },
    }


OWN = ("numpy", "paddle_lite", "numba")
"""Packages whose calls keep NumPy's errors."""


LOOK_OR_REORDER = """
    append argsort array_split ascontiguousarray asfortranarray atleast_1d atleast_2d atleast_3d broadcast_to copy delete
    empty_like expand_dims flip flipud full_like insert ndim ones_like ravel repeat reshape resize roll save shape size
    sort squeeze take tile transpose unique zeros_like
"""
"""Functions that make an array of their arguments and look at its elements or move them, but do not compute with them."""


def _with_ragged_lists(make):
    """`numpy.array` or one of its kin that makes an array of objects from lists of different lengths, with a warning.

    An error since NumPy 1.24; before, as NumPy 1.19 to 1.23 say, it was an array of lists or arrays. `copy=False` copies where it has
    to, as before NumPy 2.0.
    """

    @functools.wraps(make)
    def made(*args, **kwargs):
        try:
            return make(*args, **kwargs)
        except ValueError as error:
            if kwargs.get("copy") is False and "avoid copy" in str(error) and _is_of_a_program(sys._getframe(1)):
                return made(*args, **dict(kwargs, copy=None))
            typed = len(args) > 1 or kwargs.get("dtype") is not None
            if typed or not _is_ragged(error, sys._getframe(1)):
                raise
        _warn_of_objects()
        if kwargs.get("copy") is False:
            kwargs["copy"] = None
        return make(*args, **dict(kwargs, dtype=object))

    return made


def _of_ragged_lists(function, make):
    """Let a function of arrays take lists of different lengths, of which `make`, `numpy.array`, makes arrays of objects."""

    def array_or_same(value):
        if isinstance(value, (list, tuple)):
            try:
                make(value)
            except ValueError:
                return make(value, dtype=object)
        return value

    @functools.wraps(function)
    def called(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except ValueError as error:
            if not _is_ragged(error, sys._getframe(1)):
                raise
        _warn_of_objects()
        return function(*map(array_or_same, args), **{name: array_or_same(value) for name, value in kwargs.items()})

    return called


def _is_ragged(error, caller):
    """Return whether an error is NumPy's about lists of different lengths in a call of the user's or a third party's file."""
    return "inhomogeneous" in str(error) and _is_of_a_program(caller)


def _is_of_a_program(caller):
    """Return whether a frame runs code of a user's or a third party's file."""
    return caller.f_globals.get("__name__", "").partition(".")[0] not in OWN


def _warn_of_objects():
    warnings.warn(
        "an array of lists or arrays of different lengths holds objects; write dtype=object if that is meant",
        UserWarning,
        stacklevel=3,
    )


def _of_bytes(numpy, parse):
    """`numpy.fromstring` that also takes bytes of an array, as it did before NumPy 2.3."""

    @functools.wraps(parse)
    def fromstring(string, dtype=float, count=-1, *, sep="", **like):
        if sep != "":
            return parse(string, dtype, count, sep=sep, **like)
        content = string.encode("latin-1") if isinstance(string, str) else string
        return numpy.frombuffer(content, dtype, count, **like).copy()

    return fromstring


def restore(numpy):
    """Add the names that are missing, let fromstring() take bytes, let float() and "%f" take arrays of one element without a warning,
    let arrays be made from lists of different lengths, and let repr() show a scalar as the number: [0.5], not
    [np.float64(0.5)]. Feeds are converted to what NumPy 1 would have made (static/execution/promotion.py).
    """
    names = vars(numpy)
    names["_is_as_numpy_1"] = True
    added = dict(BUILTINS, NINF=-names["inf"], NZERO=-0.0, PZERO=0.0, asscalar=asscalar, **_functions_of_2_0(numpy))
    added.update((old, names[new]) for old, new in RENAMED.items())
    for name, value in added.items():
        names.setdefault(name, value)
    array = names["array"]
    for name in LOOK_OR_REORDER.split():
        names[name] = _of_ragged_lists(names[name], array)
    for name in ("array", "asarray", "asanyarray"):
        names[name] = _with_ragged_lists(names[name])
    names["fromstring"] = _of_bytes(numpy, names["fromstring"])
    warnings.filterwarnings(
        "ignore", "Conversion of an array with ndim > 0 to a scalar is deprecated", DeprecationWarning
    )
    if int(names["__version__"].split(".")[0]) >= 2:
        numpy.set_printoptions(legacy="1.25")
