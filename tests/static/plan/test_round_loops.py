"""Loops over numbers and small arrays run as one kernel, with the results of the same loops round by round."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentValueError, LoopLimitError
from paddle_lite.static import plan_of
from paddle_lite.static.plan.loops.fixed.form import LARGEST
from paddle_lite.static.plan.loops.rounds import LoopCall
from paddle_lite.tensor import where
from tests.fuzz.interrupts import interrupted_after
from tests.static.passes import passes
from tests.static.plan.running import agree, runs

L = fluid.layers
WAYS = ("all", "loops")
ESTIMATED = -1


def counter(to: Any = 5) -> tuple[Any, Any]:
    """A number that counts, and its limit."""
    n = L.fill_constant([1], "int64", to) if isinstance(to, int) else to
    return L.fill_constant([1], "int64", 0), n


def counted(body: Callable[..., Sequence[Any]], states: Sequence[Any], to: Any = 5, **more: Any) -> list[Any]:
    """What `body` makes of states in some rounds; it gets the count and the states."""
    i, n = counter(to)
    found = L.while_loop(
        lambda i, *_: i < n, lambda i, *given: [L.increment(i), *body(i, *given)], [i, *states], **more
    )
    return list(found)


def calls(fetches: Sequence[Any], which: str = "loops") -> list[LoopCall]:
    """The loops that a Plan runs as one kernel."""
    with passes(which, 0):
        graph = plan_of(None, None, list(fetches))._function(checked=False, fused=True).writer.graph
    return [each for step in graph.instructions for each in step.scope.values() if isinstance(each, LoopCall)]


def noted(fetches: Sequence[Any]) -> str:
    with passes("all", 0):
        rows = plan_of(None, None, list(fetches)).listing().rows
    [row] = [row for row in rows if row.kernel in ("while", "loop: while")]
    return f"{row.kernel}: {row.note}"


def test_numbers_of_all_kinds() -> None:
    x, k = fluid.data("x", [1], "float32"), fluid.data("k", [1], "int32")

    def body(i: Any, x: Any, k: Any, flag: Any) -> list[Any]:
        odd = L.equal(L.elementwise_mod(k, L.fill_constant([1], "int32", 2)), L.fill_constant([1], "int32", 1))
        both = L.logical_and(odd, L.logical_not(flag))
        return [L.tanh(x * 0.5) + L.cast(k, "float32") * 0.01, k * 3 - 1, L.logical_xor(both, L.logical_or(odd, flag))]

    found = counted(body, [x, k, L.fill_constant([1], "bool", True)])
    assert len(calls(found)) == 1
    feeds = [{"x": np.array([v], "float32"), "k": np.array([w], "int32")} for v, w in ((0.5, 3), (-2, -7), (np.nan, 0))]
    agree(feeds, found, WAYS, rtol=1e-6)


def test_arrays_with_broadcasting_reductions_and_products() -> None:
    x, y, w = fluid.data("x", [-1, 3]), fluid.data("y", [3]), fluid.data("w", [3, 3])

    def body(i: Any, x: Any, y: Any, top: Any) -> list[Any]:
        z = L.elementwise_add(L.matmul(x, w), y)
        z = L.sigmoid(z) * 0.5 - L.reduce_mean(x)
        return [z, L.elementwise_max(y, y * 1.1), L.reduce_max(z) + L.reduce_sum(y)]

    found = counted(body, [x, y, L.fill_constant([1], "float32", 0)])
    assert len(calls(found)) == 1
    rng = np.random.default_rng(0)
    feeds = [
        {"x": rng.random((n, 3), "f"), "y": rng.random(3, "f"), "w": rng.random((3, 3), "f")} for n in (4, 1, 3, 7)
    ]
    agree(feeds, found, WAYS, rtol=1e-6)


def test_arrays_at_an_axis_in_the_middle() -> None:
    x, y = fluid.data("x", [2, 3, 4]), fluid.data("y", [3])
    found = counted(lambda i, x: [L.elementwise_sub(x * 0.5, y, axis=1)], [x])
    assert len(calls(found)) == 1
    agree({"x": np.random.rand(2, 3, 4).astype("f"), "y": np.arange(3, dtype="f")}, found, WAYS, rtol=1e-6)


def test_states_that_change_places() -> None:
    """Fibonacci's numbers, and two arrays; one becomes what is only read, too."""
    a, b, x = fluid.data("a", [1], "int64"), fluid.data("b", [1], "int64"), fluid.data("x", [4])
    found = counted(lambda i, a, b, x, y, z: [b, a + b, y, x, x], [a, b, x, x * 2, x * 3], to=91)
    assert len(calls(found)) == 1
    [(*_, second, _, _, _)] = agree({"a": np.array([0]), "b": np.array([1]), "x": np.arange(4, dtype="f")}, found, WAYS)
    assert second[0].tolist() == [7540113804746346429]


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_integers_wrap_around(dtype: str) -> None:
    x = fluid.data("x", [2], dtype)
    found = counted(lambda i, x: [x * x - L.scale(x, 7, bias=3)], [x], to=70)
    assert len(calls(found)) == 1
    feed = {"x": np.array([np.iinfo(dtype).max, -5], dtype)}
    for (array, _), (right, _) in zip(runs([feed], found, "all")[0], runs([feed], found, "none")[0], strict=True):
        np.testing.assert_array_equal(array, right)


