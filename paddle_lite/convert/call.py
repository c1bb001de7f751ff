"""One operator of a Program as converters see it, and the tables of converters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import numpy as np

from ..core.dtype import to_numpy
from ..static.program.operator import Operator
from ..static.program.variable import Variable
from .problems import Unsupported

C = TypeVar("C")
PASSED_BY = ("feed", "fetch")


class Call:
    """An operator: its attributes, and shapes and dtypes of its Variables as the Program has them (-1: not known)."""

    def __init__(self, op: Operator) -> None:
        self.op = op
        self.block = op.block

    def attr(self, name: str) -> Any:
        """Return the value of an attribute, or its default."""
        return self.op.attrs[name] if name in self.op.attrs else self.op.attr(name)

    def has(self, slot: str) -> bool:
        """Return whether something is in an input slot."""
        return bool(self.op.inputs.get(slot))

    def names(self, slot: str = "X") -> list[str]:
        """Return the names of the Variables in an input slot."""
        return self.op.inputs.get(slot) or []

    def name(self, slot: str = "X") -> str:
        """Return the name of the Variable in an input slot."""
        return self.names(slot)[0]

    def made(self, slot: str = "Out") -> list[str]:
        """Return the names of the Variables in an output slot."""
        return self.op.outputs.get(slot) or []

    def variable(self, name: str) -> Variable:
        """Return a Variable that the operator names."""
        found: Variable = self.block.variable(name)
        return found

    def shape(self, slot: str = "X", at: int = 0) -> tuple[int, ...]:
        """Return the shape of a Variable in an input slot, -1 for unknown sizes."""
        return tuple(int(n) for n in self.variable(self.names(slot)[at]).shape)

    def shape_made(self, slot: str = "Out", at: int = 0) -> tuple[int, ...]:
        """Return the shape of a Variable in an output slot."""
        return tuple(int(n) for n in self.variable(self.made(slot)[at]).shape)

    def rank(self, slot: str = "X") -> int:
        """Return the number of dimensions of a Variable in an input slot."""
        return len(self.shape(slot))

    def dtype(self, slot: str = "X") -> np.dtype:
        """Return the dtype of a Variable in an input slot."""
        return to_numpy(self.variable(self.name(slot)).dtype)

    def dtype_made(self, slot: str = "Out") -> np.dtype:
        """Return the dtype of a Variable in an output slot."""
        return to_numpy(self.variable(self.made(slot)[0]).dtype)

    def used(self, slot: str) -> bool:
        """Return whether another operator reads what is made in an output slot."""
        made = set(self.made(slot))
        return any(made & set(op.input_arg_names) for op in self.block.program.all_ops() if op is not self.op)

    def axis(self, value: int, slot: str = "X") -> int:
        """Return an axis of an input as a number of 0 or more."""
        return value + self.rank(slot) if value < 0 else value

    def fail(self, reason: str) -> Unsupported:
        """Return the error that says why the operator cannot be converted."""
        return Unsupported(reason)

    def need(self, condition: Any, reason: str) -> None:
        """Raise unless a condition holds."""
        if not condition:
            raise self.fail(reason)


class Table(Generic[C]):
    """Converters by operator type.

    >>> table = Table()
    >>> @table("relu", "tanh")
    ... def activation(call): ...
    >>> "tanh" in table, sorted(table)
    (True, ['relu', 'tanh'])
    """

    def __init__(self) -> None:
        self._converters: dict[str, Callable[[C], None]] = {}

    def __call__(self, *types: str) -> Callable[[Callable[[C], None]], Callable[[C], None]]:
        """Return a decorator that registers a converter for operators of these types."""

        def entered(converter: Callable[[C], None]) -> Callable[[C], None]:
            for type in types:
                assert type not in self._converters, f"two converters for {type}"
                self._converters[type] = converter
            return converter

        return entered

    def __contains__(self, type: object) -> bool:
        return type in self._converters

    def __iter__(self) -> Iterator[str]:
        return iter(self._converters)

    def __getitem__(self, type: str) -> Callable[[C], None]:
        return self._converters[type]

    def get(self, type: str) -> Callable[[C], None] | None:
        """Return the converter of a type; None if there is none."""
        return self._converters.get(type)
