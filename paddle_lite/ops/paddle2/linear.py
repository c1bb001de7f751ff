"""Operators of linear algebra newer than PaddlePaddle 1.8.5: sums over named indices, chains of products, systems of equations.

Slots, attributes and results are those of PaddlePaddle 2.6.2.
"""

from __future__ import annotations

import string
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.spec import Declaration, Grad, Required, op
from ..math.elementwise import same_dtype
from ..support.meta import Meta
from ..support.require import require_floats
from ..support.shape_rules import UNKNOWN
from .manipulation import broadcast_dims, summed_to

# --- named indices ------------------------------------------------------------------------------------------------------------


def indices_of(equation: str, ranks: list[int]) -> tuple[list[str], str]:
    """Return the indices of each operand and of the result, with letters in the place of `...`."""
    given, arrow, result = equation.replace(" ", "").partition("->")
    operands = given.split(",")
    if len(operands) != len(ranks) or not arrow:
        needs = f"the indices of {len(ranks)} operands, '->' and those of the result"
        raise ArgumentValueError(message("einsum", "attribute 'equation'", repr(equation), needs))
    free = [letter for letter in reversed(string.ascii_letters) if letter not in equation]
    most, found = 0, []
    for each, rank in zip(operands, ranks, strict=True):
        more = rank - len(each.replace("...", ""))
        if (
            more < 0
            or (more and "..." not in each)
            or (not each.replace("...", "").isalpha() and each not in ("...", ""))
        ):
            needs = f"an index for each of {rank} dimensions"
            raise ArgumentValueError(message("einsum", "attribute 'equation'", repr(each), needs))
        most = max(most, more)
        found.append(each.replace("...", "".join(free[:more][::-1])))
    dots = "".join(free[:most][::-1])
    return found, result.replace("...", dots)


def sizes_of(operands: list[str], shapes: list[Any]) -> dict[str, int]:
    """Return the size of each index; raise where operands differ in it."""
    sizes: dict[str, int] = {}
    for letters, shape in zip(operands, shapes, strict=True):
        for letter, n in zip(letters, shape, strict=True):
            known = sizes.get(letter, 1)
            if n not in (1, UNKNOWN) and known not in (1, UNKNOWN) and n != known:
                raise ShapeError(message("einsum", f"index {letter!r}", f"{n} and {known}", "one size in all operands"))
            sizes[letter] = n if known == 1 else known if n in (1, UNKNOWN) else n
    return sizes


@op("einsum", inputs="Operands*", outputs="Out InnerCache*~ XShape*~", attrs={"equation": Required("STRING")}, lod=None)
class einsum(Declaration):
    """Sum products of elements over the indices that `equation` does not name behind the arrow: 'bij,bjk->bik'."""

    def infer(Operands, *, equation):
        require_floats("einsum", **{f"Operands[{i}]": meta for i, meta in enumerate(Operands)})
        operands, result = indices_of(equation, [len(meta.shape) for meta in Operands])
        sizes = sizes_of(operands, [meta.shape for meta in Operands])
        if any(letter not in sizes for letter in result):
            needs = "indices that operands have behind the arrow"
            raise ArgumentValueError(message("einsum", "attribute 'equation'", repr(equation), needs))
        return Meta(tuple(sizes[letter] for letter in result), Operands[0].dtype), [], []

    def reference(xp, Operands, *, equation):
        operands, result = indices_of(equation, [each.ndim for each in Operands])
        sizes_of(operands, [each.shape for each in Operands])
        return xp.array(xp.einsum(f"{','.join(operands)}->{result}", *Operands), order="C"), [], []

    def gradient(xp, Operands, dOut, *, equation):
        operands, result = indices_of(equation, [each.ndim for each in Operands])
        made = []
        for i, (letters, each) in enumerate(zip(operands, Operands, strict=True)):
            others = [(o, a) for k, (o, a) in enumerate(zip(operands, Operands, strict=True)) if k != i]
            sizes = dict(zip(letters, each.shape, strict=True))
            lone = [letter for letter in dict.fromkeys(letters) if letter not in result + "".join(o for o, _ in others)]
            others += [(letter, xp.ones(sizes[letter], each.dtype)) for letter in lone]
            kept = "".join(dict.fromkeys(letters))
            d = xp.einsum(",".join([result, *(o for o, _ in others)]) + "->" + kept, dOut, *(a for _, a in others))
            if kept != letters:  # a diagonal
                whole = xp.zeros(each.shape, d.dtype)
                places = dict(zip(kept, xp.ogrid[tuple(slice(n) for n in d.shape)], strict=True))
                whole[tuple(places[letter] for letter in letters)] = d
                d = whole
            made.append(summed_to(xp, d, each.shape))
        return made

    grad = Grad("Operands Out@GRAD", "Operands@GRAD", gradient)


