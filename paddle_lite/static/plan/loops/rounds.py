"""Loops whose rounds compute numbers and small arrays: one kernel runs all rounds, with no Python between them.

The kernel is made for the shapes and dtypes of the values before the loop, which every round has to keep. Loops that it
cannot run, and runs with other values, go round by round.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....core import flags
from ....core.errors import EnforceNotMet
from ....kernels.codegen.expression import Node, walk
from ....kernels.codegen.loops import COSTLY
from ....kernels.codegen.round_loops import Array, ElementStep, FoldStep, ProductStep, RoundLoop, Step
from ....ops.support.meta import Meta
from ..ir import Instruction, Value
from .forms import KINDS, aligned_to, fits, form_of
from .limits import AT_ONCE, CHARACTERS, MOST_KERNELS, Unfit
from .runtime import MOST, too_many_rounds

if TYPE_CHECKING:
    from .loop import Loop

LARGEST = 16_384
"""The limit of the elements, and of the multiplications, of an operator: on more the kernels of operators spend much more time than
their calls take."""
FUNCTION = 16
"""The work of a function such as exp."""


def unfit(loop: Loop) -> str:
    """Return why a loop goes round by round; "" if it may run as one kernel."""
    if loop.gradients:
        return "its gradient reads the values of each round"
    for step in loop.built.instructions:
        try:
            form_of(step)
        except Unfit as reason:
            return str(reason)
    for value in loop.built.inputs:
        if not value.levels and (value.dtype is None or value.dtype.kind not in KINDS):
            return f"{value.name} holds no numbers"
    large = (v for step in loop.built.instructions for v in step.makes() if prod(max(n, 1) for n in v.shape) > LARGEST)
    return next((f"{value.name} is large" for value in large), "")


# --- the kernel -------------------------------------------------------------------------------------------------------------


class Prepared(NamedTuple):
    """The kernel for values of some shapes and dtypes.

    run: the kernel. head: the sizes in its table. at_once: the number of rounds of a call. likes: the arrays of its dtypes.
    """

    run: Any
    head: list[int]
    at_once: int
    likes: list[np.ndarray]


class LoopCall:
    """The call of a loop as one kernel, or round by round: it takes and returns what the Loop does.

    Arguments:
        loop: the compiled loop.
    """

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.before = [loop.built.inputs[i] for i in range(len(loop.names))]
        ends = loop.built.ends[0]
        where = {name: i for i, name in enumerate(loop.names)}
        self.handed = [
            (where[name], end) for name, end in zip(loop.results, ends, strict=True) if end is not self.before[where[name]]
        ]  # fmt: skip
        self.results = [where[name] for name in loop.results]
        self.lods = [None] * len(loop.ragged_results())
        self.condition = where[loop.condition]
        self.characters = CHARACTERS * len(loop.built.instructions)
        self._known: dict[Any, Prepared | None] = {}
        self._kernels: dict[str, Any] = {}

    def __call__(self, values: Sequence[Any], lods: Sequence[Any]) -> tuple[Any, Any, Any]:
        key = tuple([(type(v), getattr(v, "shape", None), getattr(v, "dtype", None)) for v in values])
        if key not in self._known:
            self._known[key] = self._prepared(values)
        prepared = self._known[key]
        if prepared is None or any(lod is not None for lod in lods):
            return self.loop(values, lods)
        now = list(values)
        for i, _ in self.handed:
            now[i] = np.array(values[i], order="C")
        addresses = [id(_contiguous(now, i)) for i in range(len(now))]
        rounds, most, at_once = 0, flags.value(MOST), prepared.at_once
        condition = now[self.condition]
        while condition.item():
            if 0 < most <= rounds:
                too_many_rounds(most)
            limit = min(at_once, most - rounds) if most > 0 else at_once
            done = prepared.run(np.array([limit, *prepared.head, *addresses], np.int64), *prepared.likes)
            rounds += done
            if done < limit and condition.item():
                return self.loop(now, lods)  # an operator refuses a number of the next round
        self.loop.longest[0] = max(self.loop.longest[0], rounds)
        return [now[i] for i in self.results], self.lods, None

    def _prepared(self, values: Sequence[Any]) -> Prepared | None:
        """Return the kernel for values of these shapes and dtypes; None if they go round by round."""
        try:
            rounds = _Rounds(self, values)
        except (Unfit, EnforceNotMet):
            return None
        loop = RoundLoop([*rounds.sizes], rounds.arrays, len(values), rounds.steps, rounds.handed, self.condition)
        if loop.source not in self._kernels:
            if len(self._kernels) >= MOST_KERNELS:
                return None
            self._kernels[loop.source] = loop.compiled()
        likes = [np.empty(0, dtype) for dtype in loop.dtypes]
        return Prepared(self._kernels[loop.source], list(rounds.sizes.values()), max(1, AT_ONCE // rounds.work), likes)


def _contiguous(now: list[Any], i: int) -> np.ndarray:
    """Return the i-th array, which is copied first if its elements do not follow each other."""
    if not now[i].flags.c_contiguous or not now[i].flags.aligned:
        now[i] = np.array(now[i], order="C")
    return now[i]


class _Rounds:
    """The arrays and steps of a round, for values of given shapes and dtypes.

    Raises:
        Unfit: the kernel cannot run the round.
    """

    def __init__(self, call: LoopCall, values: Sequence[Any]) -> None:
        self.sizes: dict[str, int] = {}  # name -> size
        self.arrays: list[Array] = []
        self.steps: list[Step] = []
        self.work = 1
        self._metas: dict[Value, Meta] = {}
        self._numbers: dict[Value, int] = {}
        for value, array in zip(call.before, values, strict=True):
            if type(array) is not np.ndarray or not fits(array.dtype):
                raise Unfit("a value without numbers that kernels compute with")
            self._metas[value] = Meta(array.shape, array.dtype)
            self._numbers[value] = self._added(array.shape, array.dtype)
        for step in call.loop.built.instructions:
            self._step(step)
        if self._metas[call.before[call.condition]] not in (Meta((1,), np.dtype(bool)), Meta((), np.dtype(bool))):
            raise Unfit("the condition is not one truth value")
        self.handed = [(i, self._numbers[end]) for i, end in call.handed if end is not None]
        for i, end in call.handed:
            if end is None or self._metas[end][:2] != self._metas[call.before[i]][:2]:
                raise Unfit("a value changes its shape or dtype")

    def _added(self, shape: Sequence[int], dtype: np.dtype) -> int:
        """Add an array; return its number."""
        if 0 in shape or prod(shape) > LARGEST:
            raise Unfit("an array that is empty or large")
        self.arrays.append(Array(tuple(map(self._size, shape)), dtype))
        return len(self.arrays) - 1

    def _size(self, size: int) -> str:
        """Return the text of a size: equal ones have one name."""
        if size == 1:
            return "1"
        known = next((name for name, each in self.sizes.items() if each == size), f"n{len(self.sizes)}")
        self.sizes[known] = size
        return known

    def _step(self, step: Instruction) -> None:
        """Add what an operator computes."""
        reads = step.reads()
        metas = [self._metas[value] for value in reads]
        form = form_of(step, [meta.dtype for meta in metas])
        [made], meta = step.makes(), _inferred(step, self._metas)
        if -1 in meta.shape or not fits(meta.dtype):
            raise Unfit("a result of unknown size")
        if form.refused is not None and prod(meta.shape) != 1:
            raise Unfit("an array of which elements may be refused")
        self._metas[made] = meta._replace(lod_level=0)
        shapes, numbers = [each.shape for each in metas], [self._numbers[value] for value in reads]
        to = self._numbers[made] = self._added(meta.shape, meta.dtype)
        self.work += prod(meta.shape) * (1 + FUNCTION * _functions(form.node))
        if form.how == "reduction":
            self.steps.append(FoldStep(to, step.op.definition.traits.folds.how, numbers[0]))  # type: ignore[union-attr]
            self.work += prod(shapes[0])
        elif form.how == "product":
            multiplied = prod(shapes[0]) * shapes[1][1]
            if multiplied > LARGEST:
                raise Unfit("a large product")
            self.work += multiplied
            self.steps.append(ProductStep(to, *numbers))
        else:
            assert form.node is not None
            axis = step.attrs.get("axis", -1)
            aligned = [aligned_to(shape, meta.shape, axis) for shape in shapes]
            texts = tuple(tuple(map(self._size, each)) for each in aligned)
            self.steps.append(ElementStep(to, form.node, tuple(numbers), texts, form.refused))


def _inferred(step: Instruction, metas: dict[Value, Meta]) -> Meta:
    """Return what inference says of the only result of an operator."""
    definition = step.op.definition
    given: list[Any] = []
    for slot in definition.inputs:
        found = [metas[value] for value in step.read.get(slot.name) or () if value is not None]
        given.append((found or None) if slot.many else (found or [None])[0])  # type: ignore[list-item]
    return definition.infer(*given, **step.attrs)  # type: ignore[misc]


def _functions(node: Node | None) -> int:
    """Return the number of functions in an expression."""
    return 0 if node is None else sum(each.op in COSTLY for each in walk(node))
