"""basic_gru, basic_lstm and their steps give the numbers of PaddlePaddle 1.8.5 (record_basic.py)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError
from paddle_lite.core.mode import switched
from paddle_lite.fluid.contrib import layers
from paddle_lite.static.mode.static_mode import static_mode

from .basic_cases import KINDS, RECURRENT, recurrent

RECORDED = np.load(Path(__file__).with_name("basic.npz"))


@pytest.fixture(autouse=True)
def static() -> Iterator[None]:
    with switched(static_mode, fluid.CPUPlace(), None):
        yield


@pytest.mark.parametrize("case", RECURRENT)
@pytest.mark.parametrize("kind", KINDS)
def test_recurrences(kind: str, case: str) -> None:
    values, names = recurrent(fluid, kind, **RECURRENT[case])
    assert names == RECORDED[f"{kind}_{case}_names"].tolist()
    for i, value in enumerate(values):
        np.testing.assert_allclose(value, RECORDED[f"{kind}_{case}_{i}"], rtol=1e-5, atol=1e-6)


def program_of(call: Any) -> fluid.Program:
    """The Program that `call(x)` makes, with x [4, 3, 5]."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        call(fluid.data("x", [4, 3, 5]))
    assert main.lint() == []
    return main


def test_names_and_attributes_of_parameters() -> None:
    attr = fluid.ParamAttr("p", learning_rate=0.5, trainable=False)
    options = {"num_layers": 2, "bidirectional": True, "param_attr": attr, "bias_attr": "q"}
    gru = program_of(lambda x: layers.basic_gru(x, None, 6, **options)).all_parameters()
    parts = [f"{layer}_{part}" for layer in "01" for part in ("gate", "candidate")]
    assert {p.name for p in gru} == {
        f"{way}_{part}" for way in ("p_fw_w", "q_fw_b", "p_bw_w", "q_bw_b") for part in parts
    }
    lstm = program_of(lambda x: layers.basic_lstm(x, None, None, 6, **options)).all_parameters()
    assert [p.name for p in lstm[:2]] == ["p_fw_w_0", "q_fw_b_0"]
    assert (lstm[0].trainable, lstm[0].optimize_attr, lstm[1].trainable) == (False, {"learning_rate": 0.5}, True)


def test_activations_and_dropout() -> None:
    own = {"activation": fluid.layers.relu, "gate_activation": fluid.layers.tanh}
    ops = [op.type for op in program_of(lambda x: layers.basic_gru(x, None, 6, dropout_prob=0.5, **own)).all_ops()]
    assert (ops.count("relu"), ops.count("tanh"), ops.count("sigmoid"), ops.count("dropout")) == (1, 1, 0, 1)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda x: layers.basic_gru(x, None, 6, num_layers=0), ArgumentValueError),
        (lambda x: layers.basic_lstm(3, None, None, 6), ArgumentTypeError),
        (lambda x: layers.basic_gru(x, None, 6, bias_attr=False), ArgumentTypeError),
        (lambda x: layers.basic_gru(x, None, 6, activation="relu"), ArgumentTypeError),
    ],
)
def test_bad_input(call: Any, kind: type) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(kind, match=" needs "):
        call(fluid.data("x", [4, 3, 5]))


def test_units_in_imperative_mode() -> None:
    with fluid.dygraph.guard():
        x, h = (fluid.dygraph.to_variable(np.ones([2, n], "float32")) for n in (4, 3))
        lstm, gru = layers.BasicLSTMUnit("u", 3), layers.BasicGRUUnit("u", 3)
        assert [state.shape for state in lstm(x, h, h)] == [[2, 3]] * 2 and gru(x, h).shape == [2, 3]
        assert [p.shape for p in lstm.parameters()] == [[7, 12], [12]]
        assert next(p.name for p in gru.parameters()) == "u/BasicGRUUnit_0.w_0"
        with pytest.raises(ModeError, match="call a unit in a loop"):
            layers.basic_gru(x, None, 3)


class Narrow(fluid.contrib.layers.BasicGRUUnit):
    """A unit of which a step reads its state from a wider input, as programs write them over 1.8.5's attributes."""

    def _build_once(self, input, pre_hidden):
        self._input_size = input.shape[-1]
        shape = [self._input_size + self._hiden_size, self._hiden_size]
        self._mix = self.create_parameter(attr=self._param_attr, shape=shape, dtype=self._dtype)

    def forward(self, input, pre_hidden):
        joined = fluid.layers.concat([input, pre_hidden], 1)
        return self._gate_activation(fluid.layers.matmul(joined, self._mix)) + self._activation(pre_hidden)


def test_units_are_written_over_the_attributes_of_1_8() -> None:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        out = Narrow("unit", 3)(fluid.data("x", [2, 4]), fluid.data("h", [2, 3]))
        unit = fluid.contrib.layers.BasicLSTMUnit("unit", 3)
        unit(fluid.data("y", [2, 5]), *(fluid.layers.fill_constant([2, 3], "float32", 0.0) for _ in range(2)))
    assert (out.shape, unit._hiden_size, unit._input_size, unit._weight.shape) == ((2, 3), 3, 5, (8, 12))
    assert [p.shape for p in main.all_parameters()] == [(7, 3), (8, 12), (12,)]
