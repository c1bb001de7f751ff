"""The message classes of framework.proto.

They live in a descriptor pool of their own, so that a process may also load PaddlePaddle, or another file of the same
protobuf package. Importing this module imports protobuf; nothing else does.
"""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

from .descriptor import DESCRIPTOR

_pool = DescriptorPool()
_pool.AddSerializedFile(DESCRIPTOR)


def _message(name: str) -> Any:
    return GetMessageClass(_pool.FindMessageTypeByName(f"paddle.framework.proto.{name}"))


BlockDesc = _message("BlockDesc")
OpDesc = _message("OpDesc")
OpProto = _message("OpProto")
ProgramDesc = _message("ProgramDesc")
TensorDesc = _message("VarType.TensorDesc")
VarDesc = _message("VarDesc")
VarType = _message("VarType")

__all__ = [
    "BlockDesc",
    "DecodeError",
    "OpDesc",
    "OpProto",
    "ProgramDesc",
    "TensorDesc",
    "VarDesc",
    "VarType",
]
