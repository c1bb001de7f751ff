"""The lines of a Plan for operators with blocks, and for those that write one element of an array."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.errors import GraphError
from ..operator import Operator
from ..structural import EMPTY
from .control import Body, Branch, Loop, LoopBackward, Recurrence, RecurrenceBackward, write
from .source import Source, emitters


def _values(source: Source, names: Sequence[str]) -> str:
    return "(" + "".join(f"{source.now.get(n, 'None')}, " for n in names) + ")"


def _lods(source: Source, names: Sequence[str]) -> str:
    return "(" + "".join(f"{source.lod.get(source.now.get(n, ''), 'None')}, " for n in names) + ")"


def _body(source: Source, op: Operator, results: Sequence[str]) -> Body:
    """The compiled block of an operator, made once."""
    body = source.bodies.get(id(op))
    if body is None:
        body = source.bodies[id(op)] = Body(op.attrs["sub_block"], results, *source.options)
    return body


def _gradient_body(source: Source, op: Operator) -> tuple[Operator, Body, Body]:
    """(forward operator, its block, the gradient's block)."""
    forward = op.forward
    home: Source | None = source
    while home is not None and (forward is None or id(forward) not in home.bodies):
        home = home.foreign
    if home is None or forward is None:
        raise GraphError(f"{op.type}: there is no operator before it whose gradient it is")
    ahead = home.bodies[id(forward)]
    behind = source.bodies.get(id(op))
    if behind is None:
        results = [n for n in dict.fromkeys(op.attr("found")) if n != EMPTY]
        behind = source.bodies[id(op)] = Body(op.attrs["sub_block"], results, *source.options, forward=ahead)
    return forward, ahead, behind


def _written(source: Source, op: Operator, names: Sequence[str], trace: str | None) -> tuple[list[str], list[str], str]:
    """New local variables for what an operator writes: values, LoDs, and its trace."""
    values = [source.write_to(op, n) for n in names]
    lods = [source.lod_for(v) for v in values]
    return values, lods, source.write_to(op, trace) if trace else "_"


def _while(source: Source, place: int, op: Operator) -> list[str]:
    names = op.output("Out")
    loop = Loop(op, _body(source, op, names), op.input("Condition")[0])
    source.scope[f"loop{place}"] = loop
    source.reading(op, loop.names)
    given = f"{_values(source, loop.names)}, {_lods(source, loop.names)}"
    scopes = op.output("StepScopes")
    values, lods, trace = _written(source, op, names, scopes[0] if scopes else None)
    return [f"[{', '.join(values)}], [{', '.join(lods)}], {trace} = loop{place}({given})"]


def _conditional(source: Source, place: int, op: Operator) -> list[str]:
    names, conditions = op.output("Out"), op.input("Cond")
    branch = Branch(op, _body(source, op, names), len(conditions))
    source.scope[f"branch{place}"] = branch
    source.reading(op, [*conditions, *branch.names])
    given = f"{_values(source, conditions)}, {_values(source, branch.names)}, {_lods(source, branch.names)}"
    scopes = op.output("Scope")
    values, lods, trace = _written(source, op, names, scopes[0] if scopes else None)
    return [f"[{', '.join(values)}], [{', '.join(lods)}], {trace} = branch{place}({given})"]


def _recurrent(source: Source, place: int, op: Operator) -> list[str]:
    names = op.output("outputs")
    results = [*dict.fromkeys([*names, *op.attr("states")])]
    body = _body(source, op, results)
    outer = [*dict.fromkeys([*op.input_arg_names, *(n for n in body.inputs if n not in op.attr("ex_states"))])]
    source.scope[f"steps{place}"] = Recurrence(op, body, outer)
    source.reading(op, outer)
    given = f"{_values(source, outer)}, {_lods(source, outer)}"
    scopes = op.output("step_scopes")
    values, lods, trace = _written(source, op, names, scopes[0] if scopes else None)
    return [f"[{', '.join(values)}], [{', '.join(lods)}], {trace} = steps{place}({given})"]


def _loop_gradient(source: Source, place: int, op: Operator) -> list[str]:
    forward, ahead, behind = _gradient_body(source, op)
    outputs = forward.output("Out")
    source.scope[f"back{place}"] = LoopBackward(op, outputs, behind, ahead.results)
    arriving = op.inputs.get("Out@GRAD") or [EMPTY] * len(outputs)
    trace = op.input("StepScopes" if op.type == "while_grad" else "Scope")[0]
    of = op.attr("of")
    source.reading(op, [trace, *(n for n in arriving if n != EMPTY), *of])
    registers = source.now_or_borrowed([trace, *of])
    values = "(" + "".join(f"{r}, " for r in registers[1:]) + ")"
    gradients = "(" + "".join(f"{'None' if n == EMPTY else source.now[n]}, " for n in arriving) + ")"
    return _gradients(source, place, op, f"back{place}({registers[0]}, {values}, {gradients})")


def _recurrent_gradient(source: Source, place: int, op: Operator) -> list[str]:
    forward, ahead, behind = _gradient_body(source, op)
    source.scope[f"back{place}"] = RecurrenceBackward(op, forward, behind, ahead.results)
    arriving = op.inputs.get("outputs@GRAD") or [EMPTY] * len(forward.output("outputs"))
    of = [*forward.input("inputs"), *forward.input("initial_states"), *forward.input("parameters")]
    trace = op.input("step_scopes")[0]
    source.reading(op, [trace, *(n for n in arriving if n != EMPTY), *of])
    registers = source.now_or_borrowed([trace, *of])
    source.scope[f"names{place}"] = tuple(of)
    values = "(" + "".join(f"{r}, " for r in registers[1:]) + ")"
    gradients = "(" + "".join(f"{'None' if n == EMPTY else source.now[n]}, " for n in arriving) + ")"
    return _gradients(source, place, op, f"back{place}({registers[0]}, {values}, {gradients}, names{place})")


def _gradients(source: Source, place: int, op: Operator, call: str) -> list[str]:
    """The lines that take the gradients which a call gives."""
    targets = []
    for slot in op.definition.outputs:
        targets += ["_" if n == EMPTY else source.write_to(op, n) for n in op.outputs.get(slot.name) or ()]
    return [f"[{', '.join(targets)}] = {call}"]


def _write(source: Source, place: int, op: Operator) -> list[str]:
    [name], [x], [index] = op.output("Out"), op.input("X"), op.input("I")
    source.scope.update({"write": write, f"node{place}": op})
    source.reading(op, [name, x, index])
    before = source.now.get(name, "None")
    lod = source.lod.get(source.now[x], "None")
    given = f"node{place}, {before}, {source.now[x]}, {lod}, {source.now[index]}"
    return [f"{source.write_to(op, name)} = write({given})"]


def install() -> None:
    """Let Sources write operators with blocks."""
    emitters.update({
        "while": _while, "while_grad": _loop_gradient,
        "conditional_block": _conditional, "conditional_block_infer": _conditional, "conditional_block_grad": _loop_gradient,
        "recurrent": _recurrent, "recurrent_grad": _recurrent_gradient,
        "write_to_array": _write,
    })  # fmt: skip
