"""Sums of products over named dimensions: `einsum` and `tensordot`, as products of matrices."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from math import prod
from string import ascii_letters
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, describe, message
from ...core.typing import Variable
from ..math.matmul import matmul
from ..math.reduce import reduce_sum
from ..shape.shape import reshape, strided_slice, transpose
from ..support.arguments import check_variable, is_int

__all__ = ["einsum", "tensordot"]

UNKNOWN = -1
_FORM = re.compile(r"([a-zA-Z]|\.\.\.|,)*(->([a-zA-Z]|\.\.\.)*)?")


def einsum(equation: str, *operands: Any) -> Variable:
    """Compute the sum of products that an equation describes, in Einstein's notation.

    Each letter names a dimension. The products of the operands are summed over the letters that are not in the output.

    Arguments:
        equation: the letters of each operand, separated by commas, then optionally "->" and those of the output. "..."
            stands for all other dimensions. Without "->" the output has each letter that occurs once, in alphabetical
            order, after those of "...". A letter that occurs twice in one operand takes its diagonal.
        operands: Variables, float32 or float64; two or more are multiplied from the left to the right.

    Returns:
        A Variable with the dimensions of the output; [1] where it has none.

    Raises:
        ArgumentTypeError: the equation is not a str, or an operand is not a Variable.
        ArgumentValueError: the equation is malformed, or does not fit the number of operands.
        ShapeError: a letter stands for different sizes, or for another number of dimensions than an operand has.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.arange(6, dtype='float32').reshape(2, 3))
    >>> paddle.einsum('ij,kj->ik', x, x).numpy()
    array([[ 5., 14.],
           [14., 50.]], dtype=float32)
    >>> paddle.einsum('ij->j', x).numpy()
    array([3., 5., 7.], dtype=float32)
    """
    terms, output = _parsed(equation, operands)
    sizes = _sizes("einsum", terms, operands)
    named = [_diagonals(x, term) for x, term in zip(operands, terms, strict=True)]
    result, letters = named[0]
    for i, (other, its) in enumerate(named[1:], 1):
        later = set(output).union(*(term for _, term in named[i + 1 :]))
        result, letters = _contracted(result, letters, other, its, later, sizes)
    result, letters = _summed(result, letters, set(output))
    order = [letters.index(letter) for letter in output]
    return result if order == sorted(order) else transpose(result, order)


def tensordot(x: Any, y: Any, axes: Any = 2, name: str | None = None) -> Variable:
    """Compute the sum of the products of x and y over pairs of their dimensions.

    Arguments:
        x, y: Variables, float32 or float64.
        axes: the number of dimensions: the last ones of x and the first ones of y; or a pair of lists: those of x and, in
            the same order, those of y; or one list for both.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable with the other dimensions of x, then those of y; [1] where none is left.

    Raises:
        ArgumentTypeError: x or y is not a Variable, or axes has another form.
        ArgumentValueError: there is no such dimension, or the two lists are not of one length.
        ShapeError: the sizes of a pair differ.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.ones([2, 3, 4], 'float32'))
    >>> y = paddle.imperative.to_variable(np.ones([4, 3, 5], 'float32'))
    >>> paddle.tensordot(x, y, [[1, 2], [1, 0]]).shape
    [2, 5]
    """
    ranks = [len(check_variable("tensordot", arg, value).shape) for arg, value in (("x", x), ("y", y))]
    of_x, of_y = _axis_pairs(axes, *ranks)
    left = list(ascii_letters[: ranks[0]])
    right = list(ascii_letters[ranks[0] : sum(ranks)])
    for i, j in zip(of_x, of_y, strict=True):
        right[j] = left[i]
    kept = {letter for letter in left + right if (letter in left) != (letter in right)}
    return _contracted(x, left, y, right, kept, _sizes("tensordot", [left, right], [x, y]))[0]


# --- the notation ---------------------------------------------------------------------------------------------------------


def _parsed(equation: Any, operands: Sequence[Any]) -> tuple[list[list[str]], list[str]]:
    """Return the letters of each operand and of the output; those of "..." are letters that are not used otherwise."""
    if not isinstance(equation, str):
        raise ArgumentTypeError(message("einsum", "equation", describe(equation), "a str such as 'ij,jk->ik'"))
    text = equation.replace(" ", "")
    if not _FORM.fullmatch(text) or any(part.count("...") > 1 for part in re.split(",|->", text)):
        form = "letters and at most one '...' for each operand, with commas between them, and '->' before the output"
        raise ArgumentValueError(message("einsum", "equation", repr(equation), form))
    left, arrow, output = text.partition("->")
    texts = left.split(",")
    if len(texts) != len(operands):
        raise ArgumentValueError(
            message("einsum", "operands", f"{len(operands)}", f"{len(texts)}, as the equation {equation!r} names")
        )
    ranks = [len(check_variable("einsum", f"operands[{i}]", x).shape) for i, x in enumerate(operands)]
    missing = [rank - len(t.replace("...", "")) for rank, t in zip(ranks, texts, strict=True)]
    for i, (t, n) in enumerate(zip(texts, missing, strict=True)):
        if n < 0 or (n > 0 and "..." not in t):
            raise ShapeError(message("einsum", f"operands[{i}]", f"rank {ranks[i]}", f"that of {t!r} in {equation!r}"))
    unused = "".join(letter for letter in ascii_letters if letter not in text)
    most = max((n for n, t in zip(missing, texts, strict=True) if "..." in t), default=0)
    terms = [list(t.replace("...", unused[most - n : most])) for t, n in zip(texts, missing, strict=True)]
    letters = [letter for term in terms for letter in term]
    if not arrow:
        return terms, [*unused[:most], *sorted(c for c in set(left) - set(",.") if letters.count(c) == 1)]
    out = list(output.replace("...", unused[:most]))
    if len(set(out)) < len(out) or not set(out) <= set(letters):
        raise ArgumentValueError(
            message(
                "einsum", "equation", repr(equation), "an output in which each letter is an operand's and occurs once"
            )
        )
    return terms, out


def _sizes(call: str, terms: Sequence[Sequence[str]], operands: Sequence[Any]) -> dict[str, int]:
    """Return the size of each letter; UNKNOWN where no operand of a Program has it."""
    sizes: dict[str, int] = {}
    for term, operand in zip(terms, operands, strict=True):
        for letter, size in zip(term, operand.shape, strict=True):
            known = sizes.get(letter, UNKNOWN)
            if UNKNOWN not in (known, size) and known != size:
                raise ShapeError(message(call, "operands", f"sizes {known} and {size} for one dimension", "equal ones"))
            sizes[letter] = size if known == UNKNOWN else known
    return sizes


def _axis_pairs(axes: Any, x_rank: int, y_rank: int) -> tuple[list[int], list[int]]:
    """Return the dimensions of x and those of y over which `tensordot` sums."""
    if is_int(axes):
        pair = (list(range(x_rank - axes, x_rank)), list(range(axes)))
        if not 0 <= axes <= min(x_rank, y_rank):
            raise ArgumentValueError(message("tensordot", "axes", axes, f"0 to {min(x_rank, y_rank)}"))
        return pair
    if not isinstance(axes, (list, tuple)):
        raise ArgumentTypeError(message("tensordot", "axes", describe(axes), "an int, a list of ints or two lists"))
    lists = [axes, axes] if all(map(is_int, axes)) else [[a] if is_int(a) else list(a) for a in axes]
    if len(lists) == 1:
        lists *= 2
    if len(lists) != 2 or len(lists[0]) != len(lists[1]):
        raise ArgumentValueError(message("tensordot", "axes", axes, "two lists of one length"))
    found = []
    for rank, one in zip((x_rank, y_rank), lists, strict=True):
        if not all(is_int(a) and -rank <= a < rank for a in one) or len({a % rank for a in one}) < len(one):
            raise ArgumentValueError(message("tensordot", "axes", axes, f"different ints from {-rank} to {rank - 1}"))
        found.append([a % rank for a in one])
    return found[0], found[1]


# --- the computation ------------------------------------------------------------------------------------------------------


def _diagonals(x: Any, letters: Sequence[str]) -> tuple[Any, list[str]]:
    """Return x with one dimension for each letter: the diagonal where one occurs twice."""
    names = list(letters)
    while len(set(names)) < len(names):
        letter = next(c for c in names if names.count(c) > 1)
        i, j = [k for k, c in enumerate(names) if c == letter][:2]
        n = x.shape[i]
        if n == UNKNOWN:
            raise ShapeError(
                message("einsum", "operands", f"an unknown size at {letter!r}", "known sizes on a diagonal")
            )
        others = [k for k in range(len(names)) if k not in (i, j)]
        x = transpose(x, [*others, i, j])
        rest = [names[k] for k in others]
        x = reshape(x, [0] * len(rest) + [n * n])
        x = strided_slice(x, [len(rest)], [0], [n * n], [n + 1])
        names = [*rest, letter]
    return x, names


def _summed(x: Any, letters: list[str], kept: Collection[str]) -> tuple[Any, list[str]]:
    """Sum over the letters that are not in `kept`."""
    gone = [i for i, letter in enumerate(letters) if letter not in kept]
    return (reduce_sum(x, gone) if gone else x), [letter for letter in letters if letter in kept]


def _contracted(
    x: Any, of_x: Sequence[str], y: Any, of_y: Sequence[str], kept: Collection[str], sizes: dict[str, int]
) -> tuple[Any, list[str]]:
    """Return the sum of the products of x and y over the letters that are not kept, and the letters of the result."""
    shared = set(of_x) & set(of_y)
    x, left = _summed(x, list(of_x), set(kept) | shared)
    y, right = _summed(y, list(of_y), set(kept) | shared)
    batch = [c for c in left if c in shared and c in kept]
    inner = [c for c in left if c in shared and c not in kept]
    rows, columns = ([c for c in letters if c not in shared] for letters in (left, right))
    x = _grouped(x, left, [batch, rows, inner], sizes)
    y = _grouped(y, right, [batch, inner, columns], sizes)
    result = batch + rows + columns
    return _split(matmul(x, y), [batch, rows, columns], sizes), result


def _grouped(x: Any, letters: list[str], groups: list[list[str]], sizes: dict[str, int]) -> Any:
    """Return x with one dimension for each group of letters."""
    order = [letters.index(c) for group in groups for c in group]
    if order != sorted(order):
        x = transpose(x, order)
    return (
        x if all(len(group) == 1 for group in groups) else reshape(x, _one_unknown([_size(g, sizes) for g in groups]))
    )


def _split(x: Any, groups: list[list[str]], sizes: dict[str, int]) -> Any:
    """Return x, with one dimension for each group, with one for each letter."""
    if all(len(group) == 1 for group in groups):
        return x
    return reshape(x, _one_unknown([sizes[c] for group in groups for c in group]) or [1])


def _size(group: list[str], sizes: dict[str, int]) -> int:
    return UNKNOWN if any(sizes[c] == UNKNOWN for c in group) else prod(sizes[c] for c in group)


def _one_unknown(shape: list[int]) -> list[int]:
    """Return the shape if `reshape` can infer it."""
    if shape.count(UNKNOWN) > 1:
        needs = "at most one unknown size in the shape of each product"
        raise ShapeError(
            message("einsum", "operands", f"{shape.count(UNKNOWN)} unknown sizes", needs, "Declare the sizes.")
        )
    return shape
