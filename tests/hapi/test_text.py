"""Layers for text beyond the recorded cases: imperative beam search, shared weights, wrong calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid, hapi
from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.hapi import text

from .cases import text as cases
from .cases.training import mode
from .test_recorded import recorded


@pytest.mark.parametrize("name", cases.IN_PROGRAMS_ONLY)
def test_search_is_the_same_in_imperative_mode(name: str) -> None:
    with fluid.unique_name.guard():
        found = cases.module(name, True)(fluid, hapi)
    np.testing.assert_array_equal(found["0"], recorded()[f"text/{name}, static/0"])


def test_both_layers_of_the_field_have_one_weight() -> None:
    with mode(fluid, True):
        tagger = text.SequenceTagging(20, 5, 8, 8, bigru_num=1)
        words, lengths, tags = (fluid.dygraph.to_variable(each) for each in (cases.WORDS, cases.LENGTHS, cases.TAGS))
        sgd = fluid.optimizer.SGD(1.0, parameter_list=tagger.parameters())
        start = tagger.crf_decoding.weight.numpy()
        cost = tagger(words, lengths, tags)[1]
        cost.backward()
        sgd.minimize(cost)
        assert tagger.crf_decoding.weight is tagger.linear_chain_crf.weight
        assert np.abs(tagger.crf_decoding.weight.numpy() - start).max() > 0


def test_forget_bias_true_starts_the_bias_with_ones() -> None:
    with mode(fluid, True):
        cell = text.StackedLSTMCell(4, 3, forget_bias=True).cells[0]
        assert cell._bias.numpy().tolist() == [0.0] * 6 + [1.0] * 3 + [0.0] * 3
        assert cell._forget_bias == 0.0


def test_caches_give_what_the_whole_sequence_gives() -> None:
    with mode(fluid, True):
        decoder = text.TransformerDecoder(**cases.TRANSFORMER)
        decoder.eval()
        source, target = (fluid.dygraph.to_variable(each) for each in (cases.SOURCE, cases.STEPS))
        bias = np.triu(np.full([4, 4], -1e9, "float32"), 1)[None, None]
        wanted = decoder(target, source, fluid.dygraph.to_variable(bias)).numpy()
        caches = decoder.prepare_incremental_cache(source)
        for cache, static in zip(caches, decoder.prepare_static_cache(source), strict=True):
            cache.update(static)
        found = [decoder(target[:, t : t + 1], source, caches=caches).numpy() for t in range(4)]
        np.testing.assert_allclose(np.concatenate(found, 1), wanted, rtol=1e-4, atol=1e-5)


class Odd(text.RNNCell):
    """A cell whose states have two dtypes."""

    @property
    def state_shape(self) -> Any:
        return [[2], {"a": [3]}]

    @property
    def state_dtype(self) -> Any:
        return ["float32", "int64"]


def test_initial_states() -> None:
    with mode(fluid, True):
        x = fluid.dygraph.to_variable(np.zeros([5, 2], "float32"))
        first, second = Odd().get_initial_states(x, dtype="int64", init_value=3)
        assert (first.numpy().tolist(), second["a"].shape) == ([[3, 3]] * 5, [5, 3])
        with pytest.raises(ArgumentValueError, match="Odd: state_dtype got"):
            Odd().get_initial_states(x)
        with pytest.raises(NotImplementedError, match=r"RNNCell.state_shape"):
            text.RNNCell().get_initial_states(x)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: text.LSTM(4, 3, num_layers=2, dropout=[0.1]), "dropout got 1 numbers, needs a number, or 2 of them"),
        (lambda: text.LSTM(4, 3, num_layers=2, param_attr=["a"]), "the list got 1 entries, needs 2"),
        (lambda: text.BidirectionalGRU(4, 3, merge_mode="max"), "merge_mode got str 'max'"),
        (lambda: text.BidirectionalGRU(4, 3)(None, [1, 2, 3]), "initial_states got 3 entries, needs 2"),
        (
            lambda: text.BidirectionalGRU(4, 3, merge_each_layer=True)(None, [1, 2]),
            "initial_states got 2 entries, needs 1, one for each layer",
        ),
        (lambda: text.TransformerEncoder(1, 2, 3, 3, 6, 8, preprocess_cmd="x"), "process_cmd got str 'x'"),
    ],
)
def test_wrong_calls(call: Any, error: str) -> None:
    with mode(fluid, True), pytest.raises(ArgumentValueError, match=error):
        call()


@pytest.mark.parametrize("count", [-1, 2**70])
@pytest.mark.parametrize("stack", [text.TransformerEncoder, text.TransformerDecoder])
def test_a_stack_of_too_many_layers_is_refused(stack: Any, count: int) -> None:
    with mode(fluid, True), pytest.raises(ArgumentValueError, match=f"{stack.__name__}: n_layer got .*{count}"):
        stack(count, 2, 4, 4, 8, 16)
