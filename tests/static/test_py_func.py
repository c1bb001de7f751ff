"""Functions of the user's in Programs."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    MissingKeyError,
    ModeError,
)

DATA = np.arange(6, dtype="float32").reshape(2, 3) / 4


def made(name: str, shape: Any = (-1, 3), dtype: str = "float32") -> Any:
    """A Variable that takes results."""
    return fluid.default_main_program().current_block().create_var(name=name, dtype=dtype, shape=list(shape))


def data(**kwargs: Any) -> Any:
    x = fluid.data("x", [None, 3], "float32", **kwargs)
    x.stop_gradient = False
    return x


def run(fetch: list[Any], feed: Any = DATA, program: Any = None, **kwargs: Any) -> list[Any]:
    return fluid.Executor(fluid.CPUPlace()).run(program, feed={"x": feed}, fetch_list=fetch, **kwargs)


def tanh(x: Any) -> Any:
    return np.tanh(np.array(x))


def tanh_grad(y: Any, dy: Any) -> Any:
    return np.array(dy) * (1 - np.square(np.array(y)))


def test_a_function_and_its_gradient() -> None:
    seen: list[Any] = []

    def backward(x: Any, y: Any, dy: Any) -> Any:
        seen.append((x, y, dy))
        return tanh_grad(y, dy)

    x = data()
    y = made("y")
    assert fluid.layers.py_func(tanh, x, y, backward) is y
    (gradient,) = fluid.gradients(fluid.layers.mean(y), x)
    got, dx = run([y, gradient])
    np.testing.assert_allclose(got, np.tanh(DATA), rtol=1e-6)
    np.testing.assert_allclose(dx, (1 - np.tanh(DATA) ** 2) / 6, rtol=1e-5)
    ((gx, gy, gdy),) = seen
    assert all(isinstance(each, fluid.LoDTensor) for each in (gx, gy, gdy))
    np.testing.assert_array_equal(np.array(gx), DATA)
    np.testing.assert_array_equal(np.array(gdy), np.full((2, 3), 1 / 6, "float32"))
    first, *_, last = (op for op in fluid.default_main_program().global_block().ops if op.type == "py_func")
    assert (
        first.attr("backward_callable_id") == first.attr("forward_callable_id") + 1 == last.attr("forward_callable_id")
    )
    assert last.attr("backward_callable_id") == -1
    assert (last.input("X"), last.output("Out")) == (["x", "y", "y@GRAD"], ["x@GRAD"])


@pytest.mark.parametrize("as_list", [False, True])
def test_variables_that_the_gradient_does_not_get(as_list: bool) -> None:
    x = data()
    y = fluid.layers.py_func(tanh, x, made("y"), tanh_grad, skip_vars_in_backward_input=[x] if as_list else x)
    (gradient,) = fluid.gradients(fluid.layers.mean(y), x)
    np.testing.assert_allclose(run([gradient])[0], (1 - np.tanh(DATA) ** 2) / 6, rtol=1e-5)
    op = gradient.op
    assert op.input("X") == ["y", "y@GRAD"]


def test_it_trains() -> None:
    weight_free = fluid.layers.fc(data(), 3, param_attr=fluid.ParamAttr("w", fluid.initializer.Constant(0.5)))
    loss = fluid.layers.mean(fluid.layers.py_func(tanh, weight_free, made("y"), tanh_grad, weight_free))
    fluid.optimizer.SGD(0.1).minimize(loss)
    fluid.Executor(fluid.CPUPlace()).run(fluid.default_startup_program())
    first, second = (run([loss])[0][0] for _ in range(2))
    assert second < first


def test_several_inputs_and_outputs() -> None:
    x = data()
    double = fluid.layers.scale(x, 2.0)
    outs = [made("a"), made("b")]
    assert fluid.layers.py_func(lambda p, q: (np.array(p) + np.array(q), p), (x, double), outs) is outs
    a, b = run(outs)
    np.testing.assert_allclose(a, DATA * 3)
    np.testing.assert_allclose(b, DATA)


@pytest.mark.parametrize("nothing", [None, []])
def test_without_inputs(nothing: Any) -> None:
    y = fluid.layers.py_func(lambda: np.ones((2, 3), "float32") * 7, nothing, made("y"))
    data()
    np.testing.assert_array_equal(run([y])[0], np.full((2, 3), 7, "float32"))


def test_it_runs_though_nothing_reads_it() -> None:
    x, seen = data(), []
    assert fluid.layers.py_func(lambda a: seen.append(np.array(a)), x, None) is None
    for _ in range(3):
        run([fluid.layers.scale(x, 2.0)])
    assert len(seen) == 3
    np.testing.assert_array_equal(seen[0], DATA)


def test_lods_come_and_go() -> None:
    def doubled(a: Any) -> Any:
        assert a.lod() == [[0, 1, 2]]
        out = fluid.LoDTensor()
        out.set(np.array(a) * 2, fluid.CPUPlace())
        out.set_lod(a.lod())
        return [out, np.array(a)]

    outs = fluid.layers.py_func(doubled, data(lod_level=1), [made("a"), made("b")])
    a, b = run(outs, fluid.create_lod_tensor(DATA, [[1, 1]], fluid.CPUPlace()), return_numpy=False)
    assert (a.lod(), b.lod()) == ([[0, 1, 2]], [])
    np.testing.assert_array_equal(np.array(a), DATA * 2)


def test_other_dtypes_shapes_and_numbers() -> None:
    x = data()
    wide = fluid.layers.py_func(lambda a: np.array(a).astype("float64"), x, made("wide"))
    five = fluid.layers.py_func(lambda a: np.ones(5, "float32"), x, made("five"))
    three = fluid.layers.py_func(lambda a: 3.0, x, made("three", [1]))
    a, b, c = run([wide, five, three])
    assert (a.dtype, b.shape, c.tolist()) == (np.dtype("float64"), (5,), 3.0)


def test_gradients_that_are_not_wanted_or_do_not_arrive() -> None:
    seen: list[Any] = []

    def backward(p: Any, q: Any, a: Any, b: Any, da: Any, db: Any) -> Any:
        seen.append(np.array(db))
        return np.array(da) * np.array(q), None

    x = data()
    fixed = fluid.layers.scale(x, 2.0)
    fixed.stop_gradient = True
    outs = fluid.layers.py_func(
        lambda p, q: (np.array(p) * np.array(q), p), [x, fixed], [made("a"), made("b")], backward
    )
    (gradient,) = fluid.gradients(fluid.layers.mean(outs[0]), x)
    np.testing.assert_allclose(run([gradient])[0], DATA * 2 / 6, rtol=1e-6)
    np.testing.assert_array_equal(seen[0], np.zeros((2, 3), "float32"))
    assert gradient.op.output("Out") == ["x@GRAD", "@EMPTY@"]


def test_without_a_backward_function_no_gradient_flows() -> None:
    x = data()
    y = fluid.layers.py_func(tanh, x, made("y"))
    assert fluid.gradients(fluid.layers.mean(y), x) in ([], [None])


def broken(a: Any) -> Any:
    raise KeyError("mine")


@pytest.mark.parametrize(
    ("function", "error", "match"),
    [
        (lambda a: (a, a), ArgumentValueError, r"number of results of .*<lambda> .* got 2, needs 1"),
        (lambda a: None, ArgumentValueError, r"result 0 of .*<lambda> .* got None, needs an array"),
        (lambda a: "text", ArgumentValueError, r"result 0 of .*<lambda> .* got 'text', needs an array of numbers"),
        (lambda: 1, ArgumentTypeError, r"<lambda> .* raised TypeError: .*0 positional arguments"),
    ],
)
def test_errors_name_the_function_and_the_line(function: Callable, error: type, match: str) -> None:
    y = fluid.layers.py_func(function, data(), made("y"))
    with pytest.raises(error, match=rf"{match}(.|\n)*at .*test_py_func.py"):
        run([y])


def test_an_error_of_the_function_stays_as_it_is() -> None:
    y = fluid.layers.py_func(broken, data(), made("y"))
    with pytest.raises(KeyError, match="mine") as caught:
        run([y])
    assert type(caught.value) is KeyError and caught.value.__cause__ is None
    notes = getattr(caught.value, "__notes__", [])
    assert not notes or "py_func called tests.static.test_py_func.broken (line" in notes[0]


def test_the_gradient_of_an_input_that_needs_one_is_no_none() -> None:
    x = data()
    y = fluid.layers.py_func(tanh, x, made("y"), lambda *each: None)
    gradients = fluid.gradients(fluid.layers.mean(y), x)
    with pytest.raises(ArgumentValueError, match=r"result 0 of .* got None, needs an array"):
        run(gradients)


def _with_a_method() -> tuple[fluid.Program, Any]:
    """A Program that calls the methods of an object, and a reference to the object."""

    class Doubled:
        def forward(self, x: Any) -> Any:
            return np.array(x) * 2

        def backward(self, x: Any, y: Any, dy: Any) -> Any:
            return np.array(dy) * 2

    doubled, main = Doubled(), fluid.Program()
    with fluid.program_guard(main):
        x = data()
        y = fluid.layers.py_func(doubled.forward, x, made("y"), doubled.backward)
        fluid.gradients(y, x)
    return main, weakref.ref(doubled)


def test_functions_live_as_long_as_programs_that_call_them() -> None:
    main, alive = _with_a_method()
    copies = [main.clone(), main.clone(for_test=True), copy.deepcopy(main)]
    run(["y", "x@GRAD"], program=main)
    del main
    gc.collect()
    for each in copies:
        np.testing.assert_array_equal(run(["y"], program=each)[0], 2 * DATA)
    del copies, each
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize(
    "bare", [lambda main: main.desc.serialize_to_string(), lambda main: pickle.dumps(_number(main))]
)
def test_a_function_whose_bare_number_somebody_has_stays(bare: Callable[[Any], Any]) -> None:
    main, alive = _with_a_method()
    bare(main)
    number = int.__add__(_number(main), 0)
    del main
    gc.collect()
    assert alive() is not None
    fluid.layers.py_func(tanh, data(), made("y"))
    main = fluid.default_main_program()
    main.global_block().ops[-1]._set_attr("forward_callable_id", number)
    np.testing.assert_array_equal(run(["y"], program=main)[0], 2 * DATA)


def _number(main: fluid.Program) -> int:
    number: int = main.global_block().ops[0].attr("forward_callable_id")
    return number


def test_a_program_from_a_file_does_not_find_its_function() -> None:
    fluid.layers.py_func(tanh, data(), made("y"))
    main = fluid.default_main_program()
    main.global_block().ops[-1]._set_attr("forward_callable_id", 10**6)
    again = fluid.Program.parse_from_string(main.desc.serialize_to_string())
    with pytest.raises(
        MissingKeyError, match=r"callable got number 1000000, needs one that fluid\.layers\.py_func made"
    ):
        run(["y"], program=again)


def test_what_is_refused() -> None:
    x, y = data(), made("y")
    shapeless = fluid.default_main_program().current_block().create_var(name="none", dtype="float32")
    for given, error, match in (
        ((3, x, y), ArgumentTypeError, "func got int 3, needs a function"),
        ((tanh, x, y, 3), ArgumentTypeError, "backward_func got int 3"),
        ((tanh, 3, y), ArgumentTypeError, "py_func: x got int 3, needs a Variable"),
        ((tanh, x, [3]), ArgumentTypeError, "out got int 3"),
        ((tanh, x, shapeless), ArgumentValueError, "out none got no shape"),
        (
            (tanh, x, y, tanh, made("z")),
            ArgumentValueError,
            r"skip_vars_in_backward_input got 'z', needs one of \['x', 'y'\]",
        ),
    ):
        with pytest.raises(error, match=match):
            fluid.layers.py_func(*given)
    with fluid.dygraph.guard(), pytest.raises(ModeError, match="call the function itself"):
        fluid.layers.py_func(tanh, fluid.dygraph.to_variable(DATA), None)


def test_a_reshaped_result_of_a_function_that_may_have_a_lod() -> None:
    """A warm Plan called the rule of unsqueeze2 for LoDs, which it had left out with the operator's kernel."""
    x = fluid.data("x", [None, 3], "float32")
    y = made("y")
    fluid.layers.py_func(lambda given: np.array(given) * 2, x, y)
    wide = fluid.layers.unsqueeze(fluid.layers.elementwise_mul(y, x), axes=[1])
    result = fluid.layers.scale(wide, 3.0)
    exe = fluid.Executor(fluid.CPUPlace())
    for rows in (2, 2, 5):
        value = np.arange(3 * rows, dtype="float32").reshape(rows, 3)
        (out,) = exe.run(feed={"x": value}, fetch_list=[result])
        np.testing.assert_allclose(out, (6 * value * value)[:, None])
