"""Linear algebra as PaddlePaddle 2 has it; tests/interop compares it with numbers of 2.6.2."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

WHY = "PaddlePaddle 1.8.5 has no such operator"
SQUARE = draw(2, 3, 3) + 2 * np.eye(3, dtype="float32")


def one(attrs=None, **inputs):
    return Sample(inputs, attrs, excluded=WHY)


def summed(equation, *operands):
    return Sample({"Operands": list(operands)}, {"equation": equation}, excluded=WHY, outputs=["Out"])


def bad(error, match, attrs=None, **inputs):
    return Bad(inputs, attrs, error, match)


ROWS = [
    Row(
        "einsum",
        [
            summed("bij,bjk->bik", draw(2, 3, 4), draw(2, 4, 2)),
            summed("i,j->ij", draw(3), draw(4)),
            summed("bthd,bshd->bhts", draw(2, 3, 2, 4), draw(2, 5, 2, 4)),
            summed("...ij,...jk->...ik", draw(2, 3, 4), draw(2, 4, 2)),
            summed("ij->ji", draw(3, 4)),
            summed("ij->", draw(3, 4)),
        ],
        [
            bad("ArgumentValueError", "2 operands", {"equation": "ij->i"}, Operands=[draw(2, 3), draw(3)]),
            bad("ArgumentValueError", "'->'", {"equation": "ij"}, Operands=[draw(2, 3)]),
            bad("ArgumentValueError", "an index for each", {"equation": "ij->i"}, Operands=[draw(2, 3, 4)]),
            bad("ArgumentValueError", "behind the arrow", {"equation": "ij->k"}, Operands=[draw(2, 3)]),
            bad("ShapeError", "index 'j'", {"equation": "ij,jk->ik"}, Operands=[draw(2, 3), draw(4, 2)]),
        ],
    ),
    Row(
        "multi_dot",
        [
            one(X=[draw(2, 3), draw(3, 4), draw(4, 2, seed=5)]),
            one(X=[draw(3), draw(3, 4), draw(4)]),
            one(X=[draw(2, 3), draw(3)]),
        ],
        [
            bad("ShapeError", "Input(X)[1]", X=[draw(2, 3), draw(4, 2)]),
            bad("ShapeError", "a vector at an end", X=[draw(2, 3), draw(3), draw(3, 2)]),
            bad("ArgumentValueError", "two or more", X=[draw(2, 3)]),
        ],
    ),
    Row(
        "matrix_power",
        [one({"n": n}, X=SQUARE) for n in (3, 1, -2)],
        [bad("ShapeError", "square", {"n": 2}, X=draw(2, 3))],
    ),
    Row("determinant", [one(Input=SQUARE), one(Input=SQUARE[0])], [bad("ShapeError", "square", Input=draw(2, 3))]),
    Row("slogdeterminant", [one(Input=SQUARE), one(Input=-SQUARE[0])], [bad("ShapeError", "square", Input=draw(2, 3))]),
    Row(
        "solve",
        [one(X=SQUARE, Y=draw(2, 3, 2)), one(X=SQUARE[0], Y=draw(3)), one(X=SQUARE, Y=draw(1, 3, 1))],
        [bad("ShapeError", "3 rows", X=SQUARE, Y=draw(2, 2, 2)), bad("ShapeError", "square", X=draw(2, 3), Y=draw(3))],
    ),
    Row(
        "triangular_solve",
        [
            one(X=SQUARE, Y=draw(2, 3, 2)),
            one({"upper": False, "transpose": True}, X=SQUARE, Y=draw(2, 3, 1)),
            one({"unitriangular": True}, X=SQUARE, Y=draw(2, 3, 2)),
        ],
        [bad("ShapeError", "3 rows", X=SQUARE, Y=draw(2, 2, 2))],
    ),
]
