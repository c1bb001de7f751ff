"""Pickle files of arrays and plain containers, the form of .pdparams and .pdopt.

Reading admits NumPy arrays, numbers, strings and containers of them. A pickle that asks for anything else, which could
run code, is refused before it does.
"""

from __future__ import annotations

import pickle
import struct
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from ..core.errors import FileFormatError
from .atomic import atomic_file


def _scalar(dtype: np.dtype, data: Any = None) -> Any:
    """The NumPy scalar with these bytes; protocol 2 writes them as Latin-1 text when Python 2 might read it."""
    raw = data.encode("latin1") if isinstance(data, str) else data
    return np.frombuffer(raw, dtype)[0]


def _encode(text: Any, encoding: str) -> bytes:
    """How Python 3 writes bytes in protocol 2: as Latin-1 text to be encoded."""
    if not isinstance(text, str) or encoding != "latin1":
        raise FileFormatError(f"encodes a {type(text).__name__} as {encoding!r}, which no array file does")
    return text.encode("latin1")


def _dtype(kind: Any, *flags: Any) -> np.dtype:
    found = np.dtype(kind) if isinstance(kind, str) else None
    if found is None or found.hasobject or found.names is not None:
        raise FileFormatError(f"holds an array of dtype {kind!r}, needs numbers or bools")
    return found


def _empty_array(subtype: Any, shape: Any, dtype: Any) -> np.ndarray:
    return np.ndarray.__new__(np.ndarray, (0,), "b")


def _from_buffer(buffer: Any, dtype: np.dtype, shape: Any, order: str) -> np.ndarray:
    return np.frombuffer(buffer, dtype).reshape(shape, order=order)


_ALLOWED: dict[tuple[str, str], Callable] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("_codecs", "encode"): _encode,
    ("numpy", "dtype"): _dtype,
    ("numpy", "ndarray"): np.ndarray,
    ("builtins", "bytearray"): bytearray,
    ("__builtin__", "bytearray"): bytearray,
    ("builtins", "set"): set,
    ("__builtin__", "set"): set,
}
for _package in ("numpy.core", "numpy._core"):
    _ALLOWED[f"{_package}.multiarray", "_reconstruct"] = _empty_array
    _ALLOWED[f"{_package}.multiarray", "scalar"] = _scalar
    _ALLOWED[f"{_package}.numeric", "_frombuffer"] = _from_buffer


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        try:
            return _ALLOWED[module, name]
        except KeyError:
            raise FileFormatError(
                f"asks for {module}.{name}: only arrays, numbers, strings and containers of them are read, since anything "
                "else could run code"
            ) from None

    def persistent_load(self, pid: Any) -> Any:
        raise FileFormatError("refers to data outside of the file")


def _check(value: Any) -> None:
    """Raise unless everything inside is an array of numbers or a plain value."""
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject or value.dtype.names is not None:
            raise FileFormatError(f"holds an array of dtype {value.dtype}, needs numbers or bools")
    elif isinstance(value, dict):
        for key, item in value.items():
            _check(key)
            _check(item)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            _check(item)
    elif value is not None and not isinstance(value, (bool, int, float, complex, str, bytes, bytearray, np.generic)):
        raise FileFormatError(f"holds a {type(value).__name__}, needs arrays and plain values")


def read(path: str) -> Any:
    """The content of a pickle file of arrays and plain containers; no code of the file is run.

    Raises:
        FileFormatError: truncated, not a pickle, or asking for anything but arrays and plain containers.
    """
    with open(path, "rb") as file:
        return _read(file, path)


def _read(file: BinaryIO, path: str) -> Any:
    try:
        content = _Unpickler(file, encoding="latin1").load()
        _check(content)
    except FileFormatError as error:
        raise FileFormatError(f"{path}: {error}.") from None
    except (pickle.UnpicklingError, EOFError, struct.error, ValueError, TypeError, KeyError, IndexError, AttributeError,
            OverflowError, MemoryError, UnicodeDecodeError, ImportError) as error:  # fmt: skip
        raise FileFormatError(
            f"{path}: {type(error).__name__}: {error}. The file is truncated or not a pickle of arrays; it should have been "
            "written by save_dygraph or fluid.save."
        ) from None
    return content


class _Pickler(pickle._Pickler):  # type: ignore[name-defined,misc]
    """Names NumPy's functions as NumPy 1.x knows them, which NumPy 2.x understands too."""

    def save_global(self, obj: Any, name: str | None = None) -> None:
        module = getattr(obj, "__module__", None) or ""
        if module.startswith("numpy._core."):
            old = module.replace("numpy._core.", "numpy.core.", 1)
            self.write(pickle.GLOBAL + f"{old}\n{name or obj.__qualname__}\n".encode())
            self.memoize(obj)
        else:
            super().save_global(obj, name)


def write(path: str, content: Any) -> None:
    """Write a pickle (protocol 2, which Python 2 and 3 and NumPy 1 and 2 read), atomically."""
    with atomic_file(path) as file:
        _Pickler(file, protocol=2).dump(_portable(content))


def _portable(value: Any) -> Any:
    """Arrays as NumPy 1.x writes them too: plain, C-contiguous ndarrays in native types."""
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value).reshape(value.shape)
    if isinstance(value, dict):
        return {key: _portable(item) for key, item in value.items()}
    return value
