"""The template that transposes a square: as many vectors as each has elements.

Matrices are transposed, and columns packed, square by square. A vector has four parts of 16 bytes, inside of which processors
exchange elements in one instruction. So the elements inside of the parts are transposed first, then the parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..arithmetic import cast
from ..arrays import require_mutable
from ..errors import Unsupported
from ..module import Template
from ..types import I8, NONE, Number, Vector
from ..values import Value, is_array

if TYPE_CHECKING:
    from ..functions import FunctionCompiler

__all__ = ["call_square"]

_TEXT = """
define void @{name}(ptr %x, i64 %x.pitch, i64 %rows, i64 %columns, ptr %to, i64 %to.pitch, i64 %filled) nounwind {{
start:
  %here = alloca [{n} x {vector}]
  %nowhere = alloca {vector}
  %width = call i64 @llvm.smin.i64(i64 %columns, i64 {n})
  %height = call i64 @llvm.smin.i64(i64 %filled, i64 {n})
  %width.short = trunc i64 %width to i32
  %height.short = trunc i64 %height to i32
  %last = sub i64 %rows, 1
  %whole = icmp sge i64 %filled, {n}
  %p.to = select i1 %whole, ptr %to, ptr %here
  %p.pitch = select i1 %whole, i64 %to.pitch, i64 {n}
  %none = icmp slt i64 %width, 1
  %i.one = insertelement <{n} x i32> undef, i32 %width.short, i32 0
  %i.widths = shufflevector <{n} x i32> %i.one, <{n} x i32> undef, <{n} x i32> zeroinitializer
  %i.mask = icmp slt <{n} x i32> {places}, %i.widths
{inside}
  br i1 %none, label %out, label %parts
parts:
{parts}
  br i1 %whole, label %out, label %row
row:
  %t = phi i64 [ 0, %parts ], [ %t.next, %row ]
  %t.from = getelementptr {vector}, ptr %here, i64 %t
  %t.row = load {vector}, ptr %t.from
  %t.at = mul i64 %t, %to.pitch
  %t.to = getelementptr {element}, ptr %to, i64 %t.at
  %t.one = insertelement <{n} x i32> undef, i32 %height.short, i32 0
  %t.heights = shufflevector <{n} x i32> %t.one, <{n} x i32> undef, <{n} x i32> zeroinitializer
  %t.mask = icmp slt <{n} x i32> {places}, %t.heights
  call void @llvm.masked.store.{suffix}.p0({vector} %t.row, ptr %t.to, i32 {size}, <{n} x i1> %t.mask)
  %t.next = add nuw nsw i64 %t, 1
  %t.more = icmp slt i64 %t.next, %width
  br i1 %t.more, label %row, label %out
out:
  ret void
}}
"""
PARTS = 4  # of a vector
_NEEDS = (
    "declare i64 @llvm.smin.i64(i64, i64)",
    "declare {vector} @llvm.masked.load.{suffix}.p0(ptr, i32, <{n} x i1>, {vector})",
    "declare void @llvm.masked.store.{suffix}.p0({vector}, ptr, i32, <{n} x i1>)",
)


def call_square(f: FunctionCompiler, shape: tuple[int, ...], arguments: Sequence[Value]) -> Value:
    """Write a call that transposes a square.

    Args:
        shape: nothing.
        arguments: x, index of its first element, elements between its rows, its rows and columns of which at most a square is
            read; the same of `to`, and how many elements of its rows are written: where x has fewer rows, its last one again.
    """
    x, x_at, x_pitch, rows, columns, to, to_at, to_pitch, filled = arguments
    element = _element_of(x, to)
    require_mutable(to)
    f.effects += 1
    name = f"square.{element.code}"
    f.module.template(name, lambda: _template(name, element))
    places = [
        f"getelementptr {element.word}, ptr {a.data}, i64 {cast(f, at, I8).ref}" for a, at in ((x, x_at), (to, to_at))
    ]
    source, target = (f.text.set(place) for place in places)
    pitch, height, width, to_pitch_, some = (
        cast(f, number, I8).ref for number in (x_pitch, rows, columns, to_pitch, filled)
    )
    f.text.do(
        f"call void @{name}(ptr {source}, i64 {pitch}, i64 {height}, i64 {width}, ptr {target}, i64 {to_pitch_}, i64 {some})"
    )
    return Value(NONE)


def _element_of(x: Value, to: Value) -> Number:
    """Return the type of the elements of both arrays."""
    if not all(is_array(a) and a.type.rank == 1 and a.type.layout == "C" for a in (x, to)):
        raise Unsupported("a square of something other than contiguous arrays of one dimension")
    element: Number = x.type.element
    if element.kind != "f" or element.size < 4 or to.type.element != element:
        raise Unsupported("a square of arrays that are not both of float32 or both of float64")
    return element


def _template(name: str, element: Number) -> Template:
    type = Vector(element)
    words = {
        "name": name, "n": type.lanes, "vector": type.word, "element": element.word, "size": element.size,
        "suffix": f"v{type.lanes}f{element.bits}", "places": f"<{', '.join(f'i32 {k}' for k in range(type.lanes))}>",
    }  # fmt: skip
    text = _TEXT.format(inside="\n".join(_inside(type)), parts="\n".join(_parts(type)), **words)
    declaration = f"declare void @{name}(ptr, i64, i64, i64, ptr, i64, i64) nounwind"
    return Template(declaration, frozenset(line.format(**words) for line in _NEEDS), text)


def _inside(type: Vector) -> list[str]:
    """Return the instructions that load all rows, and transpose the squares inside of their parts."""
    n, part, word, size = type.lanes, type.lanes // PARTS, type.word, type.element.size
    lines = []
    for k in range(n):
        lines += [
            f"  %i{k}.row = call i64 @llvm.smin.i64(i64 {k}, i64 %last)", f"  %i{k}.at = mul i64 %i{k}.row, %x.pitch",
            f"  %i{k} = getelementptr {type.element.word}, ptr %x, i64 %i{k}.at",
        ]  # fmt: skip
        given = f"ptr %i{k}, i32 {size}, <{n} x i1> %i.mask, {word} zeroinitializer"
        lines.append(f"  %v0.{k} = call {word} @llvm.masked.load.v{n}f{type.element.bits}.p0({given})")
    for turn in range(part.bit_length() - 1):
        some = (
            1 << turn
        )  # elements of one vector, then as many of the other: of the first half of each part, or of the second
        halves = [
            [v * n + first + half + j + k for first in range(0, n, part) for j in range(0, part // 2, some)
             for v in (0, 1) for k in range(some)]
            for half in (0, part // 2)
        ]  # fmt: skip
        lines += _round(type, turn, halves)
    return lines


def _parts(type: Vector) -> list[str]:
    """Return the instructions that transpose the parts of all vectors, and store these as rows."""
    n, part, word, size = type.lanes, type.lanes // PARTS, type.word, type.element.size
    inside, lines = part.bit_length() - 1, []
    for turn in (inside, inside + 1):
        halves = [
            [v * n + first + k for v in (0, 1) for first in range(odd * part, n, 2 * part) for k in range(part)]
            for odd in (0, 1)
        ]
        lines += _round(type, turn, halves)
    for k in range(n):
        low = k % part
        held = k - low + (low if part == 2 else low % 2 * 2 + low // 2)  # the rounds inside have reversed these bits
        lines += [
            f"  %p{k}.used = icmp slt i64 {k}, %width", f"  %p{k}.at = mul i64 %p.pitch, {k}",
            f"  %p{k}.to = getelementptr {type.element.word}, ptr %p.to, i64 %p{k}.at",
            f"  %p{k} = select i1 %p{k}.used, ptr %p{k}.to, ptr %nowhere",
            f"  store {word} %v{inside + 2}.{held}, ptr %p{k}, align {size}",
        ]  # fmt: skip
    return lines


def _round(type: Vector, turn: int, halves: Sequence[Sequence[int]]) -> list[str]:
    """Return the instructions that combine vectors whose numbers differ in a bit to two others, of elements at these places."""
    lines = []
    for k in (k for k in range(type.lanes) if not k >> turn & 1):
        for half, places in enumerate(halves):
            mask = f"<{type.lanes} x i32> <{', '.join(f'i32 {place}' for place in places)}>"
            pair = f"{type.word} %v{turn}.{k}, {type.word} %v{turn}.{k | 1 << turn}"
            lines.append(f"  %v{turn + 1}.{k | half << turn} = shufflevector {pair}, {mask}")
    return lines
