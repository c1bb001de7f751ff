"""A bias and an activation behind a convolution, an activation behind a pooling: done while the result is in the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....ops.framework.emit import kernel_of
from ....ops.framework.traits import Add
from ..graph import Graph, Step, Value, register

if TYPE_CHECKING:
    from ..source import Source

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


class WithEpilogue:
    """A convolution or pooling with what follows it.

    Arguments:
        step: the operator. add: the addition of its bias, if any. act: the activation, if any.
    """

    kind = "epilogue"
    note = "done while the result is in the cache"

    def __init__(self, step: Step, add: Step | None, act: Step | None) -> None:
        self.step, self.add, self.act = step, add, act
        self.steps = [each for each in (step, add, act) if each is not None]
        self.places = [each.place for each in self.steps]

    def __repr__(self) -> str:
        return f"<{' + '.join(step.type for step in self.steps)} as one kernel>"

    def lines(self, source: Source, place: int) -> list[str]:
        """The call in the place of the last operator; of the results before, shape and dtype only are left."""
        if place != self.places[-1]:
            return []
        made = register(source, self.steps[-1].makes()[0])
        inner = [register(source, v) for step in self.steps[:-1] for v in step.makes() if v.shaped]
        given = [register(source, v) for v in self.step.reads()]
        bias = register(source, self.add.one("Y")) if self.add is not None else "None"  # type: ignore[arg-type]
        lods = [line for p in self.places for line in source.lod_lines.get(p, ())]
        used = [source.lod[name] for name in (*given, *inner, made) if name in source.lod]
        for p in self.places:
            source.touched[p], source.measured[p] = [], []
        source.touched[place] = list(
            dict.fromkeys([*given, *([bias] if self.add is not None else []), *inner, made, *used])
        )
        source.scope[f"k{place}"] = kernel_of(self.step.op.definition, "cpu")
        source.scope[f"attrs{place}"] = self.step.attrs
        arguments = [*given, *([bias, "None"] if _takes_bias(self.step) else [])]
        source.alike.update(inner)
        act = self.act.type if self.act is not None else None
        lines = [f"{made} = k{place}({', '.join(arguments)}, act={act!r}, **attrs{place})"]
        return [*lines, *(f"{name} = Like({made})" for name in inner), *lods]


def join_epilogues(graph: Graph) -> None:
    """Enter convolutions and poolings with what follows them."""
    for step in graph.steps:
        made = _made(graph, step)
        if made is None:
            continue
        add = _only_reader(graph, made) if _takes_bias(step) else None
        if add is not None and not _adds_channels(add, made):
            add = None
        last = made if add is None else add.out("Out")
        act = _only_reader(graph, last) if last is not None else None
        if act is not None and not _is_activation(act):
            act = None
        if add is not None or (act is not None and _alone(graph, step, act)):
            unit = WithEpilogue(step, add, act)
            if not graph.outdated(unit.places):
                graph.enter(unit)


def _made(graph: Graph, step: Step) -> Value | None:
    """What a convolution or pooling over [N, C, H, W] makes; None for others."""
    if not step.plain or not graph.free(step.place):
        return None
    definition = step.op.definition
    if not definition.traits.epilogue or any(
        step.one(slot.name) is not None for slot in definition.inputs if slot.optional
    ):
        return None
    made, x = step.makes(), step.one(definition.inputs[0].name)
    if len(made) != 1 or x is None or step.attrs["data_format"] not in ("NCHW", "AnyLayout"):
        return None
    return made[0] if len(made[0].shape) == 4 and x.dtype in FLOATS and made[0].dtype == x.dtype else None


def _takes_bias(step: Step) -> bool:
    """Whether the kernel of an operator adds a bias, too."""
    return "bias" in step.op.definition.traits.epilogue


def _only_reader(graph: Graph, value: Value) -> Step | None:
    """The operator that alone reads a value; None where there are others, or it is returned."""
    if value.wanted or len(value.readers) != 1:
        return None
    step = graph.steps[value.readers[0]]
    early = any(place < step.place for place in value.shaped)
    return step if step.plain and graph.free(step.place) and not early else None


def _adds_channels(step: Step, value: Value) -> bool:
    """Whether an operator adds one number a channel to a value."""
    algebra = step.op.definition.traits.algebra
    if not isinstance(algebra, Add) or step.one("X") is not value or step.attrs["axis"] != 1:
        return False
    y = step.one("Y")
    channels = value.shape[1]
    return (
        y is not None
        and y.dtype == value.dtype
        and y.shape == (channels,)
        and channels > 0
        and step.out("Out") is not None
    )


def _is_activation(step: Step) -> bool:
    known = step.op.definition.traits.as_epilogue
    return known is not None and all(step.attrs[name] == value for name, value in known.items())


def _alone(graph: Graph, step: Step, act: Step) -> bool:
    """Whether both are in one part of the Plan."""
    return graph.part(step.place) == graph.part(act.place)
