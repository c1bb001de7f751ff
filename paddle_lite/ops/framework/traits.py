"""Traits: facts in an operator's declaration that Plans and cost estimates use.

    @op("softmax", inputs="X", outputs="Out", attrs={...}, flops=PerElement(5))

They are keywords of `op`, `pointwise`, `Grad` and `structural`. Every default is safe for any operator,
so a new operator needs none of them; each trait that is given enables optimisations of Plans.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from .call import Call
from .costs import Count, Product
from .elements import Element, Fold
from .fusion import Rule

# --- views ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Identity:
    """Out is X, unchanged, in calls that keep the dtype and for which `when(call)` holds, if `when` is given."""

    when: Callable[[Call], bool] | None = None


@dataclass(frozen=True)
class Reshape:
    """The output `made` has the elements of the input `given`, in the same order, in another shape."""

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

    bounds: `f(attrs)`, the start and end by axis, as in Python; None if the attributes do not determine them.
    dropped: `f(attrs)`, the axes of which one element is taken, which the output does not have.
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


class Sum:
    """Out = X[0] + X[1] + ..."""


class Add:
    """Out = X + Y, where Y is broadcast from attrs["axis"] on."""


class Multiply:
    """Out = X * Y, where Y is broadcast from attrs["axis"] on."""


class Scale:
    """Out = attrs["scale"] * X + attrs["bias"], if X is its only input."""


class Square:
    """Out = X * X."""


class ReduceSum:
    """Out = the sum of X over the dimensions attrs["dim"], over all where attrs["reduce_all"] is set."""


class Concat:
    """Out = the concatenation of the arrays in X along attrs["axis"]."""


class Split:
    """Out = the parts of X along attrs["axis"]."""


class Stack:
    """Out = the arrays in X, all of one shape, side by side along a new axis attrs["axis"]."""


@dataclass(frozen=True)
class Fill:
    """All elements of Out are value(attrs), if the call has no inputs; the value is None if it is not known.

    like: an input slot that it may have, of which the shape and the dtype count only; "" for none.
    """

    value: Callable[[Mapping[str, Any]], float | None]
    like: str = ""


@dataclass(frozen=True)
class Repeat:
    """Out = X, repeated attrs[times][d] times along axis d, if X is its only input."""

    times: str


Algebra = Matmul | Sum | Add | Multiply | Scale | Square | ReduceSum | Concat | Split | Stack | Fill | Repeat


@dataclass(frozen=True)
class AddsRows:
    """The result is zeros in the shape of the input `table`, to whose rows `index` those of `values` are added.

    when: `f(attrs)`, whether it is an array of numbers. skip: `f(attrs)`, the index whose rows are left out.
    """

    when: Callable[[Mapping[str, Any]], bool]
    skip: Callable[[Mapping[str, Any]], int]
    table: str = "W"
    index: str = "Ids"
    values: str = "Out@GRAD"


@dataclass(frozen=True)
class TakesRows:
    """Out = the rows of the input `table` at the places in `index`, one behind the other.

    tuples: whether the last dimension of `index` holds the places along the first axes of the table, instead of places of rows.
    skip: `f(attrs)`, the place whose row is zeros and has no gradient; None for none. last: `f(attrs)`, whether the gradient of a row that
    is taken several times is that of the last time, and not the sum. dense: `f(attrs)`, whether the gradient is an array of numbers.
    """

    table: str
    index: str
    skip: Callable[[Mapping[str, Any]], int | None] = lambda attrs: None
    last: Callable[[Mapping[str, Any]], bool] = lambda attrs: False
    dense: Callable[[Mapping[str, Any]], bool] = lambda attrs: True
    tuples: bool = False


@dataclass(frozen=True)
class Along:
    """What an operator computes of the numbers of X along an axis, if X is its only input.

    how: the name of a function of `kernels/cpu/shape/in_kernels.py`. axis: `f(attrs)`. numbers: `f(attrs)`, what that function takes
    besides. made: the output slots, as "Out Indices". when: `f(attrs)`, whether that function is fast.
    """

    how: Literal["arg_max", "arg_min", "cumsum", "top_k"]
    axis: Callable[[Mapping[str, Any]], int] = lambda attrs: attrs["axis"]
    numbers: Callable[[Mapping[str, Any]], Sequence[int]] = lambda attrs: ()
    made: str = "Out"
    when: Callable[[Mapping[str, Any]], bool] = lambda attrs: True


@dataclass(frozen=True)
class ByRows:
    """The result has rows that are computed from the rows, or sequences of rows, of the input `given` by themselves.

    So of the rows of several calls, one behind the other, come the rows of their results, one behind the other. Further results are None.

    when: `f(attrs)`, whether it holds. outlined: the input of which only the shape counts, which has as many rows as the result; ""
    for none. beside: the inputs, as "X MaxIndex", that are None or outlined, and so may differ.
    """

    given: str
    when: Callable[[Mapping[str, Any]], bool]
    outlined: str = ""
    beside: str = ""


# --- sequences ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OfSequences:
    """What an operator computes of the rows of each sequence of the input `of`.

    how: "repeat", the row of `given` that belongs to the sequence, times the share of each of its rows; "total", one row for each
        sequence, the sum of its rows in `given` times their shares, zeros for none; "softmax", the softmax of the numbers `given`; or
        "softmax back", its gradient from `given`, the slots of the softmax and of what arrives.
    share: `f(attrs)`, the share of a row in its sequence: "all", 1; "mean", 1 / n, where the sequence has n rows; "sqrt",
        1 / sqrt(n); "first" or "last", 1 for that row and 0 for the others. None for a call that computes something else.
    made: the output slot.
    """

    how: Literal["repeat", "total", "softmax", "softmax back"]
    of: str
    given: str = "X"
    made: str = "Out"
    share: Callable[[Mapping[str, Any]], str | None] = lambda attrs: "all"


# --- images ---------------------------------------------------------------------------------------------------------------


class Convolves:
    """Output = the images Input convolved with Filter, [N, C, H, W], as attributes like those of conv2d say."""


class Pools:
    """Out = the maxima or averages of windows of the images X, [N, C, H, W], as attributes like those of pool2d say."""


@dataclass(frozen=True)
class Normalizes:
    """Y = (X - Mean) / sqrt(Variance + epsilon) * Scale + Bias for each channel of the images X, where fixed(attrs) holds.

    MeanOut and VarianceOut are then Mean and Variance.
    """

    fixed: Callable[[Mapping[str, Any]], bool]


OfImages = Convolves | Pools | Normalizes


@dataclass(frozen=True)
class OutOfPlace:
    """A reference for calls whose output `made` is another Variable than the input `given`, which it usually replaces."""

    given: str
    made: str
    reference: Callable[..., Any]


# --- all traits -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Traits:
    """The facts about an operator that Plans and cost estimates use.

    Arguments:
        flops: how many floating-point operations a call takes: a function of the call (see costs.py: `PerElement(5)`,
            `MATMUL`, ...), or 0 for an operator that only moves numbers. None: 0 for a view, what its expressions say,
            else it is not known. A gradient operator without one has that of the operator where it is 0, and a product's.
        gathers: the input slot of which a call reads no more bytes than it writes, such as a table of rows.
        view: how the result is a view of an input: Identity, Reshape, Transpose, Slice or Unstack. Plans then
            remove the call, or replace it by a NumPy view.
        algebra: what it computes, for pattern matching in Plans: Matmul, Sum, Add, Multiply, Scale, Square, ReduceSum,
            Concat, Split, Stack, Fill or Repeat.
        of_sequences: what it computes of the rows of each sequence, for loops that run as one kernel: OfSequences.
        takes_rows: that its result consists of the rows of a table at the places that an input says.
        along: what it computes along an axis, for loops that run as one kernel: Along.
        adds_rows: how a gradient operator adds rows to those of a table: AddsRows. Plans add those of several operators at once.
        by_rows: how it computes rows by themselves: ByRows. Plans make one call of several.
        images: what it computes of images, for Plans that choose their order in memory: Convolves, Pools or Normalizes.
        epilogue: what the CPU kernel can apply to its result while that is in the cache: "act", or "bias act".
        as_epilogue: for an activation, the attribute values for which such kernels implement it; {} for any.
        fuses: its fusion rule, a Rule (see fusion.py); `pointwise` derives it from the expressions.
        element, folds: how a loop that runs as one kernel computes a number of its result (see elements.py); `pointwise` derives
            the first from the expression.
        training: `f(attrs)`, whether a call behaves as in training: drops at random or uses batch statistics.
            None for an operator that behaves the same in training and in tests.
        repeatable: whether a second call has the same results although the first updated state, such as
            running statistics, on which the results do not depend in training.
        self_adjoint: whether its gradient operator, given X in the place of Out@GRAD, computes Out again, which is how
            recomputation repeats a draw.
        speculatable: whether it may run where a short circuit would skip it: it has no effects and cannot fail.
        activation: whether messages name its type among those for `act`, which takes any operator that makes Out of X.
        fresh: whether its results are new arrays without other references, so that a fused kernel may overwrite them.
        out_of_place: for an operator whose result depends on whether an output replaces an input: the reference where it does not.
        stopped: the output slots, as "Out Indices", whose Variables in Programs have stop_gradient: those for which the functions of 1.8.5
            set it. A result that is not listed can be differentiated by, even where the operator has no gradient.
        fed_as: the input slots, as "Label Index", for which a Program is built whatever dtype a Variable of `layers.data`
            declares, since PaddlePaddle does not look at it: the dtype of what is fed must fit.
        any_sizes: whether a Program is built whatever sizes the inputs declare, since PaddlePaddle does not look at them: those
            of what is fed must fit.
        lands: the function that runs in the place of the reference to write the results into arrays that are there:
            `f(results, *inputs, **attributes)`, with a list of arrays for a slot of many.
        leaves: `f(attrs)`, the output slots that a call does not write: their Variables keep the values that they have.
        arrays: whether it takes arrays of tensors (LoDTensorArray) in the place of tensors, too, and then makes such an array.
        differentiated_as: of a gradient operator that has no gradient itself, the operator that is differentiated in its place
            in Programs: it computes the same from the inputs of the forward operator and what arrives, and has a gradient.
        twice: of a gradient operator that has none, what can be differentiated twice instead, as errors advise it.
        composed: `f(*inputs, **attributes)` over Variables, which calls other operators that compute the same, and returns the results: for
            loops that run as one kernel.
        in_steps: what it does with an array of tensors in a loop: "read", Out = the element of X at the place I; "write", Out = the
            array with X there; "rest", Out = X without that element; "length", Out = the number of elements of X; or "first", Out =
            the first rows of X, those of the sequences in RankTable that have a step I.
        chooses: whether Out = the element of X that Mask, one integer or truth value, says.
        captured: whether a CUDA graph may hold calls on a GPU: they read nothing of the device on the host, copy nothing
            there, and launch the same kernels for arrays of the same shapes. A bool, or `f(call)`. Fused operators, views, those
            with an `algebra` or a kernel for GPUs are held without it. A gradient operator without one has that of the operator.
    """

    flops: Count | Literal[0] | None = None
    gathers: str | None = None
    view: View | None = None
    algebra: Algebra | None = None
    of_sequences: OfSequences | None = None
    adds_rows: AddsRows | None = None
    takes_rows: TakesRows | None = None
    along: Along | None = None
    by_rows: ByRows | None = None
    images: OfImages | None = None
    epilogue: str = ""
    as_epilogue: Mapping[str, Any] | None = None
    fuses: Rule | None = None
    element: Element | None = None
    folds: Fold | None = None
    training: Callable[[Mapping[str, Any]], bool] | None = None
    repeatable: bool = False
    self_adjoint: bool = False
    speculatable: bool = False
    activation: bool = False
    fresh: bool = False
    out_of_place: OutOfPlace | None = None
    stopped: str = ""
    fed_as: str = ""
    any_sizes: bool = False
    lands: Callable[..., None] | None = None
    leaves: Callable[[Mapping[str, Any]], Collection[str]] | None = None
    arrays: bool = False
    differentiated_as: str = ""
    twice: str = ""
    composed: Callable[..., Any] | None = None
    in_steps: Literal["", "read", "write", "rest", "length", "first"] = ""
    chooses: bool = False
    captured: bool | Callable[[Call], bool] | None = None

    def __post_init__(self) -> None:
        always = isinstance(self.view, View) and getattr(self.view, "when", None) is None
        if self.flops is None and always:
            object.__setattr__(self, "flops", 0)

    def of_gradient(self, own: Traits) -> Traits:
        """Return the traits of the gradient operator, whose declaration states `own`."""
        if own.captured is None and isinstance(self.captured, bool):
            own = replace(own, captured=self.captured)
        if own.flops is not None or (own.fuses is not None and own.fuses.flops is not None):
            return own
        if isinstance(self.flops, Product):
            return replace(own, flops=self.flops.of_gradient)
        return replace(own, flops=0) if self.flops == 0 else own

    def __str__(self) -> str:
        """Return the traits that are given, as declarations spell them."""
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        said = [(name, value) for name, value in given.items() if not any(value is none for none in (None, False, ""))]
        return ", ".join(name if value is True else f"{name}={_shown(value)}" for name, value in said)


def _shown(value: Any) -> str:
    """Return the text of a trait: a function's name, the kind of a view, an algebra or a rule, else its repr."""
    if isinstance(
        value,
        View
        | Algebra
        | OfSequences
        | AddsRows
        | TakesRows
        | Along
        | ByRows
        | OfImages
        | Rule
        | Element
        | Fold
        | OutOfPlace,
    ):
        return type(value).__name__
    return getattr(value, "__name__", None) or repr(value)
