"""Walking a block: each operator is handed to its converter, and its results inherit the lengths of sequences."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...core.errors import EnforceNotMet
from ...static.program.block import Block
from ..blocks import reachable
from ..call import PASSED_BY
from ..problems import Problem, Stopped, Unsupported
from .call import TABLE, OnnxCall
from .graph import Graph


def convert_block(block: Block, graph: Graph) -> None:
    """Append the operators of a block to a graph.

    Raises:
        Stopped: an operator cannot be converted.
    """
    for op in block.ops:
        if op.type in PASSED_BY:
            continue
        converter = TABLE.get(op.type)
        if converter is None:
            raise Stopped(Problem(op, without_counterpart(op.type)))
        call = OnnxCall(op, graph)
        try:
            converter(call)
        except Unsupported as error:
            raise Stopped(Problem(op, str(error))) from None
        except EnforceNotMet as error:
            raise Stopped(Problem(op, str(error))) from None
        _inherit(call)


class _Shape(NamedTuple):
    """What a declaration's rule reads of an array."""

    shape: tuple[int, ...]

    @property
    def ndim(self) -> int:
        return len(self.shape)


def _inherit(call: OnnxCall) -> None:
    """Give the results of an operator the lengths of sequences that its declaration says, where its converter did not."""
    made = [name for name in call.op.output_arg_names if name not in call.lengths_set and name in call.graph.values]
    if not any(call.graph.find_lengths(name) for name in call.op.input_arg_names):
        return
    found = dict(zip(call.op.output_arg_names, _lengths_by_rule(call), strict=False))
    for name in made:
        call.graph.lengths[name] = found.get(name)


def _lengths_by_rule(call: OnnxCall) -> list[str | None]:
    """Return the lengths that the operator's declaration gives to its outputs."""
    op, definition = call.op, call.op.definition
    slots = [slot.name for slot in definition.inputs]
    firsts = {slot: call.graph.find_lengths(op.inputs[slot][0]) if op.inputs.get(slot) else None for slot in slots}
    count = len(op.output_arg_names)
    if definition.lod is None or isinstance(definition.lod, str):
        return [firsts.get(definition.lod) if definition.lod else None] * count
    variables: list[Any] = []
    lods: list[Any] = []
    for slot in definition.inputs:
        names = op.inputs.get(slot.name) or []
        held = [_Shape(tuple(call.variable(name).shape)) for name in names]
        each = [call.graph.find_lengths(name) for name in names]
        variables.append(held if slot.many else held[0] if held else None)
        lods.append(each if slot.many else each[0] if each else None)
    outs = [_Shape(tuple(call.variable(name).shape)) for name in op.output_arg_names]
    return list(definition.lod(lods, variables, outs, op.live_attrs()))


def all_problems(block: Block) -> list[Problem]:
    """Return the operators of a block, and of those in it, that have no converter."""
    return [
        Problem(op, without_counterpart(op.type))
        for op in reachable(block)
        if op.type not in PASSED_BY and op.type not in TABLE
    ]


RAGGED = (
    "sequence_",
    "lod_",
    "array_to_lod",
    "shrink_rnn",
    "max_sequence",
    "reorder_lod",
    "crf",
    "beam_search",
    "warpctc",
)


def without_counterpart(type: str) -> str:
    """Return why operators of a type cannot be converted."""
    if type.endswith("_grad"):
        return "it belongs to training; convert an inference model"
    if any(type.startswith(prefix) for prefix in RAGGED) or "crf" in type:
        return "it works on sequences of several lengths (LoD), for which ONNX has no counterpart"
    return "ONNX has no counterpart, or there is no converter yet"
