"""What operators become that move elements: parts of values, axes that change places, values side by side, repetitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import prod

from .....ops.framework.traits import Concat, Repeat, Slice, Split, Stack, Transpose, Unstack
from ...ir import Instruction, Value
from .elements import ElementsStep, Walked, X, shape, strides_of


def moving_steps(step: Instruction) -> list[ElementsStep] | None:
    """Return what an operator becomes that moves elements, or the gradient of one; None for others."""
    found = _moved(step) or _repeated(step)
    return [found] if found is not None else _stacked(step) or _side_by_side(step)


def _moved(step: Instruction) -> ElementsStep | None:
    """Return what an operator becomes that permutes axes, or takes a part of its input, or the gradient of one."""
    definition = step.op.definition
    forward = definition.forward
    view = (forward or definition).traits.view
    if not isinstance(view, Transpose | Slice):
        return None
    if forward is None:
        whole, part = step.one(view.given), step.out(view.made)
    else:
        whole, part = step.out(f"{view.given}@GRAD"), step.one(f"{view.made}@GRAD")
    if whole is None or part is None or whole.dtype != part.dtype:
        return None
    full = shape(whole)
    if isinstance(view, Transpose):
        order = view.order(step.attrs)
        begin, sizes, strides = 0, tuple(full[d] for d in order), tuple(strides_of(full)[d] for d in order)
    else:
        bounds = view.bounds(step.attrs)
        if bounds is None:
            return None
        ranges = [range(n)[slice(*bounds.get(d, (0, n)))] for d, n in enumerate(full)]
        strides, sizes = strides_of(full), tuple(map(len, ranges))
        begin = sum(each.start * n for each, n in zip(ranges, strides, strict=True))
    if prod(sizes) != prod(shape(part)):
        return None
    ends = Walked(whole, strides, begin), Walked(part, strides_of(sizes))
    if forward is None:
        return ElementsStep(sizes, X, (ends[0],), ends[1])
    return ElementsStep(sizes, X, (ends[1],), ends[0], fresh=isinstance(view, Slice))


def _repeated(step: Instruction) -> ElementsStep | None:
    """Return what an operator becomes that repeats its input along axes, or the gradient of one."""
    forward = step.op.definition.forward
    algebra = (forward or step.op.definition).traits.algebra
    if not isinstance(algebra, Repeat) or len(step.read.get("X") or ()) != 1:
        return None
    one, many = (step.one("X"), step.out("Out")) if forward is None else (step.out("X@GRAD"), step.one("Out@GRAD"))
    if one is None or many is None or _reads_more(step) or one.dtype != many.dtype:
        return None
    of, times = shape(one), tuple(step.attrs[algebra.times])
    if tuple(n * t for n, t in zip(of, times, strict=False)) != shape(many) or len(times) != len(of):
        return None
    pairs = [*zip(times, of, strict=True)]
    sizes = tuple(n for pair in pairs for n in pair)
    again = tuple(k for n in strides_of(of) for k in (0, n))
    along = tuple(k for (_, n), k in zip(pairs, strides_of(shape(many)), strict=True) for k in (n * k, k))
    ends = Walked(one, again), Walked(many, along)
    if forward is None:
        return ElementsStep(sizes, X, (ends[0],), ends[1])
    return ElementsStep(sizes, X, (ends[1],), ends[0], fresh=True, adds=True)


def _stacked(step: Instruction) -> list[ElementsStep] | None:
    """Return what an operator becomes that puts values side by side along a new axis, or takes them apart."""
    traits, forward = step.op.definition.traits, step.op.definition.forward
    if isinstance(traits.algebra, Stack):
        whole, parts, gathers = step.out("Y"), step.read.get("X") or (), True
    elif forward is not None and isinstance(forward.traits.view, Unstack):
        view = forward.traits.view
        whole, parts, gathers = step.out(f"{view.given}@GRAD"), step.read.get(f"{view.made}@GRAD") or (), True
    elif isinstance(traits.view, Unstack):
        whole, parts, gathers = step.one(traits.view.given), step.made[traits.view.made], False
    else:
        return None
    if whole is None or (gathers and None in parts):
        return None
    axis = step.attrs["axis"] % len(shape(whole))
    return list(_parts(whole, axis, parts, range(len(parts)), gathers))


def _side_by_side(step: Instruction) -> list[ElementsStep] | None:
    """Return what an operator becomes that puts values side by side along an axis, or cuts one into parts, or a gradient of one."""
    definition = step.op.definition
    algebra, forward = definition.traits.algebra, definition.forward
    parts: Sequence[Value | None]
    if isinstance(algebra, Concat):
        whole, parts, like, gathers = step.out("Out"), step.read.get("X") or (), step.read.get("X") or (), True
    elif isinstance(algebra, Split):
        whole, parts, like, gathers = step.one("X"), step.made["Out"], step.made["Out"], False
    elif forward is not None and isinstance(forward.traits.algebra, Concat):
        whole, parts, like, gathers = step.one("Out@GRAD"), step.made["X@GRAD"], step.read.get("X") or (), False
    else:
        return None
    if whole is None or None in like or _reads_more(step):
        return None
    axis = step.attrs["axis"] % len(shape(whole))
    sizes = [shape(value)[axis] for value in like if value is not None]
    return (
        list(_parts(whole, axis, parts, [0, *accumulate(sizes)], gathers)) if sum(sizes) == shape(whole)[axis] else None
    )


def _reads_more(step: Instruction) -> bool:
    """Return whether an operator reads more than X, or what arrives: sizes or axes from values."""
    return any(slot not in ("X", "Out@GRAD") and any(values) for slot, values in step.read.items())


def _parts(
    whole: Value, axis: int, parts: Sequence[Value | None], places: Sequence[int], gathers: bool
) -> Iterator[ElementsStep]:
    """Yield the loops over the elements of parts of a value, which begin at these places of an axis.

    gathers: whether the parts make the whole; otherwise it makes them.
    """
    strides = strides_of(shape(whole))
    for part, place in zip(parts, places, strict=False):
        if part is None:
            continue
        sizes = shape(part)
        own = strides if len(sizes) == len(strides) else strides[:axis] + strides[axis + 1 :]
        ends = Walked(part, strides_of(sizes)), Walked(whole, own, place * strides[axis])
        yield ElementsStep(sizes, X, (ends[not gathers],), ends[gathers])
