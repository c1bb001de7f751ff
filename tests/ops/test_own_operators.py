"""A user's own operators, declared outside of paddle_lite: in every mode, in Plans, in files, in the listing; and their errors."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core import unique_name
from paddle_lite.core.errors import ArgumentValueError, EnforceNotMet, NotYetAvailable
from paddle_lite.core.mode import switched
from paddle_lite.core.place import CPUPlace
from paddle_lite.fluid.dygraph import Layer, TracedLayer, declarative, to_variable
from paddle_lite.imperative.mode import RUNTIME
from paddle_lite.kernels import registry as kernels
from paddle_lite.ops import Declaration, Grad, Meta, kernel, op, pointwise
from paddle_lite.ops.framework import compile_call, listing, registry
from paddle_lite.ops.framework.own import PREFIXES, RESERVED
from paddle_lite.static import Executor, Program, Scope, plan_of, program_guard, scope_guard
from paddle_lite.static.mode.static_mode import static_mode
from tests.ops.loaded import forward_ops
from tests.ops.row import Bad, Row, Sample, away, draw
from tests.ops.test_ops import CHECKS
from tests.static.passes import passes
from tests.static.plan.running import agree, source
from tests.static.plan.running import kernels as fused_kernels

HERE = Path(__file__).with_name("own_operators.py")
X, W = draw(4, 3, seed=1), draw(3, seed=2)
ROWS = [
    Row("softclip", [Sample({"X": away(X, 0.0)}, {"a": 0.5}), Sample({"X": away(draw(2, 1, 3), 0.0)})], double=True,
        own=lambda X, *, a: a * X / (a + np.abs(X))),
    Row("scaled_dot",
        [Sample({"X": X, "W": W}, {"factor": 2.0}), Sample({"X": X, "W": W, "Bias": draw(1)})],
        [Bad({"X": X, "W": X[0, :2]}, {}, "ShapeError", "Input(W)")],
        own=lambda X, W, Bias, *, factor: (X @ W * factor + (0 if Bias is None else Bias), np.abs(W).sum(keepdims=True))),
    Row("first_rows", [Sample({"X": X}, lods={"X": [[0, 1, 4]]}, dynamic=True)], own=lambda X: X[[0, 1]]),
]  # fmt: skip


def forget() -> None:
    """Remove every operator that is declared outside of paddle_lite, and its kernels."""
    for type in [type for type, known in registry._ops.items() if known.outside]:
        del registry._ops[type]
        for device in listing.DEVICES:
            kernels._kernels.pop((type, device), None)


@pytest.fixture(autouse=True)
def apart() -> Iterator[None]:
    forget()
    yield
    forget()


@pytest.fixture
def mine() -> Any:
    """The module that declares operators, imported anew."""
    sys.modules.pop("tests.ops.own_operators", None)
    return importlib.import_module("tests.ops.own_operators")


@pytest.fixture
def programs() -> Iterator[None]:
    with (
        switched(static_mode, CPUPlace(), np), unique_name.guard(), program_guard(Program(), Program()),
        scope_guard(Scope()),
    ):  # fmt: skip
        yield


@pytest.fixture
def imperative() -> Iterator[None]:
    with fluid.dygraph.guard():
        yield


def cell(text: str, module: str = "__main__", **names: Any) -> dict[str, Any]:
    """Run a cell of a notebook; returns its names."""
    scope = {
        "__name__": module,
        "pointwise": pointwise,
        "op": op,
        "Declaration": Declaration,
        "kernel": kernel,
        **names,
    }
    exec(compile(text, "<cell>", "exec"), scope)
    return scope


# --- everywhere ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("row", ROWS, ids=[row.op for row in ROWS])
def test_all_that_is_checked_of_paddles_operators(row: Row, check: Callable, mine: Any) -> None:
    """Imperative calls, gradients and their gradients, Programs written and read, passes, a stand-in for a GPU."""
    check(registry.get(row.op), row)


def test_a_program_prints_it_and_trains_with_it(mine: Any, programs: None) -> None:
    x = fluid.data("x", [None, 3], "float32")
    w = fluid.layers.create_parameter([3], "float32", "w")
    out, _ = mine.scaled_dot(mine.softclip(x, a=0.5), w, factor=2.0)
    loss = fluid.layers.mean(out)
    main = fluid.default_main_program()
    assert (out.shape, out.dtype) == ((-1,), x.dtype)
    assert "softclip_0.tmp_0 = softclip(X=x, a=0.5)" in str(main)
    fluid.optimizer.SGD(0.5).minimize(loss)
    assert [o.type for o in main.all_ops()][-2:] == ["scaled_dot_grad", "sgd"] and main.lint() == []
    test = main.clone(for_test=True)
    assert [o.type for o in test.all_ops()] == ["softclip", "scaled_dot", "mean"] and test.lint() == []
    exe = Executor(CPUPlace())
    exe.run(fluid.default_startup_program())
    before = fluid.global_scope().find_var("w").get_tensor().__array__().copy()
    exe.run(main, feed={"x": X}, fetch_list=[loss])
    slope = 2 * (0.5 * X / (0.5 + np.abs(X))).mean(0)
    np.testing.assert_allclose(fluid.global_scope().find_var("w").get_tensor(), before - 0.5 * slope, rtol=1e-5)


def test_an_expression_is_fused(mine: Any, programs: None) -> None:
    x = fluid.data("x", [None, 3], "float32")
    x.stop_gradient = False
    y = fluid.layers.scale(mine.softclip(fluid.layers.relu(x), a=2.0), 3.0)
    fetches = [y, *fluid.gradients(y, [x])]
    assert "softclip" in source([y], feeds=["x"]) and fused_kernels(source([y], feeds=["x"])) == 1
    agree([{"x": X}, {"x": X[:1]}], fetches, which=("all", "-fuse"))
    once = fluid.gradients(mine.softclip(x), [x])[0]
    twice = fluid.gradients(once, [x])[0]
    positive = np.abs(X)
    [got] = Executor(CPUPlace()).run(feed={"x": positive}, fetch_list=[twice])
    np.testing.assert_allclose(got, -2 / (1 + positive) ** 3, rtol=1e-5)


def test_declared_functions_and_traced_layers(mine: Any, imperative: None) -> None:
    @declarative
    def clipped(x: Any) -> Any:
        if fluid.layers.reduce_sum(x) > 0:
            x = mine.softclip(x, a=0.5)
        return x * 2.0

    for array in (np.abs(X), -np.abs(X)):
        x = to_variable(array)
        x.stop_gradient = False
        y = clipped(x)
        expected = np.where(array.sum() > 0, 0.5 * array / (0.5 + np.abs(array)), array) * 2
        np.testing.assert_allclose(y.numpy(), expected, rtol=1e-6)
        fluid.layers.reduce_sum(y).backward()
        slope = 2 * 0.25 / (0.5 + np.abs(array)) ** 2 if array.sum() > 0 else np.full_like(array, 2)
        np.testing.assert_allclose(x.gradient(), slope, rtol=1e-5)

    class Net(Layer):
        def forward(self, x: Any) -> Any:
            return mine.softclip(x)

    out, traced = TracedLayer.trace(Net(), [to_variable(X)])
    assert [o.type for o in traced.program.all_ops()] == ["softclip"]
    np.testing.assert_array_equal(traced([X])[0], out.numpy())


def test_a_saved_model_runs_where_the_operator_is_declared(mine: Any, programs: None, tmp_path: Path) -> None:
    x = fluid.data("x", [None, 3], "float32")
    y = mine.softclip(x, a=0.25)
    exe, folder = Executor(CPUPlace()), str(tmp_path)
    with pytest.warns(UserWarning, match="no variable in your model"):
        fluid.io.save_inference_model(folder, ["x"], [y], exe)
    program, feeds, fetches = fluid.io.load_inference_model(folder, exe)
    [got] = exe.run(program, feed={feeds[0]: X}, fetch_list=fetches)
    np.testing.assert_allclose(got, 0.25 * X / (0.25 + np.abs(X)), rtol=1e-6)
    forget()
    with pytest.raises(
        NotYetAvailable, match=r"operator 'softclip': not available.* import the module that declares it"
    ):
        fluid.io.load_inference_model(folder, exe)
    with pytest.raises(NotYetAvailable, match=r"'softclip' is not available.* import the module that declares it"):
        registry.get("softclip")


# --- kernels ------------------------------------------------------------------------------------------------------------


def test_a_kernel_takes_the_place_of_the_reference_also_after_the_first_call(imperative: None) -> None:
    calls = []
    cube = pointwise("own_cube", "x * x * x", grad="3 * x * x * dout")
    x = to_variable(X)
    x.stop_gradient = False
    plain = cube(x)

    @kernel("own_cube")
    def forward(X: Any) -> Any:
        calls.append("forward")
        return X * X * X

    @kernel("own_cube_grad")
    def backward(X: Any, dOut: Any) -> Any:
        calls.append("backward")
        return 3 * X * X * dOut

    y = cube(x)
    np.testing.assert_allclose(y.numpy(), plain.numpy(), rtol=1e-6)
    y.backward()
    np.testing.assert_allclose(x.gradient(), 3 * X * X, rtol=1e-5)
    assert calls == ["forward", "backward"]


def test_plans_call_the_kernel(mine: Any, programs: None, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr(mine, "dots", lambda x, w, factor, out: calls.append(x.dtype.name) or out.fill(7))
    x, w = fluid.data("x", [None, 3], "float32"), fluid.data("w", [3], "float32")
    out, _ = mine.scaled_dot(x, w)
    [got] = Executor(CPUPlace()).run(feed={"x": X, "w": W}, fetch_list=[out])
    assert calls == ["float32"] and got.tolist() == [7] * 4


def test_kernels_that_are_refused() -> None:
    pointwise("own_cube", "x * x * x")
    with pytest.raises(ArgumentValueError, match=r"types got 'relu', needs an operator that is declared outside"):
        kernel("relu")
    with pytest.raises(NotYetAvailable, match="'own_square' is not available"):
        kernel("own_square")
    with pytest.raises(ArgumentValueError, match="device got 'tpu'"):
        kernel("own_cube", device="tpu")
    text = "@kernel('own_cube')\ndef fast(X): return X * X * X\n"
    cell(text)
    cell(text)  # the same cell once more
    with pytest.raises(
        ArgumentValueError, match=r"operator own_cube: kernel on cpu got other\.fast beside __main__\.fast"
    ):
        cell(text, "other")


# --- declared again -----------------------------------------------------------------------------------------------------

CELL = "twice = pointwise('own_twice', '{factor} * x', grad='{factor} * dout')\n"
CLASS = """
@op("own_twice", inputs="X", outputs="Out")
class Twice(Declaration):
    def infer(X): return X
    def reference(xp, X): return {factor} * X
