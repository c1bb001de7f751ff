"""The texts of elements in loops over numbers and small arrays of any dtype. Integers wrap around, as in C without undefined behaviour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..numba_jit import inline
from .expression import COMPARISONS, Node, is_truth, names, parse, simplify_for
from .numba_form import _INSTRUCTIONS, _MISSING

__all__ = ["ElementTexts", "type_name"]

FOLDED = {
    "sum": "u + v", "mean": "u + v", "max": "max(u, v)", "min": "min(u, v)", "all": "u and v", "any": "u or v",
}  # fmt: skip


@inline
def quotient(a, b):
    """Return a / b for integers, truncated towards zero."""
    rest = a % b
    return a // b + 1 if rest != 0 and (a < 0) != (b < 0) else a // b


@inline
def remainder(a, b):
    """Return the remainder of a / b for integers, with the sign of a."""
    rest = a % b
    return rest - b if rest != 0 and (a < 0) != (b < 0) else rest


def type_name(dtype: np.dtype) -> str:
    """Return the name of a dtype's type in the scope of a kernel."""
    return f"t_{dtype.name}"


class ElementTexts:
    """The texts of expressions, with the constants that they name.

    Arguments:
        scope: the globals of the kernel, to which constants are added.
    """

    def __init__(self, scope: dict[str, Any]) -> None:
        self.scope = scope
        self._constants: dict[tuple[str, str], str] = {}

    def add_functions(self, dtypes: Iterable[np.dtype]) -> None:
        """Add the functions and types that texts name to the scope; dtypes: those of the arrays."""
        from ..cpu import vecmath

        self.scope.update(vecmath.FUNCTIONS | _INSTRUCTIONS)
        self.scope.update({"quotient": quotient, "remainder": remainder})
        self.scope.update({type_name(each): each.type for each in (*dtypes, *map(np.dtype, ("u8", "i8", "f8")))})

    def value(self, node: Node, to: np.dtype, dtypes: Sequence[np.dtype], reads: Sequence[str]) -> str:
        """Return the text of an expression as an element of dtype `to`.

        Arguments:
            node: an expression of x0, x1, ... dtypes, reads: the dtypes and the texts of these.
        """
        of = dtypes[-1] if names(node) else to
        bools = {f"x{k}" for k, dtype in enumerate(dtypes) if dtype.kind == "b"}
        text = self.text(node, reads, of, bools)
        kept = is_truth(node) or of == to
        if kept and (to.kind == "b" or not is_truth(node)):
            return text if to.kind == "b" else f"{type_name(to)}({text})"
        if of.kind == "f" and to.kind in "iu" and to.itemsize < 4:
            text = f"t_int64({text})"
        return f"{type_name(to)}({text})"

    def fold(self, how: str, dtype: np.dtype, size: str, of: str, to: str) -> Iterator[str]:
        """Yield the statements that fold the elements of array `of` into the number `to`; sums of floats are added up in float64."""
        wide = np.dtype("f8") if how in ("sum", "mean") and dtype.kind == "f" else dtype
        kind, total, each = type_name(wide), f"total_{to}", f"each_{to}"
        bools = ("u", "v") if dtype.kind == "b" else ()
        yield f"{total} = {kind}({of}[0])"
        yield f"for e0 in range(1, {size}):"
        yield f"    {each} = {kind}({of}[e0])"
        folded = self._of(parse(FOLDED[how]), {"u": total, "v": each}, wide, bools)
        yield f"    {total} = {folded if bools else f'{kind}({folded})'}"
        divided = f" / t_float64({size})" * (how == "mean")
        yield f"{to} = {type_name(dtype)}({total}{divided})"

    def text(self, node: Node, reads: Sequence[str], dtype: np.dtype, bools: Iterable[str] = ()) -> str:
        """Return the text of an expression that is computed in a dtype.

        Arguments:
            reads: the texts of x0, x1, ... bools: the names of truth values.
        """
        return self._of(node, {f"x{i}": read for i, read in enumerate(reads)}, dtype, bools)

    def _of(self, node: Node, values: Mapping[str, str], dtype: np.dtype, bools: Iterable[str]) -> str:
        [root] = simplify_for([node], _MISSING)
        return _Text(self, values, dtype, set(bools)).of(root)

    def constant(self, value: Any, dtype: np.dtype) -> str:
        """Return the name of a constant."""
        key = (dtype.name, repr(value))
        if key not in self._constants:
            self._constants[key] = f"c{len(self._constants)}"
            self.scope[self._constants[key]] = bool(value) if dtype.kind == "b" else dtype.type(value)
        return self._constants[key]


class _Text:
    """The text of expressions in one dtype."""

    def __init__(self, texts: ElementTexts, values: Mapping[str, str], dtype: np.dtype, bools: set[str]) -> None:
        self.texts, self.values, self.dtype, self.bools = texts, values, dtype, bools

    def of(self, node: Node) -> str:
        """Return the text of an expression."""
        if node.op == "name":
            return self.values[str(node.value)]
        if node.op == "number":
            return self.texts.constant(node.value, self.dtype)
        if node.op == "neg" and node.args[0].op == "number":
            return self.texts.constant(-node.args[0].value, self.dtype)  # type: ignore[operator]  # it is a number
        args = [self.of(arg) for arg in node.args]
        if node.op == "true":
            known = str(node.args[0].value) in self.bools or self.dtype.kind == "b"
            return args[0] if known else f"({args[0]} != {self.texts.constant(0, self.dtype)})"
        if node.op == "if":
            return f"({args[1]} if {args[0]} else {args[2]})"
        if node.op == "not":
            return f"(not {args[0]})"
        if node.op in ("and", "or", "&", "|"):
            return f"({args[0]} {'&' if node.op in ('and', '&') else '|'} {args[1]})"
        if node.op in COMPARISONS:
            return f"({args[0]} {node.op} {args[1]})"
        whole = self.dtype.kind in "iu"
        kind = f"t_{self.dtype.name}"
        if node.op == "neg":
            args, op = [self.texts.constant(0, self.dtype), *args], "-"
            return self._wrapped(op, args) if whole else f"(-{args[1]})"
        if node.op in ("+", "-", "*"):
            return self._wrapped(node.op, args) if whole else f"({args[0]} {node.op} {args[1]})"
        if node.op == "/":
            return f"({args[0]} / {args[1]})"
        function = "pow" if node.op == "**" else node.op
        return f"{kind}({function}({', '.join(args)}))"

    def _wrapped(self, op: str, args: Sequence[str]) -> str:
        """Return the text of integer arithmetic that wraps around."""
        return f"t_{self.dtype.name}(t_uint64({args[0]}) {op} t_uint64({args[1]}))"
