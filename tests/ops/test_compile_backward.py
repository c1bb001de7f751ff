"""Generated backward functions: from a tape entry to the gradients of its edges."""

from __future__ import annotations

import linecache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from paddle_lite.ops.framework import registry
from paddle_lite.ops.framework.compile_backward import backward_attrs, compile_backward, targets_of
from paddle_lite.ops.framework.dispatch import ArraySpec
from paddle_lite.ops.framework.spec import Grad, OpDef, parse_slots

X, Y, D = (np.arange(6, dtype="float32").reshape(2, 3) + k for k in range(3))


def declared(inputs: str, outputs: str, grad: Grad, attrs: Any = None, reference: Any = None) -> OpDef:
    slots = parse_slots(inputs), parse_slots(outputs)
    reference = reference or (lambda xp, *arrays: arrays[0])
    return OpDef(
        "made_up", *slots, attrs or {}, family="planted", reference=reference, infer=lambda *metas: metas[0], grad=grad
    )


def backward(op: OpDef, *, saved: tuple = (), grads: list, edges: tuple, attrs: Any = None, metas: Any = None) -> Any:
    """What the backward function of an operator gives for a tape entry."""
    entry = SimpleNamespace(saved=saved, grads=grads, edges=edges, attrs=attrs, metas=metas)
    return compile_backward(op, "cpu", lambda op, node: pytest.fail("composes"))(entry)


def test_what_is_saved_comes_before_the_gradients_that_arrive() -> None:
    seen: list[Any] = []
    grad = Grad(
        "X Out@GRAD", "X@GRAD", lambda xp, X, dOut, *, factor: (seen.append((X, dOut, factor)), dOut * factor)[1]
    )
    op = declared("X", "Out", grad, {"factor": 1.0, "axis": 0}, lambda xp, X, *, factor, axis: X)
    [found] = backward(op, saved=(X,), grads=[D], edges=("x",), attrs={"factor": 3.0})
    assert found.tolist() == (3 * D).tolist() and seen[0][0] is X and seen[0][1] is D
    assert backward_attrs(op) == ("factor",)  # axis is not what its gradient reads
    assert [slot.name for slot in targets_of(op)] == ["X"]


@pytest.mark.parametrize(("edges", "need"), [(("x", None), (True, False)), ((None, "y"), (False, True))])
def test_only_gradients_that_somebody_wants_are_asked_for(edges: tuple, need: tuple) -> None:
    def gradient(xp: Any, dOut: Any, *, need: tuple) -> tuple:
        return tuple(dOut if wanted else None for wanted in need)

    op = declared("X Y", "Out", Grad("Out@GRAD", "X@GRAD Y@GRAD", gradient))
    found = backward(op, grads=[D], edges=edges)
    assert [g is D for g in found] == list(need) and [g is None for g in found] == [not n for n in need]


def test_gradients_that_did_not_arrive_are_zeros() -> None:
    grad = Grad("First@GRAD Second@GRAD", "X@GRAD", lambda xp, a, b: a + b)
    op = declared("X", "First Second", grad, reference=lambda xp, X: (X, X))
    [found] = backward(op, grads=[None, D], edges=("x",), metas=(ArraySpec(X), ArraySpec(D)))
    assert found.tolist() == D.tolist() and found.dtype == D.dtype


def test_lists_of_inputs_and_of_outputs_are_flattened() -> None:
    def gradient(xp: Any, dParts: list, *, need: tuple) -> list:
        assert need == ((True, False, True),)
        return [dParts[0], None, dParts[1] * 2]

    grad = Grad("Parts@GRAD", "X@GRAD", gradient)
    op = declared("X*", "Parts*", grad, reference=lambda xp, X: (X,))
    found = backward(op, grads=[D, Y], edges=("a", None, "c"), metas=(ArraySpec(D), ArraySpec(Y)))
    assert [g if g is None else g.tolist() for g in found] == [D.tolist(), None, (2 * Y).tolist()]


def test_another_operator_computes_it_with_attributes_of_its_own() -> None:
    op = declared("X", "Out", Grad("Out@GRAD", "X@GRAD", via="scale", attrs=lambda a: {"scale": a["k"]}), {"k": 2.0},
                  lambda xp, X, *, k: X * k)  # fmt: skip
    [found] = backward(op, grads=[D], edges=("x",), attrs={"k": 4.0})
    assert found.tolist() == (4 * D).tolist()
    assert backward_attrs(op) == ("k",)


def test_a_gradient_of_operators_runs_through_them() -> None:
    calls: list[Any] = []
    op = declared("X", "Out", Grad("Out@GRAD", "X@GRAD", compose=lambda d: d))
    function = compile_backward(op, "cpu", lambda op, node: calls.append((op, node)) or ["made"])
    assert function("entry") == ["made"] and calls == [(op, "entry")] and function.op is op


def test_lod_and_source() -> None:
    seen: list[Any] = []
    grad = Grad("Out@GRAD", "X@GRAD", lambda xp, dOut, *, lod: (seen.append(lod), dOut)[1], needs_lod="X")
    op = declared("X", "Out", grad)
    backward(op, grads=[D], edges=("x",), attrs={"lod": ((0, 2),)})
    assert seen == [((0, 2),)]
    function = compile_backward(registry.get("tanh"), "cpu", lambda op, node: [])
    assert function.op is registry.get("tanh")
    text = "".join(linecache.getlines(function.__code__.co_filename))
    assert text == "def backward(node):\n    s = node.saved\n    return (kernel(s[0], node.grads[0]),)\n"
