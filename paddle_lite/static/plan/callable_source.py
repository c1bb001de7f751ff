"""The line of a Plan that calls a function of the user's."""

from __future__ import annotations

from functools import partial

from ..operators.py_func import call
from ..operators.structural import EMPTY
from ..program.operator import Operator
from .source import Source, emitters


def _py_func(source: Source, place: int, op: Operator) -> list[str]:
    inputs = []
    for index, name in enumerate(op.input("X")):
        inputs.append(source._reading(op, "X", index, name))
        source._reads[name] = inputs[-1]
    lods = [source.lod.get(register, "None") for register in inputs]
    names = op.output("Out")
    wanted = tuple(name != EMPTY for name in names)
    source.scope[f"call{place}"] = partial(call, op.attr("forward_callable_id"), source.device, wanted)
    outputs = [source.write_to(op, name) if name != EMPTY else "_" for name in names]
    made = [source.lod_for(register) if register != "_" else "_" for register in outputs]
    left, right = (f"({''.join(f'{each}, ' for each in side)})" for side in (outputs, made))
    return [f"{left}, {right} = call{place}([{', '.join(inputs)}], [{', '.join(lods)}])"]


def install() -> None:
    """Tell the Plan how such an operator is written."""
    emitters["py_func"] = _py_func
