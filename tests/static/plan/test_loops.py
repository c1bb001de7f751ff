"""Fused loops against NumPy: broadcasting, windows, sums, rows in stages, dtypes, special numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.kernels.array_pointers import array_description
from paddle_lite.kernels.codegen import threaded_loops
from paddle_lite.kernels.codegen.expression import Node, make, name, number, parse, substitute
from paddle_lite.kernels.codegen.loops import BLOCK, Draw, FusedLoop, Operand, Result, Row
from paddle_lite.kernels.cpu.random.dropout import dropout, key

NUMPY = {
    "exp": np.exp, "tanh": np.tanh, "sqrt": np.sqrt, "abs": np.abs, "max": np.maximum, "min": np.minimum, "isnan": np.isnan,
    "where": np.where,
}  # fmt: skip
Varies = tuple[bool, ...]


@contextmanager
def interpreted() -> Iterator[None]:
    """With the loops run by Python, which costs no time to compile."""
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        patch.setenv("PADDLE_LITE_DISABLE_JIT", "1")
        yield


def shape_of(frame: Sequence[int], varies: Varies, parts: int = 1) -> list[int]:
    sizes = [n if v else 1 for n, v in zip(frame, varies, strict=True)]
    return [*sizes[:-1], sizes[-1] * parts]


def run(
    loop: FusedLoop, frame: Sequence[int], arrays: Sequence[np.ndarray], results: Sequence[Result], dtypes: Any,
    in_spans: bool = False,
) -> Any:  # fmt: skip
    """The results of a loop; dtypes: the frame's, then one a result."""
    by_array = {result.array: result for result in results}
    outs = [
        np.full(shape_of(frame, r.varies, r.parts), 77).astype(dtypes[1 + r.array]) for _, r in sorted(by_array.items())
    ]
    kinds = list(dict.fromkeys([np.dtype(dtypes[0]), *(a.dtype for a in (*arrays, *outs))]))
    table = np.array([*frame, *map(id, arrays), *map(id, outs)], np.int64)
    words = np.array([word for a in arrays for word in array_description(a.shape, a.dtype)], np.int64)
    function = loop.compiled(kinds[0], in_spans)
    if in_spans:
        at = len(frame) + len(arrays)
        totals = [threaded_loops.PartialSum(at + i, outs[i].size, outs[i].dtype) for i in loop.totals]
        function = threaded_loops.ThreadedLoop(function, (len(frame), len(arrays)), frame[0], 0, totals)
    assert function(table, words, np.empty(0, kinds[0]), *(np.empty(0, kind) for kind in kinds))
    return outs


def made(frame: Sequence[int], operands: Any, rows: Any, results: Any, arrays: Any, dtypes: Any) -> Any:
    """What a loop makes of arrays."""
    kinds = list(dict.fromkeys([np.dtype(dtypes[0]), *(a.dtype for a in arrays), *map(np.dtype, dtypes[1:])]))
    like = [kinds.index(np.dtype(d)) for d in (*(a.dtype for a in arrays), *dtypes[1:])]
    return run(FusedLoop(len(frame), operands, rows, results, like), frame, arrays, results, dtypes)


def expected(frame: Sequence[int], operands: Any, rows: Any, results: Any, arrays: Any, dtypes: Any) -> Any:
    """The same by NumPy, in float64."""
    n = frame[-1]
    known: dict[str, Any] = {}
    for o in operands:
        whole = arrays[o.array].astype(np.float64)
        known[o.name] = whole[..., o.part * n : (o.part + 1) * n] if o.varies[-1] else whole
    known = {name: np.broadcast_to(array, frame) for name, array in known.items()}
    for row in rows:
        node = np.broadcast_to(value(row.node, known), frame)
        found = node.sum(-1, keepdims=True) if row.how == "sum" else np.fmax.reduce(node, -1, keepdims=True)
        known[row.name] = np.broadcast_to(found, frame)
    found = [np.zeros(shape_of(frame, r.varies, r.parts)) for r in sorted({r.array: r for r in results}.values(), key=lambda r: r.array)]  # fmt: skip
    for r in results:
        node = np.broadcast_to(value(r.node, known), frame)
        still = tuple(d for d, varies in enumerate(r.varies) if not varies)
        node = (
            node.sum(still, keepdims=True)
            if r.summed
            else node[tuple(slice(None) if v else slice(1) for v in r.varies)]
        )
        place = slice(r.part * n, (r.part + 1) * n) if r.varies[-1] else slice(None)
        found[r.array][..., place] = node
    return found


