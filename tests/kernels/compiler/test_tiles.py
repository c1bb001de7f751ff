"""Templates of register tiles against the same tiles in Python, by our compiler's front end, and by Numba."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite.kernels.compiler.inspection import assembly, ir
from paddle_lite.kernels.cpu.math import register_blocks
from paddle_lite.kernels.numba_jit import Inline, Jitted, compile_source
from paddle_lite.kernels.simd import lanes

KINDS = [(register_blocks.VECTORS, True), *((vectors, False) for vectors in range(1, register_blocks.VECTORS + 1))]
SHAPES = [(rows, *kind) for rows in register_blocks.ROWS for kind in KINDS]
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
    """The loop is not unrolled: it has one prefetch for each vector."""
    arguments = next(calls((5, 4, True), "float32", exact=False))[0]
    text = assembly(kernel([tile(5, 4, True)]), 0, *arguments)
    assert text.count("prefetch") == 4
