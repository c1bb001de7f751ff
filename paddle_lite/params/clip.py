"""Gradient clipping, applied before regularization and the update."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from ..core.dtype import VarType
from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.mode import ByMode, state
from ..ops.framework.registry import get as operator
from ..ops.support.require import is_number
from .gradients import HIGH, LOW, SCALE, changed, no_changes, sum_of_squares


def _number(where: str, argument: str, value: Any) -> float:
    """Convert a number to a float; raise for anything else."""
    if not is_number(value):
        raise ArgumentTypeError(message(where, argument, describe(value), "a number"))
    return float(value)


class GradientClipBase:
    """Base class of gradient clips. A custom clip overrides `__call__`, or `_static_clip` and `_dygraph_clip`.

    Arguments:
        need_clip: `f(parameter)` returns whether to clip the gradient of a parameter; None: all are clipped.

    Raises:
        ArgumentTypeError: need_clip is not callable.
    """

    by_norm = False  # whether `fill` reads the norms of the gradients

    def __init__(self, need_clip: Callable[[Any], bool] | None = None) -> None:
        if need_clip is not None and not callable(need_clip):
            needs = "a function that takes a parameter and returns True or False, or None"
            raise ArgumentTypeError(message(type(self).__name__, "need_clip", describe(need_clip), needs))
        self._need_clip_func = need_clip  # the name of 1.8.5, which clips of programs read

    def chosen(self, params: Sequence[Any]) -> Any:
        """Return an index of the parameters whose gradients are clipped."""
        if self._need_clip_func is None:
            return slice(None)
        return np.array([bool(self._need_clip_func(param)) for param in params], bool)

    def fill(self, changes: np.ndarray, chosen: Any, squares: np.ndarray) -> None:
        """Write how the `chosen` gradients are clipped into a table of changes (see params.gradients).

        Arguments:
            squares: float64, the squared norm of each gradient (zeros where `by_norm` is False).
        """
        raise NotImplementedError(f"{type(self).__name__} does not say how to clip: override __call__")

    def append(self, pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
        """Append operators that clip the gradients of all these parameters; return the new gradients by the names of
        the parameters.

        Arguments:
            pairs: (parameter, gradient) Variables of a static Program.
        """
        clipped = {}
        for param, grad in pairs:
            with param.block.program._optimized_guard([param, grad]):
                clipped[param.name] = self.append_one(grad)
        return clipped

    def append_one(self, grad: Any) -> Any:
        """Append an operator that clips a single gradient; return the new gradient."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to clip: override __call__")

    def __call__(self, params_grads: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """Return the parameters with their clipped gradients; in a static Program, append the operators that clip.

        Arguments:
            params_grads: (parameter, gradient Variable) pairs; those with None are skipped.
        """
        return _clip_of_mode.current()(self)([(param, grad) for param, grad in params_grads if grad is not None])

    def _dygraph_clip(self, params_grads: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """Return what `__call__` returns in imperative mode."""
        params = [param for param, _ in params_grads]
        squares = np.zeros(len(params))
        if self.by_norm:
            squares[:] = [sum_of_squares(_module(grad), grad.array) for _, grad in params_grads]
        changes = no_changes(len(params))
        self.fill(changes, self.chosen(params), squares)
        return [(p, _changed(p, grad, change)) for (p, grad), change in zip(params_grads, changes.T, strict=True)]

    def _static_clip(self, pairs: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """Implement `__call__` in a static Program."""
        chosen = [pair for pair in pairs if self._need_clip_func is None or self._need_clip_func(pair[0])]
        if not chosen:
            return pairs
        block = chosen[0][1].block
        start = len(block.ops)
        clipped = self.append(chosen)
        new = [(param, clipped.get(param.name, grad)) for param, grad in pairs]
        names = {}
        for (param, old), (_, grad) in zip(pairs, new, strict=True):
            grad.type = old.type
            names[param.name, old.name] = grad.name
        for op in block.ops[start:]:
            belongs = tuple(op.attrs.get("op_role_var") or ())
            if belongs in names:  # the last operator of a parameter produces its clipped gradient
                op.attrs["op_role_var"] = [belongs[0], names[belongs]]
        return new


def correct_role_variables(
    params_grads: Iterable[tuple[Any, Any]], param_new_grad_name_dict: Mapping[str, str]
) -> None:
    """Write the names of clipped gradients into `op_role_var` of the operators of a clip, those in a name scope "gradient_clip".

    Clips do so by themselves; it is for those that programs write.

    Arguments:
        params_grads: (parameter, gradient or None) pairs.
        param_new_grad_name_dict: name of a parameter -> name of its clipped gradient.
    """
    blocks = {param.block for param, grad in params_grads if grad is not None} if param_new_grad_name_dict else set()
    for op in (op for program in {block.program for block in blocks} for op in program.global_block().ops):
        belongs = op.attrs.get("op_role_var")
        if belongs and "gradient_clip" in op.attr("op_namescope") and belongs[0] in param_new_grad_name_dict:
            op._set_attr("op_role_var", [belongs[0], param_new_grad_name_dict[belongs[0]]])


_clip_of_mode = ByMode(imperative=attrgetter("_dygraph_clip"), static=attrgetter("_static_clip"))


def is_sparse(gradient: Any) -> bool:
    """Return whether a gradient of a static Program is SelectedRows."""
    return gradient.type == VarType.SELECTED_ROWS


def _module(variable: Any) -> Any:
    """Return the array module of a gradient."""
    array = getattr(variable.array, "values", variable.array)
    return np if isinstance(array, np.ndarray) else state.xp


def _changed(param: Any, gradient: Any, change: np.ndarray) -> Any:
    """Return a new gradient Variable with a change applied."""
    array = changed(_module(gradient), gradient.array, param.array, change)
    made = state.mode.constant(array)
    made.stop_gradient, made.name = False, gradient.name
    return made


class GradientClipByValue(GradientClipBase):
    """Limits each element of a gradient to the range from `min` to `max`.

    Arguments:
        max: the upper limit; above 0 where `min` is None.
        min: the lower limit; -max where it is None.
        need_clip: `f(parameter)` returns whether to clip the gradient of a parameter; None: all are clipped.

    Raises:
        ArgumentTypeError: a limit is not a number, or need_clip is not callable.
        ArgumentValueError: the limits contradict each other.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.clip.GradientClipByValue(5.0)
    GradientClipByValue(max=5.0, min=-5.0)
    """

    def __init__(self, max: float, min: float | None = None, need_clip: Callable[[Any], bool] | None = None) -> None:
        super().__init__(need_clip)
        self.max, self.min = _bounds("GradientClipByValue", max, min)

    def __repr__(self) -> str:
        return f"GradientClipByValue(max={self.max}, min={self.min})"

    def __str__(self) -> str:
        return f"Gradient Clip By Value, min = {self.min:f}, max={self.max:f}"

    def fill(self, changes: np.ndarray, chosen: Any, squares: np.ndarray) -> None:
        """Write the two limits."""
        changes[LOW, chosen], changes[HIGH, chosen] = self.min, self.max

    def append_one(self, grad: Any) -> Any:
        """Append the operator `clip`."""
        return operator("clip").call(grad, min=self.min, max=self.max)


def _bounds(where: str, max: Any, min: Any) -> tuple[float, float]:
    """Return (max, min) as floats; min is -max where it is None."""
    high = _number(where, "max", max)
    if min is None and high <= 0:
        raise ArgumentValueError(message(where, "max", high, "a number above 0 where min is not given"))
    low = -high if min is None else _number(where, "min", min)
    if low > high:
        raise ArgumentValueError(message(where, "min", low, f"at most max, which is {high}"))
    return high, low


class _ByNorm(GradientClipBase):
    """Base class of clips by norm."""

    by_norm = True

    def __init__(self, clip_norm: float, need_clip: Callable[[Any], bool] | None = None) -> None:
        super().__init__(need_clip)
        self.clip_norm = _number(type(self).__name__, "clip_norm", clip_norm)
        if not self.clip_norm >= 0:
            raise ArgumentValueError(message(type(self).__name__, "clip_norm", clip_norm, "a number of 0 or more"))

    def _factor(self, squares: Any) -> Any:
        """Return clip_norm / norm where the norm is above clip_norm; otherwise, and for a norm of NaN, 1."""
        norms = np.sqrt(squares)
        large = norms > self.clip_norm
        return np.where(large, self.clip_norm / np.where(large, norms, 1.0), 1.0)


class GradientClipByNorm(_ByNorm):
    """Scales each gradient whose Euclidean norm is above `clip_norm` down to this norm.

    Arguments:
        clip_norm: the largest norm, at least 0.
        need_clip: `f(parameter)` returns whether to clip the gradient of a parameter; None: all are clipped.

    Raises:
        ArgumentTypeError: clip_norm is not a number, or need_clip is not callable.
        ArgumentValueError: clip_norm is negative.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.clip.GradientClipByNorm(1.0)
    GradientClipByNorm(clip_norm=1.0)
    """

    def __repr__(self) -> str:
        return f"GradientClipByNorm(clip_norm={self.clip_norm})"

    def __str__(self) -> str:
        return f"Gradient Clip By Norm, clip_norm={self.clip_norm:f}"

    def fill(self, changes: np.ndarray, chosen: Any, squares: np.ndarray) -> None:
        """Write a factor for each gradient; it is NaN where the norm is, as in `clip_by_norm`."""
        changes[SCALE, chosen] = np.where(np.isnan(squares[chosen]), np.nan, self._factor(squares[chosen]))

    def append_one(self, grad: Any) -> Any:
        """Append the operator `clip_by_norm`."""
        return operator("clip_by_norm").call(grad, max_norm=self.clip_norm)


class GradientClipByGlobalNorm(_ByNorm):
    """Scales all gradients by one factor if their common norm is above `clip_norm`.

    Source: Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent neural networks", 2013.

    Arguments:
        clip_norm: the largest norm, at least 0.
        group_name: for static Programs: the parameters of one group share a norm.
        need_clip: `f(parameter)` returns whether to count and clip the gradient of a parameter; None: all are.

    Raises:
        ArgumentTypeError: clip_norm is not a number, or need_clip is not callable.
        ArgumentValueError: clip_norm is negative.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.clip.GradientClipByGlobalNorm(1.0)
    GradientClipByGlobalNorm(clip_norm=1.0)
    """

    def __init__(
        self, clip_norm: float, group_name: str = "default_group", need_clip: Callable[[Any], bool] | None = None
    ) -> None:
        super().__init__(clip_norm, need_clip)
        self.group_name = group_name

    def __repr__(self) -> str:
        return f"GradientClipByGlobalNorm(clip_norm={self.clip_norm})"

    def __str__(self) -> str:
        return f"Gradient Clip By GlobalNorm, global_norm={self.clip_norm:f}"

    def fill(self, changes: np.ndarray, chosen: Any, squares: np.ndarray) -> None:
        """Write the common factor.

        A norm of NaN clips nothing, as in Paddle's imperative mode; Programs multiply each gradient by what they make of it.
        """
        changes[SCALE, chosen] = self._factor(squares[chosen].sum())

    def append(self, pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
        """Append operators that compute clip_norm / max(clip_norm, norm) and multiply each gradient by it."""
        squares = []
        for param, grad in pairs:
            with param.block.program._optimized_guard([param, grad]):
                dense = grad
                if is_sparse(grad):
                    merged = operator("merge_selected_rows").call(grad)
                    dense = operator("get_tensor_from_selected_rows").call(merged)
                square = operator("square").call(dense)
                squares.append(operator("reduce_sum").call(square, dim=[0], keep_dim=False, reduce_all=True))
        param, grad = pairs[-1]
        with param.block.program._optimized_guard([param, grad]):
            norm = operator("sqrt").call(operator("sum").call(squares))
            limit = operator("fill_constant").call(shape=[1], dtype=int(norm.dtype), value=self.clip_norm)
            largest = operator("elementwise_max").call(limit, norm)
            factor = operator("elementwise_div").call(limit, largest)
        clipped = {}
        for param, grad in pairs:
            with param.block.program._optimized_guard([param, grad]):
                clipped[param.name] = operator("elementwise_mul").call(grad, factor)
        return clipped


class ErrorClipByValue:
    """Limits for the gradient of a Variable of a static Program: `variable.error_clip = ErrorClipByValue(max)`.

    Arguments:
        max: the upper limit; above 0 where `min` is None.
        min: the lower limit; -max where it is None.

    Raises:
        ArgumentTypeError: a limit is not a number.
        ArgumentValueError: the limits contradict each other.
    """

    def __init__(self, max: float, min: float | None = None) -> None:
        self.max, self.min = _bounds("ErrorClipByValue", max, min)

    def __repr__(self) -> str:
        return f"ErrorClipByValue(max={self.max}, min={self.min})"

    def __str__(self) -> str:
        return f"ByValue, min={self.min:f}, max={self.max:f}"
