"""Serialised Programs: the format of `__model__` files, through the protobuf library.

`describe` defines a Program's file as plain data, `convert` translates it to bytes and back. Neither imports protobuf
before the first conversion.
"""

from .convert import attr_from_proto, attr_to_proto, from_bytes, part_to_proto, to_bytes
from .describe import Attrs, AttrType, BlockData, Compatible, OpData, ProgramData, TensorData, VarData

__all__ = [
    "AttrType",
    "Attrs",
    "BlockData",
    "Compatible",
    "OpData",
    "ProgramData",
    "TensorData",
    "VarData",
    "attr_from_proto",
    "attr_to_proto",
    "from_bytes",
    "part_to_proto",
    "to_bytes",
]
