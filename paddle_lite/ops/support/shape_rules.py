"""Rules that shape operators share: lists of numbers given as inputs, axes, result shapes, LoD."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from .meta import Meta
from .scalar_inputs import require_integer_numbers, require_one_integer

UNKNOWN = -1


# --- lists of numbers, given by an attribute or by inputs that replace it -----------------------------------------------


def requested(attr: Sequence[int], tensor: Any = None, tensors: Any = None) -> Sequence[int]:
    """Return the numbers of the first source that is given: a list of one-element tensors, a tensor, or the attribute."""
    if tensors:
        return [t.item() for t in tensors]
    return attr if tensor is None else tensor.reshape(-1).tolist()


def requested_if_known(where: str, attr: Sequence[int], **inputs: Meta | Sequence[Meta] | None) -> Sequence[int | None]:
    """Return what inference knows of the result of `requested`: None for each number that only an input holds.

    With a list of inputs, the attribute holds the numbers that are already known, and negative ones for the others.

    Arguments:
        where, attr: the operator, and the numbers in its attribute.
        inputs: slot -> its tensor, or its list of one-element tensors, or None.

    Raises:
        DtypeError: a tensor does not hold integers. ShapeError: one in a list has not one element.
    """
    known: Sequence[int | None] = attr
    for slot, given in inputs.items():
        if isinstance(given, Meta):
            require_integer_numbers(where, slot, given)
            size = prod(given.shape)
            known = [None] * (len(attr) if size < 0 else size)
    for slot, given in inputs.items():
        if given and not isinstance(given, Meta):
            for i, each in enumerate(given):
                require_one_integer(where, f"{slot}[{i}]", each)
            known = [None if n < 0 else n for n in attr] if len(attr) == len(given) else [None] * len(given)
    return known


# --- axes -------------------------------------------------------------------------------------------------------------


def axis_of(where: str, axis: int, rank: int, name: str = "axis") -> int:
    """Return the axis as a non-negative number; raise if it is out of range for `rank`."""
    if not -rank <= axis < rank:
        raise ShapeError(
            message(where, f"attribute '{name}'", axis, f"{-rank} to {rank - 1}, for an input of rank {rank}")
        )
    return axis % rank


def require_permutation(where: str, axis: Sequence[int], rank: int) -> None:
    """Raise unless `axis` is a permutation of 0 to rank - 1."""
    if sorted(axis) != list(range(rank)):
        raise ShapeError(
            message(where, "attribute 'axis'", list(axis), f"each of 0 to {rank - 1} once, for an input of rank {rank}")
        )


# --- shapes of results ------------------------------------------------------------------------------------------------


def reshaped_shape(where: str, shape: Sequence[int], dims: Sequence[int]) -> list[int]:
    """Return the shape that reshaping `dims` to `shape` gives: 0 copies a dimension; -1 is inferred, or stays if it cannot be.

    0 copies a dimension, -1 is worked out (or stays where it cannot be).
    """
    name = "attribute 'shape'"
    if not shape:
        raise ShapeError(message(where, name, "[]", "at least one dimension"))
    if min(shape) < -1 or list(shape).count(-1) > 1:
        raise ShapeError(
            message(where, name, list(shape), "positive numbers, 0 (copied from the input), and at most one -1")
        )
    copied = [i for i, n in enumerate(shape) if n == 0]
    if copied and copied[-1] >= len(dims):
        raise ShapeError(
            message(
                where,
                name,
                f"0 at position {copied[-1]} of {list(shape)}",
                f"at most {len(dims)} dimensions to copy from",
            )
        )
    rest = [n for i, n in enumerate(dims) if i not in copied]
    out = [dims[i] if n == 0 else n for i, n in enumerate(shape)]
    if UNKNOWN in rest:
        return out
    size, given = prod(rest), prod(n for n in shape if n > 0)
    fits = size % given == 0 if -1 in shape else size == given
    if not fits:
        raise ShapeError(
            message(where, name, list(shape), f"room for the {prod(dims)} elements of shape {list(dims)}"
                    if UNKNOWN not in dims else f"a shape that fits {list(dims)}")
        )  # fmt: skip
    if -1 in shape:
        out[list(shape).index(-1)] = size // given
    return out


def squeezed_shape(where: str, axes: Sequence[int], dims: Sequence[int]) -> list[int]:
    """Return the shape without the given axes of size 1; without all axes of size 1 if none are given."""
    if len(axes) == 0:
        return [n for n in dims if n != 1]
    drop = {axis_of(where, a, len(dims), "axes") for a in axes}
    for a in sorted(drop):
        if dims[a] not in (1, UNKNOWN):
            raise ShapeError(
                message(
                    where, "attribute 'axes'", f"axis {a} of shape {list(dims)}", f"an axis of size 1, not {dims[a]}"
                )
            )
    return [n for a, n in enumerate(dims) if a not in drop]


def unsqueezed_shape(where: str, axes: Sequence[int], dims: Sequence[int]) -> list[int]:
    """Return the shape with an axis of size 1 inserted at each given position, one after another."""
    out = list(dims)
    for a in axes:
        place = a if a >= 0 else a + len(out) + 1
        if not 0 <= place <= len(out):
            raise ShapeError(
                message(
                    where, "attribute 'axes'", f"{a} of {list(axes)}", f"{-len(out) - 1} to {len(out)} for shape {out}"
                )
            )
        out.insert(place, 1)
    return out


def sliced_shape(
    where: str, dims: Sequence[int], axes: Sequence[int], bounds: Sequence[Sequence[int | None]]
) -> list[int]:
    """Return the shape after slicing each of `axes` by start:end:stride; `bounds` holds starts, ends and optional strides.

    `bounds` holds starts, ends, and perhaps strides.
    """
    for name, values in zip(("starts", "ends", "strides"), bounds, strict=False):
        if len(values) != len(axes):
            raise ShapeError(
                message(where, f"attribute '{name}'", list(values), f"{len(axes)} numbers, one for each of axes")
            )
    out = list(dims)
    strides = bounds[2] if len(bounds) == 3 else [1] * len(axes)
    for a, start, end, stride in zip(axes, *bounds[:2], strides, strict=True):
        a = axis_of(where, a, len(dims), "axes")
        if stride == 0:
            raise ArgumentValueError(message(where, "attribute 'strides'", 0, f"a step other than 0 along axis {a}"))
        if dims[a] == UNKNOWN or start is None or end is None or stride is None:
            out[a] = UNKNOWN
            continue
        out[a] = len(range(*slice(start, end, stride).indices(dims[a])))
        if out[a] == 0:
            raise ShapeError(
                message(where, f"{start}:{end}:{stride} of axis {a}", "no elements", f"at least one of {dims[a]}")
            )
    return out


def drop_axes(where: str, dims: Sequence[int], drop: Sequence[int]) -> list[int]:
    """Return the shape without the axes of `decrease_axis`, which must have size 1; [1] if none is left."""
    for a in drop:
        if not 0 <= a < len(dims) or dims[a] not in (1, UNKNOWN):
            raise ShapeError(
                message(where, "attribute 'decrease_axis'", list(drop), f"axes of size 1 of shape {list(dims)}")
            )
    return [n for a, n in enumerate(dims) if a not in drop] or [1]


def common_shape(where: str, metas: Sequence[Meta], free: int | None = None) -> list[int]:
    """Return the common shape of several Metas of one dtype, which may differ along axis `free`; -1 where unknown."""
    out = list(metas[0].shape)
    for i, m in enumerate(metas):
        if m.dtype != metas[0].dtype:
            raise DtypeError(message(where, f"Input(X)[{i}]", f"dtype {m.dtype}", f"{metas[0].dtype}, as the first has",
                                     "Convert it with cast()."))  # fmt: skip
        fits = len(m.shape) == len(out) and all(
            a == free or UNKNOWN in (n, known) or n == known
            for a, (n, known) in enumerate(zip(m.shape, out, strict=True))
        )
        if not fits:
            where_free = "" if free is None else f" but for axis {free}"
            raise ShapeError(
                message(where, f"Input(X)[{i}]", f"shape {list(m.shape)}", f"{out}, as the first has{where_free}")
            )
        out = [n if known == UNKNOWN else known for n, known in zip(m.shape, out, strict=True)]
    return out


# --- LoD --------------------------------------------------------------------------------------------------------------


def rows_kept(lods: tuple, ins: tuple, outs: tuple, attrs: dict) -> tuple:
    """Return the first input's LoD for each output if the first output has as many rows, else None."""
    lod = lods[0]
    if lod is not None and (not outs[0].ndim or outs[0].shape[0] != ins[0].shape[0]):
        lod = None
    return (lod,) * len(outs)


