"""Gradients of loops, branches and recurrences in the form of PaddlePaddle's files, converted to the form that runs here.

A file's block of gradient operators communicates with the rest of the Program by names alone: `x@GRAD` is the gradient of
x, in whichever scope it is found. Here a gradient operator lists the names of its block that receive and return gradients,
and the block is free of side effects. The block is made anew, from the forward block; what the file says is which
Variables have gradients, and what these are called outside of the block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..operators.structural import EMPTY, definitions
from ..program.block import Block
from ..program.cloning import drop_unowned_blocks
from ..program.nested_blocks import move_contents, writes_to_outside
from ..program.operator import FromFile, Operator
from ..program.program import Program
from ..program.roles import OpRole
from .control_gradients import Differentiation, differentiable, gradient_block, recurrent_attributes
from .writers import Writers


class Slots(NamedTuple):
    """The slots of an operator with a block: what it reads, what it writes, and its scopes."""

    inputs: tuple[str, ...]
    outputs: str
    scopes: str


SLOTS = {
    "while_grad": Slots(("X",), "Out", "StepScopes"),
    "conditional_block_grad": Slots(("Input",), "Out", "Scope"),
    "recurrent_grad": Slots(("inputs", "initial_states", "parameters"), "outputs", "step_scopes"),
}  # fmt: skip
"""The slots of the forward operators, by the type of the gradient operator."""


BORROWED = {
    "reorder_lod_tensor_by_rank_grad": "reorder_lod_tensor_by_rank",
    "array_to_lod_tensor": "lod_tensor_to_array",
    "lod_tensor_to_array": "array_to_lod_tensor",
}
"""Operators that compute gradients in files with the slots of a forward operator, and the types of those they are of."""


CARRIED, CARRIERS = "carried", "carriers"
"""The attributes of a gradient operator that list the Variables whose gradients a Variable outside of its block holds, and
those Variables, in the files that this library writes."""


def is_foreign(op: Operator) -> bool:
    """Return whether an operator is a gradient of a loop, a branch or a recurrence in the form of PaddlePaddle's files."""
    return op.type in SLOTS and "seeds" not in op.attrs


def convert_loaded(program: Program) -> None:
    """Convert the gradients of loops, branches and recurrences of a Program from a file to the form that runs here.

    Those whose forward operator is missing raise an error when they would run.
    """
    for block in program.blocks:
        for op in block.ops:
            if op.type in BORROWED and "Out" in op.outputs and op.attrs.get("op_role", 0) & OpRole.Backward:
                _name_slots(op)
    foreign = [op for block in program.blocks for op in block.ops if is_foreign(op)]
    remade = {op.attrs["sub_block"].idx for op in foreign}
    outermost = [op for op in foreign if remade.isdisjoint(block.idx for block in op.block.chain())]
    writers = Writers(program)
    for op in outermost:
        if op.forward is None:
            why = f"the operator {op.type.removesuffix('_grad')}, whose gradient it is, is not in the Program"
            op.from_file, op._definition = FromFile(op.from_file.kinds if op.from_file else {}, why), None
        elif any(_updates(each) for each in _nested(op.attrs["sub_block"])):
            _join(op, op.forward)
            writers.forget()
        else:
            _convert(op, op.forward, writers)
    if outermost:
        drop_unowned_blocks(program)


def _name_slots(op: Operator) -> None:
    """Make an operator by which files compute the gradient of another one that gradient operator, which knows more of it.

    `array_to_lod_tensor` takes the LoD below the steps from what it is given; a gradient has none here.
    """
    [gradient], [result] = op.inputs["X"], op.outputs["Out"]
    type = BORROWED[op.type]
    ahead = (each for block in op.block.chain() for each in block.ops if each.type == type)
    made = gradient.partition("@GRAD")[0]
    forward = next((each for each in ahead if each.outputs["Out"] == [made]), None)
    if forward is not None and made != gradient:
        op.type, op.forward = f"{type}_grad", forward
        op._definition = definitions[op.type]
        op.inputs = {"X": forward.input("X"), "RankTable": op.inputs["RankTable"], "Out@GRAD": [gradient]}
        op.outputs = {"X@GRAD": [result]}


def _updates(op: Operator) -> bool:
    """Return whether an operator writes a persistable Variable, as those of an optimizer do."""
    return any((v := op.block.find(name)) is not None and v.persistable for name in op.output_arg_names)


def _join(op: Operator, forward: Operator) -> None:
    """Append the block of a gradient operator to the block of its forward operator, and remove the gradient operator.

    A file has what `minimize` appends inside of a branch in the block of a gradient operator.
    """
    home, block = forward.attrs["sub_block"], op.attrs["sub_block"]
    move_contents(block, home)
    forward.outputs["Out"] = list(dict.fromkeys([*forward.output("Out"), *writes_to_outside(home)]))
    op.block.ops.remove(op)


