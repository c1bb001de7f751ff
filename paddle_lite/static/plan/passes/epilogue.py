"""Epilogues: a bias and an activation are fused into a convolution, an activation into a pooling."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....ops.framework.dispatch import kernel_of
from ....ops.framework.traits import Add
from ..graph import FunctionGraph
from ..ir import Instruction, Unit, Value, joined, line, with_lods

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


def join_epilogues(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of convolutions and poolings that are fused with the operators after them."""
    for step in graph.instructions:
        made = _made(step)
        if made is None:
            continue
        add = only_reader(graph, made) if _takes_bias(step) else None
        if add is not None and not adds_channels(add, made):
            add = None
        last = made if add is None else add.out("Out")
        act = only_reader(graph, last) if last is not None else None
        if act is not None and not is_activation(act):
            act = None
        if add is not None or (act is not None and graph.part(step.place) == graph.part(act.place)):
            steps = [each for each in (step, add, act) if each is not None]
            if not graph.outdated([each.place for each in steps]):
                yield from _joined(graph, steps, add, act)


def _joined(
    graph: FunctionGraph, steps: list[Instruction], add: Instruction | None, act: Instruction | None
) -> Iterator[Instruction]:  # fmt: skip
    """Return the fused call in the place of the last operator; only shape and dtype of inner results remain.

    Arguments:
        steps: the operators. add: the addition of a bias among them, or None. act: the activation, or None.
    """
    step, last = steps[0], steps[-1]
    unit = Unit("epilogue", tuple(each.place for each in steps), "done while the result is in the cache", last.place)
    yield from (each.run_as(unit) for each in steps[:-1])
    [made] = last.makes()
    inner = [v for each in steps[:-1] for v in each.makes() if graph.shaped(v)]
    given = step.reads()
    bias = [] if add is None else [v for v in [add.one("Y")] if v is not None]
    lods = [text for each in steps for text in each.lods()]
    arguments: list[Value | str] = [*given]
    if _takes_bias(step):
        arguments += [*bias, "None"] if bias else ["None", "None"]
    call = line(
        f"{{}} = k{last.place}({{}}, act={None if act is None else act.type!r}, **attrs{last.place})", made, joined(arguments)
    )  # fmt: skip
    yield last.run_as(
        unit, [call, *(line("{} = Like({})", value, made) for value in inner), *lods],
        [*with_lods(given), *bias], with_lods([*inner, made]), outlines=tuple(inner),
        scope={f"k{last.place}": kernel_of(step.op.definition, "cpu"), f"attrs{last.place}": step.attrs},
    )  # fmt: skip


def _made(step: Instruction) -> Value | None:
    """Return the result of a convolution or pooling over [N, C, H, W]; None for other operators."""
    if not step.plain or not step.free:
        return None
    definition = step.op.definition
    optional = (slot.name for slot in definition.inputs if slot.optional)
    if not definition.traits.epilogue or any(step.one(name) is not None for name in optional):
        return None
    made, x = step.makes(), step.one(definition.inputs[0].name)
    if len(made) != 1 or x is None or step.attrs["data_format"] not in ("NCHW", "AnyLayout"):
        return None
    return made[0] if len(made[0].shape) == 4 and x.dtype in FLOATS and made[0].dtype == x.dtype else None


def _takes_bias(step: Instruction) -> bool:
    """Return whether the kernel of an operator can add a bias."""
    return "bias" in step.op.definition.traits.epilogue


def only_reader(graph: FunctionGraph, value: Value) -> Instruction | None:
    """Return the only reader of a value; None if there are several, or the Plan returns the value."""
    if graph.wanted(value) or len(graph.readers(value)) != 1:
        return None
    step = graph.instructions[graph.readers(value)[0]]
    early = any(place < step.place for place in graph.shaped(value))
    return step if step.plain and step.free and not early else None


def adds_channels(step: Instruction, value: Value) -> bool:
    """Return whether an operator adds one number for each channel to a value."""
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


def is_activation(step: Instruction) -> bool:
    """Return whether an operator is an activation that kernels apply to their results."""
    known = step.op.definition.traits.as_epilogue
    return known is not None and all(step.attrs[name] == value for name, value in known.items())
