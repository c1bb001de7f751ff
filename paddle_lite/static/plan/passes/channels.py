"""Channels last: convolutions of inference, with what follows them, on images whose channels are last in memory.

A convolution whose weights no operator of the Plan writes runs as one call with the normalisation, the additions and the
activation after it. Its images keep the shape [N, C, H, W], but not the order of memory: convolutions and poolings read them
as they are, and the last of them puts the channels second again for the operators that know nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....kernels.cpu.conv.channels_last.convolution import FEWEST_FILTERS, Convolution, Window
from ....kernels.cpu.conv.channels_last.pooling import Pooling
from ....ops.framework.traits import Add, Convolves, Normalizes, Pools
from ..graph import FunctionGraph
from ..ir import Instruction, Unit, Value, joined, line, with_lods
from .epilogue import adds_channels, is_activation, only_reader

NOTE = "weights are laid out once"


@dataclass(eq=False)
class _Chain:
    """A convolution or a pooling, and the operators that run with it.

    steps: the instructions, in order. image: what it reads. made: its result. filters, bias: weights.
    norm: the normalisation. added: what is added to the result. act: the type of the activation.
    """

    steps: list[Instruction]
    image: Value
    made: Value
    filters: Value | None = None
    bias: Value | None = None
    norm: Instruction | None = None
    added: Value | None = None
    act: str | None = None

    @property
    def home(self) -> int:
        """The place of the call."""
        return self.steps[-1].place

    def images(self) -> list[Value]:
        """Return the images that it reads."""
        return [value for value in (self.image, self.added) if value is not None]

    def vectors(self) -> list[Value]:
        """Return the vectors of the normalisation."""
        return [] if self.norm is None else [_one(self.norm, slot) for slot in ("Scale", "Bias", "Mean", "Variance")]


def put_channels_last(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of convolutions and poolings on images whose channels are last in memory."""
    if not is_inference(graph):
        return
    chains: dict[Value, _Chain] = {}
    taken: set[int] = set()
    for step in graph.instructions:
        chain = _convolution(graph, step, taken) or _pooling(graph, step, chains)
        if chain is not None:
            chains[chain.made] = chain
            taken.update(each.place for each in chain.steps)
    home = {step.place: each.home for each in chains.values() for step in each.steps}
    readers = {(each.home, value) for each in chains.values() for value in each.images()}
    for chain in chains.values():
        made = chain.made
        final = graph.wanted(made) or any((home.get(place), made) not in readers for place in graph.readers(made))
        yield from _instructions(graph, chain, final)


def is_inference(graph: FunctionGraph) -> bool:
    """Return whether a function is a whole Program without gradients, whose weights may be the same in every run."""
    inner = graph.parts or graph.block.parent_idx >= 0
    return not inner and all(step.op.forward is None for step in graph.instructions)


def _convolution(graph: FunctionGraph, step: Instruction, taken: set[int]) -> _Chain | None:
    """Return the chain that begins with a convolution; None for other operators, and where it would not pay."""
    if not _alone(step) or step.place in taken or not isinstance(step.op.definition.traits.images, Convolves):
        return None
    made, x, w = step.out("Output"), step.one("Input"), step.one("Filter")
    if made is None or x is None or w is None or any(step.one(slot) is not None for slot in ("Bias", "ResidualData")):
        return None
    if step.attrs["data_format"] not in ("NCHW", "AnyLayout") or not _is_image(made) or not is_weight(graph, w):
        return None
    each, groups = w.shape[0] // step.attrs["groups"], step.attrs["groups"]
    if each < FEWEST_FILTERS and not (each == 1 and w.shape[1] == 1 and groups > 1):
        return None
    chain = _Chain([step], x, made, filters=w)
    while _extended(graph, chain, taken):
        pass
    if any(not graph.unchanged(value, chain.home) for value in chain.images()):
        return None
    return chain


def _extended(graph: FunctionGraph, chain: _Chain, taken: set[int]) -> bool:
    """Put the operator that reads the result of a chain into the chain; return whether it fits."""
    step = only_reader(graph, chain.made)
    if step is None or step.place in taken or chain.act is not None:
        return False
    if is_activation(step) and _alone(step):
        chain.act = step.type
        return _append(chain, step, step.makes()[0])
    if isinstance(step.op.definition.traits.images, Normalizes):
        return chain.norm is None and chain.added is None and _normalised(graph, chain, step)
    if chain.added is not None or not isinstance(step.op.definition.traits.algebra, Add):
        return False
    out, x, y = step.out("Out"), step.one("X"), step.one("Y")
    if out is None or x is None or y is None:
        return False
    if chain.norm is None and chain.bias is None and adds_channels(step, chain.made) and is_weight(graph, y):
        chain.bias = y
        return _append(chain, step, out)
    if x is y or x.shape != y.shape or x.dtype != y.dtype or step.attrs["axis"] not in (-1, 0):
        return False
    chain.added = y if x is chain.made else x
    return _append(chain, step, out)


