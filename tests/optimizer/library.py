"""paddle_lite under the names that recorded_cases.py uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_lite import optimizer
from paddle_lite.imperative.base import guard, to_variable
from paddle_lite.imperative.parameter import Parameter
from paddle_lite.nn import Embedding
from paddle_lite.optimizer import schedule
from paddle_lite.params import clip, regularizer
from paddle_lite.params.attr import ParamAttr
from paddle_lite.params.initializer import NumpyArrayInitializer


class Library:
    """The names of Fluid that the cases use."""

    guard, to_variable = staticmethod(guard), staticmethod(to_variable)

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        for module in (optimizer, regularizer, clip, schedule):
            if hasattr(module, name):
                return getattr(module, name)
        raise AttributeError(name)

    def parameter(self, name: str, value: np.ndarray, more: dict[str, Any]) -> tuple[Any, Callable]:
        """A parameter, and what makes a loss whose gradient is given."""
        param = new_parameter(name, value, **more)
        return param, lambda gradient: param * to_variable(gradient)

    def table(self, name: str, value: np.ndarray, more: dict[str, Any]) -> tuple[Any, Callable]:
        """The table of a sparse embedding, and what makes a loss whose gradient is given."""
        attr = ParamAttr(name=name, initializer=NumpyArrayInitializer(value), **more)
        layer = Embedding(list(value.shape), True, param_attr=attr)
        return layer.weight, lambda ids, gradient: layer(to_variable(ids)) * to_variable(gradient)


def new_parameter(name: str, value: np.ndarray, **more: Any) -> Any:
    """A parameter with these values, under a name that others may have too."""
    rate = {"learning_rate": more.pop("learning_rate", 1.0)}
    return Parameter(value.copy(), name=name, optimize_attr=rate, **more)
