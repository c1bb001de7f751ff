"""Plain data classes for the file of a Program, independent of the classes of Programs and of protobuf.

None in an optional field means that the field is absent, which gives other bytes than its default value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple


class AttrType(IntEnum):
    """The type of an operator's attribute; FLOAT64S and the following ones were added after PaddlePaddle 1.8.5.

    BOOL and BOOLS are the names of `fluid.core`, BOOLEAN and BOOLEANS those of the file.
    """

    INT = 0
    FLOAT = 1
    STRING = 2
    INTS = 3
    FLOATS = 4
    STRINGS = 5
    BOOLEAN = BOOL = 6
    BOOLEANS = BOOLS = 7
    BLOCK = 8
    LONG = 9
    BLOCKS = 10
    LONGS = 11
    FLOAT64S = 12
    VAR = 13
    VARS = 14
    FLOAT64 = 15
    SCALAR = 16
    SCALARS = 17

    def __repr__(self) -> str:
        return f"AttrType.{self.name.replace('BOOLEAN', 'BOOL')}"

    __str__ = __repr__


Attrs = dict[str, tuple[AttrType, Any]]
"""name -> (type, value). BLOCK and BLOCKS are indices of blocks, VAR and VARS names, SCALAR a bool, int, float or complex."""


class TensorData(NamedTuple):
    """A tensor: `dtype` as a number of `VarType`, `shape` with -1 for unknown dimensions, `lod_level`."""

    dtype: int
    shape: tuple[int, ...]
    lod_level: int | None = None


@dataclass(slots=True)
class VarData:
    """A variable.

    Arguments:
        name: its name.
        type: a number of `VarType`, such as LOD_TENSOR.
        dtype, shape, lod_level: those of the tensor or tensors that it holds; dtype is None if it holds none.
        persistable, need_check_feed: fields of 1.8.5.
        is_parameter, stop_gradient, attrs: fields that 2.6.2 added.
        reader: the tensors that a READER provides.
        elements: the types of the elements of a TUPLE.
        former: field -> a tensor of a type that the variable had before: 1.8.5 leaves `lod_tensor` in a gradient that became
            SELECTED_ROWS.
    """

    name: str
    type: int
    dtype: int | None = None
    shape: tuple[int, ...] = ()
    lod_level: int | None = None
    persistable: bool | None = None
    need_check_feed: bool | None = None
    is_parameter: bool | None = None
    stop_gradient: bool | None = None
    reader: list[TensorData] | None = None
    elements: list[int] | None = None
    former: dict[str, TensorData] = field(default_factory=dict)
    attrs: Attrs = field(default_factory=dict)


@dataclass(slots=True)
class OpData:
    """An operator: variable names by slot, and attributes by name, in the order of the file."""

    type: str
    inputs: dict[str, list[str]] = field(default_factory=dict)
    outputs: dict[str, list[str]] = field(default_factory=dict)
    attrs: Attrs = field(default_factory=dict)
    is_target: bool | None = None


@dataclass(slots=True)
class BlockData:
    """A block; `parent_idx` is -1 for block 0, `forward_block_idx` is None except for blocks of gradients."""

    idx: int
    parent_idx: int
    forward_block_idx: int | None = None
    vars: list[VarData] = field(default_factory=list)
    ops: list[OpData] = field(default_factory=list)


class Compatible(NamedTuple):
    """The version since which an operator has its present semantics, and its compatibility with older versions (1.8.5)."""

    op: str
    version: str
    type: int


@dataclass(slots=True)
class ProgramData:
    """A Program.

    Arguments:
        blocks: the blocks; block i has the index i.
        version: the version of PaddlePaddle, 1008005 for 1.8.5; None if the file has none.
        compatible, default_required_version: the table of operators that 1.8.5 writes, and the version that all others need;
            None if the file has none.
        op_versions: operator -> the number of changes of its semantics, as 2.0 and later write it; None if the file has none.
    """

    blocks: list[BlockData] = field(default_factory=list)
    version: int | None = 0
    compatible: list[Compatible] | None = None
    default_required_version: str | None = None
    op_versions: dict[str, int] | None = None
