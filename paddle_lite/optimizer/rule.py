"""The update rule of an optimizer, in every mode: its operator and accumulators."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..ops.framework.spec import OpDef


class Accumulator(NamedTuple):
    """A value that an optimizer keeps for each parameter, such as a momentum.

    Attributes:
        slot: the input slot of the operator; the output `<slot>Out`, if there is one, is the new value.
        name: the suffix of its name, after the name of the parameter.
        fill: its initial value; a string names an attribute of the optimizer.
        one: whether it has one element rather than the shape of the parameter.
        factor: the attribute to multiply it by after the update, where the operator does not do that.
    """

    slot: str
    name: str
    fill: float | str = 0.0
    one: bool = False
    factor: str | None = None


class Rule:
    """An update operator with its accumulators: the order of its inputs, and the input that each output replaces.

    Attributes:
        operator: the update operator.
        accumulators: in the order of the input slots.
        attributes: the names of the attributes that affect the result.
        outputs: for each output the input that it replaces.
    """

    def __init__(self, operator: OpDef, accumulators: tuple[Accumulator, ...]) -> None:
        self.operator = operator
        by_slot = {a.slot: a for a in accumulators}
        self.accumulators = tuple(by_slot[s.name] for s in operator.inputs if s.name in by_slot)
        self.attributes = operator.live
        names = [s.name for s in operator.inputs]
        self.takes_rate = "LearningRate" in names
        # an output replaces the input whose name starts like its own: Moment1Out, SquaredAccumOut
        stems = [s.name.removesuffix("Out") for s in operator.outputs]
        self.outputs = tuple(next(name for name in names if name.startswith(stem)) for stem in stems)

    @classmethod
    def of(cls, optimizer: Any) -> Rule | None:
        """Return the rule of an optimizer; None for a subclass that defines its updates by hooks (see hooks.py)."""
        operator = getattr(type(optimizer), "operator", None)
        return None if operator is None else cls(operator, optimizer.accumulators)

    def inputs(self, param: Any, grad: Any, rate: Any, accumulators: list[Any]) -> dict[str, Any]:
        """Return the value of each input slot of the operator."""
        kept = {a.slot: variable for a, variable in zip(self.accumulators, accumulators, strict=True)}
        return {"Param": param, "Grad": grad, **({"LearningRate": rate} if self.takes_rate else {}), **kept}
