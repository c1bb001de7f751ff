"""Whole networks and their training: every operator and name is PaddlePaddle 1.8.5's, and so are the losses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import paddle_lite.fluid as fluid

from .model_cases import MODELS, trained

RECORDED = json.loads((Path(__file__).parent / "models.json").read_text())


@pytest.mark.parametrize("name", MODELS)
def test_training_is_that_of_paddle(name: str) -> None:
    operators, startup, losses = json.loads(json.dumps(trained(fluid, MODELS[name])))
    want_operators, want_startup, want_losses = RECORDED[name]
    assert startup == want_startup
    assert operators == want_operators
    np.testing.assert_allclose(losses, want_losses, rtol=1e-4)
