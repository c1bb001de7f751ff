"""Which Plans a CUDA graph can hold: those that read nothing of the device on the host, copy nothing there, and always launch the same."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernels.registry import registered
from ...ops.framework.call import Call, without
from ...ops.framework.dispatch import kernel_of
from ...ops.framework.spec import OpDef
from .graph import FunctionGraph
from .ir import Instruction

HELD = frozenset({"alias", "constant", "fused", "unread", "update", "view"})
"""Kinds of units that run as device kernels, or do not run."""
BY_VALUES = ("Tensor", "TensorList", "_tensor")
"""The ends of the names of slots that hold an attribute as a tensor, which the host reads."""
ALSO_BY_VALUES = frozenset({"K", "Shape"})
"""The names of others."""


def obstacles(graph: FunctionGraph) -> Iterator[str]:
    """Return why a CUDA graph cannot hold a Plan's function: an operator and what is wrong with it, for each one."""
    for instruction in graph.instructions:
        if instruction.lines:
            why = _obstacle(graph, instruction)
            if why:
                yield f"{instruction.type} {why}"


def _obstacle(graph: FunctionGraph, instruction: Instruction) -> str:
    if instruction.unit is not None and instruction.unit.kind in HELD:
        return ""
    declared = instruction.op.declared
    if instruction.body is not None or "blocks" in instruction.effects:
        return "runs a block, whose condition the host reads"
    if declared is None or "io" in instruction.effects:
        return "calls Python"
    return obstacle(declared, graph.call(instruction), instruction.plain)


def obstacle(op: OpDef, call: Call, plain: bool) -> str:
    """Return why a CUDA graph cannot hold a call of an operator; "" if it can.

    Arguments:
        plain: whether the call has no effects.
    """
    traits = op.traits
    if not plain:
        keyed = traits.fuses is not None and traits.fuses.keyed is not None and traits.fuses.keyed(call) is not None
        return "" if keyed else "draws numbers on the host, or has other effects there"
    by_values = [slot for slot in call.read if slot.endswith(BY_VALUES) or slot in ALSO_BY_VALUES]
    if not without(*by_values)(call):
        return "reads an attribute from a tensor"
    if callable(traits.captured):
        return "" if traits.captured(call) else "cannot be captured with these attributes"
    known = (traits.fuses, traits.view, traits.algebra)
    if traits.captured is False:
        return "needs the host"
    if traits.captured or any(each is not None for each in known) or runs_on_device(op):
        return ""
    return "may need the host"


def runs_on_device(op: OpDef) -> bool:
    """Return whether an operator has a kernel for GPUs."""
    kernel_of(op, "gpu")  # imports the module that registers it
    return registered(op.type, "gpu") is not None


__all__ = ["obstacle", "obstacles"]
