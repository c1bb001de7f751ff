"""Array access inside kernels through the addresses of Python objects: one call can process a hundred arrays.

Passing an array to a kernel costs a microsecond, and so does reading the address of its data in Python. `id(array)`
costs 25 ns and is the address of the array's object, whose first field behind the object header is the address of the
data (NumPy's C API has kept this layout since its first version).
"""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .numba_jit import Inline, inline
from .object_layout import DATA_AT, DIMS_AT, DTYPE_AT, FLAGS_AT, RANK_AT, TYPE_AT, require_known_layout

__all__ = ["array_at", "array_description", "match_description", "word_at"]

PLAIN = 0x101  # the flag bits of a C-contiguous and aligned array


class _Intrinsic(Inline):
    """A Python function that Numba replaces by an intrinsic, which reads an array's object in memory."""

    __slots__ = ()

    def lower(self, f: Any, arguments: Sequence[Any]) -> Any:
        """Write the instructions of a call."""
        from .compiler import addresses

        require_known_layout()
        return getattr(addresses, self.python.__name__.lstrip("_"))(f, *arguments)

    def build(self) -> Callable:
        """Return Numba's intrinsic."""
        require_known_layout()
        return _INTRINSICS[self.python.__name__]()

    def contents(self) -> Iterator[object]:
        """Yield what the machine code depends on: only the layout of array objects."""
        yield self.python.__name__, DATA_AT


def _array_at(address: int, size: int, like: Any) -> Any:
    """Return the array whose object is at `address`, flattened.

    It must be C-contiguous and have `size` elements of the dtype of the array `like`; this is not checked. The caller keeps
    it alive.
    """
    return ctypes.cast(int(address), ctypes.py_object).value.reshape(-1)


def _word_at(address: int) -> int:
    """Return the 8-byte integer at an address."""
    return ctypes.c_int64.from_address(int(address)).value


array_at: Any = _Intrinsic(_array_at, {})  # type: ignore[arg-type]
word_at: Any = _Intrinsic(_word_at, {})  # type: ignore[arg-type]


def array_description(shape: Sequence[int], dtype: np.dtype) -> list[int]:
    """Return the numbers that `match_description` compares: addresses of type and dtype, rank, sizes."""
    return [id(np.ndarray), id(dtype), len(shape), *shape]


@inline
def match_description(descriptions, at, address):
    """Compare the array whose object is at `address` with the description at index `at`.

    Return the index of the next description if type, dtype, rank and sizes match and the array is C-contiguous, else -1. The
    dtype must be the same object; an equal one does not match.
    """
    if word_at(address + TYPE_AT) != descriptions[at]:  # checked first: objects of other types may be shorter
        return -1
    rank = descriptions[at + 2]
    if word_at(address + RANK_AT) & 0xFFFFFFFF != rank or word_at(address + DTYPE_AT) != descriptions[at + 1]:
        return -1
    if word_at(address + FLAGS_AT) & PLAIN != PLAIN:
        return -1
    sizes = word_at(address + DIMS_AT)
    for d in range(rank):
        if word_at(sizes + 8 * d) != descriptions[at + 3 + d]:
            return -1
    return at + 3 + rank


def _word_intrinsic() -> Callable:
    """Return Numba's form of `word_at`."""
    extending, ir, types = map(importlib.import_module, ("numba.extending", "llvmlite.ir", "numba.core.types"))

    def word_at(typing, address):  # unannotated: Numba compares parameters by name
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(builder.inttoptr(args[0], ir.IntType(64).as_pointer()), align=4)

        return types.int64(types.int64), generate

    return extending.intrinsic(word_at)


def _array_intrinsic() -> Callable:
    """Return Numba's form of `array_at`."""
    extending, arrayobj, ir, types = map(
        importlib.import_module, ("numba.extending", "numba.np.arrayobj", "llvmlite.ir", "numba.core.types")
    )

    def array_at(typing, address, size, like):  # unannotated: Numba compares parameters by name
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

    return extending.intrinsic(array_at)


_INTRINSICS = {"_array_at": _array_intrinsic, "_word_at": _word_intrinsic}
