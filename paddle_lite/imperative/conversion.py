"""Conversions of Variables for Python and other libraries: bool, int, float, len, iteration, arrays, DLPack, copies."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core import unique_name
from ..core.errors import ArgumentTypeError, ArgumentValueError, message
from ..core.host import to_host
from ..core.mode import state
from .indexing import getitem


def _one(x: Any, what: str, remedy: str = "Reduce it first, for example with layers.mean or layers.reduce_sum.") -> Any:
    if x.array.size != 1:
        raise ArgumentValueError(
            message(what, "Variable", f"{x.array.size} elements, shape {x.shape}", "one element", remedy)
        )
    state.mode.value_read(what)
    return to_host(x.array).reshape(-1)[0].item()


_MEANT = "Say what is meant: layers.reduce_all(x), layers.reduce_any(x), or x is not None."


class Conversions:
    """Mixin with the conversions of a Variable."""

    __slots__ = ()

    array: Any
    shape: Any
    __getitem__ = getitem

    def __bool__(self) -> bool:
        return bool(_one(self, "bool(Variable)", _MEANT))

    def __int__(self) -> int:
        return int(_one(self, "int(Variable)"))

    def __float__(self) -> float:
        return float(_one(self, "float(Variable)"))

    def __index__(self) -> int:
        if self.array.dtype.kind not in "iu":
            raise ArgumentTypeError(message("Variable as an index", "dtype", self.array.dtype, "an integer dtype"))
        return int(_one(self, "Variable as an index"))

    def __len__(self) -> int:
        if self.array.ndim == 0:
            raise ArgumentTypeError(message("len(Variable)", "Variable", "rank 0", "at least one dimension"))
        state.mode.size_read(self, "len(Variable)")
        return self.array.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (getitem(self, i) for i in range(len(self)))

    def __contains__(self, value: Any) -> bool:
        state.mode.value_read("value in Variable")
        return bool((to_host(self.array) == (to_host(value.array) if isinstance(value, Conversions) else value)).any())

    def __setitem__(self, key: Any, value: Any = None) -> None:
        raise ArgumentTypeError(
            "Variable[...] = value or del: Fluid has no assignment to parts of a Variable, since it would hide from the gradient. "
            "Build the value with concat, where or scatter, or change all of it with set_value()."
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        state.mode.value_read("np.array(Variable)")
        host = to_host(self.array)
        if dtype is not None and host.dtype != dtype:
            if copy is False:
                raise ValueError(f"Variable of dtype {host.dtype} cannot become {dtype} without a copy")
            return host.astype(dtype)
        return host.copy() if copy is not False and host is self.array else host

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()

    def item(self, *index: int) -> Any:
        """Return the one element as a Python number, or that at an index."""
        if index:
            state.mode.value_read("item()")
            return to_host(self.array).item(*index)
        return _one(self, "item()")

    def tolist(self) -> Any:
        """Return the values as nested lists of Python numbers."""
        state.mode.value_read("tolist()")
        return to_host(self.array).tolist()

    def __format__(self, spec: str) -> str:
        return format(_one(self, "format(Variable)"), spec) if spec else str(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _restored, (type(self), _kept(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        values = {name: copy.deepcopy(value, memo) for name, value in _kept(self).items()}
        if "_name" in values:
            values["_name"] = unique_name.generate(f"{values['_name']}_copy")
        return _restored(type(self), values)

    __delitem__ = __setitem__


NOT_COPIED = ("__dict__", "__weakref__", "_born", "_grad", "array", "node")


def _kept(x: Any) -> dict[str, Any]:
    """Return what a copy of a Variable gets: its array on the host and its attributes, without the gradient.

    Raises:
        ArgumentTypeError: the Variable was computed, and hangs on the tape.
    """
    if x.node is not None:
        raise ArgumentTypeError(
            f"copy.deepcopy or pickle of the Variable {x.name}: it was computed by operators, which are not copied with it. Copy its "
            "values, x.detach() or to_variable(x.numpy()). Parameters, Layers, optimizers and data are copied as they are."
        )
    slots = {name for kind in type(x).__mro__ for name in getattr(kind, "__slots__", ()) if name not in NOT_COPIED}
    values = {name: getattr(x, name) for name in sorted(slots) if hasattr(x, name)}
    return {**values, **getattr(x, "__dict__", {}), "array": to_host(x.array)}


def _restored(kind: type, values: dict[str, Any]) -> Any:
    """Return a Variable with these attributes; a parameter's name is taken, so that new parameters get other ones."""
    made: Any = object.__new__(kind)
    made.node = None
    for name, value in values.items():
        setattr(made, name, value)
    if getattr(made, "is_parameter", False):
        unique_name.take(values["_name"])
    return made
