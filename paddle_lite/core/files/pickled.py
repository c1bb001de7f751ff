"""Read pickle files of arrays and plain containers without executing code from the file.

A pickle is a program, and running an unknown one can do anything. This reader executes only the few instructions that
describe arrays and containers, and replaces the classes that a file names by stand-ins of its own: no class or function
of NumPy or of another package is called with data from the file. Anything else in a file raises an error before it has
an effect.
"""

from __future__ import annotations

import pickle
import struct
import sys
from collections import OrderedDict
from collections.abc import Callable
from math import prod
from typing import IO, Any

import numpy as np

from ..errors import FileFormatError
from .kinds import START, told_by

# --- stand-ins for NumPy's classes and functions while a file is read -------------------------------------------------


class _Dtype:
    """Stands in for numpy.dtype; accepts only numbers and bools."""

    def __init__(self, kind: Any, *flags: Any) -> None:
        found = np.dtype(kind) if isinstance(kind, str) else None
        if found is None or found.kind not in "biufc":
            raise FileFormatError(f"holds an array of dtype {kind!r}, needs numbers or bools")
        self.value = found

    def build(self, state: Any) -> None:
        """Set the state of a dtype: a version, the byte order, and None for each field that only structured dtypes use."""
        _, order, *structure = state
        if order not in ("<", ">", "=", "|") or any(part is not None for part in structure[:3]):
            raise FileFormatError(f"holds an array of dtype {self.value} with structure, needs numbers or bools")
        self.value = np.dtype(self.value.newbyteorder(order).str)


class _Array:
    """Stands in for numpy.ndarray until its bytes have been read."""

    def build(self, state: Any) -> None:
        """Set the state of an array: an optional version, shape, dtype, memory order, bytes."""
        *_, shape, dtype, fortran, raw = state
        self.parts = shape, dtype, "F" if fortran else "C", raw

    @property
    def nbytes(self) -> int:
        raw = self.parts[-1]
        return len(raw) if isinstance(raw, (bytes, bytearray, str)) else 0

    def finish(self) -> np.ndarray:
        shape, dtype, order, raw = self.parts
        return _from_buffer(raw, dtype, shape, order)


def _from_buffer(raw: Any, dtype: Any, shape: Any, order: Any) -> np.ndarray:
    """Return the array with these bytes; Python 2, and Python 3 with protocol 2, write them as Latin-1 text."""
    raw = raw.encode("latin1") if isinstance(raw, str) else raw
    fits = isinstance(shape, tuple) and all(type(n) is int and n >= 0 for n in shape)
    if not fits or not isinstance(raw, (bytes, bytearray)) or not isinstance(dtype, _Dtype) or order not in ("C", "F"):
        raise FileFormatError("holds an array whose shape, dtype or bytes are none")
    if prod(shape) * dtype.value.itemsize != len(raw):
        needs = f"{prod(shape) * dtype.value.itemsize} for shape {list(shape)} of {dtype.value}"
        raise FileFormatError(f"holds an array of {len(raw)} bytes, needs {needs}")
    array = np.frombuffer(raw, dtype.value).reshape(shape, order=order)
    return array.astype(dtype.value.type)  # a writeable copy in native byte order


def _scalar(dtype: Any, raw: Any = None) -> Any:
    return _from_buffer(raw, dtype, (), "C")[()]


def _encode(text: Any, encoding: Any) -> bytes:
    """Return bytes that Python 3 wrote with protocol 2, which encodes them as Latin-1 text."""
    if not isinstance(text, str) or encoding != "latin1":
        raise FileFormatError(f"encodes a {type(text).__name__} as {encoding!r}, which no file of arrays does")
    return text.encode("latin1")


