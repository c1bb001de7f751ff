"""SSD's loss and what it finds, beside the numbers of real Paddle (record_ssd.py); wrong calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, LoDError
from paddle_lite.core.mode import switched
from paddle_lite.fluid import layers
from paddle_lite.imperative import Variable
from paddle_lite.static.mode.static_mode import static_mode
from tests.layers.record_ssd import run
from tests.layers.ssd_cases import DETECTIONS, LODS, LOSSES, inputs, loss

RECORDED = np.load(Path(__file__).with_name("ssd.npz"))


def variables() -> dict[str, Any]:
    lods = {name: tuple(map(tuple, levels)) for name, levels in LODS.items()}
    return {
        name: Variable(array, lod=lods.get(name), stop_gradient=name not in ("location", "confidence"))
        for name, array in inputs().items()
    }


def recorded(case: str) -> dict[str, np.ndarray]:
    return {name[len(case) :]: RECORDED[name] for name in RECORDED.files if name.startswith(case)}


@pytest.mark.parametrize("case", range(len(LOSSES)))
def test_losses_and_gradients(case: int) -> None:
    given = variables()
    made = LOSSES[case](layers, given)["loss"]
    known = recorded(f"loss/{case}/")
    np.testing.assert_allclose(made.numpy(), known["loss"], 1e-5)
    layers.reduce_sum(made).backward()
    for name in ("location", "confidence"):
        np.testing.assert_allclose(given[name].gradient(), known[name], 1e-5, 1e-6)


@pytest.mark.parametrize("case", range(len(DETECTIONS)))
def test_what_is_found(case: int) -> None:
    known = recorded(f"detections/{case}/")
    for name, variable in DETECTIONS[case](layers, variables()).items():
        np.testing.assert_allclose(variable.numpy(), known[name], 1e-5, 1e-6)
        assert variable.dtype == (5 if name == "found" else 2)
        assert variable.lod() == [known[f"{name}.lod.0"].tolist()]


@pytest.mark.parametrize("case", [0, 2])
@pytest.mark.parametrize("kind", ["loss", "detections"])
def test_programs_give_the_same(kind: str, case: int) -> None:
    with switched(static_mode, fluid.CPUPlace(), None):
        found = run(fluid, {"loss": LOSSES, "detections": DETECTIONS}[kind][case])
    for name, array in recorded(f"{kind}/{case}/").items():
        np.testing.assert_allclose(found[name], array, 1e-5, 1e-6)


def test_the_background_is_left_out() -> None:
    names = ("location", "confidence", "priors", "spread")
    given = [variables()[name] for name in names]
    labels = {
        background: set(layers.detection_output(*given, background_label=background).numpy()[:, 0].tolist())
        for background in (-1, 0, 2)
    }
    assert labels == {-1: {0, 1, 2}, 0: {1, 2}, 2: {0, 1}}


@pytest.mark.parametrize(
    ("change", "more", "error", "match"),
    [
        ({}, {"mining_type": "hard_example"}, ArgumentValueError, "'max_negative'"),
        ({}, {"match_type": "all"}, ArgumentValueError, "match_type"),
        ({}, {"neg_overlap": "1"}, ArgumentTypeError, "neg_overlap"),
        ({"labels": 3}, {}, ArgumentTypeError, "gt_label"),
        ({"labels": Variable(inputs()["labels"])}, {}, LoDError, "no LoD"),
    ],
)
def test_wrong_calls(change: dict[str, Any], more: dict[str, Any], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        loss(**more)(layers, {**variables(), **change})
