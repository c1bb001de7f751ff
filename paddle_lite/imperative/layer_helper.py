"""`Layer._helper`: what layers of users' own call to run operators by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.mode import state
from ..ops.framework import registry

if TYPE_CHECKING:
    from .layer import Layer


class LayerObjectHelper:
    """Runs operators for a Layer; in a static Program it appends them.

    Arguments:
        layer: the Layer.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> class Twice(fluid.dygraph.Layer):
    ...     def forward(self, x):
    ...         out = self._helper.create_variable_for_type_inference(x.dtype)
    ...         self._helper.append_op(type='scale', inputs={'X': x}, outputs={'Out': out}, attrs={'scale': 2.0})
    ...         return self._helper.append_activation(out, act='relu')
    >>> with fluid.dygraph.guard():
    ...     Twice()(fluid.dygraph.to_variable(np.array([-1, 3], 'float32'))).numpy().tolist()
    [0.0, 6.0]
    """

    def __init__(self, layer: Layer) -> None:
        self._layer = layer

    @property
    def name(self) -> str:
        """The name of the Layer."""
        return self._layer.full_name()

    def create_parameter(
        self, attr: Any, shape: list[int], dtype: Any = None, is_bias: bool = False, default_initializer: Any = None
    ) -> Any:
        """Return a new parameter; assign it to an attribute of the Layer to register it.

        Arguments:
            attr: a ParamAttr, a name, an initializer, or False for no parameter. shape: its shape. dtype: its dtype.
            is_bias: whether it is a bias. default_initializer: used when `attr` has no initializer.
        """
        return self._layer.create_parameter(shape, attr, dtype, is_bias, default_initializer)

    def create_variable_for_type_inference(self, dtype: Any, stop_gradient: bool = False) -> Any:
        """Return a Variable for an operator to write."""
        key = f"{self.name}.tmp"
        return state.mode.empty_variable(None, key=key, dtype=dtype, stop_gradient=stop_gradient)

    def to_variable(self, value: Any, name: str | None = None) -> Any:
        """Return a Variable with the values of an ndarray; a Variable itself.

        Arguments:
            value: an ndarray or a Variable.
            name: the name of the Variable; None generates one.
        """
        from .base import to_variable

        return to_variable(value, name)

    def append_op(
        self, type: str, inputs: Any = None, outputs: Any = None, attrs: Any = None, stop_gradient: bool = False
    ) -> Any:
        """Run an operator and write its results into the Variables of `outputs`; in a static Program append it."""
        return state.mode.append_op(type, inputs, outputs, attrs, stop_gradient)

    def append_bias_op(
        self, input_var: Any, dim_start: int = 1, dim_end: int | None = None, bias_attr: Any = None
    ) -> Any:
        """Add a new bias of the sizes `dim_start` to `dim_end` of a Variable; return it as it is without `bias_attr`."""
        if not bias_attr:
            return input_var
        sizes = list(input_var.shape[dim_start:dim_end])
        bias = self.create_parameter(bias_attr, sizes, input_var.dtype, is_bias=True)
        return registry.get("elementwise_add").call(input_var, bias, axis=dim_start)

    def append_activation(
        self, input_var: Any, act: str | dict[str, Any] | None = None, use_cudnn: Any = None, use_mkl_dnn: Any = None
    ) -> Any:
        """Apply an activation, an operator's type or a dict with "type" and attributes; return the Variable without one."""
        if act is None:
            return input_var
        attrs = dict(act) if isinstance(act, dict) else {"type": act}
        return registry.get(attrs.pop("type"))(input_var, **attrs)
