"""Templates of register tiles: the innermost loops of matrix products, written as LLVM IR in SSA form.

What the front end makes of the same Python source keeps every sum in a slot on the stack, and LLVM needs ten times as long
to turn the slots into registers. Here a sum is a phi instruction from the start, so that nothing is left to be found out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from .arithmetic import Emitter, cast
from .arrays import require_mutable
from .errors import Unsupported
from .module import Template
from .types import BOOL, I8, NONE, Number, Vector
from .values import Value, is_array

if TYPE_CHECKING:
    from .functions import FunctionCompiler

__all__ = ["TileShape", "call_tile"]

_PARAMETERS = (
    ("ptr", "%x"), ("i64", "%x_pitch"), ("ptr", "%y"), ("i64", "%y_pitch"), ("i64", "%depth"), ("ptr", "%to"),
    ("i64", "%to_pitch"), ("i64", "%left"), ("i1", "%more"), ("ptr", "%sums"),
)  # fmt: skip


class TileShape(NamedTuple):
    """What a tile of a product consists of.

    rows, vectors: rows of the left matrix, and vectors of columns of the right one. whole: whether all vectors are full;
    otherwise the last may be partly used. ahead: whether the next columns are prefetched.
    """

    rows: int
    vectors: int
    whole: bool
    ahead: bool


def call_tile(f: FunctionCompiler, shape: TileShape, arguments: Sequence[Value]) -> Value:
    """Write the call of a tile: sums of products of rows of x and rows of y are stored in `to`.

    Args:
        arguments: x, index of its first element, elements between its rows; the same of y; the number of products in a sum;
            the same of `to`; the columns that are left; whether the sums begin with those in an array; that array.
    """
    x, x_at, x_pitch, y, y_at, y_pitch, depth, to, to_at, to_pitch, left, more, sums = arguments
    arrays = (x, y, to, sums)
    if not all(is_array(a) and a.type.rank == 1 and a.type.layout == "C" for a in arrays):
        raise Unsupported("a tile of something other than contiguous arrays of one dimension")
    element = x.type.element
    if element.kind != "f" or element.size < 4 or any(a.type.element != element for a in arrays):
        raise Unsupported("a tile of arrays that are not all of float32 or all of float64")
    require_mutable(to)
    f.effects += 1
    name = f"tile.{'.'.join(str(int(part)) for part in shape)}.{element.code}"
    f.module.template(name, lambda: _Tile(shape, element, name).finished())

    def number(value: Value) -> str:
        return f"i64 {cast(f, value, I8).ref}"

    def place(array: Value, at: Value) -> str:
        return f"ptr {f.text.set(f'getelementptr {element.word}, ptr {array.data}, {number(at)}')}"

    given = (
        place(x, x_at), number(x_pitch), place(y, y_at), number(y_pitch), number(depth), place(to, to_at),
        number(to_pitch), number(left), f"i1 {cast(f, more, BOOL).ref}", place(sums, to_at),
    )  # fmt: skip
    f.text.do(f"call void @{name}({', '.join(given)})")
    return Value(NONE)


class _Tile(Emitter):
    """Writes the function of a tile."""

    def __init__(self, shape: TileShape, element: Number, name: str) -> None:
        super().__init__(set(), "")
        self.shape, self.element, self.name = shape, element, name
        self.type = Vector(element)
        self.integer = f"i{element.bits}"
        self.suffix = f"v{self.type.lanes}f{element.bits}"
        self.which = [v for _ in range(shape.rows) for v in range(shape.vectors)]  # the vector of each sum

    def finished(self) -> Template:
        """Return the function."""
        text, word = self.text, self.type.word
        if not self.shape.whole:
            text.do(f"%left.short = {'bitcast' if self.element.bits == 64 else 'trunc'} i64 %left to {self.integer}")
            text.do(f"%count = sub {self.integer} %left.short, {(self.shape.vectors - 1) * self.type.lanes}")
        text.branch("%more", "begin", "head")
        text.block("begin")
        begun = [self._load(place, v) for place, v in zip(self._places("%sums"), self.which, strict=True)]
        text.block("head")
        first = [text.set(f"phi {word} [ zeroinitializer, %start ], [ {ref}, %begin ]") for ref in begun]
        rows = [self._row("%x", "%x_pitch", r) for r in range(self.shape.rows)]
        text.branch(text.set("icmp sgt i64 %depth, 0"), "loop", "done")
        after = self._loop(rows, first)
        text.block("done")
        sums = [text.set(f"phi {word} [ {a}, %head ], [ {b}, %loop ]") for a, b in zip(first, after, strict=True)]
        for ref, place, v in zip(sums, self._places("%to"), self.which, strict=True):
            self._store(ref, place, v)
        text.end("ret void")
        head = f"define void @{self.name}({', '.join(f'{word} {ref}' for word, ref in _PARAMETERS)}) nounwind {{"
        return Template(
            f"declare void @{self.name}({', '.join(word for word, _ in _PARAMETERS)}) nounwind",
            frozenset(self.declarations),
            "\n".join([head, "start:", *text.lines, "}"]),
        )

    def _loop(self, rows: Sequence[str], first: Sequence[str]) -> list[str]:
        """Write the loop over the products of a sum; return the sums after a step."""
        text, shape, word, n = self.text, self.shape, self.type.word, self.type.lanes
        text.block("loop")
        after = [f"%after.{k}" for k in range(len(self.which))]
        text.do("%k = phi i64 [ 0, %head ], [ %k.next, %loop ]")
        text.do("%row = phi ptr [ %y, %head ], [ %row.next, %loop ]")
        sums = [text.set(f"phi {word} [ {a}, %head ], [ {b}, %loop ]") for a, b in zip(first, after, strict=True)]
        right = [self._load(self._element("%row", v * n), v) for v in range(shape.vectors)]
        if shape.ahead:
            for v in range(shape.vectors):
                self._prefetch(self._element("%row", (shape.vectors + v) * n))
        for r in range(shape.rows):
            one = text.set(f"load {self.element.word}, ptr {self._element(rows[r], '%k')}")
            left = self._spread(one, self.element.word)
            for v in range(shape.vectors):
                k = r * shape.vectors + v
                given = f"{word} {left}, {word} {right[v]}, {word} {sums[k]}"
                text.do(f"{after[k]} = call {word} @llvm.fmuladd.{self.suffix}({given})")
        self.declarations.add(f"declare {word} @llvm.fmuladd.{self.suffix}({word}, {word}, {word})")
        text.do("%k.next = add nuw nsw i64 %k, 1")
        text.do(f"%row.next = getelementptr {self.element.word}, ptr %row, i64 %y_pitch")
        text.branch(text.set("icmp slt i64 %k.next, %depth"), "loop", "done")
        return after

    def _spread(self, number: str, word: str) -> str:
        """Return a vector with one number, of an LLVM type, in all its elements."""
        n = self.type.lanes
        one = self.text.set(f"insertelement <{n} x {word}> undef, {word} {number}, i32 0")
        return self.text.set(f"shufflevector <{n} x {word}> {one}, <{n} x {word}> undef, <{n} x i32> zeroinitializer")

    def _element(self, base: str, index: object) -> str:
        return self.text.set(f"getelementptr {self.element.word}, ptr {base}, i64 {index}")

    def _row(self, base: str, pitch: str, row: int) -> str:
        return base if row == 0 else self._element(base, self.text.set(f"mul i64 {pitch}, {row}"))

    def _places(self, base: str) -> list[str]:
        """Return the addresses of the vectors of the result, or of what is added to them."""
        rows = [self._row(base, "%to_pitch", r) for r in range(self.shape.rows)]
        return [self._element(row, v * self.type.lanes) for row in rows for v in range(self.shape.vectors)]

    def _mask(self) -> tuple[str, str]:
        """Return the mask of the last vector, which is partly used.

        It is made anew for each use: LLVM moves a comparison out of a loop, but keeps a mask badly where it has no registers
        for masks.
        """
        n, word = self.type.lanes, self.integer
        counts = self._spread("%count", word)
        numbers = ", ".join(f"{word} {k}" for k in range(n))
        return f"<{n} x i1>", self.text.set(f"icmp slt <{n} x {word}> <{numbers}>, {counts}")

    def _prefetch(self, address: str) -> None:
        to_read, to_second_level, data = ("i32", "0"), ("i32", "2"), ("i32", "1")
        self.call("void", "llvm.prefetch.p0", [("ptr", address), to_read, to_second_level, data])

    def _partly(self, v: int) -> bool:
        return not self.shape.whole and v == self.shape.vectors - 1

    def _load(self, address: str, v: int) -> str:
        word, size = self.type.word, self.element.size
        if not self._partly(v):
            return self.text.set(f"load {word}, ptr {address}, align {size}")
        given = [("ptr", address), ("i32", str(size)), self._mask(), (word, "zeroinitializer")]
        return self.call(word, f"llvm.masked.load.{self.suffix}.p0", given)

    def _store(self, ref: str, address: str, v: int) -> None:
        word, size = self.type.word, self.element.size
        if not self._partly(v):
            self.text.do(f"store {word} {ref}, ptr {address}, align {size}")
            return
        given = [(word, ref), ("ptr", address), ("i32", str(size)), self._mask()]
        self.call("void", f"llvm.masked.store.{self.suffix}.p0", given)
