"""The rules of promotion are Numba's, for every pair of types."""

import operator

import pytest

from paddle_lite.kernels.compiler.errors import Unsupported
from paddle_lite.kernels.compiler.types import F2, F4, NUMBERS, Array, Tuple, arithmetic_type, comparison_type, unify

pytest.importorskip("numba")

OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
KINDS = [number for number in NUMBERS if number != F2]  # of which Numba has no arithmetic on a CPU


@pytest.fixture(scope="module")
def numbas():
    """Numba's typing context, its types by ours, and ours by its."""
    from numba.core import types
    from numba.core.registry import cpu_target
    from numba.np.numpy_support import from_dtype

    context = cpu_target.typing_context
    context.refresh()
    theirs = {number: from_dtype(number.dtype) for number in KINDS}
    assert theirs[F4] == types.float32
    return context, theirs, {value: key for key, value in theirs.items()}


def expected(context, function, arguments):
    from numba.core.errors import TypingError

    try:
        return context.resolve_function_type(function, arguments, {})
    except TypingError:
        return None


@pytest.mark.parametrize("sign", OPERATORS)
def test_operators(numbas, sign):
    context, theirs, ours = numbas
    for a in KINDS:
        for b in KINDS:
            signature = expected(context, OPERATORS[sign], (theirs[a], theirs[b]))
            try:
                found = arithmetic_type(sign, a, b)
            except Unsupported:
                found = None
            assert found == (signature and ours[signature.return_type]), (a, b)


def test_comparisons(numbas):
    context, theirs, ours = numbas
    for a in KINDS:
        for b in KINDS:
            signature = expected(context, operator.lt, (theirs[a], theirs[b]))
            assert comparison_type(a, b) == ours[signature.args[0]] == ours[signature.args[1]], (a, b)


def test_variables_of_two_types(numbas):
    context, theirs, ours = numbas
    for a in KINDS:
        for b in KINDS:
            assert unify(a, b) == unify(b, a) == ours[context.unify_types(theirs[a], theirs[b])], (a, b)


def test_arrays_and_tuples_of_two_types():
    plain, strided = Array(F4, 2), Array(F4, 2, "A", mutable=False)
    assert unify(plain, strided) == strided
    assert unify(Tuple((plain, F4)), Tuple((strided, F4))) == Tuple((strided, F4))
    for other in (Array(F4, 1), F4, Tuple((plain,))):
        with pytest.raises(Unsupported, match=r"on one path and .* on another"):
            unify(plain, other)
