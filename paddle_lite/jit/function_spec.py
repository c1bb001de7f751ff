"""FunctionSpec: a function and what it is called with."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core import unique_name
from ..imperative.layer import Layer
from ..imperative.variable import Variable
from ..static.program.program import Program


class FunctionSpec:
    """A function, and what it is called with. Those of one function are equal.

    Arguments:
        func: the function.
        args, kwargs: the arguments of the call.
    """

    def __init__(self, func: Callable, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        self._dyfunc, self._args, self._kwargs = func, args, kwargs

    @property
    def dyfunc(self) -> Callable:
        """The function."""
        return self._dyfunc

    @property
    def args(self) -> Sequence[Any]:
        """The positional arguments."""
        return self._args

    def is_method(self) -> bool:
        """Return whether the first argument is a Layer."""
        return bool(self._args) and isinstance(self._args[0], Layer)

    def parameters(self, include_sublayer: bool = True) -> OrderedDict[str, Variable]:
        """Return the parameters of the Layer that the function is a method of, none of other functions.

        Arguments:
            include_sublayer: whether those of its sublayers are among them, all by their names; else they are its own, by its
                attributes.
        """
        if not self.is_method():
            return OrderedDict()
        layer = self._args[0]
        if include_sublayer:
            return OrderedDict((value.name, value) for value in layer.parameters())
        return OrderedDict(layer._parameters)

    def to_static_inputs(self, main_program: Program) -> list[Any]:
        """Return the positional arguments, with Variables of a Program for arrays and for Variables of imperative mode.

        Arguments:
            main_program: the Program.
        """
        block = main_program.global_block()
        made: list[Any] = []
        for value in self._args:
            if isinstance(value, np.ndarray):
                name = unique_name.generate("feed")
                value = block.declare_var(
                    name=name, shape=value.shape, dtype=value.dtype, is_data=True, need_check_feed=False
                )
                value.stop_gradient = False
            elif isinstance(value, Variable):
                value = block.declare_var(
                    name=value.name, shape=tuple(value.shape), dtype=value.dtype, stop_gradient=value.stop_gradient
                )
            made.append(value)
        return made

    def __hash__(self) -> int:
        return hash(self._dyfunc)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FunctionSpec) and self._dyfunc == other._dyfunc
