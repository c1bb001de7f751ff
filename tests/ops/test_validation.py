"""Validation: of each call once, whatever its mode; what makes a call another one, and what does not."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentTypeError, EnforceNotMet, ShapeError, message
from paddle_lite.core.tensor import LoDTensor
from paddle_lite.imperative import guard, to_variable
from paddle_lite.imperative.variable import Variable
from paddle_lite.ops.framework import registry, validation
from paddle_lite.ops.framework.dispatch import meta_of
from paddle_lite.ops.framework.spec import Ints, OpDef, parse_slots
from paddle_lite.ops.framework.validation import MOST_CALLS, attributes_read
from paddle_lite.ops.support.meta import Meta
from tests.ops.case import Case
from tests.ops.row import Row
from tests.ops.rows_of import ALL

FORWARD = [registry.get(type) for type in sorted({row.op for _, row in ALL})]


@pytest.fixture(autouse=True)
def imperative() -> Iterator[None]:
    with guard():
        yield


class Counted:
    """An operator that counts how often inference is asked."""

    def __init__(self, inputs: str = "X Y?", **changes: Any) -> None:
        self.asked = 0

        def infer(X: Any, Y: Any = None, *, axes: Any, keep: Any, **_: Any) -> Meta:
            self.asked += 1
            first = X[0] if isinstance(X, list) else X
            if 7 in first.shape:
                raise ShapeError(message("counted", "Input(X)", "shape with a 7", "another"))
            return first

        def reference(xp: Any, X: Any, Y: Any = None, *, axes: Any, keep: Any, factor: Any, lod: Any = None) -> Any:
            return X[0].copy() if isinstance(X, list) else X.copy()

        attrs = {"axes": Ints([0]), "keep": False, "factor": 1.0}
        self.op = OpDef(
            "counted", parse_slots(inputs), parse_slots("Out"), attrs, family="planted", reference=reference, infer=infer, **changes
        )  # fmt: skip

    def asks(self, *inputs: Any, **attrs: Any) -> bool:
        """Call the operator and return whether inference was asked."""
        before = self.asked
        self.op.call(*inputs, **attrs)
        assert self.asked in (before, before + 1)
        return self.asked > before


def ones(*shape: int, dtype: str = "float32", **more: Any) -> Variable:
    return Variable(np.ones(shape, dtype), **more)


def test_the_same_call_is_validated_once() -> None:
    counted = Counted()
    assert counted.asks(ones(2, 3))
    assert not counted.asks(ones(2, 3))
    assert not counted.asks(ones(2, 3), None, keep=False)


@pytest.mark.parametrize(
    ("inputs", "attrs"),
    [
        ([ones(3, 2)], {}),
        ([ones(6)], {}),
        ([ones(2, 3, dtype="float64")], {}),
        ([ones(2, 3), ones(2, 3)], {}),
        ([ones(2, 3)], {"axes": [1]}),
        ([ones(2, 3)], {"axes": [0, 0]}),
        ([ones(2, 3)], {"keep": True}),
    ],
    ids=["shape", "rank", "dtype", "optional input", "list", "longer list", "attribute"],
)
def test_another_call_is_validated(inputs: list[Any], attrs: dict[str, Any]) -> None:
    counted = Counted()
    counted.op.call(ones(2, 3))
    assert counted.asks(*inputs, **attrs)
    assert not counted.asks(*inputs, **attrs)
    assert not counted.asks(ones(2, 3))


def test_lists_are_told_apart_by_their_elements() -> None:
    counted = Counted("X*")
    assert counted.asks([ones(2), ones(3)])
    assert not counted.asks([ones(2), ones(3)])
    assert counted.asks([ones(3), ones(2)])
    assert counted.asks([ones(2)])
    assert counted.asks((ones(2),))


def test_lod_levels_count_where_kernels_get_them() -> None:
    lod = ((0, 1, 2),)
    aware, blind = Counted(needs_lod="X"), Counted()
    for counted, expected in ((aware, True), (blind, False)):
        counted.op.call(ones(2, 3))
        assert counted.asks(ones(2, 3, lod=lod)) is expected
        assert not counted.asks(ones(2, 3, lod=((0, 2),)))
    assert aware.asks(ones(2, 3, lod=((0, 1), (0, 2))))


def test_values_that_inference_does_not_read_are_no_other_call_but_their_kind_is() -> None:
    counted = Counted()
    counted.op.call(ones(2), factor=0.5)
    assert not counted.asks(ones(2), factor=0.25)
    with pytest.raises(ArgumentTypeError, match="factor"):
        counted.op.call(ones(2), factor="0.25")


@pytest.mark.parametrize(
    ("valid", "bad"),
    [
        ({"axes": [1, 0]}, {"axes": [1, 0.0]}),
        ({"axes": [1]}, {"axes": {1}}),
        ({"axes": [1]}, {"axes": range(1, 2)}),
    ],
    ids=str,
)
def test_an_equal_value_of_another_class_is_another_call(valid: dict[str, Any], bad: dict[str, Any]) -> None:
    counted = Counted()
    counted.op.call(ones(2), **valid)
    with pytest.raises(ArgumentTypeError, match=next(iter(bad))):
        counted.op.call(ones(2), **bad)


@pytest.mark.parametrize(
    ("valid", "other"),
    [
        ({"keep": True}, {"keep": 1}),
        ({"keep": False}, {"keep": 0.0}),
        ({"axes": [1, 0]}, {"axes": [True, 0]}),
    ],
    ids=str,
)
def test_an_equal_value_that_1_8_takes_is_the_same_call(valid: dict[str, Any], other: dict[str, Any]) -> None:
    counted = Counted()
    wanted = counted.op.call(ones(2), **valid)
    assert not counted.asks(ones(2), **other)
    assert counted.op.call(ones(2), **other).numpy().tolist() == wanted.numpy().tolist()


def test_numbers_of_other_kinds_are_what_1_8_makes_of_them_after_valid_calls_too() -> None:
    softmax, transpose = registry.get("softmax").call, registry.get("transpose").call
    first, second = softmax(ones(2, 3), axis=1), transpose(ones(2, 3), axis=[1, 0])
    assert softmax(ones(2, 3), axis=True).numpy().tolist() == first.numpy().tolist()
    assert transpose(ones(2, 3), axis=[True, 0]).shape == second.shape
    for wrong in (1.0, "one", None):
        with pytest.raises(ArgumentTypeError, match="softmax: attribute 'axis'"):
            softmax(ones(2, 3), axis=wrong)
    with pytest.raises(ArgumentTypeError, match="transpose: attribute 'axis'"):
        transpose(ones(2, 3), axis=[1.0, 0])


def test_a_refused_call_is_refused_again() -> None:
    counted = Counted()
    for _ in range(2):
        with pytest.raises(ShapeError, match="shape with a 7"):
            counted.op.call(ones(7))


def test_what_is_remembered_is_bounded() -> None:
    counted = Counted()
    for n in range(MOST_CALLS + 10):
        counted.op.call(ones(1, n + 8))
    remembered = counted.op.call.__globals__["valid_calls"]
    assert 0 < len(remembered) <= MOST_CALLS
    assert not counted.asks(ones(1, MOST_CALLS + 17))
    assert counted.asks(ones(1, 8))


def test_what_only_looks_like_a_variable_is_refused_after_a_valid_call_too() -> None:
    tensor = LoDTensor()
    tensor.array = np.ones((2, 2), "float32")
    for type, inputs in (("relu", 1), ("matmul", 2), ("elementwise_add", 2), ("concat", None)):
        call, good = registry.get(type).call, ones(2, 2, stop_gradient=False)
        given = [[good, good]] if inputs is None else [good] * inputs
        call(*given)
        for bad in [[[good, tensor]]] if inputs is None else [[tensor, *given[1:]], [*given[:-1], tensor]]:
            with pytest.raises(ArgumentTypeError, match=f"{type}: Input"):
                call(*bad)


def test_a_variable_instead_of_a_list_is_refused_after_a_valid_call_too() -> None:
    stack = registry.get("stack").call
    stack([ones(3), ones(3)])
    with pytest.raises(ArgumentTypeError, match="a list of Variables"):
        stack(ones(2, 3))


def test_an_error_inside_of_inference_is_explained() -> None:
    def broken(X: Any, Y: Any, **_: Any) -> Meta:
        raise LookupError("no such thing")

    counted = Counted()
    counted.op.infer = broken
    with pytest.raises(
        EnforceNotMet, match=r"counted: LookupError: no such thing\. Called with X=Variable of shape \[2\]"
    ):
        counted.op.call(ones(2))


# --- declarations ---------------------------------------------------------------------------------------------------------


def written(function: Any) -> ast.FunctionDef:
    """How a function is written; of a partial one, the function that it calls."""
    [definition] = ast.parse(textwrap.dedent(inspect.getsource(getattr(function, "func", function)))).body
    assert isinstance(definition, ast.FunctionDef)
    return definition


def _is_read(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def unused(function: Callable) -> set[str]:
    """The keyword-only parameters that the body of a function does not mention; none where it takes `**attrs`."""
    definition = written(function)
    if definition.args.kwarg is not None and definition.args.kwarg.arg != "_":
        return set()
    mentioned = {node.id for part in definition.body for node in ast.walk(part) if isinstance(node, ast.Name)}
    return {argument.arg for argument in definition.args.kwonlyargs} - mentioned


def test_inference_names_only_the_attributes_that_it_reads() -> None:
    """The values of the others are not part of what a call is remembered by."""
    said_too_much = {op.type: names for op in FORWARD if (names := unused(op.infer))}
    assert not said_too_much


def test_inference_that_takes_the_rest_does_not_look_at_it() -> None:
    for op in FORWARD:
        definition = written(op.infer)
        rest = definition.args.kwarg
        if rest is not None and rest.arg == "_":
            assert "_" not in {node.id for node in ast.walk(definition) if _is_read(node)}, op.type
            assert attributes_read(op) < set(op.live) or not op.live, op.type


@pytest.mark.parametrize("row", [row for _, row in ALL], ids=[row.op for _, row in ALL])
def test_lod_levels_decide_nothing_where_kernels_do_not_get_them(row: Row) -> None:
    op = registry.get(row.op)
    needed = (op.needs_lod or "").split()
    for index in range(len(row.samples)):
        case = Case(op, row, index)
        variables = case.variables([])
        for level in range(3):

            def meta(slot: Any, variable: Any, level: int = level) -> Any:
                if variable is None or isinstance(variable, list):
                    return None if variable is None else [meta(slot, v) for v in variable]
                return meta_of(variable) if slot.name in needed else meta_of(variable)._replace(lod_level=level)

            op.infer(*(meta(s, v) for s, v in zip(op.inputs, variables, strict=True)), **case.attrs)


def test_what_every_key_may_refer_to_is_no_name_of_a_slot_or_an_attribute() -> None:
    taken = {"kind", "valid_calls", *validation.SCOPE}
    for op in registry.all_ops():
        assert not taken & {*(s.name for s in op.inputs), *op.live}, op.type


def test_variables_of_imperative_mode_come_from_arrays() -> None:
    """A call with an ndarray says so at the first call and at any later one."""
    tanh = registry.get("tanh").call
    tanh(to_variable(np.ones(2, "float32")))
    with pytest.raises(ArgumentTypeError, match="to_variable"):
        tanh(np.ones(2, "float32"))
