"""What an optimizer class says about its operator, for every mode."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..ops.framework.spec import OpDef


class Accumulator(NamedTuple):
    """A value that an optimizer keeps for each parameter, such as a momentum.

    slot: the input of the operator that takes it; the output `<slot>Out` is its new value, if there is one.
    name: what follows the parameter's name in its own name.
    fill: its first value; a string stands for the optimizer's attribute of that name.
    one: whether it is one number rather than an array of the parameter's shape.
    factor: the attribute by which it is multiplied after the update, where the operator leaves that to the optimizer.
    """

    slot: str
    name: str
    fill: float | str = 0.0
    one: bool = False
    factor: str | None = None


class Rule:
    """An operator with its accumulators: in which order they go in, and which of its outputs goes where.

    operator: the update operator. accumulators: in the order in which it takes them. attributes: the names of those that
    matter for computing.
    """

    def __init__(self, operator: OpDef, accumulators: tuple[Accumulator, ...]) -> None:
        self.operator = operator
        by_slot = {a.slot: a for a in accumulators}
        self.accumulators = tuple(by_slot[s.name] for s in operator.inputs if s.name in by_slot)
        self.attributes = operator.live
        names = [s.name for s in operator.inputs]
        self.takes_rate = "LearningRate" in names
        # the input that an output renews begins like it: Moment1Out, SquaredAccumOut
        stems = [s.name.removesuffix("Out") for s in operator.outputs]
        self.outputs = tuple(next(name for name in names if name.startswith(stem)) for stem in stems)

    def inputs(self, param: Any, grad: Any, rate: Any, accumulators: list[Any]) -> dict[str, Any]:
        """What goes into each slot of the operator."""
        kept = {a.slot: variable for a, variable in zip(self.accumulators, accumulators, strict=True)}
        return {"Param": param, "Grad": grad, **({"LearningRate": rate} if self.takes_rate else {}), **kept}
