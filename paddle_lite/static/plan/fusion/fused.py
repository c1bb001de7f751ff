"""A fused kernel in a Plan: its instructions, and its call at run time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ....core.generated import define
from ....kernels.array_pointers import array_description
from ....kernels.cpu.random import dropout
from ....ops.framework.dispatch import ArraySpec
from ....ops.framework.frame import Layout
from ..checks import PLACES, check_call
from ..graph import FunctionGraph
from ..ir import Instruction, Line, Unit, Value, joined, line, listed, text_of, with_lods
from .device_call import DeviceFusedCall, device_key
from .kernel import Kernel

DRAWING = {"cpu": {"dropout_key": dropout.key}, "gpu": {"dropout_key": device_key}}


def fused(graph: FunctionGraph, kernel: Kernel) -> Iterator[Instruction]:
    """Return the instructions of a fused kernel: the call in the last operator's place, and the drawing of keys."""
    *before, last = steps = kernel.steps
    unit = Unit("fused", tuple(step.place for step in steps), _note(kernel), last.place, tuple(kernel.reads))
    for step in before:
        yield step.run_as(unit, *_drawn(kernel, step), scope=DRAWING[graph.device])
    # other inputs of the operators: their shapes are checked, and the operators read them when they run one by one
    given = {*kernel.reads, *(value for step in steps for value in step.makes())}
    whole = {value for step in steps for value in step.loads}
    touched = (value for step in steps for value in (*step.loads, *step.measures))
    others = [value for value in dict.fromkeys(touched) if value not in given and not value.levels]
    lines, scope = [], {}
    arguments = [*kernel.reads, *others]
    if kernel.gives:
        name = f"f{last.place}"
        one_by_one = OneByOne(f"operators {list(unit.places)}", _calls(kernel), arguments, kernel.gives, _scope(kernel))
        expected = [(arguments.index(value), layout) for value, layout in kernel.expected.items()]
        call = FusedCall if kernel.nest is None else DeviceFusedCall
        scope[name] = call(kernel, one_by_one, len(kernel.reads), expected)
        lines.append(line(f"{{}} = {name}({{}})", listed(kernel.gives), joined(arguments)))
    lines += [line("{} = {}", value, same) for value, same in kernel.copies]
    lines += [line("{} = Like({})", value, kernel.like(value)) for value in kernel.shaped]
    lods = [text for step in steps for text in step.lods()]
    results = [*kernel.gives, *kernel.shaped, *(value for value, _ in kernel.copies)]
    handed = [value.lod for step in steps for value in step.makes() if value.lod is not None]
    drawn, _, keys = _drawn(kernel, last)
    yield last.run_as(
        unit, [*drawn, *lines, *lods],
        with_lods([*kernel.reads, *(v for v in others if v in whole)]), [*keys, *results, *handed],
        measures=tuple(v for v in others if v not in whole), outlines=tuple(kernel.shaped), scope={**DRAWING[graph.device], **scope},
        donated=tuple(kernel.reads[i] for i in kernel.into.values()),
    )  # fmt: skip


def _drawn(kernel: Kernel, step: Instruction) -> tuple[list[Line], list[Value], list[Value]]:
    """Return the line that draws an operator's random key, its loads and stores; empty lists for other operators."""
    key = kernel.keys.get(step.place)
    return ([line("{} = dropout_key()", key)], [], [key]) if key is not None else ([], [], [])


def _note(kernel: Kernel) -> str:
    """Return the note of the unit: the number of values inside the kernel, and the copies."""
    said = [f"{value.name} is {same.name}" for value, same in kernel.copies]
    count = len(kernel.inner) + len(kernel.shaped)
    return "; ".join([f"{count} {'value stays' if count == 1 else 'values stay'} inside", *said] if count else said)


def _calls(kernel: Kernel) -> list[tuple[int, Line]]:
    """Return the lines that run the operators one by one, with the places of the operators."""
    found: list[tuple[int, Line]] = []
    for step in kernel.steps:
        assert step.call is not None
        key, run = kernel.keys.get(step.place), step.call.run
        if key is not None:
            results = joined(
                "_" if value is None else value
                for value in (step.out(slot.name) for slot in step.op.definition.outputs)
            )
            run = line(f"{{}} = d{step.place}({{}}, drawn={{}})", results, joined(step.reads()), key)
        check = step.check(with_lods=False) if step.call.validated else None
        checks = [] if check is None else [check]
        found += [(step.place, text) for text in (*checks, run)]
    return found


def _scope(kernel: Kernel) -> dict[str, Any]:
    """Return the globals of the lines that run the operators one by one."""
    scope: dict[str, Any] = {"check": check_call, "Like": ArraySpec}
    for step in kernel.steps:
        scope.update(step.scope)
        if step.place in kernel.keys:  # it computes the same from the drawn key
            rule = step.op.definition.traits.fuses
            assert rule is not None and rule.keyed is not None
            scope[f"d{step.place}"] = rule.keyed(step)
    return scope


