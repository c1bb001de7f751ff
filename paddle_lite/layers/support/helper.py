"""LayerHelper: what layers take parameters, Variables, operators, a bias and an activation from, in every mode."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from ...core import result_names, unique_name
from ...core.errors import ArgumentTypeError, ArgumentValueError, ModeError, describe, message
from ...core.mode import in_imperative_mode
from ...imperative import building
from ...ops.math import elementwise
from ...params.attr import ParamAttr, to_attr
from ...params.create import create_parameter
from ...static.program import program as programs
from ...static.program.block import initialise
from .activation_by_name import activate
from .arguments import check_variable, variables
from .write_into import run


class LayerHelper:
    """Helps to write a layer: makes its parameters and Variables, runs its operators, adds its bias, applies its activation.

    In static mode operators are appended to the default main Program and parameters initialised in the startup Program;
    in imperative mode operators run at once.

    Arguments:
        layer_type: the kind of layer, what its name starts with.
        kwargs: the layer's own arguments; `name`, `param_attr`, `bias_attr`, `act` and `input` mean something here.

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
        """The layer's name: the argument `name`, or one that is made up."""
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
        """The ParamAttr in the argument `bias_attr`; None where it is False."""
        return _attrs(self.kwargs.get("bias_attr"))

    def multiple_param_attr(self, length: int) -> list[Any]:
        """A ParamAttr for each of `length` inputs: the ones given, or copies of the only one.

        Raises:
            ArgumentValueError: there is another number of them.
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
        """The Variables in the argument called `input_param_name`, as a list."""
        return variables(self._where, input_param_name, self.kwargs.get(input_param_name))

    def input(self, input_param_name: str = "input") -> Any:
        """The one Variable in the argument called `input_param_name`.

        Raises:
            ArgumentTypeError: there is none, or more than one.
        """
        found = self.multiple_input(input_param_name)
        if len(found) != 1:
            raise ArgumentTypeError(message(self._where, input_param_name, f"{len(found)} Variables", "one"))
        return found[0]

    def iter_inputs_and_params(self, input_param_name: str = "input") -> Iterator[tuple[Any, Any]]:
        """(Variable, ParamAttr) for each of the inputs."""
        inputs = self.multiple_input(input_param_name)
        yield from zip(inputs, self.multiple_param_attr(len(inputs)), strict=True)

    def input_dtype(self, input_param_name: str = "input") -> Any:
        """The dtype that all Variables in the argument called `input_param_name` have.

        Raises:
            ArgumentTypeError: they have several.
        """
        first, *others = (variable.dtype for variable in self.multiple_input(input_param_name))
        for dtype in others:
            if dtype != first:
                raise ArgumentTypeError(
                    message(self._where, input_param_name, f"dtypes {first} and {dtype}", "one dtype")
                )
        return first

    def is_instance(self, param_name: str, cls: type) -> None:
        """Raise unless the argument called `param_name` is of a class.

        Raises:
            ArgumentTypeError: it is of another one.
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

    def get_parameter(self, name: str) -> Any:
        """The parameter of this name in the main Program.

        Raises:
            MissingKeyError: there is none.
        """
        self._needs_program("get_parameter")
        return self.main_program.global_block().var(name)

    def create_variable_for_type_inference(self, dtype: Any, stop_gradient: bool = False) -> Any:
        """A new Variable, named after this layer, that an operator is to fill: shape and dtype are what it gives.

        Arguments:
            dtype: its dtype until then.
            stop_gradient: whether gradients end here.
        """
        if in_imperative_mode():
            return building.create_variable(None, dtype, stop_gradient=stop_gradient)
        return self.main_program.current_block().create_var(
            name=unique_name.generate(self._key), dtype=dtype, stop_gradient=stop_gradient
        )

    create_tmp_variable = create_variable_for_type_inference

    def create_variable(self, name: str | None = None, **attributes: Any) -> Any:
        """A new Variable of the current block.

        Arguments:
            name: its name; made up when None.
            attributes: dtype, shape, persistable, stop_gradient; in static mode also what Block.create_var takes.
        """
        if in_imperative_mode():
            return building.create_variable(name, **_understood(attributes))
        return self.main_program.current_block().create_var(name=name, **attributes)

    def create_global_variable(self, persistable: bool = False, name: str | None = None, **attributes: Any) -> Any:
        """A new Variable of the first block, which keeps its value between runs if it is persistable.

        Arguments:
            persistable: whether it does.
            name: its name; made up when None.
            attributes: dtype, shape, stop_gradient; in static mode also what Block.create_var takes.
        """
        if in_imperative_mode():
            return building.create_variable(name, persistable=persistable, **_understood(attributes))
        return self.main_program.global_block().create_var(name=name, persistable=persistable, **attributes)

    def create_or_get_global_variable(self, name: str, **attributes: Any) -> tuple[Any, bool]:
        """(The Variable of this name in the first block, whether it is new).

        Arguments:
            name: its name.
            attributes: what `create_global_variable` takes, for a new one.

        Raises:
            ModeError: in imperative mode, where Variables are not found by name.
        """
        self._needs_program("create_or_get_global_variable")
        block = self.main_program.global_block()
        if block.has_var(name):
            return block.var(name), False
        return self.create_global_variable(name=name, **attributes), True

    def set_variable_initializer(self, var: Any, initializer: Any) -> None:
        """Let an Initializer fill a Variable: when the startup Program runs, or in imperative mode at once.

        Arguments:
            var: what `create_global_variable` made.
            initializer: an Initializer, for example `fluid.initializer.Constant(0.)`.
        """
        if in_imperative_mode():
            building.initialise(var, initializer)
            return
        block = self.startup_program.global_block()
        held = block.create_var(name=var.name, type=var.type, dtype=var.dtype, shape=var.shape, persistable=True)
        initialise(block, held, initializer)

    def _needs_program(self, call: str) -> None:
        if in_imperative_mode():
            raise ModeError(
                f"LayerHelper.{call}: looks into the main Program, of which there is none in imperative mode."
            )

    # --- operators ----------------------------------------------------------------------------------------------------

    @property
    def _key(self) -> str:
        """The key of the names of this layer's results."""
        return f"{self.name}.tmp"

    def append_op(
        self, type: str, inputs: Any = None, outputs: Any = None, attrs: Any = None, stop_gradient: bool = False
    ) -> Any:
        """Append an operator to the current block; in imperative mode run it at once.

        Arguments:
            type: of the operator.
            inputs, outputs: a Variable or a list of them for each slot; those in `outputs` become the results.
            attrs: attributes; those that are left out have their defaults.
            stop_gradient: whether gradients end at its results.

        Returns:
            The Operator in static mode, None in imperative mode.
        """
        if in_imperative_mode():
            return building.append_op(type, inputs, outputs, attrs, stop_gradient)
        return self.main_program.current_block().append_op(type, inputs, outputs, attrs, stop_gradient)

    def run(self, op: Any, *inputs: Any, **options: Any) -> Any:
        """Call an operator by its declaration; its results are named after this layer. See `running.run`."""
        options.setdefault("key", self._key)
        return run(op, *inputs, **options)

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
        return input_var if bias is None else self.run(elementwise.elementwise_add, input_var, bias, axis=dim_start)

    def append_activation(self, input_var: Any) -> Any:
        """`input_var` through the activation that the argument `act` names; as it is where there is none."""
        with result_names.results(self._key):
            return activate(check_variable("append_activation", "input_var", input_var), self.kwargs.get("act"))


def _attrs(value: Any) -> ParamAttr | list[ParamAttr | None] | None:
    return [to_attr(v) for v in value] if isinstance(value, (list, tuple)) else to_attr(value)


def _understood(attributes: dict[str, Any]) -> dict[str, Any]:
    """Those of Block.create_var's attributes that mean something in imperative mode."""
    return {k: v for k, v in attributes.items() if k in ("dtype", "shape", "persistable", "stop_gradient")}
