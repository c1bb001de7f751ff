"""Gradients of operators with blocks: each block gets a block of gradient operators, which runs once for each iteration in
reverse order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...core.dtype import to_numpy
from ..operators.structural import EMPTY, definitions
from ..program.block import Block
from ..program.operator import Operator
from ..program.roles import OpRole
from ..program.variable import Variable

if TYPE_CHECKING:
    from .gradient_ops import GradientBuilder

Arrived = Mapping[str, Mapping[str, Variable | None]]


def _differentiable(block: Block, name: str) -> bool:
    variable = block.find(name)
    return variable is not None and to_numpy(variable.dtype).kind == "f"


def _gradient_block(
    builder: GradientBuilder,
    block: Block,
    outputs: Sequence[str],
    seeded: Iterable[str],
    sources: Iterable[str],
    carried: set[str],
) -> tuple[Block, list[str], dict[str, Variable]]:
    """Return the block of gradient operators, the names in it of the gradients of `outputs`, and the gradients by name."""
    from .gradient_ops import GradientBuilder

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
        nested = GradientBuilder(inner, block.ops, set(sources), builder.stopped, builder.callbacks)
        nested.carried = carried
        found = nested.run(seeds)
    finally:
        program.current_block_idx = before
    called = [seeds[n].name if n in seeds else EMPTY for n in outputs]
    return inner, called, {n: v for n, v in found.items() if n in set(sources) and v is not seeds.get(n)}


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
        made.outputs[slot] = [builder._piece(made, n) if n in wanted else EMPTY for n in names]
    builder.block.place(made)


def while_gradient(builder: GradientBuilder, op: Operator, arrived: Arrived) -> None:
    """Differentiate while: loop-carried values have gradients from iteration to iteration, values only read accumulate them."""
    _rounds(builder, op, arrived, "X", "StepScopes", set(op.output("Out")))


def branch_gradient(builder: GradientBuilder, op: Operator, arrived: Arrived) -> None:
    """Differentiate conditional_block: the gradients of one iteration, or those of outputs that were not changed."""
    _rounds(builder, op, arrived, "Input", "Scope", set(_written_before(op)))


def _rounds(builder: GradientBuilder, op: Operator, arrived: Arrived, slot: str, scopes: str, handed: set[str]) -> None:
    """Append the gradient of the iterations of a block.

    Arguments:
        slot: the input slot with the names that the operator reads.
        scopes: the slot of its step scopes.
        handed: the outputs that have a value before the first iteration.
    """
    outputs = op.output("Out")
    names = dict.fromkeys([*op.input(slot), *outputs])
    reads = [n for n in names if n in builder.flows and _differentiable(op.block, n)]
    carried = [n for n in outputs if n in reads]
    inner, seeds, found = _gradient_block(builder, op.attrs["sub_block"], outputs, carried, reads, set(outputs))
    of = [n for n in reads if n in found or (n in carried and n in handed)]
    _append_loop(builder, op, f"{op.type}_grad", slot, scopes, inner, seeds, found, of, arrived["Out"])


def _written_before(op: Operator) -> list[str]:
    """Return the outputs of an operator that have a value before it runs."""
    names = {n for each in op.block.ops[: op.block.ops.index(op)] for n in each.output_arg_names}
    return [
        n
        for n in op.output("Out")
        if n in names or ((v := op.block.find(n)) is not None and (v.is_data or v.persistable))
    ]


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
    block = op.attrs["sub_block"]
    outputs, states, ex_states = op.output("outputs"), list(op.attr("states")), list(op.attr("ex_states"))
    initial = dict(zip(op.input("initial_states"), ex_states, strict=True))
    flowing = {n for n in op.input_arg_names if n in builder.flows and _differentiable(op.block, n)}
    handed = [ex for name, ex in initial.items() if _differentiable(block, ex)]
    sources = [*(n for n in flowing if n not in initial), *handed]
    ends = list(dict.fromkeys([*outputs, *states]))
    seeded = [n for n in ends if _differentiable(block, n)]
    inner, _, found = _gradient_block(builder, block, ends, seeded, sources, set())
    names = {n: f"{n}@GRAD" for n in seeded}
    seeds = [names.get(n, EMPTY) for n in [*outputs, *states]]
    inputs = {name: list(given) for name, given in op.inputs.items()}
    inputs["outputs"] = list(outputs)
    arriving = arrived["outputs"]
    inputs["outputs@GRAD"] = [EMPTY if (g := arriving.get(n)) is None else g.name for n in outputs]
    inputs["step_scopes"] = op.output("step_scopes")
    attrs = {
        "sub_block": inner, "seeds": seeds, "of": [*sources], "states": states, "ex_states": ex_states,
        "found": [found[n].name if n in found else EMPTY for n in sources], "reverse": op.attr("reverse"),
        "has_states": op.attr("has_states"),
    }  # fmt: skip
    attrs["of"] = list(sources)
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
    for slot in ("inputs", "initial_states", "parameters"):
        made.outputs[f"{slot}@GRAD"] = [builder._piece(made, n) if n in flowing else EMPTY for n in op.input(slot)]
    builder.block.place(made)


def element_gradient(builder: GradientBuilder, op: Operator, arrived: Arrived) -> None:
    """Differentiate write_to_array: the written value gets the element of the array's gradient, the array the other elements."""
    [name], [x], [index] = op.output("Out"), op.input("X"), op.input("I")
    gradient = arrived["Out"][name]
    assert gradient is not None
    block = builder.block
    if x in builder.flows:
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