@op("multi_dot", inputs="X*", outputs="Out", lod=None)
class multi_dot(Declaration):
    """Multiply matrices, the first and last of which may be vectors, in the order that takes the fewest multiplications."""

    def infer(X):
        if len(X) < 2:
            raise ArgumentValueError(message("multi_dot", "Input(X)", f"{len(X)} arrays", "two or more"))
        require_floats("multi_dot", **{f"X[{i}]": meta for i, meta in enumerate(X)})
        for i, meta in enumerate(X):
            if len(meta.shape) != 2 and not (len(meta.shape) == 1 and i in (0, len(X) - 1)):
                got = f"shape {list(meta.shape)}"
                raise ShapeError(message("multi_dot", f"Input(X)[{i}]", got, "a matrix, or a vector at an end"))
            rows = meta.shape[0]
            if i and rows != X[i - 1].shape[-1] and UNKNOWN not in (rows, X[i - 1].shape[-1]):
                needs = f"{X[i - 1].shape[-1]}, as many as the one before has columns"
                raise ShapeError(message("multi_dot", f"Input(X)[{i}]", f"{rows} rows", needs))
        return Meta((*X[0].shape[:-1], *X[-1].shape[1:]), X[0].dtype)

    def reference(xp, X):
        arrays = list(X)
        while len(arrays) > 1:  # the longest inner dimension first
            i = max(range(len(arrays) - 1), key=lambda k: arrays[k].shape[-1])
            arrays[i : i + 2] = [xp.dot(arrays[i], arrays[i + 1])]
        return arrays[0]

    def gradient(xp, X, dOut):
        as_matrices = [x[None] if x.ndim == 1 and i == 0 else x[:, None] if x.ndim == 1 else x for i, x in enumerate(X)]
        left, right = (
            [xp.eye(as_matrices[0].shape[0], dtype=dOut.dtype)],
            [xp.eye(as_matrices[-1].shape[1], dtype=dOut.dtype)],
        )
        for x in as_matrices[:-1]:
            left.append(left[-1] @ x)
        for x in as_matrices[:0:-1]:
            right.insert(0, x @ right[0])
        d = dOut.reshape(as_matrices[0].shape[0], as_matrices[-1].shape[1])
        return [(a.T @ d @ b.T).reshape(x.shape) for a, b, x in zip(left, right, X, strict=True)]

    grad = Grad("X Out@GRAD", "X@GRAD", gradient)


# --- square matrices ----------------------------------------------------------------------------------------------------------


def require_square(where: str, slot: str, X: Any) -> None:
    """Raise unless the last two dimensions are those of a square matrix of floats."""
    require_floats(where, **{slot: X})
    if len(X.shape) < 2 or (X.shape[-1] != X.shape[-2] and UNKNOWN not in X.shape[-2:]):
        raise ShapeError(message(where, f"Input({slot})", f"shape {list(X.shape)}", "square matrices"))


@op("matrix_power", inputs="X", outputs="Out", attrs={"n": Required("INT")}, lod=None)
class matrix_power(Declaration):
    """Multiply square matrices n times with themselves; the inverse -n times for negative n."""

    def infer(X, **_):
        require_square("matrix_power", "X", X)
        return Meta(tuple(X.shape), X.dtype)

    def reference(xp, X, *, n):
        return xp.linalg.matrix_power(X, n).astype(X.dtype)

    def gradient(xp, X, dOut, *, n):
        if not n:
            return xp.zeros(X.shape, X.dtype)
        base = xp.linalg.inv(X) if n < 0 else X
        turned, powers = base.swapaxes(-1, -2), [xp.broadcast_to(xp.eye(X.shape[-1], dtype=X.dtype), X.shape)]
        for _ in range(abs(n) - 1):
            powers.append(powers[-1] @ turned)
        d = sum(powers[i] @ dOut @ powers[abs(n) - 1 - i] for i in range(abs(n)))
        return d if n > 0 else -(turned @ d @ turned)

    grad = Grad("X Out@GRAD", "X@GRAD", gradient)


@op("determinant", inputs="Input", outputs="Out", lod=None)
class determinant(Declaration):
    """Return the determinant of each square matrix."""

    def infer(Input):
        require_square("determinant", "Input", Input)
        return Meta(tuple(Input.shape[:-2]), Input.dtype)

    def reference(xp, Input):
        return xp.asarray(xp.linalg.det(Input)).astype(Input.dtype)

    def gradient(xp, Input, Out, dOut):
        return (dOut * Out)[..., None, None] * xp.linalg.inv(Input).swapaxes(-1, -2)

    grad = Grad("Input Out Out@GRAD", "Input@GRAD", gradient)


