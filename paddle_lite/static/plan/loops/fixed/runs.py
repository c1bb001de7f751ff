"""The runs of the kernels of a loop whose values keep their shapes: the arrays of a run, its rounds, and its gradient.

What the gradient reads has a part for each round in an array, which becomes larger as rounds go on. Without a gradient the parts are
used again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from .....core import flags
from .....kernels.cpu.random.dropout import keys
from .....kernels.cpu.random.random import generator
from ...ir import Value
from ...passes.products import summed_products
from ..limits import AT_ONCE
from ..rows import Compiled
from ..runtime import MOST, too_many_rounds, zeros_like
from ..step_kernels import WeightProduct
from .kernels import FixedKernels
from .list_values import List, array_of, laid_out, lay_out

if TYPE_CHECKING:
    from ..loop import Loop

LEAST_ROUNDS = 16
"""The rounds that there is memory for at first."""
BYTES = 1 << 20
"""The memory for rounds of a loop without a gradient, which its parts are used again of."""
FARTHEST = 64
"""How many times as many elements as there are a list may need, before the run goes round by round."""

Arrays = dict[Value, Any]


class Kernel:
    """A kernel with what its runs take.

    Attributes:
        run: the machine code. wholes, parts: the values whose arrays it needs, with shape and dtype: as a whole, and of one round.
        zeros: those of `wholes` that begin as zeros. at_once: the rounds between two looks for signals.
    """

    def __init__(self, kernels: FixedKernels, kernel: Compiled, given: Collection[Value]) -> None:
        self.run, self.values, self.numbers = kernels.run(kernel), list(kernel.places), kernel.numbers
        self.transposed = kernel.transposed
        self.likes = [np.empty(0, dtype) for dtype in kernel.loop.dtypes]
        self.at_once = max(1, AT_ONCE // kernel.loop.work)
        own = [(v, p) for v, p in kernel.places.items() if v not in given and v not in kernel.transposed]
        self.parts = [(v, p.shape, p.dtype) for v, p in own if p.steps]
        self.wholes = [(v, p.shape, p.dtype) for v, p in own if not p.steps and not p.zeros]
        self.zeros = [(v, p.shape, p.dtype) for v, p in own if not p.steps and p.zeros]

    def add_arrays(self, arrays: Arrays, parts: int) -> None:
        """Add the arrays that are lacking; parts: of those with a part for each round."""
        for value, shape, dtype in self.parts:
            arrays[value] = np.empty((parts, *shape), dtype)
        for value, shape, dtype in self.wholes:
            arrays[value] = np.empty(shape, dtype)
        for value, shape, dtype in self.zeros:
            if value not in arrays:
                arrays[value] = np.zeros(shape, dtype)
        for value, of in self.transposed.items():
            arrays[value] = np.ascontiguousarray(arrays[of].T)

    def __call__(self, arrays: Arrays, begin: int, end: int) -> int:
        """Run from one round to another; return the number of the next one."""
        table = [begin, end]
        for value in self.values:
            array = arrays[value]
            table += (array.size, id(array))
        return self.run(np.array(table, np.int64), *self.numbers, *self.likes)


class Prepared:
    """The kernels for values of some shapes and dtypes, with what their runs take.

    Arguments:
        kernels: the kernels.

    Attributes:
        held: the bytes of the parts of a round. room: the elements that there is memory for in each list. refused: the runs that had to
            go round by round.
    """

    def __init__(self, kernels: FixedKernels) -> None:
        self.kernels = kernels
        lists = (*kernels.lists.values(), *chain(*kernels.known.values()))
        self.forward = Kernel(kernels, kernels.forward, {*kernels.others.values(), *kernels.shared, *lists})
        self.backward: Kernel | None = None
        if kernels.backward is not None:
            self.backward = Kernel(kernels, kernels.backward, {*kernels.saved, *kernels.of_lists.values()})
        self.room = self.refused = 0
        self.held = sum(dtype.itemsize * prod(shape) for _, shape, dtype in self.forward.parts)
        self.condition = kernels.states[kernels.form.loop.condition]


class Draws:
    """The keys of random numbers that the rounds of a run draw: some rounds ahead, so that those which do not come give theirs back.

    Arguments:
        values: the values of the keys that a round draws, in this order.
    """

    def __init__(self, values: Sequence[Value]) -> None:
        self.values = values
        self._first = self._before = generator().bit_generator.state if values else {}
        self._ahead = 0

    def draw(self, arrays: Arrays, begin: int, end: int) -> None:
        """Draw the keys of the rounds with the parts from `begin` to `end`."""
        if self.values:
            self._before, self._ahead = generator().bit_generator.state, end - begin
            drawn = keys(self._ahead * len(self.values)).reshape(self._ahead, len(self.values))
            for k, value in enumerate(self.values):
                arrays[value][begin:end, 0] = drawn[:, k]

    def keep(self, rounds: int) -> None:
        """Give those back that were drawn for further rounds than these."""
        if self.values and rounds < self._ahead:
            generator().bit_generator.state = self._before
            keys(rounds * len(self.values))

    def undo(self) -> None:
        """Give all keys of the run back."""
        if self.values:
            generator().bit_generator.state = self._first


class Run:
    """The rounds of a run.

    Arguments:
        prepared: the kernels. now: the values before the loop, by name. longest: the rounds of the longest run so far.

    Attributes:
        now: these values, with those that are computed once before the rounds. arrays: the arrays of the kernel. draws: their keys.
    """

    def __init__(self, prepared: Prepared, now: dict[str, Any], longest: int) -> None:
        self.prepared, self.kernels, self.now = prepared, prepared.kernels, now
        kernels = self.kernels
        lengths = [len(now[name] or ()) for name in kernels.lists]
        prepared.room = max([prepared.room, longest + 1, LEAST_ROUNDS, *lengths]) if lengths else 0
        if kernels.before is not None:
            now |= kernels.before(now)
        self.again = prepared.backward is None
        self.parts = max(longest, LEAST_ROUNDS)
        if self.again:
            self.parts = max(1, min(self.parts, BYTES // prepared.held))
        self.draws = Draws(kernels.keys)
        self.arrays: Arrays = {value: np.ascontiguousarray(now[name]) for name, value in kernels.others.items()}
        prepared.forward.add_arrays(self.arrays, self.parts + 1)
        self._begin()
        self._share()

    def _begin(self) -> None:
        """Set the values before the first round."""
        kernels, now = self.kernels, self.now
        for name, value in kernels.states.items():
            self.arrays[value][0] = now[name]
        for name, value in kernels.lists.items():
            made = laid_out(now[name], value.shape, value.dtype, self.prepared.room)
            self.arrays.update(zip((value, *kernels.known[name]), made, strict=True))

    def result(self, name: str, part: int) -> Any:
        """Return the value of a result of the loop, whose states are in this part."""
        kernels, arrays = self.kernels, self.arrays
        if name in kernels.lists:
            return List(*(arrays[value] for value in (kernels.lists[name], *kernels.known[name]))).array()
        return arrays[kernels.states[name]][part].copy()

    def _share(self) -> None:
        for value, state in self.kernels.shared.items():
            self.arrays[value] = self.arrays[state]

    def all(self) -> tuple[int, int] | None:
        """Run all rounds; return their number, and that of the part where the states are after them.

        None says that the run has to go round by round: a round reads an element of a list that is not there, or writes one far behind
        all others.
        """
        kernel, most = self.prepared.forward, flags.value(MOST)
        past = part = 0  # rounds whose parts have been used again, and rounds since
        while self.arrays[self.prepared.condition][part].item():
            if 0 < most <= past + part:
                too_many_rounds(most)
            if part == self.parts:
                past += part if self.again else 0
                part = self._more(part)
            end = min(self.parts, part + kernel.at_once)
            begin, end = part, min(end, most - past) if most > 0 else end
            self.draws.draw(self.arrays, begin, end)
            part = kernel(self.arrays, begin, end)
            if part < 0:
                self.draws.undo()
                if not self._has_room(-1 - part):
                    return None
                past = part = 0
                self._begin()
            else:
                self.draws.keep(part - begin)
        return past + part, part

    def _has_room(self, length: int) -> bool:
        """Make room in lists for so many elements; return whether it is possible. A length of 0 is none that would help."""
        prepared = self.prepared
        possible = 0 < length <= FARTHEST * prepared.room
        prepared.room = max(prepared.room, 2 * length) if possible else prepared.room
        return possible

    def _more(self, part: int) -> int:
        """Make memory for more rounds, or use it again; return the number of the part of the next round."""
        if self.again:
            for value in self.kernels.states.values():
                self.arrays[value][0] = self.arrays[value][part]
            return 0
        self.parts *= 2
        for value, shape, dtype in self.prepared.forward.parts:
            larger = np.empty((self.parts + 1, *shape), dtype)
            larger[: part + 1] = self.arrays[value][: part + 1]
            self.arrays[value] = larger
        self._share()
        return part


class FixedTrace:
    """What a run keeps for its gradient.

    Arguments:
        loop: the compiled loop. prepared: its kernels. run: the run. rounds: the number of its rounds.
    """

    def __init__(self, loop: Loop, prepared: Prepared, run: Run, rounds: int) -> None:
        self.loop, self.kernel, self.kernels, self.rounds = loop, prepared.backward, prepared.kernels, rounds
        self.arrays = {value: run.arrays[value] for value in self.kernels.saved}
        self.room = prepared.room
        reads = () if self.kernels.behind is None else self.kernels.behind.reads
        self.same = {name: run.now[name] for name in reads if name in run.now}

    def back(self, number: int, values: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
        """Return the results of the gradient operator, as `Body.back` does."""
        kernels, kernel = self.kernels, self.kernel
        assert kernel is not None
        arrays = dict(self.arrays)
        for name, gradient in zip(self.loop.results, gradients, strict=True):
            value = kernels.arriving.get(name)
            if value is not None and gradient is not None and name not in kernels.lists:
                arrays[value] = np.array(gradient, value.dtype, order="C")
        arriving = dict(zip(self.loop.results, gradients, strict=True))
        for name, value in kernels.of_lists.items():
            arrays[value] = np.zeros((self.room, *value.shape), value.dtype)
            lay_out(arriving.get(name), arrays[value])
        kernel.add_arrays(arrays, self.rounds)
        part = self.rounds
        while part:
            part = kernel(arrays, part, max(0, part - kernel.at_once))
        sums = {name: self._summed(total, arrays) for name, total in kernels.sums.items()}
        if kernels.behind is not None:
            sums |= kernels.behind({**self.same, **sums})
        found: list[Any] = []
        for name, given in zip(self.loop.gradients[number].attr("of"), values, strict=True):
            if name in kernels.of_lists:
                found.append(array_of(arrays[kernels.of_lists[name]][: len(given or ())]))
                continue
            state = kernels.of_states.get(name)
            total = sums.get(kernels.form.of_others.get(name, "")) if state is None else arrays[state]
            found.append(zeros_like(given) if total is None else total)
        return found

    def _summed(self, total: Value | WeightProduct | None, arrays: Arrays) -> Any:
        """Return a gradient that all rounds add up; None for zeros."""
        if isinstance(total, WeightProduct):
            return summed_products([self._rows(total.x, arrays)], [self._rows(total.d, arrays)])
        return None if total is None else arrays[total]

    def _rows(self, value: Value, arrays: Arrays) -> np.ndarray:
        """Return the rows of all rounds of a value."""
        lead = int(value in self.kernels.shared)
        return arrays[value][lead : lead + self.rounds].reshape(-1, value.shape[-1])
