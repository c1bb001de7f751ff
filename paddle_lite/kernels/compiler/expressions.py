"""Expressions of the kernel language: from a node of Python's syntax tree to a value."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from . import arrays
from .arithmetic import (
    Emitter,
    binary,
    cast,
    choose,
    compare,
    convert,
    invert,
    negative,
    truth,
)  # fmt: skip
from .calls import call_known, call_method
from .elementwise import binary_arrays, negated
from .errors import Unsupported
from .types import BOOL, I8, NONE, Array, Known, Slice, Tuple, describe, parts_of, unify
from .values import Value, constant, is_array, is_number, known, split_tuple, tuple_of

__all__ = ["SIGNS", "Expressions"]

SIGNS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_MISSING = object()


class Expressions(Emitter):
    """An `Emitter` that evaluates expressions.

    Attributes:
        globals: the globals of the Python function.
        effects: the number of instructions so far that may not be executed unless the program asks for them: accesses to
            memory, calls, jumps. Two operands without any are both evaluated, and one of them selected.
    """

    globals: dict[str, Any]
    effects: int

    # --- provided by the compiler of functions ----------------------------------------------------------------------------

    def read(self, name: str) -> Value | None:
        """Return the value of a local variable, None if there is none of this name."""
        raise NotImplementedError

    def constant_array(self, array: np.ndarray) -> Value:
        """Return an array that is known now as a constant of the module."""
        raise NotImplementedError

    # --- expressions ------------------------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Value:
        """Return the value of an expression."""
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            raise Unsupported(f"a {type(node).__name__} expression")
        return method(node)

    def test(self, node: ast.expr) -> Value:
        """Return the truth of an expression."""
        return truth(self, self.value(node))

    def _Constant(self, node: ast.Constant) -> Value:
        return known(node.value)

    def _Name(self, node: ast.Name) -> Value:
        found = self.read(node.id)
        if found is not None:
            return found
        value = self.globals.get(node.id, getattr(builtins, node.id, _MISSING))
        if value is _MISSING:
            raise Unsupported(f"the unknown name {node.id}")
        return self.constant_array(value) if isinstance(value, np.ndarray) else known(value)

    def _Tuple(self, node: ast.Tuple) -> Value:
        return tuple_of(self.several(node.elts))

    _List = _Tuple

    def several(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """Return the values of several expressions; a starred one gives the items of a tuple."""
        found: list[Value] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += split_tuple(self.value(node.value))
            else:
                found.append(self.value(node))
        return found

    def _BinOp(self, node: ast.BinOp) -> Value:
        sign = SIGNS.get(type(node.op))
        if sign is None:
            raise Unsupported(f"the operator {type(node.op).__name__}")
        left, right = self.value(node.left), self.value(node.right)
        if sign == "+" and isinstance(left.type, Tuple) and isinstance(right.type, Tuple):
            return tuple_of([*split_tuple(left), *split_tuple(right)])
        return self.combined(sign, left, right, node)

    def combined(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value:
        """Return left + right, or another operator, of numbers, vectors or arrays."""
        if is_array(left) or is_array(right):
            return binary_arrays(self, sign, left, right, node)  # type: ignore[arg-type]
        return binary(self, sign, left, right)

    def _UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return Value(BOOL, (self.text.set(f"xor i1 {self.test(node.operand).ref}, true"),), True)
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub):
            return negated(self, value, node) if is_array(value) else negative(self, value)  # type: ignore[arg-type]
        return invert(self, value) if isinstance(node.op, ast.Invert) else value

    def _Compare(self, node: ast.Compare) -> Value:
        if len(node.ops) > 1:
            pairs = zip([node.left, *node.comparators], node.ops, node.comparators)
            return self.value(ast.BoolOp(ast.And(), [ast.Compare(left, [op], [right]) for left, op, right in pairs]))
        left, right = self.value(node.left), self.value(node.comparators[0])
        if isinstance(node.ops[0], (ast.Is, ast.IsNot)) or isinstance(left.type, Known):
            return self._compare_known(node.ops[0], left, right)
        return compare(self, SIGNS[type(node.ops[0])], left, right)

    def _compare_known(self, op: ast.cmpop, left: Value, right: Value) -> Value:
        """Compare objects that are known now, such as dtypes, or anything with None."""
        if NONE in (left.type, right.type) and isinstance(op, (ast.Is, ast.IsNot)):
            return constant((left.type == right.type) is isinstance(op, ast.Is))
        if not isinstance(left.type, Known) or not isinstance(right.type, Known):
            raise Unsupported(f"a comparison of {describe(left.type)} and {describe(right.type)}")
        same = left.type.value == right.type.value
        return constant(bool(same) is isinstance(op, (ast.Is, ast.Eq)))

    def _BoolOp(self, node: ast.BoolOp) -> Value:
        word = "and" if isinstance(node.op, ast.And) else "or"
        result = self.test(node.values[0])
        for part in node.values[1:]:
            if result.ref == ("false" if word == "and" else "true"):
                return result
            if result.ref in ("true", "false"):
                result = self.test(part)
                continue
            result = self._both(word, result, part)
        return result

    def _both(self, word: str, first: Value, node: ast.expr) -> Value:
        """Return `first and node`, or `first or node`; the second is only evaluated if it matters or has no effects."""
        before = self.effects
        with self.text.apart() as lines:
            second = self.test(node)
        if self.effects == before:
            self.text.lines += lines
            return Value(BOOL, (self.text.set(f"{word} i1 {first.ref}, {second.ref}"),), True)
        slot, more, end = self.text.slot("i1"), self.text.name("more"), self.text.name("end")
        self.text.do(f"store i1 {first.ref}, ptr {slot}")
        self.text.branch(first.ref, *((more, end) if word == "and" else (end, more)))
        self.text.block(more)
        self.text.lines += lines
        self.text.do(f"store i1 {second.ref}, ptr {slot}")
        self.text.block(end)
        return Value(BOOL, (self.text.set(f"load i1, ptr {slot}"),), True)

    def _IfExp(self, node: ast.IfExp) -> Value:
        test = self.test(node.test)
        if test.ref in ("true", "false"):
            return self.value(node.body if test.ref == "true" else node.orelse)
        before, sides = self.effects, []
        for part in (node.body, node.orelse):
            with self.text.apart() as lines:
                value = self.value(part)
            sides.append((lines, value))
        if self.effects != before:
            return self._branches(test, sides)
        for lines, _ in sides:
            self.text.lines += lines
        return choose(self, test, *(value for _, value in sides))

    def _branches(self, test: Value, sides: Sequence[tuple[list[str], Value]]) -> Value:
        """Return one of two values, of which only that one is evaluated; each comes with the lines that do so."""
        type = reduce(unify, (value.type for _, value in sides))
        slots = [self.text.slot(word) for word in parts_of(type)]
        labels, end = [self.text.name("yes"), self.text.name("no")], self.text.name("end")
        self.text.branch(test.ref, *labels)
        for label, (lines, value) in zip(labels, sides, strict=True):
            self.text.block(label)
            self.text.lines += lines
            refs = convert(self, value, type).refs
            for slot, word, ref in zip(slots, parts_of(type), refs, strict=True):
                self.text.do(f"store {word} {ref}, ptr {slot}")
            self.text.jump(end)
        self.text.block(end)
        loads = zip(slots, parts_of(type), strict=True)
        refs = tuple(self.text.set(f"load {word}, ptr {slot}") for slot, word in loads)
        return Value(type, refs, all(value.natural for _, value in sides))

    # --- arrays, tuples, attributes ---------------------------------------------------------------------------------------

    def indices(self, node: ast.expr) -> list[Value]:
        """Return the indices of a subscript."""
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        found = [self.value(part) for part in parts]
        if len(found) == 1 and isinstance(found[0].type, Tuple):
            return split_tuple(found[0])
        return found

    def _Slice(self, node: ast.Slice) -> Value:
        if node.step is not None and not (isinstance(node.step, ast.Constant) and node.step.value in (None, 1)):
            raise Unsupported("a slice with a step")
        return slice_of(self, *(self.value(part) if part is not None else None for part in (node.lower, node.upper)))

    def _Subscript(self, node: ast.Subscript) -> Value:
        base = self.value(node.value)
        if isinstance(base.type, Tuple):
            return self._item(split_tuple(base), node.slice)
        if not is_array(base):
            raise Unsupported(f"a subscript of {describe(base.type)}")
        self.effects += 1
        return arrays.load_index(self, base, self.indices(node.slice), node)  # type: ignore[arg-type]

    def _item(self, items: list[Value], node: ast.expr) -> Value:
        """Return an item of a tuple by a constant index, or some of them by a slice of constants."""
        if isinstance(node, ast.Slice):
            bounds = [self.value(part).exact if part is not None else None for part in (node.lower, node.upper)]
            return tuple_of(items[slice(*bounds)])
        given = self.value(node)
        if given.exact is None:
            return self._computed_item(items, given)
        if not -len(items) <= given.exact < len(items):
            raise Unsupported(f"item {given.exact} of a tuple of {len(items)}")
        return items[given.exact]

    def _computed_item(self, items: list[Value], at: Value) -> Value:
        """Return the item of a tuple of equal types whose index is computed; the last one for an index beyond it."""
        if not items or len({item.type for item in items}) > 1 or not is_number(at):
            raise Unsupported("a computed index of a tuple of different types")
        found = items[-1]
        for k in range(len(items) - 2, -1, -1):
            found = choose(self, compare(self, "==", at, constant(k)), items[k], found)
        return found

    def _Attribute(self, node: ast.Attribute) -> Value:
        base = self.value(node.value)
        if isinstance(base.type, Known):
            try:
                return known(getattr(base.type.value, node.attr))
            except AttributeError:
                raise Unsupported(f"the attribute {node.attr} of {base.type.value!r}") from None
        if is_array(base):
            return self._array_attribute(base, node.attr)
        if is_number(base) and node.attr in ("dtype", "itemsize"):
            return known(getattr(base.type.dtype, node.attr) if node.attr == "itemsize" else base.type.dtype)
        raise Unsupported(f"the attribute {node.attr} of {describe(base.type)}")

    def _array_attribute(self, array: Value, name: str) -> Value:
        type: Array = array.type
        if name == "shape":
            return tuple_of([Value(I8, (size,), True) for size in array.sizes])
        if name == "size":
            return arrays.element_count(self, array)
        if name in ("itemsize", "ndim"):
            return constant(type.element.dtype.itemsize if name == "itemsize" else type.rank)
        if name == "dtype":
            return known(type.element.dtype)
        raise Unsupported(f"the attribute {name} of an array")

    # --- calls ------------------------------------------------------------------------------------------------------------

    def _Call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Attribute):
            base = self.value(node.func.value)
            if not isinstance(base.type, Known):
                arguments, named = self._arguments(node)
                self.effects += is_array(base)
                return call_method(self, base, node.func.attr, arguments, named, node)  # type: ignore[arg-type]
        function = self.value(node.func)
        arguments, named = self._arguments(node)
        if not isinstance(function.type, Known):
            raise Unsupported(f"a call of {describe(function.type)}")
        return call_known(self, function.type.value, arguments, named, node)  # type: ignore[arg-type]

    def _arguments(self, node: ast.Call) -> tuple[list[Value], dict[str, Value]]:
        if any(keyword.arg is None for keyword in node.keywords):
            raise Unsupported("a call with **")
        return self.several(node.args), {str(each.arg): self.value(each.value) for each in node.keywords}


def slice_of(e: Emitter, lower: Value | None, upper: Value | None) -> Value:
    """Return a slice; None, as a Python None or as a value, leaves a bound out."""
    bounds = [None if bound is None or bound.type == NONE else cast(e, bound, I8) for bound in (lower, upper)]
    refs = tuple(bound.ref for bound in bounds if bound is not None)
    return Value(Slice(bounds[0] is not None, bounds[1] is not None), refs)
