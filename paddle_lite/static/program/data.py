"""Data Variables: the inputs of a Program, which are fed in each run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ShapeError, describe, message
from ...core.typing import Variable as VariableType
from ...ops.support.attributes import of_kind
from ...ops.support.require import is_number
from . import program as programs

__all__ = ["data", "layers_data"]


def data(name: str, shape: Sequence[int | None], dtype: Any = "float32", lod_level: int = 0) -> VariableType:
    """Return a Variable that must be fed when the Program runs; feeds must have this shape and dtype.

    Arguments:
        name: its name, the key in `feed`.
        shape: its shape, including the batch; None or -1 for dimensions of any size.
        dtype: its dtype.
        lod_level: the number of LoD levels of a feed.

    Returns:
        A Variable of the default main Program.

    Raises:
        ArgumentTypeError: `name` is not a string, or `shape` is not a list.
        ShapeError: the Program has a Variable of this name with another shape.
        ArgumentValueError: that Variable has another dtype or number of LoD levels.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     fluid.data('image', [None, 1, 28, 28]).shape
    (-1, 1, 28, 28)
    """
    return _data("data", name, shape, dtype, lod_level, VarType.LOD_TENSOR, True, checked=True)


def layers_data(
    name: str,
    shape: Sequence[int],
    append_batch_size: bool = True,
    dtype: Any = "float32",
    lod_level: int = 0,
    type: int = VarType.LOD_TENSOR,
    stop_gradient: bool = True,
) -> VariableType:
    """Return a Variable that must be fed when the Program runs; `shape` does not include the batch (`fluid.layers.data`).

    Arguments:
        name: its name, the key in `feed`.
        shape: its shape without the batch; if a size is -1 or None, the shape including the batch.
        append_batch_size: whether to prepend a dimension of any size to `shape`.
        dtype: its dtype.
        lod_level: the number of levels of sequences that a feed has.
        type: the VarType of the Variable.
        stop_gradient: whether gradients stop at it.

    Returns:
        A Variable of the default main Program.

    Raises:
        ArgumentTypeError: `name` is not a string, or `shape` is not a list.
        ShapeError: the Program has a Variable of this name with another shape.
        ArgumentValueError: that Variable has another dtype or number of LoD levels.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     fluid.layers.data('image', [1, 28, 28]).shape
    (-1, 1, 28, 28)
    """
    sizes = _sizes("layers.data", shape)
    if append_batch_size and all(n >= 0 for n in sizes):
        sizes = [-1, *sizes]
    return _data("layers.data", name, sizes, dtype, lod_level, type, stop_gradient, checked=False)


def _sizes(where: str, shape: Any) -> list[int]:
    if not isinstance(shape, (list, tuple)):
        raise ArgumentTypeError(message(where, "shape", describe(shape), "a list of sizes"))
    for n in shape:
        if n is not None and not (isinstance(n, (int, np.integer)) or is_number(n)):
            needs = "a list of sizes; None or -1 stands for any size"
            raise ArgumentTypeError(message(where, "shape", f"a list with {describe(n)}", needs))
    sizes = [-1 if n is None else int(n) for n in shape]
    if any(abs(n) >= 2**63 for n in sizes):
        raise ShapeError(message(where, "shape", sizes, "sizes below 2**63"))
    return sizes


def _data(
    where: str, name: Any, shape: Any, dtype: Any, lod_level: int, type: int, stop_gradient: bool, checked: bool
) -> VariableType:
    if not isinstance(name, str):
        raise ArgumentTypeError(message(where, "name", describe(name), "a name"))
    levels = 0 if lod_level is None else of_kind("INT", lod_level)
    if not isinstance(levels, int) or not 0 <= levels < 2**31:
        needs = "the number of levels of sequences, an int of 0 or more, below 2**31"
        raise ArgumentTypeError(message(where, "lod_level", describe(lod_level), needs))
    sizes = _sizes(where, shape)
    attributes = {
        "shape": sizes, "dtype": dtype, "lod_level": levels, "type": type, "stop_gradient": stop_gradient, "is_data": True,
        "need_check_feed": checked, "persistable": False,
    }  # fmt: skip
    return programs.default_main_program().global_block().declare_var(name=name, where=where, **attributes)