"""


@pytest.mark.parametrize("text", [CELL, CLASS], ids=["expression", "class"])
def test_a_cell_that_is_run_again_declares_anew(text: str, programs: None) -> None:
    x = fluid.data("x", [None, 3], "float32")
    old = cell(text.format(factor=2))
    name = "twice" if text is CELL else "Twice"
    y = old[name](x)
    new = cell(text.format(factor=5))
    z = new[name](x)
    got = Executor(CPUPlace()).run(feed={"x": X}, fetch_list=[y, z])
    np.testing.assert_allclose(
        got, [2 * X, 5 * X], rtol=1e-6
    )  # what was built before goes on with what it was built of
    assert registry.get("own_twice") is new[name]
    assert ("own_twice_grad" in registry._ops) == (text is CELL)


def test_a_gradient_that_is_gone_from_the_declaration_is_gone() -> None:
    cell(CELL.format(factor=2))
    cell("twice = pointwise('own_twice', '2 * x')")
    assert "own_twice" in registry._ops and "own_twice_grad" not in registry._ops


@pytest.mark.parametrize(
    ("text", "module", "said"),
    [
        (CELL.format(factor=2), "other", r"'own_twice', needs a type of its own\. It is declared already, by <cell>:1\."),
        ("pointwise('relu', 'x')", "__main__", r"'relu', .* declared already, by paddle_lite \(nn\.activation\)"),
        ("pointwise('while', 'x')", "__main__", "'while', .* declared already, by paddle_lite"),
        ("pointwise('own', 'x', via=Grad('X Out@GRAD', 'X@GRAD', lambda xp, X, dOut: dOut, type='tanh_grad'))", "__main__",
         "'tanh_grad', .* declared already"),
    ],
)  # fmt: skip
def test_names_that_are_taken(text: str, module: str, said: str) -> None:
    importlib.import_module("paddle_lite.static")
    cell(CELL.format(factor=2))
    before = dict(registry._ops)
    with pytest.raises(ArgumentValueError, match=said):
        cell(text, module, Grad=Grad)
    assert registry._ops == before


# --- errors -------------------------------------------------------------------------------------------------------------


def infer(X: Meta, *, factor: float) -> Meta:
    return X


def reference(xp: Any, X: Any, *, factor: float) -> Any:
    return X * factor


def wrong_gradient(xp: Any, X: Any, *, factor: float) -> Any:
    return X


GOOD: dict[str, Any] = {"inputs": "X", "outputs": "Out", "attrs": {"factor": 1.0}}
BODY: dict[str, Any] = {"infer": infer, "reference": reference}


@pytest.mark.parametrize(
    ("slots", "body", "said"),
    [
        ({"inputs": "X, Y"}, {}, r"slots of an operator: 'X, Y' got 'X,', needs names with a blank between them"),
        ({"inputs": "X!"}, {}, "'X!'"),
        ({"inputs": "X X"}, {}, "slots got 'X' twice"),
        ({"outputs": "X"}, {}, "slots got 'X' twice"),
        ({"outputs": ""}, {}, "outputs got none, needs at least one slot"),
        ({"inputs": "made"}, {}, r"slot got 'made', needs a name .* Paddle writes slots in capitals"),
        ({"attrs": {"factor": 1.0, "op_role": 1}}, {}, "attribute got 'op_role'"),
        ({"attrs": {"factor": 1.0, "a b": 1}}, {}, "attribute got 'a b', needs a name as Python has it"),
        ({"attrs": {}}, {}, r"reference got the keyword 'factor', which is no attribute.*attrs=\{'factor': \.\.\.\}"),
        ({"inputs": "X Y"}, {}, r"infer got .*, needs \(X, Y, \*, factor\)"),
        ({"inputs": "X Y"}, {"infer": lambda X, Y, *, factor: X}, r"reference got .*, needs \(xp, X, Y, \*, factor\)"),
        ({}, {"infer": lambda X: X}, r"infer got \(X\), needs \(X, \*, factor\)"),
        ({}, {"grad": Grad("X Out@GRAD", "X@GRAD", wrong_gradient)},
         r"reference of own_bad_grad got .*, needs \(xp, X, Out_GRAD, \*, factor\)"),
        ({}, {"grad": Grad("Z Out@GRAD", "X@GRAD", wrong_gradient)}, r"Grad got 'Z', needs slots of the operator \(X, Out\)"),
    ],
)  # fmt: skip
def test_declarations_that_cannot_work_say_what_to_mend(slots: dict, body: dict, said: str) -> None:
    with pytest.raises(ArgumentValueError, match=said):
        op("own_bad", **{**GOOD, **slots})(type("own_bad", (Declaration,), {**BODY, **body}))
    assert not {"own_bad", "own_bad_grad"} & set(registry._ops)


def test_what_a_declaration_lacks() -> None:
    with pytest.raises(
        EnforceNotMet, match=r"own_bad: attribute 'factor' got the default \[1, 2\], needs .* Ints, Longs"
    ):
        op("own_bad", inputs="X", outputs="Out", attrs={"factor": [1, 2]})(type("own_bad", (Declaration,), BODY))
    with pytest.raises(
        ArgumentValueError, match=r"own_bad: the declaration got own_bad without reference, needs a class"
    ):
        op("own_bad", **GOOD)(type("own_bad", (Declaration,), {"infer": infer}))
    with pytest.raises(ArgumentValueError, match=r"type got 'own-bad', needs a name as Python has it"):
        op("own-bad", **GOOD)(type("own_bad", (Declaration,), BODY))


@pytest.mark.parametrize(
    ("out", "grad", "said"),
    [
        ("x +", None, "Python expression syntax"),
        ("y * 2", None, "'y' in 'y \\* 2'"),
        ("x * 2", "dout *", "Python expression syntax"),
        ("x * 2", "dout * dx", "'dx' in 'dout \\* dx'"),
        ("x * 2", "dout * out * x", "'x' in"),
    ],
)  # fmt: skip
def test_expressions_that_cannot_work(out: str, grad: str | None, said: str) -> None:
    with pytest.raises(ArgumentValueError, match=said):
        pointwise("own_bad", out, grad=grad)
    assert "own_bad" not in registry._ops


@pytest.mark.parametrize(
    ("outputs", "result", "got"),
    [
        ("Out", lambda X: (X, X), "a tuple of 2"),
        ("Out", lambda X: [X], "a list of 1"),
        ("Out", lambda X: None, "a NoneType"),
        ("Out Mask", lambda X: X, "a (Meta|ndarray)"),
        ("Out*", lambda X: ([X, 1],), "a tuple of 1"),
    ],
)
def test_results_that_infer_and_the_reference_must_not_have(
    outputs: str, result: Callable, got: str, programs: None
) -> None:
    """An error names the operator and the slots, not one from three layers down."""

    def declared(infer: Callable, reference: Callable) -> Any:
        body = type("own_bad", (Declaration,), {"infer": infer, "reference": reference})
        return op("own_bad", inputs="X", outputs=outputs)(body)

    slots = outputs.replace("*", "").replace(" ", ", ")
    bad = declared(result, lambda xp, X: X)
    with pytest.raises(EnforceNotMet, match=rf"operator own_bad: infer got {got} as its result, needs .*\({slots}\)"):
        bad(fluid.data("x", [None, 3], "float32"))
    right = (lambda X: (X, X)) if outputs == "Out Mask" else lambda X: [X] if outputs == "Out*" else X
    bad = declared(right, lambda xp, X: result(X))
    with (
        fluid.dygraph.guard(),
        pytest.raises(EnforceNotMet, match=rf"own_bad: the kernel got {got} .* array .*\({slots}\)"),
    ):
        bad(to_variable(X))


def test_reserved_names_are_those_that_generated_calls_use() -> None:
    used = {"lod", "need", "site"}  # keywords with a meaning
    for each in forward_ops():
        code = compile_call.compile_eager(each, "cpu", RUNTIME).__code__
        parameters = {slot.name.replace("@", "_") for slot in each.inputs} | set(each.live)
        used |= {*compile_call._scope(each, "cpu", RUNTIME), *code.co_varnames} - parameters
    used -= {"v"}  # of comprehensions, which Python 3.12 makes a part of the function
    assert {n for n in used if not n.startswith(PREFIXES)} == RESERVED


# --- the listing --------------------------------------------------------------------------------------------------------


def test_where_shows_the_users_file(mine: Any, capsys: pytest.CaptureFixture[str]) -> None:
    lines = HERE.read_text().splitlines()
    assert listing.main(["where", "scaled_dot_grad"]) == 0
    said = capsys.readouterr().out
    for part, text in (("declaration", '@op("scaled_dot"'), ("reference", "def gradient")):
        line = next(line for line in said.splitlines() if line.startswith(f"  {part} "))
        assert f"tests/ops/{HERE.name}:" in line and text in lines[int(line.rpartition(":")[2]) - 1]
    assert "GPU kernel   the reference" in said and "none: rows are of the operators in paddle_lite" in said
    assert listing.main(["where", "scaled_dot"]) == 0
    assert f"CPU kernel   tests/ops/{HERE.name}:" in capsys.readouterr().out
    assert listing.main(["--family", "tests.ops.own_operators"]) == 0
    assert "3 operators, 3 with a gradient, 2 with a CPU kernel" in capsys.readouterr().out


def test_the_command_imports_the_users_module(capsys: pytest.CaptureFixture[str]) -> None:
    sys.modules.pop("tests.ops.own_operators", None)
    assert listing.main(["--import", "tests.ops.own_operators", "where", "softclip"]) == 0
    assert f"tests/ops/{HERE.name}:" in capsys.readouterr().out
    assert listing.main(["--import", "no_such_module", "where", "softclip"]) == 1
    assert "--import no_such_module: No module named 'no_such_module'" in capsys.readouterr().err


def test_a_declaration_in_a_cell_is_shown_by_the_name_of_the_cell(capsys: pytest.CaptureFixture[str]) -> None:
    cell("\n\n" + CELL.format(factor=2))
    assert listing.main(["where", "own_twice"]) == 0
    assert "<cell>:3" in capsys.readouterr().out


def test_costs_of_own_operators_are_what_their_declarations_say(mine: Any, programs: None) -> None:
    x = fluid.data("x", [None, 3], "float32")
    with passes():
        rows = plan_of(None, ["x"], [mine.softclip(x)]).listing().text(batch=10)
    assert "softclip" in rows and "?" not in rows.split("softclip", 1)[1].splitlines()[0]
