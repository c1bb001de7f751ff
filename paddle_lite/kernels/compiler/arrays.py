"""Arrays: indexing, slices, reshaping, filling, copying, and allocation of temporaries.

Indexing follows Python: a negative index counts from the end, a slice is limited to the array. An index that is certainly
not negative (a loop variable, a size, sums of those) needs no instructions for that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from .arithmetic import Emitter, binary, cast, compare, extreme
from .errors import Unsupported
from .types import F2, F4, I8, Array, Number, Slice, describe
from .values import Value, constant, is_array, is_number, size_value

if TYPE_CHECKING:
    from .functions import FunctionCompiler

__all__ = [
    "allocate",
    "assign_elements",
    "element_count",
    "index",
    "load_index",
    "loosen",
    "reduce_elements",
    "reshape",
    "store_index",
]


def element_count(e: Emitter, array: Value) -> Value:
    """Return the number of elements of an array."""
    return reduce(lambda a, b: binary(e, "*", a, b), map(size_value, array.sizes), constant(1))._replace(natural=True)


def _all_strides(e: Emitter, array: Value) -> list[str]:
    """Return the strides of all dimensions in bytes."""
    size = array.type.element.size
    if array.type.layout == "A":
        return list(array.strides)
    if array.type.layout == "I":
        return [*array.strides, str(size)]
    strides = [constant(size)]
    for dim in reversed(array.sizes[1:]):
        strides.insert(0, binary(e, "*", strides[0], size_value(dim)))
    return [stride.ref for stride in strides]


def loosen(e: Emitter, array: Value, to: Any) -> Value:
    """Return an array as one of a layout that demands less."""
    if not is_array(array) or not isinstance(to, Array):
        raise Unsupported(f"{describe(array.type)} where {describe(to)} is needed")
    strides = _all_strides(e, array)
    kept = strides if to.layout == "A" else strides[:-1]
    return Value(to, (array.data, *array.sizes, *kept))


# --- indexing -------------------------------------------------------------------------------------------------------------


def _position(f: FunctionCompiler, given: Value, size: str, node: Any) -> Value:
    """Return an index that is not negative, for a dimension of a size."""
    if not is_number(given) or given.type.kind == "f":
        raise Unsupported(f"an index of {describe(given.type)}")
    at = cast(f, given, I8)
    if given.natural or given.type.kind in "ub":
        at = at._replace(natural=True)
    elif at.exact is not None:
        at = binary(f, "+", size_value(size), at)
    else:
        below = f.text.set(f"icmp slt i64 {at.ref}, 0")
        moved = f.text.set(f"add i64 {at.ref}, {size}")
        at = Value(I8, (f.text.set(f"select i1 {below}, i64 {moved}, i64 {at.ref}"),))
    f.check_bounds(at, size, node)
    return at


def _limits(f: FunctionCompiler, part: Value, size: str) -> tuple[Value, Value]:
    """Return the first index and the length of a slice of a dimension, limited to it."""
    dim, refs = size_value(size), list(part.refs)
    first, last = constant(0), dim
    if part.type.lower:
        first = _limited(f, Value(I8, (refs.pop(0),)), dim)
    if part.type.upper:
        last = _limited(f, Value(I8, (refs.pop(0),)), dim)
    if first.exact == 0:
        return first, last._replace(natural=True)
    length = binary(f, "-", last, first)
    if last.ref == size:
        return first, length._replace(natural=True)
    return first, extreme(f, ">", [length, constant(0)])._replace(natural=True)


def _limited(f: FunctionCompiler, bound: Value, dim: Value) -> Value:
    """Return a bound of a slice between 0 and the size of the dimension."""
    if bound.ref == "0":
        return constant(0)
    if bound.ref.startswith("-"):
        return extreme(f, ">", [binary(f, "+", dim, bound._replace(exact=int(bound.ref))), constant(0)])
    if not bound.ref.isdigit():
        below = f.text.set(f"icmp slt i64 {bound.ref}, 0")
        moved = f.text.set(f"add i64 {bound.ref}, {dim.ref}")
        bound = Value(I8, (f.text.set(f"select i1 {below}, i64 {moved}, i64 {bound.ref}"),))
        bound = extreme(f, ">", [bound, constant(0)])
    return extreme(f, "<", [bound, dim])._replace(natural=True)


def index(f: FunctionCompiler, array: Value, indices: Sequence[Value], node: Any = None) -> Value:
    """Return array[indices] as an array of the remaining dimensions; of rank 0 if there are none."""
    type = array.type
    if len(indices) > type.rank:
        raise Unsupported(f"{len(indices)} indices of {describe(type)}")
    whole = Value(Slice(False, False))
    parts = [*indices, *[whole] * (type.rank - len(indices))]
    contiguous = type.layout == "C" and all(is_number(part) for part in indices[:-1])
    if contiguous:
        return _index_contiguous(f, array, parts, node)
    data, sizes, strides = array.data, [], []
    offset = constant(0)
    for part, size, stride in zip(parts, array.sizes, _all_strides(f, array), strict=True):
        if isinstance(part.type, Slice):
            first, length = _limits(f, part, size)
            sizes.append(length.ref)
            strides.append(stride)
        else:
            first = _position(f, part, size, node)
        offset = binary(f, "+", offset, binary(f, "*", first, _stride_value(stride)))
    if offset.exact != 0:
        data = f.text.set(f"getelementptr i8, ptr {data}, i64 {offset.ref}")
    inner = isinstance(parts[-1].type, Slice) and type.layout in "CI"
    kept = strides[:-1] if inner else strides
    return Value(Array(type.element, len(sizes), "I" if inner else "A", type.mutable), (data, *sizes, *kept))


def _stride_value(ref: str) -> Value:
    digits = ref.lstrip("-").isdigit()
    return Value(I8, (ref,), digits and not ref.startswith("-"), int(ref) if digits else None)


def _index_contiguous(f: FunctionCompiler, array: Value, parts: Sequence[Value], node: Any) -> Value:
    """Index a contiguous array by numbers and then at most one slice: the rest is contiguous as well."""
    offset, sizes = constant(0), []
    for part, size in zip(parts, array.sizes, strict=True):
        offset = binary(f, "*", offset, size_value(size))
        if isinstance(part.type, Slice):
            first, length = _limits(f, part, size)
            sizes.append(length.ref)
        else:
            first = _position(f, part, size, node)
        offset = binary(f, "+", offset, first)
    data = array.data
    if offset.exact != 0:
        data = f.text.set(f"getelementptr inbounds {array.type.element.stored}, ptr {data}, i64 {offset.ref}")
    return Value(Array(array.type.element, len(sizes), "C", array.type.mutable), (data, *sizes))


def require_mutable(array: Value) -> None:
    """Raise Unsupported if an array may not be written to."""
    if not array.type.mutable:
        raise Unsupported("an assignment to a read-only array")


def load(f: Emitter, element: Number, address: str) -> Value:
    """Return the number at an address."""
    given = Value(element, (f.text.set(f"load {element.stored}, ptr {address}"),))
    if element.kind == "b":
        return Value(element, (f.text.set(f"trunc i8 {given.ref} to i1"),), True)
    return cast(f, given, F4) if element == F2 else given._replace(natural=element.kind == "u")


def store(f: Emitter, element: Number, address: str, value: Value) -> None:
    """Store a number, converted to the element's type, at an address."""
    value = cast(f, value, element)
    ref = f.text.set(f"zext i1 {value.ref} to i8") if element.kind == "b" else value.ref
    f.text.do(f"store {element.stored} {ref}, ptr {address}")


