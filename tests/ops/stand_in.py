"""A stand-in for CuPy: NumPy under another name, without what CuPy does not have."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from paddle_lite.ops import registry

# Functions of NumPy that CuPy (13) lacks, or that do not take its arrays.
ABSENT = frozenset(
    """apply_over_axes array_str frompyfunc insert nditer nested_iters putmask_ recarray rec char emath ma matrix
    vander_ block bmat fromregex genfromtxt_ memmap busday_count is_busday datetime_as_string""".split()
)


class Module(types.ModuleType):
    """What references get as `xp` in the place of CuPy."""

    def __getattr__(self, name: str) -> Any:
        if name in ABSENT:
            raise AttributeError(f"CuPy has no {name}")
        return getattr(np, name)


module = Module("cupy_stand_in")


def forget() -> None:
    """Drop what operators compiled for the stand-in, so that a real GPU gets its own."""
    for op in registry._ops.values():
        op.kernels.pop("gpu", None)
        op.kernels.pop("gpu call", None)
