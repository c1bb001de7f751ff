"""Message classes from a table of their fields, for small files of messages.

The protobuf package is imported when a class is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KINDS = {"double": 1, "float": 2, "int64": 3, "int32": 5, "bool": 8, "string": 9}


def messages_of(file: str, table: Mapping[str, str], package: str = "paddle.framework") -> dict[str, Any]:
    """Return the classes of the messages of a proto2 file.

    They are in a descriptor pool of their own, so that a process may also load PaddlePaddle.

    Arguments:
        file: the name of the file.
        table: the name of a message -> its fields, a line each: `number kind name`, then `= default` if it has one. A kind
            is one of KINDS or the name of a message, after `repeated` if the field holds several.
        package: the package of the messages.

    Returns:
        The name of each message -> its class.

    >>> made = messages_of("point.proto", {"Point": "1 int32 x = 3\\n2 repeated int32 y"})
    >>> point = made["Point"](y=[1, 2])
    >>> point.x, list(point.y)
    (3, [1, 2])
    """
    from google.protobuf.descriptor_pb2 import FileDescriptorProto
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message_factory import GetMessageClass

    described = FileDescriptorProto(name=file, package=package, syntax="proto2")
    for name, fields in table.items():
        message = described.message_type.add(name=name)
        for line in fields.strip().splitlines():
            declared, _, default = line.strip().partition(" = ")
            number, *label, kind, field = declared.split()
            made = message.field.add(name=field, number=int(number), label=3 if label else 1)
            if kind in KINDS:
                made.type = KINDS[kind]
            else:
                made.type, made.type_name = 11, f".{package}.{kind}"
            if default:
                made.default_value = default
    pool = DescriptorPool()
    found = pool.AddSerializedFile(described.SerializeToString())
    return {name: GetMessageClass(found.message_types_by_name[name]) for name in table}
