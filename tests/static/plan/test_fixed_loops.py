"""Loops whose values keep their shapes run as one kernel, with their gradients, with the results of the same loops round by round."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.core.errors import LoopLimitError
from paddle_lite.fluid.dygraph import declarative, to_variable
from paddle_lite.static import plan_of
from paddle_lite.static.plan.loops.fixed import call as fixed_call
from paddle_lite.static.plan.loops.fixed import runs as fixed_runs
from tests.fuzz.interrupts import interrupted_after
from tests.static.passes import passes
from tests.static.plan.running import agree, runs

L = fluid.layers
WAYS = ("all", "loops")
ROWS = (3, 1, 5)
Body = Callable[..., Sequence[Any]]


def attr(name: str) -> Any:
    """The attributes of a parameter with numbers that depend on its name."""
    return fluid.ParamAttr(name=name, initializer=fluid.initializer.UniformInitializer(-0.7, 0.7, sum(map(ord, name))))


def fc(x: Any, size: int, name: str, **more: Any) -> Any:
    return L.fc(x, size, param_attr=attr(f"{name}.w"), bias_attr=attr(f"{name}.b"), **more)


def weight(shape: Sequence[int], name: str, dtype: str = "float32") -> Any:
    return L.create_parameter(list(shape), dtype, attr=attr(name))


def counted(body: Body, states: Sequence[Any], rounds: Any) -> list[Any]:
    """What `body` makes of states in some rounds."""
    i = L.fill_constant([1], "int64", 0)
    ends = L.while_loop(lambda i, *_: i < rounds, lambda i, *now: [L.increment(i), *body(*now)], [i, *states])
    return list(ends[1:])


def slopes(results: Sequence[Any], of: Sequence[Any]) -> list[Any]:
    """Results, and the gradients of the sum of their squares by these and by all parameters."""
    loss = L.sums([L.reduce_sum(each * each) for each in results])
    main = fluid.default_main_program()
    parameters = [main.global_block().var(p.name) for p in main.all_parameters()]
    found = fluid.gradients([loss], [*of, *parameters])
    return [*results, *(each for each in found if each is not None)]


def inputs(dtype: str = "float32", width: int = 4) -> tuple[Any, Any]:
    x, n = fluid.data("x", [None, width], dtype), fluid.data("n", [1], "int64")
    x.stop_gradient = False
    return x, n


def feeds(rounds: Sequence[int], dtype: str = "float32", width: int = 4) -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    return [
        {"x": rng.standard_normal((ROWS[k % 3], width)).astype(dtype), "n": np.array([n])} for k, n in enumerate(rounds)
    ]


def scoped() -> Any:
    scope = fluid.Scope()
    fluid.Executor().run(fluid.default_startup_program(), scope=scope)
    return scope


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """All shapes get kernels at once."""
    monkeypatch.setattr(fixed_call, "AFTER", 0)


@contextmanager
def noted_runs() -> Iterator[list[bool]]:
    """Give the list of the runs of kernels in the block: whether each is of a gradient."""
    ran: list[bool] = []
    with pytest.MonkeyPatch.context() as patch:
        call = fixed_runs.Kernel.__call__

        def noted(kernel: Any, arrays: Any, begin: int, end: int) -> int:
            ran.append(begin > end)
            return call(kernel, arrays, begin, end)

        patch.setattr(fixed_runs.Kernel, "__call__", noted)
        yield ran


def check(fetches: Sequence[Any], rounds: Sequence[int] = (4, 0, 1, 7), rtol: float = 2e-5, **more: Any) -> None:
    """Runs call kernels in the place of loops and of their gradients, with the results of the same loops round by round."""
    with noted_runs() as ran:
        agree(feeds(rounds, **more), fetches, WAYS, scope=scoped(), rtol=rtol)
    runs = (2 * sum(n > 0 for n in rounds) - (rounds[0] > 0)) * len(WAYS)  # the first one goes operator by operator
    assert ran.count(False) >= runs and ran.count(True) >= runs


def noted(fetches: Sequence[Any]) -> list[str]:
    with passes("all", 0):
        rows = plan_of(None, ["x", "n"], list(fetches)).listing().rows
    return [f"{row.kernel}, {row.note}" for row in rows if "while" in row.kernel]


# --- bodies -----------------------------------------------------------------------------------------------------------


def cell(x: Any, n: Any) -> list[Any]:
    """A product with a weight, and what all rounds add."""
    w = weight([4, 4], "w")
    return counted(lambda h: [L.tanh(L.elementwise_add(L.matmul(h, w), x))], [L.tanh(x)], n)


def lstm(x: Any, n: Any) -> list[Any]:
    def round(h: Any, c: Any) -> list[Any]:
        i, j, f, o = L.split(L.elementwise_add(fc(x, 16, "in"), fc(h, 16, "hidden")), 4, dim=1)
        c = L.sigmoid(f) * c + L.sigmoid(i) * L.tanh(j)
        return [L.sigmoid(o) * L.tanh(c), c]

    return counted(round, [x, L.scale(x, 0.5)], n)


def normalized(x: Any, n: Any) -> list[Any]:
    """A softmax and a layer_norm, and numbers of all elements."""

    def round(h: Any, s: Any) -> list[Any]:
        mixed = L.layer_norm(fc(h, 4, "mixed"), param_attr=attr("scale"), bias_attr=attr("shift"))
        return [L.softmax(mixed) + h * 0.5, s * 0.5 + L.reduce_mean(mixed * h)]

    return counted(round, [x, L.reduce_sum(x)], n)


def crossed(x: Any, n: Any) -> list[Any]:
    """States that change places, one that stays, and one that is what another was."""
    return counted(lambda a, b, c, d: [b, L.tanh(a) * c, c, a], [x, x * 2, L.sigmoid(x), x - 1], n)


def shared(x: Any, n: Any) -> list[Any]:
    """A weight that a round multiplies with twice, once reshaped, and one that it adds."""
    w, b = weight([2, 8], "w"), weight([4], "b")

    def round(h: Any) -> list[Any]:
        square = L.reshape(w, [4, 4])
        return [L.elementwise_add(L.matmul(L.tanh(L.matmul(h, square)), square) * 0.5, b)]

    return counted(round, [x], n)


def first_only(x: Any, n: Any) -> list[Any]:
    """A state that each round sets without reading it, and one whose gradient is its own."""
    return counted(lambda h, last, total: [L.tanh(h) * 0.9, h * 2, total + h], [x, x * 3, x * 4], n)


def columns(x: Any, n: Any) -> list[Any]:
    """Parts of rows put side by side."""

    def round(h: Any) -> list[Any]:
        left, right = L.slice(h, [1], [0], [1]), L.slice(h, [1], [1], [4])
        return [L.concat([L.tanh(right), L.sigmoid(left)], 1) + fc(right, 4, "right") * 0.3]

    return counted(round, [x], n)


def moved(x: Any, n: Any) -> list[Any]:
    """Axes that change places, a part of what all rounds read, and sums and means over some dimensions."""
    table = weight([6, 4], "table")

    def round(h: Any) -> list[Any]:
        turned = L.transpose(L.tanh(L.transpose(h, [1, 0])), [1, 0])
        part = L.slice(table * 1.5, [0, 1], [2, 0], [3, 4])
        means = L.reduce_mean(h, dim=0, keep_dim=True) + L.unsqueeze(L.reduce_sum(turned * 0.1, dim=0), [0])
        return [L.elementwise_add(turned, part * means)]

    return counted(round, [x], n)


BODIES = [cell, lstm, normalized, crossed, shared, first_only, columns, moved]


@pytest.mark.parametrize("build", BODIES)
def test_loops_with_gradients(build: Any) -> None:
    x, n = inputs()
    check(slopes(build(x, n), [x]))


@pytest.mark.parametrize("build", [cell, lstm])
def test_float64(build: Any) -> None:
    x, n = inputs("float64")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[__name__], "weight", lambda shape, name: L.cast(_weight(shape, name), "float64"))
        patch.setattr(sys.modules[__name__], "fc", _wide)
        check(slopes(build(x, n), [x]), rtol=1e-12, dtype="float64")


_weight = weight


def _wide(x: Any, size: int, name: str) -> Any:
    w = L.create_parameter([4, size], "float64", attr=attr(f"{name}.w"))
    return L.elementwise_add(L.matmul(x, w), L.create_parameter([size], "float64", attr=attr(f"{name}.b")))


def test_machine_code(compiled: None) -> None:
    x, n = inputs()
    check(slopes(lstm(x, n), [x]))


def test_memory_for_many_rounds(compiled: None) -> None:
    """More rounds than there was memory for at first."""
    x, n = inputs()
    check(slopes(cell(x, n), [x]), rounds=(3, 100, 2), rtol=1e-4)


def test_parts_of_a_loop_without_a_gradient_are_used_again(compiled: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Softmax has no form in a kernel for small values, so that the loop is one for fixed shapes."""
    monkeypatch.setattr(fixed_runs, "BYTES", 500)
    x, n = inputs()
    found = counted(lambda h, s: [L.softmax(h) + x, s * 0.5 + L.reduce_sum(h)], [x, L.reduce_sum(x)], n)
    with noted_runs() as ran:
        agree(feeds((0, 1, 50, 7)), found, WAYS)
    assert len(ran) > 12 and not any(ran)


