"""Conversions of Variables for Python and other libraries: bool, int, float, len, iteration, arrays, DLPack, copies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, ArgumentValueError, message
from ..core.mode import state
from .arrays import to_host
from .indexing import getitem


def _one(x: Any, what: str, remedy: str = "Reduce it first, for example with layers.mean or layers.reduce_sum.") -> Any:
    if x.array.size != 1:
        raise ArgumentValueError(
            message(what, "Variable", f"{x.array.size} elements, shape {x.shape}", "one element", remedy)
        )
    state.mode.value_read(what)
    return to_host(x.array).reshape(-1)[0].item()


class Conversions:
    """Mixin with the conversions of a Variable."""

    __slots__ = ()

    array: Any
    shape: Any
    __getitem__ = getitem

    def __bool__(self) -> bool:
        return bool(_one(self, "bool(Variable)", "Say what is meant: layers.reduce_all(x) or layers.reduce_any(x)."))

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

    def __format__(self, spec: str) -> str:
        return format(_one(self, "format(Variable)"), spec) if spec else str(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise ArgumentTypeError(
            "copy.deepcopy or pickle of a Variable: it belongs to a computation, which cannot be copied. "
            "Copy its values with to_variable(v.numpy()); save a Layer with save_dygraph(layer.state_dict(), path)."
        )

    __delitem__ = __setitem__
