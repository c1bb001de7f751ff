"""The functions that kernels call, as Python runs them on one thread of a grid (`grid.py`); `prelude.py` has them in CUDA C."""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

import numpy as np

from ....core.errors import ArgumentValueError, message


class Thread:
    """One thread of a block while the grid runs it.

    Attributes:
        block, blocks, number, count: its block and the number of blocks, its number in the block and the number of threads.
        mail: what the threads of the block exchange, one value for each.
        arrays: the shared arrays of the block, by the order in which a thread asks for them.
    """

    now: Thread

    def __init__(self, block: int, blocks: int, number: int, count: int, mail: list, arrays: list) -> None:
        self.block, self.blocks, self.number, self.count = block, blocks, number, count
        self.mail, self.arrays, self.asked = mail, arrays, 0


def block() -> int:
    """Return the number of the block that a thread is in."""
    return Thread.now.block


def blocks() -> int:
    """Return the number of blocks."""
    return Thread.now.blocks


def thread() -> int:
    """Return the number of the thread in its block."""
    return Thread.now.number


def threads() -> int:
    """Return the number of threads of a block."""
    return Thread.now.count


class Checked:
    """A flat array of which an index outside of it is an error."""

    def __init__(self, array: Any, name: str) -> None:
        self.array, self.name, self.size = array, name, len(array)
        self.items: Any = (
            memoryview(array) if array.dtype == np.int64 else array
        )  # gives numbers of Python, as int64 is

    def _wrong(self, index: Any) -> ArgumentValueError:
        where = f"thread {Thread.now.number} of block {Thread.now.block}"
        needs = f"0 to {self.size - 1}, a whole number ({where})"
        return ArgumentValueError(message("a device kernel", f"the index of {self.name}", index, needs))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, (float, np.floating)) or not 0 <= index < self.size:
            raise self._wrong(index)
        return self.items[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, (float, np.floating)) or not 0 <= index < self.size:
            raise self._wrong(index)
        self.array[index] = value


def shared(kind: Any, size: int) -> Any:
    """Return an array of `size` values that the threads of a block share; what it holds at first is not defined."""
    current = Thread.now
    if current.asked == len(current.arrays):
        undefined = np.full(size, np.nan if np.issubdtype(kind, np.floating) else 99)
        current.arrays.append(Checked(undefined.astype(kind), f"shared array {current.asked}"))
    current.asked += 1
    return current.arrays[current.asked - 1]


def local(kind: Any, size: int) -> Any:
    """Return an array of `size` zeros of one thread; the compiler keeps it in registers where its indices are constants."""
    return Checked(np.zeros(size, kind), "a local array")


def block_sum(value: Any) -> Generator[None, None, Any]:
    """Return the sum of the values that all threads of the block give, to each of them."""
    return (yield from _gathered(value, lambda values: sum(values[1:], values[0])))


def block_max(value: Any) -> Generator[None, None, Any]:
    """Return the largest of the values that all threads of the block give; NaN if one is NaN."""
    return (yield from _gathered(value, _largest))


def block_prefix(value: Any) -> Generator[None, None, Any]:
    """Return the sum of the values of the threads before this one."""
    number = Thread.now.number
    return (yield from _gathered(value, lambda values: sum(values[:number], type(values[0])(0))))


def _largest(values: list) -> Any:
    found = values[0]
    for value in values[1:]:
        found = maximum(found, value)
    return found


def _gathered(value: Any, combine: Any) -> Generator[None, None, Any]:
    current = Thread.now
    current.mail[current.number] = value
    yield
    result = combine(list(current.mail))
    yield
    return result


def maximum(a: Any, b: Any) -> Any:
    """Return the larger of two numbers; NaN if one is NaN."""
    return a if a > b or a != a else b


def minimum(a: Any, b: Any) -> Any:
    """Return the smaller of two numbers; NaN if one is NaN."""
    return a if a < b or a != a else b


def atomic_add(array: Any, index: Any, value: Any) -> None:
    """Add to an element that other threads add to, too. The order of floating-point sums is not defined."""
    array[index] = array[index] + value


def atomic_or(array: Any, index: Any, value: Any) -> None:
    """Set bits of an element that other threads set, too."""
    array[index] = array[index] | value


def _typed(function: Any) -> Any:
    """Return a function of NumPy that keeps the type of its argument and does not warn, as a GPU does not."""

    def call(value: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(value)

    return call


exp, log, sqrt, tanh, floor, ceil = map(_typed, (np.exp, np.log, np.sqrt, np.tanh, np.floor, np.ceil))
trunc, asin, acos, atan, sinh, cosh = map(_typed, (np.trunc, np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh))
log1p, expm1, sin, cos, fabs, rint, log2 = map(_typed, (np.log1p, np.expm1, np.sin, np.cos, np.abs, np.rint, np.log2))


def rsqrt(value: Any) -> Any:
    """Return 1 / sqrt(value)."""
    return type(value)(1) / sqrt(value)


def erf(value: Any) -> Any:
    """Return the error function."""
    return type(value)(math.erf(value))


def power(base: Any, exponent: Any) -> Any:
    """Return base ** exponent."""
    with np.errstate(all="ignore"):
        return type(base)(np.power(base, exponent))


def uint32(value: Any) -> Any:
    """Return the low 32 bits of a whole number, as one without sign."""
    return np.uint32(int(value) & 0xFFFFFFFF)


def product32(a: Any, b: Any) -> Any:
    """Return the low 32 bits of a product of two whole numbers of 32 bits."""
    return uint32(int(a) * int(b))


INFINITY = np.float32(np.inf)

FUNCTIONS = {
    "block", "blocks", "thread", "threads", "shared", "local", "maximum", "minimum", "atomic_add", "atomic_or", "exp", "log",
    "sqrt", "tanh", "floor", "ceil", "log1p", "expm1", "sin", "cos", "fabs", "rint", "log2", "trunc", "asin", "acos", "atan", "sinh", "cosh", "rsqrt", "erf", "power", "uint32", "product32",
}  # fmt: skip
COLLECTIVES = {"block_sum", "block_max", "block_prefix"}
