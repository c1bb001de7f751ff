"""Programs whose operators are joined into kernels compute what they compute one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.core import unique_name
from paddle_lite.core.errors import EnforceNotMet, ShapeError
from paddle_lite.static import (
    Program,
    Scope,
    default_main_program,
    default_startup_program,
    global_scope,
    program_guard,
    scope_guard,
)
from tests.static.passes import passes
from tests.static.plan import networks
from tests.static.plan.running import agree, alone, kernels, runs, source

L = fluid.layers
RNG = np.random.default_rng(0)


def data(name: str, shape: list[int], dtype: str = "float32", **more: Any) -> Any:
    variable = fluid.data(name, shape, dtype, **more)
    variable.stop_gradient = False
    return variable


def normal(*shape: int, dtype: str = "float32") -> np.ndarray:
    return RNG.standard_normal(shape).astype(dtype)


def started() -> Scope:
    fluid.Executor(fluid.CPUPlace()).run(default_startup_program())
    return global_scope()


# --- at random ------------------------------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(networks.steps(), st.sampled_from(["float32", "float64"]), st.booleans(), st.integers(0, (1 << 16) - 1))
def test_programs_compute_the_same(steps: list[tuple], dtype: str, slopes: bool, which: int) -> None:
    """Any of their Variables, and their gradients, for one batch after another; also for none."""
    with unique_name.guard(), program_guard(Program(), Program()), scope_guard(Scope()):
        given, made = networks.built(steps, dtype)
        fetches = [v for k, v in enumerate(dict.fromkeys(made)) if which >> k & 1] or [made[-1]]
        fetches += networks.gradients(made, given) if slopes else []
        rtol = 2e-4 if dtype == "float32" else 1e-9
        agree([networks.feed(dtype, n) for n in (2, 3, 1, 0, 2)], fetches, rtol=rtol, scope=started())


@pytest.mark.usefixtures("compiled")
@settings(max_examples=4, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(networks.steps(), st.sampled_from(["float32", "float64"]))
def test_compiled_programs_compute_the_same(steps: list[tuple], dtype: str) -> None:
    with unique_name.guard(), program_guard(Program(), Program()), scope_guard(Scope()):
        given, made = networks.built(steps, dtype)
        fetches = [made[-1], *networks.gradients(made, given)]
        rtol = 2e-4 if dtype == "float32" else 1e-9
        agree([networks.feed(dtype, n) for n in (2, 3, 0)], fetches, rtol=rtol, scope=started())


def block(x: Any) -> Any:
    """A residual block with all that kernels do in stages."""
    y = L.layer_norm(x, begin_norm_axis=1)
    z = L.relu(L.elementwise_add(y, L.create_parameter([8], "float32", "shift")))
    left, right = L.split(z, 2, -1)
    gate = L.elementwise_mul(L.sigmoid(left), L.tanh(right))
    return L.softmax(L.elementwise_add(x, L.concat([gate, right], -1)))


# --- compiled -------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("compiled")
def test_compiled_kernels_compute_the_same() -> None:
    """The gradients too, for arrays that are contiguous or not, and lie anew from run to run."""
    x = data("x", [-1, 8])
    y = block(x)
    loss = L.mean(L.reduce_sum(L.square(y), 1))
    fetches = [y, loss, *fluid.gradients(loss, [x, default_main_program().global_block().var("shift")])]
    assert kernels(source(fetches, feeds=["x"])) >= 2
    whole = normal(12, 16)
    feeds = [whole[:3, :8], whole[:3, :8].copy(), whole[:5, ::2], whole[:5, ::2].copy(), normal(8, 5).T, normal(1, 8)]
    agree([{"x": array} for array in feeds], fetches, rtol=2e-5, scope=started())


# --- what is used ---------------------------------------------------------------------------------------------------------


def test_a_chain_is_one_kernel() -> None:
    x, y = data("x", [-1, 4]), data("y", [4])
    z = L.exp(L.tanh(L.elementwise_add(x, y)))
    text = source([z], feeds=["x", "y"])
    assert kernels(text) == 1 and alone(text) == 0
    assert kernels(source([z], "-fuse", ["x", "y"])) == 0


@pytest.mark.parametrize("reduced", [L.reduce_sum, L.reduce_mean])
@pytest.mark.parametrize("keep_dim", [False, True])
def test_gradients_of_sums_and_means_of_rows(reduced: Any, keep_dim: bool) -> None:
    x = data("x", [-1, 3, 4])
    rows = reduced(L.tanh(x), dim=[1, 2], keep_dim=keep_dim)
    [found] = fluid.gradients([rows * rows], [x])
    assert "reduce" not in "".join(text for text in source([found]).splitlines() if " = k" in text)
    agree([{"x": normal(n, 3, 4)} for n in (2, 1, 3)], [found])


def test_softmax_and_its_gradient_are_two_kernels() -> None:
    x = data("x", [-1, 4])
    y = L.softmax(L.scale(x, 2.0))
    loss = L.reduce_sum(L.elementwise_mul(y, L.tanh(y)), 1)
    text = source(fluid.gradients(loss, [x]), feeds=["x"])
    assert 1 <= kernels(text) <= 2


@pytest.mark.parametrize("shape", [[-1, 2, 3, 4], [-1, 3, 4, 2], [-1, 6]])
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_rows_with_a_number_for_each_channel(shape: list[int], layout: str) -> None:
    """A row of the layer normalisation has several channels, so only where they are its elements are both one kernel."""
    x = data("x", shape)
    y = L.batch_norm(L.layer_norm(x, scale=False, shift=False), is_test=True, data_layout=layout, param_attr="scale")
    scope = started()
    channels = shape[1 if layout == "NCHW" else -1]
    scope.values["scale"].array = normal(channels)
    agree({"x": normal(3, *shape[1:])}, [L.scale(y, 2.0)], scope=scope)


def test_operators_around_one_that_does_not_fit() -> None:
    """The gradient of `once` is a sum over the batch, which only another kernel can go on with."""
    x, once = data("x", [-1, 8]), data("once", [1, 8])
    y = L.tanh(L.elementwise_mul(L.relu(x), L.tanh(L.sigmoid(once))))
    fetches = fluid.gradients(L.reduce_sum(L.square(y)), [x, once])
    text = source(fetches, feeds=["x", "once"])
    assert (kernels(text), alone(text)) == (3, 1), text  # alone: the gradient of reduce_sum
    for rows in (3, 1):
        agree({"x": normal(rows, 8), "once": normal(1, 8)}, fetches, rtol=1e-5)


def test_a_sum_of_very_many_is_left_alone() -> None:
    """As the gradient of what a long chain of operators reads is: an expression of it would be nested as deeply."""
    x = data("x", [-1, 8])
    y = L.sum([L.relu(x)] + [L.scale(x, 0.01 * k) for k in range(1200)])
    assert "k1201(" in source([L.tanh(y)], feeds=["x"])
    assert np.isfinite(runs([{"x": normal(2, 8)}], [L.tanh(y)], "all")[0][0][0]).all()


def test_one_operator_is_no_kernel() -> None:
    assert kernels(source([L.tanh(data("x", [-1, 4]))], feeds=["x"])) == 0


def test_integers_are_left_alone() -> None:
    x = data("x", [-1, 4], "int32")
    assert kernels(source([L.scale(L.elementwise_add(x, x), 2.0)], feeds=["x"])) == 0


def test_what_somebody_reads_between_stays_in_order() -> None:
    """The operator between is no part of the kernel, and reads what its first half gives."""
    x = data("x", [-1, 4])
    y = L.exp(L.tanh(x))
    between = L.cumsum(y)
    z = L.exp(L.elementwise_add(L.tanh(y), between))
    agree({"x": normal(3, 4)}, [z, between])
    agree({"x": normal(3, 4)}, [z])


@pytest.mark.parametrize("wanted", range(7))
def test_any_variable_can_be_fetched(wanted: int) -> None:
    x = data("x", [-1, 4])
    chain = [L.tanh(x)]
    for make in (L.exp, L.assign, L.softmax, L.square, lambda v: L.reduce_sum(v, 1, keep_dim=True), L.sigmoid):
        chain.append(make(chain[-1]))
    agree({"x": normal(3, 4)}, [chain[wanted]])
    agree({"x": normal(3, 4)}, [chain[wanted], chain[-1], chain[0]])


def test_what_is_fetched_is_an_array_of_its_own() -> None:
    x = data("x", [2, 4])
    y = L.tanh(x)
    copies = [L.assign(y), L.assign(y), L.assign(x)]
    value = normal(2, 4)
    [found] = runs([{"x": value}], [y, *copies, L.exp(copies[0])], "all")
    arrays = [array for array, _ in found] + [value]
    assert not any(np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i])


# --- shapes that only the run tells ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("first, second", [(3, 3), (1, 3), (3, 1), (0, 0), (1, 1)])
@pytest.mark.parametrize("how", [L.elementwise_add, L.elementwise_sub, L.elementwise_mul, L.elementwise_max])
def test_batches_that_broadcast_as_they_come(how: Any, first: int, second: int) -> None:
    """The Program knows neither size: where one of them is 1, its gradient is a sum."""
    x, y = data("x", [-1, 4]), data("y", [-1, 4])
    z = L.tanh(how(L.exp(x), y))
    fetches = [z, *fluid.gradients(z, [x, y])]
    feeds = [{"x": normal(3, 4), "y": normal(3, 4)}, {"x": normal(first, 4), "y": normal(second, 4)}]
    assert kernels(source(fetches, feeds=["x", "y"])) > 0
    agree([*feeds, feeds[0]], fetches, rtol=1e-5)


@pytest.mark.parametrize("rows", [5, 1, 3])
def test_constants_have_shapes(rows: int) -> None:
    """Five rows of a constant: a batch of one is broadcast, one of three is refused."""
    x = data("x", [-1, 4])
    y = L.tanh(L.elementwise_add(L.exp(x), L.fill_constant([5, 4], "float32", 2.0)))
    [found] = agree({"x": normal(rows, 4)}, [y], rtol=1e-6)
    assert isinstance(found, ShapeError) if rows == 3 else found[0][0].shape == (5, 4)


def test_parts_of_a_constant() -> None:
    left, right = L.split(L.fill_constant([3, 8], "float32", 2.0), 2, 1)
    x, y = data("x", [3, 4]), data("y", [3, 4])
    joined = L.concat([L.tanh(x), L.exp(y)], 1)
    agree(
        {"x": normal(3, 4), "y": normal(3, 4)},
        [L.exp(L.elementwise_add(left, right)), *fluid.gradients(joined, [x, y])],
    )


def test_a_constant_whose_value_is_an_input() -> None:
    """The attribute is not what it is filled with."""
    x, block = data("x", [-1, 4]), default_main_program().global_block()
    out = block.create_var(name="filled", shape=[4], dtype="float32")
    value = L.fill_constant([1], "float32", 3.0)
    block.append_op("fill_constant", {"ValueTensor": value}, {"Out": out}, {"shape": [4], "value": 7.0, "dtype": 5})
    agree({"x": normal(3, 4)}, [L.tanh(L.elementwise_mul(x, out))])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_feeds_of_other_shapes_and_dtypes_than_declared(dtype: str) -> None:
    """`layers.data` does not check them: these runs go operator by operator."""
    x = L.data("x", [6, 4], append_batch_size=False)
    x.stop_gradient = False
    y = L.squeeze(L.unsqueeze(L.cast(x, "float32"), [0]), [0])
    z = L.exp(L.elementwise_add(L.slice(y, [0], [-2], [100]), L.slice(L.tanh(y), [0], [0], [2])))
    agree([{"x": normal(n, 4, dtype=dtype)} for n in (6, 8, 5, 6)], [L.scale(y, 2.0), z], rtol=1e-5)


# --- LoDs -----------------------------------------------------------------------------------------------------------------


def test_ragged_inputs_keep_their_lods() -> None:
    words, plain = data("words", [-1, 4], lod_level=1), data("plain", [-1, 4])
    chain = [L.tanh(words)]
    chain += [
        L.exp(chain[0]),
        L.elementwise_add(plain, L.square(chain[0])),
        L.softmax(L.elementwise_mul(chain[0], plain)),
    ]
    pooled = L.sequence_pool(L.square(chain[-1]), "sum")
    slopes = fluid.gradients(pooled, [words, plain])
    feeds = []
    for lengths in ([2, 1], [1, 1, 3], [3]):
        rows = normal(sum(lengths), 4)
        feeds.append(
            {"words": fluid.create_lod_tensor(rows, [lengths], fluid.CPUPlace()), "plain": normal(sum(lengths), 4)}
        )
    fetches = [*chain, pooled, *slopes]
    assert kernels(source(fetches, feeds=["words", "plain"], ragged=["words"])) > 0
    found = agree(feeds, fetches)
    assert found[0][1][1] is not None


# --- Variables that are written again -------------------------------------------------------------------------------------


def test_variables_that_are_overwritten() -> None:
    x = data("x", [-1, 4])
    y = L.tanh(x)
    before = L.exp(y)
    slope = fluid.gradients(before, [x])[0]
    L.assign(L.scale(y, 3.0), y)
    after = L.exp(y)
    agree({"x": normal(3, 4)}, [before, after, y, slope])


def updated(*params: Any) -> None:
    """Updates of all parameters, together: in place."""
    block, rate = default_main_program().global_block(), L.fill_constant([1], "float32", 0.25)
    for param in params:
        step = {"Param": param, "Grad": L.scale(param, 2.0), "LearningRate": rate}
        block.append_op("sgd", step, {"ParamOut": param})


def params(*shapes: tuple[int, ...]) -> list[Any]:
    return [
        L.create_parameter(list(s), "float32", name, default_initializer=fluid.initializer.Normal(seed=3))
        for name, s in zip("uvw", shapes, strict=False)
    ]


@pytest.fixture
def in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Updates of small parameters, too, are kernels that write in place."""
    monkeypatch.setattr("paddle_lite.static.plan.passes.updates.pays", lambda size: True)