def level_if(kept: bool, meta: Meta) -> int:
    """Return the LoD level of a result: that of the input if its rows are kept, else 0."""
    return meta.lod_level if kept else 0


def rows_reshaped(shape: Sequence[int], dims: Sequence[int]) -> bool:
    """Return whether reshaping keeps the first dimension; False if that is unknown, or `dims` has none."""
    if not dims:
        return False
    if shape[0] != UNKNOWN:
        return shape[0] == 0 or shape[0] == dims[0]
    inner = [dims[i] if n == 0 else n for i, n in enumerate(shape[1:], 1)]
    return UNKNOWN not in inner and UNKNOWN not in dims[1:] and prod(inner) == prod(dims[1:])


def split_sizes(where, extent, num, sections):
    """Return how long each piece of `extent` is; UNKNOWN for those that cannot be known."""
    if not sections:
        if num < 1 or (extent != UNKNOWN and extent % num):
            raise ShapeError(message(where, "attribute 'num'", num, f"a number of equal parts of {extent}"))
        return [UNKNOWN if extent == UNKNOWN else extent // num] * num
    if None in sections:
        return [UNKNOWN if n is None else n for n in sections]
    given = sum(n for n in sections if n != -1)
    rest = list(sections).count(-1)
    if rest > 1 or min(sections) < -1:
        raise ShapeError(message(where, "attribute 'sections'", list(sections), "sizes, of which one may be -1"))
    if extent != UNKNOWN and (given > extent or (not rest and given != extent)):
        raise ShapeError(message(where, "attribute 'sections'", list(sections), f"sizes that add up to {extent}"))
    return [UNKNOWN if n == -1 and extent == UNKNOWN else extent - given if n == -1 else n for n in sections]


def flattened(where, dims, axis):
    """Return the two dimensions that the axes before `axis` and those from it on become."""
    if not 0 <= axis <= len(dims):
        raise ShapeError(
            message(where, "attribute 'axis'", axis, f"0 to {len(dims)}, for an input of rank {len(dims)}")
        )
    return tuple(UNKNOWN if UNKNOWN in part else prod(part) for part in (dims[:axis], dims[axis:]))


def repeats_of(rank, times):
    """Return how often each axis is repeated; raise unless there is one number of at least 1 for each."""
    if len(times) != rank or any(n is not None and n < 1 for n in times):
        raise ShapeError(message("expand", "attribute 'expand_times'", list(times), f"{rank} numbers of at least 1"))
    return times


def remember(xp, X):
    """Return the XShape output of X."""
    return xp.empty((0, *X.shape), X.dtype)


def remembered(X):
    """Return the Meta of the XShape output."""
    return Meta((0, *X.shape), X.dtype, X.lod_level)


def settled_as(shape, X):
    """Return a settled kernel that reshapes X, and gives the XShape output the same array each time."""
    shape, known = tuple(shape), remember(np, X)
    return lambda X: (X.reshape(shape), known)


def infer_reshape(where, X, Shape, ShapeTensor, shape):
    said = requested_if_known(where, shape, Shape=Shape, ShapeTensor=ShapeTensor)
    if None in said:
        reshaped_shape(
            where, [1 if n is None else n for n in said], (UNKNOWN,) * len(X.shape)
        )  # raises for an impossible shape
        dims = [UNKNOWN if n is None else X.shape[i] if n == 0 else n for i, n in enumerate(said)]
    else:
        dims = reshaped_shape(where, said, X.shape)
    return Meta(tuple(dims), X.dtype, level_if(said[0] is not None and rows_reshaped(said, X.shape), X))


def reshape_to(where, X, shape):
    """Return X in another shape: 0 copies a dimension, -1 is inferred."""
    if 0 in shape or not shape or min(shape) < -1:
        shape = reshaped_shape(where, shape, X.shape)
    try:
        return X.reshape(shape)
    except ValueError:  # the sizes came from an input, and do not fit
        reshaped_shape(where, shape, X.shape)
        raise


def lod_of_concat(lods, ins, outs, attrs):
    """Return the LoD of a concatenation: along the rows the inputs' sequences follow one another; along any other axis the first input's LoD stands."""
    each, axis = lods[0], requested([attrs["axis"]], ins[1])[0]
    if each[0] is None or axis % outs[0].ndim != 0:
        return (each[0],)
    if any(lod is None or len(lod) != len(each[0]) for lod in each):
        return (None,)
    levels = []
    for depth in range(len(each[0])):
        level = [0]
        for lod in each:
            level += [level[-1] + o for o in lod[depth][1:]]
        levels.append(tuple(level))
    return (tuple(levels),)


def lod_of_split(lods, ins, outs, attrs):
    """Return the LoD of X, or None if rows are cut."""
    return (None if requested([attrs["axis"]], ins[1])[0] % ins[0].ndim == 0 else lods[0],)


def lod_of_stack(lods, ins, outs, attrs):
    """Return the LoD of the first input, or None if the new axis comes before the rows."""
    return (None if attrs["axis"] % outs[0].ndim == 0 else lods[0][0],)
