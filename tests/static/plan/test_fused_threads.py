"""Fused kernels over several threads: what each computes, what is added up, and when they stay whole."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.flags import get_flags, set_flags
from paddle_lite.kernels import threads
from paddle_lite.kernels.codegen.threaded_loops import ThreadedLoop
from paddle_lite.kernels.cpu.random.random import manual_seed
from paddle_lite.static import Scope, default_main_program
from paddle_lite.static.plan.fusion.fused import FusedCall
from tests.static.passes import passes
from tests.static.plan.running import copied, equal, kernels, names_of, source
from tests.static.plan.test_fusion import block, data, normal, started

L = fluid.layers
FLAG = "FLAGS_paddle_num_threads"
pytestmark = pytest.mark.usefixtures("compiled")


@pytest.fixture(autouse=True)
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[list[tuple[int, int]]]]:
    """Two cores and small parts; the spans of the kernels that have been cut since, one list a call."""
    before = get_flags(FLAG)
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda pid: {0, 1, 2, 3}, raising=False)
    monkeypatch.setattr(threads, "SMALLEST_PART", 40)
    found: list[list[tuple[int, int]]] = []
    call = ThreadedLoop.__call__

    def noted(self: ThreadedLoop, *args: Any) -> bool:
        kernel, mine, lock = self.kernel, [], threading.Lock()

        def span(first: int, last: int, *more: Any) -> None:
            with lock:
                mine.append((first, last))
            kernel(first, last, *more)

        result = call(ThreadedLoop(span, self.sizes, self.length, self.work, self.totals), *args)
        found.append(sorted(mine))
        return result

    monkeypatch.setattr(ThreadedLoop, "__call__", noted)
    yield found
    monkeypatch.undo()
    set_flags(before)


def ran(feed: dict[str, Any], fetches: list[Any], count: int, scope: Scope | None = None) -> list[np.ndarray]:
    """What is fetched with so many threads, in the second run of a Plan."""
    set_flags({FLAG: count})
    manual_seed(3)
    main, here = default_main_program(), copied(scope)
    main._plans.clear()
    executor = fluid.Executor(fluid.CPUPlace())
    with passes("all", 0):
        for _ in range(2):
            found = executor.run(main, feed, names_of(fetches), scope=here)
    return found


def agree(feed: dict[str, Any], fetches: list[Any], count: int = 3) -> None:
    """Several threads give what one gives, bit by bit."""
    scope = started()
    for name, got, want in zip(
        names_of(fetches), ran(feed, fetches, count, scope), ran(feed, fetches, 1, scope), strict=True
    ):
        equal(got, want, name, 0.0)


def test_elements_in_one_dimension(spans: list) -> None:
    x, y = data("x", [-1, 7]), data("y", [-1, 7])
    z = L.exp(L.elementwise_add(L.tanh(x), y))
    agree({"x": normal(20, 7), "y": normal(20, 7)}, [z])
    assert [(0, 46), (46, 93), (93, 140)] in spans


def test_rows_in_stages(spans: list) -> None:
    agree({"x": normal(41, 8)}, [block(data("x", [-1, 8]))])
    assert [(0, 13), (13, 27), (27, 41)] in spans


def test_sums_over_the_rows_of_each_block_are_added(spans: list) -> None:
    """Gradients of what is broadcast along the batch, and of what is not, in one kernel."""
    x, bias, scale = data("x", [-1, 3, 5]), data("bias", [3, 5]), data("scale", [-1, 1, 5])
    y = L.tanh(L.elementwise_mul(L.elementwise_add(L.exp(x), bias), scale))
    feed = {"x": normal(30, 3, 5), "bias": normal(3, 5), "scale": normal(30, 1, 5)}
    slopes = fluid.gradients(y, [x, bias, scale])
    assert kernels(source(slopes, feeds=list(feed))) > 0
    agree(feed, slopes)
    assert [(0, 2), (2, 4), (4, 7)] in spans  # blocks of 30 rows
    by_rows = np.exp(feed["x"].astype("float64")) + feed["bias"]
    wanted = (feed["scale"] / np.cosh(by_rows * feed["scale"]) ** 2).sum(0)
    np.testing.assert_allclose(ran(feed, slopes, 3)[1], wanted, rtol=1e-4, atol=1e-5)


def test_results_that_are_the_same_in_each_span() -> None:
    """The gradient of a network with all that kernels do: sums of rows, of batches, windows, layer_norm."""
    x = data("x", [-1, 8])
    y = block(x)
    agree({"x": normal(50, 8)}, [y, *fluid.gradients(L.reduce_sum(L.square(y)), [x])])


@pytest.mark.parametrize("shape", [(150,), (40, 6), (40, 1, 6)])
def test_dropouts(shape: tuple[int, ...], spans: list) -> None:
    """Places are counted through the whole array, also in parts side by side."""
    x = data("x", [-1, *shape[1:]])
    y = L.dropout(L.tanh(x), 0.4, dropout_implementation="upscale_in_train")
    fetches = [y, *fluid.gradients(y, [x])]
    if len(shape) > 1:
        joined = L.concat([y, L.exp(x)], -1)
        fetches.append(L.dropout(L.square(joined), 0.4))
    agree({"x": normal(*shape)}, fetches)
    assert any(len(each) == 3 for each in spans)


def test_windows_in_one_dimension() -> None:
    """Constants of one number a row, and windows, of a batch that is known to be one."""
    x = data("x", [1, 1, 200])
    left, right = L.split(L.tanh(x), 2, -1)
    agree({"x": normal(1, 1, 200)}, [L.exp(L.elementwise_add(left, right)), L.concat([L.exp(right), L.exp(left)], -1)])


def test_little_work_and_one_thread_stay_whole(spans: list) -> None:
    x = data("x", [-1, 10])
    y = L.exp(L.tanh(x))
    ran({"x": normal(2, 10)}, [y], 3)
    ran({"x": normal(7, 10)}, [L.relu(L.scale(x, 2.0))], 3)
    assert all(len(each) == 1 for each in spans)
    spans.clear()
    ran({"x": normal(3, 10)}, [y], 3)
    assert spans == [[(0, 15), (15, 30)]]  # 30 elements with two functions each: two parts of 40
    spans.clear()
    ran({"x": normal(50, 10)}, [y], 1)
    assert set(map(tuple, spans)) <= {((0, 500),)}


def test_one_row_stays_whole(spans: list) -> None:
    agree({"x": normal(1, 300)}, [L.softmax(L.scale(data("x", [-1, 300]), 2.0))])
    assert all(len(each) == 1 for each in spans)


def test_the_flag_holds_from_the_next_call_on(spans: list) -> None:
    x = data("x", [-1, 10])
    y, feed = L.exp(L.tanh(x)), {"x": normal(50, 10)}
    expected = ran(feed, [y], 1)[0]
    executor = fluid.Executor(fluid.CPUPlace())
    with passes("all", 0):
        for count in (1, 2, 4, 1):
            set_flags({FLAG: count})
            spans.clear()
            for _ in range(2):
                [found] = executor.run(feed=feed, fetch_list=[y])
                np.testing.assert_array_equal(found, expected)
            assert len(spans[-1]) == count


def test_arrays_that_do_not_fit_are_left_to_the_operators() -> None:
    """They are seen by each span; none computes anything."""
    x = data("x", [-1, 10])
    y = L.exp(L.tanh(x))
    ran({"x": normal(50, 10)}, [y], 3)
    [plan] = default_main_program()._plans.values()
    [call] = [v for v in plan._function(False, True).writer.scope.values() if isinstance(v, FusedCall)]
    value = normal(50, 20)[:, ::2]
    for array in (value, value.astype(">f4"), value.copy()):
        [found] = call(array)
        np.testing.assert_allclose(found, np.exp(np.tanh(value)), rtol=1e-5)


def test_threads_of_the_program() -> None:
    """One kernel at a time is cut; the others run whole. Sums are right whoever gets the threads."""
    x, bias = data("x", [-1, 10]), data("bias", [10])
    y = L.tanh(L.elementwise_add(L.exp(x), bias))
    fetches = [y, *fluid.gradients(y, [x, bias])]
    feed = {"x": normal(60, 10), "bias": normal(10)}
    expected = ran(feed, fetches, 2)
    [plan] = default_main_program()._plans.values()
    wrong: list[Any] = []

    def runs() -> None:
        try:
            with np.errstate(all="ignore"):
                for _ in range(50):
                    found, _ = plan.run([feed[name] for name in plan.inputs], [])
                    for got, want in zip(found, expected, strict=False):
                        np.testing.assert_allclose(got, want, rtol=1e-5)
        except BaseException as error:
            wrong.append(error)

    with passes("all", 0):
        _together(runs)
    assert not wrong, wrong


def _together(task: Callable[[], None], count: int = 4) -> None:
    callers = [threading.Thread(target=task) for _ in range(count)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