def _convert(op: Operator, forward: Operator, writers: Writers) -> None:
    """Give a gradient operator of a loop, a branch or a recurrence our layout, with a block made from its forward operator's."""
    slots = SLOTS[op.type]
    wanted = {
        name: made
        for slot in slots.inputs
        for name, made in zip(op.inputs.get(slot) or (), op.outputs.get(f"{slot}@GRAD") or (), strict=False)
        if made != EMPTY
    }
    given = _given(op, slots.outputs, writers)
    for name, carrier in zip(op.attrs.get(CARRIED, ()), op.attrs.get(CARRIERS, ()), strict=True):
        wanted[name] = carrier
        if name in forward.output(slots.outputs) and writers.is_written(op, carrier):
            given[name] = carrier
    kept: dict[str, Any] = {name: op.attrs[name] for name in ("op_role_var", "op_namescope") if name in op.attrs}
    role = op.attrs.get("op_role", int(OpRole.Backward))
    stopped = _stopped(forward.attrs["sub_block"], op.attrs["sub_block"])
    if op.type == "recurrent_grad":
        attrs = recurrent_attributes(forward, set(wanted), stopped)
    else:
        attrs = _rounds(forward, slots, wanted, given, stopped, writers)
    if op.type == "conditional_block_grad":
        attrs["is_scalar_condition"] = forward.attr("is_scalar_condition")
    op.attrs = {**attrs, **kept, "op_role": role}
    op.from_file, op._definition = None, definitions[op.type]
    op.inputs = {slot: list(names) for slot, names in forward.inputs.items() if slot != "Condition"}
    op.inputs[slots.outputs] = forward.output(slots.outputs)
    op.inputs[f"{slots.outputs}@GRAD"] = [given.get(name, EMPTY) for name in forward.output(slots.outputs)]
    op.inputs[slots.scopes] = forward.output(slots.scopes)
    names = {s: attrs["of"] if op.type != "recurrent_grad" else forward.input(s) for s in slots.inputs}
    op.outputs = {f"{slot}@GRAD": [wanted.get(name, EMPTY) for name in each] for slot, each in names.items()}


def _rounds(
    op: Operator,
    slots: Slots,
    wanted: Mapping[str, str],
    given: Mapping[str, str],
    stopped: set[str],
    writers: Writers,
) -> dict[str, Any]:
    """Return the attributes of the gradient of a loop or branch, with the block that differentiates its block."""
    [slot], outputs = slots.inputs, op.output(slots.outputs)
    flowing = (n for n in dict.fromkeys([*op.input(slot), *outputs]) if n in wanted or n in given)
    reads = [n for n in flowing if differentiable(op.block, n)]
    carried = [n for n in outputs if n in reads]
    by = Differentiation(reads, stopped)
    inner, seeds, found = gradient_block(op.attrs["sub_block"], outputs, carried, set(outputs), by)
    handed = set(outputs if op.type == "while" else writers.written_before(op))
    of = [n for n in reads if n in found or n in wanted or (n in carried and n in handed)]
    return {"sub_block": inner, "seeds": seeds, "found": [found[n].name if n in found else EMPTY for n in of], "of": of}


def _given(op: Operator, slot: str, writers: Writers) -> dict[str, str]:
    """Return the outputs of the forward operator whose gradients arrive -> the names of these gradients outside."""
    assert op.forward is not None
    outer, outputs = op.inputs.get(f"{slot}@GRAD") or [], op.forward.output(slot)
    inner = op.attrs.get("original_output_grad")
    if inner:
        names = [n.removesuffix("@GRAD") for n in inner]
    elif len(outer) == len(outputs):
        names = outputs
    else:  # files leave out the outputs without a gradient; the names of the others say whose they are
        names = [name.partition("@GRAD")[0] for name in outer]
    return {
        name: given
        for name, given in zip(names, outer, strict=False)
        if given != EMPTY and writers.is_written(op, given)
    }


def _stopped(forward: Block, backward: Block) -> set[str]:
    """Return the Variables written in a forward block without a gradient in the file's block of gradient operators."""
    names = {n for op in _nested(backward) for n in (*op.input_arg_names, *op.output_arg_names)}
    known = {name.partition("@GRAD")[0] for name in names if "@GRAD" in name}
    written = {name for op in _nested(forward) for name in op.output_arg_names}
    return {name for name in written if name not in known}


def _nested(block: Block) -> Iterator[Operator]:
    """Yield the operators of a block and those of the blocks in it."""
    for op in block.ops:
        yield op
        for inner in _blocks(op.attrs.values()):
            yield from _nested(inner)


def _blocks(values: Iterable[Any]) -> Iterator[Block]:
    return (value for value in values if isinstance(value, Block))
