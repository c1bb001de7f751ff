"""What the cases of cases/ compute equals what PaddlePaddle computes; record.py recorded it."""

from __future__ import annotations

import functools
import importlib
from pathlib import Path

import numpy as np
import pytest

from paddle_lite import fluid, hapi

from .record import names

FILE = Path(__file__).parent / "recorded.npz"
ALL = [(name, case) for name in names() for case in importlib.import_module(f"tests.hapi.cases.{name}").CASES]


@functools.cache
def recorded() -> dict[str, np.ndarray]:
    with np.load(FILE) as store:
        return {key: store[key] for key in store.files}


@pytest.mark.parametrize(("name", "case"), ALL, ids=lambda value: value.replace(" ", "_"))
def test_equals_paddle(name: str, case: str) -> None:
    cases = importlib.import_module(f"tests.hapi.cases.{name}")
    with fluid.unique_name.guard():
        found = cases.CASES[case](fluid, hapi)
    prefix = f"{name}/{case}/"
    wanted = {key[len(prefix) :]: value for key, value in recorded().items() if key.startswith(prefix)}
    assert sorted(found) == sorted(wanted)
    for what, value in wanted.items():
        got = np.asarray(found[what])
        assert got.shape == value.shape, what
        assert got.dtype.kind == value.dtype.kind, what
        if value.dtype.kind == "f":
            np.testing.assert_allclose(
                got, value, err_msg=what, **getattr(cases, "TOLERANCE", {"rtol": 2e-5, "atol": 2e-6})
            )
        else:
            np.testing.assert_array_equal(got, value, err_msg=what)
