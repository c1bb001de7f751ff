"""What inference knows of an array."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Meta(NamedTuple):
    """What inference knows of an array: shape (with -1 where unknown), dtype, number of LoD levels."""

    shape: tuple[int, ...]
    dtype: np.dtype
    lod_level: int = 0
