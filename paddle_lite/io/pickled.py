"""Pickle files of arrays and plain containers: the format of .pdparams and .pdopt.

`core.files.pickled` reads them without executing code from the file. They are written so that every version of NumPy can read
them.
"""

from __future__ import annotations

import pickle
from typing import Any, BinaryIO

import numpy as np

from ..core.errors import FileFormatError
from ..core.files import pickled
from ..core.files.reading import reading


def read(path: str) -> Any:
    """Read a pickle file of arrays and plain containers; no code from the file is executed.

    Raises:
        FileFormatError: the file is truncated, not a pickle, or holds something other than arrays and plain containers.
    """
    with reading(path) as file:
        return _read(file, path)


def read_dict(path: str) -> dict[str, Any]:
    """Read a pickle file as `read` does, and check that it holds a dict.

    Returns:
        The dict: arrays and plain values by name.

    Raises:
        FileFormatError: as for `read`, or the file holds no dict.
    """
    content = read(path)
    if not isinstance(content, dict):
        raise FileFormatError(f"{path}: got a {type(content).__name__}, needs a dict of arrays by name.")
    return content


def _read(file: BinaryIO, path: str) -> Any:
    return pickled.read(file, path, "it should have been written by save_dygraph or fluid.save.")


_PythonPickler: Any = pickle._Pickler  # the implementation in Python, whose methods can be overridden


class _Writer(_PythonPickler):
    """Pickler that writes the names of NumPy's functions as in NumPy 1.x, which NumPy 2.x understands, too."""

    def save_global(self, obj: Any, name: str | None = None) -> None:
        module = getattr(obj, "__module__", None) or ""
        if module.startswith("numpy._core."):
            old = module.replace("numpy._core.", "numpy.core.", 1)
            self.write(pickle.GLOBAL + f"{old}\n{name or obj.__qualname__}\n".encode())
            self.memoize(obj)
        else:
            super().save_global(obj, name)


def dump(file: BinaryIO, content: Any) -> None:
    """Write a pickle (protocol 2, which Python 2 and 3 and NumPy 1 and 2 read) to an open file."""
    _Writer(file, protocol=2).dump(_portable(content))


def _portable(value: Any) -> Any:
    """Return the content with all arrays as plain, C-contiguous ndarrays, which every version of NumPy can read."""
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value).reshape(value.shape)
    if isinstance(value, dict):
        return {key: _portable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_portable(item) for item in value)
    return value
