"""Pickle files of arrays and plain containers, the form of .pdparams and .pdopt.

They are read by `core.pickled`, which runs no code of theirs, and written so that every version of NumPy reads them.
"""

from __future__ import annotations

import pickle
from typing import Any, BinaryIO

import numpy as np

from ..core import pickled
from ..core.atomic import atomic_file


def read(path: str) -> Any:
    """The content of a pickle file of arrays and plain containers; no code of the file is run.

    Raises:
        FileFormatError: truncated, not a pickle, or holding anything but arrays and plain containers.
    """
    with open(path, "rb") as file:
        return _read(file, path)


def _read(file: BinaryIO, path: str) -> Any:
    return pickled.read(file, path, "it should have been written by save_dygraph or fluid.save.")


_PythonPickler: Any = pickle._Pickler  # the one in Python, whose names can be changed


class _Writer(_PythonPickler):
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
        dump(file, content)


def dump(file: BinaryIO, content: Any) -> None:
    """Write a pickle as `write` does, to an open file."""
    _Writer(file, protocol=2).dump(_portable(content))


def _portable(value: Any) -> Any:
    """Arrays as every NumPy writes them: plain ndarrays, C-contiguous."""
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value).reshape(value.shape)
    if isinstance(value, dict):
        return {key: _portable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_portable(item) for item in value)
    return value
