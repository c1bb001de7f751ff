"""The operators of a block that have to run, and the names that operators read and write."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ...core.dtype import VarType
from ..operators.structural import EMPTY
from ..program.block import Block
from ..program.operator import Operator

PASSED_BY = frozenset({"feed", "fetch"})
"""Operators that occur only in saved models; Plans ignore them, since the Executor feeds and fetches."""


def needed_operators(block: Block, fetches: Iterable[str]) -> list[Operator]:
    """Return the operators whose results are observable, in their order.

    Observable are fetched Variables, persistable Variables, side effects such as printing, and the inputs of their
    operators.
    """
    needed = set(fetches)
    kept = []
    for op in reversed(block.ops):
        if op.type in PASSED_BY:
            continue
        outputs = op.output_arg_names
        if has_effects(op) or any(n in needed or _persists(block, n) for n in outputs):
            kept.append(op)
            reads = all_reads(op)
            needed.difference_update(n for n in outputs if n not in reads)
            needed.update(reads)
    return kept[::-1]


def idle_gradients(ops: Sequence[Operator], results: Collection[str]) -> dict[int, set[str]]:
    """Return id of a gradient operator -> those of its gradients that neither a later operator nor the caller reads.

    Arguments:
        ops: the operators in the order in which they run.
        results: the names that the caller reads.
    """
    read = set(results)
    idle: dict[int, set[str]] = {}
    for op in reversed(ops):
        definition = op.declared
        if definition is not None and definition.forward is not None:
            unread = {n for n in op.output_arg_names if n not in read and not _persists(op.block, n)}
            if unread:
                idle[id(op)] = unread
        read.update(all_reads(op))
    return idle


def has_effects(op: Operator) -> bool:
    """Return whether an operator has side effects; an unknown type counts, so that running it raises the error."""
    definition = op.declared
    if definition is None or definition.effects == "io":
        return True
    inner = op.attrs.get("sub_block")
    return isinstance(inner, Block) and any(has_effects(each) for each in inner.ops)


def all_reads(op: Operator, left: bool = True) -> list[str]:
    """Return the names that an operator reads: its inputs, and the outer names that its block reads.

    Arguments:
        left: whether to include the outputs that the operator may leave unchanged.
    """
    names = dict.fromkeys(n for n in op.input_arg_names if n != EMPTY)
    inner = op.attrs.get("sub_block")
    if isinstance(inner, Block) and not op.type.endswith("_grad"):
        own = set() if op.type != "recurrent" else {*op.attr("ex_states"), *op.attr("states")}
        names.update(dict.fromkeys(n for n in outer_reads(inner.ops, (), left) if n not in own and _is_outer(op, n)))
        if op.type != "recurrent" and left:
            names.update(dict.fromkeys(n for n in op.output("Out") if _is_outer(op, n)))
    elif op.type == "write_to_array" and left:
        names.update(dict.fromkeys(op.output("Out")))
    elif left:
        names.update(dict.fromkeys(name for slot in left_slots(op) for name in op.outputs.get(slot) or ()))
    return list(names)


def writes(op: Operator) -> list[str]:
    """Return the names that an operator writes: its outputs, without those that it leaves as they are."""
    left = left_slots(op)
    return [name for slot, names in op.outputs.items() if slot not in left for name in names]


def left_slots(op: Operator) -> Collection[str]:
    """Return the output slots that an operator does not write with its attributes."""
    definition = op.declared
    if definition is None or definition.traits.leaves is None:
        return ()
    return definition.traits.leaves(op.live_attrs())


def _is_outer(op: Operator, name: str) -> bool:
    """Return whether a name that a block reads belongs to an enclosing block."""
    return op.block.find(name) is not None


def outer_reads(ops: Iterable[Operator], results: Iterable[str], left: bool = True) -> list[str]:
    """Return the names that operators read before they are written, and the names in `results` that are not written.

    Arguments:
        left: whether to include outputs that an operator may leave unchanged; these need not have a value.
    """
    written: set[str] = set()
    first: dict[str, None] = {}
    for op in ops:
        for name in all_reads(op, left):
            if name not in written:
                first[name] = None
        written.update(op.output_arg_names)
    for name in results:
        if name not in written:
            first[name] = None
    return list(first)


def outer_writes(ops: Iterable[Operator], block: Block) -> list[str]:
    """Return the names of the blocks that enclose `block` that operators write."""
    return list(dict.fromkeys(n for op in ops for n in op.output_arg_names if n != EMPTY and n not in block.vars))


def is_array(block: Block, name: str) -> bool:
    """Return whether a name is an array of tensors, which is empty until it is first written."""
    variable = block.find(name)
    return variable is not None and variable.type == VarType.LOD_TENSOR_ARRAY


def _persists(block: Block, name: str) -> bool:
    variable = block.find(name)
    return variable is not None and variable.persistable
