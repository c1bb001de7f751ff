"""Results without dimensions: since PaddlePaddle 2.5 sums over all elements have shape [], where they have [1] in 1.8.5."""

from __future__ import annotations

from ...core.dtype import VarType
from ...core.errors import EnforceNotMet
from ..program.operator import Operator
from ..program.shape_inference import results_of

SINCE = 2005000


def without_dimensions(op: Operator) -> list[Operator]:
    """Return an operator of a file of that version, with those behind it that take the dimension of its results away."""
    block, definition = op.block, op.declared
    wanted = {
        name
        for names in op.outputs.values()
        for name in names
        if (known := block.find(name)) is not None and known.type == VarType.LOD_TENSOR and tuple(known.shape) == ()
    }
    if not wanted or definition is None or definition.family.startswith("paddle2."):
        return [op]
    try:
        found = {variable.name for variable, meta in results_of(op, block) if meta.shape == (1,)}
    except EnforceNotMet:  # the call is wrong: the error comes when it runs
        return [op]
    made, names = [op], {}
    for name in sorted(wanted & found):
        one, shape = block.program_name(f"{name}@ONE"), block.program_name(f"{name}@SHAPE")
        dtype, names[name] = block.variable(name).dtype, one
        block.vars[one] = block.create_var(name=one, shape=[1], dtype=dtype)
        block.vars[shape] = block.create_var(name=shape, shape=[0, 1], dtype=dtype)
        made.append(Operator(block, "squeeze2", {"X": [one]}, {"Out": [name], "XShape": [shape]}, {"axes": [0]}))
    op.outputs = {slot: [names.get(name, name) for name in each] for slot, each in op.outputs.items()}
    return made
