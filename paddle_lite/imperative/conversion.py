"""What Python and other libraries ask of a Variable: bool, int, float, len, iteration, arrays, DLPack, copies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, ArgumentValueError, message
from ..core.mode import state
from .indexing import getitem
from .variable import Variable, to_host, value_read


def _one(
    x: Variable, what: str, remedy: str = "Reduce it first, for example with layers.mean or layers.reduce_sum."
) -> Any:
    if x.array.size != 1:
        raise ArgumentValueError(
            message(what, "Variable", f"{x.array.size} elements, shape {x.shape}", "one element", remedy)
        )
    value_read(what)
    return to_host(x.array).reshape(-1)[0].item()


def _bool(self: Variable) -> bool:
    return bool(_one(self, "bool(Variable)", "Say what is meant: layers.reduce_all(x) or layers.reduce_any(x)."))


def _int(self: Variable) -> int:
    return int(_one(self, "int(Variable)"))


def _float(self: Variable) -> float:
    return float(_one(self, "float(Variable)"))


def _index(self: Variable) -> int:
    if self.array.dtype.kind not in "iu":
        raise ArgumentTypeError(message("Variable as an index", "dtype", self.array.dtype, "an integer dtype"))
    return int(_one(self, "Variable as an index"))


def _len(self: Variable) -> int:
    if self.array.ndim == 0:
        raise ArgumentTypeError(message("len(Variable)", "Variable", "rank 0", "at least one dimension"))
    told = getattr(state.recorder, "size_read", None)
    if told is not None:
        told(self, "len(Variable)")
    return self.array.shape[0]


def _iter(self: Variable) -> Iterator[Variable]:
    return (getitem(self, i) for i in range(_len(self)))


def _contains(self: Variable, value: Any) -> bool:
    value_read("value in Variable")
    return bool((to_host(self.array) == (to_host(value.array) if isinstance(value, Variable) else value)).any())


def _setitem(self: Variable, key: Any, value: Any = None) -> None:
    raise ArgumentTypeError(
        "Variable[...] = value or del: Fluid has no assignment to parts of a Variable, since it would hide from the gradient. "
        "Build the value with concat, where or scatter, or change all of it with set_value()."
    )


def _array(self: Variable, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
    value_read("np.array(Variable)")
    host = to_host(self.array)
    if dtype is not None and host.dtype != dtype:
        if copy is False:
            raise ValueError(f"Variable of dtype {host.dtype} cannot become {dtype} without a copy")
        return host.astype(dtype)
    return host.copy() if copy is not False and host is self.array else host


def _dlpack(self: Variable, **keywords: Any) -> Any:
    return self.array.__dlpack__(**keywords)


def _dlpack_device(self: Variable) -> tuple[int, int]:
    return self.array.__dlpack_device__()


def _format(self: Variable, spec: str) -> str:
    return format(_one(self, "format(Variable)"), spec) if spec else str(self)


def _refuse_copy(self: Variable, protocol: Any) -> Any:
    raise ArgumentTypeError(
        "copy.deepcopy or pickle of a Variable: it belongs to a computation, which cannot be copied. "
        "Copy its values with to_variable(v.numpy()); save a Layer with save_dygraph(layer.state_dict(), path)."
    )


def install() -> None:
    """Put the methods on Variable; imperative mode does it once."""
    for name, function in {
        "__bool__": _bool, "__int__": _int, "__float__": _float, "__index__": _index, "__len__": _len, "__iter__": _iter,
        "__contains__": _contains, "__getitem__": getitem, "__setitem__": _setitem,
        "__delitem__": _setitem, "__array__": _array, "__dlpack__": _dlpack,
        "__dlpack_device__": _dlpack_device, "__format__": _format, "__reduce_ex__": _refuse_copy,
    }.items():  # fmt: skip
        setattr(Variable, name, function)
