"""Trainings of a few steps equal those of real PaddlePaddle 1.8.5."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import numpy as np
import pytest

from tests.optimizer.library import Library
from tests.optimizer.recorded_cases import CASES, Case, simulate

FILE = Path(__file__).parent / "trajectories.npz"


@functools.cache
def recorded() -> dict[str, dict[str, np.ndarray]]:
    """What Paddle did in each case."""
    with np.load(FILE) as store:
        cases = {}
        for case, content in json.loads(str(store["about"])).items():
            sizes = [int(np.prod(shape)) for _, shape, _ in content]
            parts = np.split(store[case], np.cumsum(sizes)[:-1])
            cases[case] = {
                what: part.reshape(shape).astype(dtype)
                for (what, shape, dtype), part in zip(content, parts, strict=True)
            }
    return cases


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_training_equals_paddle(case: Case, way: str) -> None:
    found, wanted = simulate(Library(), case), recorded()[case.name]
    assert sorted(found) == sorted(wanted)
    for what, value in wanted.items():
        assert found[what].dtype == value.dtype, what
        assert found[what].shape == value.shape, what
        if case.wrong is None or not what.startswith(case.wrong):
            np.testing.assert_allclose(found[what], value, rtol=2e-6, atol=2e-7, err_msg=what)


def test_every_recording_has_its_case() -> None:
    assert set(recorded()) == {case.name for case in CASES}
