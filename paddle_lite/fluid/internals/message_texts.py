"""Descriptions of Programs as short texts: `repr_op` and the like of `fluid.debugger`, for messages of framework.proto."""

from __future__ import annotations

import math
from typing import Any

from ...core.dtype import name_of
from ...core.errors import ArgumentValueError, message

__all__ = [
    "debug_string",
    "repr_attr",
    "repr_data_type",
    "repr_lodtensor",
    "repr_op",
    "repr_selected_rows",
    "repr_tensor",
    "repr_tensor_array",
    "repr_var",
]

DTYPES = ["bool", "int16", "int32", "int64", "float16", "float32", "float64"]
KINDS = [
    "UNK", "LoDTensor", "SelectedRows", "FeedMinibatch", "FetchList", "StepScopes", "LodRankTable", "LoDTensorArray",
    "PlaceList",
]  # fmt: skip
_FIELDS = ("i", "f", "s", "ints", "floats", "strings", "b", "bools", "block_idx", "l", "blocks_idx", "longs")
TEMPLATE = "{ttype} {name} ({reprs})"


def debug_string(proto: Any, throw_on_error: bool = True) -> str:
    """Return a message as text of protobuf.

    Arguments:
        proto: the message.
        throw_on_error: whether required fields must be set.

    Raises:
        ArgumentValueError: one is not.
    """
    missing = proto.FindInitializationErrors() if throw_on_error else []
    if missing:
        raise ArgumentValueError(
            message("_debug_string_", "proto", f"a message without {missing}", "all required fields")
        )
    return str(proto)


def repr_data_type(type: int) -> str:
    """Return the name of a dtype by its number."""
    return DTYPES[type] if type < len(DTYPES) else name_of(type)


def repr_tensor(proto: Any) -> str:
    """Return dtype and shape of a tensor's description."""
    return f"tensor(type={repr_data_type(int(proto.data_type))}, shape={list(proto.dims)})"


def repr_lodtensor(proto: Any) -> str | None:
    """Return the text of a Variable that holds a tensor, or None for another one."""
    return _text(proto, "LoDTensor", proto.type.lod_tensor.tensor) if proto.type.type == 7 else None


def repr_selected_rows(proto: Any) -> str | None:
    """Return the text of a Variable that holds rows of a tensor, or None for another one."""
    return _text(proto, "SelectedRows", proto.type.selected_rows) if proto.type.type == 8 else None


def repr_tensor_array(proto: Any) -> str | None:
    """Return the text of a Variable that holds a list of tensors, or None for another one."""
    return _text(proto, "TensorArray", proto.type.tensor_array.tensor) if proto.type.type == 13 else None


def _text(proto: Any, kind: str, tensor: Any) -> str:
    ttype = "Tensor" if kind == "LoDTensor" else kind
    return TEMPLATE.format(ttype=ttype, name=proto.name, reprs=repr_tensor(tensor))


type_handlers = [repr_lodtensor, repr_selected_rows, repr_tensor_array]


def repr_var(vardesc: Any) -> str | None:
    """Return the text of a Variable's description; None for one that holds no tensors."""
    return next((text for handler in type_handlers if (text := handler(vardesc)) is not None), None)


def repr_attr(desc: Any) -> tuple[str, tuple[str, Any]]:
    """Return the text of an attribute's description, its name and its value."""
    field = _FIELDS[desc.type] if desc.type < len(_FIELDS) else None
    value: Any = None if field is None else getattr(desc, field)
    value = list(value) if hasattr(value, "extend") else value
    return f"{desc.name}={value}", (desc.name, value)


def _repr_op_fill_constant(optype: str, inputs: Any, outputs: Any, attrs: dict[str, Any]) -> str | None:
    if optype != "fill_constant":
        return None
    [[_, [name]]] = outputs
    value, shape = attrs.get("value"), attrs.get("shape", [])
    return f"{name} = {value if math.prod(shape) == 1 else f'fill({value}, {list(shape)})'} [shape={list(shape)}]"


op_repr_handlers = [_repr_op_fill_constant]


def repr_op(opdesc: Any) -> str:
    """Return the text of an operator's description: results, type, arguments, attributes."""
    inputs, outputs = (
        [(each.parameter, list(each.arguments)) for each in side] for side in (opdesc.inputs, opdesc.outputs)
    )
    described = [repr_attr(attr) for attr in opdesc.attrs]
    for handler in op_repr_handlers:
        text = handler(opdesc.type, inputs, outputs, dict(pair for _, pair in described))
        if text is not None:
            return text
    results = ", ".join(name for _, names in outputs for name in names)
    arguments = ", ".join(f"{slot}={names[0] if len(names) == 1 else names}" for slot, names in inputs)
    attrs = ",".join(text for text, _ in described)
    return f"{results} = {opdesc.type}({arguments}) [{{{attrs}}}]"
