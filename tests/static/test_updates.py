"""Updates that run as one call, in place where nobody else can see it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.ops.framework.registry import get
from paddle_lite.static import default_main_program, default_startup_program, global_scope
from paddle_lite.static.plan import Plan
from paddle_lite.static.plan.needed import outer_reads
from paddle_lite.static.plan.passes import updates
from paddle_lite.static.plan.passes.norms import sums_of_squares
from paddle_lite.static.plan.passes.updates import groups_of
from paddle_lite.static.plan.ssa import Builder, Options
from tests.static.passes import passes
from tests.static.plan.running import alone

L = fluid.layers
CPU = fluid.CPUPlace()


@pytest.fixture(autouse=True, params=["first run", "later run"])
def by_kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test runs twice: arrays are checked in Python, as in the first runs of a Plan, and by the kernel of later ones."""
    monkeypatch.setattr(updates, "pays", lambda size: True)
    monkeypatch.setattr(updates, "SLOW_CHECKS", updates.SLOW_CHECKS if request.param == "first run" else 0)
    with passes("updates"):
        yield


def weight(name: str, shape: tuple[int, ...] = (2,)) -> Any:
    start = np.arange(1, 1 + int(np.prod(shape))).reshape(shape).astype("float32")
    initializer = fluid.initializer.NumpyArrayInitializer(start)
    return L.create_parameter(list(shape), "float32", name, default_initializer=initializer)


def loss_of(*params: Any) -> Any:
    """A loss whose gradient is the parameters themselves."""
    return L.sum([L.reduce_sum(L.square(p)) for p in params])


def tensor(name: str) -> Any:
    return global_scope().find_var(name).get_tensor()


def started() -> Any:
    exe = fluid.Executor(CPU)
    exe.run(default_startup_program())
    return exe


def calls(*fetch: str) -> list[str]:
    """The lines of the Plan that call a group."""
    text = Plan(default_main_program(), [], [], fetch, "cpu").source
    return [line.strip() for line in text.splitlines() if " = g" in line]


def operators(*fetch: str) -> int:
    """How many operators run by themselves."""
    return alone(Plan(default_main_program(), [], [], fetch, "cpu").source)


def test_sums_of_squares_become_one_call() -> None:
    block = clipped()
    squares = [op.output("Out")[0] for op in block.ops if op.type == "square"]
    assert len(squares) == 2
    assert operators(*squares) - operators() == 4
    text = Plan(default_main_program(), [], [], [], "cpu").source
    assert text.count("sums_of_squares") == 1


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_sums_of_squares(dtype: str) -> None:
    arrays = [np.arange(6, dtype=dtype).reshape(2, 3).T, np.full(3, 2, dtype)]
    found = sums_of_squares(arrays)
    assert [(a.shape, a.dtype.name, float(a[0])) for a in found] == [((1,), dtype, 55.0), ((1,), dtype, 12.0)]


def test_updates_become_one_call() -> None:
    fluid.optimizer.Adam(0.1).minimize(loss_of(weight("u"), weight("w", (3, 2))))
    [line] = calls()
    assert line.count("[") == 5 + 8


def test_arrays_stay_where_they_are() -> None:
    fluid.optimizer.Momentum(0.1, 0.9).minimize(loss_of(weight("u"), weight("w")))
    exe = started()
    exe.run()
    exe.run()
    places = [id(tensor(n).array) for n in ("u", "w", "u_velocity_0", "w_velocity_0")]
    for _ in range(3):
        exe.run()
    assert [id(tensor(n).array) for n in ("u", "w", "u_velocity_0", "w_velocity_0")] == places