def value(node: Node, known: dict[str, Any]) -> Any:
    """An expression over arrays."""
    if node.op == "name":
        return known[str(node.value)]
    if node.op == "number":
        return np.float64(node.value)
    args = [value(arg, known) for arg in node.args]
    if node.op == "if":
        return np.where(args[0], args[1], args[2])
    if node.op in NUMPY:
        return NUMPY[node.op](*args)
    if node.op == "neg":
        return -args[0]
    return {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, ">": np.greater, "<": np.less}[node.op](
        *args
    )


def agree(
    frame: Sequence[int], operands: Any, rows: Any, results: Any, dtypes: Any, arrays: Any = None, rtol: float = 1e-5,
    least: float = 0.0,
) -> Any:  # fmt: skip
    """A loop gives what NumPy gives, up to `rtol` of the largest number (or of `least`)."""
    arrays = operands_of(frame, operands, dtypes[0]) if arrays is None else arrays
    with np.errstate(all="ignore"):
        right = expected(frame, operands, rows, results, arrays, dtypes)
    got = made(frame, operands, rows, results, arrays, dtypes)
    for a, b in zip(got, right, strict=True):
        finite = np.abs(b[np.isfinite(b)])
        np.testing.assert_allclose(a, b.astype(a.dtype), rtol=rtol, atol=rtol * finite.max(initial=least))
    return got


def operands_of(frame: Sequence[int], operands: Sequence[Operand], dtype: Any) -> list[np.ndarray]:
    """Arrays at random."""
    rng = np.random.default_rng(0)
    shapes = {o.array: shape_of(frame, o.varies, o.parts) for o in operands}
    return [rng.standard_normal(shapes[i]).astype(dtype) for i in range(len(shapes))]


def full(dims: int) -> Varies:
    return (True,) * dims


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_broadcasting_in_every_pattern(dims: int) -> None:
    """x along some dimensions, y along some: all pairs."""
    patterns = list(product([False, True], repeat=dims))
    frame = (2, 3, 5)[3 - dims :]
    with interpreted():
        for first, second in product(patterns, patterns):
            operands = [Operand("x", 0, first), Operand("y", 1, second)]
            agree(frame, operands, [], [Result(parse("x * 2 + y * x"), 0, full(dims))], "ff", rtol=1e-6)


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_sums_along_every_pattern(dims: int) -> None:
    frame = (2, 3, 5)[3 - dims :]
    with interpreted():
        for varies in product([False, True], repeat=dims):
            operands = [Operand("x", 0, full(dims)), Operand("y", 1, varies)]
            results = [Result(parse("x * y"), 0, varies, summed=True), Result(parse("x + y"), 1, full(dims))]
            agree(frame, operands, [], results, "fff")


def test_windows_are_read_and_written() -> None:
    """The parts of x side by side; two results side by side in one array."""
    operands = [Operand(f"x_{i}", 0, (True, True), i, 3) for i in range(3)] + [Operand("y", 1, (False, True))]
    results = [
        Result(parse("x_0 * x_2 + y"), 0, (True, True), part=1, parts=2), Result(parse("x_1"), 0, (True, True), part=0, parts=2),
        Result(parse("x_2 - x_0"), 1, (False, True), summed=True),
    ]  # fmt: skip
    with interpreted():
        agree((4, 5), operands, [], results, "fff")


