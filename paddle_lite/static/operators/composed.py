"""Operators as compositions of other operators, by the trait `composed` of their declarations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...core import unique_name
from ...core.errors import EnforceNotMet
from ...core.mode import using
from ..mode.static_mode import StaticMode
from ..program.operator import Operator
from ..program.program import Program, program_guard
from ..program.variable import Variable
from .structural import EMPTY

_MODE = StaticMode()


def composed(op: Operator) -> list[Operator]:
    """Return the operators that compute what an operator does: those that its declaration names, or the operator itself."""
    rule = None if op.declared is None else op.declared.traits.composed
    if rule is None:
        return [op]
    prefix = next(n for n in op.output_arg_names if n != EMPTY)
    scratch = Program()
    block = scratch.global_block()
    given = [_inputs(op, slot.name, slot.many, block) for slot in op.definition.inputs]
    try:
        with unique_name.guard("@"), program_guard(scratch, Program()), using(_MODE):
            results = rule(*given, **op.live_attrs())
    except EnforceNotMet:
        return [op]  # its inputs have sizes that the Program does not know
    results = results if isinstance(results, tuple) else (results,)
    names: dict[str, str] = {}
    for slot, result in zip(op.definition.outputs, results, strict=True):
        for name in op.outputs.get(slot.name) or ():
            if name != EMPTY and result is not None:
                names[result._name] = name
    wanted = {*names.values()}
    names = {n: names.get(n) or prefix + n for each in block.ops for n in each.output_arg_names}
    ops = list(_needed(block.ops, wanted, names))
    for name, to in names.items():
        variable = block.vars[to] = Variable(block, name=to)
        variable.set_meta(block.vars[name].meta)
    roles = {key: op.attrs[key] for key in ("op_role",) if key in op.attrs}
    for each in ops:
        each.line = op.line
        each.attrs.update(roles)
    return ops


def _inputs(op: Operator, slot: str, many: bool, block: Any) -> Any:
    """Return Variables like those in a slot of an operator, in another block."""
    found = []
    for name in op.inputs.get(slot) or ():
        if name not in block.vars:
            variable = block.vars[name] = Variable(block, name=name)
            variable.set_meta(op.block.variable(name).meta._replace(lod_level=0))
        found.append(block.vars[name])
    return found if many else next(iter(found), None)


def _needed(ops: Sequence[Operator], wanted: set[str], names: dict[str, str]) -> Iterator[Operator]:
    """Yield the operators with other names of their results that the wanted results need, in order."""
    kept = []
    for op in reversed(ops):
        op.inputs = {slot: [names.get(n, n) for n in each] for slot, each in op.inputs.items()}
        op.outputs = {slot: [names.get(n, n) for n in each] for slot, each in op.outputs.items()}
        if wanted.intersection(op.output_arg_names):
            wanted.update(op.input_arg_names)
            kept.append(op)
    yield from reversed(kept)
