"""Arrays that are float32 under NumPy 1 and float64 under NumPy 2: `image * numpy.sqrt(2.0)`, of a float32 array and a NumPy number.

Programs of 2018 to 2020 feed them as float32. What a program under `python -m paddle_lite run` feeds is float32 again.
"""

from __future__ import annotations

import warnings

import numpy as np

from ...core.tracebacks import user_level

_told: set[str] = set()


def is_restored() -> bool:
    """Return whether this process runs a program that was written for NumPy 1: see compat/site/legacy_numpy.py."""
    return getattr(np, "_is_as_numpy_1", False)


def as_numpy_1_had_it(array: np.ndarray, name: str) -> np.ndarray:
    """Return a float64 array as float32, and warn once of each name.

    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter('ignore')
    ...     as_numpy_1_had_it(np.ones(2), 'image').dtype
    dtype('float32')
    """
    if name not in _told:
        _told.add(name)
        warnings.warn(
            f"{name} is declared as float32 and was given float64, which is converted: NumPy 2 makes float64 of a float32 array "
            "and a NumPy number, where NumPy 1 made float32",
            UserWarning,
            stacklevel=user_level(),
        )
    return array.astype(np.float32)
