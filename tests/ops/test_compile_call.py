"""Generated calls: one Python function an operator, with what its declaration asks for and nothing else."""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite.core.errors import EnforceNotMet, ShapeError
from paddle_lite.core.mode import now
from paddle_lite.imperative import Variable, guard, no_grad
from paddle_lite.imperative.mode import RUNTIME
from paddle_lite.ops.framework import compile_call, registry
from paddle_lite.ops.framework.compile_call import compile_eager, compile_operator
from paddle_lite.ops.framework.dispatch import ArraySpec
from paddle_lite.ops.framework.spec import Grad, Ints, OpDef, parse_slots
from paddle_lite.ops.support.meta import Meta

X = np.arange(6, dtype="float32").reshape(2, 3)


@pytest.fixture(autouse=True)
def imperative() -> Iterator[None]:
    with guard():
        yield


def declared(inputs: str, outputs: str, reference: Any, infer: Any, attrs: Any = None, **more: Any) -> OpDef:
    """An operator that is not registered."""
    slots = parse_slots(inputs), parse_slots(outputs)
    return OpDef(
        more.pop("type", "made_up"), *slots, attrs or {}, family="planted", reference=reference, infer=infer, **more
    )


def source(op: OpDef, device: str = "cpu") -> str:
    return compile_call._source(op, device)


def variable(array: np.ndarray, stopped: bool = False, lod: Any = None) -> Variable:
    return Variable(array, lod=lod, stop_gradient=stopped)


def doubled(**more: Any) -> OpDef:
    grad = Grad("X# Out@GRAD", "X@GRAD", lambda xp, X, dOut: 2 * dOut)
    return declared("X", "Out", lambda xp, X: 2 * X, lambda X: X, grad=grad, **more)


def test_the_call_of_one_array_wraps_the_result_and_enters_the_tape() -> None:
    call = compile_eager(doubled(), "cpu", RUNTIME)
    x = variable(X)
    out = call(x)
    assert type(out) is Variable and out.array.tolist() == (2 * X).tolist() and not out.stopped
    assert out.node.edges == (x,) and "node.attrs" not in source(doubled())  # its gradient reads no attribute
    out.node.grads = [X]
    assert out.node.run(out.node)[0].tolist() == (2 * X).tolist()
    assert call(variable(X, stopped=True)).node is None
    with no_grad():
        assert call(x).stopped and call(x).node is None


def test_an_array_of_which_the_gradient_reads_the_shape_only_is_not_kept() -> None:
    call = compile_eager(doubled(), "cpu", RUNTIME)
    large = np.zeros(compile_call.SMALL + 1, "float32")
    [kept] = call(variable(large)).node.saved
    assert isinstance(kept, ArraySpec) and (kept.shape, kept.dtype) == (large.shape, large.dtype)
    small = X.copy()
    assert call(variable(small)).node.saved[0] is small  # costs less than a description


def test_the_source_has_only_what_the_declaration_asks_for() -> None:
    plain = declared("X", "Out", lambda xp, X: X, lambda X: X)
    text = source(plain)
    assert "node = new(Node)" not in text and "lod=" not in text and "need" not in text
    assert (
        "entered.redirect" in text
        and "entered.redirect" not in source(plain, "gpu")
        and "to_gpu(X)" in source(plain, "gpu")
    )
    assert inspect.signature(compile_eager(plain, "cpu", RUNTIME)) == inspect.signature(lambda X: 0)


def test_slots_that_may_be_absent_lists_and_attributes_make_the_signature() -> None:
    def reference(xp: Any, X: list, Y: Any, *, axis: int, names: tuple) -> Any:
        return sum(X) if Y is None else sum(X) * Y + axis

    op = declared(
        "X* Y?", "Out", reference, lambda X, Y, *, axis, names: X[0], {"axis": 1, "names": Ints([1, 2]), "idle": 3},
    )  # fmt: skip
    call = compile_eager(op, "cpu", RUNTIME)
    assert str(inspect.signature(call)) == "(X, Y=None, *, axis=1, names=(1, 2))"
    x = variable(X)
    assert call([x, x]).array.tolist() == (2 * X).tolist()
    assert call([x], x, axis=5).array.tolist() == (X * X + 5).tolist()


def test_outputs_that_are_several() -> None:
    def reference(xp: Any, X: Any) -> tuple:
        return X + 1, [X, X * 2], None

    grad = Grad("Out@GRAD", "X@GRAD", lambda xp, dOut: 2 * dOut)
    op = declared("X", "Out Parts* Mask?~", reference, lambda X: (X, [X, X], None), grad=grad)
    x = variable(X)
    out, parts, mask = compile_eager(op, "cpu", RUNTIME)(x)
    assert mask is None and [p.array.tolist() for p in parts] == [X.tolist(), (X * 2).tolist()]
    assert not out.stopped and all(p.stopped and p.node is None for p in parts)  # of which no gradient is read
    out.node.grads = [X]  # the entry stands for the one output that has a gradient
    assert out.node.run(out.node)[0].tolist() == (2 * X).tolist()


