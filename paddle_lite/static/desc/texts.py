"""Programs and their parts as text: the messages of a Program's file as protobuf prints them, as in PaddlePaddle 1.8.5."""

from __future__ import annotations

from ..program.block import Block
from ..program.operator import Operator
from ..program.program import Program
from ..program.variable import Variable
from ..proto import part_to_proto
from ..proto.serialise import block_data, op_data, to_bytes, var_data

_OF_VARIABLES = ("error_clip", "stop_gradient")
_OF_PARAMETERS = ("trainable", "optimize_attr", "regularizer", "do_model_average")


def variable_text(variable: Variable, with_details: bool) -> str:
    """Return the message of a Variable; with details also what no file holds, such as `stop_gradient`."""
    text = _text(part_to_proto(var_data(variable)))
    if with_details:
        names = _OF_VARIABLES + (_OF_PARAMETERS if variable.is_parameter else ())
        text += "".join(f"{name}: {getattr(variable, name)}\n" for name in names)
    return text


def operator_text(op: Operator, with_details: bool = False) -> str:
    """Return the message of an operator, with all attributes; there are no other details."""
    return _text(part_to_proto(op_data(op)))


def block_text(block: Block, with_details: bool) -> str:
    """Return the message of a block; with details the text of its Variables has them, too."""
    if not with_details:
        return _text(part_to_proto(block_data(block)))
    lines = ["blocks {", f"  idx: {block.idx}", f"  parent_idx: {block.parent_idx}"]
    parts = [("vars", variable_text(variable, True)) for variable in block.vars.values()]
    for name, text in parts + [("ops", operator_text(op)) for op in block.ops]:
        lines += [f"  {name} {{", *(f"    {line}" for line in text.splitlines()), "  }"]
    return "\n".join([*lines, "}"])


def program_text(program: Program, with_details: bool) -> str:
    """Return the message of a Program; with details that of its blocks."""
    if with_details:
        return "".join(block_text(block, True) for block in program.blocks)
    from ..proto.messages import ProgramDesc

    return _text(ProgramDesc.FromString(to_bytes(program)))


def _text(proto: object) -> str:
    from google.protobuf import text_format

    return str(text_format.MessageToString(proto))
