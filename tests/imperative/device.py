"""A stand-in for a GPU: arrays that are not NumPy's, refuse to be mixed with NumPy's, and count copies from and to the host.

It behaves as CuPy does where it matters here: operators and functions of the module take its own arrays and numbers
only, `asarray` copies a host array to the device, `get()` copies back.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

uploads: list[tuple[int, ...]] = []
downloads: list[tuple[int, ...]] = []


class Array(np.lib.mixins.NDArrayOperatorsMixin):
    """An array on the device."""

    __module__ = "cupy"

    def __init__(self, host: np.ndarray) -> None:
        self.there = host

    def get(self) -> np.ndarray:
        downloads.append(self.there.shape)
        return self.there.copy()

    def item(self) -> Any:
        downloads.append(())
        return self.there.item()

    def __array__(self, *arguments: Any, **keywords: Any) -> np.ndarray:
        raise TypeError("Implicit conversion to a NumPy array is not allowed")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **keywords: Any) -> Any:
        keywords = {name: bare(value) for name, value in keywords.items()}
        if out is not None:
            keywords["out"] = bare(out)
        result = getattr(ufunc, method)(*bare(inputs), **keywords)
        return out[0] if out is not None else wrapped(result)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.there, name)
        return calling(found) if callable(found) else wrapped(found)

    def __getitem__(self, key: Any) -> Any:
        return wrapped(self.there[bare(key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.there[bare(key)] = bare(value)

    def __len__(self) -> int:
        return len(self.there)


def bare(value: Any) -> Any:
    """The host array inside; raises for one that was never brought to the device."""
    if isinstance(value, Array):
        return value.there
    if isinstance(value, np.ndarray):
        raise TypeError(f"Unsupported type {type(value)}: a host array of shape {value.shape} meets the device")
    if isinstance(value, (tuple, list)):
        return type(value)(bare(v) for v in value)
    return value


def wrapped(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return Array(value)
    if isinstance(value, np.generic):
        return Array(np.asarray(value))  # CuPy has no scalars: a full reduction gives an array without axes
    if isinstance(value, (tuple, list)) and any(isinstance(v, np.ndarray) for v in value):
        return type(value)(wrapped(v) for v in value)
    return value


def calling(function: Callable) -> Callable:
    """The function on arrays of the device."""

    def call(*arguments: Any, **keywords: Any) -> Any:
        return wrapped(function(*bare(arguments), **{k: bare(v) for k, v in keywords.items()}))

    if isinstance(function, np.ufunc):
        call.at = calling(function.at)  # type: ignore[attr-defined]
    return call


class Module(types.ModuleType):
    """What takes CuPy's place."""

    ndarray = Array

    def asarray(self, value: Any, dtype: Any = None) -> Array:
        if isinstance(value, Array):
            return value if dtype is None else value.astype(dtype)
        if isinstance(value, np.ndarray):
            uploads.append(value.shape)
        return Array(np.array(value, dtype))

    def array(self, value: Any, dtype: Any = None) -> Array:
        return Array(np.array(value.there, dtype)) if isinstance(value, Array) else self.asarray(value, dtype)

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        return calling(found) if callable(found) and not isinstance(found, type) else found


module = Module("device")
