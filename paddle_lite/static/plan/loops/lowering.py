"""The lowerings of operators with blocks, and of write_to_array."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....core.errors import GraphError
from ...operators.structural import EMPTY
from ...program.operator import Operator
from ..ir import Line, Value, joined, line, listed
from ..ssa import Builder, Lowered, Options, lowers
from .body import Body
from .loop import Branch, Loop
from .recurrence import Recurrence
from .runtime import write


def _present(builder: Builder, names: Iterable[str]) -> list[Value]:
    """Return the current values of the Variables that have one."""
    return [builder.now[name] for name in dict.fromkeys(names) if name in builder.now]


def _values(builder: Builder, names: Iterable[str]) -> Line:
    """Return the text of a tuple of the Variables' current values."""
    return line("({})", listed(builder.now.get(name, "None") for name in names))


def _lods(builder: Builder, names: Iterable[str]) -> Line:
    """Return the text of a tuple of the Variables' current LoDs."""
    lods = (value and value.lod for value in map(builder.now.get, names))
    return line("({})", listed("None" if lod is None else lod for lod in lods))


def _gradients_of(builder: Builder, op: Operator) -> list[Operator]:
    """Return the gradient operators of an operator in a Plan: those beside it, then those in branches behind it.

    Raises:
        NotYetAvailable: a gradient operator was loaded from a file with another layout of gradients.
    """
    return [each for each in builder.block_gradients.get(id(op), ()) if each.definition]


def _options(builder: Builder, gradients: Iterable[Operator]) -> tuple[bool, Options]:
    """Return whether the trace of an operator with these gradients is read once, and the options to compile its block."""
    once = builder.traces_read_once and all(id(each) in builder.beside for each in gradients)
    return once, builder.options._replace(bodies=builder.bodies)


def _lowered(
    builder: Builder, place: int, op: Operator, body: Body, reads: Iterable[str], call: Line, key: str,
    results: Sequence[str], ragged: Sequence[str], scopes: Sequence[str],
) -> Lowered:  # fmt: skip
    """Return the call of a compiled block, which returns values, LoDs and a trace.

    Arguments:
        body: the compiled block, which the global `key` holds. reads: the names that it reads. call: the expression of
            the call.
        results: the names that it writes. ragged: the results that have a LoD. scopes: the name of its trace, if any.
    """
    for number, each in enumerate([op, *body.gradients]):
        builder.bodies[id(each)] = (body, number)
    values = {name: builder.new(name, place) for name in results}
    lods = [builder.lod_for(values[name]) for name in ragged]
    made = [*values.values(), *(builder.new(name, place) for name in scopes[:1])]
    left: list[Line | Value | str] = [line("({})", listed(values.values())), made[-1] if scopes else "_"]
    if not isinstance(body, Recurrence):  # the results of a recurrence have no LoDs
        left.insert(1, line("({})", listed(lods)))
    text = line("{} = {}", joined(left), call)
    return Lowered(text, _present(builder, reads), made, {f"{key}{place}": body}, (body, 0))


@lowers("while")
def _while(builder: Builder, place: int, op: Operator) -> Lowered:
    gradients, ragged = _gradients_of(builder, op), builder.ragged_now
    loop = Loop(op, gradients, ragged, *_options(builder, gradients))
    while loop.newly_ragged():
        ragged = ragged | loop.newly_ragged()
        loop = Loop(op, gradients, ragged, *_options(builder, gradients))
    call = line(f"loop{place}({{}}, {{}})", _values(builder, loop.names), _lods(builder, loop.ragged))
    return _lowered(
        builder, place, op, loop, loop.names, call, "loop", loop.results, loop.ragged_results(), op.output("StepScopes")
    )


@lowers("conditional_block", "conditional_block_infer")
def _conditional(builder: Builder, place: int, op: Operator) -> Lowered:
    conditions = op.input("Cond")
    gradients = _gradients_of(builder, op)
    branch = Branch(op, gradients, builder.ragged_now, *_options(builder, gradients))
    given = (_values(builder, conditions), _values(builder, branch.names), _lods(builder, branch.ragged))
    call = line(f"branch{place}({{}}, {{}}, {{}})", *given)
    reads = [*conditions, *branch.names]
    return _lowered(
        builder, place, op, branch, reads, call, "branch", branch.results, branch.ragged_results(), op.output("Scope")
    )


@lowers("recurrent")
def _recurrent(builder: Builder, place: int, op: Operator) -> Lowered:
    gradients = _gradients_of(builder, op)
    recurrence = Recurrence(op, gradients, builder.ragged_now, *_options(builder, gradients))
    outer = recurrence.outer()
    call = line(f"steps{place}({{}}, {{}})", _values(builder, outer), _lods(builder, recurrence.ragged))
    return _lowered(
        builder, place, op, recurrence, outer, call, "steps", recurrence.outputs, (), op.output("step_scopes")
    )


@lowers("while_grad", "conditional_block_grad")
def _loop_gradient(builder: Builder, place: int, op: Operator) -> Lowered:
    trace = op.input("StepScopes" if op.type == "while_grad" else "Scope")[0]
    return _gradient(builder, place, op, trace, op.attr("of"), "Out")


@lowers("recurrent_grad")
def _recurrent_gradient(builder: Builder, place: int, op: Operator) -> Lowered:
    of = [*op.input("inputs"), *op.input("initial_states"), *op.input("parameters")]
    return _gradient(builder, place, op, op.input("step_scopes")[0], of, "outputs")


def _gradient(builder: Builder, place: int, op: Operator, trace: str, of: Sequence[str], slot: str) -> Lowered:
    """Return the call of a gradient.

    Arguments:
        trace: the name of the trace. of: the names whose gradients it computes. slot: the output slot of the forward
            operator.

    Raises:
        GraphError: the forward operator is missing, or a name that the gradient reads has no value.
    """
    body, number = builder.bodies.get(id(op), (None, 0))
    if body is None or op.forward is None:
        raise GraphError(f"{op.type}: there is no operator before it whose gradient it is")
    arriving = op.inputs.get(f"{slot}@GRAD") or [EMPTY] * len(op.forward.output(slot))
    missing = next((name for name in (trace, *of) if name not in builder.now), None)
    if missing is not None:
        raise GraphError(f"{missing} is read before anything has written it")
    loads = _present(builder, [trace, *(name for name in arriving if name != EMPTY), *of])
    gradients = listed("None" if name == EMPTY else builder.now[name] for name in arriving)
    names = [name for each in op.definition.outputs for name in op.outputs.get(each.name) or ()]
    targets: list[Value | str] = ["_" if name == EMPTY else builder.new(name, place) for name in names]
    given = (builder.now[trace], _values(builder, of), gradients)
    text = line(f"[{{}}] = back{place}({number - 1}, {{}}, {{}}, ({{}}))", joined(targets), *given)
    stores = [value for value in targets if isinstance(value, Value)]
    return Lowered(text, loads, stores, {f"back{place}": body.back}, (body, number))


@lowers("write_to_array")
def _write(builder: Builder, place: int, op: Operator) -> Lowered:
    [name], [x], [index] = op.output("Out"), op.input("X"), op.input("I")
    now = builder.now
    before, lod = now.get(name, "None"), now[x].lod
    place_value = builder.reading(op, "I", index)
    given = (before, now[x], "None" if lod is None else lod, place_value)
    loads = [*_present(builder, [name, x]), place_value]
    made = builder.new(name, place)
    text = line(f"{{}} = write(node{place}, {{}}, {{}}, {{}}, {{}})", made, *given)
    return Lowered(text, loads, [made], {"write": write, f"node{place}": op})
