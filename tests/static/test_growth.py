"""How the work of building, differentiating, planning, copying and storing Programs grows: linearly with the number of operators.

Work is counted in calls of functions, of Python and of C, which is the same in each run.
"""

import gc
import sys
from collections.abc import Callable

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.fluid import layers
from paddle_lite.optimizer import SGDOptimizer
from paddle_lite.static import plan_of
from tests.static.passes import passes as plan_passes

MOST = 2.1  # 2 is linear, 4 quadratic


def calls(work: Callable[[], object]) -> int:
    """Return how many functions a function calls, however deep."""
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    gc.disable()  # what finalizers of other tests' objects call is not counted
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


def growth(count: Callable[[int], int], size: int, compiles: bool = False) -> float:
    """Return how much more a doubling costs than the one before it: 2 for linear work, 4 for quadratic work, constants aside.

    compiles: whether something is compiled once for each size.
    """
    sizes = [size * factor for factor in (1, 2, 4)]
    for each in sizes if compiles else [size - 1]:
        count(each)  # what is done once
    once, twice, fourfold = map(count, sizes)
    return (fourfold - twice) / (twice - once)


def chain(size):
    y = x = fluid.data("x", [2, 8])
    x.stop_gradient = False
    for _ in range(size):
        y = layers.relu(layers.elementwise_add(y, x))
    return layers.mean(y)


def parameters(size):
    x = fluid.data("x", [2, 8])
    return layers.mean(layers.sums([layers.fc(x, 8) for _ in range(size)]))


def one_read_often(size):
    y = hidden = layers.fc(fluid.data("x", [2, 8]), 8)
    for scaled in [layers.scale(hidden, float(k)) for k in range(size)]:
        y = layers.elementwise_mul(y, scaled)
    return layers.mean(y)


def one_written_often(size):
    kept = layers.assign(layers.fc(fluid.data("x", [2, 8]), 8))
    for _ in range(size):
        kept = layers.assign(layers.scale(kept, 0.5), kept)
    return layers.mean(kept)


def branches(size):
    hidden = layers.fc(fluid.data("x", [2, 8]), 8)
    for _ in range(size):
        small = layers.less_than(layers.mean(hidden), layers.fill_constant([1], "float32", 1.0))
        hidden = layers.cond(small, lambda: layers.scale(hidden, 0.5), lambda: layers.scale(hidden, 1.5))  # noqa: B023
    return layers.mean(hidden)


class Built:
    """A Program, with its gradients and updates unless `train` is False."""

    def __init__(self, network, size, train=True):
        self.main, self.startup = fluid.Program(), fluid.Program()
        with self.guard():
            self.loss = network(size)
            if train:
                SGDOptimizer(0.1).minimize(self.loss)

    def guard(self):
        return fluid.program_guard(self.main, self.startup)


NETWORKS = {"chain": (chain, 20), "parameters": (parameters, 6), "one read often": (one_read_often, 20), "branches": (branches, 4)}  # fmt: skip
networks = pytest.mark.parametrize(("network", "size"), NETWORKS.values(), ids=NETWORKS)


@networks
def test_building(network, size):
    assert growth(lambda n: calls(lambda: Built(network, n, train=False)), size) < MOST


@networks
def test_gradients_and_updates(network, size):
    def count(n):
        built = Built(network, n, train=False)
        with built.guard():
            return calls(lambda: SGDOptimizer(0.1).minimize(built.loss))

    assert growth(count, size) < MOST


def test_clipping():
    def count(n):
        built = Built(parameters, n, train=False)
        with built.guard():
            gradients = SGDOptimizer(0.1).backward(built.loss)
            return calls(lambda: fluid.clip.GradientClipByValue(1.0)(gradients))

    assert growth(count, 12) < MOST


@networks
def test_planning(network, size):
    def count(n):
        built = Built(network, n)
        with plan_passes("-fuse,-chains,-loops"):  # these compile kernels
            return calls(lambda: plan_of(built.main, ["x"], [built.loss]).source)

    assert growth(count, size) < MOST


@networks
def test_first_run(network, size):
    def count(n):
        built, executor = Built(network, n), fluid.Executor(fluid.CPUPlace())
        with fluid.scope_guard(fluid.Scope()):
            executor.run(built.startup)
            feed = {"x": np.full((2, 8), 0.5, "float32")}
            return calls(lambda: executor.run(built.main, feed=feed, fetch_list=[built.loss]))

    assert growth(count, size, compiles=True) < MOST


@networks
def test_copying_and_pruning(network, size):
    def count(n):
        built = Built(network, n)
        return calls(lambda: (built.main.clone(), built.main.clone(for_test=True), built.main._prune([built.loss])))

    assert growth(count, size) < MOST


@networks
def test_files(network, size):
    def count(n):
        text = None

        def store():
            nonlocal text
            text = built.main.desc.serialize_to_string()

        built = Built(network, n)
        return calls(store) + calls(lambda: fluid.Program.parse_from_string(text))

    assert growth(count, size) < MOST


def test_a_variable_written_often_is_planned_in_linear_work():
    def count(n):
        built = Built(one_written_often, n, train=False)
        return calls(lambda: plan_of(built.main, ["x"], [built.loss]).source)

    assert growth(count, 20) < MOST


def test_planted_quadratic_work_is_found():
    def work(n):
        found = []
        for k in range(n):
            found.append([other.bit_length() for other in range(k)])

    assert growth(lambda n: calls(lambda: work(n)), 40) > 3
