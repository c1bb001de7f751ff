"""Operators with an expression for one element: a loop that runs as one kernel computes what the operator computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite.core.dtype import to_vartype
from paddle_lite.kernels.codegen.expression import names
from paddle_lite.kernels.codegen.round_loops import Array, ElementStep, FoldStep, RoundLoop
from paddle_lite.ops.framework import registry
from paddle_lite.ops.framework.dispatch import kernel_of
from paddle_lite.ops.framework.spec import OpDef, file_name, single

DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64"]
GIVEN = {"fill_constant": {"shape": [6], "value": 3.0}, "cast": {"in_dtype": 5, "out_dtype": 5}, "clip": {"min": -0.5, "max": 1.5},
         "scale": {"scale": 3.0, "bias": -1.5}, "increment": {"step": 2.0}, "pow": {"factor": 3.0}}  # fmt: skip
ELEMENTS = [op for op in registry.all_ops() if op.traits.element is not None]
FOLDS = [op for op in registry.all_ops() if op.traits.folds is not None]


def operands(op: OpDef, dtype: str) -> list[np.ndarray]:
    """Arrays of six elements for the inputs that an operator needs; divisors are not 0."""
    slots = [slot for slot in op.inputs if not slot.optional or op.type == "assign"]
    rng = np.random.default_rng(3)
    arrays = [np.trunc(rng.uniform(-4, 4, 6) * 8) / 8 for _ in range(2 if op.type == "sum" else len(slots))]
    found = [np.abs(each).astype(dtype) if dtype[0] in "ub" else each.astype(dtype) for each in arrays]
    if op.type == "where":
        found[0] = found[0] > found[1]
    if dtype[0] in "iu" and len(found) == 2:
        found[1][found[1] == 0] = 3
    return found if op.type != "increment" else [found[0][:1]]


def attributes(op: OpDef, **more: Any) -> dict[str, Any]:
    """The attributes that a kernel reads."""
    given = {**GIVEN.get(op.type, {}), **more}
    values = {name: given.get(name, getattr(op.attrs.get(file_name(name)), "default", None)) for name in op.live}
    return {name: single(value) if name in op.singles else value for name, value in values.items()}


def once(arrays: list[np.ndarray], made: np.ndarray, steps: Any) -> np.ndarray:
    """What one round of a loop makes."""
    given = [Array(("1",) if each.size == 1 else ("n0",), each.dtype) for each in (*arrays, made, np.ones(1, bool))]
    to = len(given)
    loop = RoundLoop(["n0"], [*given, given[-2]], to, steps(to), [(to - 2, to)], to - 1)
    result, go_on = made.copy(), np.ones(1, bool)
    kernel = loop.compiled()
    likes = [np.empty(0, dtype) for dtype in loop.dtypes]
    addresses = [id(each) for each in (*arrays, result, go_on)]
    with np.errstate(all="ignore"):
        assert kernel(np.array([1, 6, *addresses], np.int64), *likes) == 1
    return result


def compare(op: OpDef, dtype: str) -> bool:
    """Compare an operator's element with its kernel; return whether it has one for a dtype."""
    element = op.traits.element
    assert element is not None
    arrays = operands(op, dtype)
    attrs = attributes(op, **({"dtype": to_vartype(dtype)} if op.type == "fill_constant" else {}))
    attrs |= {"out_dtype": to_vartype("float32" if dtype == "bool" else "int16")} if op.type == "cast" else {}
    node = element.node(attrs, [each.dtype for each in arrays])
    if node is None:
        return False
    assert names(node) == {f"x{i}" for i in range(len(arrays))}
    given: list[Any] = [arrays] if op.type == "sum" else list(arrays)
    with np.errstate(all="ignore"):
        expected = kernel_of(op, "cpu")(*given, *[None] * (len(op.inputs) - len(given)), **attrs)
    shape = ("1",) if expected.size == 1 else ("n0",)
    reads = tuple(range(len(arrays)))
    found = once(arrays, np.zeros_like(expected), lambda to: [ElementStep(to, node, reads, (shape,) * len(reads))])
    what = f"{op.type} of {dtype}"
    if expected.dtype.kind == "f":
        np.testing.assert_allclose(found, expected, rtol=3e-6, atol=1e-6, err_msg=what)
    else:
        np.testing.assert_array_equal(found, expected, err_msg=what)
    return True


@pytest.fixture(autouse=True)
def by_python(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Kernels are run by Python, which costs no time to compile."""
    monkeypatch.setenv("PADDLE_LITE_DISABLE_JIT", "1")


def test_there_are_some() -> None:
    assert len(ELEMENTS) > 60 and len(FOLDS) >= 7


@pytest.mark.parametrize("op", ELEMENTS, ids=lambda op: op.type)
def test_elements(op: OpDef) -> None:
    found = [compare(op, dtype) for dtype in DTYPES]
    assert any(found)


@pytest.mark.parametrize("op", FOLDS, ids=lambda op: op.type)
def test_folds(op: OpDef) -> None:
    fold = op.traits.folds
    assert fold is not None
    for dtype in {"sum": DTYPES[1:], "mean": DTYPES[-2:], "all": ["bool"], "any": ["bool"]}.get(fold.how, DTYPES[1:]):
        [x] = operands(op, dtype)
        attrs = attributes(op)
        assert fold.whole(attrs, 1)
        expected = kernel_of(op, "cpu")(x, **attrs)
        found = once([x], np.zeros_like(expected), lambda to: [FoldStep(to, fold.how, 0)])
        np.testing.assert_allclose(found, expected, rtol=1e-6, err_msg=f"{op.type} of {dtype}")