NDARRAY = object()  # stands for the class numpy.ndarray, which files name but never call
KNOWN: dict[tuple[str, str], Any] = {
    ("collections", "OrderedDict"): lambda pairs=(): OrderedDict(pairs),
    ("_codecs", "encode"): _encode,
    ("__builtin__", "bytes"): lambda: b"",  # how Python 3 writes empty bytes with protocol 2
    ("numpy", "dtype"): _Dtype,
    ("numpy", "ndarray"): NDARRAY,
}
for _package in ("numpy.core", "numpy._core"):
    KNOWN[f"{_package}.multiarray", "_reconstruct"] = lambda subtype, shape, kind: _Array()
    KNOWN[f"{_package}.multiarray", "scalar"] = _scalar
    KNOWN[f"{_package}.numeric", "_frombuffer"] = _from_buffer


# --- reading ----------------------------------------------------------------------------------------------------------

INSTRUCTIONS = (
    "PROTO FRAME STOP MARK POP POP_MARK NONE NEWTRUE NEWFALSE BININT BININT1 BININT2 LONG1 LONG4 BINFLOAT "
    "BINSTRING SHORT_BINSTRING BINUNICODE SHORT_BINUNICODE BINUNICODE8 BINBYTES SHORT_BINBYTES BINBYTES8 BYTEARRAY8 "
    "EMPTY_DICT SETITEM SETITEMS EMPTY_LIST APPEND APPENDS EMPTY_TUPLE TUPLE TUPLE1 TUPLE2 TUPLE3 "
    "BINPUT LONG_BINPUT MEMOIZE BINGET LONG_BINGET GLOBAL STACK_GLOBAL"
)
ALLOWED = [getattr(pickle, name)[0] for name in INSTRUCTIONS.split()]
_Machine: Any = pickle._Unpickler  # the implementation in Python, whose instruction table can be replaced


class DamagedPickleError(FileFormatError, pickle.UnpicklingError, EOFError):
    """A file is no pickle of arrays, or not a whole one. Python's unpickler raises an UnpicklingError or an EOFError for it."""


