"""Meta: the shape, dtype and LoD level of an array that inference computes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Meta(NamedTuple):
    """The inferred properties of an array: shape (-1 where unknown), dtype, number of LoD levels."""

    shape: tuple[int, ...]
    dtype: np.dtype
    lod_level: int = 0
