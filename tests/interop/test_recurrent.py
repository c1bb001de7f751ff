"""Training goes on here in Programs that PaddlePaddle 2.6.2 made of its recurrent layers, the operators rnn and rnn_grad."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import paddle_lite.fluid as fluid

STORE = np.load(Path(__file__).parent / "data" / "recurrent.npz")


def losses(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the losses of five steps of a recorded net here and there."""
    kept = {key.removeprefix(f"{name}/"): STORE[key] for key in STORE.files if key.startswith(f"{name}/")}
    program, scope = fluid.Program.parse_from_string(kept["program"].tobytes()), fluid.Scope()
    feed = {key.removeprefix("feed/"): value for key, value in kept.items() if key.startswith("feed/")}
    for key, value in kept.items():
        if key.startswith("state/"):
            scope.var(key.removeprefix("state/")).get_tensor().set(value, fluid.CPUPlace())
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(scope):
        found = [exe.run(program, feed=feed, fetch_list=[str(kept["loss"])])[0] for _ in range(5)]
    return np.array(found).ravel(), kept["losses"].ravel()


@pytest.mark.parametrize("name", ["LSTM", "GRU", "SimpleRNN"])
def test_training_goes_on_as_in_2_6(name: str) -> None:
    found, known = losses(name)
    np.testing.assert_allclose(found, known, rtol=2e-5)
    assert known[0] > known[-1]


def test_dropout_between_layers_trains() -> None:
    """What is dropped differs from 2.6.2's, whose random numbers are others."""
    found, known = losses("dropout")
    assert len(set(found)) == 5 and found[-1] < found[0]
    np.testing.assert_allclose(found, known, atol=0.5)
