"""VarDesc: the description of a Variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtype import VarType as TypeCode
from ...core.dtype import to_vartype
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..program.program import Program
from ..program.variable import Variable
from ..proto import TensorData, part_to_proto
from ..proto.serialise import var_data
from .view import View, text


class VarDesc(View):
    """The description of a Variable, `variable.desc`.

    Arguments:
        name: the name of a new Variable that belongs to no Program.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [None, 8], 'float32')
    >>> x.desc.set_shape([4, 8])
    >>> x.shape, x.desc.shape(), x.desc.dtype() == fluid.core.VarDesc.VarType.FP32
    ((4, 8), [4, 8], True)
    """

    __slots__ = ()
    VarType = TypeCode
    of: Variable

    def __init__(self, name: str | Variable) -> None:
        if not isinstance(name, Variable):
            name = Program().global_block().create_var(name=text("VarDesc", name))
        super().__init__(name)

    def _changed(self) -> None:
        self.of._meta = None
        self.of.block.program._changed()

    # --- the Variable -------------------------------------------------------------------------------------------------

    def name(self) -> str:
        """Return the name."""
        return self.of._name

    def set_name(self, name: str) -> None:
        """Set the name; operators keep the name that they use."""
        block, old = self.of.block, self.of._name
        new = text("VarDesc.set_name", name)
        if block.vars.get(old) is self.of:
            block.vars = type(block.vars)((new if key == old else key, value) for key, value in block.vars.items())
        self.of._name = new
        self._changed()

    def type(self) -> TypeCode:
        """Return the kind of the value, such as VarType.LOD_TENSOR."""
        return self.of.type

    def set_type(self, type: int) -> None:
        """Set the kind of the value."""
        self.of.type = TypeCode(type)
        self._changed()

    def persistable(self) -> bool:
        """Return whether the value is kept between runs."""
        return self.of.persistable

    def set_persistable(self, persistable: bool) -> None:
        """Set whether the value is kept between runs."""
        self.of.persistable = persistable

    def need_check_feed(self) -> bool:
        """Return whether what is fed must have this shape and dtype."""
        return self.of.need_check_feed

    def set_need_check_feed(self, need_check_feed: bool) -> None:
        """Set whether what is fed must have this shape and dtype."""
        self.of.need_check_feed = bool(need_check_feed)
        self._changed()

    def serialize_to_string(self) -> bytes:
        """Return the bytes of the Variable, as a file of the Program holds them."""
        return part_to_proto(var_data(self.of)).SerializeToString(deterministic=True)

    # --- its tensor ---------------------------------------------------------------------------------------------------

    def shape(self) -> list[int]:
        """Return the shape; -1 for a size that is known only when the Program runs."""
        return list(self.of.shape)

    get_shape = shape

    def set_shape(self, shape: Sequence[int]) -> None:
        """Set the shape.

        Raises:
            ArgumentTypeError: `shape` is not a list of ints.
        """
        self.of._shape = _sizes("VarDesc.set_shape", "shape", shape)
        self._changed()

    def dtype(self) -> TypeCode:
        """Return the dtype of the elements."""
        return self.of.dtype

    def set_dtype(self, dtype: int) -> None:
        """Set the dtype of the elements."""
        self.of._dtype = to_vartype(dtype, "VarDesc.set_dtype")
        self._changed()

    def lod_level(self) -> int:
        """Return the number of levels of sequences."""
        return self.of.lod_level

    def set_lod_level(self, lod_level: int) -> None:
        """Set the number of levels of sequences."""
        self.of._lod_level = int(lod_level)
        self._changed()

    # --- the tensors of a reader --------------------------------------------------------------------------------------

    def shapes(self) -> list[list[int]]:
        """Return the shape of each tensor that a reader gives."""
        return [list(part.shape) for part in self._parts("shapes")]

    def set_shapes(self, shapes: Sequence[Sequence[int]]) -> None:
        """Set the shape of each tensor that a reader gives; their number is that of the shapes."""
        self._set_parts("set_shapes", [{"shape": _sizes("VarDesc.set_shapes", "shapes", each)} for each in shapes])

    def dtypes(self) -> list[TypeCode]:
        """Return the dtype of each tensor that a reader gives."""
        return [TypeCode(part.dtype) for part in self._parts("dtypes")]

    def set_dtypes(self, dtypes: Sequence[int]) -> None:
        """Set the dtype of each tensor that a reader gives."""
        self._set_parts("set_dtypes", [{"dtype": int(to_vartype(each, "VarDesc.set_dtypes"))} for each in dtypes])

    def lod_levels(self) -> list[int]:
        """Return the number of levels of sequences of each tensor that a reader gives."""
        return [part.lod_level or 0 for part in self._parts("lod_levels")]

    def set_lod_levels(self, lod_levels: Sequence[int]) -> None:
        """Set the number of levels of sequences of each tensor that a reader gives."""
        self._set_parts("set_lod_levels", [{"lod_level": int(level)} for level in lod_levels])

    def _parts(self, call: str) -> Sequence[TensorData]:
        if self.of.type != TypeCode.READER:
            got = f"the Variable {self.of._name} of the type {self.of.type.name}"
            raise ArgumentValueError(message(f"VarDesc.{call}", "the Variable", got, "one of the type READER"))
        return self.of.parts

    def _set_parts(self, call: str, fields: Sequence[dict[str, Any]]) -> None:
        known = list(self._parts(call)[: len(fields)])
        known += [TensorData(int(TypeCode.FP32), ())] * (len(fields) - len(known))
        self.of.parts = [part._replace(**each) for part, each in zip(known, fields, strict=True)]
        self._changed()


def _sizes(where: str, argument: str, shape: Any) -> tuple[int, ...]:
    if isinstance(shape, (str, bytes)) or not hasattr(shape, "__iter__"):
        raise ArgumentTypeError(message(where, argument, describe(shape), "a list of ints"))
    sizes = list(shape)
    if not all(hasattr(size, "__index__") for size in sizes):
        raise ArgumentTypeError(message(where, argument, f"{sizes}", "ints, -1 for a size that is not known"))
    return tuple(int(size) for size in sizes)
