"""`Layer._helper`: what layers of users' own call to run operators by name."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, describe, message
from ..core.mode import state
from ..ops.framework import registry
from ..params.attr import to_attr
from ..params.create import create_parameter

if TYPE_CHECKING:
    from .layer import Layer


class LayerObjectHelper:
    """Runs operators for a Layer; in a static Program it appends them.

    Arguments:
        name: the Layer, or its full name.

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

    def __init__(self, name: Layer | str) -> None:
        self._of = name

    @property
    def name(self) -> str:
        """The name of the Layer."""
        return self._of if isinstance(self._of, str) else self._of.full_name()

    layer_type = name

    def iter_inputs_and_params(self, inputs_in: Any, param_attr_in: Any = None) -> Iterator[tuple[Any, Any]]:
        """Yield (input, ParamAttr) for each input.

        Arguments:
            inputs_in: a Variable or a list of them; None for none.
            param_attr_in: what `fluid.ParamAttr` stands for: one, of which each input gets a copy, or one for each.

        Raises:
            ArgumentTypeError: an input is no Variable.
            ArgumentValueError: there are more or fewer ParamAttrs than inputs, or `param_attr_in` is False.
        """
        where = f"{self.name}.iter_inputs_and_params"
        given = param_attr_in if isinstance(param_attr_in, (list, tuple)) else [param_attr_in]
        attrs = [to_attr(attr) for attr in given]
        if None in attrs:
            raise ArgumentValueError(message(where, "param_attr_in", "False", "a ParamAttr, for there is a parameter"))
        inputs = self._inputs(where, inputs_in)
        if len(attrs) == 1:
            attrs = [copy.copy(attrs[0]) for _ in inputs]
        if len(attrs) != len(inputs):
            needs = f"1 or {len(inputs)}, as there are inputs"
            raise ArgumentValueError(message(where, "param_attr_in", f"{len(attrs)} of them", needs))
        yield from zip(inputs, attrs, strict=True)

    def input_dtype(self, inputs_in: Any) -> Any:
        """Return the dtype of a Variable or of a list of them; None for none.

        Raises:
            ArgumentTypeError: an input is no Variable.
            DtypeError: they have different dtypes.
        """
        where = f"{self.name}.input_dtype"
        dtypes = list(dict.fromkeys(variable.dtype for variable in self._inputs(where, inputs_in)))
        if len(dtypes) > 1:
            raise DtypeError(message(where, "inputs_in", f"dtypes {dtypes[0]} and {dtypes[1]}", "one dtype"))
        return dtypes[0] if dtypes else None

    @staticmethod
    def _inputs(where: str, inputs_in: Any) -> list[Any]:
        inputs = list(inputs_in) if isinstance(inputs_in, (list, tuple)) else [inputs_in]
        for value in inputs if inputs_in is not None else ():
            if not hasattr(value, "stop_gradient"):
                raise ArgumentTypeError(message(where, "inputs_in", describe(value), "a Variable, or a list of them"))
        return inputs if inputs_in is not None else []

    def create_parameter(
        self, attr: Any, shape: list[int], dtype: Any = None, is_bias: bool = False, default_initializer: Any = None
    ) -> Any:
        """Return a new parameter; assign it to an attribute of the Layer to register it.

        Arguments:
            attr: a ParamAttr, a name, an initializer, or False for no parameter. shape: its shape. dtype: its dtype.
            is_bias: whether it is a bias. default_initializer: used when `attr` has no initializer.
        """
        if isinstance(self._of, str):
            return create_parameter(shape, dtype or "float32", attr, is_bias, default_initializer, prefix=self._of)
        return self._of.create_parameter(shape, attr, dtype, is_bias, default_initializer)

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
