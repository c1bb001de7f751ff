"""A fused kernel in a Plan: its line, and the call with the arrays of a run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.generated import define
from ....kernels.array_pointers import description
from ....kernels.cpu.random import dropout
from ....ops.framework.frame import Layout
from ..graph import Step, Value, register
from .kernel import Kernel

if TYPE_CHECKING:
    from ..source import Source


class FusedUnit:
    """Operators that run as one kernel, in the place of the last of them.

    Arguments:
        kernel: of the operators. steps: the operators, in order.
    """

    kind = "fused"

    def __init__(self, kernel: Kernel, steps: Sequence[Step]) -> None:
        self.kernel, self.steps = kernel, list(steps)
        self.places = [step.place for step in steps]

    @property
    def note(self) -> str:
        """How many values never leave the kernel, and what is a copy."""
        kernel = self.kernel
        said = [f"{value.name} is {same.name}" for value, same in kernel.copies]
        count = len(kernel.inner) + len(kernel.shaped)
        return "; ".join([f"{count} {'value stays' if count == 1 else 'values stay'} inside", *said] if count else said)

    def __repr__(self) -> str:
        return f"<{' + '.join(step.type for step in self.steps)} as one kernel>"

    def lines(self, source: Source, place: int) -> list[str]:
        """The call in the place of the last operator; in those that draw random numbers a line that draws the key."""
        drawn = [f"{key.name} = dropout_key()" for step, key in self.kernel.keys.items() if step.place == place]
        if drawn:
            source.scope["dropout_key"] = dropout.key
        return [*drawn, *self._call(source, place)] if place == self.places[-1] else drawn

    def _call(self, source: Source, place: int) -> list[str]:
        """The lines in the place of the last operator."""
        kernel = self.kernel
        held = self._registers(source)
        reads, gives = [held[v] for v in kernel.reads], [held[v] for v in kernel.gives]
        touched = {name for p in self.places for name in source.touched[p]}
        every = dict.fromkeys(name for p in self.places for name in (*source.touched[p], *source.measured[p]))
        own = {held[v] for step in self.steps for v in step.makes()}
        others = [name for name in every if name not in {*reads, *own, *source.lod.values()}]
        out = [held[v] for v in (*kernel.gives, *kernel.shaped, *(v for v, _ in kernel.copies))]
        whole = [name for name in others if name in touched]
        for p in self.places:
            source.touched[p], source.measured[p] = [], []
        lods = [line for p in self.places for line in source.lod_lines.get(p, ())]
        used_lods = [source.lod[name] for name in (*reads, *own) if name in source.lod]
        for step, key in kernel.keys.items():
            source.touched[step.place] = [key.name]
        source.touched[place] = list(dict.fromkeys([*reads, *whole, *out, *used_lods]))
        source.measured[place] = [name for name in others if name not in touched]
        lines = []
        if gives:
            fallback = self._one_by_one(source, [*reads, *others], gives)
            names = [*reads, *others]
            expected = [(names.index(held[v]), layout) for v, layout in kernel.expected.items()]
            source.scope[f"f{place}"] = FusedCall(kernel, fallback, len(reads), expected)
            lines.append(f"{''.join(f'{g}, ' for g in gives)} = f{place}({', '.join(names)})")
        lines += [f"{held[value]} = {held[same]}" for value, same in kernel.copies]
        lines += [f"{held[value]} = Like({held[kernel.like(value)]})" for value in kernel.shaped]
        source.alike.update(held[value] for value in kernel.shaped)
        return lines + lods

    def _registers(self, source: Source) -> dict[Value, str]:
        """The local variable of each value that the operators read or make."""
        held: dict[Value, str] = {key: key.name for key in self.kernel.keys.values()}
        for step in self.steps:
            held.update({value: register(source, value) for value in step.reads()})
            held.update({value: register(source, value) for value in step.makes()})
        return held

    def _one_by_one(self, source: Source, taken: Sequence[str], gives: Sequence[str]) -> Callable:
        """The operators run one by one, for arrays that do not lie as the Program says."""
        calls = {step.place: self._keyed(source, step) for step in self.kernel.keys}
        body = [(p, line) for p in self.places for line in (*source.alone.get(p, ()), *calls.get(p, source.calls[p]))]
        text = [f"def one_by_one({', '.join(taken)}):", *(f"    {line}" for _, line in body)]
        text.append(f"    return {''.join(f'{g}, ' for g in gives)}")
        made = define(f"operators {self.places}", "one_by_one", "\n".join(text) + "\n", source.scope)
        source.scope.pop("one_by_one", None)
        source.parts[made.__code__] = {number: p for number, (p, _) in enumerate(body, 2)}
        return made

    def _keyed(self, source: Source, step: Step) -> list[str]:
        """The call of an operator with the key that has been drawn."""
        definition = step.op.definition
        assert definition.traits.fuses is not None and definition.traits.fuses.keyed is not None
        source.scope[f"d{step.place}"] = definition.traits.fuses.keyed(step)
        results = [step.out(slot.name) for slot in definition.outputs]
        made = [register(source, value) if value is not None else "_" for value in results]
        given = ", ".join(register(source, value) for value in step.reads())
        return [f"{', '.join(made)} = d{step.place}({given}, drawn={self.kernel.keys[step].name})"]


class FusedCall:
    """Runs a kernel, or where the arrays do not lie as they should, the operators one by one.

    Arguments:
        kernel: the kernel. one_by_one: the function that runs the operators.
        count: how many of the arguments the kernel takes.
        expected: places of others whose shapes have to be as the Program says, and how they lie in the frame.
    """

    def __init__(
        self, kernel: Kernel, one_by_one: Callable, count: int, expected: Sequence[tuple[int, Layout]] = ()
    ) -> None:
        self.kernel, self.one_by_one, self.count, self.expected = kernel, one_by_one, count, expected
        self.into = kernel.into
        self.known: dict[Any, Any] = {}
        self.like = [np.empty(0, dtype) for dtype in kernel.dtypes]
        self.uneven: tuple[int, ...] = ()  # places of the arrays that were not contiguous
        self.last: Any = ((), [], np.empty(0, np.int64), _unfit, ())

    def __call__(self, *arrays: Any) -> Any:
        given: Any = self._made_ready(arrays) if self.uneven or self.into else arrays[: self.count]
        made, sizes, descriptions, run, shapes = self.last
        outs = [np.empty(shape, dtype) for shape, dtype in made]
        table = np.array([*sizes, *map(id, given), *map(id, outs)], np.int64)
        if (not shapes or _have(arrays, shapes)) and run(table, descriptions, *self.like):
            return self._results(given, outs) if self.into else outs
        del given
        return self._otherwise(arrays)

    def _otherwise(self, arrays: Sequence[Any]) -> Any:
        """The call with arrays that are not like those of the last call."""
        given = arrays[: self.count]
        key = tuple([(a.shape, a.dtype) for a in given])
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = self._prepared(given)
        if not known or not _have(arrays, known[4]):
            return self.one_by_one(*arrays)
        self.last = known
        made, sizes, descriptions, run, _ = known
        self.uneven = tuple([i for i, a in enumerate(given) if not a.flags.c_contiguous])
        ready = [np.ascontiguousarray(a) for a in given]
        for i in self.into.values():
            ready[i] = np.array(ready[i])
        outs = [np.empty(shape, dtype) for shape, dtype in made]
        table = np.array([*sizes, *map(id, ready), *map(id, outs)], np.int64)
        return self._results(ready, outs) if run(table, descriptions, *self.like) else self.one_by_one(*arrays)

    def _made_ready(self, arrays: tuple) -> list[Any]:
        """The arrays that the kernel takes: views of parts are copied, and what is written to but held elsewhere, too."""
        given = list(arrays[: self.count])
        for i in self.uneven:
            given[i] = np.ascontiguousarray(given[i])
        for i in self.into.values():
            if (given[i] is arrays[i] and sys.getrefcount(given[i]) > HELD) or not _whole(given[i]):
                given[i] = np.array(given[i])
        return given

    def _results(self, given: Sequence[Any], outs: list[Any]) -> list[Any]:
        """The results in their order: new arrays, and operands that were written to."""
        new = iter(outs)
        return [given[self.into[i]] if i in self.into else next(new) for i in range(len(self.kernel.gives))]

    def _prepared(self, given: Sequence[Any]) -> Any:
        """What a call needs, or () for arrays that do not fit.

        Shapes and dtypes of the results, sizes, descriptions of the operands, the function, shapes of other arguments.
        """
        kernel = self.kernel
        right = all(type(a) is np.ndarray and a.dtype == v.dtype for a, v in zip(given, kernel.reads, strict=True))
        frame = kernel.frame_of([a.shape for a in given]) if right else None
        if frame is None or 0 in frame:
            return ()
        own = [value for i, value in enumerate(kernel.gives) if i not in kernel.into]
        made = [(kernel.made[value].layout.shape(frame), value.dtype) for value in own]
        descriptions = [word for a in given for word in description(a.shape, a.dtype)]
        shapes = [(place, layout.shape(frame)) for place, layout in self.expected]
        sizes = kernel.sizes(frame)
        return made, sizes, np.array(descriptions, np.int64), kernel.function(sizes, made), shapes


def _have(arrays: Sequence[Any], shapes: Sequence[tuple[int, tuple[int, ...]]]) -> bool:
    """Whether arguments have these shapes."""
    return all([arrays[place].shape == shape for place, shape in shapes])  # noqa: C419  a list is faster


def _whole(array: Any) -> bool:
    """Whether nobody else sees the memory of an array: it is no view, or one of an array that nothing else holds."""
    base = array.base
    if base is None:
        return True
    alone = type(base) is np.ndarray and base.base is None and base.nbytes == array.nbytes
    return alone and sys.getrefcount(base) <= BASE_HELD


def _held() -> tuple[int, int]:
    """The references to an array that only a running Plan holds, and to the base of one, as they are counted above."""

    class Call:
        def __call__(self, *arrays: Any) -> int:
            return self.count(arrays)

        def count(self, arrays: tuple) -> int:
            given = list(arrays[:1])
            return sys.getrefcount(given[0])

    def plan() -> int:
        v1 = np.zeros(1)
        return call(v1)

    def counted(array: Any) -> int:
        base = array.base
        return sys.getrefcount(base)

    call = Call()
    return plan(), counted(np.zeros(1).reshape(1, 1))


HELD, BASE_HELD = _held()


def _unfit(*_: Any) -> bool:
    return False
