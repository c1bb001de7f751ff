"""Vectors of 64 bytes: what `kernels/simd.py` offers, in LLVM's instructions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .arithmetic import Emitter, cast
from .arrays import require_mutable
from .errors import Unsupported
from .types import I8, NONE, Vector
from .values import Value, is_array, tuple_of

__all__ = ["VECTOR_CALLS", "spread"]


def spread(e: Emitter, number: Value) -> Value:
    """Return a vector with one number in all its elements."""
    type = Vector(number.type)
    one = e.text.set(f"insertelement {type.word} undef, {number.type.word} {number.ref}, i32 0")
    zeros = f"<{type.lanes} x i32> zeroinitializer"
    return Value(type, (e.text.set(f"shufflevector {type.word} {one}, {type.word} undef, {zeros}"),))


def _vector_of(array: Value) -> Vector:
    """Return the type of the vectors of a contiguous array of one dimension."""
    if not is_array(array) or array.type.rank != 1 or array.type.layout == "A" or array.type.element.kind != "f":
        raise Unsupported("a vector of something other than a contiguous array of floats with one dimension")
    return Vector(array.type.element)


def _address(e: Emitter, array: Value, index: Value) -> str:
    return e.text.set(f"getelementptr {array.type.element.word}, ptr {array.data}, i64 {cast(e, index, I8).ref}")


def _load(e: Emitter, array: Value, index: Value) -> Value:
    type = _vector_of(array)
    return Value(type, (e.text.set(f"load {type.word}, ptr {_address(e, array, index)}, align {type.element.size}"),))


def _load_halves(e: Emitter, array: Value, index: Value, other: Value) -> Value:
    type = _vector_of(array)
    half = f"<{type.lanes // 2} x {type.element.word}>"
    first, second = (
        e.text.set(f"load {half}, ptr {_address(e, array, at)}, align {type.element.size}") for at in (index, other)
    )
    return Value(type, (_shuffled(e, half, first, second, range(type.lanes)),))


def _store(e: Emitter, array: Value, index: Value, vector: Value) -> Value:
    type = _vector_of(array)
    require_mutable(array)
    _require(vector, type)
    e.text.do(f"store {type.word} {vector.ref}, ptr {_address(e, array, index)}, align {type.element.size}")
    return Value(NONE)


def _require(vector: Value, type: Vector) -> None:
    if vector.type != type:
        raise Unsupported("a vector of another dtype than the array's")


def _mask(e: Emitter, type: Vector, count: Value) -> tuple[str, str]:
    """Return the type and the value of a mask of the first `count` elements."""
    n = type.lanes
    one = e.text.set(f"insertelement <{n} x i64> undef, i64 {cast(e, count, I8).ref}, i32 0")
    counts = e.text.set(f"shufflevector <{n} x i64> {one}, <{n} x i64> undef, <{n} x i32> zeroinitializer")
    places = ", ".join(f"i64 {k}" for k in range(n))
    return f"<{n} x i1>", e.text.set(f"icmp slt <{n} x i64> <{places}>, {counts}")


def _masked(type: Vector, what: str) -> str:
    return f"llvm.masked.{what}.v{type.lanes}f{type.element.bits}.p0"


def _load_first(e: Emitter, array: Value, index: Value, count: Value) -> Value:
    type = _vector_of(array)
    address, mask = _address(e, array, index), _mask(e, type, count)
    given = [("ptr", address), ("i32", str(type.element.size)), mask, (type.word, "zeroinitializer")]
    return Value(type, (e.call(type.word, _masked(type, "load"), given),))


def _store_first(e: Emitter, array: Value, index: Value, vector: Value, count: Value) -> Value:
    type = _vector_of(array)
    require_mutable(array)
    _require(vector, type)
    address, mask = _address(e, array, index), _mask(e, type, count)
    given = [(type.word, vector.ref), ("ptr", address), ("i32", str(type.element.size)), mask]
    e.call("void", _masked(type, "store"), given)
    return Value(NONE)


def _prefetch(e: Emitter, array: Value, index: Value) -> Value:
    to_read, to_second_level, data = ("i32", "0"), ("i32", "2"), ("i32", "1")
    e.call("void", "llvm.prefetch.p0", [("ptr", _address(e, array, index)), to_read, to_second_level, data])
    return Value(NONE)


def _zeros(e: Emitter, array: Value) -> Value:
    return Value(_vector_of(array), ("zeroinitializer",))


def _clamp(e: Emitter, vector: Value, low: Value, high: Value) -> Value:
    type, ref = vector.type, vector.ref
    for sign, limit in (("olt", low), ("ogt", high)):
        bound = spread(e, cast(e, limit, type.element)).ref
        test = e.text.set(f"fcmp {sign} {type.word} {ref}, {bound}")
        ref = e.text.set(f"select <{type.lanes} x i1> {test}, {type.word} {bound}, {type.word} {ref}")
    return Value(type, (ref,))


def _where_less(e: Emitter, a: Value, b: Value, this: Value, other: Value) -> Value:
    type = a.type
    for each in (b, this, other):
        _require(each, type)
    test = e.text.set(f"fcmp olt {type.word} {a.ref}, {b.ref}")
    return Value(
        type, (e.text.set(f"select <{type.lanes} x i1> {test}, {type.word} {this.ref}, {type.word} {other.ref}"),)
    )


def _larger(e: Emitter, a: Value, b: Value) -> Value:
    type = a.type
    _require(b, type)
    mask = f"<{type.lanes} x i1>"
    tests = [e.text.set(f"fcmp {sign} {type.word} {a.ref}, {other.ref}") for sign, other in (("oge", b), ("uno", a))]
    kept = e.text.set(f"or {mask} {tests[0]}, {tests[1]}")
    return Value(type, (e.text.set(f"select {mask} {kept}, {type.word} {a.ref}, {type.word} {b.ref}"),))


def _total(e: Emitter, vector: Value) -> Value:
    ref, size, word = vector.ref, vector.type.lanes, vector.type.word
    while size > 1:  # add the two halves
        size //= 2
        halves = [_shuffled(e, word, ref, ref, range(first, first + size)) for first in (0, size)]
        word = f"<{size} x {vector.type.element.word}>"
        ref = e.text.set(f"fadd {word} {halves[0]}, {halves[1]}")
    return Value(vector.type.element, (e.text.set(f"extractelement {word} {ref}, i32 0"),))


def _shuffled(e: Emitter, word: str, a: str, b: str, places: Sequence[int]) -> str:
    mask = f"<{len(places)} x i32> <{', '.join(f'i32 {place}' for place in places)}>"
    return e.text.set(f"shufflevector {word} {a}, {word} {b}, {mask}")


def _deinterleave(e: Emitter, a: Value, b: Value) -> Value:
    n = a.type.lanes
    return _two(e, a, b, [range(0, 2 * n, 2), range(1, 2 * n, 2)])


def _interleave(e: Emitter, a: Value, b: Value) -> Value:
    n = a.type.lanes
    return _two(e, a, b, [[k // 2 + n * (k % 2) for k in range(first, first + n)] for first in (0, n)])


def _two(e: Emitter, a: Value, b: Value, places: Sequence[Sequence[int]]) -> Value:
    """Return two vectors composed of the elements of two."""
    return tuple_of([Value(a.type, (_shuffled(e, a.type.word, a.ref, b.ref, each),)) for each in places])


VECTOR_CALLS: dict[str, Callable[..., Value]] = {
    "load": _load, "load_halves": _load_halves, "store": _store, "load_first": _load_first, "store_first": _store_first, "prefetch": _prefetch,
    "zeros": _zeros, "clamp": _clamp, "total": _total, "deinterleave": _deinterleave, "interleave": _interleave,
    "where_less": _where_less, "larger": _larger,
}  # fmt: skip