def test_levels_of_detail_go_from_the_slot_that_the_declaration_names() -> None:
    lod = ((0, 1, 2),)
    two = {"inputs": "X Y", "outputs": "Out", "reference": lambda xp, X, Y: X, "infer": lambda X, Y: X}
    x, y = variable(X, lod=lod), variable(X)
    for given, levels in (("first", lod), ("Y", None), (None, None), (lambda lods, ins, outs, attrs: [lods[0]], lod)):
        assert compile_eager(declared(**two, lod=given), "cpu", RUNTIME)(x, y).levels == levels
    seen: list[Any] = []
    op = declared("X", "Out", lambda xp, X, *, lod: (seen.append(lod), X)[1], lambda X: X, needs_lod="X")
    compile_eager(op, "cpu", RUNTIME)(x)
    assert seen == [lod]
    made = declared("X", "Out", lambda xp, X: (X, ((0, 2),)), lambda X: X, lod="made")
    assert compile_eager(made, "cpu", RUNTIME)(y).levels == ((0, 2),)


def test_inference_judges_a_call_once_for_each_kind() -> None:
    calls = []

    def infer(X: Meta) -> Meta:
        calls.append((X.shape, X.dtype.name))
        if X.shape[0] == 3:
            raise ShapeError("made_up: Input(X) got 3 rows, needs others.")
        return X

    call = compile_eager(declared("X", "Out", lambda xp, X: X, infer), "cpu", RUNTIME)
    for array in (X, X + 1, X.astype("float64"), X[:1], X):
        call(variable(array))
    assert calls == [((2, 3), "float32"), ((2, 3), "float64"), ((1, 3), "float32")]
    for _ in range(2):  # what is refused is refused again
        with pytest.raises(ShapeError, match="3 rows"):
            call(variable(np.zeros((3, 1), "float32")))


def test_errors_of_kernels_name_the_operator_and_what_it_got() -> None:
    def reference(xp: Any, X: Any) -> Any:
        raise ZeroDivisionError("by nothing")

    call = compile_eager(declared("X", "Out", reference, lambda X: X), "cpu", RUNTIME)
    with pytest.raises(
        EnforceNotMet, match=r"made_up: ZeroDivisionError: by nothing\. Called with X=Variable of shape"
    ) as info:
        call(variable(X))
    assert isinstance(info.value.__cause__, ZeroDivisionError)
    with pytest.raises(EnforceNotMet, match=r"made_up: Input\(X\) got ndarray .* needs a Variable"):
        call(X)


def test_a_call_is_handed_to_the_mode_that_wants_to_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    monkeypatch.setattr(
        now().entered, "redirect", lambda op, inputs, attrs: calls.append((op.type, inputs, attrs)) or 7
    )
    op = declared("X", "Out", lambda xp, X, *, axis: X, lambda X, *, axis: X, {"axis": 2})
    x = variable(X)
    assert compile_eager(op, "cpu", RUNTIME)(x) == 7 and calls == [("made_up", (x,), {"axis": 2})]


def test_the_source_is_kept_for_tracebacks_and_words_of_python_can_be_types() -> None:
    call = compile_eager(doubled(type="assert"), "cpu", RUNTIME)
    assert call.__name__ == "assert_"
    text = "".join(linecache.getlines(call.__code__.co_filename))
    assert text.startswith("def assert_(X):") and "kernel(a_X)" in text


def test_an_operator_of_python_takes_plain_variables_itself_and_leaves_the_rest() -> None:
    left: list[Any] = []
    add = registry.get("elementwise_add")
    plus = compile_operator(add, lambda X, Y: left.append(Y) or "other", (Variable, Variable), RUNTIME)
    x = variable(X)
    out = plus(x, x)
    assert out.array.tolist() == (2 * X).tolist() and len(out.node.edges) == 2 and left == []
    assert plus(x, 3) == "other" and plus(x, variable(X.astype("float64"))) == "other" and len(left) == 2


def test_a_settled_kernel_is_made_once_for_each_key() -> None:
    made: list[Any] = []

    def settled(X: Any, Y: Any, *, n: int) -> Any:
        made.append((X.shape, n))
        return None if Y is not None else lambda X: n * X

    parts = (lambda xp, X, Y, *, n: -X), (lambda X, Y, *, n: X)
    op = declared("X Y?", "Out", *parts, {"n": 3}, settled=settled)
    call = compile_eager(op, "cpu", RUNTIME)
    for _ in range(2):
        assert call(variable(X)).array.tolist() == (3 * X).tolist()
        assert call(variable(X), n=2).array.tolist() == (2 * X).tolist()
        assert call(variable(X[:1])).array.tolist() == (3 * X[:1]).tolist()
        assert call(variable(X), variable(X)).array.tolist() == (-X).tolist()  # whose values may matter
    assert made == [((2, 3), 3), ((2, 3), 2), ((1, 3), 3), ((2, 3), 3)]


def test_results_of_several_outputs_share_one_entry_of_the_tape() -> None:
    grad = Grad("A@GRAD B@GRAD C@GRAD", "X@GRAD", lambda xp, dA, dB, dC: dA + dC[0])
    op = declared("X", "A B? C*", lambda xp, X: (X, None, [X]), lambda X: (X, None, [X]), grad=grad)
    call = compile_eager(op, "cpu", RUNTIME)
    x = variable(X)
    first, none, (second,) = call(x)
    entry = first.node.node
    assert none is None and second.node.node is entry and (first.node.slot, second.node.slot) == (0, 2)
    assert [m and m.shape for m in entry.metas] == [(2, 3), None, (2, 3)]
    entry.grads = [X, None, X]
    assert entry.run(entry)[0].tolist() == (2 * X).tolist()
    first, _, (second,) = call(variable(X, stopped=True))
    assert first.stopped and second.stopped and first.node is second.node is None
