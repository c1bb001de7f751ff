"""Templates of register tiles against the same tiles in Python, by our compiler's front end, and by Numba."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite.kernels.compiler.inspection import assembly, ir
from paddle_lite.kernels.compiler.machine import FINAL
from paddle_lite.kernels.cpu.math import batch_sums, gemm, packing, register_blocks
from paddle_lite.kernels.numba_jit import Inline, Jitted, compile_source
from paddle_lite.kernels.simd import lanes

KINDS = [(4, True), *((vectors, False) for vectors in range(1, 5))]
SHAPES = [(rows, *kind) for rows in (3, 4, 5) for kind in KINDS] + [(6, 1, True), (6, 1, False)]
CALL = "(x, 1, x_pitch, y, 2, y_pitch, depth, to, 3, to_pitch, left, more, sums)"


def tile(rows: int, vectors: int, whole: bool) -> register_blocks.Tile:
    return register_blocks._block("tile", rows, vectors, whole, ahead=whole)


def plain(given: register_blocks.Tile) -> Inline:
    """The tile without its template."""
    return Inline(given.python, given.options)


def kernel(tiles: list[Inline]) -> Jitted:
    """A kernel that runs the tile of a number."""
    lines = ["def some_tile(which, x, x_pitch, y, y_pitch, depth, to, to_pitch, left, more, sums):"]
    for k in range(len(tiles)):
        lines += [f"    if which == {k}:", f"        tile_{k}{CALL}"]
    return compile_source("some_tile", "\n".join(lines) + "\n", {f"tile_{k}": each for k, each in enumerate(tiles)})


def calls(shape: tuple[int, int, bool], dtype: str, exact: bool) -> Iterator[tuple[list[Any], np.ndarray]]:
    """The arguments of some calls, and the array that each writes to."""
    rows, vectors, whole = shape
    step = lanes(dtype)
    random = np.random.default_rng(rows)

    def numbers(size: int) -> np.ndarray:
        return (random.integers(-9, 9, size) if exact else random.standard_normal(size)).astype(dtype)

    for depth, more, left in ((0, True, 1), (1, False, step), (9, True, step - 1), (20, False, 3)):
        left = vectors * step + 7 if whole else (vectors - 1) * step + left
        x_pitch, y_pitch, to_pitch = depth + 2, 2 * vectors * step, vectors * step + 5
        to = numbers(4 + rows * to_pitch)
        yield [
            numbers(2 + rows * x_pitch), x_pitch, numbers(3 + (depth + 1) * y_pitch), y_pitch, depth, to, to_pitch, left,
            more, numbers(to.size),
        ], to  # fmt: skip


def results(run: Any, which: int, shape: tuple[int, int, bool], dtype: str, exact: bool = False) -> list[bytes]:
    """What the calls leave in the whole array."""
    found = []
    for arguments, to in calls(shape, dtype, exact):
        run(which, *arguments)
        found.append(to.tobytes())
    return found


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_templates_give_the_bits_of_python(dtype: str) -> None:
    """Small integers as elements make Python's sums exact, which rounds products and the compiled forms do not."""
    template = kernel([tile(*shape) for shape in SHAPES])
    for which, shape in enumerate(SHAPES):
        exact = results(template, which, shape, dtype, exact=True)
        assert exact == results(template.python, which, shape, dtype, exact=True), shape


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_templates_give_the_bits_of_the_front_end_and_of_numba(dtype: str) -> None:
    shapes = [(3, 1, True), (3, 2, False)]
    tiles = [tile(*shape) for shape in shapes]
    template, front_end = kernel([*tiles]), kernel([plain(each) for each in tiles])
    by_numba = template.dispatcher()
    for which, shape in enumerate(shapes):
        found = results(template, which, shape, dtype)
        assert found == results(front_end, which, shape, dtype) == results(by_numba, which, shape, dtype), shape


