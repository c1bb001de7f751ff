"""The helper functions that compiled blocks call: checks, zeros, sums of gradients."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ....core.errors import ArgumentValueError, DtypeError, LoopLimitError, ShapeError, message
from ....core.selected_rows import SelectedRows
from ....core.tensor_array import TensorArray
from ....ops.framework.dispatch import ArraySpec
from ...program.operator import Operator
from ..passes.products import summed_products
from .weight_rows import Rows

MOST = "FLAGS_max_loop_iterations"
MOST_HELD = 1 << 22  # elements of products that a sum keeps


def too_many_rounds(most: int, where: str = "while", argument: str = "Condition", got: str = "True") -> None:
    """Raise the error of a loop that goes on beyond the limit."""
    needs = f"at most {most} iterations, as {MOST} says"
    fix = "Does the loop ever make its condition false? If it needs more iterations, raise the limit; 0 is none."
    raise LoopLimitError(message(where, argument, f"{got} after {most} iterations", needs, fix))


def truth(type: str, value: Any) -> bool:
    """Return the truth value of a condition; type: the type of the operator that reads it.

    Raises:
        ShapeError: the condition does not have exactly one element.
    """
    if value is None or getattr(value, "size", 0) != 1:
        got = "nothing" if value is None else f"shape {list(value.shape)}"
        raise ShapeError(message(type, "Condition", got, "a bool Variable of one element"))
    return bool(value.reshape(-1)[0])


def dtype_of(value: Any) -> Any:
    """Return the dtype of a value; None if it has no dtype."""
    return getattr(value, "dtype", None)


def check_dtype(name: str, dtype: Any, value: Any) -> Any:
    """Return the dtype of a loop variable, whose previous dtype is `dtype`.

    Raises:
        DtypeError: the dtype has changed.
    """
    if value is None or dtype is None or dtype == dtype_of(value):
        return dtype if value is None else dtype_of(value)
    raise DtypeError(
        message(
            "while", f"the loop variable {name}", f"dtype {value.dtype} in a round", f"{dtype}, as before the loop",
            "Convert it with cast() at the end of the loop's block.",
        )
    )  # fmt: skip


# --- gradients ------------------------------------------------------------------------------------------------------------


def backwards(trace: list[Any] | None) -> Iterable[Any]:
    """Return the entries of a trace, from the last iteration to the first."""
    return reversed(trace or ())


def drained(trace: list[Any] | None) -> Iterator[Any]:
    """Yield the entries of a trace with one reader from the last to the first, and free each entry after its use."""
    while trace:
        yield trace.pop()


def outline(value: Any) -> Any:
    """Return the outline of a value: shape and dtype, or the length of an array of tensors."""
    if type(value) is np.ndarray:
        return ArraySpec(value)
    if isinstance(value, TensorArray):
        return len(value)
    return None if getattr(value, "shape", None) is None else ArraySpec(value)


def zeros(outline: Any) -> Any:
    """Return zeros with the form of an outline."""
    if isinstance(outline, int):
        return TensorArray([None] * outline)
    return None if outline is None else np.zeros(outline.shape, outline.dtype)


def zeros_like(value: Any) -> Any:
    """Return zeros with the form of a value."""
    return None if value is None else zeros(outline(value))


def add(first: Any, second: Any) -> Any:
    """Return the sum of two gradients; None stands for a zero gradient."""
    if first is None or second is None:
        return second if first is None else first
    if isinstance(first, SelectedRows):
        return first.concat(second, np)
    return first + second


class Total:
    """The sum of the gradients of all iterations, accumulated in place from the second sum on."""

    __slots__ = ("held", "own", "rows", "value")

    def __init__(self) -> None:
        self.value: Any = None
        self.own = False  # whether the array is referenced only here
        self.rows: list[Rows] = []  # products that are not in the sum yet
        self.held = 0  # the number of their elements

    def add(self, gradient: Any) -> None:
        """Add the gradient of an iteration, or its Rows; None stands for a zero gradient."""
        value = self.value
        if gradient is None:
            return
        if type(gradient) is Rows:
            self.rows.append(gradient)
            self.held += gradient.x.size + gradient.d.size
            if self.held > MOST_HELD:
                self._multiply()
        elif (
            self.own
            and type(gradient) is np.ndarray
            and gradient.shape == value.shape
            and gradient.dtype == value.dtype
        ):
            value += gradient
        else:
            self.own = type(value) is np.ndarray and value.ndim > 0
            self.value = add(value, gradient)

    def sum(self) -> Any:
        """Return the sum; None if nothing was added."""
        self._multiply()
        return self.value

    def _multiply(self) -> None:
        rows, self.rows, self.held = self.rows, [], 0
        if rows:
            xs, ds = zip(*rows, strict=True)
            self.add(summed_products(list(xs), list(ds)))


def write(op: Operator, before: Any, X: Any, lod: Any, index: Any) -> TensorArray:
    """Return the result of write_to_array: the array `before` with X at the place `index`.

    Raises:
        ArgumentValueError: the index is negative.
    """
    array = before if isinstance(before, TensorArray) else TensorArray()
    place = int(index.reshape(-1)[0])
    if place < 0:
        raise ArgumentValueError(message("write_to_array", "Input(I)", place, "0 or more"))
    return array.written(place, X, lod)
