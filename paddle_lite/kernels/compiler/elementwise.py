"""Arithmetic of whole arrays: the result is a temporary array, whose elements are computed one after another."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .arithmetic import binary, compare
from .arrays import allocate, assign_elements, for_each, load_index, store_index
from .errors import Unsupported
from .types import describe
from .values import Value, constant, is_array, is_number, size_value

if TYPE_CHECKING:
    from .functions import FunctionCompiler

__all__ = ["binary_arrays", "copied"]


def binary_arrays(f: FunctionCompiler, sign: str, a: Value, b: Value, node: ast.AST) -> Value:
    """Return a new array of the elements of `a sign b`, where both have one shape or one is a number."""
    arrays = [value for value in (a, b) if is_array(value)]
    if any(not is_array(value) and not is_number(value) for value in (a, b)):
        raise Unsupported(f"{describe(a.type)} {sign} {describe(b.type)}")
    first = arrays[0]
    if any(other.type.rank != first.type.rank for other in arrays):
        raise Unsupported("arithmetic of arrays of different ranks")
    for other in arrays[1:]:
        for left, right in zip(first.sizes, other.sizes, strict=True):
            if left != right:
                same = compare(f, "==", size_value(left), size_value(right))
                f.require(same, f"arrays of different shapes in {sign}", node)
    examples = [Value(value.type.element, ("zeroinitializer",)) if is_array(value) else value for value in (a, b)]
    before = f.text.mark()
    element = binary(f, sign, *examples).type
    f.text.take_back(before)
    out = allocate(f, [size_value(size) for size in first.sizes], element, False, node)

    def body(at: list[Value]) -> None:
        store_index(f, out, at, binary(f, sign, *(load_index(f, v, at) if is_array(v) else v for v in (a, b))))

    for_each(f, out, body)
    return out


def copied(f: FunctionCompiler, array: Value, node: ast.AST) -> Value:
    """Return a contiguous copy of an array."""
    out = allocate(f, [size_value(size) for size in array.sizes], array.type.element, False, node)
    assign_elements(f, out, array, node)
    return out


def negated(f: FunctionCompiler, array: Value, node: ast.AST) -> Value:
    """Return a new array of the negated elements."""
    return binary_arrays(f, "*", constant(-1, array.type.element), array, node)
