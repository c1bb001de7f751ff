"""docs/differences.md is current, and its claims of whole Programs hold here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from paddle_lite import fluid
from tests.differences import differences_page
from tests.differences.of_programs import MODES, NUMBERS
from tests.ops.rows_of import ALL
from tests.programs.drawn.kinds.pointwise import UNARY
from tests.static.passes import passes
from tests.static.plan.running import interpreted

L = fluid.layers


def test_the_page_is_current() -> None:
    text = differences_page.PAGE.read_text(encoding="utf-8")
    assert text == differences_page.page(), "run `python tests/differences/differences_page.py`"


def test_every_reason_is_on_the_page() -> None:
    text = differences_page.page()
    for _, row in ALL:
        for sample in row.samples:
            if sample.excluded and not differences_page.ABSENT.match(sample.excluded):
                assert differences_page.told(sample.excluded) in text
    for each in (*NUMBERS, *MODES):
        assert each.title in text and each.theirs and each.ours and each.why


def test_sentences_of_paddle_are_taken() -> None:
    text = "Images only. No gradient: real\n    Paddle's is wrong."
    assert differences_page.sentences(text) == ["No gradient: Paddle's is wrong"]


def run(feed: dict, fetches: list) -> list[np.ndarray]:
    return fluid.Executor(fluid.CPUPlace()).run(feed=feed, fetch_list=fetches)


def test_a_variable_that_is_written_twice() -> None:
    x = fluid.data("x", [3])
    x.stop_gradient = False
    y = L.tanh(x)
    z = L.scale(y, 0.5)
    L.assign(L.square(y), y)
    value = np.array([-1.0, 0.5, 2.0], "float32")
    [found] = run({"x": value}, fluid.gradients(L.reduce_sum(L.elementwise_add(y, z)), [x]))
    t = np.tanh(value)
    np.testing.assert_allclose(found, (2 * t + 0.5) * (1 - t * t), rtol=1e-5)


@pytest.mark.parametrize("mean", [L.mean, L.reduce_mean, lambda x: L.reduce_sum(x) / float(2**23)])
def test_sums_of_many_numbers(mean: Callable) -> None:
    value = (np.random.RandomState(0).rand(2**23) * 600).astype("float32")
    [found] = run({"x": value}, [mean(fluid.data("x", [2**23]))])
    np.testing.assert_allclose(found, value.mean(dtype="float64"), rtol=1e-6)


def test_gradients_select() -> None:
    x, y = fluid.data("x", [3]), fluid.data("y", [3])
    x.stop_gradient = y.stop_gradient = False
    total = L.reduce_sum(L.square(L.elementwise_max(x, y)))
    feed = {"x": np.array([np.inf, 1.0, 3.0], "float32"), "y": np.array([2.0, 2.0, 2.0], "float32")}
    dx, dy = run(feed, fluid.gradients(total, [x, y]))
    np.testing.assert_array_equal(dy, [0, 4, 0])
    np.testing.assert_array_equal(dx, [np.inf, 0, 6])


@pytest.mark.parametrize("name", UNARY)
def test_nan_stays_nan(name: str) -> None:
    """In imperative mode, and in a Program with all passes."""
    value = np.array([[np.nan, np.nan]], "float32")
    with fluid.dygraph.guard():
        assert np.isnan(UNARY[name](fluid.dygraph.to_variable(value)).numpy()[0, 0])
    with passes("all", 0), interpreted():
        [found] = run({"x": value}, [L.scale(UNARY[name](fluid.data("x", [1, 2])), 2.0)])
    assert np.isnan(found[0, 0])


def test_a_schedule_goes_on_after_its_warmup_is_resumed() -> None:
    def rates(optimizer, count: int) -> list[float]:
        found = []
        for _ in range(count):
            loss = L.mean(net(fluid.dygraph.to_variable(np.ones((2, 2), "float32"))))
            loss.backward()
            optimizer.minimize(loss)
            net.clear_gradients()
            found.append(optimizer.current_step_lr())
        return found

    def optimizer():
        decay = fluid.dygraph.LinearLrWarmup(fluid.dygraph.ExponentialDecay(0.1, 2, 0.5), 3, 0.0, 0.1)
        return fluid.optimizer.SGD(decay, parameter_list=net.parameters())

    with fluid.dygraph.guard(fluid.CPUPlace()):
        net = fluid.dygraph.Linear(2, 2)
        first, resumed = optimizer(), optimizer()
        rates(first, 5)
        resumed.set_dict(first.state_dict())
        wanted = rates(first, 3)
        assert rates(resumed, 3) == wanted
        assert wanted[0] < 0.025


def test_the_gradient_of_pad_is_a_part_of_its_results() -> None:
    x, weights = fluid.data("x", [3, 4]), np.arange(36, dtype="float32").reshape(3, 12)
    x.stop_gradient = False
    total = L.reduce_sum(L.elementwise_mul(L.pad(x, [0, 0, 4, 4]), L.assign(weights)))
    [found] = run({"x": np.ones((3, 4), "float32")}, fluid.gradients(total, [x]))
    np.testing.assert_array_equal(found, weights[:, 4:8])


def test_extreme_numbers_and_attributes_of_numpy() -> None:
    x, label = fluid.data("x", [1, 2]), fluid.data("label", [1, 1], "int64")
    image = L.pool2d(L.fill_constant([1, 1, 2, 2], "float32", float("-inf")), 2, "max")
    fetches = [L.bpr_loss(x, label), image, L.clip(x, np.float32(0.25), np.float32(0.75))]
    loss, largest, clipped = run({"x": np.array([[0, 100]], "float32"), "label": np.zeros((1, 1), "int64")}, fetches)
    assert loss.item() == 100
    assert largest.item() == -np.inf
    np.testing.assert_array_equal(clipped, [[0.25, 0.75]])
