"""The checks are checked: faults planted into a healthy operator must be caught by the check that is there for them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite.core.errors import DtypeError, ShapeError, message
from paddle_lite.kernels.numba_jit import jit
from paddle_lite.ops.framework import registry
from paddle_lite.ops.framework.spec import MKLDNN, Grad, OpDef, parse_slots
from paddle_lite.ops.support.meta import Meta
from paddle_lite.static.plan.passes import PASSES
from tests.ops import checks, completeness, differences, inference, programs, protos, recorded_numbers
from tests.ops.case import Case
from tests.ops.recorded_numbers import Recorded
from tests.ops.row import Bad, Row, Sample, draw
from tests.ops.rows_of import ALL
from tests.ops.test_ops import CHECKS

X, Y, DOUT = draw(4, 3, seed=1), draw(4, 3, seed=2), draw(4, 3, seed=3)
LOD = [[0, 1, 4]]
SAMPLE = Sample({"X": X, "Y": Y}, {"factor": 2.0}, lods={"X": LOD})
BAD = Bad({"X": X, "Y": draw(4, 2)}, {}, "ShapeError", "Input(Y)")
KNOWN = {
    "out/Out": X * Y * 2,
    "lod/Out/0": np.array(LOD[0]),
    "dout/Out": DOUT,
    "din/X": DOUT * Y * 2,
    "din/Y": DOUT * X * 2,
}
INTERFACE = {
    "inputs": "X Y", "outputs": "Out", "attrs": {"factor": ["FLOAT", 0.1], "use_mkldnn": ["BOOLEAN", False]},
    "grads": [["product_grad", "X Y Out@GRAD", "X@GRAD Y@GRAD"]], "dtypes": "float32 float64",
}  # fmt: skip


def infer(X: Meta, Y: Meta, *, factor: float) -> Meta:
    known = [(m, n) for m, n in zip(X.shape, Y.shape, strict=True) if -1 not in (m, n)]
    if any(m != n for m, n in known):
        raise ShapeError(message("product", "Input(Y)", list(Y.shape), list(X.shape)))
    return Meta(tuple(max(m, n) for m, n in zip(X.shape, Y.shape, strict=True)), X.dtype, X.lod_level)


def reference(xp: Any, X: Any, Y: Any, *, factor: float) -> Any:
    return X * Y * X.dtype.type(factor)


def accepting(X: Meta, Y: Meta, *, factor: float) -> Meta:
    return X


def refusing(xp: Any, X: Any, Y: Any, *, factor: float) -> Any:
    raise DtypeError(message("product", "Input(Y)", Y.dtype, X.dtype))


def gradient(xp: Any, X: Any, Y: Any, dOut: Any, *, factor: float, need: tuple = (True, True)) -> tuple:
    scaled = dOut * X.dtype.type(factor)
    return scaled * Y if need[0] else None, scaled * X if need[1] else None


def twice(xp: Any, X: Any, Y: Any, dOut: Any, ddX: Any, ddY: Any, *, factor: float) -> tuple:
    f = X.dtype.type(factor)
    return dOut * ddY * f, dOut * ddX * f, (ddX * Y + ddY * X) * f


def product(*, kernel: Callable | None = None, gradient_kernel: Callable | None = None, **changes: Any) -> OpDef:
    """Out = X * Y * factor, with `changes` to its declaration."""
    double = Grad("X Y Out@GRAD X@GRAD@GRAD Y@GRAD@GRAD", "X@GRAD Y@GRAD Out@GRAD@GRAD", changes.pop("twice", twice))
    rule = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", changes.pop("gradient", gradient), grad=double)
    parts = {
        "inputs": parse_slots("X Y"), "outputs": parse_slots("Out"), "attrs": {"factor": 0.1, **MKLDNN}, "family": "planted",
        "reference": reference, "infer": infer, "grad": rule, **changes,
    }  # fmt: skip
    op = OpDef("product", **parts)
    if kernel is not None:
        op.kernels["cpu"] = kernel
    if gradient_kernel is not None:
        op.grad.op.kernels["cpu"] = gradient_kernel
    return op


def row(**changes: Any) -> Row:
    return Row("product", **{"samples": [SAMPLE], "errors": [BAD], "double": True, **changes})


@pytest.fixture(autouse=True)
def recording(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "recorded", lambda family, op, index, sample: Recorded(KNOWN, ""))


def caught(check: Callable, op: OpDef, row: Row, text: str) -> None:
    with pytest.raises(AssertionError, match=text):
        check(op, row)


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
def test_the_healthy_operator_passes(check: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    op = product()
    for each in (op, op.grad.op):  # Programs from files look operators up
        monkeypatch.setitem(registry._ops, each.type, each)
    check(op, row())


# --- numbers ------------------------------------------------------------------------------------------------------------


def off_by_a_thousandth(xp, X, Y, dOut, *, factor, need=(True, True)):
    dx, dy = gradient(xp, X, Y, dOut, factor=factor)
    return dx * X.dtype.type(1.001), dy


def needs_both(xp, X, Y, dOut, *, factor, need=(True, True)):
    dx, dy = gradient(xp, X, Y, dOut, factor=factor)
    return (dx, dy) if all(need) else (dx + 1, dy)


def twice_off(xp, X, Y, dOut, ddX, ddY, *, factor):
    dx, dy, ddout = twice(xp, X, Y, dOut, ddX, ddY, factor=factor)
    return dx, dy, ddout * X.dtype.type(1.001)


def single_precision(xp, X, Y, *, factor):
    return reference(xp, X, Y, factor=factor).astype("float32")


def memory_order(X, Y, *, factor):
    return (X.ravel("K") * Y.ravel("K") * X.dtype.type(factor)).reshape(X.shape)


def changes_input(X, Y, *, factor):
    out = reference(np, X, Y, factor=factor)
    X += 1
    return out


def changes_gradient(X, Y, dOut, *, factor, need=(True, True)):
    results = gradient(np, X, Y, dOut, factor=factor, need=need)
    dOut *= 2
    return results


def gives_input(X, Y, *, factor):
    return X


def uses_numpy(xp, X, Y, *, factor):
    return np.multiply(X, Y) * X.dtype.type(factor)


def calls_helper(xp, X, Y, *, factor):
    return uses_numpy(xp, X, Y, factor=factor)


@jit
def scaled(x, y, factor):
    return x * y * factor


def calls_kernel(xp, X, Y, *, factor):
    return scaled(X, Y, X.dtype.type(factor))


def lacking_in_cupy(xp, X, Y, *, factor):
    with xp.errstate(all="ignore"):
        return X * Y * X.dtype.type(factor)


def wrong(function: Callable, change: Callable, *first: Any) -> Callable:
    """The function with `change` applied to its result, and `first` in the place of its first arguments."""

    @functools.wraps(function)
    def changed(*args: Any, **attrs: Any) -> Any:
        return change(function(*first, *args, **attrs))

    return changed


FAULTS = {
    "reference value": (checks.references_equal_paddle, {"reference": wrong(reference, lambda r: r + 1)}, "Not equal"),
    "reference dtype": (checks.references_equal_paddle, {"reference": wrong(reference, np.float64)}, "dtype float64"),
    "reference shape": (checks.references_equal_paddle, {"reference": wrong(reference, lambda r: r[None])}, "shape"),
    "reference type": (checks.references_equal_paddle, {"reference": wrong(reference, lambda r: 1.0)}, "float|array"),
    "reference lacking in CuPy": (checks.references_equal_paddle, {"reference": lacking_in_cupy}, "no errstate"),
    "reference with numpy": (checks.references_use_xp, {"reference": uses_numpy}, r"numpy\.multiply"),
    "helper with numpy": (checks.references_use_xp, {"reference": calls_helper}, r"numpy\.multiply"),
    "reference with a kernel": (checks.references_use_xp, {"reference": calls_kernel}, "calls_kernel: scaled"),
    "double precision lost": (checks.calls_equal_references, {"kernel": wrong(reference, np.float32, np)}, "dtype"),
    "gradient in reference": (checks.references_equal_paddle, {"gradient": off_by_a_thousandth}, "gradients against Paddle"),
    "gradient by 0.1 %": (differences.gradients_equal_differences, {"gradient": off_by_a_thousandth}, "direction of X"),
    "gradient shape": (
        differences.gradients_equal_differences, {"gradient": wrong(gradient, lambda r: (r[0].sum(), r[1]))}, r"needs float64 \[4, 3\]",
    ),
    "gradient None": (differences.gradients_equal_differences, {"gradient": wrong(gradient, lambda r: (None, r[1]))}, "of X"),
    "gradient alone": (differences.gradients_come_alone, {"gradient": needs_both}, "gradient of X alone"),
    "double gradient by 0.1 %": (
        differences.double_gradients_equal_differences, {"twice": twice_off}, "double gradient: along a direction of",
    ),
    "kernel value": (checks.kernels_equal_references, {"kernel": wrong(reference, lambda r: r * 2, np)}, "kernel against"),
    "gradient kernel value": (
        checks.kernels_equal_references, {"gradient_kernel": wrong(gradient, lambda r: (r[0] * 2, r[1]), np)}, "gradient kernel",
    ),
    "strides": (checks.strides_do_not_matter, {"kernel": memory_order}, "transposed"),
    "input changed": (checks.memory_is_kept_apart, {"kernel": changes_input}, "inputs after"),
    "gradient changed": (checks.memory_is_kept_apart, {"gradient_kernel": changes_gradient}, "output gradients after"),
    "input returned": (checks.memory_is_kept_apart, {"kernel": gives_input}, "shares memory with Input.X"),
    "LoD lost": (checks.calls_equal_paddle, {"lod": None}, "LoD of Out"),
    "LoD inferred": (inference.inference_equals_results, {"lod": None}, "LoD levels"),
    "shape inferred": (
        inference.inference_equals_results, {"infer": wrong(infer, lambda m: m._replace(shape=(3, 4)))}, r"shape \[3, 4\]",
    ),
    "open shape inferred": (
        inference.inference_equals_results, {"infer": wrong(infer, lambda m: m._replace(shape=tuple(max(n, 1) for n in m.shape)))},
        "no dimension known",
    ),
    "needlessly open": (
        inference.inference_equals_results, {"infer": wrong(infer, lambda m: m._replace(shape=(-1, -1)))}, r"shape \[-1, -1\]",
    ),
    "dtype inferred": (
        inference.inference_equals_results, {"infer": wrong(infer, lambda m: m._replace(dtype=np.dtype("int32")))}, "int32",
    ),
    "infer of too few": (inference.inference_equals_results, {"infer": wrong(infer, lambda m: None)}, "nothing of Out"),
    "bad call accepted": (
        checks.bad_calls_raise, {"infer": accepting, "kernel": lambda X, Y, *, factor: X}, "raised nothing",
    ),
    "bad call seen by the reference alone": (
        programs.bad_calls_raise_the_same_in_programs, {"infer": accepting, "reference": refusing}, "dtypes are known to inference",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_operator_is_caught(name: str) -> None:
    check, changes, text = FAULTS[name]
    caught(check, product(**changes), row(), text)


# --- rows ---------------------------------------------------------------------------------------------------------------


def test_rows_that_say_too_much_are_caught() -> None:
    caught(checks.memory_is_kept_apart, product(), row(view=True), "`view` is not needed")
    open_for_all = Sample(SAMPLE.inputs, SAMPLE.attrs, lods=SAMPLE.lods, dynamic=True)
    caught(inference.inference_equals_results, product(), row(samples=[open_for_all]), "`dynamic` is not needed")
    excused = Sample(SAMPLE.inputs, SAMPLE.attrs, lods=SAMPLE.lods, excluded="Paddle is wrong here")
    caught(checks.references_equal_paddle, product(), row(samples=[excused]), "`excluded` is not needed")
    checks.references_equal_paddle(product(reference=wrong(reference, lambda r: r + 1)), row(samples=[excused]))
    other = row(no_derivative="it counts")
    caught(differences.gradients_equal_differences, product(), other, "no_derivative is not needed")
    differences.gradients_equal_differences(product(gradient=off_by_a_thousandth), other)


def formula(X: np.ndarray, Y: np.ndarray, *, factor: float) -> np.ndarray:
    return X * Y * X.dtype.type(factor)


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
def test_an_operator_that_paddle_does_not_have_passes_by_its_formula(
    check: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a prototype nor a recording is asked for."""
    op = product()
    for each in (op, op.grad.op):
        monkeypatch.setitem(registry._ops, each.type, each)
    monkeypatch.setattr(checks, "recorded", lambda *args: pytest.fail("asks for recorded numbers"))
    check(op, row(own=formula))


