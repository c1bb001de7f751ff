"""Elements: how an operator computes one number of its result from numbers of its inputs, for loops that run as one kernel.

A loop over counters, conditions and small arrays holds each number in a register, whatever its dtype. So these
expressions are for given dtypes, unlike those of fusion rules (see fusion.py), which are for floats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ...kernels.codegen.expression import Node, name, number
from .fusion import FLOATS, expression

Attrs = Mapping[str, Any]
Dtypes = Sequence[np.dtype]


class Element(NamedTuple):
    """The expression of an element of the only result, from those of the inputs at its place, after broadcasting.

    Arguments:
        node: `f(attrs, dtypes)`, the expression in the names `x0`, `x1`, ... of all inputs; None where there is none. dtypes: of
            the inputs in order. It is computed in the dtype of the last input, and converted to that of the result.
        refused: `f(dtypes)`, the expression that is true where the call raises; None if no elements of these dtypes are refused.
    """

    node: Callable[[Attrs, Dtypes], Node | None]
    refused: Callable[[Dtypes], Node | None] = lambda dtypes: None


class Fold(NamedTuple):
    """The result is one number: the sum, the mean, the largest ... of all elements of the only input.

    Arguments:
        how: what is computed. whole: `f(attrs, rank)`, whether a call takes all elements of an input of this rank.
    """

    how: Literal["sum", "mean", "max", "min", "all", "any"]
    whole: Callable[[Attrs, int], bool] = lambda attrs, rank: True


def of_text(text: str, kinds: str, arrays: Sequence[str] = (), scalars: Sequence[str] = ()) -> Element:
    """Return the element with an expression.

    Arguments:
        kinds: the kinds of dtypes that the last input may have (NumPy's letters).
        arrays: the names in the text of the inputs, where these are not `x0`, `x1`, ... scalars: those of attributes.
    """

    def node(attrs: Attrs, dtypes: Dtypes) -> Node | None:
        if not dtypes or not computes(dtypes[-1], kinds):
            return None
        known = {each: number(float(attrs[each])) for each in scalars}
        return expression(text, **known, **{each: name(f"x{i}") for i, each in enumerate(arrays)})

    return Element(node)


def computes(dtype: np.dtype, kinds: str) -> bool:
    """Return whether a dtype is of one of the kinds, and not float16, in which nothing is computed."""
    return dtype.kind in kinds and (dtype.kind != "f" or dtype in FLOATS)
