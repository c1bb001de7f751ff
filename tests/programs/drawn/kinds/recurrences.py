"""Recurrences whose step is a block of drawn calls: StaticRNN and DynamicRNN; loops of Python in imperative mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paddle_lite import fluid

from ..builder import Builder, Call, Choices, Environment, Step, Value
from .control import Block, Told, first

L = fluid.layers
WEIGHTS = {"static_rnn": 2, "dynamic_rnn": 2}


def stepped(b: Builder, x: Value, rows: str, inner: Sequence[Sequence[Step]]) -> tuple[Block, Callable[..., Any]]:
    """The block of a step, and a function of an Environment, the input of a step and the state that gives the next state."""
    state = Value(len(b.environment.values) + 1, None, (-1, x.shape[-1]), b.dtype, rows, 0, 0)
    block = Block(b, first(inner), state)

    def step(env: Environment, word: Any, state: Any) -> Any:
        return L.elementwise_add(L.scale(block.run(env, [word, state]), 0.5), L.scale(word, 0.5))

    return block, step


def static_rnn(b: Builder, c: Choices, inner: Sequence[Sequence[Step]]) -> None:
    """Over the second dimension; the state begins as the first element."""
    x = b.pick(
        c,
        lambda v: (
            v.dtype == b.dtype
            and v.rank == 3
            and v.rows != ""
            and not v.ragged
            and 0 < v.shape[1] < 5
            and v.shape[2] > 0
        ),
    )
    block, step = stepped(b, x, x.rows, inner)

    def run(env: Environment) -> list[Any]:
        taken = env.taken(x.place)
        words, state = L.transpose(taken, [1, 0, 2]), L.squeeze(L.slice(taken, [1], [0], [1]), [1])
        if env.at_once:
            made = []
            for word in L.unstack(words, 0):
                state = step(env, word, state)
                made.append(state)
            return [L.stack(made, 1)]
        rnn = L.StaticRNN()
        with rnn.step():
            word, before = rnn.step_input(words), rnn.memory(init=state)
            after = step(env, word, before)
            rnn.update_memory(before, after)
            rnn.step_output(after)
        return [L.transpose(rnn(), [1, 0, 2])]

    told = Told("StaticRNN", [block], x, always=True)
    b.block_call(Call(told, run, told.reads), x.rows)


def dynamic_rnn(b: Builder, c: Choices, inner: Sequence[Sequence[Step]]) -> None:
    """Over the words of each sequence; the state begins as 0.5."""
    x = b.pick(
        c, lambda v: v.dtype == b.dtype and v.ragged == 1 and v.rows == "words" and v.rank == 2 and v.shape[1] > 0
    )
    block, step = stepped(b, x, "longer", inner)

    def run(env: Environment) -> list[Any]:
        words = env.taken(x.place)
        if env.at_once:
            return [L.lod_reset(word_by_word(env, words), words)]
        rnn = L.DynamicRNN()
        with rnn.block():
            word, before = rnn.step_input(words), rnn.memory(shape=[x.shape[1]], value=0.5, dtype=b.dtype)
            after = step(env, word, before)
            rnn.update_memory(before, after)
            rnn.output(after)
        return [rnn()]

    def word_by_word(env: Environment, words: Any) -> Any:
        """The sequences by length, the longest first; a step takes those that are longer than it."""
        [offsets] = words.lod()
        lengths = np.diff(offsets)
        order = np.argsort(-lengths, kind="stable")
        state, made, places = None, [], []
        for t in range(int(lengths.max())):
            rows = np.array([offsets[k] + t for k in order if lengths[k] > t], "int64")
            word = L.gather(words, fluid.dygraph.to_variable(rows))
            state = L.fill_constant([len(rows), x.shape[1]], b.dtype, 0.5) if state is None else state
            state = step(env, word, L.slice(state, [0], [0], [len(rows)]))
            made.append(state)
            places.append(rows)
        back = np.argsort(np.concatenate(places))
        return L.gather(L.concat(made, 0), fluid.dygraph.to_variable(back))

    told = Told("DynamicRNN", [block], x, always=True)
    b.block_call(Call(told, run, told.reads), x.rows)