@pytest.mark.parametrize("check", [checks.references_equal_paddle, checks.calls_equal_paddle])
def test_numbers_that_are_not_those_of_the_formula_are_caught(check: Callable) -> None:
    caught(check, product(), row(own=lambda X, Y, *, factor: X * Y), "outputs against the formula")
    caught(check, product(), row(own=lambda X, Y, *, factor: (X, Y)), "strict|longer|zip")
    excused = Sample(SAMPLE.inputs, SAMPLE.attrs, lods=SAMPLE.lods, excluded="Paddle is wrong here")
    caught(check, product(), row(own=formula, samples=[excused]), "`excluded` is not needed")


def test_a_formula_stands_where_paddle_has_no_such_operator_and_only_there() -> None:
    assert completeness.own(row(), True) == completeness.own(row(own=formula), False) == []
    assert "not needed" in completeness.own(row(own=formula), True)[0]
    assert "mend the name" in completeness.own(row(), False)[0]
    assert completeness.gradients(product(), row(own=formula), {}) == completeness.dtypes(row(own=formula), {}) == []


def test_a_family_without_recordings_has_no_leftovers() -> None:
    assert recorded_numbers.leftovers("nn.planted", {}) == []
    with pytest.raises(AssertionError, match=r"nothing is recorded for family nn\.planted"):
        recorded_numbers.leftovers("nn.planted", {"product": 1})