def test_further_shapes_get_kernels_after_some_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixed_call, "AFTER", 3)
    x, n = inputs()
    fetches = slopes(cell(x, n), [x])
    [first, second] = feeds((3, 3))
    with noted_runs() as ran:
        agree([first, *[second] * 3], fetches, ("all",), scope=scoped())
    assert ran.count(False) == ran.count(True) == 1 + 3  # a run of each feed is followed by a second one


def test_rounds_until_a_number_is_reached() -> None:
    """The condition is computed from a state, with a logical operator."""
    x, n = inputs()

    def going(i: Any, h: Any) -> Any:
        return L.logical_and(L.less_than(L.reduce_sum(h * h), L.fill_constant([1], "float32", 30.0)), i < n)

    i = L.fill_constant([1], "int64", 0)
    found = L.while_loop(going, lambda i, h: [i + 1, h * 1.2 + L.tanh(h)], [i, x])
    check(slopes([found[1]], [x]), rounds=(9, 2, 9, 0))


def test_what_has_no_gradient() -> None:
    """A state that stops gradients, and a weight that is not trained."""
    x, n = inputs()
    w = weight([4, 4], "w")
    w.stop_gradient = True

    def round(h: Any, k: Any) -> list[Any]:
        kept = L.tanh(L.matmul(h, w)) * k
        kept.stop_gradient = False
        stopped = L.sigmoid(k + h)
        stopped.stop_gradient = True
        return [kept, stopped]

    check(slopes(counted(round, [x, L.sigmoid(x)], n), [x]))


