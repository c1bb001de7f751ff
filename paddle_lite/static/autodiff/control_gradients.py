"""Gradients of operators with blocks: each block gets a block of gradient operators, which runs once for each iteration in
reverse order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...core.dtype import to_numpy
from ..operators.structural import EMPTY, definitions, passes
from ..program.block import Block
from ..program.operator import Operator
from ..program.roles import OpRole
from ..program.variable import Variable

if TYPE_CHECKING:
    from .gradient_ops import GradientBuilder

Arrived = Mapping[str, Mapping[str, Variable | None]]


def differentiable(block: Block, name: str) -> bool:
    """Return whether a Variable that a block sees has a floating dtype."""
    variable = block.find(name)
    return variable is not None and to_numpy(variable.dtype).kind == "f"


class Differentiation(NamedTuple):
    """How the operators of a block are differentiated.

    sources: the names to differentiate by. stopped: the names through which no gradient flows. callbacks: functions that
    are called after each gradient operator.
    """

    sources: Sequence[str]
    stopped: set[str]
    callbacks: Iterable[Callable] = ()


def gradient_block(
    block: Block, outputs: Sequence[str], seeded: Iterable[str], carried: set[str], by: Differentiation
) -> tuple[Block, list[str], dict[str, Variable]]:
    """Return the block of gradient operators, the names in it of the gradients of `outputs`, and the gradients by name.

    Arguments:
        seeded: the outputs whose gradients arrive. carried: the names that iterations hand on.
    """
    from .gradient_ops import GradientBuilder

    sources = set(by.sources)
    program = block.program
    before = program.current_block_idx
    inner = program._create_block(block.idx)
    inner.forward_block_idx = block.idx
    try:
        seeds: dict[str, Variable] = {}
        for name in seeded:
            seed = inner.vars[f"{name}@GRAD"] = Variable(inner, name=f"{name}@GRAD", is_data=True)
            like = block.variable(name)
            seed.set_meta(like.meta)
            seed.type = like.type
            seeds[name] = seed
        nested = GradientBuilder(inner, block.ops, sources, by.stopped, by.callbacks)
        nested.carried = carried
        found = nested.run(seeds)
    finally:
        program.current_block_idx = before
    called = [seeds[n].name if n in seeds else EMPTY for n in outputs]
    return inner, called, {n: v for n, v in found.items() if n in sources and v is not seeds.get(n)}


def _append(
    builder: GradientBuilder,
    op: Operator,
    type: str,
    inputs: dict[str, list[str]],
    attrs: dict[str, Any],
    gives: Mapping[str, list[str]],
) -> None:
    """Append the gradient operator; `gives` lists the names that get a gradient for each slot."""
    attrs = {**attrs, "op_role": int(OpRole.Backward)}
    made = Operator(builder.block, type, inputs, {}, attrs, op.line, definitions[type])
    made.forward = op
    wanted = set(attrs["of"])
    for slot, names in gives.items():
        _add_pieces(builder, made, slot, names, wanted)
    builder.block.place(made)


def _add_pieces(builder: GradientBuilder, made: Operator, slot: str, names: Iterable[str], wanted: set[str]) -> None:
    """Give a gradient operator an output for each name, in order, since the same Variable may occur twice."""
    made.outputs[slot] = found = []
    for name in names:
        piece = builder._piece(made, name) if name in wanted else EMPTY
        found.append(piece)


def while_gradient(builder: GradientBuilder, op: Operator, arrived: Arrived) -> None:
    """Differentiate while: loop-carried values have gradients from iteration to iteration, values only read accumulate them."""
    _rounds(builder, op, arrived, "X", "StepScopes", set(op.output("Out")))


def branch_gradient(builder: GradientBuilder, op: Operator, arrived: Arrived) -> None:
    """Differentiate conditional_block: the gradients of one iteration, or those of outputs that were not changed."""
    _rounds(builder, op, arrived, "Input", "Scope", set(builder.writers.written_before(op)))


def _rounds(builder: GradientBuilder, op: Operator, arrived: Arrived, slot: str, scopes: str, handed: set[str]) -> None:
    """Append the gradient of the iterations of a block.

    Arguments:
        slot: the input slot with the names that the operator reads.
        scopes: the slot of its step scopes.
        handed: the outputs that have a value before the first iteration.
    """
    outputs = op.output("Out")
    names = dict.fromkeys([*op.input(slot), *outputs])
    flowing = builder.flowing(names)
    reads = [n for n in names if n in flowing and differentiable(op.block, n)]
    carried = [n for n in outputs if n in reads and passes(op, n)]
    by = Differentiation(reads, builder.stopped, builder.callbacks)
    inner, seeds, found = gradient_block(op.attrs["sub_block"], outputs, carried, set(outputs), by)
    of = [n for n in reads if n in found or (n in carried and n in handed)]
    _append_loop(builder, op, f"{op.type}_grad", slot, scopes, inner, seeds, found, of, arrived["Out"])


def _append_loop(
    builder: GradientBuilder,
    op: Operator,
    type: str,
    slot: str,
    scopes: str,
    inner: Block,
    seeds: list[str],
    found: Mapping[str, Variable],
    of: list[str],
    arrived: Mapping[str, Variable | None],
) -> None:
    outputs = op.output("Out")
    inputs = {name: list(names) for name, names in op.inputs.items()}
    arriving = [arrived.get(n) for n in outputs]
    inputs["Out"] = list(outputs)
    inputs["Out@GRAD"] = [EMPTY if g is None else g.name for g in arriving]
    inputs[scopes] = op.output(scopes)
    attrs = {
        "sub_block": inner, "seeds": seeds, "found": [found[n].name if n in found else EMPTY for n in of], "of": of,
    }  # fmt: skip
    if type == "conditional_block_grad":
        attrs["is_scalar_condition"] = op.attr("is_scalar_condition")
    else:
        inputs.pop("Condition", None)
        attrs["original_output_grad"] = [f"{n}@GRAD" for n in outputs]
    _append(builder, op, type, inputs, attrs, {f"{slot}@GRAD": of})


def recurrent_gradient(builder: GradientBuilder, op: Operator, arrived: Arrived) -> None:
    """Differentiate recurrent: gradients of sequences by step, of states from step to step, of parameters summed over steps."""
    outputs = op.output("outputs")
    flowing = {n for n in builder.flowing(op.input_arg_names) if differentiable(op.block, n)}
    attrs = recurrent_attributes(op, flowing, builder.stopped, builder.callbacks)
    inputs = {name: list(given) for name, given in op.inputs.items()}
    inputs["outputs"] = list(outputs)
    arriving = arrived["outputs"]
    inputs["outputs@GRAD"] = [EMPTY if (g := arriving.get(n)) is None else g.name for n in outputs]
    inputs["step_scopes"] = op.output("step_scopes")
    made = Operator(
        builder.block,
        "recurrent_grad",
        inputs,
        {},
        {**attrs, "op_role": int(OpRole.Backward)},
        op.line,
        definitions["recurrent_grad"],
    )
    made.forward = op
    for slot in ("inputs", "initial_states"):
        _add_pieces(builder, made, f"{slot}@GRAD", op.input(slot), flowing)
    needed = {name for name, gradient in zip(attrs["of"], attrs["found"], strict=True) if gradient != EMPTY}
    _add_pieces(builder, made, "parameters@GRAD", op.input("parameters"), flowing & needed)
    builder.block.place(made)


def recurrent_attributes(
    op: Operator, flowing: set[str], stopped: set[str], callbacks: Iterable[Callable] = ()
) -> dict[str, Any]:
    """Return the attributes of the gradient of recurrent, with the block that differentiates its block.

    Arguments:
        flowing: the inputs to differentiate by. stopped, callbacks: as `Differentiation` has them.
    """
    block = op.attrs["sub_block"]
    outputs, states, ex_states = op.output("outputs"), list(op.attr("states")), list(op.attr("ex_states"))
    initial = dict(zip(op.input("initial_states"), ex_states, strict=True))
    handed = [ex for ex in ex_states if differentiable(block, ex)]
    sources = [*(n for n in dict.fromkeys(op.input_arg_names) if n in flowing and n not in initial), *handed]
    ends = list(dict.fromkeys([*outputs, *states]))
    seeded = [n for n in ends if differentiable(block, n)]
    inner, _, found = gradient_block(block, ends, seeded, set(), Differentiation(sources, stopped, callbacks))
    names = {n: f"{n}@GRAD" for n in seeded}
    return {
        "sub_block": inner, "seeds": [names.get(n, EMPTY) for n in [*outputs, *states]], "of": sources,
        "found": [found[n].name if n in found else EMPTY for n in sources], "states": states, "ex_states": ex_states,
        "reverse": op.attr("reverse"), "has_states": op.attr("has_states"),
    }  # fmt: skip


def element_gradient(builder: GradientBuilder, op: Operator, arrived: Arrived) -> None:
    """Differentiate write_to_array: the written value gets the element of the array's gradient, the array the other elements."""
    [name], [x], [index] = op.output("Out"), op.input("X"), op.input("I")
    gradient = arrived["Out"][name]
    assert gradient is not None
    block = builder.block
    if builder.flowing([x]):
        made = Operator(
            block,
            "read_from_array",
            {"X": [gradient.name], "I": [index], "X_W": [x]},
            {},
            {"op_role": int(OpRole.Backward)},
            op.line,
        )
        made.forward = op
        made.outputs["Out"] = [builder._piece(made, x)]
        block.place(made)
    rest = Operator(
        block, "without_element", {"X": [gradient.name], "I": [index]}, {}, {"op_role": int(OpRole.Backward)}, op.line
    )
    rest.forward = op
    rest.outputs["Out"] = [builder._piece(rest, name)]
    block.place(rest)