class OneByOne:
    """The function that runs the operators of a kernel one by one; the first call compiles it.

    Arguments:
        title: its name in tracebacks. lines: its lines with the places of their operators.
        takes, gives: the values of its arguments and results. scope: its globals.
    """

    def __init__(
        self,
        title: str,
        lines: Sequence[tuple[int, Line]],
        takes: Sequence[Value],
        gives: Sequence[Value],
        scope: dict[str, Any],
    ) -> None:
        self.title, self.lines, self.takes, self.gives, self.scope = title, lines, takes, gives, scope
        self._function: Callable | None = None

    def text(self) -> str:
        """Return the source."""
        text = [f"def one_by_one({text_of(joined(self.takes))}):", *(f"    {text_of(each)}" for _, each in self.lines)]
        return "\n".join([*text, f"    return {text_of(listed(self.gives))}"]) + "\n"

    def __call__(self, *arrays: Any) -> Any:
        if self._function is None:
            self.scope[PLACES] = {number: place for number, (place, _) in enumerate(self.lines, 2)}
            self._function = define(self.title, "one_by_one", self.text(), self.scope)
        return self._function(*arrays)


class FusedCall:
    """The call of a fused kernel, or of its operators one by one if the shapes or dtypes of the arrays do not fit.

    Arguments:
        kernel: the kernel. one_by_one: the function that runs the operators one by one.
        count: the number of leading arguments that the kernel takes.
        expected: the positions of further arguments whose shapes are checked, with their layouts in the frame.
    """

    def __init__(
        self, kernel: Kernel, one_by_one: Callable, count: int, expected: Sequence[tuple[int, Layout]] = ()
    ) -> None:
        self.kernel, self.one_by_one, self.count, self.expected = kernel, one_by_one, count, expected
        self.into = kernel.into
        self.known: dict[Any, Any] = {}
        self.further = [kernel.numbers, *(np.empty(0, dtype) for dtype in kernel.dtypes)]
        self.uneven: tuple[int, ...] = ()  # positions of the arrays that were not contiguous
        self.last: Any = ((), [], np.empty(0, np.int64), _unfit, ())

    def __call__(self, *arrays: Any) -> Any:
        given: Any = self._made_ready(arrays) if self.uneven or self.into else arrays[: self.count]
        made, sizes, descriptions, run, shapes = self.last
        outs = [np.empty(shape, dtype) for shape, dtype in made]
        table = np.array([*sizes, *map(id, given), *map(id, outs)], np.int64)
        if (not shapes or _have(arrays, shapes)) and run(table, descriptions, *self.further):
            return self._results(given, outs) if self.into else outs
        del given
        return self._otherwise(arrays)

    def _otherwise(self, arrays: Sequence[Any]) -> Any:
        """Run the call with arrays that differ from those of the last call in shape or dtype."""
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
        return self._results(ready, outs) if run(table, descriptions, *self.further) else self.one_by_one(*arrays)

    def _made_ready(self, arrays: tuple) -> list[Any]:
        """Return the kernel's arguments; non-contiguous arrays are copied, and donated arrays with other references."""
        given = list(arrays[: self.count])
        for i in self.uneven:
            given[i] = np.ascontiguousarray(given[i])
        for i in self.into.values():
            if (given[i] is arrays[i] and sys.getrefcount(given[i]) > HELD) or not _whole(given[i]):
                given[i] = np.array(given[i])
        return given

    def _results(self, given: Sequence[Any], outs: list[Any]) -> list[Any]:
        """Return the results in their order: new arrays, and operands that were overwritten."""
        new = iter(outs)
        return [given[self.into[i]] if i in self.into else next(new) for i in range(len(self.kernel.gives))]

    def _prepared(self, given: Sequence[Any]) -> Any:
        """Return the prepared call for arrays of these shapes and dtypes; () if they do not fit.

        It holds the shapes and dtypes of new results, the loop sizes, the descriptions of the operands, the function,
        and the expected shapes of further arguments.
        """
        kernel = self.kernel
        right = all(type(a) is np.ndarray and a.dtype == v.dtype for a, v in zip(given, kernel.reads, strict=True))
        frame = kernel.frame_of([a.shape for a in given]) if right else None
        if frame is None or 0 in frame:
            return ()
        own = [value for i, value in enumerate(kernel.gives) if i not in kernel.into]
        made = [(kernel.made[value].layout.shape(frame), value.dtype) for value in own]
        descriptions = [word for a in given for word in array_description(a.shape, a.dtype)]
        shapes = [(place, layout.shape(frame)) for place, layout in self.expected]
        sizes = kernel.sizes(frame)
        return made, sizes, np.array(descriptions, np.int64), kernel.function(sizes, made), shapes


def _have(arrays: Sequence[Any], shapes: Sequence[tuple[int, tuple[int, ...]]]) -> bool:
    """Return whether arguments have these shapes."""
    return all([arrays[place].shape == shape for place, shape in shapes])  # noqa: C419  a list is faster


def _whole(array: Any) -> bool:
    """Return whether the memory of an array is unshared: it is no view, or its base has no other references."""
    base = array.base
    if base is None:
        return True
    alone = type(base) is np.ndarray and base.base is None and base.nbytes == array.nbytes
    return alone and sys.getrefcount(base) <= BASE_HELD


def _held() -> tuple[int, int]:
    """Return the reference counts of an array that only a running Plan holds, and of the base of such an array."""

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