def test_double_gradients_that_the_row_does_not_tell_of_are_caught() -> None:
    caught(differences.double_gradients_equal_differences, product(), row(double=False), "must say double=True")
    once = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient)
    differences.double_gradients_equal_differences(product(grad=once), row(double=False))
    caught(differences.double_gradients_equal_differences, product(grad=None), row(), "no gradient is declared")


def test_what_paddle_refuses_must_be_excluded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "recorded", lambda *args: Recorded({}, "Error: not like this"))
    caught(checks.references_equal_paddle, product(), row(), "not like this")


def test_unknown_names_in_samples_are_caught() -> None:
    sample = Sample({"X": X, "Y": Y, "Z": Y}, {"speed": 1})
    with pytest.raises(AssertionError, match="neither an input nor an attribute: Z, speed"):
        Case(product(), row(samples=[sample]), 0)


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        (Bad({"X": X, "Y": Y}, {}, "ShapeError", "Input(Y)"), "raised nothing"),
        (Bad({"X": X, "Y": draw(4, 2)}, {}, "DtypeError", "Input(Y)"), "raised ShapeError"),
        (Bad({"X": X, "Y": draw(4, 2)}, {}, "ShapeError", "Input(Q)"), "lacks 'Input.Q.'"),
    ],
)
def test_bad_calls_that_do_not_fail_as_told_are_caught(bad: Bad, text: str) -> None:
    caught(checks.bad_calls_raise, product(), row(errors=[bad]), text)


