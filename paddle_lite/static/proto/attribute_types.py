"""One check of the operators of a file: each attribute has a type that stands for the one of its declaration."""

from __future__ import annotations

from ...core.errors import FileFormatError, describe, message
from ..program.operator import Operator
from .describe import Attrs, AttrType

_WHOLE = frozenset({AttrType.INT, AttrType.LONG, AttrType.BOOLEAN, AttrType.SCALAR})
_NUMBERS = _WHOLE | {AttrType.FLOAT, AttrType.FLOAT64}
_MANY_WHOLE = frozenset({AttrType.INTS, AttrType.LONGS, AttrType.BOOLEANS, AttrType.SCALARS})
_MANY_NUMBERS = _MANY_WHOLE | {AttrType.FLOATS, AttrType.FLOAT64S}
_STANDING_IN = {
    AttrType.INT: _WHOLE, AttrType.LONG: _WHOLE, AttrType.BOOLEAN: _WHOLE,
    AttrType.FLOAT: _NUMBERS, AttrType.FLOAT64: _NUMBERS, AttrType.SCALAR: _NUMBERS,
    AttrType.INTS: _MANY_WHOLE, AttrType.LONGS: _MANY_WHOLE, AttrType.BOOLEANS: _MANY_WHOLE,
    AttrType.FLOATS: _MANY_NUMBERS, AttrType.FLOAT64S: _MANY_NUMBERS, AttrType.SCALARS: _MANY_NUMBERS,
}  # fmt: skip
"""Declared type -> the types of a file that may stand for it. Versions of PaddlePaddle differ in the widths of numbers."""

COMMON_TYPES = {
    "op_role": AttrType.INT, "op_role_var": AttrType.STRINGS, "op_namescope": AttrType.STRING,
    "op_callstack": AttrType.STRINGS, "op_device": AttrType.STRING, "sub_block": AttrType.BLOCK,
}  # fmt: skip
"""The types of attributes that any operator may have."""


def check_types(op: Operator, attrs: Attrs) -> None:
    """Raise unless the attributes of an operator of a file have the types that its declaration says.

    Numbers of any width stand for each other, whole numbers for decimal ones, and a list without elements for any list.

    Arguments:
        op: the operator. attrs: its attributes as the file holds them.

    Raises:
        FileFormatError: an attribute has another type. The text names the operator, the attribute, what came, what is needed.
    """
    declared = {} if op.declared is None else op.declared.attrs
    for name, (kind, value) in attrs.items():
        needed = AttrType[declared[name].type] if name in declared else COMMON_TYPES.get(name, kind)
        if (
            kind != needed
            and kind not in _STANDING_IN.get(needed, ())
            and not (value == [] and needed.name.endswith("S"))
        ):
            where = f"operator {op.type} in block {op.block.idx}"
            got = f"the type {kind.name}: {describe(value)}"
            fix = "The file may be damaged, or its operator another one of that name."
            raise FileFormatError(message(where, f"attribute {name!r}", got, f"the type {needed.name}", fix))
