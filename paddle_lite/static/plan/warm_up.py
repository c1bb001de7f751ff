"""The warm-up of a Plan: the number of runs before it calls fused kernels, which have to be compiled.

The number is where the time that fused kernels would have saved reaches the time that compiling them takes. Both are
estimates from the Program, the passes and the shapes of the first run's inputs. Neither clocks nor the cache of kernels
matter, so that each process computes the same results in the same run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...ops.framework.costs import Amount
from .chains.call import ChainCall
from .costs import size_of
from .fusion.fused import FusedCall
from .fusion.groups import rule_of
from .fusion.kernel import Kernel
from .graph import FunctionGraph
from .ir import Instruction, Value
from .loops.fixed.call import FixedCall
from .loops.ragged.call import RaggedCall
from .loops.rounds import LoopCall

EXPECTED = 16
"""The number of further runs that a Program is expected to have when it runs for the second time."""
LONGEST = 256
"""The limit of the estimated warm-up: estimates of small savings are inaccurate."""
ROUNDS = 16
"""The least number of times that a run of a Plan is assumed to run the block of a loop."""

KERNEL = 25e-3
"""Seconds for compiling a kernel, in addition to those for its source."""
CHARACTER = 50e-6
"""Seconds for compiling a character of a kernel's source."""
CALL = 1.5e-6
"""Seconds for calling an operator."""
IN_ROUND = 3e-6
"""Seconds for an operator in a round of a loop that goes round by round, over those in a kernel for the loop."""
CACHED = 1 << 20
"""The limit of bytes of an array that is still in a CPU's cache when it is read."""
CACHED_BYTE, BYTE = 1 / 64e9, 1 / 16e9
"""Seconds for writing or reading a byte of a cached array, and of a larger one."""


class WarmUp:
    """The warm-up of one Plan.

    The exact estimate needs the fused kernels, whose expressions take time to put together. Therefore the warm-up starts
    with a lower limit, and is prolonged to the exact number when that is reached.

    Arguments:
        runs: the number of runs; estimated if it is negative.

    Attributes:
        runs: the number of runs so far known; None before `start`. exact: whether it is final.
        past: the number of runs that have been counted.
    """

    def __init__(self, runs: int) -> None:
        self.runs: int | None = None if runs < 0 else runs
        self.exact = runs >= 0
        self.past = 0
        self._batch = 1

    @property
    def over(self) -> bool:
        """Whether the counted runs reach the number known so far."""
        return self.runs is not None and self.past >= self.runs

    def start(self, graph: FunctionGraph, batch: int) -> None:
        """Set the lower limit; graph: the operators before passes. batch: the size of dimensions that are unknown."""
        self._batch = batch
        saved = sum(rounds * _saved_at_most(step, batch) for step, rounds in _steps(graph))
        saved += sum(rounds * _saved_of_loop(step) for step, rounds in _steps(graph) if _may_roll(step))
        if self.runs is None:  # no other thread has set it
            self.runs = _runs(KERNEL, saved)

    def settle(self, graph: FunctionGraph) -> None:
        """Set the exact number; graph: the operators with fused kernels."""
        kernels = [(kernel, rounds) for step, rounds in _steps(graph) for kernel in _kernels(step)]
        loops = [(kernel.loop.source, kernel.frame.dtype) for kernel, _ in kernels if kernel.loop is not None]
        chains = [(call, rounds) for step, rounds in _steps(graph) for call in _chains(step)]
        sizes = [len(source) for source, _ in dict.fromkeys(loops)]
        sizes += [call.chain.characters for call, _ in chains]
        saved = sum(rounds * _saved(kernel, self._batch) for kernel, rounds in kernels)
        for step, rounds in _steps(graph):
            for loop in _loops(step):
                sizes.append(loop.characters)
                saved += rounds * _saved_of_loop(step)
        for call, rounds in chains:
            saved += rounds * call.rounds * CALL * len(call.chain.parts)
            saved += rounds * call.rounds * sum(_saved(kernel, self._batch) for kernel in call.kernels)
        self.runs = _runs(sum(KERNEL + CHARACTER * size for size in sizes), saved)
        self.exact = True


