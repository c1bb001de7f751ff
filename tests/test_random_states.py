"""Generators of random numbers for tests draw what NumPy's draw, whatever the one before them has drawn."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from tests.random_states import RandomState

NUMPYS = RandomState.__base__


@pytest.mark.parametrize("seed", [0, 2**32 - 1, np.int64(7), [1, 2, 3]], ids=str)
def test_the_numbers_are_numpys(seed: Any) -> None:
    assert np.random.RandomState is RandomState
    for _ in range(2):
        ours, numpys = RandomState(seed), NUMPYS(seed)
        assert ours.randn(3).tolist() == numpys.randn(3).tolist()  # and a number is kept for the next call
        assert copy.deepcopy(ours).randn(3).tolist() == ours.randn(3).tolist() == numpys.randn(3).tolist()


def test_generators_that_are_there_share_nothing() -> None:
    first, second = RandomState(1), RandomState(2)
    second.rand(5)
    assert first.rand() == NUMPYS(1).rand()
    assert RandomState().rand() != RandomState().rand()


def test_a_wrong_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and"):
        RandomState(-1)
