"""LayerHelper: makes the parameters and results of a layer and runs its operators, in either mode."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from ...core import result_names, unique_name
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.mode import require_program, state
from ...ops.math import elementwise
from ...params.attr import ParamAttr, to_attr
from ...params.create import create_parameter
from ...static.program import program as programs
from .activation_by_name import activate
from .arguments import check_variable, variable_list
from .write_into import run


class LayerHelper:
    """Help to write a layer: make its parameters and Variables, run its operators, add its bias, apply its activation.

    In static mode, operators are appended to the default main Program, and parameters are initialised in the startup
    Program. In imperative mode, operators run at once.

    Arguments:
        layer_type: the type of the layer, the prefix of its generated name.
        kwargs: the layer's arguments; `name`, `param_attr`, `bias_attr`, `act` and `input` are read here.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.layer_helper import LayerHelper
    >>> def shortcut(x):
    ...     helper = LayerHelper("shortcut", act="relu")
    ...     out = helper.create_variable_for_type_inference(x.dtype)
    ...     helper.append_op(type="scale", inputs={"X": [x]}, outputs={"Out": [out]}, attrs={"scale": -2.0})
    ...     return helper.append_activation(out)
    >>> with fluid.dygraph.guard():
    ...     shortcut(fluid.dygraph.to_variable(np.array([-1., 2.], 'float32'))).numpy()
    array([2., 0.], dtype=float32)
    >>> with fluid.program_guard(fluid.Program()), fluid.unique_name.guard():
    ...     shortcut(fluid.data('x', [None, 3]))
    Variable shortcut_0.tmp_1: shape=[-1, 3], dtype=float32
    """

    def __init__(self, layer_type: str, **kwargs: Any) -> None:
        self.layer_type = layer_type
        self.kwargs = kwargs
        if kwargs.get("name") is None:
            kwargs["name"] = unique_name.generate(layer_type)

    @property
    def name(self) -> str:
        """The layer's name: the argument `name`, or a generated one."""
        return self.kwargs["name"]

    @property
    def main_program(self) -> Any:
        """The Program that operators are appended to."""
        return programs.default_main_program()

    @property
    def startup_program(self) -> Any:
        """The Program that initialises parameters."""
        return programs.default_startup_program()

    # --- the layer's arguments ----------------------------------------------------------------------------------------
    @property
    def param_attr(self) -> Any:
        """The ParamAttr in the argument `param_attr`, or the list of them."""
        return _attrs(self.kwargs.get("param_attr"))

    @property
    def bias_attr(self) -> Any:
        """The ParamAttr in the argument `bias_attr`; None where that is False."""
        return _attrs(self.kwargs.get("bias_attr"))

    def multiple_param_attr(self, length: int) -> list[Any]:
        """Return one ParamAttr for each of `length` inputs; a single given one is copied.

        Raises:
            ArgumentValueError: the number of given ParamAttrs is neither 1 nor `length`.
        """
        attrs = self.param_attr
        if not isinstance(attrs, list):
            return [copy.copy(attrs) for _ in range(length)]
        if len(attrs) == 1:
            return [copy.copy(attrs[0]) for _ in range(length)]
        if len(attrs) != length:
            raise ArgumentValueError(message(self._where, "param_attr", f"{len(attrs)} of them", f"1 or {length}"))
        return attrs

    def multiple_input(self, input_param_name: str = "input") -> list[Any]:
        """Return the Variables in the argument called `input_param_name`, as a list."""
        return variable_list(self._where, input_param_name, self.kwargs.get(input_param_name))

    def input(self, input_param_name: str = "input") -> Any:
        """Return the only Variable in the argument called `input_param_name`.

        Raises:
            ArgumentTypeError: the argument holds no Variable, or more than one.
        """
        found = self.multiple_input(input_param_name)
        if len(found) != 1:
            raise ArgumentTypeError(message(self._where, input_param_name, f"{len(found)} Variables", "one"))
        return found[0]

    def iter_inputs_and_params(self, input_param_name: str = "input") -> Iterator[tuple[Any, Any]]:
        """Yield (Variable, ParamAttr) for each of the inputs."""
        inputs = self.multiple_input(input_param_name)
        yield from zip(inputs, self.multiple_param_attr(len(inputs)), strict=True)

    def input_dtype(self, input_param_name: str = "input") -> Any:
        """Return the dtype of the Variables in the argument called `input_param_name`.

        Raises:
            ArgumentTypeError: the Variables have different dtypes.
        """
        first, *others = (variable.dtype for variable in self.multiple_input(input_param_name))
        for dtype in others:
            if dtype != first:
                raise ArgumentTypeError(
                    message(self._where, input_param_name, f"dtypes {first} and {dtype}", "one dtype")
                )
        return first

    def is_instance(self, param_name: str, cls: type) -> None:
        """Raise unless the argument called `param_name` is an instance of `cls`.

        Raises:
            ArgumentTypeError: it is not.
        """
        value = self.kwargs.get(param_name)
        if not isinstance(value, cls):
            raise ArgumentTypeError(message(self._where, param_name, describe(value), f"a {cls.__name__}"))

    @property
    def _where(self) -> str:
        return f"LayerHelper({self.layer_type!r})"

    # --- parameters and Variables -------------------------------------------------------------------------------------

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
        """Create a parameter whose name starts with the name of this layer.

        Arguments:
            attr: a ParamAttr, a name, an initializer, None for the defaults, or False for no parameter.
            shape: its shape.
            dtype: its dtype.
            is_bias: whether it is a bias: initialised with 0 by default, and named "....b_N" rather than "....w_N".
            default_initializer: the initializer where `attr` has none; Xavier by default.
            stop_gradient: whether it gets no gradient.
            type: accepted for Fluid code, ignored.

        Returns:
            A Parameter; None where `attr` is False.

        Raises:
            ShapeError: a size in `shape` is unknown or not positive.
        """
        parameter = create_parameter(shape, dtype, attr, is_bias, default_initializer, prefix=self.name)
        if stop_gradient and parameter is not None:
            parameter.stop_gradient = True
        return parameter

    def get_parameter(self, name: str) -> Any:
        """Return the parameter of this name from the main Program.

        Raises:
            ModeError: in imperative mode, where there is no main Program.
            MissingKeyError: the main Program has no such parameter.
        """
        self._needs_program("get_parameter")
        return self.main_program.global_block().var(name)

    def create_variable_for_type_inference(self, dtype: Any, stop_gradient: bool = False) -> Any:
        """Create a Variable for the output of an operator; inference of the operator sets its shape and dtype.

        Arguments:
            dtype: the dtype before an operator has set it.
            stop_gradient: whether gradients stop at it.

        Returns:
            A Variable whose name starts with the name of this layer.
        """
        return state.mode.empty_variable(None, key=self._key, dtype=dtype, stop_gradient=stop_gradient)

    create_tmp_variable = create_variable_for_type_inference

    def create_variable(self, name: str | None = None, **attributes: Any) -> Any:
        """Create a Variable in the current block.

        Arguments:
            name: its name; generated where it is None.
            attributes: dtype, shape, persistable, stop_gradient; in static mode any argument of Block.create_var.

        Returns:
            The Variable.
        """
        return state.mode.empty_variable(name, **attributes)

    def create_global_variable(self, persistable: bool = False, name: str | None = None, **attributes: Any) -> Any:
        """Create a Variable in the global block.

        Arguments:
            persistable: whether its value is kept from one run to the next.
            name: its name; generated where it is None.
            attributes: dtype, shape, stop_gradient; in static mode any argument of Block.create_var.

        Returns:
            The Variable.
        """
        return state.mode.empty_variable(name, outermost=True, persistable=persistable, **attributes)

    def create_or_get_global_variable(self, name: str, **attributes: Any) -> tuple[Any, bool]:
        """Return the Variable of this name in the global block; create it if there is none.

        Arguments:
            name: its name.
            attributes: for a new Variable: the arguments of `create_global_variable`.

        Returns:
            (the Variable, whether it is new).

        Raises:
            ModeError: in imperative mode, where Variables are not found by name.
        """
        self._needs_program("create_or_get_global_variable")
        block = self.main_program.global_block()
        if block.has_var(name):
            return block.var(name), False
        return self.create_global_variable(name=name, **attributes), True

    def set_variable_initializer(self, var: Any, initializer: Any) -> None:
        """Set the Initializer of a Variable: it runs with the startup Program, in imperative mode at once.

        Arguments:
            var: a Variable from `create_global_variable`.
            initializer: an Initializer, for example `fluid.initializer.Constant(0.)`.
        """
        state.mode.initialise(var, initializer)

    def _needs_program(self, call: str) -> None:
        require_program(f"LayerHelper.{call}: looks into the main Program, of which there is none in imperative mode.")

    # --- operators ----------------------------------------------------------------------------------------------------

    @property
    def _key(self) -> str:
        """The prefix of the names of this layer's results."""
        return f"{self.name}.tmp"

    def append_op(
        self, type: str, inputs: Any = None, outputs: Any = None, attrs: Any = None, stop_gradient: bool = False
    ) -> Any:
        """Append an operator to the current block; in imperative mode run it at once.

        Arguments:
            type: the type of the operator.
            inputs, outputs: for each slot a Variable or a list of Variables; those in `outputs` hold the results
                afterwards.
            attrs: attributes; omitted ones have their defaults.
            stop_gradient: whether gradients stop at its results.

        Returns:
            The Operator in static mode, None in imperative mode.
        """
        return state.mode.append_op(type, inputs, outputs, attrs, stop_gradient)

    def run(self, op: Any, *inputs: Any, **options: Any) -> Any:
        """Call an operator by its declaration and name its results after this layer; for the options see
        `write_into.run`.
        """
        options.setdefault("key", self._key)
        return run(op, *inputs, **options)

    def append_bias_op(self, input_var: Any, dim_start: int = 1, dim_end: int | None = None) -> Any:
        """Add a new bias parameter to `input_var`; return `input_var` itself where `bias_attr` is False.

        Arguments:
            input_var: a Variable.
            dim_start: the first dimension of `input_var` that the bias has, too.
            dim_end: the dimension after the last one of the bias; None for all to the end.

        Returns:
            A Variable of the shape and dtype of `input_var`.
        """
        check_variable("append_bias_op", "input_var", input_var)
        size = list(input_var.shape[dim_start:dim_end])
        bias = self.create_parameter(self.bias_attr or False, size, input_var.dtype, is_bias=True)
        return input_var if bias is None else self.run(elementwise.elementwise_add, input_var, bias, axis=dim_start)

    def append_activation(self, input_var: Any) -> Any:
        """Apply the activation that the argument `act` names; return `input_var` itself where there is none."""
        with result_names.results(self._key):
            return activate(check_variable("append_activation", "input_var", input_var), self.kwargs.get("act"))


def _attrs(value: Any) -> ParamAttr | list[ParamAttr | None] | None:
    """Convert a `param_attr` argument, or each entry of a list, to a ParamAttr."""
    return [to_attr(v) for v in value] if isinstance(value, (list, tuple)) else to_attr(value)
