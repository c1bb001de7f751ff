"""SIMD vectors for Numba kernels, for loops over more arrays than LLVM would check for overlaps by itself.

A kernel loads a vector with `load(array, index)`, adds, subtracts and multiplies vectors (a number is broadcast to a
vector) and stores one with `store(array, index, vector)`. Arrays are contiguous and have one dimension. Bounds are not
checked: the caller provides room for a whole vector behind the last element. A vector has 64 bytes, which is 16
elements of float32 or 8 of float64; LLVM splits it on processors with shorter registers. Products and sums are
contracted.

If compilation is disabled, a vector is a NumPy array.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any, cast

import numpy as np

from paddle_lite.kernels.numba_jit import Inline

__all__ = [
    "SIZE",
    "clamp",
    "deinterleave",
    "interleave",
    "lanes",
    "larger",
    "load",
    "load_first",
    "load_halves",
    "prefetch",
    "store",
    "store_first",
    "total",
    "where_less",
    "zeros",
]

SIZE = 64  # bytes of a vector


def lanes(dtype: Any) -> int:
    """Return the number of elements of a vector."""
    return SIZE // np.dtype(dtype).itemsize


class Intrinsic(Inline):
    """A function for use inside kernels that emits LLVM instructions; called from Python, a Python function replaces it."""

    __slots__ = ("typing",)

    def __init__(self, python: Callable, typing: Callable) -> None:
        super().__init__(cast(FunctionType, python), {})
        self.typing = typing

    def lower(self, f: Any, arguments: Sequence[Any]) -> Any:
        """Write the instructions of a call."""
        from .compiler.vectors import VECTOR_CALLS

        return VECTOR_CALLS[self.typing.__name__](f, *arguments)

    def build(self) -> Callable:
        """Return Numba's intrinsic, for the kernels that refer to this function."""
        from numba.extending import intrinsic

        return intrinsic(self.typing)

    def contents(self) -> Iterator[object]:
        """Yield a digest of this module, since the instructions depend on its helpers."""
        yield self.typing.__name__, _own_digest()


