"""Parameter: a Variable that an optimizer trains."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import unique_name
from ..core.dtype import to_numpy
from ..core.errors import ArgumentValueError, describe, message
from ..core.mode import changed, state
from .calling_block import block as calling_block
from .variable import Variable


class Parameter(Variable):
    """A trainable Variable of a Layer. Fluid calls it ParamBase in imperative mode.

    `Parameter(array, name=)` has values; `Parameter(shape, dtype)`, the form of 1.8.5, is zeros that take no gradient until
    `stop_gradient` is set to False.

    trainable: whether optimizers change it. Its gradient is computed in either case, unless `stop_gradient` is set.
    optimize_attr: {'learning_rate': factor of the optimizer's learning rate}.
    regularizer: a regularizer that replaces the optimizer's, or None.
    """

    is_parameter = True
    __slots__ = ("__dict__", "do_model_average", "is_distributed", "optimize_attr", "regularizer", "trainable")

    def __init__(
        self,
        array: Any = None,
        dtype: Any = None,
        *,
        name: str | None = None,
        trainable: bool = True,
        optimize_attr: dict[str, Any] | None = None,
        regularizer: Any = None,
        do_model_average: bool | None = False,
        is_distributed: bool = False,
        shape: Any = None,
        **_: Any,
    ) -> None:
        declared = not hasattr(array, "dtype")
        if declared:
            array = _zeros(shape if array is None else array, dtype)
        name = unique_name.generate("_param_base") if name is None else name
        super().__init__(array, stop_gradient=declared, name=name, persistable=True)
        self.trainable = trainable
        self.optimize_attr = optimize_attr if optimize_attr is not None else {"learning_rate": 1.0}
        self.regularizer = regularizer
        self.do_model_average = do_model_average
        self.is_distributed = is_distributed

    def take(self, result: Variable) -> None:
        """Take the values of `result`; the parameter still needs a gradient where nothing was recorded for them."""
        stopped = self.stopped
        super().take(result)
        if self.node is None:
            self.stopped = stopped


def _zeros(shape: Any, dtype: Any) -> np.ndarray:
    """Return the values of `ParamBase(shape, dtype)` before an Initializer writes others."""
    if shape is None or dtype is None:
        missing = "shape" if shape is None else "dtype"
        raise ArgumentValueError(message("ParamBase", missing, "None", f"the {missing} of the parameter"))
    sizes = list(shape)
    if not sizes or min(sizes) < 0:
        raise ArgumentValueError(message("ParamBase", "shape", describe(shape), "at least one size, none negative"))
    return np.zeros(sizes, to_numpy(dtype))


def fill(variable: Variable, initializer: Any) -> None:
    """Replace the values of a Variable by those that an Initializer computes, by its own `__call__` if it has one."""
    if initializer.calls:
        with changed(grad_enabled=False):
            initializer(variable, calling_block)
    else:
        state.mode.fill(variable, initializer, None)


def make_parameter(shape: list[int], dtype: str, name: str, attr: Any, initializer: Any) -> Parameter:
    """Return a Parameter whose values the initializer computes; float16 values are computed as float32."""
    made = Parameter(
        np.zeros(shape, "float32" if dtype == "float16" else dtype),
        name=name,
        trainable=attr.trainable,
        optimize_attr={"learning_rate": attr.learning_rate},
        regularizer=attr.regularizer,
        do_model_average=attr.do_model_average,
    )
    fill(made, initializer)
    made.array = made.array.astype(dtype, copy=False)
    unique_name.current().parameters[name] = made
    return made


def free_name(given: str | None, key: str) -> str:
    """Return the given name, or else a generated one that no parameter of this `guard` has.

    Raises:
        ArgumentValueError: another parameter has the given name.
    """
    if given is not None:
        if not unique_name.take(given):
            raise ArgumentValueError(
                message("create_parameter", "name", repr(given), "a name that no other parameter has",
                        "Share the parameter itself, or its Layer, rather than its name.")
            )  # fmt: skip
        return given
    name = unique_name.generate(key)
    while not unique_name.take(name):
        name = unique_name.generate(key)
    return name
