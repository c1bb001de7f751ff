"""Parameter: a Variable that an optimizer trains."""

from __future__ import annotations

from typing import Any

from ..core.mode import state
from ..ops import registry
from ..ops.emit import engine
from .variable import Variable


class Parameter(Variable):
    """A trainable Variable of a Layer; Fluid calls it ParamBase in imperative mode.

    optimize_attr: {'learning_rate': factor on the optimizer's rate}.
    regularizer: its own regularizer, which takes the place of the optimizer's; or None.
    """

    __slots__ = ("do_model_average", "is_distributed", "need_clip", "optimize_attr", "regularizer")

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
        super().__init__(array, stop_gradient=not trainable, name=name, persistable=True)
        self.optimize_attr = optimize_attr if optimize_attr is not None else {"learning_rate": 1.0}
        self.regularizer = regularizer
        self.do_model_average = do_model_average
        self.is_distributed = False
        self.need_clip = True

    @property
    def trainable(self) -> bool:
        """Whether gradients are computed for it and optimizers change it."""
        return not self.stopped

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self.stopped = not value


def make_parameter(shape: list[int], dtype: str, name: str, attr: Any, initializer: Any) -> Parameter:
    """A Parameter that its initializer's operator has filled."""
    type, attrs = initializer.operation(shape, dtype)
    enabled, state.grad_enabled = state.grad_enabled, False
    try:
        value = registry.get(type).call(**{k: v for k, v in attrs.items() if k in registry.get(type).live})
    finally:
        state.grad_enabled = enabled
    return Parameter(
        value.array,
        name=name,
        trainable=attr.trainable,
        optimize_attr={"learning_rate": attr.learning_rate},
        regularizer=attr.regularizer,
        do_model_average=attr.do_model_average,
    )


engine.make_parameter = make_parameter
