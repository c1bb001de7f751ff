"""What the cases of cases/ compute equals what PaddlePaddle 1.8.5 computes; record.py recorded it."""

from __future__ import annotations

import functools
import importlib
from pathlib import Path

import numpy as np
import pytest

from paddle_lite import fluid

from .record import names

FILE = Path(__file__).parent / "recorded.npz"
TOLERANCE = {4: {"rtol": 2e-5, "atol": 2e-6}, 8: {"rtol": 1e-12, "atol": 1e-14}}
ALL = [(name, case) for name in names() for case in importlib.import_module(f"tests.behaviour.cases.{name}").CASES]


@functools.cache
def recorded() -> dict[str, np.ndarray]:
    with np.load(FILE) as store:
        return {key: store[key] for key in store.files}


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(("name", "case"), ALL, ids=lambda value: value.replace(" ", "_"))
def test_equals_paddle(name: str, case: str) -> None:
    with fluid.unique_name.guard():
        found = importlib.import_module(f"tests.behaviour.cases.{name}").CASES[case](fluid)
    prefix = f"{name}/{case}/"
    wanted = {key[len(prefix) :]: value for key, value in recorded().items() if key.startswith(prefix)}
    assert sorted(found) == sorted(wanted)
    for what, value in wanted.items():
        got = np.asarray(found[what])
        assert got.shape == value.shape, what
        assert got.dtype.kind == value.dtype.kind, what
        if value.dtype.kind in "fc":
            np.testing.assert_allclose(got, value, **TOLERANCE[value.dtype.itemsize], err_msg=what)
        else:
            np.testing.assert_array_equal(got, value, err_msg=what)


def test_every_recorded_case_is_run() -> None:
    assert {tuple(key.split("/")[:2]) for key in recorded()} == set(ALL)
