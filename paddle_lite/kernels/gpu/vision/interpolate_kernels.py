"""GPU kernels of interpolation; the reference takes integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....ops.support.interpolation_points import resized_axes, spread_axes
from ...registry import kernel
from ..support.shape import alike
from .resized import resized

METHODS = ("nearest", "bilinear", "bicubic", "trilinear")


def register(types: Any, axes: Callable, axes_back: Callable, how: Callable[[str], str]) -> None:
    """Register the kernels of a family of operators.

    Arguments:
        axes, axes_back: return the axes of a call of the operators, and of their gradients. how: the method along one axis.
    """

    def run(X: Any, *sizes: Any, align_corners: bool, align_mode: int, reference: Callable, **attrs: Any) -> Any:
        corners: dict[str, Any] = {"align_corners": align_corners, "align_mode": align_mode}
        if not alike(X):
            return reference(X, *sizes, **corners, **attrs)
        found = resized(X, axes(X, *sizes, **attrs), how(attrs["interp_method"]), **corners, back=False)
        return X.copy() if found is X else found

    def run_back(
        X: Any, OutSize: Any, SizeTensor: Any, Scale: Any, dOut: Any,
        *, align_corners: bool, align_mode: int, reference: Callable, **attrs: Any,
    ) -> Any:  # fmt: skip
        corners: dict[str, Any] = {"align_corners": align_corners, "align_mode": align_mode}
        given = X, OutSize, SizeTensor, Scale, dOut
        if not alike(dOut):
            return reference(*given, **corners, **attrs)
        found = resized(dOut, axes_back(*given, **attrs), how(attrs["interp_method"]), **corners, back=True)
        return dOut.copy() if found is dOut else found

    kernel(*types, device="gpu")(run)
    kernel(*(f"{type}_grad" for type in types), device="gpu")(run_back)


register([f"{each}_interp" for each in METHODS], resized_axes, spread_axes, lambda method: method)
