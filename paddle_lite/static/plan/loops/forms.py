"""What an operator computes of the elements of whole values: an expression of elements, a fold, or a product of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from ....kernels.codegen.expression import Node, names, number
from ....ops.framework.traits import Fill, Matmul
from ....ops.support.broadcasting import aligned_shapes
from ..ir import Instruction
from .limits import Unfit

KINDS = "biuf"
"""The kinds of dtypes that kernels compute with."""


class Form(NamedTuple):
    """What an operator computes in a round: an expression of elements, a reduction or a product.

    how: "element", "reduction" or "product". node, refused: the expressions of an element.
    """

    how: str
    node: Node | None = None
    refused: Node | None = None


def form_of(step: Instruction, dtypes: Sequence[np.dtype] = (), refusing: bool = False) -> Form:
    """Return what an operator computes for inputs of these dtypes, by default those of the Program.

    Arguments:
        refusing: whether one that refuses some numbers may compute several elements.

    Raises:
        Unfit: it has no form in such a kernel.
    """
    definition, made = step.op.definition, step.makes()
    traits = definition.traits if step.plain else None
    own = [value.dtype for value in step.reads()]
    none = Unfit(f"{step.type} has no form in one kernel")
    if traits is None or definition.infer is None or len(made) != 1 or made[0].dtype is None or None in own:
        raise none
    dtypes = list(dtypes or own)  # type: ignore[arg-type]
    if isinstance(traits.algebra, Fill) and [*step.read] == [traits.algebra.like]:
        value = traits.algebra.value(step.attrs)
        if value is not None:
            return Form("element", number(value))
    if traits.element is not None:
        node = traits.element.node(step.attrs, dtypes)
        if node is not None and names(node) == {f"x{i}" for i in range(len(dtypes))}:
            refused = traits.element.refused(dtypes)
            if refused is None or refusing or prod(made[0].shape) == 1:
                return Form("element", node, refused)
    if len(dtypes) == 1 and traits.folds is not None and dtypes[0].kind in _FOLDED[traits.folds.how]:
        [x] = step.reads()
        if traits.folds.whole(step.attrs, len(x.shape)):
            return Form("reduction")
    if isinstance(traits.algebra, Matmul) and _plain(step, traits.algebra) and {d.kind for d in dtypes} == {"f"}:
        return Form("product")
    raise none


_FOLDED = {"sum": "fiu", "mean": "f", "max": "fiu", "min": "fiu", "all": "b", "any": "b"}


def _plain(step: Instruction, algebra: Matmul) -> bool:
    """Return whether an operator is the plain product of two matrices."""
    known = all(step.attrs.get(key) == value for key, value in algebra.plain.items())
    return known and len(step.reads()) == 2 and all(len(value.shape) == 2 for value in step.reads())


def fits(dtype: np.dtype) -> bool:
    """Return whether kernels compute with numbers of a dtype."""
    return dtype.kind in KINDS and dtype.isnative and dtype != np.float16


def aligned_to(shape: tuple[int, ...], wide: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """Return a shape with a size for each dimension of the result: 1 where it is broadcast."""
    at = aligned_shapes("a loop", shape, wide, axis)[0]
    return (*[1] * (len(wide) - len(at)), *at)
