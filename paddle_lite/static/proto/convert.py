"""Conversion between the bytes of a Program and plain data."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, FileFormatError, describe, message
from ...core.files.kinds import START, told_by
from .describe import AttrType, BlockData, Compatible, OpData, ProgramData, TensorData, VarData

_TYPES = tuple(AttrType)
_FIELDS = [
    "i",
    "f",
    "s",
    "ints",
    "floats",
    "strings",
    "b",
    "bools",
    "block_idx",
    "l",
    "blocks_idx",
    "longs",
    "float64s",
    "var_name",
    "vars_name",
    "float64",
    "scalar",
    "scalars",
]
"""AttrType -> the field of OpDesc.Attr that holds the value."""
_MANY = frozenset({"ints", "floats", "strings", "bools", "blocks_idx", "longs", "float64s", "vars_name"})

_TENSOR_FIELDS = {
    7: "lod_tensor",
    8: "selected_rows",
    13: "tensor_array",
    25: "string",
    26: "strings",
    27: "vocab",
    30: "sparse_coo",
    31: "sparse_csr",
}
"""VarType.Type -> the field of VarType that describes the tensor."""
_LEVELLED = frozenset({"lod_tensor", "tensor_array"})
_FLAGS = ("persistable", "need_check_feed", "is_parameter", "stop_gradient")
_SCALAR_FIELDS = {1: "b", 2: "i", 3: "r"}


def to_bytes(program: ProgramData) -> bytes:
    """Return the bytes of a `__model__` file; the same data gives the same bytes.

    Raises:
        ArgumentTypeError, ArgumentValueError: a value does not fit its attribute's type, or cannot occur in a Program.

    >>> from paddle_lite.static.proto import BlockData, OpData, ProgramData
    >>> program = ProgramData([BlockData(0, -1, ops=[OpData('relu', {'X': ['x']}, {'Out': ['y']})])])
    >>> from_bytes(to_bytes(program)) == program
    True
    """
    from .messages import ProgramDesc

    desc = ProgramDesc()
    for at, block in enumerate(program.blocks):
        if block.idx != at:
            raise ArgumentValueError(message("to_bytes", f"blocks[{at}].idx", block.idx, f"{at}"))
        _write_block(desc.blocks.add(), block)
    if program.version is not None:
        desc.version.version = program.version
    if program.compatible is not None or program.default_required_version is not None:
        table = desc.op_compatible_map
        table.SetInParent()
        for each in program.compatible or ():
            table.pair.add(op_name=each.op, compatible_info={"version": each.version, "type": each.type})
        if program.default_required_version is not None:
            table.default_required_version = program.default_required_version
    if program.op_versions is not None:
        desc.op_version_map.SetInParent()
        for name, number in program.op_versions.items():
            desc.op_version_map.pair.add(op_name=name, op_version={"version": number})
    return desc.SerializeToString(deterministic=True)


def part_to_proto(part: BlockData | OpData | VarData) -> Any:
    """Return the message of a block, an operator or a variable by itself.

    Raises:
        ArgumentTypeError, ArgumentValueError: a value does not fit its attribute's type, or cannot occur in a Program.

    >>> from paddle_lite.static.proto import VarData
    >>> part_to_proto(VarData('x', 7, 5, (2, 3), 0)).type.lod_tensor.tensor.dims
    [2, 3]
    """
    from . import messages

    if isinstance(part, BlockData):
        desc = messages.BlockDesc()
        _write_block(desc, part)
    elif isinstance(part, OpData):
        desc = messages.OpDesc()
        _write_op(desc, part)
    else:
        desc = messages.VarDesc()
        _write_var(desc, part)
    return desc


def from_bytes(content: bytes, where: str = "Program") -> ProgramData:
    """Return a Program's plain data from its bytes.

    Arguments:
        content: the content of a `__model__` or .pdmodel file, or the result of `Program.desc.serialize_to_string()`.
        where: the file's name, for error texts.

    Raises:
        FileFormatError: the bytes are truncated, or not a Program.
    """
    from .messages import DecodeError, ProgramDesc

    try:
        desc = ProgramDesc.FromString(content)
    except (DecodeError, TypeError, ValueError) as error:
        raise _foreign(where, content, str(error) or "no protobuf message") from None
    if not desc.IsInitialized():
        lacks = ", ".join(desc.FindInitializationErrors()[:3])
        raise _foreign(where, content, f"no value that this version knows for {lacks}")
    if not desc.blocks:
        raise _foreign(where, content, "no block")
    blocks = [_read_block(block) for block in desc.blocks]
    _check_names(blocks, content, where)
    _check_blocks(blocks, content, where)
    program = ProgramData(blocks, desc.version.version if desc.HasField("version") else None)
    if desc.HasField("op_compatible_map"):
        table = desc.op_compatible_map
        program.compatible = [
            Compatible(pair.op_name, pair.compatible_info.version, pair.compatible_info.type) for pair in table.pair
        ]
        if table.HasField("default_required_version"):
            program.default_required_version = table.default_required_version
    if desc.HasField("op_version_map"):
        program.op_versions = {pair.op_name: pair.op_version.version for pair in desc.op_version_map.pair}
    return program


def _foreign(where: str, content: Any, why: str) -> FileFormatError:
    needs = "a serialized ProgramDesc, as `__model__` and .pdmodel files hold it"
    got = f"{len(content)} bytes with {why}" if isinstance(content, (bytes, bytearray)) else describe(content)
    fix = "It may be truncated, or another file's."
    if isinstance(content, (bytes, bytearray)):
        fix = told_by(bytes(content[:START]), fix)
    return FileFormatError(message(where, "content", got, needs, fix))


def _check_names(blocks: list[BlockData], content: bytes, where: str) -> None:
    """Raise unless all names are texts: protobuf gives bytes for those that are not UTF-8."""
    for block in blocks:
        names: list[Any] = [var.name for var in block.vars]
        for op in block.ops:
            names += (op.type, *op.inputs, *op.outputs, *op.attrs)
            for slot in (*op.inputs.values(), *op.outputs.values()):
                names += slot
        bad = next((name for name in names if not isinstance(name, str)), None)
        if bad is not None:
            raise _foreign(where, content, f"the name {bad[:60]!r} in block {block.idx}, which is not UTF-8")


def _check_blocks(blocks: list[BlockData], content: bytes, where: str) -> None:
    """Raise unless blocks are ordered by index, parents first, attributes refer to existing blocks, and no block contains itself."""
    inside: list[set[int]] = [set() for _ in blocks]  # the blocks that a block's operators name
    for at, block in enumerate(blocks):
        if block.idx != at:
            raise _foreign(where, content, f"block {block.idx} in the place of block {at}")
        if not -1 <= block.parent_idx < len(blocks):
            raise _foreign(where, content, f"block {at} in a block {block.parent_idx} that is not there")
        if block.parent_idx >= at:
            raise _foreign(where, content, f"block {at} in block {block.parent_idx}, which does not come before it")
        for op in block.ops:
            for name, (kind, value) in op.attrs.items():
                if kind is AttrType.BLOCK or kind is AttrType.BLOCKS:
                    for index in (value,) if kind is AttrType.BLOCK else value:
                        if not 0 <= index < len(blocks):
                            why = f"operator {op.type}'s attribute {name} naming a block {index} that is not there"
                            raise _foreign(where, content, why)
                        inside[at].add(index)
    looped = _circular(inside)
    if looped is not None:
        raise _foreign(where, content, f"block {looped} inside of itself")


def _circular(inside: list[set[int]]) -> int | None:
    """Return a block that contains itself, given the blocks that each block contains; None if there is none."""
    left = [len(blocks) for blocks in inside]
    around: list[list[int]] = [[] for _ in inside]
    for at, blocks in enumerate(inside):
        for index in blocks:
            around[index].append(at)
    ready = [at for at, count in enumerate(left) if not count]
    while ready:
        for at in around[ready.pop()]:
            left[at] -= 1
            if not left[at]:
                ready.append(at)
    return next((at for at, count in enumerate(left) if count), None)


def _write_block(desc: Any, block: BlockData) -> None:
    desc.idx = block.idx
    desc.parent_idx = block.parent_idx
    if block.forward_block_idx is not None:
        desc.forward_block_idx = block.forward_block_idx
    for var in block.vars:
        _write_var(desc.vars.add(), var)
    add = desc.ops.add
    for op in block.ops:
        _write_op(add(), op)


def _write_op(desc: Any, op: OpData) -> None:
    desc.type = op.type
    slots = desc.inputs.add
    for slot, names in op.inputs.items():
        slots(parameter=slot, arguments=names)
    slots = desc.outputs.add
    for slot, names in op.outputs.items():
        slots(parameter=slot, arguments=names)
    attrs = desc.attrs.add
    for name, (kind, value) in op.attrs.items():
        _write_attr(attrs(), name, kind, value, op.type)
    if op.is_target is not None:
        desc.is_target = op.is_target


def _read_block(desc: Any) -> BlockData:
    return BlockData(
        desc.idx,
        desc.parent_idx,
        desc.forward_block_idx if desc.HasField("forward_block_idx") else None,
        [_read_var(var) for var in desc.vars],
        [
            OpData(
                op.type,
                {slot.parameter: list(slot.arguments) for slot in op.inputs},
                {slot.parameter: list(slot.arguments) for slot in op.outputs},
                {attr.name: attr_from_proto(attr) for attr in op.attrs},
                op.is_target if op.HasField("is_target") else None,
            )
            for op in desc.ops
        ],
    )


def attr_to_proto(name: str, type: AttrType, value: Any, op: str = "an operator") -> Any:
    """Return an OpDesc.Attr.

    Raises:
        ArgumentTypeError: the value does not have the type.

    >>> attr_from_proto(attr_to_proto('axis', AttrType.INTS, [0, 2]))
    (AttrType.INTS, [0, 2])
    """
    from .messages import OpDesc

    attr = OpDesc.Attr()
    _write_attr(attr, name, type, value, op)
    return attr


def attr_from_proto(attr: Any) -> tuple[AttrType, Any]:
    """Return (type, value) of an OpDesc.Attr; a list for types of several values, bytes for a string that is not UTF-8."""
    number = attr.type
    name = _FIELDS[number]
    value = getattr(attr, name)
    if name in _MANY:
        value = list(value)
    elif name == "scalar":
        value = _read_scalar(value)
    elif name == "scalars":
        value = [_read_scalar(each) for each in value]
    return _TYPES[number], value


def _write_attr(attr: Any, name: str, kind: int, value: Any, op: str) -> None:
    try:
        attr.name = name
        attr.type = kind
        field = _FIELDS[kind]
        if field == "ints":
            attr.ints.extend([int(v) if isinstance(v, bool) else v for v in value])
        elif field in _MANY:
            getattr(attr, field).extend(value)
        elif field == "scalar":
            _write_scalar(attr.scalar, value)
        elif field == "scalars":
            for each in value:
                _write_scalar(attr.scalars.add(), each)
        elif field == "s" and isinstance(value, bytes):
            _write_bytes(attr, value)
        else:
            setattr(attr, field, value)
    except (TypeError, ValueError, IndexError, OverflowError):
        needs = f"a value of the type {AttrType(kind).name}" if kind in _TYPES else "a type of AttrType"
        raise ArgumentTypeError(message(op, f"attribute {name}", f"{describe(value)}", needs)) from None


def _write_bytes(attr: Any, value: bytes) -> None:
    """Set `s` to bytes that may not be UTF-8; protobuf accepts them only in the wire format."""
    size, head = len(value), [5 << 3 | 2]
    while size > 127:
        head.append(size & 127 | 128)
        size >>= 7
    attr.MergeFromString(bytes([*head, size]) + value)


def _write_scalar(scalar: Any, value: Any) -> None:
    if isinstance(value, bool):
        scalar.type, scalar.b = 1, value
    elif isinstance(value, int):
        scalar.type, scalar.i = 2, value
    elif isinstance(value, float):
        scalar.type, scalar.r = 3, value
    elif isinstance(value, complex):
        scalar.type, scalar.c.r, scalar.c.i = 4, value.real, value.imag
    else:
        raise TypeError


def _read_scalar(scalar: Any) -> bool | int | float | complex:
    if scalar.type == 4:
        return complex(scalar.c.r, scalar.c.i)
    return getattr(scalar, _SCALAR_FIELDS[scalar.type])


def _write_var(desc: Any, var: VarData) -> None:
    desc.name = var.name
    desc.type.type = var.type
    for field, tensor in var.former.items():
        _write_tensor(desc.type, field, tensor)
    if var.dtype is not None:
        field = _TENSOR_FIELDS.get(var.type, "")
        if not field:
            raise ArgumentValueError(
                message(f"variable {var.name}", "dtype", var.dtype, f"None, for a variable of type {var.type}")
            )
        _write_tensor(desc.type, field, TensorData(var.dtype, var.shape, var.lod_level))
    if var.reader is not None:
        desc.type.reader.SetInParent()
        for tensor in var.reader:
            _fill_tensor(desc.type.reader.lod_tensor.add(), tensor)
    if var.elements is not None:
        desc.type.tuple.SetInParent()
        desc.type.tuple.element_type.extend(var.elements)
    for flag in _FLAGS:
        value = getattr(var, flag)
        if value is not None:
            setattr(desc, flag, value)
    for name, (kind, value) in var.attrs.items():
        _write_attr(desc.attrs.add(), name, kind, value, f"variable {var.name}")


def _write_tensor(type_desc: Any, field: str, tensor: TensorData) -> None:
    desc = getattr(type_desc, field)
    if field in _LEVELLED:
        _fill_tensor(desc, tensor)
    else:
        desc.data_type = tensor.dtype
        desc.dims.extend(tensor.shape)


def _fill_tensor(desc: Any, tensor: TensorData) -> None:
    desc.tensor.data_type = tensor.dtype
    desc.tensor.dims.extend(tensor.shape)
    if tensor.lod_level is not None:
        desc.lod_level = tensor.lod_level


def _read_var(desc: Any) -> VarData:
    kind = desc.type
    var = VarData(desc.name, kind.type)
    own = _TENSOR_FIELDS.get(kind.type)
    for field, value in kind.ListFields():
        name = field.name
        if name == own:
            var.dtype, var.shape, var.lod_level = _read_tensor(value, name)
        elif name == "reader":
            var.reader = [_read_tensor(each, "lod_tensor") for each in value.lod_tensor]
        elif name == "tuple":
            var.elements = list(value.element_type)
        elif name != "type":
            var.former[name] = _read_tensor(value, name)
    for field, value in desc.ListFields():
        if field.name in _FLAGS:
            setattr(var, field.name, value)
        elif field.name == "attrs":
            var.attrs = {attr.name: attr_from_proto(attr) for attr in value}
    return var


def _read_tensor(desc: Any, field: str) -> TensorData:
    if field in _LEVELLED:
        level = desc.lod_level if desc.HasField("lod_level") else None
        return TensorData(desc.tensor.data_type, tuple(desc.tensor.dims), level)
    return TensorData(desc.data_type, tuple(desc.dims))