def test_arrays_are_checked_in_python_until_the_kernel_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 2 parameters, each with a velocity, a call checks 4 arrays."""
    checks: list[Any] = []
    monkeypatch.setattr(updates, "can_update_in_place", lambda *given: checks.append(given))
    monkeypatch.setattr(updates, "SLOW_CHECKS", 10)
    group = updates.GroupedUpdate(get("momentum"), {"mu": 0.9, "use_nesterov": False}, [0.0, 0.0])
    assert group.plain
    found = []
    for _ in range(4):
        params, grads, kept = ([np.ones(3, np.float32) for _ in range(2)] for _ in range(3))
        group(params, grads, [np.ones(1, np.float32)], [], kept)
        found.append(len(checks))
    assert found == [0, 0, 1, 2]


def test_what_was_fetched_or_held_stays() -> None:
    u, w = weight("u"), weight("w")
    fluid.optimizer.SGD(0.25).minimize(loss_of(u, w))
    exe = started()
    kept, values = [], []
    for step in range(6):
        kept += [*exe.run(fetch_list=[u]), tensor("w").array, tensor("w").array[:1], np.asarray(tensor("u"))]
        values += [a.copy() for a in kept[len(values) :]]
        assert tensor("u").array.tolist() == [0.5 ** (step + 1), 2 * 0.5 ** (step + 1)]
        for array, value in zip(kept, values, strict=True):
            np.testing.assert_array_equal(array, value)


@pytest.mark.parametrize("together", [True, False])
def test_what_was_fetched_is_the_users(together: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates, "pays", lambda size: together)
    u, w = weight("u"), weight("w")
    fluid.optimizer.SGD(0.25).minimize(loss_of(u, w))
    exe = started()
    for step in range(1, 4):
        for found in exe.run(fetch_list=[u, w]):
            assert found.tolist() == [0.5**step, 2 * 0.5**step]
            found[:] = 100.0


def test_what_was_set_or_fed_stays() -> None:
    u, w = weight("u"), weight("w")
    fluid.optimizer.SGD(0.25).minimize(loss_of(u, w))
    exe = started()
    own, fed = np.array([4.0, 8.0], "float32"), np.array([1.0, 3.0], "float32")
    for _ in range(3):
        tensor("u").set(own, CPU, zero_copy=True)
        exe.run(feed={"w": fed})
        exe.run(feed={"w": fed})
        assert own.tolist() == [4.0, 8.0]
        assert fed.tolist() == [1.0, 3.0]
        assert tensor("u").array.tolist() == [1.0, 2.0]
        assert tensor("w").array.tolist() == [0.5, 1.5]


def test_views_and_other_names_of_a_parameter_stay() -> None:
    u, w = weight("u", (2, 2)), weight("w")
    before = L.reshape(u, [4])
    fluid.optimizer.SGD(0.25).minimize(loss_of(u, w))
    exe = started()
    for step in range(4):
        assert exe.run(fetch_list=[before])[0].tolist() == [n * 0.5**step for n in (1.0, 2.0, 3.0, 4.0)]
    shared = tensor("shared") if global_scope().find_var("shared") else global_scope().var("shared").get_tensor()
    shared._share_data_with(tensor("u"))
    value = np.array(shared)
    exe.run()
    np.testing.assert_array_equal(np.array(shared), value)


def test_two_fetch_lists_and_two_scopes() -> None:
    u, w = weight("u"), weight("w")
    fluid.optimizer.Momentum(0.25, 0.5).minimize(loss_of(u, w))
    exe = started()
    plain = []
    for _ in range(6):
        exe.run()
        plain.append(np.array(tensor("u")))
    scopes = [fluid.Scope(), fluid.Scope()]
    for scope in scopes:
        exe.run(default_startup_program(), scope=scope)
    for step in range(6):
        for scope in scopes:
            exe.run(fetch_list=[u] if step % 2 else [w], scope=scope)
            np.testing.assert_array_equal(np.array(scope.find_var("u").get_tensor()), plain[step])


def test_different_attributes_make_groups() -> None:
    params = [weight(name) for name in "abcd"]
    loss = loss_of(*params)
    lamb = fluid.optimizer.LambOptimizer(0.1, exclude_from_weight_decay_fn=lambda p: p.name in "ab")
    lamb.minimize(loss)
    assert len(calls()) == 2


def test_small_networks_do_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    fluid.optimizer.SGD(0.1).minimize(loss_of(weight("u"), weight("w")))
    assert calls() == []
    fluid.optimizer.SGD(0.1).minimize(loss_of(weight("a", (64, 32)), weight("b", (64, 32))))
    assert len(calls()) == 1


def test_one_update_needs_no_group() -> None:
    fluid.optimizer.SGD(0.1).minimize(loss_of(weight("u")))
    assert calls() == []


def decayed(dtype: str) -> Any:
    """The loss of two parameters, u of them with a penalty."""
    block, rate = default_main_program().global_block(), L.fill_constant([1], dtype, 0.25)
    for name in "uw":
        about = {"name": name, "shape": [2], "dtype": dtype, "persistable": True}
        start = fluid.initializer.Constant(1.0)
        default_startup_program().global_block().create_var(initializer=start, **about)
        param = block.create_var(**about)
        grad = L.scale(param, 2.0)
        if name == "u":
            block.append_op("sum", {"X": [grad, L.scale(param, 0.5)]}, {"Out": grad})
        block.append_op("sgd", {"Param": param, "Grad": grad, "LearningRate": rate}, {"ParamOut": param})
    return block


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_penalties_are_added_by_the_call(dtype: str) -> None:
    decayed(dtype)
    exe = started()
    text = Plan(default_main_program(), [], [], [], "cpu").source
    assert text.count(" = k") == 3  # the learning rate and two gradients
    for _ in range(3):
        exe.run()
    np.testing.assert_allclose(tensor("u").array, (1 - 0.25 * 2.5) ** 3)
    np.testing.assert_allclose(tensor("w").array, 0.125)


def clipped(**more: Any) -> Any:
    """The optimizer's operators for two parameters under a clip of their common norm; the rate is 1, the norm 0.5."""
    clip = fluid.clip.GradientClipByGlobalNorm(0.5)
    u, w = weight("u"), weight("w")
    fluid.optimizer.SGD(1.0, grad_clip=clip, **more).minimize(L.sum([L.reduce_sum(u), L.reduce_sum(w)]))
    return default_main_program().global_block()