def test_calls_that_take_anything_are_caught() -> None:
    op = product()
    op.call = lambda *inputs, **attrs: None
    caught(checks.wrong_kinds_raise, op, row(), "raised nothing")


def test_missing_and_superfluous_rows_are_caught() -> None:
    ops = {"product": product()}
    assert completeness.rows_and_operators(ops, [("planted", row())]) == []
    assert completeness.rows_and_operators(ops, []) == ["product (ops/planted.py) has no row"]
    other = Row("quotient", [SAMPLE])
    assert "not declared" in completeness.rows_and_operators(ops, [("planted", row()), ("planted", other)])[0]
    assert "has two rows" in completeness.rows_and_operators(ops, [("planted", row()), ("planted", row())])[0]
    assert "stands in rows/math/arithmetic.py" in completeness.rows_and_operators(ops, [("math.arithmetic", row())])[0]
    assert "has no sample" in completeness.rows_and_operators(ops, [("planted", row(samples=[]))])[0]


def test_gradients_without_need_reason_or_check_are_caught() -> None:
    plain = {**INTERFACE}
    del plain["grads"]
    bare = product(grad=None)
    assert completeness.gradients(product(), row(), INTERFACE) == []
    assert "declare it or say why" in completeness.gradients(bare, row(), INTERFACE)[0]
    assert completeness.gradients(bare, row(no_grad_reason="counts"), INTERFACE) == []
    assert "not needed" in completeness.gradients(bare, row(no_grad_reason="counts"), plain)[0]
    assert "not needed" in completeness.gradients(product(), row(no_grad_reason="counts"), INTERFACE)[0]
    unchecked = [Sample(SAMPLE.inputs, grads=())]
    assert "no sample checks" in completeness.gradients(product(), row(samples=unchecked), INTERFACE)[0]