@op("slogdeterminant", inputs="Input", outputs="Out", lod=None)
class slogdeterminant(Declaration):
    """Return the sign of the determinant of each square matrix, and the logarithm of its absolute value, as two rows."""

    def infer(Input):
        require_square("slogdeterminant", "Input", Input)
        return Meta((2, *Input.shape[:-2]), Input.dtype)

    def reference(xp, Input):
        return xp.stack(list(xp.linalg.slogdet(Input))).astype(Input.dtype)

    def gradient(xp, Input, dOut):
        return dOut[1][..., None, None] * xp.linalg.inv(Input).swapaxes(-1, -2)

    grad = Grad("Input Out@GRAD", "Input@GRAD", gradient)


# --- systems of equations -----------------------------------------------------------------------------------------------------


def infer_solved(where: str, X: Any, Y: Any) -> Meta:
    """Return the Meta of what times X is Y."""
    require_square(where, "X", X)
    same_dtype(where, X, Y)
    rows = Y.shape[-2] if len(Y.shape) > 1 else 0
    if len(Y.shape) < 2 or (rows != X.shape[-1] and UNKNOWN not in (rows, X.shape[-1])):
        needs = f"matrices of {X.shape[-1]} rows, as X has"
        raise ShapeError(message(where, "Input(Y)", f"shape {list(Y.shape)}", needs))
    return Meta((*broadcast_dims(where, tuple(X.shape[:-2]), tuple(Y.shape[:-2])), *Y.shape[-2:]), X.dtype)


def solved_gradient(xp: Any, matrix: Any, Out: Any, dOut: Any) -> tuple[Any, Any]:
    """Return the gradients of the matrix and of the right side of matrix . Out = right side."""
    right = xp.linalg.solve(xp.broadcast_to(matrix, (*Out.shape[:-2], *matrix.shape[-2:])).swapaxes(-1, -2), dOut)
    return -(right @ Out.swapaxes(-1, -2)), right


@op("solve", inputs="X Y", outputs="Out", lod=None)
class solve(Declaration):
    """Return what times X is Y, a vector or a matrix for each matrix of X."""

    def infer(X, Y):
        if len(Y.shape) != 1:
            return infer_solved("solve", X, Y)
        made = infer_solved("solve", X, Y._replace(shape=(*Y.shape, 1)))
        return made._replace(shape=made.shape[:-1])

    def reference(xp, X, Y):
        if Y.ndim == 1:
            return xp.linalg.solve(X, xp.broadcast_to(Y[:, None], (*X.shape[:-1], 1)))[..., 0]
        batch = np.broadcast_shapes(X.shape[:-2], Y.shape[:-2])
        return xp.linalg.solve(xp.broadcast_to(X, (*batch, *X.shape[-2:])), xp.broadcast_to(Y, (*batch, *Y.shape[-2:])))

    def gradient(xp, X, Y, Out, dOut):
        flat = Y.ndim == 1
        dx, dy = solved_gradient(xp, X, Out[..., None] if flat else Out, dOut[..., None] if flat else dOut)
        return summed_to(xp, dx, X.shape), summed_to(xp, dy[..., 0] if flat else dy, Y.shape)

    grad = Grad("X Y Out Out@GRAD", "X@GRAD Y@GRAD", gradient)


def triangle_of(xp: Any, X: Any, upper: bool, unitriangular: bool) -> Any:
    """Return the triangle of matrices that counts, with ones on the diagonal if these are not in X."""
    half = xp.triu(X, int(unitriangular)) if upper else xp.tril(X, -int(unitriangular))
    return half + xp.eye(X.shape[-1], dtype=X.dtype) if unitriangular else half


@op(
    "triangular_solve",
    inputs="X Y",
    outputs="Out",
    attrs={"upper": True, "transpose": False, "unitriangular": False},
    lod=None,
)
class triangular_solve(Declaration):
    """Return what times a triangle of X, or its transpose, is Y."""

    def infer(X, Y, **_):
        return infer_solved("triangular_solve", X, Y)

    def reference(xp, X, Y, *, upper, transpose, unitriangular):
        matrix = triangle_of(xp, X, upper, unitriangular)
        matrix = matrix.swapaxes(-1, -2) if transpose else matrix
        batch = np.broadcast_shapes(X.shape[:-2], Y.shape[:-2])
        return xp.linalg.solve(
            xp.broadcast_to(matrix, (*batch, *X.shape[-2:])), xp.broadcast_to(Y, (*batch, *Y.shape[-2:]))
        )

    def gradient(xp, X, Y, Out, dOut, *, upper, transpose, unitriangular):
        matrix = triangle_of(xp, X, upper, unitriangular)
        dx, dy = solved_gradient(xp, matrix.swapaxes(-1, -2) if transpose else matrix, Out, dOut)
        dx = dx.swapaxes(-1, -2) if transpose else dx
        dx = xp.triu(dx, int(unitriangular)) if upper else xp.tril(dx, -int(unitriangular))
        return summed_to(xp, dx, X.shape), summed_to(xp, dy, Y.shape)

    grad = Grad("X Y# Out Out@GRAD", "X@GRAD Y@GRAD", gradient)
