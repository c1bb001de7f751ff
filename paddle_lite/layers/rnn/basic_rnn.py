"""Stacked GRUs and LSTMs that are written with basic operators: `fluid.contrib.layers.basic_gru` and `basic_lstm`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.mode import require_program
from ..control.static_rnn import StaticRNN
from ..math.elementwise import elementwise_mul
from ..random.random import dropout
from ..sequence.sequence import sequence_mask
from ..shape.rearrange import reverse
from ..shape.shape import concat, reshape, shape, slice, transpose
from ..support.arguments import check_variable
from .basic_units import BasicGRUUnit, BasicLSTMUnit, named

__all__ = ["basic_gru", "basic_lstm"]


def basic_gru(
    input: Any,
    init_hidden: Any,
    hidden_size: int,
    num_layers: int = 1,
    sequence_length: Any = None,
    dropout_prob: float = 0.0,
    bidirectional: bool = False,
    batch_first: bool = True,
    param_attr: Any = None,
    bias_attr: Any = None,
    gate_activation: Callable[[Any], Any] | None = None,
    activation: Callable[[Any], Any] | None = None,
    dtype: Any = "float32",
    name: str = "basic_gru",
) -> tuple[Any, Any]:
    """Run stacked GRUs over a sequence, in a static Program.

    Arguments:
        input: [N, steps, columns]; [steps, N, columns] without `batch_first`.
        init_hidden: [num_layers * directions, N, hidden_size], or None for zeros.
        hidden_size: the size of a state.
        num_layers: the number of GRUs on top of each other.
        sequence_length: int64 [N], the steps of each sequence that count: a state stays as it is behind them. None: all.
        dropout_prob: the part of the outputs of each layer that becomes 0.
        bidirectional: run a second stack from the end to the start.
        batch_first: whether the first dimension of `input` is the batch rather than the steps.
        param_attr, bias_attr: of the parameters; a name gets a suffix for the direction, the layer and the part.
        gate_activation: a function of a Variable; `layers.sigmoid` by default.
        activation: a function of a Variable; `layers.tanh` by default.
        dtype: of the parameters.
        name: the first part of the names of the parameters.

    Returns:
        (outputs of the last layer, of the form of `input` with directions * hidden_size columns; the last states
        [num_layers * directions, N, hidden_size]).

    Raises:
        ModeError: in imperative mode.
        ArgumentTypeError: an argument has another type.
        ArgumentValueError: `num_layers` is less than 1.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     out, last = fluid.contrib.layers.basic_gru(fluid.data('x', [2, 5, 4]), None, 3, bidirectional=True)
    ...     out.shape, last.shape
    ((2, 5, 6), (2, 2, 3))
    """

    def unit(scope: str, weight: Any, bias: Any) -> Callable[..., Any]:
        made = BasicGRUUnit(scope, hidden_size, weight, bias, gate_activation, activation, dtype)
        return lambda x, hidden: (made(x, hidden),)

    output, (hidden,) = _run(
        "basic_gru", input, [init_hidden], unit, hidden_size, num_layers, sequence_length, dropout_prob, bidirectional,
        batch_first, (param_attr, bias_attr), name,
    )  # fmt: skip
    return output, hidden


def basic_lstm(
    input: Any,
    init_hidden: Any,
    init_cell: Any,
    hidden_size: int,
    num_layers: int = 1,
    sequence_length: Any = None,
    dropout_prob: float = 0.0,
    bidirectional: bool = False,
    batch_first: bool = True,
    param_attr: Any = None,
    bias_attr: Any = None,
    gate_activation: Callable[[Any], Any] | None = None,
    activation: Callable[[Any], Any] | None = None,
    forget_bias: float = 1.0,
    dtype: Any = "float32",
    name: str = "basic_lstm",
) -> tuple[Any, Any, Any]:
    """Run stacked LSTMs over a sequence, in a static Program.

    Arguments:
        input: [N, steps, columns]; [steps, N, columns] without `batch_first`.
        init_hidden, init_cell: [num_layers * directions, N, hidden_size], or None for zeros.
        hidden_size: the size of a state.
        num_layers: the number of LSTMs on top of each other.
        sequence_length: int64 [N], the steps of each sequence that count: states stay as they are behind them. None: all.
        dropout_prob: the part of the outputs of each layer that becomes 0.
        bidirectional: run a second stack from the end to the start.
        batch_first: whether the first dimension of `input` is the batch rather than the steps.
        param_attr, bias_attr: of the parameters; a name gets a suffix for the direction and the layer.
        gate_activation: a function of a Variable; `layers.sigmoid` by default.
        activation: a function of a Variable; `layers.tanh` by default.
        forget_bias: a number that is added to the forget gate.
        dtype: of the parameters.
        name: the first part of the names of the parameters.

    Returns:
        (outputs of the last layer, of the form of `input` with directions * hidden_size columns; the last hidden states
        and the last cells, both [num_layers * directions, N, hidden_size]).

    Raises:
        ModeError: in imperative mode.
        ArgumentTypeError: an argument has another type.
        ArgumentValueError: `num_layers` is less than 1.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     x = fluid.data('x', [2, 5, 4])
    ...     out, hidden, cell = fluid.contrib.layers.basic_lstm(x, None, None, 3, num_layers=2)
    ...     out.shape, hidden.shape, cell.shape
    ((2, 5, 3), (2, 2, 3), (2, 2, 3))
    """

    def unit(scope: str, weight: Any, bias: Any) -> Callable[..., Any]:
        return BasicLSTMUnit(scope, hidden_size, weight, bias, gate_activation, activation, forget_bias, dtype)

    output, (hidden, cell) = _run(
        "basic_lstm", input, [init_hidden, init_cell], unit, hidden_size, num_layers, sequence_length, dropout_prob,
        bidirectional, batch_first, (param_attr, bias_attr), name,
    )  # fmt: skip
    return output, hidden, cell


def _run(
    where: str,
    input: Any,
    initial: Sequence[Any],
    make_unit: Callable[..., Any],
    hidden_size: int,
    num_layers: int,
    sequence_length: Any,
    dropout_prob: float,
    bidirectional: bool,
    batch_first: bool,
    attrs: tuple[Any, Any],
    name: str,
) -> tuple[Any, list[Any]]:
    """Return the outputs and the last states, one for each of `initial`."""
    require_program(f"{where}: builds a recurrence of a Program. In imperative mode, call a unit in a loop of Python.")
    check_variable(where, "input", input)
    if num_layers < 1:
        raise ArgumentValueError(message(where, "num_layers", num_layers, "1 or more"))
    ways = 2 if bidirectional else 1
    stacks = []
    for way, (label, short) in enumerate([("", "fw"), ("reverse_", "bw")][:ways]):
        units = []
        for i in range(num_layers):
            weight, bias = (named(attr, f"_{short}_{part}_{i}", where) for attr, part in zip(attrs, "wb", strict=True))
            units.append(make_unit(f"{name}_{label}layers_{i}", weight, bias))
        stacks.append((way, units))
    x = transpose(input, [1, 0, 2]) if batch_first else input
    mask = None
    if sequence_length is not None:
        steps = slice(shape(x), [0], [0], [1])
        mask = transpose(sequence_mask(sequence_length, maxlen=steps, dtype=x.dtype), [1, 0])
    starts = [_starts(start, num_layers, ways, hidden_size) for start in initial]
    outputs, lasts = [], []
    for way, units in stacks:
        backwards = (lambda value: reverse(value, [0])) if way else (lambda value: value)
        own = [[each[layer][way] for each in starts] for layer in range(num_layers)]
        out, last = _recurrence(
            backwards(x), None if mask is None else backwards(mask), units, own, hidden_size, dropout_prob
        )
        outputs.append(backwards(out))
        lasts.append(last)
    states = []
    for of_ways in zip(*lasts, strict=True):
        joined = concat(list(of_ways), axis=1) if ways > 1 else of_ways[0]
        states.append(reshape(joined, [num_layers * ways, -1, hidden_size]))
    output = concat(outputs, axis=2) if ways > 1 else outputs[0]
    return transpose(output, [1, 0, 2]) if batch_first else output, states


def _starts(start: Any, num_layers: int, ways: int, hidden_size: int) -> list[list[Any]]:
    """Return the initial state of each layer and direction; None for zeros."""
    if start is None:
        return [[None] * ways for _ in range(num_layers)]
    split = reshape(start, [num_layers, ways, -1, hidden_size])
    made = []
    for layer in range(num_layers):
        of_layer = [slice(split, [0, 1], [layer, way], [layer + 1, way + 1]) for way in range(ways)]
        made.append([reshape(each, [-1, hidden_size]) for each in of_layer])
    return made


def _recurrence(
    x: Any, mask: Any, units: Sequence[Any], starts: list[list[Any]], hidden_size: int, dropout_prob: float
) -> tuple[Any, list[Any]]:
    """Run one stack; return its outputs [steps, N, hidden_size], and for each kind of state those of all layers."""
    rnn = StaticRNN()
    with rnn.step():
        step = rnn.step_input(x)
        counts = None if mask is None else rnn.step_input(mask)
        final = []
        for unit, start in zip(units, starts, strict=True):
            before = [
                rnn.memory(shape=[-1, hidden_size], batch_ref=x) if each is None else rnn.memory(init=each)
                for each in start
            ]
            after = unit(step, *before)
            if counts is not None:
                pairs = zip(after, before, strict=True)
                after = tuple(_kept(new, counts) + _kept(old, 1.0 - counts) for new, old in pairs)
            for old, new in zip(before, after, strict=True):
                rnn.update_memory(old, new)
            final.append(after)
            step = dropout(after[0], dropout_prob) if dropout_prob else after[0]
        rnn.step_output(step)
        for after in final:
            for new in after:
                rnn.step_output(new)
    out, *ends = rnn()
    last = [slice(each, [0], [-1], [2**31 - 1]) for each in ends]
    kinds = len(starts[0])
    return out, [concat(last[kind::kinds], axis=0) for kind in range(kinds)]


def _kept(state: Any, factor: Any) -> Any:
    """Return a state [N, hidden_size] times a factor for each of its rows, [N]."""
    return elementwise_mul(state, factor, axis=0)
