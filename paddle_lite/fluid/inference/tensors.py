"""The tensors that go into a predictor and come out of it."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, DtypeError, describe, message
from ...core.place import CPUPlace
from ...core.tensor import LoDTensor

__all__ = [
    "PaddleBuf",
    "PaddleDType",
    "PaddlePlace",
    "PaddleTensor",
    "ZeroCopyTensor",
    "paddle_dtype_size",
    "paddle_tensor_to_bytes",
]


class PaddleDType(IntEnum):
    """The dtypes of tensors of a predictor."""

    FLOAT32 = 0
    INT64 = 1
    INT32 = 2

    def __repr__(self) -> str:
        return f"PaddleDType.{self.name}"

    __str__ = __repr__


class PaddlePlace(IntEnum):
    """Where a predictor's tensor is."""

    UNK = -1
    CPU = 0
    GPU = 1

    def __repr__(self) -> str:
        return f"PaddlePlace.{self.name}"

    __str__ = __repr__


_CODES = {np.dtype("float32"): PaddleDType.FLOAT32, np.dtype("int64"): PaddleDType.INT64, np.dtype("int32"): PaddleDType.INT32}  # fmt: skip
_DTYPES: dict[int, Any] = {code: dtype for dtype, code in _CODES.items()}


def paddle_dtype_size(dtype: PaddleDType) -> int:
    """Return the number of bytes of an element."""
    return int(_DTYPES[dtype].itemsize)


def _array(where: str, data: Any) -> np.ndarray:
    """Return an array of one of the three dtypes; lists of Python's numbers become float32 or int64.

    Raises:
        ArgumentTypeError: it is no array of numbers.
        DtypeError: it has another dtype.
    """
    array = np.asarray(data)
    if array.dtype.kind not in "iufb":
        raise ArgumentTypeError(message(where, "data", describe(data), "an array of numbers"))
    if isinstance(data, (list, tuple)):
        array = array.astype("float32" if array.dtype.kind == "f" else "int64")
    if array.dtype not in _CODES:
        needs = "float32, int32 or int64"
        raise DtypeError(message(where, "data", f"dtype {array.dtype}", needs, "Convert it: a.astype('float32')."))
    return array


class PaddleBuf:
    """The memory of a PaddleTensor.

    Arguments:
        data: an array of float32, int32 or int64.

    Raises:
        ArgumentTypeError, DtypeError: it is another one.
    """

    def __init__(self, data: Any = ()) -> None:
        self.array = _array("PaddleBuf", data)

    def empty(self) -> bool:
        """Return whether it holds nothing."""
        return self.array.size == 0

    def length(self) -> int:
        """Return the number of bytes."""
        return int(self.array.nbytes)

    def reset(self, data: Any) -> None:
        """Replace the contents."""
        self.array = _array("PaddleBuf.reset", data)

    def resize(self, length: int) -> None:
        """Make room for so many bytes."""
        self.array = np.zeros(length // self.array.itemsize, self.array.dtype)

    def float_data(self) -> list[float]:
        """Return the numbers as floats."""
        return [float(number) for number in self.array.ravel()]

    def int64_data(self) -> list[int]:
        """Return the numbers as ints."""
        return [int(number) for number in self.array.ravel()]

    int32_data = int64_data

    def tolist(self, dtype: str) -> list[Any]:
        """Return the numbers as a list of this dtype."""
        return self.array.ravel().astype(dtype).tolist()


class PaddleTensor:
    """An input or output of a predictor: `name`, `shape`, `dtype`, `lod` and `data`, a PaddleBuf.

    Arguments:
        data: an array of float32, int32 or int64.
        name: the name of the input.
        lod: the LoD as offsets, a list a level.
        copy: copy the array.

    Raises:
        ArgumentTypeError, DtypeError: `data` is another one.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> tensor = fluid.core.PaddleTensor(np.ones([2, 3], 'float32'), name='x')
    >>> tensor.name, tensor.shape, tensor.dtype, tensor.data.length()
    ('x', [2, 3], PaddleDType.FLOAT32, 24)
    """

    def __init__(self, data: Any = None, name: str = "", lod: Sequence[Sequence[int]] = (), copy: bool = True) -> None:
        array = np.zeros(0, "float32") if data is None else _array("PaddleTensor", data)
        self.name = name
        self.lod = [list(level) for level in lod]
        self.data = PaddleBuf(np.array(array) if copy else array)
        self.shape: list[int] = [] if data is None else list(array.shape)
        self.dtype = _CODES[array.dtype]

    def as_ndarray(self) -> np.ndarray:
        """Return the values as an array of `shape` and `dtype`."""
        return self.data.array.astype(_DTYPES[self.dtype], copy=False).reshape(self.shape)


def paddle_tensor_to_bytes(tensor: PaddleTensor) -> bytes:
    """Return the name, LoD, shape, dtype and numbers of a tensor as bytes.

    Raises:
        ArgumentTypeError: it is no PaddleTensor.
    """
    if not isinstance(tensor, PaddleTensor):
        raise ArgumentTypeError(message("paddle_tensor_to_bytes", "tensor", describe(tensor), "a PaddleTensor"))
    name, numbers = tensor.name.encode(), tensor.data.array.tobytes()
    made = struct.pack("<IQ", 0, len(name)) + name + struct.pack("<Q", len(tensor.lod))
    for level in tensor.lod:
        made += struct.pack(f"<Q{len(level)}Q", 8 * len(level), *level)
    made += struct.pack(f"<Q{len(tensor.shape)}i", len(tensor.shape), *tensor.shape)
    return made + struct.pack("<iQ", int(tensor.dtype), len(numbers)) + numbers


class ZeroCopyTensor:
    """An input of `zero_copy_run`, or an output of the last one.

    Arguments:
        name: its name.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.held = LoDTensor()
        self._shape: list[int] | None = None
        self._lod: list[list[int]] = []

    def reshape(self, shape: Sequence[int]) -> None:
        """Set the shape of the array that `copy_from_cpu` takes."""
        self._shape = list(shape)

    def copy_from_cpu(self, data: Any) -> None:
        """Set the value to an array.

        Raises:
            ArgumentTypeError, DtypeError: it is no array of float32, int32 or int64.
        """
        array = _array(f"ZeroCopyTensor {self.name}", data)
        self.held.set(array if self._shape is None else array.reshape(self._shape), CPUPlace())
        self._shape = None
        self.held.set_lod(self._lod)

    def copy_to_cpu(self) -> np.ndarray:
        """Return the value as a new array."""
        return np.array(self.held)

    def shape(self) -> list[int]:
        """Return the shape of the value."""
        return self.held.shape()

    def type(self) -> PaddleDType:
        """Return the dtype of the value."""
        return _CODES[np.asarray(self.held).dtype]

    def lod(self) -> list[list[int]]:
        """Return the LoD as offsets."""
        return self.held.lod()

    def set_lod(self, lod: Sequence[Sequence[int]]) -> None:
        """Set the LoD as offsets; `copy_from_cpu` follows."""
        self._lod = [list(level) for level in lod]
        if self.held._is_initialized():
            self.held.set_lod(self._lod)
