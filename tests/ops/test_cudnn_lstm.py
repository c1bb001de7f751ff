"""cudnn_lstm against PyTorch's nn.LSTM, recorded by record_cudnn_lstm.py: 1.8.5 has it on a GPU only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.imperative import Variable, grad
from paddle_lite.ops.rnn.cudnn_lstm import cudnn_lstm

RECORDED = dict(np.load(Path(__file__).parent / "cudnn_lstm.npz"))
INPUTS, OUTPUTS = ("Input", "InitH", "InitC", "W"), ("Out", "last_h", "last_c")


def case(number: int) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The arrays of a case by name, and its attributes."""
    features, size, layers, both = RECORDED["cases"][number].tolist()
    start = f"{number}/"
    arrays = {name[len(start) :]: array for name, array in RECORDED.items() if name.startswith(start)}
    return arrays, {"input_size": features, "hidden_size": size, "num_layers": layers, "is_bidirec": bool(both)}


@pytest.mark.parametrize("number", range(len(RECORDED["cases"])))
def test_numbers_and_gradients_are_those_of_pytorch(number: int) -> None:
    arrays, attrs = case(number)
    with fluid.dygraph.guard():
        inputs = [Variable(arrays[name], stop_gradient=False) for name in INPUTS]
        outputs = cudnn_lstm.call(*inputs, **attrs)
        seeds = [Variable(arrays[f"{name}@GRAD"]) for name in OUTPUTS]
        gradients = grad([*outputs], inputs, seeds)
    for name, value in zip(OUTPUTS, outputs, strict=True):
        np.testing.assert_allclose(value.array, arrays[name], 1e-5, 1e-6, err_msg=name)
    for name, value in zip(INPUTS, gradients, strict=True):
        np.testing.assert_allclose(value.array, arrays[f"{name}@GRAD"], 2e-5, 2e-6, err_msg=name)


def test_dropout_without_a_seed_is_drawn_anew_and_its_gradient_sees_the_same() -> None:
    arrays, attrs = case(1)
    attrs["dropout_prob"] = 0.5
    with fluid.dygraph.guard():
        x, *others = (Variable(arrays[name], stop_gradient=name != "Input") for name in INPUTS)
        first = cudnn_lstm.call(x, *others, **attrs)[0]
        again = cudnn_lstm.call(x * 1.001, *others, **attrs)[0]
        assert abs(first.array - again.array).max() > 0.01  # other elements were dropped
        second_layer_only = cudnn_lstm.call(x, *others, **{**attrs, "dropout_prob": 1.0})[0]
        assert not np.any(grad([second_layer_only], [x])[0].array)  # everything between the layers is dropped
        assert np.any(grad([first], [x])[0].array)
