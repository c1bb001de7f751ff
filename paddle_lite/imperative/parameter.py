"""Parameter: a Variable that an optimizer trains."""

from __future__ import annotations

from typing import Any

from ..ops.framework import registry
from ..ops.framework.emit import engine
from .variable import Variable


class Parameter(Variable):
    """A trainable Variable of a Layer; Fluid calls it ParamBase in imperative mode.

    trainable: whether optimizers change it. Its gradient is computed all the same, unless `stop_gradient` is set.
    optimize_attr: {'learning_rate': factor on the optimizer's rate}.
    regularizer: its own regularizer, which takes the place of the optimizer's; or None.
    """

    __slots__ = ("__dict__", "do_model_average", "is_distributed", "optimize_attr", "regularizer", "trainable")

    def __init__(
        self,
        array: Any,
        *,
        name: str,
        trainable: bool = True,
        optimize_attr: dict[str, Any] | None = None,
        regularizer: Any = None,
        do_model_average: bool = False,
    ) -> None:
        super().__init__(array, stop_gradient=False, name=name, persistable=True)
        self.trainable = trainable
        self.optimize_attr = optimize_attr if optimize_attr is not None else {"learning_rate": 1.0}
        self.regularizer = regularizer
        self.do_model_average = do_model_average
        self.is_distributed = False


def make_parameter(shape: list[int], dtype: str, name: str, attr: Any, initializer: Any) -> Parameter:
    """A Parameter that its initializer's operator has filled; float16 numbers are drawn as float32."""
    type, attrs = initializer.operation(shape, "float32" if dtype == "float16" else dtype)
    op = registry.get(type)
    array = op.call(**{k: v for k, v in attrs.items() if k in op.live}).array
    return Parameter(
        array.astype(dtype, copy=False),
        name=name,
        trainable=attr.trainable,
        optimize_attr={"learning_rate": attr.learning_rate},
        regularizer=attr.regularizer,
        do_model_average=attr.do_model_average,
    )


engine.make_parameter = make_parameter
