"""Python functions under the numbers by which operators `py_func` refer to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core.errors import ArgumentTypeError, IndexRangeError, describe, message
from ....core.tensor import LoDTensor
from ....static.operators.py_func import known_functions, register_for_good

__all__ = ["PyFuncRegistry"]


class PyFuncRegistry:
    """A Python function with a number, the attribute `forward_callable_id` of an operator `py_func`.

    Arguments:
        func: the function.

    Raises:
        ArgumentTypeError: it is no function.

    >>> from paddle_lite.fluid.layers.nn import PyFuncRegistry
    >>> made = PyFuncRegistry(abs)
    >>> PyFuncRegistry.registered_func(made.id) is abs
    True
    """

    def __init__(self, func: Callable[..., Any]) -> None:
        if not callable(func):
            raise ArgumentTypeError(message("PyFuncRegistry", "func", describe(func), "a function"))
        self._func, self._id = func, register_for_good(func)

    @property
    def id(self) -> int:
        """The number."""
        return self._id

    @classmethod
    def registered_func(cls, idx: int) -> Callable[..., Any]:
        """Return the function of a number.

        Raises:
            IndexRangeError: there is none.
        """
        known = known_functions()
        if idx not in known:
            needs = f"one of {sorted(known)}" if known else "a number that PyFuncRegistry gave"
            raise IndexRangeError(message("PyFuncRegistry.registered_func", "idx", describe(idx), needs))
        return known[idx]

    @classmethod
    def registered_func_num(cls) -> int:
        """Return how many functions have numbers that live as long as the process."""
        return len(known_functions())

    def __call__(self, *args: Any) -> tuple[Any, ...]:
        """Call the function; return its results as LoDTensors, None where it has none."""
        found = self._func(*args)
        results = found if isinstance(found, (list, tuple)) else [found]
        return tuple(
            each if each is None or isinstance(each, LoDTensor) else LoDTensor.of(np.asarray(each), None)
            for each in results
        )
