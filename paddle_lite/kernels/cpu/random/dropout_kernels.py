"""CPU kernels of dropout; the reference handles unsupported and invalid calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...registry import kernel
from ..support.kernel_applies import kernel_applies
from . import dropout as by_hash

IMPLEMENTATIONS = (by_hash.UPSCALE, "downgrade_in_infer")


@kernel("dropout", compiled=False)
def dropout(
    X: np.ndarray, Seed: Any, *, fix_seed: bool, seed: int, reference: Callable, **attrs: Any
) -> tuple[np.ndarray, np.ndarray | None]:
    p, implementation = attrs["dropout_prob"], attrs["dropout_implementation"]
    seeded, rare = fix_seed or Seed is not None, X.dtype.char not in "fd"
    if seeded or rare or attrs["is_test"] or not 0 <= p <= 1 or implementation not in IMPLEMENTATIONS:
        return reference(X, Seed, fix_seed=fix_seed, seed=seed, **attrs)
    return by_hash.dropout(X, p, by_hash.scale_of(p, implementation))


@kernel("dropout_grad", compiled=False)
def dropout_grad(Mask: Any, dOut: np.ndarray, *, reference: Callable, **attrs: Any) -> np.ndarray:
    if attrs["is_test"] or Mask is None or not kernel_applies(dOut):
        return reference(Mask, dOut, **attrs)
    return by_hash.apply_mask(dOut, Mask, by_hash.divisor_of(attrs["dropout_prob"], attrs["dropout_implementation"]))