def test_a_result_that_is_not_read_behind_the_loop() -> None:
    x, n = inputs()
    check(slopes(counted(lambda h, k: [L.tanh(h + k), k * h], [x, x * 0.5], n)[:1], [x]))


def test_a_loop_in_a_declared_function(compiled: None) -> None:
    w = np.random.default_rng(1).standard_normal((4, 4)).astype("f")

    def looped(x: Any, w: Any, n: Any) -> Any:
        i = L.fill_constant([1], "int64", 0)
        h = L.tanh(x)
        while i < n:
            h = L.tanh(L.matmul(h, w) + x)
            i = i + 1
        return L.reduce_sum(h)

    def trained(function: Any) -> list[np.ndarray]:
        found = []
        for feed in feeds((5, 5, 5, 3, 3, 8)):
            with fluid.dygraph.guard():
                x, y, n = to_variable(feed["x"]), to_variable(w), to_variable(feed["n"])
                x.stop_gradient = y.stop_gradient = False
                loss = function(x, y, n)
                loss.backward()
                found += [loss.numpy(), x.gradient(), y.gradient()]
        return found

    expected = trained(looped)
    with passes("all", 0), noted_runs() as ran:
        got = trained(declarative(looped))
    assert ran.count(False) >= 3 and ran.count(True) >= 3
    for each, right in zip(got, expected, strict=True):
        np.testing.assert_allclose(each, right, rtol=2e-4, atol=2e-5)


# --- round by round ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body, reason",
    [
        (lambda x: x + L.uniform_random([4]), "uniform_random draws random numbers"),
        (lambda x: L.argsort(x)[0], "argsort has no form in one kernel"),
        (lambda x: L.matmul(L.matmul(x, x, transpose_x=True), L.tanh(L.matmul(x, x, transpose_x=True))), "matmul has no form"),
    ],
)  # fmt: skip
def test_the_listing_says_why_a_loop_runs_round_by_round(body: Any, reason: str) -> None:
    x, n = inputs()
    [found] = counted(lambda h: [L.reshape(L.reduce_sum(body(h)), [1]) * h], [x], n)
    said = noted(slopes([found], [x]))
    assert "runs block 1, round by round: " in said[0] and reason in said[0]


def test_the_listing_of_a_kernel() -> None:
    x, n = inputs()
    first, second = noted(slopes(cell(x, n), [x]))
    assert first.startswith("loop: while, each round in it: ") and "matmul + elementwise_add + tanh" in first
    assert second.startswith("loop: while_grad, each round in it: ") and "matmul_grad" in second


def test_shapes_that_change_run_round_by_round() -> None:
    """A value that is broadcast in the first round."""
    x, n = inputs()
    y = fluid.data("y", [None, 4])
    [found] = counted(lambda h: [L.elementwise_add(y, h)], [L.reduce_sum(x, dim=0, keep_dim=True)], n)
    given = [{**feed, "y": np.ones((rows, 4), "f")} for feed, rows in zip(feeds((3, 3)), (1, 2), strict=True)]
    with noted_runs() as ran:
        agree(given, slopes([found], [x]), WAYS)
    assert ran.count(True) == 2  # of the first feed's second run


