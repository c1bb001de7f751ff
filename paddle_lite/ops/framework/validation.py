"""Caching of validation: a call is validated once for each combination of the facts that decide whether it is valid.

`call_key` writes the expression that computes this combination, the key of a call: of each input its dtype, shape and,
where kernels get it, the number of LoD levels, and its class unless the call fails anyway for a non-Variable;
of each attribute that `infer` reads its value and its class, since 1, 1.0 and True are equal; of the others the class.
A generated call looks its key up among the ValidCalls of the operator, and calls `validate` only if it is not there.
With the key of a valid call it keeps what `settled` of the declaration returned, if it has that function: a kernel for all calls
with this key, which has nothing left to find out about shapes and attributes.
"""

from __future__ import annotations

import inspect
from operator import attrgetter
from typing import Any

from .registry import only_in_programs
from .spec import OpDef, Slot, file_name

MOST_CALLS = 256  # the largest number of keys that are cached for one operator

SCOPE: dict[str, Any] = {"dtype_and_shape": attrgetter("dtype", "shape")}
"""What the source of a key refers to, beside local variables."""


def is_validated(op: OpDef) -> bool:
    """Return whether `infer` validates calls with arrays.

    Gradient operators have no `infer`. That of operators that exist only in Programs reads Variables while a Program is
    built; their values can be tables or arrays of tensors, which have no shape.
    """
    return op.infer is not None and op.type not in only_in_programs


class ValidCalls(dict):
    """The valid calls of one operator, by key: the settled kernel of each, or False. Cleared when there are MOST_CALLS."""

    def remember(self, key: Any, settled: Any = False) -> Any:
        """Add a valid call; return its settled kernel."""
        if len(self) >= MOST_CALLS:
            self.clear()
        self[key] = settled
        return settled


def attributes_read(op: OpDef) -> frozenset[str]:
    """Return the attributes that `infer` reads: those in its signature, or all if it takes `**attrs`.

    An `infer` that takes `**_` reads none of those that it does not name.
    """
    assert op.infer is not None
    parameters = inspect.signature(op.infer).parameters
    reads_all = any(p.kind is p.VAR_KEYWORD and name != "_" for name, p in parameters.items())
    return frozenset(name for name in op.live if reads_all or name in parameters)


def call_key(op: OpDef, variables: list[str], arrays: list[str]) -> str:
    """Return the source of the key of a call.

    Arguments:
        variables: the local variables that hold the inputs, in the order of the slots.
        arrays: the local variables that hold their arrays.
    """
    if op.any_shape and len(op.inputs) == 1:
        parts = [f"{arrays[0]}.dtype"]
    else:
        parts = [_input_key(op, *each) for each in zip(op.inputs, variables, arrays, strict=True)]
    read = attributes_read(op)
    kinds = {name: op.attrs[file_name(name)].type for name in op.live}
    parts += [_attribute_key(name, kind, name in read) for name, kind in kinds.items()]
    lists = [name for name, kind in kinds.items() if kind.endswith("S")]
    if lists:
        parts.append(
            f"*map(type, {lists[0] if len(lists) == 1 else '(' + ', '.join(f'*{name}' for name in lists) + ')'})"
        )
    return parts[0] if len(parts) == 1 and "," not in parts[0] else f"({', '.join(parts)})"


def _input_key(op: OpDef, slot: Slot, variable: str, array: str) -> str:
    ragged = slot.name in (op.needs_lod or "").split()
    known = op.grad is not None and slot.name in op.grad.targets  # the call reads `stopped`, which Variables alone have
    if slot.many:
        part = f"{variable}.__class__, *map(dtype_and_shape, {array})"
        part += f", *map(type, {variable})" * (not known)
        part += f", *[v.levels and len(v.levels) for v in {variable}]" * ragged
    else:
        part = f"{array}.dtype, {array}.shape" if known else f"{variable}.__class__, {array}.dtype, {array}.shape"
        part += f", {variable}.levels and len({variable}.levels)" * ragged
    return f"{variable} is not None and ({part})" if slot.optional else part


def _attribute_key(name: str, kind: str, read: bool) -> str:
    if kind.endswith("S"):  # a list; the classes of its elements come at the end of the key
        return f"{name}.__class__, *{name}"
    if not read:
        return f"{name}.__class__"
    return name if kind == "STRING" else f"{name}, {name}.__class__"
