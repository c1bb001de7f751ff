"""Cells of recurrent networks for `layers.rnn` and decoders: each computes one time step."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from ...core import unique_name
from ...core.dtype import name_of, to_vartype
from ...core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError, describe, message
from ...ops.math import elementwise, matmul
from ...ops.shape import fill
from ...ops.support.nested_structure import flatten
from ...params.attr import to_attr
from ...params.create import create_parameter
from ..nn.activation import sigmoid, tanh
from ..shape.shape import concat, split
from ..support.arguments import check_int, is_int

__all__ = ["GRUCell", "LSTMCell", "RNNCell"]


class RNNCell:
    """Base class of recurrent cells: `call(inputs, states)` computes one time step and returns (outputs, new states).

    A subclass defines `call`, and `state_shape`: a list of sizes without the batch, or a nested structure of such
    lists.
    """

    def call(self, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any]:
        """Compute one time step; return (outputs, new states)."""
        raise NotImplementedError(f"{type(self).__name__}.call: a cell says what one step computes")

    def __call__(self, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any]:
        return self.call(inputs, states, **kwargs)

    @property
    def state_shape(self) -> Any:
        """The shape of each state without the batch."""
        raise NotImplementedError(f"{type(self).__name__}.state_shape: say it, or give initial states")

    def get_initial_states(
        self, batch_ref: Any, shape: Any = None, dtype: Any = "float32", init_value: float = 0, batch_dim_idx: int = 0
    ) -> Any:
        """Create states for a batch that are filled with one number.

        Arguments:
            batch_ref: a Variable, or a structure whose first leaf is one, whose dimension `batch_dim_idx` is the batch.
            shape: the shapes of the states without the batch; `state_shape` where it is None.
            dtype: the dtype of the states.
            init_value: the number.
            batch_dim_idx: the dimension of the batch in `batch_ref`.

        Returns:
            A Variable, or a structure of Variables like `shape`.
        """
        batch = flatten(batch_ref)[0]
        shapes = self.state_shape if shape is None else shape
        code = int(to_vartype(dtype))

        def made(sizes: Any) -> Any:
            if isinstance(sizes, dict):
                return {key: made(each) for key, each in sizes.items()}
            if not isinstance(sizes, (list, tuple)):
                needs = "lists of ints, or a structure of them"
                raise ArgumentTypeError(message(type(self).__name__, "shape", describe(sizes), needs))
            if not all(is_int(n) for n in sizes):
                return type(sizes)([made(each) for each in sizes])
            return fill.fill_constant_batch_size_like.call(
                batch, shape=[-1, *(n for n in sizes if n != -1)], value=float(init_value), dtype=code,
                input_dim_idx=batch_dim_idx, output_dim_idx=0,
            )  # fmt: skip

        return made(shapes)


class _Unit(RNNCell):
    """Base class of GRUCell and LSTMCell: their common arguments, and parameters that are created at the first step."""

    _unit = ""

    def __init__(
        self,
        hidden_size: int,
        param_attr: Any,
        bias_attr: Any,
        gate_activation: Any,
        activation: Any,
        dtype: Any,
        name: str,
    ) -> None:
        where = type(self).__name__
        if check_int(where, "hidden_size", hidden_size) < 1:
            raise ArgumentValueError(message(where, "hidden_size", hidden_size, "1 or more"))
        for argument, function in (("gate_activation", gate_activation), ("activation", activation)):
            if function is not None and not callable(function):
                needs = "a function of a Variable, e.g. fluid.layers.relu, or None"
                raise ArgumentTypeError(message(where, argument, describe(function), needs))
        if not name_of(dtype).startswith("float"):
            raise DtypeError(message(where, "dtype", describe(dtype), "float32 or float64"))
        self.hidden_size = hidden_size
        self._attrs = (param_attr, bias_attr)
        self._gate: Callable[[Any], Any] = gate_activation or sigmoid
        self._activation: Callable[[Any], Any] = activation or tanh
        self._dtype = dtype
        self._name = name
        self._parameters: dict[str, Any] = {}

    def parameters(self) -> list[Any]:
        """Return the parameters; [] before the first step, where the size of the input is still unknown."""
        return [p for p in self._parameters.values() if p is not None]

    def _make(self, sizes: dict[str, int], rows: int, suffixes: dict[str, str]) -> None:
        """Create the weights [rows, size] and the biases [size] of each part, unless that was done before."""
        if self._parameters:
            return
        prefix = unique_name.generate(f"{self._name}/{self._unit}")
        for kind, attr, is_bias in (("weight", self._attrs[0], False), ("bias", self._attrs[1], True)):
            for part, size in sizes.items():
                chosen = to_attr(attr, type(self).__name__)
                if chosen is not None and chosen.name is not None and suffixes[part]:
                    chosen = copy(chosen)
                    chosen.name = f"{chosen.name}{suffixes[part]}"
                shape = [size] if is_bias else [rows, size]
                self._parameters[f"{part}_{kind}"] = create_parameter(
                    shape, self._dtype, False if chosen is None else chosen, is_bias, prefix=prefix
                )

    def _require_rows(self, inputs: Any) -> None:
        """Raise unless the inputs of a step have rank 2."""
        if len(inputs.shape) != 2:
            raise ShapeError(message(type(self).__name__, "inputs", f"shape {list(inputs.shape)}", "[batch, features]"))

    def _product(self, joined: Any, part: str) -> Any:
        """Compute the pre-activation of gates: the concatenated input and state times the weight, plus the bias."""
        product = matmul.matmul.call(joined, self._parameters[f"{part}_weight"])
        bias = self._parameters[f"{part}_bias"]
        return product if bias is None else elementwise.elementwise_add.call(product, bias)


class GRUCell(_Unit):
    """A gated recurrent unit.

    r, u = gates([x, h]); c = activation([x, r * h]); new h = u * h + (1 - u) * c.

    Source: Cho et al., "Learning phrase representations using RNN encoder-decoder", 2014.

    Arguments:
        hidden_size: the size of the state.
        param_attr, bias_attr: the ParamAttrs of the weights and biases.
        gate_activation: the activation function of the gates; sigmoid where it is None.
        activation: the activation function of the candidate; tanh where it is None.
        dtype: the dtype of the parameters.
        name: the prefix of the parameters' names.

    Raises:
        ArgumentValueError: hidden_size is below 1.
        ArgumentTypeError: hidden_size is not an int, or an activation is not callable.
    """

    _unit = "BasicGRUUnit"

    def __init__(
        self,
        hidden_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Any = None,
        activation: Any = None,
        dtype: Any = "float32",
        name: str = "GRUCell",
    ) -> None:
        super().__init__(hidden_size, param_attr, bias_attr, gate_activation, activation, dtype, name)

    @property
    def state_shape(self) -> list[int]:
        """The shape of the state without the batch, [hidden_size]."""
        return [self.hidden_size]

    def call(self, inputs: Any, states: Any) -> tuple[Any, Any]:  # type: ignore[override]
        """Compute one time step of inputs [N, D] and state [N, hidden_size]; both results are the new state."""
        self._require_rows(inputs)
        size = self.hidden_size
        parts = {"gate": 2 * size, "candidate": size}
        self._make(parts, inputs.shape[-1] + size, {"gate": "_gate", "candidate": "_candidate"})
        gates = self._gate(self._product(concat([inputs, states], 1), "gate"))
        reset, update = split(gates, num_or_sections=2, dim=1)
        candidate = self._activation(self._product(concat([inputs, reset * states], 1), "candidate"))
        new = update * states + (1 - update) * candidate
        return new, new


class LSTMCell(_Unit):
    """A long short-term memory with a forget gate.

    i, j, f, o = [x, h] W + b; new c = c * gate(f + forget_bias) + gate(i) * activation(j); new h = activation(new c) *
    gate(o).

    Source: Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997.

    Arguments:
        hidden_size: the size of the output and of the cell state.
        param_attr, bias_attr: the ParamAttrs of the weight and the bias.
        gate_activation: the activation function of the gates; sigmoid where it is None.
        activation: the activation function of candidate and cell; tanh where it is None.
        forget_bias: the number added to the forget gate.
        dtype: the dtype of the parameters.
        name: the prefix of the parameters' names.

    Raises:
        ArgumentValueError: hidden_size is below 1.
        ArgumentTypeError: hidden_size is not an int, or an activation is not callable.
    """

    _unit = "BasicLSTMUnit"

    def __init__(
        self,
        hidden_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Any = None,
        activation: Any = None,
        forget_bias: float = 1.0,
        dtype: Any = "float32",
        name: str = "LSTMCell",
    ) -> None:
        super().__init__(hidden_size, param_attr, bias_attr, gate_activation, activation, dtype, name)
        self._forget = fill.fill_constant.call(shape=[1], value=float(forget_bias), dtype=int(to_vartype(dtype)))
        self._forget.stop_gradient = False

    @property
    def state_shape(self) -> list[list[int]]:
        """The shapes of output and cell state without the batch, [[hidden_size], [hidden_size]]."""
        return [[self.hidden_size], [self.hidden_size]]

    def call(self, inputs: Any, states: Any) -> tuple[Any, list[Any]]:  # type: ignore[override]
        """Compute one time step of inputs [N, D] and states [output, cell], each [N, hidden_size]; return (output,
        [output, cell]).
        """
        self._require_rows(inputs)
        before, cell = states
        self._make({"": 4 * self.hidden_size}, inputs.shape[-1] + self.hidden_size, {"": ""})
        joined = self._product(concat([inputs, before], 1), "")
        i, j, f, o = split(joined, num_or_sections=4, dim=-1)
        add, multiply = elementwise.elementwise_add.call, elementwise.elementwise_mul.call
        kept = multiply(cell, self._gate(add(f, self._forget)))
        new = add(kept, multiply(self._gate(i), self._activation(j)))
        out = self._activation(new) * self._gate(o)
        return out, [out, new]
