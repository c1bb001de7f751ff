"""Variables that translated functions are given: data of any size, constants."""

from __future__ import annotations

from typing import Any

from ....layers.shape.fill import fill_constant
from ....static.program.data import layers_data


def data_layer_not_check(name: str, shape: Any, dtype: Any = "float32", lod_level: int = 0) -> Any:
    """Declare a data Variable, which may be fed with an array of another shape.

    Arguments:
        name: its name.
        shape: its sizes; None or -1 for one that is not known.
        dtype: its dtype.
        lod_level: how many levels its LoD has.

    Returns:
        A Variable of the default main Program.

    Raises:
        ArgumentTypeError: `name` is not a string, or `shape` is not a list.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     data_layer_not_check('x', [None, 3]).shape
    (-1, 3)
    """
    return layers_data(name, shape, append_batch_size=False, dtype=dtype, lod_level=lod_level)


def to_static_variable(x: Any) -> Any:
    """Return a constant Variable for a bool, int or float; other values as they are.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     to_static_variable(3.0).dtype, to_static_variable('text')
    (VarType.FP64, 'text')
    """
    dtype = {bool: "bool", int: "int64", float: "float64"}.get(type(x))
    return x if dtype is None else fill_constant([1], dtype, x)