@functools.cache
def _own_digest() -> str:
    with open(__file__, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _in_python(python: Callable) -> Callable[[Callable], Intrinsic]:
    """Decorate an implementation for `numba.extending.intrinsic` with its equivalent in Python."""
    return lambda typing: Intrinsic(python, typing)


@functools.cache
def vector_type() -> Any:
    """Return Numba's type of vectors, with its arithmetic; created once."""
    import operator

    from llvmlite import ir
    from numba.core import types
    from numba.core.typing.templates import AbstractTemplate, infer_global, signature
    from numba.extending import lower_builtin, models, register_model

    class Vector(types.Type):
        def __init__(self, dtype: Any) -> None:
            self.dtype = dtype
            self.lanes = SIZE * 8 // dtype.bitwidth
            super().__init__(name=f"vector({dtype}, {self.lanes})")

    @register_model(Vector)
    class VectorModel(models.PrimitiveModel):
        def __init__(self, manager: Any, kind: Any) -> None:
            element = ir.FloatType() if kind.dtype == types.float32 else ir.DoubleType()
            super().__init__(manager, kind, ir.VectorType(element, kind.lanes))

    def as_vector(context: Any, builder: Any, value: Any, given: Any, kind: Any) -> Any:
        if isinstance(given, Vector):
            return value
        return _spread(context, builder, context.cast(builder, value, given, kind.dtype), kind)

    for sign, method in ((operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul")):

        @infer_global(sign)
        class Arithmetic(AbstractTemplate):
            def generic(self, args: Any, kws: Any) -> Any:
                vectors = [arg for arg in args if isinstance(arg, Vector)]
                if len(args) == 2 and vectors and all(isinstance(arg, (Vector, types.Number)) for arg in args):
                    return signature(vectors[0], *args)
                return None

        def lower(context: Any, builder: Any, sig: Any, args: Any, method: str = method) -> Any:
            pair = [as_vector(context, builder, *item, sig.return_type) for item in zip(args, sig.args)]
            return getattr(builder, method)(*pair, flags=("contract", "nsz"))

        for left, right in ((Vector, Vector), (Vector, types.Number), (types.Number, Vector)):
            lower_builtin(sign, left, right)(lower)
    return Vector


def _spread(context: Any, builder: Any, value: Any, vector: Any) -> Any:
    """Return a vector with one number in all its elements."""
    from llvmlite import ir

    shape = context.get_value_type(vector)
    one = builder.insert_element(ir.Constant(shape, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    mask = ir.Constant(ir.VectorType(ir.IntType(32), vector.lanes), [0] * vector.lanes)
    return builder.shuffle_vector(one, ir.Constant(shape, ir.Undefined), mask)


def _element(context: Any, builder: Any, array: Any, kind: Any, index: Any, vector: Any) -> Any:
    """Return the address of an element as a pointer to a vector."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), context.get_value_type(vector).as_pointer())


def _load(array, index):
    return array[index : index + SIZE // array.itemsize].copy()


@_in_python(_load)
def load(typing, array, index):
    """Return the vector that starts at an element of an array."""
    vector = vector_type()(array.dtype)

    def build(context, builder, sig, args):
        address = _element(context, builder, args[0], sig.args[0], args[1], vector)
        return builder.load(address, align=array.dtype.bitwidth // 8)

    return vector(array, _index()), build


def _load_halves(array, index, other):
    half = SIZE // 2 // array.itemsize
    return np.concatenate([array[index : index + half], array[other : other + half]])


@_in_python(_load_halves)
def load_halves(typing, array, index, other):
    """Return the vector of two halves that start at two elements of an array; with registers of 32 bytes as fast as `load`."""
    vector = vector_type()(array.dtype)

    def build(context, builder, sig, args):
        from llvmlite import ir

        n, element = vector.lanes, context.get_value_type(vector).element
        half, align = ir.VectorType(element, n // 2), array.dtype.bitwidth // 8
        parts = []
        for at in args[1:]:
            address = _element(context, builder, args[0], sig.args[0], at, vector)
            parts.append(builder.load(builder.bitcast(address, half.as_pointer()), align=align))
        return builder.shuffle_vector(*parts, ir.Constant(ir.VectorType(ir.IntType(32), n), list(range(n))))

    return vector(array, _index(), _index()), build


def _store(array, index, vector):
    array[index : index + vector.size] = vector


@_in_python(_store)
def store(typing, array, index, vector):
    """Store a vector into an array of its dtype, starting at an element."""
    if vector_type()(array.dtype) != vector:
        return None

    def build(context, builder, sig, args):
        address = _element(context, builder, args[0], sig.args[0], args[1], vector)
        builder.store(args[2], address, align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return _none()(array, _index(), vector), build


def _load_first(array, index, count):
    vector = np.zeros(SIZE // array.itemsize, array.dtype)
    count = min(max(count, 0), vector.size)
    vector[:count] = array[index : index + count]
    return vector


@_in_python(_load_first)
def load_first(typing, array, index, count):
    """Return the vector that starts at an element, with zeros from its element `count` on; those are not read."""
    vector = vector_type()(array.dtype)

    def build(context, builder, sig, args):
        address = _element(context, builder, args[0], sig.args[0], args[1], vector)
        return _masked(context, builder, "load", vector, address, args[2], None)

    return vector(array, _index(), _index()), build


def _prefetch(array, index):
    pass


@_in_python(_prefetch)
def prefetch(typing, array, index):
    """Prefetch an element that will be read soon; one beyond the end of the array does no harm."""

    def build(context, builder, sig, args):
        from llvmlite import ir

        address = _element(context, builder, args[0], sig.args[0], args[1], vector_type()(array.dtype))
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
        to_read, to_second_level, data = number(0), number(2), number(1)
        function = builder.module.declare_intrinsic("llvm.prefetch.p0", (), kind)
        builder.call(function, [address, to_read, to_second_level, data])
        return context.get_dummy_value()

    return _none()(array, _index()), build


def _store_first(array, index, vector, count):
    count = min(max(count, 0), vector.size)
    array[index : index + count] = vector[:count]


@_in_python(_store_first)
def store_first(typing, array, index, vector, count):
    """Store the first `count` elements of a vector into an array of its dtype."""
    if vector_type()(array.dtype) != vector:
        return None

    def build(context, builder, sig, args):
        address = _element(context, builder, args[0], sig.args[0], args[1], vector)
        _masked(context, builder, "store", vector, address, args[3], args[2])
        return context.get_dummy_value()

    return _none()(array, _index(), vector, _index()), build


def _masked(context: Any, builder: Any, what: str, vector: Any, address: Any, count: Any, value: Any) -> Any:
    """Emit LLVM's masked load or store of the first elements of a vector."""
    from llvmlite import ir

    long, shape = ir.VectorType(ir.IntType(64), vector.lanes), context.get_value_type(vector)
    bits = ir.VectorType(ir.IntType(1), vector.lanes)
    one = builder.insert_element(ir.Constant(long, ir.Undefined), count, ir.Constant(ir.IntType(32), 0))
    same = ir.Constant(ir.VectorType(ir.IntType(32), vector.lanes), [0] * vector.lanes)
    counts = builder.shuffle_vector(one, ir.Constant(long, ir.Undefined), same)
    mask = builder.icmp_signed("<", ir.Constant(long, list(range(vector.lanes))), counts)
    align, suffix = ir.Constant(ir.IntType(32), vector.dtype.bitwidth // 8), f"v{vector.lanes}f{vector.dtype.bitwidth}"
    if what == "load":
        kind = ir.FunctionType(shape, [address.type, align.type, bits, shape])
        arguments = [address, align, mask, ir.Constant(shape, [0.0] * vector.lanes)]
    else:
        kind = ir.FunctionType(ir.VoidType(), [shape, address.type, align.type, bits])
        arguments = [value, address, align, mask]
    return builder.call(builder.module.declare_intrinsic(f"llvm.masked.{what}.{suffix}.p0", (), kind), arguments)


def _clamp(vector, low, high):
    return np.where(vector < low, low, np.where(vector > high, high, vector))


@_in_python(_clamp)
def clamp(typing, vector, low, high):
    """Return the elements limited to [low, high]; NaN stays."""

    def build(context, builder, sig, args):
        value = args[0]
        for sign, limit in (("<", args[1]), (">", args[2])):
            limit = _spread(context, builder, limit, vector)
            value = builder.select(builder.fcmp_ordered(sign, value, limit), limit, value)
        return value

    return vector(vector, vector.dtype, vector.dtype), build


def _where_less(a, b, this, other):
    return np.where(a < b, this, other)


@_in_python(_where_less)
def where_less(typing, a, b, this, other):
    """Return the elements of `this` where those of a are less than those of b, and of `other` elsewhere, also where one is NaN."""
    if not a == b == this == other:
        return None

    def build(context, builder, sig, args):
        return builder.select(builder.fcmp_ordered("<", args[0], args[1]), args[2], args[3])

    return a(a, b, this, other), build


def _larger(a, b):
    return np.where((a >= b) | (a != a), a, b)


@_in_python(_larger)
def larger(typing, a, b):
    """Return the larger elements of a and b: those of a where they are equal, NaN where one is NaN."""
    if a != b:
        return None

    def build(context, builder, sig, args):
        kept = builder.or_(builder.fcmp_ordered(">=", *args), builder.fcmp_unordered("uno", args[0], args[0]))
        return builder.select(kept, *args)

    return a(a, b), build


def _zeros(array):
    return np.zeros(SIZE // array.itemsize, array.dtype)


@_in_python(_zeros)
def zeros(typing, array):
    """Return a vector of zeros of the dtype of an array."""
    from llvmlite import ir

    def build(context, builder, sig, args):
        return ir.Constant(context.get_value_type(sig.return_type), [0.0] * sig.return_type.lanes)

    return vector_type()(array.dtype)(array), build


def _deinterleave(a, b):
    both = np.concatenate([a, b])
    return both[::2].copy(), both[1::2].copy()


@_in_python(_deinterleave)
def deinterleave(typing, a, b):
    """Return the elements of two concatenated vectors at even positions, and those at odd positions."""
    return _shuffled(a, lambda n: (range(0, 2 * n, 2), range(1, 2 * n, 2)))


def _interleave(a, b):
    both = np.stack([a, b], 1).ravel()
    return both[: a.size], both[a.size :]


@_in_python(_interleave)
def interleave(typing, a, b):
    """Return the inverse of `deinterleave`: two vectors with the elements of both in turn."""
    return _shuffled(a, lambda n: tuple([k // 2 + n * (k % 2) for k in range(s, s + n)] for s in (0, n)))


def _shuffled(vector: Any, places: Any) -> Any:
    """Return two vectors composed of the elements of two vectors."""
    from llvmlite import ir
    from numba.core import types

    def build(context, builder, sig, args):
        mask = ir.VectorType(ir.IntType(32), vector.lanes)
        both = [builder.shuffle_vector(*args, ir.Constant(mask, list(p))) for p in places(vector.lanes)]
        return context.make_tuple(builder, sig.return_type, both)

    return types.UniTuple(vector, 2)(vector, vector), build


def _total(vector):
    return vector.sum()


@_in_python(_total)
def total(typing, vector):
    """Return the sum of the elements."""
    from llvmlite import ir

    def build(context, builder, sig, args):
        value, size = args[0], vector.lanes
        while size > 1:  # add the two halves
            size //= 2
            mask = [ir.Constant(ir.VectorType(ir.IntType(32), size), [*range(s, s + size)]) for s in (0, size)]
            rest = ir.Constant(value.type, ir.Undefined)
            value = builder.fadd(*(builder.shuffle_vector(value, rest, part) for part in mask))
        return builder.extract_element(value, ir.Constant(ir.IntType(32), 0))

    return vector.dtype(vector), build


def _index() -> Any:
    from numba.core import types

    return types.intp


def _none() -> Any:
    from numba.core import types

    return types.none
