"""The FLOPs of operators, for the `flops=` of declarations: amounts that depend on the batch, and functions that count.

These are estimates for comparing the parts of a Plan. A product counts two FLOPs for each multiplication with its
addition. An expression counts one FLOP for each element and operation; functions such as exp count as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import zip_longest
from math import prod

from .call import Call, Operand


class Amount:
    """A polynomial in the batch size N: the sum of `terms[k]` * N ** k.

    >>> Amount.of((-1, 4, 8)) + Amount(5)
    <5 + 32 x N>
    >>> (Amount.of((-1, 4)) * 2).at(10)
    80
    """

    __slots__ = ("terms",)

    def __init__(self, *terms: int) -> None:
        self.terms = terms

    @classmethod
    def of(cls, shape: Iterable[int]) -> Amount:
        """Return the number of elements of an array of this shape; -1 counts as N."""
        sizes = list(shape)
        return cls(*[0] * sizes.count(-1), prod(n for n in sizes if n != -1))

    def __add__(self, other: Amount) -> Amount:
        return Amount(*(a + b for a, b in zip_longest(self.terms, other.terms, fillvalue=0)))

    def __mul__(self, other: Amount | int) -> Amount:
        terms = (other,) if isinstance(other, int) else other.terms
        made = [0] * (len(self.terms) + len(terms))
        for i, a in enumerate(self.terms):
            for k, b in enumerate(terms):
                made[i + k] += a * b
        return Amount(*made)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Amount) and not any(
            a - b for a, b in zip_longest(self.terms, other.terms, fillvalue=0)
        )

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return any(self.terms)

    def at(self, batch: int) -> int:
        """Return the value for a batch size."""
        return sum(term * batch**power for power, term in enumerate(self.terms))

    def text(self, shown: Callable[[int], str] = str, batch: int | None = None) -> str:
        """Return the sum of powers of N as text, or one number if `batch` is given; `shown` formats a number."""
        if batch is not None:
            return shown(self.at(batch))
        powers = ("", " x N", *(f" x N^{k}" for k in range(2, len(self.terms))))
        return " + ".join(shown(t) + p for t, p in zip(self.terms, powers, strict=False) if t) or shown(0)

    def __repr__(self) -> str:
        return f"<{self.text()}>"


Count = Callable[[Call], Amount | None]
"""A function that counts the FLOPs of a call; None where the shapes do not tell."""


@dataclass(frozen=True)
class PerElement:
    """A fixed number of operations for each element of the value in a slot.

    operations: how many. slot: an input or output slot.
    """

    operations: int
    slot: str = "X"

    def __call__(self, call: Call) -> Amount | None:
        value = call.one(self.slot) or call.out(self.slot)
        return None if value is None else Amount.of(value.shape) * self.operations

    def __repr__(self) -> str:
        return f"{self.operations} an element of {self.slot}"


@dataclass(frozen=True)
class Product:
    """A product of two operands, such as a matrix product or a convolution.

    operands: their slots, e.g. "X Y". count: the FLOPs of the product; it must accept a call of the gradient operator,
    too (see `result`), because the gradient of each operand costs as much as the product itself.
    """

    operands: str
    count: Count

    def __call__(self, call: Call) -> Amount | None:
        return self.count(call)

    def of_gradient(self, call: Call) -> Amount | None:
        """Return the FLOPs of a call of the gradient operator."""
        one = self.count(call)
        wanted = sum(call.out(f"{slot}@GRAD") is not None for slot in self.operands.split())
        return None if one is None else one * wanted

    def __repr__(self) -> str:
        return f"product of {' and '.join(self.operands.split())}"


def result(call: Call, slot: str) -> Operand | None:
    """Return the result of a call, or its gradient (of the same shape) for a call of the gradient operator."""
    return call.out(slot) or call.one(f"{slot}@GRAD")


def multiply_adds(value: Operand | None, *sizes: int) -> Amount | None:
    """Return two FLOPs for each element of a value and each number of an array of these sizes."""
    return None if value is None else Amount.of(value.shape) * Amount.of(sizes) * 2


def _matmul(call: Call) -> Amount | None:
    x = call.one("X")
    if x is None or not x.shape:
        return None
    transposed = any(call.attrs.get(name) for name in ("transpose_X", "trans_x")) and len(x.shape) > 1
    return multiply_adds(result(call, "Out"), x.shape[-2 if transposed else -1])


def _convolution(call: Call) -> Amount | None:
    kernel = call.one("Filter")
    return None if kernel is None else multiply_adds(result(call, "Output"), *kernel.shape[1:])


def _transposed_convolution(call: Call) -> Amount | None:
    kernel = call.one("Filter")
    return None if kernel is None else multiply_adds(call.one("Input"), *kernel.shape[1:])


def _recurrence(call: Call) -> Amount | None:
    weight = call.one("Weight")
    return None if weight is None else multiply_adds(call.one("Input"), weight.shape[0])


MATMUL = Product("X Y", _matmul)
"""Products of matrices, or batches of them, each perhaps transposed."""
CONVOLUTION = Product("Input Filter", _convolution)
"""Convolutions with a filter [out, in / groups, ...]."""
TRANSPOSED_CONVOLUTION = Product("Input Filter", _transposed_convolution)
"""Transposed convolutions with a filter [in, out / groups, ...]."""
RECURRENCE = Product("Input Weight", _recurrence)
"""Recurrences: the products of the hidden states with the weight for each word; the work on the gates is not counted."""


def pooling(call: Call) -> Amount | None:
    """Return one FLOP for each element of each pooling window."""
    x, out = call.one("X"), result(call, "Out")
    if x is None or out is None:
        return None
    whole = call.attrs["global_pooling"] or call.attrs.get("adaptive")
    return Amount.of(x.shape) if whole else Amount.of(out.shape) * prod(call.attrs["ksize"])
