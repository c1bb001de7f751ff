"""A parameter for code without a Layer, in either mode: `fluid.layers.create_parameter`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core import unique_name
from ...core.typing import Parameter
from ...params import create
from ...params.attr import ParamAttr

__all__ = ["create_parameter"]


def create_parameter(
    shape: Sequence[int],
    dtype: Any,
    name: str | None = None,
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Any = None,
) -> Parameter:
    """Create a parameter that belongs to no Layer; pass it to an optimizer, or to `Layer.add_parameter`.

    Arguments:
        shape: a list of positive ints.
        dtype: a dtype: its name, a NumPy dtype or a VarType.
        name: its name; where an `attr` without a name is given, the prefix of its generated name.
        attr: a ParamAttr, a name, an initializer, or False for no parameter.
        is_bias: whether it is a bias: initialised with 0 by default, and named "....b_N" rather than "....w_N".
        default_initializer: the initializer where `attr` has none; Xavier by default.

    Returns:
        A Parameter; None where `attr` is False.

    Raises:
        ShapeError: a size is unknown or not positive.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     parameter = fluid.layers.create_parameter([2, 3], 'float32')
    ...     print(parameter.name, parameter.shape, parameter.stop_gradient)
    create_parameter_0.w_0 [2, 3] False
    """
    prefix = unique_name.generate("create_parameter") if name is None else name
    chosen = ParamAttr(name=name) if attr is None else attr
    return create.create_parameter(shape, dtype, chosen, is_bias, default_initializer, prefix=prefix)
