"""Programs as bytes: the format of `__model__` files, through the protobuf library.

`describe` has what a Program's file says as plain data, `convert` turns that into bytes and back. Neither imports
protobuf before the first conversion.
"""

from ...core.lazy import namespace as _namespace
from ...core.lazy import table as _table

__getattr__, __dir__ = _namespace(
    __name__,
    _table(
        """
        static.proto.describe: AttrType BlockData OpData ProgramData TensorData VarData
        static.proto.convert: attr_from_proto attr_to_proto from_bytes to_bytes
        """
    ),
)
