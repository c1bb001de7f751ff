"""LayerHelper: what layers of a user's own take parameters, a bias and an activation from."""

from __future__ import annotations

from typing import Any

from ..core import unique_name
from ..core.errors import ArgumentTypeError, message
from ..imperative.variable import require_imperative
from ..ops import elementwise
from ..params.attr import ParamAttr, to_attr
from ..params.create import create_parameter
from .activate import activate
from .arguments import check_variable, variables


class LayerHelper:
    """Helps to write a layer: makes its parameters, adds its bias, applies its activation.

    Building operators of a static Program with it (`append_op`) is not yet available.

    Arguments:
        layer_type: the kind of layer, what its name starts with.
        kwargs: the layer's own arguments; `name`, `param_attr`, `bias_attr`, `act` and `input` mean something here.

    Raises:
        ModeError: outside of imperative mode.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.layer_helper import LayerHelper
    >>> with fluid.dygraph.guard():
    ...     helper = LayerHelper("shortcut", act="relu")
    ...     y = helper.append_activation(fluid.dygraph.to_variable(np.array([-1., 2.], 'float32')))
    ...     print(helper.name, y.numpy())
    shortcut_0 [0. 2.]
    """

    def __init__(self, layer_type: str, **kwargs: Any) -> None:
        require_imperative("LayerHelper")
        self.layer_type = layer_type
        self.kwargs = kwargs
        if kwargs.get("name") is None:
            kwargs["name"] = unique_name.generate(layer_type)

    @property
    def name(self) -> str:
        """The layer's name: the argument `name`, or one that is made up."""
        return self.kwargs["name"]

    @property
    def param_attr(self) -> Any:
        """The ParamAttr in the argument `param_attr`, or the list of them."""
        return _attrs(self.kwargs.get("param_attr"))

    @property
    def bias_attr(self) -> Any:
        """The ParamAttr in the argument `bias_attr`; None where it is False."""
        return _attrs(self.kwargs.get("bias_attr"))

    def create_parameter(
        self,
        attr: Any,
        shape: list[int],
        dtype: Any,
        is_bias: bool = False,
        default_initializer: Any = None,
        stop_gradient: bool = False,
        type: Any = None,
    ) -> Any:
        """A new parameter, named after this layer.

        Arguments:
            attr: a ParamAttr, a name, an initializer, None, or False for no parameter.
            shape: its shape.
            dtype: its dtype.
            is_bias: initialised with 0 unless `attr` says otherwise, and named "....b_N" rather than "....w_N".
            default_initializer: used where `attr` names none; Xavier by default.
            stop_gradient: whether it is left out of gradients.
            type: kept for Fluid code.

        Returns:
            A Parameter; None where `attr` is False.
        """
        parameter = create_parameter(shape, dtype, attr, is_bias, default_initializer, prefix=self.name)
        if stop_gradient and parameter is not None:
            parameter.stop_gradient = True
        return parameter

    def append_bias_op(self, input_var: Any, dim_start: int = 1, dim_end: int | None = None) -> Any:
        """`input_var` plus a new bias of its dimensions dim_start to dim_end; as it is where `bias_attr` is False.

        Arguments:
            input_var: a Variable.
            dim_start: the first dimension that the bias has.
            dim_end: the one after the last; the bias has all to the end where it is None.
        """
        check_variable("append_bias_op", "input_var", input_var)
        size = list(input_var.shape[dim_start:dim_end])
        bias = self.create_parameter(self.bias_attr or False, size, input_var.dtype, is_bias=True)
        return input_var if bias is None else elementwise.elementwise_add.call(input_var, bias, axis=dim_start)

    def append_activation(self, input_var: Any) -> Any:
        """`input_var` through the activation that the argument `act` names; as it is where there is none."""
        return activate(check_variable("append_activation", "input_var", input_var), self.kwargs.get("act"))

    def multiple_input(self, input_param_name: str = "input") -> list[Any]:
        """The Variables in the argument called `input_param_name`, as a list."""
        return variables(f"LayerHelper({self.layer_type!r})", input_param_name, self.kwargs.get(input_param_name))

    def input(self, input_param_name: str = "input") -> Any:
        """The one Variable in the argument called `input_param_name`.

        Raises:
            ArgumentTypeError: there is none, or more than one.
        """
        found = self.multiple_input(input_param_name)
        if len(found) != 1:
            where = f"LayerHelper({self.layer_type!r})"
            raise ArgumentTypeError(message(where, input_param_name, f"{len(found)} Variables", "one"))
        return found[0]

    def input_dtype(self, input_param_name: str = "input") -> Any:
        """The dtype that all Variables in the argument called `input_param_name` have.

        Raises:
            ArgumentTypeError: they have several.
        """
        first, *others = (variable.dtype for variable in self.multiple_input(input_param_name))
        for dtype in others:
            if dtype != first:
                where = f"LayerHelper({self.layer_type!r})"
                raise ArgumentTypeError(message(where, input_param_name, f"dtypes {first} and {dtype}", "one dtype"))
        return first


def _attrs(value: Any) -> ParamAttr | list[ParamAttr | None] | None:
    return [to_attr(v) for v in value] if isinstance(value, (list, tuple)) else to_attr(value)
