"""Layers, and functions that make parameters, against PaddlePaddle 1.8.5: names, initial values, results, gradients."""

from pathlib import Path

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from tests.nn.recorded_cases import FUNCTIONS, LAYERS, run

STORE = np.load(Path(__file__).with_name("recorded_layers.npz"))
WRONG_IN_PADDLE = {"layer/tree_conv": "gradient of input/0", "layer/tree_conv deep": "gradient of input/0"}
"""Paddle mixes up outputs and sides in the gradient of tree_conv's nodes."""

CASES = [("layer", name) for name in LAYERS] + [("function", name) for name in FUNCTIONS]


@pytest.mark.filterwarnings("ignore:.*has no effect, as in PaddlePaddle 1.8.5")
@pytest.mark.parametrize(("kind", "name"), CASES, ids=[f"{kind} {name}" for kind, name in CASES])
def test_as_in_paddle(kind: str, name: str) -> None:
    recorded = {k.removeprefix(f"{kind}/{name}/"): STORE[k] for k in STORE.files if k.startswith(f"{kind}/{name}/")}
    found = run(fluid, (LAYERS if kind == "layer" else FUNCTIONS)[name], kind == "layer")
    assert sorted(found) == sorted(recorded)
    for key, value in recorded.items():
        if key == WRONG_IN_PADDLE.get(f"{kind}/{name}"):
            assert not np.allclose(found[key], value, 1e-3), f"{key} is no longer wrong in Paddle"
        elif key.startswith("name/"):
            assert str(found[key]) == str(value)
        else:
            np.testing.assert_allclose(found[key], value, 2e-5, 2e-6, err_msg=key)
            assert found[key].dtype == value.dtype, key


def test_nothing_else_is_recorded() -> None:
    assert {tuple(key.split("/")[:2]) for key in STORE.files} == set(CASES)