def batch_of(inputs: Iterable[tuple[tuple[int, ...], tuple[int, ...]]]) -> int:
    """Return the size that stands for all dimensions unknown to the Program.

    It is the geometric mean of those of the input with the largest product of them, so that this product is right.

    Arguments:
        inputs: pairs (shape in the Program, shape of the array).

    >>> batch_of([((-1, 8), (5, 8)), ((-1, -1), (4, 9))])
    6
    """
    largest, count = 1, 1
    for declared, shape in inputs:
        if len(declared) != len(shape):
            continue
        unknown = [size for said, size in zip(declared, shape, strict=True) if said < 0]
        product = Amount.of(unknown).at(1)
        if product > largest:
            largest, count = product, len(unknown)
    return max(1, round(largest ** (1 / count)))


def _runs(cost: float, saved: float) -> int:
    """Return the number of runs to wait for a cost in seconds, if each run saves this many seconds."""
    if cost >= saved * (LONGEST + EXPECTED):
        return LONGEST
    return max(0, int(cost / saved) - EXPECTED)


def _steps(graph: FunctionGraph, rounds: int = 1) -> Iterator[tuple[Instruction, int]]:
    """Return the instructions with those in blocks, and how often each is assumed to run; a block occurs once.

    The block of a loop that runs as one kernel is left out.
    """
    seen: set[int] = set()
    for step in graph.instructions:
        yield step, rounds
        if step.body is None or id(step.body[0]) in seen:
            continue
        seen.add(id(step.body[0]))
        if not any(_loops(step)):
            yield from _steps(step.body[0].graph, rounds * _rounds(step))


def _kernels(step: Instruction) -> Iterator[Kernel]:
    """Return the kernel that an instruction calls, if it is a fused one."""
    if step.unit is not None and step.place == step.unit.home:
        yield from (each.kernel for each in step.scope.values() if isinstance(each, FusedCall))


def _chains(step: Instruction) -> Iterator[ChainCall]:
    """Return the chain that an instruction calls, if it calls one."""
    if step.unit is not None and step.place == step.unit.home:
        yield from (each for each in step.scope.values() if isinstance(each, ChainCall))


def _loops(step: Instruction) -> Iterator[LoopCall | RaggedCall | FixedCall]:
    """Return the loop that an instruction runs as one kernel, if it does."""
    yield from (each for each in step.scope.values() if isinstance(each, (LoopCall, RaggedCall, FixedCall)))


def _rounds(step: Instruction) -> int:
    """Return how often an instruction is assumed to run its block: as often as in its longest run so far."""
    assert step.body is not None
    return max(ROUNDS, step.body[0].longest[0])


def _may_roll(step: Instruction) -> bool:
    """Return whether an instruction may run a loop as one kernel."""
    return step.body is not None and step.body[1] == 0 and step.body[0].in_one_kernel() is not None


def _saved_of_loop(step: Instruction) -> float:
    """Return the seconds that a run saves if the rounds of a loop are one kernel."""
    assert step.body is not None
    return IN_ROUND * _rounds(step) * len(step.body[0].built.instructions)


def _moved(values: Iterable[Value], batch: int) -> float:
    """Return the seconds for writing and reading values once."""
    sizes = (size_of(value).at(batch) for value in values)
    return sum(2 * size * (CACHED_BYTE if size <= CACHED else BYTE) for size in sizes)


def _saved_at_most(step: Instruction, batch: int) -> float:
    """Return the seconds that a run saves if an operator is fused, and all that it makes stays inside of the kernel."""
    return CALL + _moved(step.makes(), batch) if step.free and rule_of(step) is not None else 0.0


def _saved(kernel: Kernel, batch: int) -> float:
    """Return the seconds that a run of a kernel saves compared with its operators one by one."""
    return CALL * (len(kernel.steps) - 1) + _moved([*kernel.inner, *kernel.shaped], batch)