def test_a_template_is_written_once_and_not_where_indices_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    one = tile(3, 1, True)
    arguments = next(calls((3, 1, True), "float32", exact=False))[0]
    text = ir(kernel([one, one]), 0, *arguments)
    assert len(re.findall("define .*@tile", text)) == 1 and len(re.findall("call .*@tile", text)) == 2
    assert "alloca <" not in text
    monkeypatch.setenv("PADDLE_LITE_BOUNDS_CHECK", "1")
    assert "an index is outside of its array" in ir(kernel([one]), 0, *arguments)


def test_passes_leave_templates_as_they_are() -> None:
    """The loop is not unrolled: it has one prefetch for each vector and one for x, beside those of the five rows of results."""
    arguments = next(calls((5, 4, True), "float32", exact=False))[0]
    text = assembly(kernel([tile(5, 4, True)]), 0, *arguments)
    assert text.count("prefetch") == 5 * (4 + 1) + 4 + 1


def tile_for(triple: str, processor: str, shape: tuple[int, int, bool]) -> str:
    """The assembly of a tile of float32 for a processor, from its label to its end."""
    llvm = importlib.import_module("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(triple).create_target_machine(cpu=processor, opt=3)
    arguments = next(calls(shape, "float32", exact=False))[0]
    module = llvm.parse_assembly(ir(kernel([tile(*shape)]), 0, *arguments).partition(FINAL)[2])
    module.triple, module.data_layout = triple, str(target.target_data)
    return target.emit_assembly(module)


def loop_of(text: str) -> list[str]:
    """The instructions of the loop of an assembly: from the label to the jump back to it."""
    found = re.search(r"^(\.?L\w+):[^\n]*\n((?:\t[^\n]*\n)*?\t(?:j|b\.)\w+\t\1\n)", text, re.MULTILINE)
    assert found is not None, text
    return [line.strip() for line in found[2].splitlines()]


@pytest.mark.parametrize(("vectors", "whole"), [(2, True), (2, False), (1, False)])
def test_sums_of_a_batch_give_the_bits_of_python(vectors: int, whole: bool) -> None:
    """Blocks of rows are added in float64: the sum of numbers of one block is rounded once, that of all blocks once more."""
    helper = batch_sums._tile("tile", 4, vectors, whole)
    source = "def run(x, y, depth, to, left):\n    tile(x, 1, 6, y, 2, 40, depth, to, 3, 37, left)\n"
    run = compile_source("run", source, {"tile": helper})
    random = np.random.default_rng(0)
    for depth in range(1, 2 * batch_sums.BLOCK + 6):
        left = (1, 3, 15, 16)[depth % 4]
        x, y, to = (
            random.integers(-9, 9, size).astype("float32") for size in (1 + depth * 6, 2 + depth * 40, 3 + 4 * 37)
        )
        x[1:49] *= 2.0**26  # the first block is far above the others: a sum of float32 would lose those
        wanted = to.copy()
        left += 16 * (vectors - 1) + 16 * whole
        run(x, y, depth, to, left)
        run.python(x, y, depth, wanted, left)
        assert to.tobytes() == wanted.tobytes()


@pytest.mark.parametrize(
    ("triple", "processor", "shape", "multiply", "stack", "count"),
    [
        ("x86_64-linux-gnu", "x86-64-v4", (5, 4, True), "vfmadd", "(%rsp)", 20),
        ("x86_64-linux-gnu", "x86-64-v4", (5, 4, False), "vfmadd", "(%rsp)", 20),
        ("x86_64-linux-gnu", "x86-64-v3", (6, 1, True), "vfmadd", "(%rsp)", 12),
        ("aarch64-linux-gnu", "neoverse-n1", (6, 1, True), "fmla", "[sp", 24),
    ],
)
def test_sums_stay_in_registers(
    triple: str, processor: str, shape: tuple[int, int, bool], multiply: str, stack: str, count: int
) -> None:
    """The loop multiplies and adds in one instruction for each register of sums, and neither spills nor reloads one."""
    loop = loop_of(tile_for(triple, processor, shape))
    assert sum(line.startswith(multiply) for line in loop) == count, loop
    assert not any(stack in line for line in loop), loop


def dots(given: Inline) -> Jitted:
    """A kernel of dot products."""
    source = "def some_dots(x, y, inner, to, to_pitch):\n    dots(x, 1, y, 2, inner, to, 3, to_pitch)\n"
    return compile_source("some_dots", source, {"dots": given})


@pytest.mark.parametrize(("rows", "columns", "dtype"), [(3, 4, "float32"), (6, 1, "float64")])
def test_dot_products_give_the_bits_of_the_front_end_of_numba_and_of_python(
    rows: int, columns: int, dtype: str
) -> None:
    helper = gemm._dots("dots", rows, columns)
    template, front_end = dots(helper), dots(Inline(helper.python, helper.options))
    by_numba, random, step = template.dispatcher(), np.random.default_rng(rows), lanes(dtype)
    for inner in (0, 1, step - 1, step, 3 * step, 3 * step + 5):
        whole = [random.integers(-9, 9, 2 + inner * max(rows, columns)).astype(dtype) for _ in range(2)]
        parts = [random.standard_normal(each.size).astype(dtype) for each in whole]
        pitch = columns + 2

        def bits(run: Any, x: np.ndarray, y: np.ndarray, inner: int = inner, pitch: int = pitch) -> bytes:
            to = np.full(3 + rows * pitch, 7, dtype)
            run(x, y, inner, to, pitch)
            return to.tobytes()

        assert bits(template, *whole) == bits(template.python, *whole)
        assert bits(template, *parts) == bits(front_end, *parts) == bits(by_numba, *parts)
    assert "define void @dots" in ir(template, *parts, 0, parts[0], 1)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_squares_are_transposed_in_whole_or_in_part(dtype: str) -> None:
    """Rows beyond the last one are its copies, and nothing is written beside the columns and the elements that are asked for."""
    square, n = packing.square(), lanes(dtype)
    run = compile_source(
        "some_square",
        "def some_square(a, b, c, d, e, f, g, h, i):\n    square(a, b, c, d, e, f, g, h, i)\n",
        {"square": square},
        in_vectors=True,
    )
    forms: list[Any] = [run, square.python]
    random = np.random.default_rng(0)
    for rows in (1, n - 1, n, n + 3):
        for columns in (1, n - 1, n, n + 3):
            for filled in (1, n - 1, n, n + 3):
                x = random.standard_normal(5 + (n + 3) * (n + 7)).astype(dtype)
                to = [np.full(2 + (n + 3) * (n + 9), 7, dtype) for _ in range(2)]
                for out, form in zip(to, forms, strict=True):
                    form(x, 5, n + 7, rows, columns, out, 2, n + 9, filled)
                assert (to[0] == to[1]).all(), (rows, columns, filled)
                used = np.lib.stride_tricks.as_strided(to[0][2:], (n, n), ((n + 9) * x.itemsize, x.itemsize))
                assert (used != 7).sum() == min(columns, n) * min(filled, n)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rows_are_packed_to_the_last_column(dtype: str) -> None:
    """The last vector is filled up with zeros, and nothing is written beside the room."""
    n = lanes(dtype)
    source = "def run(room, y, at, pitch, depth, wide, left, to):\n    pack_rows(room, y, at, pitch, depth, wide, left, to)\n"
    run = compile_source("run", source, {"pack_rows": packing.pack_rows}, in_vectors=True)
    y = np.arange(1, 4 * (2 * n + 3) + n, dtype=dtype)
    for left in range(1, 2 * n + 3):
        wide, used = min(-(-left // n), 2) * n, min(left, 2 * n)
        room = np.full(2 + 3 * wide + n, -7, dtype)
        run(room, y, 5, 2 * n + 3, 3, wide, left, 2)
        found = room[2 : 2 + 3 * wide].reshape(3, wide)
        np.testing.assert_array_equal(found[:, :used], y[5:][: 3 * (2 * n + 3)].reshape(3, -1)[:, :used])
        assert not found[:, used:].any()
        assert (room[:2] == -7).all() and (room[2 + 3 * wide :] == -7).all()
