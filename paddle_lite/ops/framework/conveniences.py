"""Methods of Variables that PyTorch, NumPy and Paddle 2 have, in both modes: `x.mean()`, `x @ w`, `x.reshape(2, 3)`, `x.T` ...

Each is one operator, so that it has a gradient and can be part of a Program.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ...core.errors import ArgumentValueError, message, missing_name
from ...core.foreign_names import names_here
from ...core.typing import Variable
from . import registry

_F = TypeVar("_F", bound=Callable[..., Any])


def _as_numpy_wants(method: _F) -> _F:
    """Return a method that gives NumPy's result to NumPy, whose functions call methods of their argument: np.sum(x) calls x.sum."""

    @functools.wraps(method)
    def run(self: Any, *args: Any, **keywords: Any) -> Any:
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if caller.partition(".")[0] == "numpy" and hasattr(self, "__array__"):
            array = np.asarray(self)
            try:
                return getattr(array, method.__name__)(*args, **keywords)
            except (AttributeError, TypeError):
                if array.dtype.kind != "O":
                    raise
            text = f"numpy.{method.__name__}: a Variable of a static Program has no values before it runs."
            raise missing_name(f"{text} Use its method, x.{method.__name__}(), or fetch it first.", method.__name__)
        return method(self, *args, **keywords)

    return run  # type: ignore[return-value]


def _axes(axis: Any) -> dict[str, Any]:
    if axis is None:
        return {"reduce_all": True}
    return {"dim": [int(n) for n in axis] if isinstance(axis, (list, tuple)) else [int(axis)]}


def _sizes(sizes: tuple) -> list[int]:
    """Return what is given as separate numbers or as one list."""
    listed = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (list, tuple)) else sizes
    return [int(n) for n in listed]


class Conveniences:
    """Mixin with methods of Variables in both modes."""

    _explains = True  # its methods check their arguments themselves (`core.guarded`)

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def shape(self) -> Sequence[int]: ...

    def __dir__(self) -> list[str]:
        return names_here(self)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def T(self) -> Variable:
        """The Variable with its dimensions in reverse order; differentiable."""
        return registry.get("transpose2").call(self, axis=list(range(len(self.shape)))[::-1])[0]

    def __matmul__(self, other: Any) -> Variable:
        return registry.get("matmul").call(self, other)

    def __abs__(self) -> Variable:
        return registry.get("abs").call(self)

    def __round__(self, digits: int | None = None) -> Variable:
        if digits in (None, 0):
            return registry.get("round").call(self)
        factor = 10.0**digits
        return registry.get("round").call(self * factor) / factor  # type: ignore[operator]

    @_as_numpy_wants
    def sum(self, axis: int | Sequence[int] | None = None, keepdim: bool = False) -> Variable:
        """Return the sum over axes, all by default (then of shape [1]); `layers.reduce_sum`."""
        return registry.get("reduce_sum").call(self, **_axes(axis), keep_dim=keepdim)

    @_as_numpy_wants
    def mean(self, axis: int | Sequence[int] | None = None, keepdim: bool = False) -> Variable:
        """Return the mean over axes, all by default (then of shape [1]); `layers.reduce_mean`."""
        return registry.get("reduce_mean").call(self, **_axes(axis), keep_dim=keepdim)

    @_as_numpy_wants
    def max(self, axis: int | Sequence[int] | None = None, keepdim: bool = False) -> Variable:
        """Return the largest element over axes, all by default (then of shape [1]); `layers.reduce_max`."""
        return registry.get("reduce_max").call(self, **_axes(axis), keep_dim=keepdim)

    @_as_numpy_wants
    def min(self, axis: int | Sequence[int] | None = None, keepdim: bool = False) -> Variable:
        """Return the smallest element over axes, all by default (then of shape [1]); `layers.reduce_min`."""
        return registry.get("reduce_min").call(self, **_axes(axis), keep_dim=keepdim)

    @_as_numpy_wants
    def prod(self, axis: int | Sequence[int] | None = None, keepdim: bool = False) -> Variable:
        """Return the product over axes, all by default (then of shape [1]); `layers.reduce_prod`."""
        return registry.get("reduce_prod").call(self, **_axes(axis), keep_dim=keepdim)

    @_as_numpy_wants
    def argmax(self, axis: int | None = None) -> Variable:
        """Return the index of the largest element along an axis, int64; in the flattened Variable where it is None."""
        x = self.reshape(-1) if axis is None else self
        return registry.get("arg_max").call(x, axis=0 if axis is None else axis)

    @_as_numpy_wants
    def reshape(self, *shape: Any) -> Variable:
        """Return the elements in another shape, given as numbers or as one list; -1 stands for one size; `layers.reshape`."""
        return registry.get("reshape2").call(self, shape=_sizes(shape))[0]

    @_as_numpy_wants
    def transpose(self, *axes: Any) -> Variable:
        """Return the dimensions in the order of `axes`, all of them, as numbers or as one list; reversed for none."""
        if len(_sizes(axes)) != len(self.shape) and axes:
            needs = f"all {len(self.shape)} axes in their new order"
            raise ArgumentValueError(message("Variable.transpose", "axes", _sizes(axes), needs))
        return registry.get("transpose2").call(self, axis=_sizes(axes))[0] if axes else self.T

    @_as_numpy_wants
    def squeeze(self, axis: int | Sequence[int] | None = None) -> Variable:
        """Return the Variable without axes of size 1: all of them, or those named; `layers.squeeze`."""
        axes = [] if axis is None else list(axis) if isinstance(axis, (list, tuple)) else [axis]
        return registry.get("squeeze2").call(self, axes=axes)[0]

    def unsqueeze(self, axis: int | Sequence[int]) -> Variable:
        """Return the Variable with new axes of size 1; `layers.unsqueeze`."""
        return registry.get("unsqueeze2").call(self, axes=list(axis) if isinstance(axis, (list, tuple)) else [axis])[0]

    def flatten(self) -> Variable:
        """Return all elements in one dimension. (`layers.flatten` makes two.)"""
        return self.reshape(-1)

    def matmul(self, other: Any) -> Variable:
        """Return the matrix product; `layers.matmul`."""
        return self @ other

    def abs(self) -> Variable:
        """Return the absolute values; `layers.abs`."""
        return abs(self)

    def exp(self) -> Variable:
        """Return e to the power of each element; `layers.exp`."""
        return registry.get("exp").call(self)

    def log(self) -> Variable:
        """Return the natural logarithms; `layers.log`."""
        return registry.get("log").call(self)

    def sqrt(self) -> Variable:
        """Return the square roots; `layers.sqrt`."""
        return registry.get("sqrt").call(self)

    def tanh(self) -> Variable:
        """Return the hyperbolic tangents; `layers.tanh`."""
        return registry.get("tanh").call(self)

    @_as_numpy_wants
    def clip(self, min: float, max: float) -> Variable:
        """Return the elements limited to the range from `min` to `max`; `layers.clip`."""
        return registry.get("clip").call(self, min=float(min), max=float(max))

    def pow(self, exponent: Any) -> Variable:
        """Return the elements to a power, as `x ** exponent`."""
        return self**exponent