def test_dtypes_without_a_sample_are_caught() -> None:
    assert completeness.dtypes(row(), INTERFACE) == []
    assert "dtype int64" in completeness.dtypes(row(), {**INTERFACE, "dtypes": "float32 int64"})[0]


# --- declarations -------------------------------------------------------------------------------------------------------


def test_declarations_that_are_not_paddles_are_caught() -> None:
    def found(**changes: Any) -> str:
        return "; ".join(protos.differences(product(**changes), INTERFACE))

    assert found() == ""
    assert "default 0.2, needs 0.1" in found(attrs={"factor": 0.2, **MKLDNN})
    assert "factor is INT, needs FLOAT" in found(attrs={"factor": 1, **MKLDNN})
    assert "use_mkldnn is not declared" in found(attrs={"factor": 0.1})
    assert "attribute speed is not in" in found(attrs={"factor": 0.1, **MKLDNN, "speed": 1})
    assert "output Mask~ is not in" in found(outputs=parse_slots("Out Mask~"))
    assert "input Y? is not in the interface; input Y is not declared" in found(inputs=parse_slots("X Y?"))
    reads = Grad("X Y Out Out@GRAD", "X@GRAD Y@GRAD", lambda xp, X, Y, Out, dOut, *, factor: (dOut, dOut))
    assert "the gradient reads Out, which" in found(grad=reads)
    gives = Grad("X Y Out@GRAD", "X@GRAD", lambda xp, X, Y, dOut, *, factor: dOut)
    assert "gradient result Y@GRAD is not declared" in found(grad=gives)
    named = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient, type="product_backward")
    assert "of type product_backward, needs product_grad" in found(grad=named)
    assert protos.differences(product(attrs={"factor": 0.1 + 1e-10, **MKLDNN}), INTERFACE) == []


def test_a_changed_sample_must_be_recorded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    about = {"product/0": {"print": SAMPLE.fingerprint(), "sums": SAMPLE.sums().tolist()}}
    monkeypatch.setattr(recorded_numbers, "_family", lambda family: (about, {}))
    recorded_numbers.recorded("planted", "product", 0, SAMPLE)
    changed = [
        Sample({"X": X + 0.01, "Y": Y}, SAMPLE.attrs, lods=SAMPLE.lods),
        Sample({"X": X, "Y": Y}, {"factor": 2.5}, lods=SAMPLE.lods),
        Sample({"X": X, "Y": Y}, SAMPLE.attrs, lods={"X": [[0, 2, 4]]}),
        Sample({"X": X, "Y": Y.astype("int64")}, SAMPLE.attrs, lods=SAMPLE.lods),
    ]
    for sample in changed:
        with pytest.raises(AssertionError, match=re.escape("record again (tests/ops/record.py planted)")):
            recorded_numbers.recorded("planted", "product", 0, sample)
    assert recorded_numbers.leftovers("planted", {"product": 0}) == ["product/0"]


def test_a_pass_that_changes_results_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every operator's row runs through the passes; one of these takes what `scale` reads for what it makes."""

    def wrong(graph: Any) -> Any:
        for step in graph.instructions:
            if step.type == "scale":
                yield step.idle("alias", "planted", {step.out("Out"): step.one("X")})

    row = next(row for _, row in ALL if row.op == "scale")
    programs.programs_equal_calls(registry.get("scale"), row)
    monkeypatch.setitem(PASSES, "unread", wrong)
    with pytest.raises(AssertionError, match="through all passes"):
        programs.programs_equal_calls(registry.get("scale"), row)
