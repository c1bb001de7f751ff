"""The cost of operators: bytes moved and floating-point operations (FLOPs), estimated from the shapes in the Program.

The estimates serve to compare the parts of a Plan. The FLOPs come from declarations (`flops=`, see
ops/framework/costs.py). The bytes are the sizes of the arrays that a kernel reads and writes, each counted once; caches
are not modelled. A size that is known only at run time counts as N, the batch.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ops.framework.costs import Amount
from .ir import Instruction, Value


def size_of(value: Value) -> Amount:
    """Return the bytes of a value; zero for a value that is no tensor of numbers."""
    return Amount() if value.dtype is None else Amount.of(value.shape) * value.dtype.itemsize


def bytes_read(step: Instruction) -> Amount:
    """Return the bytes that an operator reads when it is called alone."""
    part = step.one(step.op.definition.traits.gathers or "")
    made = step.makes()
    whole = dict.fromkeys(value for value in step.whole() if value is not part)
    total = _total(size_of(value) for value in whole)
    return total + size_of(made[0]) if part is not None and made else total


def _total(amounts: Iterable[Amount]) -> Amount:
    total = Amount()
    for amount in amounts:
        total += amount
    return total


def flops(step: Instruction) -> Amount | None:
    """Return the floating-point operations of an operator; None if its declaration does not state them."""
    traits = step.op.definition.traits
    counted = traits.flops if traits.flops is not None or traits.fuses is None else traits.fuses.flops
    return counted(step) if callable(counted) else None if counted is None else Amount()