def test_factors_of_clips_are_part_of_the_call() -> None:
    block = clipped(regularization=fluid.regularizer.L2Decay(0.5))
    exe = started()
    grads = [op.input("X")[0] for op in block.ops if op.type == "sum" and op.attr("op_role") == 2][1:]
    assert operators(*grads) - operators() == 6
    for _ in range(2):
        exe.run()
    np.testing.assert_allclose(tensor("u").array, [(1 * 0.5 - 0.25) * 0.5 - 0.25, (2 * 0.5 - 0.25) * 0.5 - 0.25])


def test_a_clipped_gradient_that_is_fetched() -> None:
    block = clipped()
    grads = [op.input("Grad")[0] for op in block.ops if op.type == "sgd"]
    exe = started()
    for step in range(1, 3):
        for found in exe.run(fetch_list=grads):
            np.testing.assert_allclose(found, [0.25, 0.25])
        np.testing.assert_allclose(tensor("w").array, [1 - 0.25 * step, 2 - 0.25 * step])


def test_a_clipped_gradient_that_somebody_else_reads() -> None:
    block = clipped()
    [u, _] = [op.input("Grad")[0] for op in block.ops if op.type == "sgd"]
    seen = L.scale(block.var(u), 2.0)
    exe = started()
    for _ in range(2):
        np.testing.assert_allclose(exe.run(fetch_list=[seen])[0], [0.5, 0.5])
    np.testing.assert_allclose(tensor("u").array, [0.5, 1.5])


def test_a_gradient_that_is_fetched_has_its_penalty() -> None:
    block = decayed("float32")
    grads = [op.input("Grad")[0] for op in block.ops if op.type == "sgd"]
    exe = started()
    for step in range(3):
        u, w = exe.run(fetch_list=grads)
        np.testing.assert_allclose(u, 2.5 * (1 - 0.25 * 2.5) ** step)
        np.testing.assert_allclose(w, 2 * 0.5**step)


def test_a_penalty_that_somebody_else_reads() -> None:
    u, w = weight("u"), weight("w")
    loss = loss_of(u, w)
    fluid.optimizer.SGD(0.25, regularization=fluid.regularizer.L2Decay(0.5)).minimize(loss)
    block = default_main_program().global_block()
    [scaled] = [op.output("Out")[0] for op in block.ops if op.type == "scale" and op.input("X") == ["u"]]
    seen = L.scale(block.var(scaled), 10.0)
    exe = started()
    for step in range(3):
        np.testing.assert_allclose(exe.run(fetch_list=[seen])[0], np.array([5.0, 10.0]) * 0.375**step, rtol=1e-6)


