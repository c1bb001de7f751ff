"""What operators cost: bytes that they move and floating-point operations (FLOPs), estimated from the shapes in the Program.

These are estimates, for comparing the parts of a Plan with each other. The FLOPs are what declarations say (`flops=`, see
ops/framework/costs.py). Bytes are those of the arrays that a kernel reads and writes, once each, whatever the caches do. A
size that is known only at run time counts as N, the batch.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...kernels.codegen.expression import Node, number, walk
from ...ops.framework.costs import Amount, result
from ...ops.framework.pointwise import forms_of
from .fusion.rules import BINARY, chosen, expression
from .graph import Step, Value


def size_of(value: Value) -> Amount:
    """The bytes of a value; none of what is no tensor of numbers."""
    return Amount() if value.dtype is None else Amount.of(value.shape) * value.dtype.itemsize


def bytes_read(step: Step) -> Amount:
    """The bytes that an operator reads by itself."""
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


# --- FLOPs ----------------------------------------------------------------------------------------------------------------


def flops(step: Step) -> Amount | None:
    """Return the floating-point operations of an operator; None where nothing is known of it."""
    counted = step.op.definition.traits.flops
    if counted is not None:
        return counted(step) if callable(counted) else Amount()
    forward = step.type.removesuffix("_grad")
    if forward in BINARY:
        return _of_binary(step, forward)
    return None if forms_of(step.op.definition) is None else _of_expressions(step)


def _operations(nodes: Iterable[Node]) -> int:
    """The operations of expressions; what several have in common counts once."""
    return sum(node.op not in ("name", "number", "true") for node in walk(*nodes))


def _of_expressions(step: Step) -> Amount | None:
    """An operator that is declared by expressions."""
    forms = forms_of(step.op.definition)
    reads = step.reads()
    assert forms is not None
    _, outputs, _, scalars = forms.declaration
    known = {name: number(float(step.attrs[name])) for name in scalars if name in step.attrs}
    made = [chosen(expression(text, **known)) for text in outputs.values()]
    return Amount.of(reads[0].shape) * _operations(made) if reads else None


def _of_binary(step: Step, forward: str) -> Amount | None:
    """An operator of two operands; a gradient that is smaller than the result is a sum over it."""
    made_or_given = result(step, "Out")
    if made_or_given is None:
        return None
    shape = made_or_given.shape
    out, *gradients = (_operations([expression(text)]) for text in BINARY[forward])
    count = out
    if forward != step.type:
        made = [(step.out("X@GRAD"), gradients[0]), (step.out("Y@GRAD"), gradients[1])]
        count = sum(n + (value.shape != shape) for value, n in made if value is not None)
    return Amount.of(shape) * count