def load_index(f: FunctionCompiler, array: Value, indices: Sequence[Value], node: Any = None) -> Value:
    """Return array[indices]: a number, or an array that shares memory."""
    found = index(f, array, indices, node)
    return load(f, found.type.element, found.data) if found.type.rank == 0 else found


def store_index(f: FunctionCompiler, array: Value, indices: Sequence[Value], value: Value, node: Any = None) -> None:
    """Assign array[indices] = value: a number to an element or to all elements of a part, or an array to a part."""
    require_mutable(array)
    place = index(f, array, indices, node)
    if place.type.rank == 0:
        store(f, place.type.element, place.data, value)
    else:
        assign_elements(f, place, value, node)


# --- whole arrays ---------------------------------------------------------------------------------------------------------


def for_each(f: FunctionCompiler, array: Value, body: Callable[[list[Value]], None]) -> None:
    """Run body(indices) for every element, the last dimension innermost."""

    def nest(d: int, at: list[Value]) -> None:
        if d == array.type.rank:
            body(at)
        else:
            f.count_up(size_value(array.sizes[d]), lambda k: nest(d + 1, [*at, k]))

    nest(0, [])


def assign_elements(f: FunctionCompiler, place: Value, value: Value, node: Any = None) -> None:
    """Assign a number to all elements of an array, or the elements of an array of the same shape in their order."""
    if is_array(value):
        if value.type.rank != place.type.rank:
            raise Unsupported(f"{describe(value.type)} assigned to {describe(place.type)}")
        for left, right in zip(place.sizes, value.sizes, strict=True):
            if left != right:
                same = compare(f, "==", size_value(left), size_value(right))
                f.require(same, "an array is assigned to a part of another shape", node)
    elif is_number(value):
        value = cast(f, value, place.type.element)
    else:
        raise Unsupported(f"{describe(value.type)} assigned to {describe(place.type)}")
    if place.type.layout == "C" and (is_number(value) or value.type.layout == "C"):
        place, value = reshape(f, place, []), reshape(f, value, []) if is_array(value) else value

    def body(at: list[Value]) -> None:
        store_index(f, place, at, load_index(f, value, at) if is_array(value) else value)

    for_each(f, place, body)