def test_integers_wrap_around_in_machine_code(compiled: None) -> None:
    test_integers_wrap_around("int32")


def test_machine_code(compiled: None) -> None:
    test_numbers_of_all_kinds()


def test_arrays_in_machine_code(compiled: None) -> None:
    test_arrays_with_broadcasting_reductions_and_products()


@pytest.mark.parametrize("name", ["elementwise_div", "elementwise_mod", "elementwise_floordiv"])
def test_divisions_of_integers(name: str) -> None:
    """They truncate towards zero, and a divisor of zero is refused in the round that has it."""
    x = fluid.data("x", [1], "int64")
    found = counted(lambda i, y: [getattr(L, name)(y, L.increment(x - i, 0, in_place=False)) + 1000], [x * 100])
    assert len(calls(found)) == 1
    results = agree([{"x": np.array([k])} for k in (9, -3, 3)], found, WAYS)
    assert isinstance(results[2], ArgumentValueError) and "0 at [0]" in str(results[2])


def test_a_loop_of_no_rounds_gives_what_it_got() -> None:
    x = fluid.data("x", [1])
    found = counted(lambda i, x: [x + 1], [x], to=0)
    [(_, (got, _))] = agree({"x": np.array([3], "f")}, found, WAYS)
    assert got.tolist() == [3]


def test_loops_in_loops() -> None:
    """The inner loop is one kernel, the outer one runs it round by round."""
    x = fluid.data("x", [1])
    found = counted(lambda i, x: [counted(lambda j, x: [L.tanh(x) + 0.1], [x], to=3)[1]], [x])
    assert not calls(found)
    with passes("loops", 0):
        text = str(plan_of(None, None, found).listing())
    assert "while has no form in one kernel" in text and "loop: while" in text
    agree({"x": np.array([0.5], "f")}, found, WAYS, rtol=1e-6)


def test_shapes_and_lods_that_no_kernel_keeps() -> None:
    """A value that is broadcast in the first round, and one with a LoD."""
    x, y = fluid.data("x", [-1, 2]), fluid.data("y", [-1, 2], lod_level=1)
    i, n = counter()
    flag, state = L.less_than(i, n), L.assign(x)
    loop = L.While(flag)
    with loop.block():
        L.assign(L.elementwise_add(y, state), state)
        L.increment(i)
        L.less_than(i, n, cond=flag)
    lod = fluid.create_lod_tensor(np.ones((3, 2), "f"), [[1, 2]], fluid.CPUPlace())
    agree([{"x": np.ones((rows, 2), "f"), "y": lod} for rows in (1, 3)], [state], WAYS)


def test_dtypes_that_change_are_refused_as_round_by_round() -> None:
    x = fluid.data("x", [1])
    i, n = counter()
    flag = L.less_than(i, n)
    loop = L.While(flag)
    with loop.block():
        x.block.program.current_block().append_op(
            type="cast", inputs={"X": x}, outputs={"Out": x}, attrs={"in_dtype": 5, "out_dtype": 6}
        )
        L.increment(i)
        L.less_than(i, n, cond=flag)
    agree({"x": np.ones(1, "f")}, [x], WAYS)


@pytest.mark.parametrize(
    "body, states, reason",
    [
        (lambda i, x: [x + L.uniform_random([4])], 4, "uniform_random draws random numbers"),
        (lambda i, x: [L.argsort(x)[0]], 4, "argsort has no form in one kernel"),
        (lambda i, x: [L.tanh(x)], LARGEST + 1, "is large"),
    ],
)
def test_the_listing_says_why_a_loop_runs_round_by_round(body: Any, states: int, reason: str) -> None:
    x = L.fill_constant([states], "float32", 3)
    said = noted(counted(body, [x]))
    assert "runs block 1, round by round: " in said and reason in said


def test_the_limit_of_iterations_is_that_of_loops_round_by_round() -> None:
    found = counted(lambda i: [], [], to=50)
    fluid.set_flags({"FLAGS_max_loop_iterations": 50})
    try:
        agree({}, found, WAYS)
        fluid.set_flags({"FLAGS_max_loop_iterations": 49})
        for way in ("none", "all"):
            [error] = runs([{}], found, way)
            assert isinstance(error, LoopLimitError) and "True after 49 iterations" in str(error)
    finally:
        fluid.set_flags({"FLAGS_max_loop_iterations": 0})


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no interval timers")
def test_ctrl_c_ends_a_kernel_without_end(compiled: None) -> None:
    n = fluid.data("n", [1], "int64")
    found = counted(lambda i, x: [L.tanh(x) + 0.1], [L.fill_constant([8], "float32", 0.5)], to=n)
    with passes("loops", 0):
        exe = fluid.Executor()
        for _ in range(2):
            exe.run(feed={"n": np.array([3])}, fetch_list=found)
        with pytest.raises(KeyboardInterrupt), interrupted_after(0.1):
            exe.run(feed={"n": np.array([2**60])}, fetch_list=found)
        assert exe.run(feed={"n": np.array([3])}, fetch_list=found)[0].tolist() == [3]


