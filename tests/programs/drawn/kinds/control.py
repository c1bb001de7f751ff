"""Branches, loops, and a part of a Program that occurs twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_lite import fluid

from ..builder import Builder, Call, Choices, Environment, NoFit, Step, Value

L = fluid.layers
WEIGHTS = {"cond": 2, "while_loop": 2, "twice": 2}


class Block:
    """The calls of a branch or a round: chosen when it is built first, and run again in other modes."""

    def __init__(self, outer: Builder, steps: Sequence[Step], like: Value) -> None:
        self.outer, self.steps, self.like = outer, steps, like
        self.calls: list[Call] | None = None
        self.result = like.place
        self.reads: set[int] = set()  # places outside, of what its result has a gradient to
        self.inputs: set[str] = set()  # such inputs that are made in it
        self.reads_more = False  # whether it has one to what is handed to it

    def run(self, env: Environment, more: Sequence[Any] = ()) -> Any:
        """The last value that is like the one that was named."""
        inner = env.inner(more)
        if self.calls is None:
            self._choose(inner)
        else:
            inner.run(self.calls)
        return inner.values[self.result]

    def _choose(self, inner: Environment) -> None:
        from . import KINDS

        start, like = len(self.outer.environment.values), self.like
        states = [self.outer.value(start + k, v, like.rows) for k, v in enumerate(inner.values[start:])]
        builder = self.outer.inner(inner, states)
        builder.take(self.steps, {**KINDS, **dict.fromkeys(INPUTS, _nothing)})
        self.calls = builder.calls
        new = [
            v
            for v in builder.values
            if (v.shape, v.dtype, v.rows, v.ragged) == (like.shape, like.dtype, like.rows, like.ragged)
        ]
        self.result = new[-1].place if new else like.place
        reached = builder.reached(self.result)
        self.reads = {place for place in reached if place < start}
        own = [v.variable for v in builder.values if v.place in reached and v.place >= start]
        self.inputs = {name for name, known in inner.inputs.items() if any(known is variable for variable in own)}
        self.reads_more = any(state.place in reached for state in states)


class Told:
    """The text of a call with blocks, whose calls are known when it has run, and what it reads.

    always: whether it reads the first value even if no block reads what is handed to it.
    """

    def __init__(self, name: str, blocks: Sequence[Block], *values: Value, always: bool = False) -> None:
        self.name, self.blocks, self.values, self.always = name, blocks, values, always

    def reads(self) -> set[int]:
        """The places of what has a gradient from the result."""
        handed = self.always or any(block.reads_more for block in self.blocks)
        return ({self.values[0].place} if handed else set()).union(*(block.reads for block in self.blocks))

    def __str__(self) -> str:
        lines = [f"{self.name}({', '.join(f'v{v.place}' for v in self.values)})"]
        for block in self.blocks:
            inner = [str(call.label).replace("\n", "\n    ") for call in block.calls or ()]
            lines += ["    block:", *("        " + line for line in inner), f"        -> v{block.result}"]
        return "\n".join(lines)


INPUTS = ("dense", "image", "words", "ids", "integers", "tokens", "small")


def _nothing(*_: Any) -> None:
    raise NoFit


def first(inner: Sequence[Sequence[Step]]) -> Sequence[Step]:
    return inner[0] if inner else ()


def cond(b: Builder, c: Choices, inner: Sequence[Sequence[Step]]) -> None:
    """A branch by the sum of a value, which is the same for any rounding unless it is 0.5 nearly."""
    x, flag = b.floating(c), b.floating(c)
    blocks = [Block(b, steps, x) for steps in (inner or ((), ()))]

    def run(env: Environment) -> list[Any]:
        less = L.reduce_sum(env.taken(flag.place)) < L.fill_constant([1], b.dtype, 0.5)
        made = L.cond(less, lambda: L.scale(blocks[0].run(env), 2.0), lambda: L.assign(blocks[1].run(env)))
        return [env.with_zeros(made, blocks[0].reads | blocks[1].reads, blocks[0].inputs | blocks[1].inputs)]

    told = Told("cond", blocks, x, flag)
    b.block_call(Call(told, run, told.reads), x.rows)


def while_loop(b: Builder, c: Choices, inner: Sequence[Sequence[Step]]) -> None:
    x, rounds = b.floating(c), c.int(0, 3)
    block = Block(b, first(inner), x)

    def run(env: Environment) -> list[Any]:
        i, n = L.fill_constant([1], "int64", 0), L.fill_constant([1], "int64", rounds)

        def body(i: Any, state: Any) -> list[Any]:
            new = L.elementwise_add(L.scale(block.run(env, [state]), 0.5), L.scale(state, 0.5))
            return [L.increment(i), new]

        made = L.while_loop(lambda i, _: L.less_than(i, n), body, [i, L.assign(env.taken(x.place))])[1]
        return [env.with_zeros(made, block.reads, block.inputs)]

    told = Told(f"while_loop {rounds} rounds", [block], x, always=True)
    b.block_call(Call(told, run, told.reads), x.rows)


def twice(b: Builder, c: Choices, inner: Sequence[Sequence[Step]]) -> None:
    """The same calls, of two values; what they share is added up."""
    x = b.floating(c)
    block = Block(b, first(inner), x)

    def run(env: Environment) -> list[Any]:
        first = block.run(env, [env.taken(x.place)])
        return [first, block.run(env, [L.scale(first, 0.5)])]

    told = Told("twice", [block], x)
    b.block_call(Call(told, run, told.reads), x.rows)