def reduce_elements(f: FunctionCompiler, array: Value, sign: str) -> Value:
    """Return the minimum (sign "<") or the maximum (">") of the elements; NaN if one of them is NaN, as NumPy has it."""
    flat = reshape(f, array, []) if array.type.layout == "C" else array
    first = load_index(f, flat, [constant(0)] * flat.type.rank)
    slot = f.text.slot(first.type.word)
    f.text.do(f"store {first.type.word} {first.ref}, ptr {slot}")

    def body(at: list[Value]) -> None:
        from .arithmetic import choose

        best = Value(first.type, (f.text.set(f"load {first.type.word}, ptr {slot}"),))
        value = load_index(f, flat, at)
        better = compare(f, sign, value, best)
        if first.type.kind == "f":
            missing = f.text.set(f"fcmp uno {first.type.word} {value.ref}, {value.ref}")
            better = Value(better.type, (f.text.set(f"or i1 {better.ref}, {missing}"),))
            known = f.text.set(f"fcmp ord {first.type.word} {best.ref}, {best.ref}")
            better = Value(better.type, (f.text.set(f"and i1 {better.ref}, {known}"),))
        f.text.do(f"store {first.type.word} {choose(f, better, value, best).ref}, ptr {slot}")

    for_each(f, flat, body)
    return Value(first.type, (f.text.set(f"load {first.type.word}, ptr {slot}"),))


def reshape(f: Emitter, array: Value, sizes: Sequence[Value]) -> Value:
    """Return a contiguous array with other sizes, one of which may be -1; no sizes mean one dimension."""
    if array.type.layout != "C":
        raise Unsupported("a strided array is reshaped")
    dims = [cast(f, size, I8) for size in sizes] or [constant(-1)]
    free = [k for k, dim in enumerate(dims) if dim.exact == -1]
    if free:
        total = element_count(f, array)
        rest = [dim for k, dim in enumerate(dims) if k != free[0]]
        for dim in rest:
            total = binary(f, "//", total, dim)
        dims[free[0]] = total
    return Value(
        Array(array.type.element, len(dims), "C", array.type.mutable), (array.data, *(dim.ref for dim in dims))
    )


def allocate(f: FunctionCompiler, sizes: Sequence[Value], element: Number, zeroed: bool, node: Any) -> Value:
    """Return a new contiguous array, which lives until the function returns."""
    dims = [cast(f, size, I8)._replace(natural=True) for size in sizes]
    array = Value(Array(element, len(dims)), ("null", *(dim.ref for dim in dims)))
    count = binary(f, "*", element_count(f, array), constant(element.size))
    data = f.allocation(count, node)
    if zeroed:
        f.call("void", "llvm.memset.p0.i64", [("ptr", data), ("i8", "0"), ("i64", count.ref), ("i1", "false")])
    return Value(array.type, (data, *array.sizes))
