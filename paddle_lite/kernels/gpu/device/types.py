"""The types in kernels' sources; what stands for them depends on the arrays of a call."""

from __future__ import annotations

from typing import Any

import numpy as np

T: Any = np.float32
"""The dtype of the arrays that are annotated "T[]"."""
U: Any = np.float32
V: Any = np.float32
A: Any = np.float32
"""The dtype in which values of T are accumulated."""
int8: Any = np.int8
uint8: Any = np.uint8
float16: Any = np.float16
int32: Any = np.int32
int64: Any = int
float32: Any = np.float32
float64: Any = np.float64