def test_the_limit_of_iterations_is_that_of_loops_round_by_round() -> None:
    x, n = inputs()
    fetches = slopes(cell(x, n), [x])
    fluid.set_flags({"FLAGS_max_loop_iterations": 20})
    try:
        found = runs(feeds((3, 20, 21, 40)), fetches, "all", scope=scoped())
        assert [isinstance(each, LoopLimitError) for each in found] == [False, False, True, True]
        assert "True after 20 iterations" in str(found[2])
    finally:
        fluid.set_flags({"FLAGS_max_loop_iterations": 0})


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no interval timers")
def test_ctrl_c_ends_a_kernel_without_end(compiled: None) -> None:
    x, n = inputs()
    found = counted(lambda h: [L.softmax(h) + x], [x], n)
    [short, _] = feeds((3, 3))
    with passes("all", 0):
        exe = fluid.Executor()
        for _ in range(2):
            [expected] = exe.run(feed=short, fetch_list=found)
        with pytest.raises(KeyboardInterrupt), interrupted_after(0.1):
            exe.run(feed={**short, "n": np.array([2**60])}, fetch_list=found)
        np.testing.assert_array_equal(exe.run(feed=short, fetch_list=found)[0], expected)


# --- loops at random --------------------------------------------------------------------------------------------------

UNARY = ["tanh", "sigmoid", "softsign", "sin", "softmax", "relu"]
BINARY = ["elementwise_add", "elementwise_sub", "elementwise_mul"]


@st.composite
def bodies(draw: Any) -> Any:
    """What a round does: operators, each of values so far; then what becomes of each state."""
    kinds = ["unary", "binary", "product", "scale", "fold", "row", "columns"]
    steps = [
        (draw(st.sampled_from(kinds)), *(draw(st.integers(0, 30)) for _ in range(3)))
        for _ in range(draw(st.integers(1, 7)))
    ]
    return steps, [draw(st.integers(0, 30)) for _ in range(3)]


def computed(steps: Any, values: list[Any], w: Any, b: Any) -> list[Any]:
    """The values of a round: matrices, and numbers."""
    values = list(values)
    for kind, p, q, r in steps:
        wide = [v for v in values if len(v.shape) == 2]
        single = [v for v in values if len(v.shape) == 1]
        x = wide[p % len(wide)]
        if kind == "unary":
            values.append(getattr(L, UNARY[r % len(UNARY)])(x))
        elif kind == "binary":
            other = [*wide, *single][q % (len(wide) + len(single))]
            values.append(getattr(L, BINARY[r % len(BINARY)])(x, other))
        elif kind == "product":
            values.append(L.matmul(x, w))
        elif kind == "scale":
            values.append(L.scale([*wide, *single][q % (len(wide) + len(single))], 0.7, 0.1))
        elif kind == "fold":
            values.append([L.reduce_sum, L.reduce_mean, L.mean][r % 3](x))
        elif kind == "row":
            values.append(L.elementwise_add(x, b))
        else:
            values.append(L.concat(L.split(x, [1, 3], dim=1)[::-1], 1))
    return values


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bodies(), st.sampled_from([0, 1, 2, 5]), st.sampled_from([1, 3]))
def test_loops_at_random(drawn: Any, rounds: int, rows: int) -> None:
    steps, ends = drawn
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        x, n = inputs()
        w, b, s = fluid.data("w", [4, 4]), fluid.data("b", [4]), fluid.data("s", [1])
        w.stop_gradient = b.stop_gradient = s.stop_gradient = False

        def round(*states: Any) -> list[Any]:
            values, found = computed(steps, list(states), w, b), []
            for state, end in zip(states, ends, strict=True):
                fit = [v for v in values if len(v.shape) == len(state.shape)]
                found.append(L.tanh(fit[-1 - end % len(fit)] * 0.5))
            return found

        fetches = slopes(counted(round, [x, x * 0.5, s], n), [x, w, b, s])
        rng = np.random.default_rng(0)
        shapes = {"x": (rows, 4), "w": (4, 4), "b": (4,), "s": (1,)}
        feed = {name: rng.standard_normal(shape).astype("f") for name, shape in shapes.items()}
        with noted_runs() as ran:
            agree({**feed, "n": np.array([rounds])}, fetches, ("loops",), rtol=2e-5, program=main)
        assert ran == [False, True] * (rounds > 0)
