"""Data types: conversions between NumPy dtypes, Paddle's VarType codes and the names of both."""

from __future__ import annotations

from collections.abc import Hashable
from enum import IntEnum
from typing import Any

import numpy as np

from .errors import DtypeError, message


class VarType(IntEnum):
    """Paddle's type codes (`fluid.core.VarDesc.VarType`), as they stand in a ProgramDesc.

    A data type also equals its NumPy name: `x.dtype == 'float32'`.
    """

    BOOL = 0
    INT16 = 1
    INT32 = 2
    INT64 = 3
    FP16 = 4
    FP32 = 5
    FP64 = 6
    LOD_TENSOR = 7
    SELECTED_ROWS = 8
    FEED_MINIBATCH = 9
    FETCH_LIST = 10
    STEP_SCOPES = 11
    LOD_RANK_TABLE = 12
    LOD_TENSOR_ARRAY = 13
    PLACE_LIST = 14
    READER = 15
    RAW = 17
    TUPLE = 18
    SIZE_T = 19
    UINT8 = 20
    INT8 = 21

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (str, type, np.dtype)):
            mine = _NUMPY.get(self)
            try:
                return mine is not None and mine == np.dtype(other)
            except TypeError:
                return False
        return int.__eq__(self, other) if isinstance(other, int) else NotImplemented

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    __hash__ = int.__hash__

    def __repr__(self) -> str:
        return f"VarType.{self.name}"

    __str__ = __repr__


_NUMPY: dict[int, np.dtype] = {
    VarType.BOOL: np.dtype("bool"),
    VarType.INT16: np.dtype("int16"),
    VarType.INT32: np.dtype("int32"),
    VarType.INT64: np.dtype("int64"),
    VarType.FP16: np.dtype("float16"),
    VarType.FP32: np.dtype("float32"),
    VarType.FP64: np.dtype("float64"),
    VarType.UINT8: np.dtype("uint8"),
    VarType.INT8: np.dtype("int8"),
}
_CODES: dict[np.dtype, VarType] = {dtype: VarType(code) for code, dtype in _NUMPY.items()}
_NAMES = {dtype: dtype.name for dtype in _CODES}  # cached, since NumPy builds the text anew at each access
_SPELLINGS: dict[Any, np.dtype] = {
    **_NUMPY,
    **{name.lower(): _NUMPY[code] for name, code in VarType.__members__.items() if code in _NUMPY},
}

SUPPORTED = tuple(sorted((d.name for d in _CODES), key=str))
NATIVE = frozenset(_CODES)
"""The dtypes that Paddle has, in the byte order of this machine; looking one up takes less time than its name."""
_OWN = {dtype: dtype for dtype in _CODES}
FLOATS = (np.dtype("float16"), np.dtype("float32"), np.dtype("float64"))


BFLOAT16 = ("bfloat16", "bf16", 22)  # with its number in Paddle's files


def in_own_dtype(array: Any) -> Any:
    """Return an array whose dtype is NumPy's own object for it, by which kernels are chosen; a view where it is another, equal one.

    Arrays out of a pickle, which processes send each other, have another one.

    >>> import pickle
    >>> array = pickle.loads(pickle.dumps(np.ones(2)))
    >>> in_own_dtype(array).dtype is np.dtype('float64')
    True
    """
    own = _OWN.get(array.dtype)
    return array if own is None or array.dtype is own else array.view(own)


def to_numpy(dtype: Any, where: str = "dtype") -> np.dtype:
    """Return the NumPy dtype for any spelling: 'float32', 'fp32', np.float32, np.dtype, VarType.FP32 or its code 5.

    >>> to_numpy('fp32'), to_numpy(VarType.INT64), to_numpy(np.float64)
    (dtype('float32'), dtype('int64'), dtype('float64'))
    """
    if dtype is not None and not isinstance(dtype, bool):
        try:
            found = _SPELLINGS.get(dtype)
            if found is None:
                found = np.dtype(dtype)
                if found not in _CODES:
                    found = None
                else:
                    _SPELLINGS[dtype] = found
        except (TypeError, ValueError):  # as of texts with surrogates
            found = None
        if found is not None:
            return found
    fix = (
        "Use float16 or float32: NumPy and CuPy have no bfloat16."
        if isinstance(dtype, Hashable) and dtype in BFLOAT16
        else ""
    )
    raise DtypeError(message(where, "dtype", repr(dtype), f"one of {', '.join(SUPPORTED)}, or its VarType", fix))


def to_vartype(dtype: Any, where: str = "dtype") -> VarType:
    """Return Paddle's code for any spelling of a dtype.

    >>> to_vartype('float32')
    VarType.FP32
    """
    return _CODES[to_numpy(dtype, where)]


_default = _NUMPY[VarType.FP32]  # what `set_default_dtype` said


def get_default_dtype() -> str:
    """Return the name of the dtype that functions of 2.0-alpha make where their `dtype` is None.

    >>> get_default_dtype()
    'float32'
    """
    return _default.name


def set_default_dtype(d: Any) -> None:
    """Set the dtype that functions of 2.0-alpha make where their `dtype` is None: `full`, `arange`, `rand`, `randn`.

    Layers, whose default is the argument dtype="float32", do not read it.

    Arguments:
        d: float16, float32 or float64: the name, a NumPy dtype or a VarType.

    Raises:
        DtypeError: `d` is no such dtype.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.framework.set_default_dtype('float64')
    >>> paddle.full([2], 1).dtype
    VarType.FP64
    >>> paddle.framework.set_default_dtype('float32')
    """
    global _default
    dtype = to_numpy(d, "set_default_dtype")
    if dtype.kind != "f":
        raise DtypeError(message("set_default_dtype", "d", dtype.name, "float16, float32 or float64"))
    _default = dtype


def name_of(dtype: Any) -> str:
    """Return the NumPy name of a dtype in any spelling; Fluid calls this `convert_dtype`.

    >>> name_of(VarType.FP32)
    'float32'
    """
    return _NAMES[to_numpy(dtype)]