def _normalised(graph: FunctionGraph, chain: _Chain, step: Instruction) -> bool:
    """Put a normalisation into a chain; return whether its statistics are fixed."""
    rule = step.op.definition.traits.images
    assert isinstance(rule, Normalizes)
    out = step.out("Y")
    if not rule.fixed(step.attrs) or step.one("X") is not chain.made or out is None:
        return False
    if any(not is_weight(graph, _one(step, slot), step.place) for slot in ("Scale", "Bias", "Mean", "Variance")):
        return False
    kept = {step.out("Y"), step.out("MeanOut"), step.out("VarianceOut")}
    if any(graph.used(value) for value in step.makes() if value not in kept):
        return False
    chain.norm = step
    return _append(chain, step, out)


def _append(chain: _Chain, step: Instruction, made: Value) -> bool:
    chain.steps.append(step)
    chain.made = made
    return True


def _pooling(graph: FunctionGraph, step: Instruction, chains: dict[Value, _Chain]) -> _Chain | None:
    """Return the chain of a pooling of what a chain makes; None for other operators."""
    if not _alone(step) or not isinstance(step.op.definition.traits.images, Pools):
        return None
    x, made = step.one("X"), step.out("Out")
    if x is None or x not in chains or made is None or not _is_image(made) or not graph.unchanged(x, step.place):
        return None
    return _Chain([step], x, made) if step.attrs["data_format"] in ("NCHW", "AnyLayout") else None


def _instructions(graph: FunctionGraph, chain: _Chain, final: bool) -> Iterator[Instruction]:
    """Return the call of a chain in the place of its last operator; only shape and dtype of inner results remain."""
    step, home = chain.steps[0], chain.steps[-1]
    unit = Unit(
        "channels last", tuple(each.place for each in chain.steps), NOTE * (chain.filters is not None), home.place
    )
    yield from (each.run_as(unit) for each in chain.steps[:-1])
    statistics = [] if chain.norm is None else _statistics(chain.norm)
    whole = {chain.made, *(new for new, _ in statistics)}
    inner = [v for each in chain.steps for v in each.makes() if v not in whole and graph.shaped(v)]
    given: list[Value] = [chain.image]
    arguments: list[Value | str] = [chain.image]
    if chain.filters is not None:
        given += [value for value in (chain.filters, chain.bias, chain.added) if value is not None]
        arguments += [chain.filters, chain.bias or "None", chain.added or "None", *chain.vectors()]
        given += chain.vectors()
    name = f"i{home.place}"
    lines = [line(f"{{}} = {name}({{}})", chain.made, joined(arguments))]
    lines += [line("{} = {}", new, old) for new, old in statistics]
    lines += [line("{} = Like({})", value, chain.made) for value in inner]
    lines += [text for each in chain.steps for text in each.lods()]
    stores = with_lods([*inner, *(new for new, _ in statistics), chain.made])
    loads = [*with_lods([value for each in chain.steps for value in each.reads() if value.place < step.place]), *given]
    yield home.run_as(
        unit, lines, loads, stores, outlines=tuple(inner), scope={name: _call(chain, final)},
    )  # fmt: skip


def _call(chain: _Chain, final: bool) -> Any:
    """Return the function that computes a chain."""
    attrs = dict(chain.steps[0].attrs)
    if chain.filters is None:
        del attrs["data_format"]
        return Pooling(final=final, **attrs)
    window = Window(
        tuple(attrs["strides"]), tuple(attrs["paddings"]), attrs["padding_algorithm"], tuple(attrs["dilations"]),
        attrs["groups"],
    )  # fmt: skip
    return Convolution(window, chain.act, None if chain.norm is None else chain.norm.attrs["epsilon"], final)


def _statistics(norm: Instruction) -> list[tuple[Value, Value]]:
    """Return the statistics that a normalisation gives out, and those that it took, which are the same."""
    pairs = ((norm.out("MeanOut"), norm.one("Mean")), (norm.out("VarianceOut"), norm.one("Variance")))
    return [(new, old) for new, old in pairs if new is not None and old is not None]


def _one(step: Instruction, slot: str) -> Value:
    value = step.one(slot)
    assert value is not None
    return value


def _alone(step: Instruction) -> bool:
    return step.plain and step.free


def _is_image(value: Value) -> bool:
    """Return whether a value is a batch of images of float32 with a known number of channels."""
    return len(value.shape) == 4 and value.dtype == np.float32 and value.shape[1] > 0


def is_weight(graph: FunctionGraph, value: Value, place: int | None = None) -> bool:
    """Return whether a value is a parameter of float32 that no operator writes, but the one at `place`."""
    variable = graph.block.find(value.name)
    known = (
        variable is not None and variable.persistable and value.dtype == np.float32 and min(value.shape, default=0) > 0
    )
    return known and graph.maker(value) is None and graph.overwritten(value) in (None, place)
