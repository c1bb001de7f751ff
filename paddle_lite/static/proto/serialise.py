"""Serialisation of Programs: the contents of `__model__` and `.pdmodel` files, in PaddlePaddle's format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.dtype import VarType, to_vartype
from ...core.errors import EnforceNotMet, FileFormatError, NotYetAvailable, message
from ...ops.framework.spec import OpDef, Slot
from .. import proto
from ..operators.structural import before_saving, when_loaded
from ..program.block import Block
from ..program.lint import lint
from ..program.operator import COMMON, FromFile, Operator
from ..program.program import Program
from ..program.variable import Parameter, Variable
from . import AttrType, BlockData, Compatible, OpData, ProgramData, VarData
from .attribute_types import COMMON_TYPES, check_types
from .gradient_links import link_gradients
from .later import AS_TEXT, LATER, changes, translated
from .no_dimensions import SINCE, without_dimensions

_IDLE = frozenset(
    {
        "Scale_in", "Scale_out", "Scale_x", "Scale_y", "activation_bits", "force_cpu", "is_test", "is_train", "mkldnn_data_type",
        "multi_precision", "out_max", "out_min", "out_threshold", "place_type", "quantization_type", "quantize_weight_bits",
        "skip_quant", "use_cudnn", "use_mkldnn", "use_quantizer", "weight_bits", "with_quant_attr",
    }
)  # fmt: skip
"""Attributes that never affect a result of an operator that does not declare them; activations of 1.4 to 1.7 had is_test."""

_IDLE_ENDINGS = (".min", ".max", "_quant_scale")
"""Endings of such attributes behind the name of a Variable, which quantization writes."""

_CONTRADICTED = (LookupError, ValueError, TypeError, AttributeError, RecursionError, MemoryError)
"""What reading and writing a Program may raise where its operators and variables do not fit together."""

_WITHOUT_TENSOR = frozenset(
    {VarType.FEED_MINIBATCH, VarType.FETCH_LIST, VarType.STEP_SCOPES, VarType.RAW, VarType.LOD_RANK_TABLE, VarType.PLACE_LIST}
)  # fmt: skip


def to_bytes(program: Program, compatible: list[Compatible] | None = None, others: str | None = None) -> bytes:
    """Return the bytes of a Program with all attributes, including defaults, since PaddlePaddle's operators need them.

    Arguments:
        program: the Program.
        compatible, others: the table of operators by which older versions tell whether they can run it, and the version
            that the operators need that are not in it.
    """
    version = program.file_version
    try:
        for convert in before_saving:
            program = convert(program)
    except _CONTRADICTED as error:
        if isinstance(error, EnforceNotMet):
            raise
        raise inconsistent("Program.desc", program, error) from error
    blocks = [block_data(block) for block in program.blocks]
    return proto.to_bytes(ProgramData(blocks, version, compatible, others))


def block_data(block: Block) -> BlockData:
    """Return a block as plain data."""
    forward = block.forward_block_idx if block.forward_block_idx >= 0 else None
    variables = [var_data(v) for v in block.vars.values()]
    return BlockData(block.idx, block.parent_idx, forward, variables, [op_data(op) for op in block.ops])


def var_data(variable: Variable) -> VarData:
    """Return a Variable as plain data."""
    data = VarData(variable.name, int(variable.type), persistable=variable.persistable)
    if variable.need_check_feed:
        data.need_check_feed = True
    if variable.type == VarType.READER:
        data.reader = list(variable.parts)
    elif variable.type not in _WITHOUT_TENSOR:
        data.dtype, data.shape = int(variable.dtype), tuple(variable.shape)
        if variable.type != VarType.SELECTED_ROWS:
            data.lod_level = variable.lod_level
    return data


def op_data(op: Operator) -> OpData:
    """Return an operator as plain data, with all attributes that it has."""
    definition = op.declared
    attrs: dict[str, tuple[AttrType, Any]] = {}
    values = dict(op.attrs)
    if not op.bare:
        declared = {} if definition is None else {name: attr.default for name, attr in definition.attrs.items()}
        values = {**declared, **COMMON, **values}
    for name, value in values.items():
        if name != "op_callstack" and value is not None:
            kind = attr_kind(op, name, value)
            number = isinstance(value, bool) and kind in (AttrType.INT, AttrType.LONG)  # is_test in files of 1.0 to 1.3
            attrs[name] = (kind, int(value) if number else _plain(value))
    slots = [_slots(op, None if op.bare else definition, which) for which in ("inputs", "outputs")]
    return OpData(op.type, slots[0], slots[1], attrs, is_target=True if op.is_target else None)


def attr_kind(op: Operator, name: str, value: Any) -> AttrType:
    """Return the type that an attribute with this value has in a file."""
    definition = op.declared
    if definition is not None and name in definition.attrs:
        return AttrType[definition.attrs[name].type]
    kinds: Mapping[str, int] = op.from_file.kinds if op.from_file is not None else {}
    kind = COMMON_TYPES.get(name) or kinds.get(name)
    return AttrType(kind if kind is not None else _guessed(op, name, value))


def _slots(op: Operator, definition: OpDef | None, which: str) -> dict[str, list[str]]:
    """Return slot -> names, including declared slots without names, as PaddlePaddle writes them."""
    slots: dict[str, list[str]] = getattr(op, which)
    declared = [s.name for s in getattr(definition, which)] if definition is not None else []
    return {name: list(slots.get(name, ())) for name in sorted({*slots, *declared})}


def _plain(value: Any) -> Any:
    """Return a value as plain Python: NumPy numbers as Python numbers, blocks as their indices."""
    if isinstance(value, Block):
        return value.idx
    if isinstance(value, np.ndarray):
        return value.reshape(-1).tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _guessed(op: Operator, name: str, value: Any) -> AttrType:
    """Return the type of an undeclared attribute, inferred from its value."""
    if isinstance(value, list) and value and isinstance(value[0], Block):
        return AttrType.BLOCKS
    if isinstance(value, Block):
        return AttrType.BLOCK
    value = _plain(value)
    for python, one, many in (
        (bool, AttrType.BOOLEAN, AttrType.BOOLEANS), (int, AttrType.INT, AttrType.INTS),
        (float, AttrType.FLOAT, AttrType.FLOATS), ((str, bytes), AttrType.STRING, AttrType.STRINGS),
    ):  # fmt: skip
        if isinstance(value, python):
            return AttrType.LONG if one is AttrType.INT and _is_long(value) else one
        if isinstance(value, list) and value and all(isinstance(v, python) for v in value):
            return AttrType.LONGS if one is AttrType.INT and any(map(_is_long, value)) else many
    if value == []:
        return AttrType.INTS
    raise NotYetAvailable(
        message(f"operator {op.type}", f"attribute {name!r}", repr(value), "a value that files can hold")
    )


def _is_long(value: Any) -> bool:
    return not -(2**31) <= value < 2**31


# --- from bytes -------------------------------------------------------------------------------------------------------


def from_bytes(data: bytes) -> Program:
    """Return the Program in the bytes of a `__model__` file.

    Raises:
        FileFormatError: the bytes are not those of a Program.
    """
    described, program = proto.from_bytes(data), Program()
    try:
        _fill(program, described)
    except _CONTRADICTED as error:
        if isinstance(error, EnforceNotMet):
            raise
        raise inconsistent("Program", program, error) from error
    return program


def inconsistent(where: str, program: Program, error: Exception) -> FileFormatError:
    """Return the error for a Program of a file that contradicts itself: the first that `Program.lint` says of it."""
    found = lint(program)
    said = f"{len(found)} faults, the first of which is in {found[0]}" if found else f"{type(error).__name__}: {error}"
    fix = "The file may be damaged; `lint()` of a Program lists its faults."
    return FileFormatError(message(where, "content", said, "a Program that does not contradict itself", fix))


def _fill(program: Program, described: ProgramData) -> None:
    """Give an empty Program its content."""
    program.blocks = [Block(program, b.idx, b.parent_idx) for b in described.blocks]
    for block, of_file in zip(program.blocks, described.blocks, strict=True):
        block.forward_block_idx = -1 if of_file.forward_block_idx is None else of_file.forward_block_idx
        for variable in of_file.vars:
            block.vars[variable.name] = _variable(block, variable)
    for block, of_file in zip(program.blocks, described.blocks, strict=True):
        for op in of_file.ops:
            for each in _operators(block, op, described.version or 0):
                block.place(each)
    link_gradients(program)
    for convert in when_loaded:
        convert(program)


def _variable(block: Block, data: VarData) -> Variable:
    type = VarType(data.type) if data.type in VarType._value2member_map_ else VarType.RAW
    common: dict[str, Any] = {
        "name": data.name, "lod_level": data.lod_level or 0, "stop_gradient": bool(data.stop_gradient),
        "need_check_feed": bool(data.need_check_feed),
    }  # fmt: skip
    dtype = (
        None if data.dtype is None or data.dtype not in VarType._value2member_map_ else to_vartype(VarType(data.dtype))
    )
    if data.is_parameter:
        return Parameter(block, data.shape, dtype, **common)
    variable = Variable(
        block, type=type, shape=data.shape, dtype=dtype, persistable=bool(data.persistable),
        is_data=bool(data.need_check_feed), **common,
    )  # fmt: skip
    if data.reader:
        variable.parts = data.reader
    return variable


def _operators(block: Block, data: OpData, version: int) -> list[Operator]:
    """Return an operator of a file; several, where these express attributes that came after PaddlePaddle 1.8.5."""
    attrs: dict[str, Any] = {}
    held = {name: _number(data.type, name, *each) for name, each in data.attrs.items()}
    for name, (kind, value) in held.items():
        if kind == AttrType.BLOCK:
            attrs[name] = block.program.blocks[value]
        elif kind == AttrType.BLOCKS:
            attrs[name] = [block.program.blocks[i] for i in value]
        elif kind in (AttrType.FLOAT, AttrType.FLOATS):
            attrs[name] = [_decimal(v) for v in value] if kind == AttrType.FLOATS else _decimal(value)
        else:
            attrs[name] = value
    op = Operator(block, data.type, {}, {}, attrs)
    check_types(op, held)
    definition = op.declared
    op.inputs = _filled(data.inputs, () if definition is None else definition.inputs)
    op.outputs = _filled(data.outputs, () if definition is None else definition.outputs)
    found = translated(op, version)
    if version >= SINCE:
        found = [part for each in found for part in without_dimensions(each)]
    for each in found:
        if each.type == op.type:
            problem = _problem(each.declared, each)
            each.from_file = FromFile({name: kind for name, (kind, _) in held.items()}, problem)
            if problem:
                each._definition = None
    return found


def _problem(definition: OpDef | None, op: Operator) -> str:
    """Return why an operator of a file cannot run although its type is declared; "" if it can."""
    if definition is None or definition.forward is not None:
        return _problem_of_gradient(definition, op)
    declared = {slot.name for slot in definition.inputs}
    later = next((slot for slot, names in op.inputs.items() if names and slot not in declared), None)
    if later is not None:
        return f"its input {later!r} came after PaddlePaddle 1.8.5 and is not available in this version of paddle_lite"
    for name, value in op.attrs.items():
        idle = name in COMMON or name in _IDLE or name.endswith(_IDLE_ENDINGS)
        if name not in definition.attrs and not idle and changes(definition.type, name, value):
            return (
                f"its attribute {name!r} = {value!r} came after PaddlePaddle 1.8.5 and is not available in this version of "
                "paddle_lite"
            )
    return ""


def _problem_of_gradient(definition: OpDef | None, op: Operator) -> str:
    """Return why a gradient operator of a file cannot run: one of its attributes changes the forward operator."""
    forward = "" if definition is None or definition.forward is None else definition.forward.type
    for name, value in op.attrs.items():
        if (forward, name) in LATER and changes(forward, name, value):
            return f"its attribute {name!r} = {value!r} came after PaddlePaddle 1.8.5: there is no gradient for it"
    return ""


def _number(type: str, name: str, kind: AttrType, value: Any) -> tuple[AttrType, Any]:
    """Return the type and value of an attribute; of a number that is text, those of the number."""
    if kind == AttrType.STRING and (type, name) in AS_TEXT:
        try:
            return AttrType.FLOAT, float(value)
        except ValueError:
            return kind, value
    return kind, value


def _decimal(value: float) -> float:
    """Return the shortest decimal of a file's float32: 0.001 rather than 0.0010000000474974513."""
    return float(str(np.float32(value)))


def _filled(slots: dict[str, list[str]], declared: tuple[Slot, ...]) -> dict[str, list[str]]:
    """Return the non-empty slots, in the order of the declaration."""
    order = dict.fromkeys([*(s.name for s in declared if s.name in slots), *slots])
    return {slot: list(slots[slot]) for slot in order if slots[slot]}