def test_long_loops_are_compiled_sooner() -> None:
    """After a run of 5,000 rounds the next one calls the kernel; after one of 10 it does not."""
    n = fluid.data("n", [1], "int64")
    found = counted(lambda i: [], [], to=n)
    waits = []
    for rounds in (10, 5_000):
        exe, program = fluid.Executor(), fluid.default_main_program().clone()
        with passes("all", ESTIMATED):
            for _ in range(2):
                exe.run(program, feed={"n": np.array([rounds])}, fetch_list=[found[0].name])
        [plan] = program._plans.values()
        waits.append(plan._warm_up.runs)
    assert waits[0] > 10 and waits[1] == 0


# --- loops at random --------------------------------------------------------------------------------------------------

FLOATS = ["tanh", "sigmoid", "relu", "square", "softsign", "sin", "leaky_relu"]
BINARY = ["elementwise_add", "elementwise_sub", "elementwise_mul", "elementwise_max", "elementwise_min"]
COMPARED = ["less_than", "less_equal", "greater_than", "greater_equal", "equal", "not_equal"]


@st.composite
def bodies(draw: Any) -> Any:
    """What a round does: operators, each of values so far; then what becomes of each state."""
    steps = [
        (draw(st.sampled_from(["unary", "binary", "compare", "scale", "cast", "fold", "product", "where", "logic"])),
         *(draw(st.integers(0, 50)) for _ in range(3)))
        for _ in range(draw(st.integers(1, 8)))
    ]  # fmt: skip
    return steps, [draw(st.integers(0, 50)) for _ in range(5)]


def computed(steps: Any, values: list[Any]) -> list[Any]:
    """The values of a round; where a drawn operator does not fit the drawn values, it is left out."""
    values = list(values)
    for kind, a, b, c in steps:
        of = {k: [v for v in values if v.dtype in kinds] for k, kinds in {"f": (5,), "i": (2, 3), "b": (0,)}.items()}
        x = of["f"][a % len(of["f"])]
        like = [v for v in values if v.dtype == values[a % len(values)].dtype and v.dtype != 0]
        if kind == "unary":
            values.append(getattr(L, FLOATS[c % len(FLOATS)])(x))
        elif kind in ("binary", "compare") and like:
            names = BINARY if kind == "binary" else COMPARED
            first, second = (like[k % len(like)] for k in (a, b))
            wide = len(first.shape) >= len(second.shape)
            if wide and {n for n in (*first.shape, *second.shape) if n != 1} in (set(), {2}, {3}):
                values.append(getattr(L, names[c % len(names)])(first, second))
        elif kind == "scale" and like:
            values.append(
                L.scale(like[b % len(like)], 0.5 if like[0].dtype == 5 else 3, bias=1, bias_after_scale=c % 2 == 0)
            )
        elif kind == "cast":
            values.append(L.cast(values[a % len(values)], ["float32", "int32", "int64", "bool"][c % 4]))
        elif kind == "fold":
            values.append(getattr(L, ["reduce_sum", "reduce_mean", "reduce_max", "mean"][c % 4])(x))
        elif kind == "product":
            square = [v for v in of["f"] if tuple(v.shape) == (3, 3)]
            values.append(L.matmul(square[a % len(square)], square[b % len(square)]) * 0.3)
        elif kind == "where" and of["b"]:
            flag, shape = of["b"][a % len(of["b"])], tuple(of["b"][a % len(of["b"])].shape)
            either = [v for v in of["f"] if tuple(v.shape) == shape]
            values += [where(flag, either[b % len(either)], either[c % len(either)])] if either else []
        elif kind == "logic" and of["b"]:
            values.append(L.logical_not(of["b"][a % len(of["b"])]))
    return values


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bodies(), st.integers(0, 4))
def test_loops_at_random(drawn: Any, rounds: int) -> None:
    steps, ends = drawn
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        given = [fluid.data("x", [3, 3]), fluid.data("y", [3]), fluid.data("s", [1]),
                 fluid.data("k", [2], "int32"), fluid.data("m", [1], "int64")]  # fmt: skip

        def body(i: Any, *states: Any) -> list[Any]:
            values = computed(steps, list(states))
            found = []
            for state, end in zip(states, ends, strict=True):
                fit = [v for v in values if v.dtype == state.dtype and tuple(v.shape) == tuple(state.shape)]
                new = fit[-1 - end % len(fit)]
                found.append(L.clip(new, -2.0, 2.0) if state.dtype == 5 else new)
            return found

        found = counted(body, given, to=rounds)
        assert len(calls(found)) == 1
        rng = np.random.default_rng(0)
        feed = {"x": rng.standard_normal((3, 3)).astype("f"), "y": rng.standard_normal(3).astype("f"),
                "s": np.array([0.3], "f"), "k": np.array([2**30, -7], "int32"), "m": np.array([-(2**62)])}  # fmt: skip
        agree(feed, found, ("loops",), rtol=2e-6, program=main)
