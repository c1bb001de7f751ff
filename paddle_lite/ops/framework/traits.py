"""Traits: what an operator's declaration tells Plans and cost estimates besides what it computes.

    @op("softmax", inputs="X", outputs="Out", attrs={...}, flops=PerElement(5))

They are keywords of `op`, `pointwise`, `Grad` and `structural`. All have a default that is right for an operator of which
nothing is known, so a new operator needs none of them; each one that is given lets Plans do more with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from .call import Call
from .costs import Count, Product
from .fusion import Rule

# --- views ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Identity:
    """Out is X, unchanged, in calls that keep the dtype; where `when` is given, only if `when(call)` holds, too."""

    when: Callable[[Call], bool] | None = None


@dataclass(frozen=True)
class Reshape:
    """What is in the output slot `made` has the elements of the input slot `given`, in the same order, in another shape."""

    given: str = "X"
    made: str = "Out"


@dataclass(frozen=True)
class Transpose:
    """Axis i of the output `made` is axis order(attrs)[i] of the input `given`."""

    order: Callable[[Mapping[str, Any]], list[int]]
    given: str = "X"
    made: str = "Out"


@dataclass(frozen=True)
class Slice:
    """The output `made` is a part of the input `given`.

    bounds: `f(attrs)`, by axis where the part starts and ends, as in Python; None where the attributes say something else.
    dropped: `f(attrs)`, the axes that the output is without, of which one element is taken.
    """

    bounds: Callable[[Mapping[str, Any]], dict[int, tuple[int, int]] | None]
    dropped: Callable[[Mapping[str, Any]], set[int]]
    given: str = "X"
    made: str = "Out"


@dataclass(frozen=True)
class Unstack:
    """The outputs in `made` are the slices of the input `given` along attrs["axis"], without that axis."""

    given: str = "X"
    made: str = "Out"


View = Identity | Reshape | Transpose | Slice | Unstack

# --- algebra --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Matmul:
    """Out = X @ Y for matrices X and Y, where the attributes have the values in `plain`."""

    plain: Mapping[str, Any]


@dataclass(frozen=True)
class Sum:
    """Out = X[0] + X[1] + ..."""


@dataclass(frozen=True)
class Add:
    """Out = X + Y, where Y is broadcast from attrs["axis"] on."""


@dataclass(frozen=True)
class Multiply:
    """Out = X * Y, where Y is broadcast from attrs["axis"] on."""


@dataclass(frozen=True)
class Scale:
    """Out = attrs["scale"] * X + attrs["bias"], if X is its only input."""


@dataclass(frozen=True)
class Square:
    """Out = X * X."""


@dataclass(frozen=True)
class ReduceSum:
    """Out = the sum of X over the dimensions attrs["dim"], over all where attrs["reduce_all"] is set."""


@dataclass(frozen=True)
class Concat:
    """Out = the arrays in X one behind the other along attrs["axis"]."""


@dataclass(frozen=True)
class Fill:
    """Without inputs, all elements of Out are value(attrs); None where that is not known."""

    value: Callable[[Mapping[str, Any]], float | None]


Algebra = Matmul | Sum | Add | Multiply | Scale | Square | ReduceSum | Concat | Fill

# --- all traits -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Traits:
    """What is known of an operator besides what it computes.

    Arguments:
        flops: how many floating-point operations a call takes: a function of the call (see costs.py: `PerElement(5)`,
            `MATMUL`, ...), or 0 for an operator that only moves numbers. None: 0 for a view, what its expressions say,
            else it is not known. A gradient operator without one has that of the operator where it is 0, and a product's.
        gathers: the input slot of which a call reads no more bytes than it writes, such as a table that rows are taken of.
        view: that the result shows the elements of an input: Identity, Reshape, Transpose, Slice or Unstack. Plans then
            do without the call, or make a view of NumPy.
        algebra: what it computes, for Plans that look for a pattern: Matmul, Sum, Add, Multiply, Scale, Square, ReduceSum,
            Concat or Fill.
        epilogue: what the CPU kernel does to its result as long as that is in the cache: "act", or "bias act".
        as_epilogue: of an activation, the values of attributes for which such kernels know it; {} for any.
        fuses: how it takes part in a fused kernel, a Rule (see fusion.py); those of `pointwise` have one from their expressions.
        training: `f(attrs)`, whether a call behaves as in training: drops at random, or takes the statistics of the batch.
            None for an operator that does the same in training and in tests.
        repeatable: whether it gives the same results a second time although it has written state that it reads, such as
            running statistics, of which the results do not depend in training.
        self_adjoint: whether its gradient operator, given X in the place of Out@GRAD, computes Out again, which is how
            recomputation repeats a draw.
        speculatable: whether it may run where Python's short circuit would skip it: it has no effects, and cannot fail.
        activation: whether layers take its type as an `act`.
        fresh: whether its results are new arrays that nothing else holds, so that a fused kernel may write into them.
    """

    flops: Count | Literal[0] | None = None
    gathers: str | None = None
    view: View | None = None
    algebra: Algebra | None = None
    epilogue: str = ""
    as_epilogue: Mapping[str, Any] | None = None
    fuses: Rule | None = None
    training: Callable[[Mapping[str, Any]], bool] | None = None
    repeatable: bool = False
    self_adjoint: bool = False
    speculatable: bool = False
    activation: bool = False
    fresh: bool = False

    def __post_init__(self) -> None:
        always = isinstance(self.view, View) and getattr(self.view, "when", None) is None
        if self.flops is None and always:
            object.__setattr__(self, "flops", 0)

    def of_gradient(self, own: Traits) -> Traits:
        """Return the traits of the gradient operator, whose declaration gives `own`."""
        if own.flops is not None or (own.fuses is not None and own.fuses.flops is not None):
            return own
        if isinstance(self.flops, Product):
            return replace(own, flops=self.flops.of_gradient)
        return replace(own, flops=0) if self.flops == 0 else own

    def __str__(self) -> str:
        """Return those that are given, as declarations write them."""
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        said = [(name, value) for name, value in given.items() if not any(value is none for none in (None, False, ""))]
        return ", ".join(name if value is True else f"{name}={_shown(value)}" for name, value in said)


def _shown(value: Any) -> str:
    """Return a function by its name, a view, an algebra or a rule by its kind, anything else as it is written."""
    if isinstance(value, View | Algebra | Rule):
        return type(value).__name__
    return getattr(value, "__name__", None) or repr(value)
