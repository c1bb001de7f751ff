"""Templates of register tiles: the innermost loops of matrix products, written as LLVM IR in SSA form.

What the front end makes of the same Python source keeps every sum in a slot on the stack, which LLVM's passes turn into
registers, and they unroll the loop. Here a sum is a phi instruction from the start, and no pass is run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..arithmetic import Emitter, cast
from ..arrays import require_mutable
from ..errors import Unsupported
from ..module import Template
from ..types import BOOL, I8, NONE, Number, Vector
from ..values import Value, is_array
from ..vectors import VECTOR_CALLS

if TYPE_CHECKING:
    from ..functions import FunctionCompiler

__all__ = ["call_batch_sums", "call_dots", "call_panel_tile", "call_tile"]

_PARAMETERS = (
    ("ptr", "%x"), ("i64", "%x_pitch"), ("ptr", "%y"), ("i64", "%y_pitch"), ("i64", "%depth"), ("ptr", "%to"),
    ("i64", "%to_pitch"), ("i64", "%left"), ("i1", "%more"), ("ptr", "%sums"),
)  # fmt: skip
_DOTS_PARAMETERS = (
    ("ptr", "%x"), ("ptr", "%y"), ("i64", "%inner"), ("ptr", "%to"), ("i64", "%to_pitch"),
)  # fmt: skip
_BATCH_SUMS_PARAMETERS = (
    ("ptr", "%x"), ("i64", "%x_pitch"), ("ptr", "%y"), ("i64", "%y_pitch"), ("i64", "%depth"), ("ptr", "%to"),
    ("i64", "%to_pitch"), ("i64", "%left"),
)  # fmt: skip
Parameters = Sequence[tuple[str, str]]


class DotsShape(NamedTuple):
    """How many rows of either matrix dot products are computed of."""

    rows: int
    columns: int


class TileShape(NamedTuple):
    """What a tile of a product consists of.

    rows, vectors: rows of the left matrix, and vectors of columns of the right one. whole: whether all vectors are full;
    otherwise the last may be partly used. ahead: whether the next columns are prefetched. by_columns: whether the elements of a
    column of the left matrix are side by side, and its columns apart.
    """

    rows: int
    vectors: int
    whole: bool
    ahead: bool
    by_columns: bool


class PanelTileShape(NamedTuple):
    """What a tile of a product with a packed panel consists of.

    rows, vectors, whole, by_columns: as in `TileShape`. finished: whether sums begin with a bias and end with limits.
    """

    rows: int
    vectors: int
    whole: bool
    finished: bool
    by_columns: bool


class BatchSumsShape(NamedTuple):
    """What a tile of a transposed matrix times another one consists of.

    rows, vectors, whole: as in `TileShape`; the rows are columns of the left matrix. block: how many products are added in the
    dtype of the matrices.
    """

    rows: int
    vectors: int
    whole: bool
    block: int


def call_tile(f: FunctionCompiler, shape: tuple[int, int, bool, bool, bool], arguments: Sequence[Value]) -> Value:
    """Write the call of a tile: sums of products of rows of x and rows of y are stored in `to`.

    Args:
        shape: the fields of `TileShape`.
        arguments: x, index of its first element, elements between its rows; the same of y; the number of products in a sum;
            the same of `to`; the columns that are left; whether the sums are added to those in an array; that array.
    """
    x, _, _, y, _, _, _, to, *_, sums = arguments
    element = _element_of(x, y, to, sums)
    require_mutable(to)
    f.effects += 1
    name = f"tile.{'.'.join(str(int(part)) for part in shape)}.{element.code}"
    f.module.template(name, lambda: _Tile(TileShape(*shape), element, name).finished())
    f.text.do(f"call void @{name}({', '.join(_of_tile(f, arguments))})")
    return Value(NONE)


def call_panel_tile(f: FunctionCompiler, shape: tuple[int, int, bool, bool, bool], arguments: Sequence[Value]) -> Value:
    """Write the call of a tile of a product with a packed panel.

    Args:
        shape: the fields of `PanelTileShape`.
        arguments: those of `call_tile`; which part of the memory behind the panel is prefetched; if the tile is finished, the bias
            and the index of its first element, whether the sums are complete, whether an array is added to them, this array,
            and the limits.
    """
    x, _, _, y, _, _, _, to, to_at, _, _, _, sums, part, *finish = arguments
    element = _element_of(x, y, to, sums)
    require_mutable(to)
    f.effects += 1
    name = f"panel_tile.{'.'.join(str(int(part)) for part in shape)}.{element.code}"
    f.module.template(name, lambda: _PanelTile(PanelTileShape(*shape), element, name).finished())
    given = [*_of_tile(f, arguments[:13]), _number(f, part)]
    if finish:
        bias, bias_at, last, plus, added, low, high = finish
        _element_of(x, bias, added)
        given += [_place(f, bias, bias_at), *(f"i1 {cast(f, flag, BOOL).ref}" for flag in (last, plus))]
        given += [_place(f, added, to_at), *(f"{element.word} {cast(f, limit, element).ref}" for limit in (low, high))]
    f.text.do(f"call void @{name}({', '.join(given)})")
    return Value(NONE)


def _of_tile(f: FunctionCompiler, arguments: Sequence[Value]) -> tuple[str, ...]:
    """Return the arguments of a tile as LLVM takes them."""
    x, x_at, x_pitch, y, y_at, y_pitch, depth, to, to_at, to_pitch, left, more, sums = arguments
    return (
        _place(f, x, x_at), _number(f, x_pitch), _place(f, y, y_at), _number(f, y_pitch), _number(f, depth),
        _place(f, to, to_at), _number(f, to_pitch), _number(f, left), f"i1 {cast(f, more, BOOL).ref}", _place(f, sums, to_at),
    )  # fmt: skip


def call_dots(f: FunctionCompiler, shape: tuple[int, int], arguments: Sequence[Value]) -> Value:
    """Write the call of dot products of rows of x and rows of y, which are stored in `to`.

    Args:
        shape: the fields of `DotsShape`.
        arguments: x and the index of its first element; the same of y; the elements of a row of both; `to` and the index of
            its first element; the elements between its rows.
    """
    x, x_at, y, y_at, inner, to, to_at, to_pitch = arguments
    element = _element_of(x, y, to)
    require_mutable(to)
    f.effects += 1
    name = f"dots.{'.'.join(map(str, shape))}.{element.code}"
    f.module.template(name, lambda: _Dots(DotsShape(*shape), element, name).finished())
    given = (
        _place(f, x, x_at), _place(f, y, y_at), _number(f, inner), _place(f, to, to_at), _number(f, to_pitch),
    )  # fmt: skip
    f.text.do(f"call void @{name}({', '.join(given)})")
    return Value(NONE)


def call_batch_sums(f: FunctionCompiler, shape: tuple[int, int, bool, int], arguments: Sequence[Value]) -> Value:
    """Write the call of a tile of the product of a transposed matrix x with y, whose blocks of rows are added in float64.

    Args:
        shape: the fields of `BatchSumsShape`.
        arguments: x, index of its first element, elements between its rows; the same of y; the number of rows of both; the same
            of `to`; the columns that are left.
    """
    x, x_at, x_pitch, y, y_at, y_pitch, depth, to, to_at, to_pitch, left = arguments
    element = _element_of(x, y, to)
    require_mutable(to)
    if element.size != 4:
        raise Unsupported("sums of a batch of something other than float32")
    f.effects += 1
    name = f"batch_sums.{'.'.join(str(int(part)) for part in shape)}"
    f.module.template(name, lambda: _BatchSums(BatchSumsShape(*shape), element, name).finished())
    given = (
        _place(f, x, x_at), _number(f, x_pitch), _place(f, y, y_at), _number(f, y_pitch), _number(f, depth),
        _place(f, to, to_at), _number(f, to_pitch), _number(f, left),
    )  # fmt: skip
    f.text.do(f"call void @{name}({', '.join(given)})")
    return Value(NONE)


def _element_of(*arrays: Value) -> Number:
    """Return the type of the elements of arrays, which must be that of all."""
    if not all(is_array(a) and a.type.rank == 1 and a.type.layout == "C" for a in arrays):
        raise Unsupported("a tile of something other than contiguous arrays of one dimension")
    element: Number = arrays[0].type.element
    if element.kind != "f" or element.size < 4 or any(a.type.element != element for a in arrays):
        raise Unsupported("a tile of arrays that are not all of float32 or all of float64")
    return element


def _number(f: FunctionCompiler, value: Value) -> str:
    return f"i64 {cast(f, value, I8).ref}"


def _place(f: FunctionCompiler, array: Value, at: Value) -> str:
    return f"ptr {f.text.set(f'getelementptr {array.type.element.word}, ptr {array.data}, {_number(f, at)}')}"


class _Writer(Emitter):
    """Writes a function of vectors of one element type, which the last vector may fill in part: `%count` elements."""

    def __init__(self, element: Number, name: str) -> None:
        super().__init__(set(), "")
        self.element, self.name = element, name
        self.type = Vector(element)
        self.integer = f"i{element.bits}"
        self.suffix = f"v{self.type.lanes}f{element.bits}"

    def _template(self, parameters: Parameters) -> Template:
        """Return the function whose instructions have been written."""
        head = f"define void @{self.name}({', '.join(f'{word} {ref}' for word, ref in parameters)}) nounwind {{"
        return Template(
            f"declare void @{self.name}({', '.join(word for word, _ in parameters)}) nounwind",
            frozenset(self.declarations),
            "\n".join([head, "start:", *self.text.lines, "}"]),
        )

    def _phis(self, names: Sequence[str], first: Sequence[str], after: Sequence[str]) -> list[str]:
        """Return vectors that come from either of two blocks."""
        return [
            self.text.set(f"phi {self.type.word} [ {a}, %{names[0]} ], [ {b}, %{names[1]} ]")
            for a, b in zip(first, after, strict=True)
        ]

    def _add_product(self, to: str, sum: str, a: str, b: str) -> None:
        """Set a name to sum + a * b."""
        word = self.type.word
        self.declarations.add(f"declare {word} @llvm.fmuladd.{self.suffix}({word}, {word}, {word})")
        self.text.do(f"{to} = call {word} @llvm.fmuladd.{self.suffix}({word} {a}, {word} {b}, {word} {sum})")

    def _count(self, left: str) -> None:
        """Set `%count` to a number of type i64, which is at most that of the elements of a vector."""
        short = f"trunc i64 {left} to {self.integer}" if self.element.bits < 64 else f"add i64 {left}, 0"
        self.text.do(f"%count = {short}")

    def _spread(self, number: str, word: str) -> str:
        """Return a vector with one number, of an LLVM type, in all its elements."""
        n = self.type.lanes
        one = self.text.set(f"insertelement <{n} x {word}> undef, {word} {number}, i32 0")
        return self.text.set(f"shufflevector <{n} x {word}> {one}, <{n} x {word}> undef, <{n} x i32> zeroinitializer")

    def _element(self, base: str, index: object) -> str:
        return self.text.set(f"getelementptr {self.element.word}, ptr {base}, i64 {index}")

    def _row(self, base: str, pitch: str, row: int) -> str:
        return base if row == 0 else self._element(base, self.text.set(f"mul i64 {pitch}, {row}"))

    def _mask(self) -> tuple[str, str]:
        """Return the mask of the last vector, which is partly used.

        It is made anew for each use: LLVM moves a comparison out of a loop, but keeps a mask badly where it has no registers
        for masks.
        """
        n, word = self.type.lanes, self.integer
        counts = self._spread("%count", word)
        numbers = ", ".join(f"{word} {k}" for k in range(n))
        return f"<{n} x i1>", self.text.set(f"icmp slt <{n} x {word}> <{numbers}>, {counts}")

    def _load(self, address: str, partly: bool) -> str:
        word, size = self.type.word, self.element.size
        if not partly:
            return self.text.set(f"load {word}, ptr {address}, align {size}")
        given = [("ptr", address), ("i32", str(size)), self._mask(), (word, "zeroinitializer")]
        return self.call(word, f"llvm.masked.load.{self.suffix}.p0", given)

    def _store(self, ref: str, address: str, partly: bool) -> None:
        word, size = self.type.word, self.element.size
        if not partly:
            self.text.do(f"store {word} {ref}, ptr {address}, align {size}")
            return
        given = [(word, ref), ("ptr", address), ("i32", str(size)), self._mask()]
        self.call("void", f"llvm.masked.store.{self.suffix}.p0", given)


class _Tile(_Writer):
    """Writes the function of a tile."""

    def __init__(self, shape: TileShape | PanelTileShape | BatchSumsShape, element: Number, name: str) -> None:
        super().__init__(element, name)
        self.rows, self.vectors, self.whole = shape[:3]
        self.ahead = isinstance(shape, TileShape) and shape.ahead
        self.by_columns = not isinstance(shape, BatchSumsShape) and shape.by_columns
        self.which = [v for _ in range(shape.rows) for v in range(shape.vectors)]  # the vector of each sum

    def finished(self) -> Template:
        """Return the function."""
        text = self.text
        self._count_columns()
        first = self._begin()
        text.end("br label %head")
        text.block("head")
        rows = [self._row("%x", "%x_pitch", r) for r in range(self.rows)]
        self._prefetch_results()
        later = self._read_later()
        text.branch(text.set("icmp sgt i64 %depth, 0"), "loop", "done")
        after = self._loop(rows, first, *later)
        text.block("done")
        made = self._phis(("head", "loop"), first, after)
        text.branch("%more", "join", "joined")
        text.block("join")
        before = [
            self._load(place, self._partly(v)) for place, v in zip(self._places("%sums"), self.which, strict=True)
        ]
        both = [text.set(f"fadd {self.type.word} {a}, {b}") for a, b in zip(before, made, strict=True)]
        text.block("joined")
        sums = self._end(self._phis(("done", "join"), made, both))
        for ref, place, v in zip(sums, self._places("%to"), self.which, strict=True):
            self._store(ref, place, self._partly(v))
        text.end("ret void")
        return self._template(self._parameters())

    def _parameters(self) -> Parameters:
        return _PARAMETERS

    def _begin(self) -> list[str]:
        """Return what the sums begin with."""
        return ["zeroinitializer"] * len(self.which)

    def _read_later(self) -> tuple[str, str]:
        """Return where the rows of x begin that are read after those of the tile, and the elements of them for each step of the loop."""
        if self.by_columns:  # these are in the same lines: what is read in some steps
            return self._row("%x", "%x_pitch", self.type.lanes), "%x_pitch"
        return self._row("%x", "%x_pitch", self.rows), str(self.rows)

    def _prefetch_results(self) -> None:
        """Prefetch the lines that the results are stored in: those where vectors begin, and where the last one of a row ends."""
        for r in range(self.rows):
            row = self._row("%to", "%to_pitch", r)
            for v in range(self.vectors + 1):
                self._prefetch(self._element(row, v * self.type.lanes - (v == self.vectors)), level=1)

    def _end(self, sums: list[str]) -> list[str]:
        """Return what becomes of the sums."""
        return sums

    def _count_columns(self) -> None:
        if not self.whole:
            self._count(self.text.set(f"sub i64 %left, {(self.vectors - 1) * self.type.lanes}"))

    def _add_products(
        self, after: Sequence[str], sums: Sequence[str], right: Sequence[str], address: Callable[[int], str]
    ) -> None:
        """Add to the sums of each row the products of its element at `address(row)` with the vectors of the right matrix."""
        for r in range(self.rows):
            one = self.text.set(f"load {self.element.word}, ptr {address(r)}")
            left = self._spread(one, self.element.word)
            for v in range(self.vectors):
                k = r * self.vectors + v
                self._add_product(after[k], sums[k], left, right[v])

    def _loop(self, rows: Sequence[str], first: Sequence[str], later: str, step: str) -> list[str]:
        """Write the loop over the products of a sum, which prefetches `step` elements from `later` on; return the sums after a step."""
        text, n = self.text, self.type.lanes
        text.block("loop")
        after = [f"%after.{k}" for k in range(len(self.which))]
        text.do("%k = phi i64 [ 0, %head ], [ %k.next, %loop ]")
        text.do("%row = phi ptr [ %y, %head ], [ %row.next, %loop ]")
        text.do(f"%later = phi ptr [ {later}, %head ], [ %later.next, %loop ]")
        if self.by_columns:
            text.do("%column = phi ptr [ %x, %head ], [ %column.next, %loop ]")
        sums = self._phis(("head", "loop"), first, after)
        right = [self._load(self._element("%row", v * n), self._partly(v)) for v in range(self.vectors)]
        self._look_ahead()
        if self.by_columns:
            self._add_products(after, sums, right, lambda r: self._element("%column", r))
            text.do(f"%column.next = getelementptr {self.element.word}, ptr %column, i64 %x_pitch")
        else:
            self._add_products(after, sums, right, lambda r: self._element(rows[r], "%k"))
        text.do("%k.next = add nuw nsw i64 %k, 1")
        text.do(f"%row.next = getelementptr {self.element.word}, ptr %row, i64 %y_pitch")
        text.do(f"%later.next = getelementptr {self.element.word}, ptr %later, i64 {step}")
        text.branch(text.set("icmp slt i64 %k.next, %depth"), "loop", "done")
        return after

    def _look_ahead(self) -> None:
        """Prefetch what is read later."""
        self._prefetch("%later")
        for v in range(self.vectors * self.ahead):
            self._prefetch(self._element("%row", (self.vectors + v) * self.type.lanes))

    def _places(self, base: str) -> list[str]:
        """Return the addresses of the vectors of the result, or of what is added to them."""
        rows = [self._row(base, "%to_pitch", r) for r in range(self.rows)]
        return [self._element(row, v * self.type.lanes) for row in rows for v in range(self.vectors)]

    def _prefetch(self, address: str, level: int = 2) -> None:
        """Prefetch the cache line at an address to a level of the caches."""
        to_read, to_level, data = ("i32", "0"), ("i32", str(4 - level)), ("i32", "1")
        self.call("void", "llvm.prefetch.p0", [("ptr", address), to_read, to_level, data])

    def _partly(self, v: int) -> bool:
        return not self.whole and v == self.vectors - 1


class _PanelTile(_Tile):
    """Writes the function of a tile of a product with a packed panel, which prefetches a part of what lies behind the panel."""

    def __init__(self, shape: PanelTileShape, element: Number, name: str) -> None:
        super().__init__(shape, element, name)
        self.finishes = shape.finished

    def _parameters(self) -> Parameters:
        limits = ("ptr", "%bias"), ("i1", "%last"), ("i1", "%plus"), ("ptr", "%added"), *self._limits()
        return (*_PARAMETERS, ("i64", "%part"), *(limits if self.finishes else ()))

    def _limits(self) -> list[tuple[str, str]]:
        return [(self.element.word, "%low"), (self.element.word, "%high")]

    def _begin(self) -> list[str]:
        if not self.finishes:
            return super()._begin()
        bias = [self._load(self._element("%bias", v * self.type.lanes), self._partly(v)) for v in range(self.vectors)]
        word = self.type.word
        some = [self.text.set(f"select i1 %more, {word} zeroinitializer, {word} {each}") for each in bias]
        return [some[v] for v in self.which]

    def _prefetch_results(self) -> None:
        if not self.finishes:  # those of convolutions, which this makes no faster
            super()._prefetch_results()

    def _read_later(self) -> tuple[str, str]:
        """Return where the part behind the panel begins, and its elements for each step; parts that are none are the panel itself."""
        text = self.text
        is_part = text.set(f"icmp slt i64 %part, {self.vectors}")
        before = text.set(f"add i64 %y_pitch, {text.set(f'mul i64 %part, {self.type.lanes}')}")
        place = self._element("%y", text.set(f"mul i64 %depth, {before}"))
        begin = text.set(f"select i1 {is_part}, ptr {place}, ptr %y")
        return begin, text.set(f"select i1 {is_part}, i64 {self.type.lanes}, i64 0")

    def _end(self, sums: list[str]) -> list[str]:
        if not self.finishes:
            return sums
        text, word = self.text, self.type.word
        text.branch("%last", "finish", "write")
        text.block("finish")
        text.branch("%plus", "add", "limit")
        text.block("add")
        added = [
            self._load(place, self._partly(v)) for place, v in zip(self._places("%added"), self.which, strict=True)
        ]
        more = [text.set(f"fadd {word} {a}, {b}") for a, b in zip(sums, added, strict=True)]
        text.block("limit")
        whole = self._phis(("finish", "add"), sums, more)
        low, high = (Value(self.element, (ref,)) for _, ref in self._limits())
        held = [VECTOR_CALLS["clamp"](self, Value(self.type, (ref,)), low, high).ref for ref in whole]
        text.block("write")
        return self._phis(("joined", "limit"), sums, held)


class _BatchSums(_Tile):
    """Writes the function of a tile whose sums are of float64, and those of blocks of rows of float32."""

    def __init__(self, shape: BatchSumsShape, element: Number, name: str) -> None:
        super().__init__(shape, element, name)
        self.block = shape.block
        self.double = f"<{self.type.lanes} x double>"

    def finished(self) -> Template:
        """Return the function."""
        text, zeros = self.text, ["zeroinitializer"] * len(self.which)
        self._count_columns()
        text.end("br label %block")
        text.block("block")
        totals = [f"%total.{k}" for k in range(len(self.which))]
        text.do("%done = phi i64 [ 0, %start ], [ %end, %added ]")
        text.do("%x.block = phi ptr [ %x, %start ], [ %x.next, %added ]")
        text.do("%y.block = phi ptr [ %y, %start ], [ %y.next, %added ]")
        sums = [text.set(f"phi {self.double} [ zeroinitializer, %start ], [ {total}, %added ]") for total in totals]
        left = text.set("sub i64 %depth, %done")
        few = text.set(f"icmp slt i64 {left}, {self.block}")
        text.do(f"%count.block = select i1 {few}, i64 {left}, i64 {self.block}")
        text.do("%end = add i64 %done, %count.block")
        text.end("br label %loop")
        after = self._rows_of_block(zeros)
        text.block("added")
        for total, sum, part in zip(totals, sums, after, strict=True):
            wide = text.set(f"fpext {self.type.word} {part} to {self.double}")
            text.do(f"{total} = fadd {self.double} {sum}, {wide}")
        text.branch(text.set("icmp slt i64 %end, %depth"), "block", "finish")
        text.block("finish")
        for total, place, v in zip(totals, self._places("%to"), self.which, strict=True):
            short = text.set(f"fptrunc {self.double} {total} to {self.type.word}")
            self._store(short, place, self._partly(v))
        text.end("ret void")
        return self._template(_BATCH_SUMS_PARAMETERS)

    def _rows_of_block(self, zeros: Sequence[str]) -> list[str]:
        """Write the loop over the rows of a block, of which there is one at least; return the sums after a row."""
        text, n = self.text, self.type.lanes
        text.block("loop")
        after = [f"%after.{k}" for k in range(len(self.which))]
        text.do("%k = phi i64 [ 0, %block ], [ %k.next, %loop ]")
        text.do("%x.row = phi ptr [ %x.block, %block ], [ %x.next, %loop ]")
        text.do("%y.row = phi ptr [ %y.block, %block ], [ %y.next, %loop ]")
        sums = self._phis(("block", "loop"), zeros, after)
        right = [self._load(self._element("%y.row", v * n), self._partly(v)) for v in range(self.vectors)]
        self._add_products(after, sums, right, lambda r: self._element("%x.row", r))
        text.do("%k.next = add nuw nsw i64 %k, 1")
        text.do(f"%x.next = getelementptr {self.element.word}, ptr %x.row, i64 %x_pitch")
        text.do(f"%y.next = getelementptr {self.element.word}, ptr %y.row, i64 %y_pitch")
        text.branch(text.set("icmp slt i64 %k.next, %count.block"), "loop", "added")
        return after


class _Dots(_Writer):
    """Writes the function of dot products of some rows of x and some of y."""

    def __init__(self, shape: DotsShape, element: Number, name: str) -> None:
        super().__init__(element, name)
        self.shape = shape
        self.which = [(r, c) for r in range(shape.rows) for c in range(shape.columns)]

    def finished(self) -> Template:
        """Return the function."""
        text, zeros = self.text, ["zeroinitializer"] * len(self.which)
        left = [self._row("%x", "%inner", r) for r in range(self.shape.rows)]
        right = [self._row("%y", "%inner", c) for c in range(self.shape.columns)]
        text.do(f"%whole = and i64 %inner, {-self.type.lanes}")
        self._count(text.set("sub i64 %inner, %whole"))
        text.branch(text.set("icmp sgt i64 %whole, 0"), "loop", "rest")
        text.block("loop")
        text.do("%k = phi i64 [ 0, %start ], [ %k.next, %loop ]")
        after = self._named("after")
        self._step(after, self._phis(("start", "loop"), zeros, after), left, right, "%k", False)
        text.do(f"%k.next = add nuw nsw i64 %k, {self.type.lanes}")
        text.branch(text.set("icmp slt i64 %k.next, %whole"), "loop", "rest")
        text.block("rest")
        sums = self._phis(("start", "loop"), zeros, after)
        text.branch(text.set("icmp slt i64 %whole, %inner"), "partly", "done")
        text.block("partly")
        last = self._named("last")
        self._step(last, sums, left, right, "%whole", True)
        text.block("done")
        sums = self._phis(("rest", "partly"), sums, last)
        for (r, c), vector in zip(self.which, sums, strict=True):
            total = VECTOR_CALLS["total"](self, Value(self.type, (vector,))).ref
            place = self._element(self._row("%to", "%to_pitch", r), c)
            text.do(f"store {self.element.word} {total}, ptr {place}, align {self.element.size}")
        text.end("ret void")
        return self._template(_DOTS_PARAMETERS)

    def _named(self, stem: str) -> list[str]:
        return [f"%{stem}.{k}" for k in range(len(self.which))]

    def _step(
        self,
        after: Sequence[str],
        sums: Sequence[str],
        left: Sequence[str],
        right: Sequence[str],
        at: str,
        partly: bool,
    ) -> None:
        """Add the products of the vectors at an index."""
        y = [self._load(self._element(row, at), partly) for row in right]
        for r, row in enumerate(left):
            x = self._load(self._element(row, at), partly)
            for k, (other, c) in enumerate(self.which):
                if other == r:
                    self._add_product(after[k], sums[k], x, y[c])
