"""The lowering of the operator that calls a Python function of the user."""

from __future__ import annotations

from functools import partial

from ..operators.py_func import call
from ..operators.structural import EMPTY
from ..program.operator import Operator
from .ir import Value, joined, line, listed
from .ssa import Builder, Lowered, lowers


@lowers("py_func")
def _py_func(builder: Builder, place: int, op: Operator) -> Lowered:
    inputs = [builder.reading(op, "X", name) for name in op.input("X")]
    names = op.output("Out")
    wanted = tuple(name != EMPTY for name in names)
    outputs = [builder.new(name, place) if name != EMPTY else None for name in names]
    made = [None if value is None else builder.lod_for(value) for value in outputs]
    left, right = (listed("_" if each is None else each for each in side) for side in (outputs, made))
    lods = joined("None" if value.lod is None else value.lod for value in inputs)
    text = line(f"({{}}), ({{}}) = call{place}([{{}}], [{{}}])", left, right, joined(inputs), lods)
    function = partial(call, op.attr("forward_callable_id"), builder.options.device, wanted)
    stores = [value for value in outputs if isinstance(value, Value)]
    return Lowered(text, inputs, stores, {f"call{place}": function})
