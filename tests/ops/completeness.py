"""What the rows leave out, or say without need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from paddle_lite.core.dtype import to_numpy
from paddle_lite.ops.framework.spec import OpDef
from tests.ops.row import Row, Sample

NOT_OF_INPUTS = {"beam_search", "chunk_eval", "edit_distance", "seed", "tdm_child", "tdm_sampler"}
"""Operators that have kernels for dtypes that their inputs cannot have.

They have no input, or refuse all dtypes but those of integers (and float32).
"""

Rows = Iterable[tuple[str, Row]]  # with the name of the file that each stands in


def file_of(family: str) -> str:
    """Return the file of a family: "nn.conv" is in nn/conv.py."""
    return family.replace(".", "/") + ".py"


def rows_and_operators(ops: Mapping[str, OpDef], rows: Rows) -> list[str]:
    """Operators without a row, rows without an operator, rows in the wrong file or twice."""
    rows, found, seen = list(rows), [], set()
    for family, row in rows:
        if row.op not in ops:
            found.append(f"tests/ops/rows/{file_of(family)} has a row for {row.op}, which is not declared")
        elif ops[row.op].family != family:
            found.append(
                f"the row of {row.op} stands in rows/{file_of(family)}, its operator in ops/{file_of(ops[row.op].family)}"
            )
        if row.op in seen:
            found.append(f"{row.op} has two rows")
        seen.add(row.op)
        if not row.samples:
            found.append(f"the row of {row.op} has no sample")
    return found + [f"{op.type} (ops/{file_of(op.family)}) has no row" for op in ops.values() if op.type not in seen]


def own(row: Row, known: bool) -> list[str]:
    """A formula for an operator whose numbers Paddle gives, or none for one that Paddle does not have (`known`)."""
    if known and row.own is not None:
        return [f"{row.op}: `own` is not needed, Paddle has this operator"]
    if not known and row.own is None:
        return [
            f"{row.op}: Paddle has no such operator; mend the name, or give its numbers by a formula in NumPy, `own`"
        ]
    return []


def gradients(op: OpDef, row: Row, proto: Mapping[str, Any]) -> list[str]:
    """A gradient that is missing without a reason, a reason without need, a gradient that no sample checks."""
    if op.grad is not None:
        if row.no_grad_reason:
            return [f"{op.type}: no_grad_reason is not needed, a gradient is declared"]
        return [] if any(s.grads != () for s in row.samples) else [f"{op.type}: no sample checks the gradient"]
    if "grads" in proto and not row.no_grad_reason:
        return [f"{op.type}: Paddle has a gradient, none is declared; declare it or say why in no_grad_reason"]
    if "grads" not in proto and row.no_grad_reason:
        return [f"{op.type}: no_grad_reason is not needed, Paddle has no gradient"]
    return []


def dtypes(row: Row, proto: Mapping[str, Any]) -> list[str]:
    """The dtypes of Paddle's CPU kernels that no sample uses. float64 comes with float32: the runner widens.

    float16, int8 and uint8 stand there for the sake of MKL-DNN and quantisation.
    """
    if row.op in NOT_OF_INPUTS:
        return []
    taken = set(proto.get("dtypes", "").split()) - {"float16", "int8", "uint8"}
    used = {name for sample in row.samples for name in _dtypes(sample)}
    if "float32" in used:
        used.add("float64")
    return [f"{row.op}: no sample of dtype {name}, which Paddle's kernel takes" for name in sorted(taken - used)]


def _dtypes(sample: Sample) -> Iterable[str]:
    for array in sample.arrays():
        yield array.dtype.name
    for name, value in sample.attrs.items():
        if name.endswith("dtype") and isinstance(value, (int, np.integer)) and value >= 0:
            yield to_numpy(int(value)).name
    if not sample.inputs:
        yield "float32"  # the default of every dtype attribute