@pytest.mark.usefixtures("in_place")
def test_kernels_do_not_wait_for_updates() -> None:
    """Half of a chain stands before the update of what it reads, half behind it."""
    u, v = params((4,), (4,))
    early = [L.tanh(u), L.assign(v)]
    updated(u, v)
    late = [L.exp(early[0]), L.scale(early[1], 3.0), L.exp(L.tanh(u))]
    agree([{}] * 3, late, ("all", "-copies", "-fuse"), scope=started())


@pytest.mark.usefixtures("in_place")
def test_convolutions_do_not_wait_for_updates() -> None:
    u, v = params((3, 2, 3, 3), (3,))
    block, image = default_main_program().global_block(), data("image", [1, 2, 5, 5])
    out = block.create_var(name="out", dtype="float32")
    block.append_op("conv2d", {"Input": image, "Filter": u}, {"Output": out}, {"strides": [1, 1], "paddings": [0, 0]})
    updated(u, v)
    agree({"image": normal(1, 2, 5, 5)}, [L.relu(out)], scope=started())


# --- errors ---------------------------------------------------------------------------------------------------------------


def test_errors_name_the_operator_and_its_line() -> None:
    """Where arrays fit no kernel the operators run one by one; the one that fails is neither the first nor the last."""
    x, y = L.data("x", [4]), L.data("y", [4])
    z = L.exp(L.elementwise_add(L.tanh(x), y))  # this line
    feed = {"x": normal(3, 4), "y": normal(3, 4)}
    with passes("all", 0):
        executor = fluid.Executor(fluid.CPUPlace())
        for _ in range(2):
            executor.run(feed=feed, fetch_list=[z])
        [plan] = [p for p in default_main_program()._plans.values() if z.name in p.fetches]
        assert kernels(plan.source) == 1
        arrays = {"x": normal(3, 4), "y": normal(2, 4)}
        with pytest.raises(ShapeError, match=r"elementwise_add: .* got 2 \(shape \[2, 4\]\)") as raised:
            plan._call(plan._function(checked=False, fused=True), [arrays[name] for name in plan.inputs], [])
    assert "# this line" in str(raised.value) and "test_fusion.py" in str(raised.value)


def test_errors_of_kernels_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    x = data("x", [-1, 4])
    y = L.exp(L.tanh(x))

    def broken(*_: Any) -> bool:
        raise RuntimeError("broken")

    with passes("all", 0):
        executor = fluid.Executor(fluid.CPUPlace())
        executor.run(feed={"x": normal(3, 4)}, fetch_list=[y])
        monkeypatch.setattr("paddle_lite.static.plan.fusion.kernel.Kernel.compiled", lambda self: broken)
        with pytest.raises(EnforceNotMet, match="exp: RuntimeError: broken"):
            executor.run(feed={"x": normal(3, 4)}, fetch_list=[y])
