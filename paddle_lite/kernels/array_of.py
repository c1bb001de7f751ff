"""Arrays inside kernels from the addresses of their Python objects: how one call works on a hundred arrays.

To hand an array to a kernel costs a microsecond, to ask one for the address of its data as much. `id(array)` costs 25 ns
and is where CPython keeps the array's object, whose first field behind the object's head is the address of its data (the
layout that NumPy's C API has promised since its first version).
"""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .numba_jit import Inline

__all__ = ["array_of"]

DATA_AT = object.__basicsize__  # behind the object's head


class _ArrayOf(Inline):
    """`array_of` in Python; for Numba an intrinsic that reads the address of the data."""

    __slots__ = ()

    def compiled(self) -> Callable:
        """The intrinsic."""
        if self._compiled is None:
            _check_layout()
            self._compiled = _intrinsic()
        return self._compiled

    def contents(self) -> Iterator[object]:
        """What machine code depends on: nothing but this layout."""
        yield "array_of", DATA_AT


def _array_of(address: int, size: int, like: Any) -> Any:
    """The array whose object is at `address`, flat.

    It has to be C-contiguous, with `size` elements of the dtype of the array `like`; nobody checks. The caller keeps it
    alive.
    """
    return ctypes.cast(int(address), ctypes.py_object).value.reshape(-1)


array_of: Any = _ArrayOf(_array_of, {})  # type: ignore[arg-type]


def _check_layout() -> None:
    """Raise if the data of an array is not where kernels will look for it."""
    probe = np.empty(1)
    if ctypes.c_void_p.from_address(id(probe) + DATA_AT).value != probe.ctypes.data:
        raise RuntimeError(
            "this Python or NumPy lays arrays out in an unknown way; set PADDLE_LITE_DISABLE_JIT=1 to run without Numba"
        )


def _intrinsic() -> Callable:
    """Numba's form of `array_of`."""
    extending, arrayobj, ir, types = map(
        importlib.import_module, ("numba.extending", "numba.np.arrayobj", "llvmlite.ir", "numba.core.types")
    )

    def array_of(typing, address, size, like):  # unannotated: Numba compares parameters by name
        result = types.Array(like.dtype, 1, "C")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            address, size, _ = args
            element = context.get_data_type(like.dtype)
            field = builder.add(address, ir.Constant(address.type, DATA_AT))
            data = builder.load(builder.inttoptr(field, element.as_pointer().as_pointer()))
            itemsize = context.get_constant(types.intp, context.get_abi_sizeof(element))
            array = context.make_array(result)(context, builder)
            arrayobj.populate_array(array, data=data, shape=[size], strides=[itemsize], itemsize=itemsize, meminfo=None)
            return array._getvalue()

        return result(types.intp, types.intp, like), generate

    return extending.intrinsic(array_of)