def test_windows_of_sums() -> None:
    """As the gradient of a bias that is split."""
    operands = [Operand("x", 0, (True, True)), Operand("y", 1, (True, True))]
    results = [Result(parse(e), 0, (False, True), True, i, 2) for i, e in enumerate(("x", "y * 2"))]
    with interpreted():
        agree((4, 5), operands, [], results, "ff")


SOFTMAX = ([Row("m", "max", parse("x")), Row("s", "sum", parse("exp(x - m)"))], "exp(x - m) / s")
NORM = (
    [Row("a", "sum", parse("x")), Row("b", "sum", parse("(x - a / 7) * (x - a / 7)"))],
    "(x - a / 7) / sqrt(b / 7 + 1)",
)
STAGES = (
    [Row("a", "sum", parse("x * y")), Row("b", "max", parse("x * a")), Row("c", "sum", parse("y - b"))],
    "x * c + b * a",
)


@pytest.mark.parametrize("rows, node", [SOFTMAX, NORM, STAGES], ids=["softmax", "norm", "stages"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rows_in_stages(rows: Any, node: str, dtype: str) -> None:
    """Also a number a row, and a sum over rows, beside what each element is."""
    operands = [Operand("x", 0, (True, True)), Operand("y", 1, (True, False))]
    last = parse(rows[-1].name)
    results = [
        Result(parse(node), 0, (True, True)), Result(last, 1, (True, False)), Result(parse(node), 2, (False, True), summed=True),
        Result(parse(f"x * {rows[0].name}"), 3, (True, False), summed=True),
    ]  # fmt: skip
    with interpreted():
        agree((4, 7), operands, rows, results, [dtype] * 5, rtol=2e-5 if dtype == "float32" else 1e-12)


def test_bools_and_other_dtypes() -> None:
    """Results of bool; operands of another dtype than that of the loop, converted."""
    operands = [Operand("x", 0, (True, True)), Operand("y", 1, (False, True), converted=True)]
    results = [Result(parse("x > y"), 0, (True, True)), Result(parse("x + y"), 1, (True, True))]
    arrays = [np.arange(6, dtype="float32").reshape(2, 3), np.array([[1.0, 7.0, 2.0]])]
    with interpreted():
        flags, sums = agree((2, 3), operands, [], results, ["float32", "bool", "float32"], arrays)
    assert flags.dtype == bool and sums.dtype == np.float32 and flags.sum() == 2


KEPT = make("if", make("true", name("d")), number(1), number(0))


def kept(shape: Sequence[int], drawn: np.ndarray) -> np.ndarray:
    """The mask of a dropout of an array of this shape."""
    return dropout(np.ones(shape, "float32"), 0.3, 1.0, drawn)[1]


def least(p: float = 0.3) -> int:
    return int(np.ceil(p * 2**32))


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_dropouts_in_every_pattern(dims: int) -> None:
    """Of arrays that vary along some dimensions."""
    frame, drawn = (2, 3, 5)[3 - dims :], key()
    for varies in product([False, True], repeat=dims):
        mask = kept(shape_of(frame, varies), drawn)
        results = [Result(make("*", KEPT, name("x")), 0, full(dims)), Result(KEPT, 1, varies)]
        loop = FusedLoop(
            dims, [Operand("x", 0, full(dims))], [], results, [0, 1, 0, 2], [Draw("d", 1, varies, 0, 1, least())]
        )
        x = np.random.default_rng(0).standard_normal(frame).astype("float32")
        with interpreted():
            product_, found = run(loop, frame, [x, drawn], results, ["float32", "float32", "uint8"])
        np.testing.assert_array_equal(product_, x * mask)
        np.testing.assert_array_equal(found, mask)


def test_dropouts_of_parts() -> None:
    frame, drawn = (2, 3, 5), key()
    draws = [Draw(f"d{part}", 0, full(3), part, 4, least()) for part in range(4)]
    nodes = [substitute(KEPT, {"d": name(draw.name)}) for draw in draws]
    results = [Result(node, 0, full(3), part=part, parts=4) for part, node in enumerate(nodes)]
    with interpreted():
        [found] = run(FusedLoop(3, [], [], results, [1, 2], draws), frame, [drawn], results, ["float32", "uint8"])
    np.testing.assert_array_equal(found, kept((2, 3, 20), drawn))


@st.composite
def loops(draw: Any) -> tuple:
    dims = draw(st.integers(1, 3))
    frame = tuple(draw(st.lists(st.integers(0, 4), min_size=dims, max_size=dims)))
    pattern = st.tuples(*[st.booleans()] * dims)
    operands: list[Operand] = [Operand("x0", 0, full(dims))]
    for i in range(1, draw(st.integers(1, 3))):
        varies = draw(pattern)
        parts = draw(st.integers(1, 3)) if varies[-1] else 1
        operands += [Operand(f"x{i}_{p}", i, varies, p, parts) for p in range(parts)]
    have = [o.name for o in operands]
    forms = [
        "{} + {}",
        "{} * {}",
        "max({}, {})",
        "{} if {} > 0.5 else 2",
        "tanh({}) - {}",
        "min({}, 1) + 0 * {}",
        "{} - tanh({})",
    ]

    def expression() -> Node:
        text = "x0"
        for _ in range(draw(st.integers(1, 3))):
            text = draw(st.sampled_from(forms)).format(f"({text})", draw(st.sampled_from(have)))
        return parse(text)

    rows = []
    for i in range(draw(st.integers(0, 2)) if frame[-1] else 0):
        rows.append(Row(f"r{i}", draw(st.sampled_from(["sum", "max"])), expression()))
        have.append(f"r{i}")
    results = [Result(expression(), 0, full(dims))]
    results += [Result(expression(), i, draw(pattern), summed=True) for i in range(1, draw(st.integers(1, 3)))]
    return frame, operands, rows, results


@given(loops(), st.sampled_from(["float32", "float64"]))
def test_loops_are_what_numpy_computes(drawn: tuple, dtype: str) -> None:
    """Numbers are about 1; what cancels, as in tanh(x) - x, is right up to roundings of those."""
    frame, operands, rows, results = drawn
    rtol = 1e-4 if dtype == "float32" else 1e-10
    with interpreted():
        agree(frame, operands, rows, results, [dtype] * (1 + len(results)), rtol=rtol, least=1.0)


@given(loops(), st.lists(st.integers(0, 4), max_size=2))
def test_spans_make_what_the_whole_makes(drawn: tuple, cuts: list[int]) -> None:
    """One after the other, in spans of the outermost dimension."""
    frame, operands, rows, results = drawn
    arrays = operands_of(frame, operands, np.dtype("float32"))
    kinds = [np.dtype("float32")] * (1 + len(results))
    loop = FusedLoop(len(frame), operands, rows, results, [0] * (len(arrays) + len(results)))
    if not loop.cuts:
        assert len(frame) == 1 and loop.rows
        return

    def shared(task: Any, length: int, work: int, args: Any) -> None:
        edges = sorted({0, length, *(min(cut, length) for cut in cuts)})
        for span in reversed(list(pairwise(edges)) or [(0, 0)]):
            task(*span, *args)

    with interpreted(), pytest.MonkeyPatch.context() as patch:
        whole = run(loop, frame, arrays, results, kinds)
        patch.setattr(threaded_loops, "parallel_for", shared)
        cut = run(loop, frame, arrays, results, kinds, in_spans=True)
    for i, (a, b) in enumerate(zip(cut, whole, strict=True)):
        if i in loop.totals:
            finite = np.abs(b[np.isfinite(b)])
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4 * finite.max(initial=0))
        else:
            np.testing.assert_array_equal(a, b)


# --- compiled -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_compiled_rows_longer_than_a_block(dtype: str) -> None:
    """Softmax with a sum over rows, once for all lengths: shorter than lanes, around the block of sums, NaN and infinities."""
    operands = [Operand("x", 0, (True, True)), Operand("y", 1, (False, True))]
    rows = [Row("m", "max", parse("x")), Row("s", "sum", parse("exp(x - m)"))]
    results = [
        Result(parse("exp(x - m) / s + 0 * y"), 0, (True, True)), Result(parse("x * y"), 1, (False, True), summed=True),
        Result(parse("x > y"), 2, (True, True)), Result(parse("s"), 3, (True, False)),
    ]  # fmt: skip
    kinds = [dtype, dtype, dtype, "bool", dtype]
    loop = FusedLoop(2, operands, rows, results, [0, 0, 0, 0, 1, 0])
    rng = np.random.default_rng(0)
    for n in (1, 3, 15, 16, 17, 33, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 5):
        arrays = [rng.standard_normal((3, n)).astype(dtype), rng.standard_normal((1, n)).astype(dtype)]
        if n == 17:
            arrays[0][0, 3], arrays[0][1, 4], arrays[0][2, 16] = np.nan, -np.inf, np.inf
        with np.errstate(all="ignore"):
            right = expected((3, n), operands, rows, results, arrays, kinds)
        got = run(loop, (3, n), arrays, results, kinds)
        rtol = 1e-5 if dtype == "float32" else 1e-12
        for a, b in zip(got, right, strict=True):
            np.testing.assert_allclose(a, b.astype(a.dtype), rtol=rtol, atol=rtol, err_msg=f"{n} elements")
    assert run(loop, (0, 4), [np.zeros((0, 4), dtype), np.ones((1, 4), dtype)], results, kinds)[1].tolist() == [[0] * 4]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_compiled_dropouts_in_rows_longer_than_a_block(dtype: str) -> None:
    """What is dropped is summed and read again; places go on from block to block and from row to row."""
    value = make("if", make("true", name("d")), parse("x * 2"), number(0))
    rows = [Row("s", "sum", value)]
    results = [Result(make("-", value, name("s")), 0, (True, True)), Result(KEPT, 1, (True, True))]
    loop = FusedLoop(
        2, [Operand("x", 0, (True, True))], rows, results, [0, 1, 0, 2], [Draw("d", 1, (True, True), 0, 1, least())]
    )
    for n in (1, 17, BLOCK, 2 * BLOCK + 5):
        x, drawn = np.random.default_rng(n).standard_normal((3, n)).astype(dtype), key()
        found, mask = run(loop, (3, n), [x, drawn], results, [dtype, dtype, "uint8"])
        np.testing.assert_array_equal(mask, kept((3, n), drawn))
        right = np.where(mask, 2 * x, 0).astype(np.float64)
        np.testing.assert_allclose(found, right - right.sum(1, keepdims=True), rtol=1e-4, atol=1e-3)


def test_sums_of_many_elements_are_exact_enough() -> None:
    """A million numbers in float32: the sums of blocks are added up in float64."""
    n = 1 << 20
    x = np.full((1, n), 0.1, "float32")
    operands, rows = [Operand("x", 0, (True, True))], [Row("s", "sum", parse("x"))]
    [total] = made((1, n), operands, rows, [Result(parse("s"), 0, (True, False))], [x], "ff")
    np.testing.assert_allclose(total, x.sum(dtype=np.float64), rtol=2e-6)


def test_arrays_that_are_not_as_described_are_refused() -> None:
    results = [Result(parse("x"), 0, (True, True))]
    loop = FusedLoop(2, [Operand("x", 0, (True, True))], [], results, [0, 0])
    right, like = np.zeros((2, 3), "float32"), np.empty(0, "float32")
    words = np.array(array_description(right.shape, right.dtype), np.int64)
    out = np.empty((2, 3), "float32")
    others: list[Any] = [
        right.T, right.copy("F"), np.zeros((2, 6), "float32")[:, ::2], np.zeros((3, 2), "float32"), np.zeros((2, 3)),
        np.zeros(6, "float32"), None, 3.0, "text", right.astype(">f4"),
    ]  # fmt: skip
    run_of = loop.compiled(np.dtype("float32"))
    assert run_of(np.array([2, 3, id(right), id(out)], np.int64), words, like, like)
    for other in others:
        assert not run_of(np.array([2, 3, id(other), id(out)], np.int64), words, like, like), other
