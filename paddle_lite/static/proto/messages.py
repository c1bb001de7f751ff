"""The message classes of framework.proto; Fluid code imports them from `fluid.proto.framework_pb2`.

They are in a descriptor pool of their own, so that a process may also load PaddlePaddle, or another file of the same
protobuf package. Only this module imports protobuf.

>>> VarType.FP32, AttrType.Name(INTS), OpDesc(type='relu').type
(5, 'INTS', 'relu')
"""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

from .descriptor import FILE

DESCRIPTOR = DescriptorPool().AddSerializedFile(FILE)


def _class_of(descriptor: Any) -> Any:
    """Return the class of a message with its nested classes, which protobuf's pure Python version omits."""
    made = GetMessageClass(descriptor)
    for inner in descriptor.nested_types:
        if not hasattr(made, inner.name):
            setattr(made, inner.name, _class_of(inner))
    return made


def _message(name: str) -> Any:
    return _class_of(DESCRIPTOR.message_types_by_name[name])


BlockDesc = _message("BlockDesc")
CompatibleInfo = _message("CompatibleInfo")
Complex = _message("Complex")
OpCompatibleMap = _message("OpCompatibleMap")
OpDesc = _message("OpDesc")
OpProto = _message("OpProto")
OpVersion = _message("OpVersion")
OpVersionMap = _message("OpVersionMap")
ProgramDesc = _message("ProgramDesc")
Scalar = _message("Scalar")
VarDesc = _message("VarDesc")
VarType = _message("VarType")
Version = _message("Version")
TensorDesc = VarType.TensorDesc

AttrType = EnumTypeWrapper(DESCRIPTOR.enum_types_by_name["AttrType"])
INT, FLOAT, STRING, INTS, FLOATS, STRINGS, BOOLEAN, BOOLEANS, BLOCK, LONG, BLOCKS, LONGS = range(12)
FLOAT64S, VAR, VARS, FLOAT64, SCALAR, SCALARS = range(12, 18)

__all__ = [
    "DESCRIPTOR",
    "AttrType",
    "BlockDesc",
    "CompatibleInfo",
    "Complex",
    "DecodeError",
    "OpCompatibleMap",
    "OpDesc",
    "OpProto",
    "OpVersion",
    "OpVersionMap",
    "ProgramDesc",
    "Scalar",
    "TensorDesc",
    "VarDesc",
    "VarType",
    "Version",
    *AttrType.keys(),
]
