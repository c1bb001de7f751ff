"""Trainings of static Programs equal those of real PaddlePaddle 1.8.5, operator by operator and number by number."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from tests.optimizer.static_cases import AVERAGES, CASES, EXCHANGED, SCHEDULES, Case, averages, rates, simulate, trained

FILE = Path(__file__).parent / "static.npz"


@functools.cache
def recorded() -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """(what the numbers are and the operators; the numbers of each case)."""
    with np.load(FILE) as store:
        return json.loads(str(store["about"])), {name: store[name] for name in store.files if name != "about"}


def numbers_of(case: str) -> dict[str, np.ndarray]:
    about, store = recorded()
    content = about["numbers"][case]
    parts = np.split(store[case], np.cumsum([int(np.prod(shape)) for _, shape, _ in content])[:-1])
    return {w: part.reshape(s).astype(d) for (w, s, d), part in zip(content, parts, strict=True)}


def compare(found: dict[str, np.ndarray], wanted: dict[str, np.ndarray]) -> None:
    assert sorted(found) == sorted(wanted)
    for what, value in wanted.items():
        assert found[what].dtype == value.dtype, what
        assert found[what].shape == value.shape, what
        np.testing.assert_allclose(found[what], value, rtol=2e-5, atol=2e-6, err_msg=what)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_training_equals_paddle(case: Case, way: str) -> None:
    found, operators = simulate(fluid, case)
    compare(found, numbers_of(case.name))
    if case.branches:
        return
    made, wanted_operators = json.loads(json.dumps(operators)), recorded()[0]["operators"][case.name]
    if case.name == "set_gradient_clip":  # Paddle has them in another order there than for grad_clip
        made, wanted_operators = sorted(op[0] for op in made), sorted(op[0] for op in wanted_operators)
    assert made == wanted_operators


@pytest.mark.parametrize("name", SCHEDULES)
def test_rates_equal_those_of_paddle(name: str) -> None:
    found, wanted = rates(fluid, SCHEDULES[name]), recorded()[1][f"rates {name}"]
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=3e-7, atol=0)


@pytest.mark.parametrize("name", AVERAGES)
def test_averages_equal_those_of_paddle(name: str) -> None:
    compare(averages(fluid, AVERAGES[name]), numbers_of(f"average {name}"))


@pytest.mark.parametrize("name", EXCHANGED)
def test_programs_of_paddle_train_alike(name: str, way: str) -> None:
    about, store = recorded()
    main, startup = (
        fluid.Program.parse_from_string(store[f"{which} of {name}"].tobytes()) for which in ("main", "startup")
    )
    compare(trained(fluid, main, startup, about["losses"][name]), numbers_of(name))


def test_every_recording_has_its_case() -> None:
    assert set(recorded()[0]["numbers"]) == {case.name for case in CASES} | {f"average {name}" for name in AVERAGES}
    written = {f"{which} of {name}" for which in ("main", "startup") for name in EXCHANGED}
    assert set(recorded()[1]) == {*recorded()[0]["numbers"], *(f"rates {name}" for name in SCHEDULES), *written}