class _Counted:
    """A file whose bytes are counted, and that is never asked for more memory than it has bytes.

    Python reserves the memory that a file names before it reads; so long reads are cut into pieces.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.count, self.start = file, 0, b""

    def read(self, size: int) -> bytes:
        pieces = []
        while size > 0 and (piece := self.file.read(min(size, _PIECE))):
            pieces.append(piece)
            size -= len(piece)
            self.keep(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def readline(self) -> bytes:
        line = self.file.readline(_PIECE)
        if not line.endswith(b"\n"):
            raise EOFError
        self.keep(line)
        return line

    def keep(self, piece: bytes) -> None:
        """Count what has been read, and keep the start of the file."""
        if self.count < START:
            self.start += piece[:START]
        self.count += len(piece)

    def kind(self) -> str:
        """Return what the file is, if it is of a kind that is no pickle."""
        return "" if self.start.startswith(b"\x80") else told_by(self.start + self.read(START - len(self.start)))


_PIECE = 1 << 20
LEAST, TIMES = 1 << 20, 16
"""The bytes that what a file makes may take: `LEAST`, and `TIMES` the size of the file."""


class _Reader(_Machine):
    """An unpickler that executes only the instructions listed above, and whose results are bounded by the size of the file."""

    def __init__(self, file: IO[bytes]) -> None:
        self.source, self.made = _Counted(file), 0
        super().__init__(self.source, encoding="latin1")

    def count(self, value: Any) -> None:
        """Count what an instruction has made, which may come from bytes that were read before."""
        size = len(value) if isinstance(value, (bytes, dict)) else getattr(value, "nbytes", 0)
        self.made += size
        if self.made > LEAST + TIMES * self.source.count:
            needs = f"at most {TIMES} times its size of {self.source.count} bytes"
            raise FileFormatError(f"makes more than {self.made - size} bytes of arrays, needs {needs}: it repeats them")

    def find_class(self, module: str, name: str) -> Any:
        try:
            return KNOWN[module, name]
        except KeyError:
            raise FileFormatError(
                f"asks for {module}.{name}: only arrays, numbers, strings and containers of them are read, since anything "
                "else could run code"
            ) from None

    def reduce(self) -> None:
        arguments = self.stack.pop()
        function = self.stack[-1]
        if not isinstance(arguments, tuple) or not callable(function):
            raise FileFormatError(f"calls a {type(function).__name__}, which no file of arrays does")
        self.stack[-1] = value = function(*arguments)
        self.count(value)

    def build(self) -> None:
        state = self.stack.pop()
        target = self.stack[-1]
        if not isinstance(target, (_Dtype, _Array)):
            raise FileFormatError(f"sets the state of a {type(target).__name__}, which no file of arrays does")
        target.build(state)
        if isinstance(target, _Array):
            self.count(target)

    def bytearray8(self) -> None:
        (size,) = struct.unpack("<Q", self.read(8))
        content = self.read(min(size, sys.maxsize))
        if len(content) < size:
            raise FileFormatError(f"names {size} bytes of which {len(content)} are there; it is truncated")
        self.append(bytearray(content))

    def refuse(self) -> None:
        raise FileFormatError("holds an instruction that no file of arrays needs")

    dispatch: dict[int, Callable] = {
        **dict.fromkeys(range(256), refuse),
        **{code: _Machine.dispatch[code] for code in ALLOWED},
        pickle.BYTEARRAY8[0]: bytearray8,
        pickle.REDUCE[0]: reduce,
        pickle.BUILD[0]: build,
    }


_FAULTS: dict[type[Exception], str] = {
    UnicodeDecodeError: "is a text that is not UTF-8",
    RecursionError: "is a container in too many others",
    MemoryError: "needs more memory than there is",
    EOFError: "is cut off",
    struct.error: "is cut off",
    IndexError: "uses a value that nothing before it has made",
    KeyError: "uses a value that nothing before it has made",
    TypeError: "combines values of other types than its instruction takes",
    AttributeError: "combines values of other types than its instruction takes",
}
"""What an error of the unpickler says of a file."""


def read(file: IO[bytes], name: str, origin: str) -> Any:
    """Read a pickle of arrays and plain containers; no code from the file is executed.

    Args:
        file: the open file; one pickle is read from it.
        name: the name of the file for error texts.
        origin: a sentence for error texts that says which program writes such files.

    Returns:
        The content: arrays, plain values, and lists, tuples and dicts of them.

    Raises:
        FileFormatError: the file is truncated, is not a pickle, or contains anything but arrays and plain containers.
    """
    reader = _Reader(file)
    try:
        return _finished(reader.load(), {})
    except FileFormatError as error:
        raise DamagedPickleError(f"{name}: {error}. {reader.source.kind()}".rstrip()) from None
    except (pickle.UnpicklingError, EOFError, struct.error, ValueError, TypeError, LookupError, AttributeError,
            OverflowError, MemoryError, RecursionError) as error:  # fmt: skip
        fault = next(
            (text for kind, text in _FAULTS.items() if isinstance(error, kind)), "is no instruction of a pickle"
        )
        what = f"what ends at its byte {reader.source.count} {fault}"
        kind = reader.source.kind() or f"The file is truncated or not a pickle of arrays; {origin}"
        raise DamagedPickleError(f"{name}: {what}. {kind}") from None


def _finished(value: Any, done: dict[int, Any]) -> Any:
    """Return the value with each stand-in replaced by its array; raise if it holds anything but arrays and plain values."""
    if value is None or type(value) in (bool, int, float, str, bytes, bytearray) or isinstance(value, np.generic):
        return value
    if id(value) in done:
        if done[id(value)] is None:
            raise FileFormatError(f"holds a {type(value).__name__} that contains itself")
        return done[id(value)]
    done[id(value)] = None
    if isinstance(value, _Array):
        result: Any = value.finish()
    elif isinstance(value, dict):
        for key in value:
            if not isinstance(key, (str, int, float, bytes, type(None))):
                raise FileFormatError(f"holds a dict with a {type(key).__name__} as a key, needs strings or numbers")
        result = type(value)((key, _finished(item, done)) for key, item in value.items())
    elif isinstance(value, (list, tuple)):
        result = type(value)(_finished(item, done) for item in value)
    elif isinstance(value, np.ndarray):
        result = value
    else:
        raise FileFormatError(f"holds a {type(value).__name__}, needs arrays and plain values")
    done[id(value)] = result
    return result
