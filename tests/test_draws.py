"""What a test draws does not depend on the tests before it (`conftest.py` at the root)."""

from __future__ import annotations

import random
import zlib

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.kernels.cpu.random import random as random_kernels

GENERATOR, STATE = np.random.default_rng(3), np.random.RandomState(3)


@pytest.mark.parametrize("time", ["first", "second"])
def test_generators_of_a_module_begin_anew_for_each_test(time: str) -> None:
    assert GENERATOR.random() == np.random.default_rng(3).random()
    assert STATE.rand() == np.random.RandomState(3).rand()


def test_what_has_no_seed_is_drawn_from_the_name_of_the_test(request: pytest.FixtureRequest) -> None:
    seed = zlib.crc32(request.node.nodeid.encode())
    assert random.random() == random.Random(seed).random()
    assert np.random.rand() == np.random.RandomState(seed).rand()
    with fluid.dygraph.guard():
        drawn = [fluid.layers.uniform_random([2]).numpy().tolist()]
        random_kernels.manual_seed(seed)
        drawn.append(fluid.layers.uniform_random([2]).numpy().tolist())
    assert drawn[0] == drawn[1]
