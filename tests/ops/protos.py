"""The recorded operator interfaces (op_protos.json), and how a declaration differs from its own."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np

from paddle_lite.ops.framework.spec import Grad, OpDef, Slot

FILE = Path(__file__).parent / "op_protos.json"

READS_MORE = {"sequence_unpad": {"Length"}, "einsum": {"Operands"}}
"""What gradients read that Paddle's do not: they take it from the LoD of an output's gradient, which has none here, or from InnerCache."""


@functools.cache
def protos() -> dict[str, Any]:
    """The interface of each operator by its type."""
    return json.loads(FILE.read_text())["ops"]


def shown(slot: Slot) -> str:
    return slot.name + "*" * slot.many + "?" * slot.optional + "~" * slot.intermediate


def differences(op: OpDef, proto: dict[str, Any]) -> list[str]:
    """Where a declaration departs from the interface."""
    return [
        *_sets("input", {shown(s) for s in op.inputs}, set(proto["inputs"].split())),
        *_sets("output", {shown(s) for s in op.outputs}, set(proto["outputs"].split())),
        *_attr_differences(op, proto["attrs"]),
        *(_grad_differences(op, op.grad, proto) if op.grad is not None else []),
    ]


def _sets(what: str, ours: set[str], theirs: set[str]) -> list[str]:
    found = [f"{what} {name} is not in the interface" for name in sorted(ours - theirs)]
    return found + [f"{what} {name} is not declared" for name in sorted(theirs - ours)]


def _attr_differences(op: OpDef, theirs: dict[str, list]) -> list[str]:
    found = _sets("attribute", set(op.attrs), set(theirs))
    for name in sorted(set(op.attrs) & set(theirs)):
        kind, *default = theirs[name]
        ours = op.attrs[name]
        if ours.type != kind:
            found.append(f"attribute {name} is {ours.type}, needs {kind}")
        elif not _same(kind, ours.default, default[0] if default else None):
            found.append(f"attribute {name} has default {ours.default!r}, needs {default[0] if default else 'none'!r}")
    return found


def _same(kind: str, ours: Any, theirs: Any) -> bool:
    """Whether two defaults are equal, floats as float32: that is how files keep them."""
    if ours is None or theirs is None:
        return ours is theirs
    if kind in ("FLOAT", "FLOATS"):
        return np.array_equal(np.float32(ours), np.float32(theirs))
    return type(ours) is type(theirs) and ours == theirs


def _grad_differences(op: OpDef, grad: Grad, proto: dict[str, Any]) -> list[str]:
    """Where the gradient departs from Paddle's.

    The type and the output gradients that it reads must be Paddle's, and so must the gradients that it gives; only those
    of optional inputs may be lacking, for Paddle names some of integer inputs (reshape's Shape), and the recorded numbers
    tell of the others. Of the forward slots it may read fewer (Paddle reads X for its shape in many places), never
    others: in a Program they would not be there. Inputs and gradients of outputs that Paddle's gradient names
    as results are left out. A gradient composed of several operators has no type of its own.
    """
    if "grads" not in proto:
        return ["the interface has no gradient"]
    if not proto["grads"]:
        return []
    types, reads, gives = ({g[i] for g in proto["grads"]} for i in range(3))
    allowed = {slot for text in reads for slot in text.split()}
    of_outputs = {f"{s.name}@GRAD" for s in op.outputs}
    made = {slot for text in gives for slot in text.split() if slot.endswith("@GRAD")} - of_outputs
    if not made:
        return []  # increment's counts the step back; in place, the gradient passes unchanged
    found = []
    type = grad.via or (grad.op.type if grad.op is not None else None)
    if type is not None and type not in types:
        found.append(f"gradient is of type {type}, needs {' or '.join(sorted(types))}")
    free = {f"{s.name}@GRAD" for s in op.inputs if s.optional}
    found += _sets("gradient result", set(grad.gives), made - (free - set(grad.gives)))
    ours = {f"{name}@GRAD" for name in grad.incoming}
    found += _sets("output gradient", ours, {slot for slot in allowed if slot.endswith("@GRAD")})
    known = allowed | READS_MORE.get(op.type, set())
    found += [f"the gradient reads {slot}, which Paddle's does not" for slot in grad.saved if slot not in known]
    return found
