"""An operator on its way to PyTorch: what converters read, and how they write lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...static.program.operator import Operator
from ..call import Call, Table
from ..model import Model
from .source import Source

SHORT = "xyzuvwabcdefghijkmnpqrst"
"""Names of local variables."""


class Names:
    """The expression of each Variable of the Program: a local variable, an input, or an attribute of the module.

    One name stands for a Variable throughout a Program with loops or branches. In others a result takes the name of an
    operand that is not read again, so that forward reads as one writes it: x = self.conv(x).
    """

    def __init__(self, source: Source, reused: bool) -> None:
        self.source = source
        self.reused = reused
        self.held: dict[str, str] = {}
        self.last: dict[str, Operator] = {}
        self.inputs: set[str] = set()
        self.fixed: set[str] = set()

    def input(self, name: str) -> None:
        """Give an input of the model its name."""
        self.held[name] = self.source.local(name)
        self.inputs.add(name)
        self.fixed.add(self.held[name])

    def done(self, op: Operator) -> None:
        """Forget the operands of an operator that none behind it reads, so that others may take their names."""
        if self.reused:
            for name in op.input_arg_names:
                if self.last.get(name) is op and name not in self.inputs and name not in op.output_arg_names:
                    self.held.pop(name, None)

    def set(self, name: str, op: Operator) -> str:
        """Return the local variable for a result of an operator."""
        if name in self.held and not self.held[name].startswith("self."):
            return self.held[name]
        if self.reused:
            for given in op.input_arg_names:
                local = self.held.get(given, "self.")
                if local.startswith("self.") or given in self.inputs or self.last.get(given) is not op:
                    continue
                if sum(each == local for each in self.held.values()) == 1:
                    del self.held[given]
                    self.held[name] = local
                    return local
            free = next((n for n in SHORT if n not in self.held.values() and n not in self.fixed), None)
            self.held[name] = free if free is not None else self.source.local("x")
        else:
            self.held[name] = self.source.local(name)
        return self.held[name]


class TorchCall(Call):
    """An operator and the source that it becomes a part of."""

    def __init__(
        self, op: Operator, model: Model, scope: Names, bias: str | None = None, made: str | None = None
    ) -> None:
        super().__init__(op)
        self.model = model
        self.scope = scope
        self.source = scope.source
        self.bias = bias
        self._made = made

    # --- reading ----------------------------------------------------------------------------------------------------------

    def value(self, name: str) -> str:
        """Return the expression of a Variable."""
        if name in self.scope.held:
            return self.scope.held[name]
        if name in self.model.values:
            return self.source.parameter(name, self.model.values[name])
        raise self.fail(f"its input {name} has no value here")

    def x(self, slot: str = "X") -> str:
        """Return the expression of the Variable in an input slot."""
        return self.value(self.name(slot))

    def xs(self, slot: str = "X") -> list[str]:
        """Return the expressions of the Variables in an input slot."""
        return [self.value(name) for name in self.names(slot)]

    def weight(self, slot: str) -> np.ndarray | None:
        """Return the array of an input that is a parameter of the model; None for what is computed."""
        return self.model.values.get(self.name(slot)) if self.has(slot) else None

    def entry(self, slot: str, how: str = "", array: np.ndarray | None = None) -> tuple[str, str, np.ndarray]:
        """Return a parameter as an entry of a layer."""
        found = self.weight(slot)
        assert found is not None
        return self.name(slot), how, found if array is None else array

    # --- results ----------------------------------------------------------------------------------------------------------

    def out(self, expression: str, slot: str = "Out", at: int = 0) -> None:
        """Set the result in an output slot."""
        made = self.made(slot)
        if at < len(made):
            name = self._made if self._made is not None and at == 0 else made[at]
            target = self.scope.set(name, self.op)
            if target != expression:
                self.source.line(f"{target} = {expression}")

    def outs(self, expression: str, slot: str = "Out") -> None:
        """Set all results in an output slot from an expression of several values."""
        targets = [self.scope.set(name, self.op) for name in self.made(slot)]
        self.source.line(f"{', '.join(targets)}{',' if len(targets) == 1 else ''} = {expression}")

    def size(self, value: str, axis: int, known: int) -> str:
        """Return a size: a number where it is known, else what it is at run time."""
        return str(known) if known >= 0 else f"{value}.shape[{axis}]"


def plain(values: Sequence[Any]) -> str:
    """Return numbers as an argument: one number where all are equal.

    >>> plain([2, 2]), plain([2, 3])
    ('2', '(2, 3)')
    """
    return repr(values[0]) if len(set(values)) == 1 else repr(tuple(values))


def number(value: Any) -> str:
    """Return a float as it is written, with the digits that float32 has.

    >>> number(np.float32(0.1)), number(1.0), number(1e-5)
    ('0.1', '1.0', '1e-05')
    """
    single = np.float32(value)
    return repr(float(str(single))) if np.isfinite(single) else f"float('{single}')"


TABLE: Table[TorchCall] = Table()
converts = TABLE
"""The decorator of converters: `@converts("relu", ...)`."""
