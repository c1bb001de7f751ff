"""Transposes that need not run, and what nobody reads then."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite import fluid
from tests.static.passes import passes

L = fluid.layers
X = np.random.RandomState(0).rand(2, 3, 4).astype("float32")


def ran(fetch: list) -> tuple[list[np.ndarray], str]:
    """What is fetched with all passes, which has to be what is fetched with none, and the Plan's source."""
    main = fluid.default_main_program()
    exe = fluid.Executor(fluid.CPUPlace())
    found = []
    for which in ("none", "all,-fuse"):
        with passes(which):
            for _ in range(2):
                results = exe.run(main, feed={"x": X}, fetch_list=fetch)
            found.append(results)
            text = list(main._plans.values())[-1].source
    for plain, rewritten in zip(*found, strict=True):
        np.testing.assert_array_equal(plain, rewritten)
    return found[1], text


@pytest.fixture
def x():
    return fluid.data("x", [None, 3, 4], "float32")


def test_a_pair_that_undoes_itself(x):
    there = L.transpose(x, [0, 2, 1])
    _, text = ran([L.relu(L.transpose(there, [0, 2, 1]))])
    assert "transpose2" not in text


def test_three_axes_round(x):
    once = L.transpose(x, [1, 2, 0])
    twice = L.transpose(once, [1, 2, 0])
    _, text = ran([L.relu(L.transpose(twice, [1, 2, 0]))])
    assert text.count("# transpose2") == 3  # only two neighbours are looked at together
    _, text = ran([L.relu(L.transpose(once, [2, 0, 1]))])
    assert "transpose2" not in text


def test_an_order_that_changes_nothing(x):
    _, text = ran([L.relu(L.transpose(x, [0, 1, 2]))])
    assert "transpose2" not in text


def test_the_first_of_a_pair_stays_where_it_is_read(x):
    there = L.transpose(x, [0, 2, 1])
    _, text = ran([L.relu(L.transpose(there, [0, 2, 1])), L.exp(there)])
    assert text.count("# transpose2") == 1


def test_what_is_fetched_is_an_array_of_its_own(x):
    there = L.transpose(x, [0, 2, 1])
    ran([L.transpose(there, [0, 2, 1]), L.transpose(x, [0, 1, 2])])


def test_gradients_through_a_pair(x):
    x.stop_gradient = False
    there = L.transpose(x, [0, 2, 1])
    loss = L.reduce_sum(L.square(L.transpose(there, [0, 2, 1])))
    [gradient] = fluid.gradients(loss, x)
    found, _ = ran([gradient])
    np.testing.assert_allclose(found[0], 2 * X)