def test_a_penalty_of_a_sparse_gradient() -> None:
    ids, start = fluid.data("ids", [None], "int64"), fluid.initializer.Constant(1.0)
    attr = fluid.ParamAttr(name="table", initializer=start)
    table = L.create_parameter([4, 2], "float32", attr=attr)
    block = default_main_program().global_block()
    rows = block.create_var(name="rows", shape=[-1, 2], dtype="float32")
    block.append_op("lookup_table_v2", {"W": table, "Ids": ids}, {"Out": rows}, {"is_sparse": True})
    loss = L.sum([L.reduce_sum(rows), loss_of(weight("u"))])
    fluid.optimizer.SGD(0.25, regularization=fluid.regularizer.L2Decay(1.0)).minimize(loss)
    exe = started()
    assert len(calls()) == 1
    for _ in range(2):
        exe.run(feed={"ids": np.array([1, 1])})
    expected = np.full((4, 2), 0.75**2)
    expected[1] = (0.75 - 0.5) * 0.75 - 0.5
    np.testing.assert_allclose(tensor("table").array, expected)


def test_rates_of_their_own() -> None:
    attr = fluid.ParamAttr(name="u", learning_rate=0.5, initializer=fluid.initializer.Constant(1.0))
    u, w, v = L.create_parameter([2], "float32", attr=attr), weight("w"), weight("v")
    fluid.optimizer.SGD(0.25).minimize(loss_of(u, w, v))
    exe = started()
    assert len(calls()) == 1
    for _ in range(2):
        exe.run()
    assert [tensor(n).array.tolist() for n in "uwv"] == [[0.5625, 0.5625], [0.25, 0.5], [0.25, 0.5]]


def updated_together() -> list[list[str]]:
    """The names of the parameters of each group of the Program."""
    block = default_main_program().global_block()
    graph = Builder(block, block.ops, outer_reads(block.ops, ()), (), (), Options("cpu")).build(())
    return [[block.ops[place].output("ParamOut")[0] for place in group.places] for group in groups_of(graph)]


def test_what_is_read_between_is_not_gathered() -> None:
    """An operator between two updates wants the new value of the first."""
    a, b, c = weight("a"), weight("b"), weight("c")
    block, rate = default_main_program().global_block(), L.fill_constant([1], "float32", 0.25)
    seen = []
    for param in (a, b, c):
        block.append_op("sgd", {"Param": param, "Grad": L.scale(param), "LearningRate": rate}, {"ParamOut": param})
        if param is a:
            seen.append(L.scale(a, 10.0))
    assert updated_together() == [["b", "c"]]
    exe = started()
    for step in range(1, 4):
        assert exe.run(fetch_list=seen)[0].tolist() == [10 * 0.75**step, 20 * 0.75**step]


def test_a_parameter_that_is_updated_twice() -> None:
    u, w = weight("u"), weight("w")
    loss = loss_of(u, w)
    for _ in range(2):
        fluid.optimizer.SGD(0.125).minimize(loss)
    exe = started()
    for step in range(1, 4):
        exe.run()
        np.testing.assert_allclose(tensor("u").array, np.array([1.0, 2.0]) * 0.5**step)


def test_old_values_that_gradients_want_later() -> None:
    """Gradients appended after an update read what the forward operators read."""
    u, w = weight("u"), weight("w")
    block, rate = default_main_program().global_block(), L.fill_constant([1], "float32", 0.25)
    loss = loss_of(u, w)
    for param in (u, w):
        block.append_op("sgd", {"Param": param, "Grad": L.scale(param), "LearningRate": rate}, {"ParamOut": param})
    fluid.backward.append_backward(loss)
    exe = started()
    assert updated_together() == []
    for step in range(3):
        assert exe.run(fetch_list=["u@GRAD"])[0].tolist() == [2 * 0.75**step, 4 * 0.75**step]


@pytest.mark.parametrize("dtype", ["float64", "float16"])
def test_other_dtypes(dtype: str) -> None:
    block = default_main_program().global_block()
    rate = L.fill_constant([1], dtype, 0.25)
    for name in "uw":
        about = {"name": name, "shape": [2], "dtype": dtype, "persistable": True}
        start = fluid.initializer.Constant(1.0)
        default_startup_program().global_block().create_var(initializer=start, **about)
        param = block.create_var(**about)
        block.append_op("sgd", {"Param": param, "Grad": L.scale(param), "LearningRate": rate}, {"ParamOut": param})
    exe = started()
    assert len(calls()) == 1
    for _ in range(3):
        exe.run()
    assert tensor("u").array.dtype == dtype
    assert tensor("w").array.tolist() == [0.75**3, 0.75**3]
