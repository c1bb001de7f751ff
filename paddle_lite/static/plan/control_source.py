"""The lines of a Plan for operators with blocks, and for those that write one element of an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import GraphError
from ..operators.structural import EMPTY
from ..program.operator import Operator
from .body import Body
from .control import Branch, Loop, Recurrence, write
from .source import Source, emitters, listed

GRADIENTS = frozenset({"while_grad", "conditional_block_grad", "recurrent_grad"})


def _values(source: Source, names: Sequence[str]) -> str:
    return f"({listed(source.now.get(n, 'None') for n in names)})"


def _lods(source: Source, names: Sequence[str]) -> str:
    return f"({listed(source.lod.get(source.now.get(n, ''), 'None') for n in names)})"


def _parts(source: Source, op: Operator, body: Body) -> None:
    """Say which part of a compiled block an operator and its gradients run."""
    for number, each in enumerate([op, *body.gradients]):
        source.bodies[id(each)] = (body, number)


def _gradients_of(source: Source, op: Operator) -> list[Operator]:
    """The operators of a Plan that compute the gradient of one.

    Raises:
        NotYetAvailable: one is of a file, and laid out in another way.
    """
    return [each for each in source.ops if each.forward is op and each.type in GRADIENTS and each.definition]


def _ragged(source: Source) -> set[str]:
    """The names that may carry a LoD."""
    return {name for name, register in source.now.items() if register in source.lod}


def _call(source: Source, op: Operator, names: Sequence[str], ragged: Sequence[str], scope: str, call: str) -> str:
    """The line that takes what an operator gives: values, LoDs and a trace."""
    values = {name: source.write_to(op, name) for name in names}
    lods = [source.lod_for(values[name]) for name in ragged]
    scopes = op.output(scope)
    trace = source.write_to(op, scopes[0]) if scopes else "_"
    return f"({listed(values.values())}), ({listed(lods)}), {trace} = {call}"


def _while(source: Source, place: int, op: Operator) -> list[str]:
    gradients, ragged = _gradients_of(source, op), _ragged(source)
    loop = Loop(op, gradients, ragged, source.traces_read_once, source.options)
    while loop.newly_ragged():
        ragged |= loop.newly_ragged()
        loop = Loop(op, gradients, ragged, source.traces_read_once, source.options)
    _parts(source, op, loop)
    source.scope[f"loop{place}"] = loop
    source.reading(op, loop.names)
    given = f"{_values(source, loop.names)}, {_lods(source, loop.ragged)}"
    return [_call(source, op, loop.results, loop.ragged_results(), "StepScopes", f"loop{place}({given})")]


def _conditional(source: Source, place: int, op: Operator) -> list[str]:
    conditions = op.input("Cond")
    branch = Branch(op, _gradients_of(source, op), _ragged(source), source.traces_read_once, source.options)
    _parts(source, op, branch)
    source.scope[f"branch{place}"] = branch
    source.reading(op, [*conditions, *branch.names])
    given = f"{_values(source, conditions)}, {_values(source, branch.names)}, {_lods(source, branch.ragged)}"
    return [_call(source, op, branch.results, branch.ragged_results(), "Scope", f"branch{place}({given})")]


def _recurrent(source: Source, place: int, op: Operator) -> list[str]:
    recurrence = Recurrence(op, _gradients_of(source, op), source.traces_read_once, source.options)
    _parts(source, op, recurrence)
    source.scope[f"steps{place}"] = recurrence
    source.reading(op, recurrence.outer())
    values = [source.write_to(op, name) for name in recurrence.outputs]
    scopes = op.output("step_scopes")
    trace = source.write_to(op, scopes[0]) if scopes else "_"
    return [f"({listed(values)}), {trace} = steps{place}({_values(source, recurrence.outer())})"]


def _loop_gradient(source: Source, place: int, op: Operator) -> list[str]:
    trace = op.input("StepScopes" if op.type == "while_grad" else "Scope")[0]
    return _gradient(source, place, op, trace, op.attr("of"), "Out")


def _recurrent_gradient(source: Source, place: int, op: Operator) -> list[str]:
    of = [*op.input("inputs"), *op.input("initial_states"), *op.input("parameters")]
    return _gradient(source, place, op, op.input("step_scopes")[0], of, "outputs")


def _gradient(source: Source, place: int, op: Operator, trace: str, of: Sequence[str], slot: str) -> list[str]:
    """The line of a gradient operator; of: the names that it computes gradients of, slot: what the operator gives."""
    body, number = source.bodies.get(id(op), (None, 0))
    if body is None or op.forward is None:
        raise GraphError(f"{op.type}: there is no operator before it whose gradient it is")
    arriving = op.inputs.get(f"{slot}@GRAD") or [EMPTY] * len(op.forward.output(slot))
    source.scope[f"back{place}"] = body.back
    source.reading(op, [trace, *(n for n in arriving if n != EMPTY), *of])
    missing = next((n for n in (trace, *of) if n not in source.now), None)
    if missing is not None:
        raise GraphError(f"{missing} is read before anything has written it")
    gradients = listed("None" if n == EMPTY else source.now[n] for n in arriving)
    targets: list[Any] = []
    for each in op.definition.outputs:
        targets += ["_" if n == EMPTY else source.write_to(op, n) for n in op.outputs.get(each.name) or ()]
    given = f"{number - 1}, {source.now[trace]}, {_values(source, of)}, ({gradients})"
    return [f"[{', '.join(targets)}] = back{place}({given})"]


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
