"""Descriptions of operators as messages: `fluid.op.OpDescCreationMethod` and what goes with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, ArgumentValueError, WrongCall, describe, message
from ...static.proto import AttrType, attr_to_proto

__all__ = ["OpDescCreationMethod", "OpInfo", "info_of", "is_str"]


class OpInfo:
    """What `fluid.op` knows of an operator.

    Arguments:
        name: its type.
        method: the function that makes one.
        inputs, outputs: the slots, as (name, whether it holds a list).
        attrs: the names of the attributes.
    """

    def __init__(
        self, name: str, method: Any, inputs: list[tuple[str, bool]], outputs: list[tuple[str, bool]], attrs: list[str]
    ) -> None:
        self.name, self.method, self.inputs, self.outputs, self.attrs = name, method, inputs, outputs, attrs


def info_of(proto: Any, method: Callable[..., Any]) -> OpInfo:
    """Return what a message OpProto says of an operator."""
    if not all(hasattr(proto, each) for each in ("type", "inputs", "outputs", "attrs")):
        fix = "fluid.op.get_all_op_protos() returns them."
        raise ArgumentTypeError(message("fluid.op", "op_proto", describe(proto), "a message OpProto", fix))
    inputs, outputs = ([(slot.name, slot.duplicable) for slot in side] for side in (proto.inputs, proto.outputs))
    return OpInfo(proto.type, method, inputs, outputs, [attr.name for attr in proto.attrs])


class OpDescCreationMethod:
    """Makes descriptions of operators of one type: `method(X='x', Out='out', scale=2.0)` returns a message OpDesc.

    Arguments:
        op_proto: a message OpProto of `fluid.proto.framework_pb2`.

    Raises:
        ArgumentTypeError: `op_proto` is something else.

    >>> from paddle_lite.fluid import op
    >>> [mean] = [proto for proto in op.get_all_op_protos() if proto.type == 'mean']
    >>> desc = op.OpDescCreationMethod(mean)(X='x', Out='out')
    >>> desc.type, list(desc.inputs[0].arguments)
    ('mean', ['x'])
    """

    def __init__(self, op_proto: Any) -> None:
        from ...static.proto.messages import OpProto

        if not isinstance(op_proto, OpProto):
            raise ArgumentTypeError(message("OpDescCreationMethod", "op_proto", describe(op_proto), "an OpProto"))
        self._proto = op_proto

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return a message OpDesc.

        Arguments:
            kwargs: for each slot a name or a list of names; attributes.

        Raises:
            ArgumentValueError: an argument is given without keyword, or a slot takes one name only.
            ArgumentTypeError: a slot holds something other than names, or a value is not of its attribute's type.
        """
        from ...static.proto.messages import OpDesc

        where = f"OpDescCreationMethod({self._proto.type})"
        if args:
            raise ArgumentValueError(message(where, "arguments", f"{len(args)} without keyword", "keywords only"))
        desc = OpDesc(type=self._proto.type)
        for made, slots in ((desc.inputs, self._proto.inputs), (desc.outputs, self._proto.outputs)):
            for slot in slots:
                names = names_of(where, slot.name, kwargs.get(slot.name, []), slot.duplicable)
                made.add(parameter=slot.name, arguments=names)
        for attr in self._proto.attrs:
            value = kwargs.get(attr.name)
            if value is not None and not attr.generated:
                value = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
                desc.attrs.append(attr_to_proto(attr.name, AttrType(attr.type), value, self._proto.type))
        return desc

    @staticmethod
    def any_is_true(generator: Iterable[Any]) -> bool:
        """Return whether any of the values is true."""
        return any(generator)


def names_of(where: str, slot: str, value: Any, many: bool) -> list[str]:
    """Return the names in a slot, a name or a list of names.

    Raises:
        ArgumentTypeError: the slot holds something else.
        ArgumentValueError: it holds several names, but takes one.
    """
    names = [value] if isinstance(value, str) else list(value) if isinstance(value, Iterable) else None
    if names is None or not all(isinstance(name, str) for name in names):
        raise ArgumentTypeError(message(where, slot, describe(value), "a name or a list of names"))
    if len(names) > 1 and not many:
        raise ArgumentValueError(message(where, slot, f"{len(names)} names", "one"))
    return names


def is_str(s: Any) -> bool:
    """Return whether a value is a string.

    >>> from paddle_lite.fluid import op
    >>> op.is_str('x'), op.is_str(b'x')
    (True, False)
    """
    return isinstance(s, str)


class _NoClass(ArgumentTypeError, AttributeError):
    """The class of an operator that 1.8.5's library does not have, which it says by an AttributeError."""


class _Unregistered:
    """A call of `fluid.op` that makes no operator, as in 1.8.5, whose library has no prototype or no class for it.

    Attributes:
        type: the type of the operator.
    """

    def __init__(self, type: str, error: type[WrongCall], instead: str) -> None:
        self.type, self._error, self._instead = type, error, instead

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Raise the error.

        Raises:
            ArgumentTypeError: an AttributeError, too, for "recurrent".
            ArgumentValueError: an argument of "recurrent" has no keyword.
        """
        if args and issubclass(self._error, AttributeError):
            got = f"{len(args)} without keyword"
            raise ArgumentValueError(message(f"fluid.op.{self.type}", "arguments", got, "keywords only"))
        raise self._error(
            f"fluid.op: no operator of the type {self.type!r} can be made by a call. Call {self._instead}."
        )


CondOp = _Unregistered("cond", ArgumentTypeError, "fluid.layers.cond")
DynamicRecurrentOp = _Unregistered("dynamic_recurrent", ArgumentTypeError, "fluid.layers.DynamicRNN")
RecurrentOp = _Unregistered("recurrent", _NoClass, "fluid.layers.StaticRNN")


def last_operator() -> Any:
    """Return the message OpProto of the last operator that 1.8.5's loop over the operators of `layers.nn` makes functions of."""
    from .operators import get_all_op_protos

    return next(proto for proto in get_all_op_protos() if proto.type == "elementwise_floordiv")


def last_activation() -> str:
    """Return the last type in 1.8.5's list of the activations of `layers.ops`."""
    return "atan"
