"""Arrays of other libraries as Variables, without copies, through DLPack."""

from __future__ import annotations

from typing import Any

from ..core import unique_name
from ..core.errors import DtypeError, message
from ..core.mode import require_imperative
from .arrays import SUPPORTED, from_other_library
from .variable import Variable

CALL = "paddle.from_dlpack"


def from_dlpack(x: Any) -> Variable:
    """Return a Variable that shares the memory of an array of another library: a change of one is a change of the other.

    The other way is `torch.from_dlpack(variable)`, `numpy.from_dlpack(variable)`, `cupy.from_dlpack(variable)`.

    Args:
        x: an array of NumPy, PyTorch, CuPy, JAX or another library that supports DLPack, in memory that the place of the
            guard can reach; it may have strides.

    Returns:
        A Variable without a gradient.

    Raises:
        ArgumentTypeError: `x` does not support DLPack, or the place cannot reach its memory.
        DtypeError: Paddle does not have its dtype.
        ModeError: imperative mode is off.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = np.zeros(3, 'float32')
    >>> v = paddle.from_dlpack(x)
    >>> x[1] = 5
    >>> v.numpy().tolist(), np.shares_memory(np.from_dlpack(v), x)
    ([0.0, 5.0, 0.0], True)
    """
    require_imperative(CALL)
    array = from_other_library(x, CALL, "x")
    if array.dtype.name not in SUPPORTED:
        raise DtypeError(message(CALL, "x", f"dtype {array.dtype}", f"one of {', '.join(SUPPORTED)}"))
    return Variable(array, name=unique_name.generate("generated_var"))
