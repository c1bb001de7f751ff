"""Kernels of recurrent layers whose threads compute all steps of some sequences each, so that none waits for another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...numba_jit import Jitted
from ...threads import parallel_for, thread_count
from ..math.block_products import WORK

__all__ = ["by_sequences"]

LEAST = 2
"""The sequences of a part, at least: each part reads the weights in every step."""


def by_sequences(kernel: Jitted, sequences: int, multiplied: int, args: Sequence[Any]) -> None:
    """Call kernel(0, parts, parts, *args), which computes the sequences from n * first // parts to n * last // parts, by several threads if it pays.

    Arguments:
        kernel: has the option `shared`. sequences: their number. multiplied: the number of multiplications.
    """
    parts = max(1, min(thread_count(), sequences // LEAST))
    parallel_for(kernel, parts, multiplied // WORK, [parts, *args])
