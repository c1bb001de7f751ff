"""Structured prediction gives PaddlePaddle's numbers in Programs and in imperative mode (record_structured.py)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    LoDError,
    MissingVariableError,
    ModeError,
)
from paddle_lite.core.mode import switched
from paddle_lite.fluid import layers
from paddle_lite.fluid.dygraph import to_variable
from paddle_lite.static.mode.static_mode import static_mode

from .structured_cases import CASES, FEEDS, ONLY_IN_PROGRAMS, Data, numbers

NUMBERS = np.load(Path(__file__).parent / "structured.npz")


def expected(name: str) -> dict[str, np.ndarray]:
    return {key.split(": ", 1)[1]: NUMBERS[key] for key in NUMBERS.files if key.startswith(f"{name}: ")}


@pytest.mark.parametrize("name", sorted(CASES))
def test_numbers_in_programs_are_those_of_paddle(name: str) -> None:
    with switched(static_mode, fluid.CPUPlace(), None):
        got = numbers(fluid, name)
    want = expected(name)
    assert sorted(got) == sorted(want)
    for key, value in want.items():
        np.testing.assert_allclose(got[key], value, rtol=2e-5, atol=5e-6, err_msg=key)


def fed(name: str) -> Any:
    """A Variable with what is fed."""
    array, lod = FEEDS[name]
    tensor = fluid.LoDTensor()
    tensor.set(array, fluid.CPUPlace())
    tensor.set_lod(lod or [])
    variable = to_variable(tensor, name)
    variable.stop_gradient = array.dtype.kind != "f"
    return variable


class Fed(dict[str, Any]):
    """In the place of `Data`: what is fed, as Variables."""

    def __missing__(self, name: str) -> Any:
        self[name] = fed(name)
        return self[name]


@pytest.mark.parametrize("name", sorted(set(CASES) - set(ONLY_IN_PROGRAMS)))
def test_imperative_mode_gives_the_same(name: str) -> None:
    want = expected(name)
    with fluid.dygraph.guard():
        given = Fed()
        results = CASES[name](fluid, given)
        for i, value in enumerate(results):
            np.testing.assert_allclose(value.numpy(), want[f"result {i}"], rtol=2e-5, atol=5e-6)
            levels = [want[key].tolist() for key in sorted(want) if key.startswith(f"result {i}, level")]
            assert value.lod() == levels
        slopes = [key for key in want if key.startswith("gradient of ")]
        if slopes:
            results[0].backward()
        for key in slopes:
            slope = given[key.removeprefix("gradient of ")].gradient()
            np.testing.assert_allclose(slope, want[key], rtol=2e-5, atol=5e-6, err_msg=key)


def ways(tags: int) -> np.ndarray:
    """Scores of transitions."""
    return np.cos(np.arange((tags + 2) * tags)).reshape(tags + 2, tags)


@pytest.mark.parametrize("padded", [False, True])
def test_a_crf_in_imperative_mode_takes_the_transitions_as_a_variable(padded: bool) -> None:
    """Against all labellings, one by one."""
    with fluid.dygraph.guard():
        scores, labels = FEEDS["scores"][0][:3].astype("float64"), FEEDS["tags"][0][:3]
        transition = to_variable(ways(3))
        transition.stop_gradient = False
        if padded:
            length = to_variable(np.array([3]))
            args, more = [to_variable(scores[None]), to_variable(labels.reshape(1, 3))], {"length": length}
        else:
            args, more = [], {}
            for array in (scores, labels):
                args.append(to_variable(fluid.create_lod_tensor(array, [[3]], fluid.CPUPlace())))
        cost = layers.linear_chain_crf(*args, transition, **more)
        path = layers.crf_decoding(args[0], transition, **more)
        cost.backward()
        slope = transition.gradient()
    every = [(a, b, c) for a in range(3) for b in range(3) for c in range(3)]
    w = ways(3)
    totals = np.array(
        [
            w[0, a] + w[1, c] + w[2 + a, b] + w[2 + b, c] + scores[0, a] + scores[1, b] + scores[2, c]
            for a, b, c in every
        ]
    )
    given = every.index(tuple(labels[:, 0].tolist()))
    np.testing.assert_allclose(cost.numpy(), [[np.log(np.exp(totals).sum()) - totals[given]]])
    assert path.numpy().reshape(-1).tolist() == list(every[int(totals.argmax())])
    shares = np.exp(totals) / np.exp(totals).sum()
    starts = [
        sum(s for s, way in zip(shares, every, strict=True) if way[0] == k) - (labels[0, 0] == k) for k in range(3)
    ]
    np.testing.assert_allclose(slope[0], starts)


def test_a_crf_learns() -> None:
    """Labels that follow from the one before more than from the scores."""
    rng = np.random.RandomState(3)
    labels = np.cumsum(rng.randint(1, 3, (40, 6)), axis=1) % 4
    scores = np.eye(4, dtype="float32")[labels] * (rng.rand(40, 6, 1) < 0.5).astype("float32")
    feed = {"x": scores, "y": labels, "n": np.full(40, 6)}
    main, startup = fluid.Program(), fluid.Program()
    with switched(static_mode, fluid.CPUPlace(), None), fluid.program_guard(main, startup):
        x, y, n = fluid.data("x", [None, 6, 4]), fluid.data("y", [None, 6], "int64"), fluid.data("n", [None], "int64")
        cost = layers.mean(layers.linear_chain_crf(x, y, fluid.ParamAttr(name="ways"), n))
        right = layers.crf_decoding(x, fluid.ParamAttr(name="ways"), label=y, length=n)
        fluid.optimizer.Adam(0.1).minimize(cost)
        exe = fluid.Executor(fluid.CPUPlace())
        with fluid.scope_guard(fluid.Scope()):
            exe.run(startup)
            seen = [exe.run(main, feed=feed, fetch_list=[cost, right]) for _ in range(60)]
    assert seen[-1][0] < 0.5 * seen[0][0]
    assert seen[-1][1].mean() > 0.75  # by the scores alone 0.63


def test_a_search_from_lists_in_imperative_mode() -> None:
    """The steps of the case "search", without a loop operator."""
    following, want = FEEDS["following"][0], expected("search")
    with fluid.dygraph.guard():
        words, totals = [fed("first_ids")], [fed("first_scores")]
        for _ in range(4):
            likely = following[words[-1].numpy().reshape(-1)]
            which = np.argsort(-likely, axis=1, kind="stable")[:, :3]
            scores = np.log(np.take_along_axis(likely, which, axis=1)) + totals[-1].numpy()
            given = fluid.LoDTensor()
            given.set(scores.astype("float32"), fluid.CPUPlace())
            given.set_lod(words[-1].lod())
            selected, reached = layers.beam_search(
                words[-1], totals[-1], to_variable(which), to_variable(given), beam_size=2, end_id=1
            )
            words.append(selected)
            totals.append(reached)
        found, scores = layers.beam_search_decode(words, totals, beam_size=2, end_id=1)
        assert found.numpy().tolist() == want["result 0"].tolist()
        np.testing.assert_allclose(scores.numpy(), want["result 1"], rtol=1e-5)
        assert found.lod() == [want[f"result 0, level {level}"].tolist() for level in (0, 1)]


def test_beams_of_several_ends() -> None:
    """A source that ended early, one that goes on, and steps at which nothing was left."""
    steps = [
        ([1, 1], [0, 0], [[0, 1, 2], [0, 1, 2]]),
        ([4, 2, 3, 8], [0.1, 0.2, 0.3, 0.4], [[0, 1, 2], [0, 2, 4]]),
        ([5, 0, 0, 0], [0.5, 0.6, 0.7, 0.8], [[0, 2, 4], [0, 1, 2, 3, 4]]),
        ([7, 6], [0.9, 0.9], [[0, 2, 4], [0, 1, 2, 2, 2]]),
        ([], [], [[0, 2, 2], [0, 0, 0]]),
    ]
    with fluid.dygraph.guard():
        words, totals = [], []
        for numbers_, scores, lod in steps:
            for kept, values, dtype in ((words, numbers_, "int64"), (totals, scores, "float32")):
                tensor = fluid.LoDTensor()
                tensor.set(np.array(values, dtype).reshape(-1, 1), fluid.CPUPlace())
                tensor.set_lod(lod)
                kept.append(to_variable(tensor))
        found, scores = layers.beam_search_decode(words, totals, beam_size=2, end_id=0)
        assert found.numpy().tolist() == [1, 4, 5, 7, 1, 2, 6, 1, 8, 0, 1, 3, 0]  # real Paddle's
        assert found.lod() == [[0, 2, 4], [0, 4, 7, 10, 13]]
        np.testing.assert_allclose(scores.numpy()[:7], [0, 0.1, 0.5, 0.9, 0, 0.2, 0.9], rtol=1e-6)
        words[1] = to_variable(words[1].numpy())
        with pytest.raises(LoDError, match=r"Input\(Ids\)\[1\] got no LoD"):
            layers.beam_search_decode(words, totals, beam_size=2, end_id=0)
        with pytest.raises(ArgumentTypeError, match="scores got list"):
            layers.beam_search_decode(words, totals[1:], beam_size=2, end_id=0)
        with pytest.raises(ArgumentValueError, match="an empty array"):
            layers.beam_search_decode([], [], beam_size=2, end_id=0)


def test_calls_that_say_what_is_wrong() -> None:
    with fluid.dygraph.guard():
        d = Fed()
        with pytest.raises(ModeError, match="let param_attr be the Variable"):
            layers.crf_decoding(d["scores"], fluid.ParamAttr(name="ways"))
        with pytest.raises(DtypeError, match="linear_chain_crf: input got dtype int64, needs float32 or float64"):
            layers.linear_chain_crf(d["tags"], d["tags"])
        with pytest.raises(ArgumentValueError, match="ignored_tokens"):
            layers.edit_distance(
                d["word_block"], d["meant_block"], ignored_tokens=[1], input_length=d["three"], label_length=d["three"]
            )
        with pytest.raises(ArgumentValueError, match="num_true got 2, needs 1"):
            layers.sampled_softmax_with_cross_entropy(d["logits"], d["true"], 5, num_true=2)
        with pytest.raises(ArgumentTypeError, match="customized_samples got"):
            layers.sampled_softmax_with_cross_entropy(d["logits"], d["true"], 5, use_customized_samples=True)
        with pytest.raises(ArgumentTypeError, match="chunk_scheme got"):
            layers.chunk_eval(d["found"], d["chunks"], None, 2)  # type: ignore[arg-type]
        pool = fluid.contrib.layers.fused_embedding_seq_pool
        with pytest.raises(ArgumentTypeError, match="size got"):
            pool(d["words"], [6])
        with pytest.raises(ArgumentTypeError, match="padding_idx got"):
            pool(d["words"], [6, 3], padding_idx="0")  # type: ignore[arg-type]
        with pytest.raises(ArgumentTypeError, match="combiner got"):
            pool(d["words"], [6, 3], combiner=None)  # type: ignore[arg-type]
    with switched(static_mode, fluid.CPUPlace(), None), fluid.program_guard(fluid.Program(), fluid.Program()):
        data = Data(fluid)
        with pytest.raises(MissingVariableError, match="'ways'"):
            layers.crf_decoding(data["scores"], fluid.ParamAttr(name="ways"))
        with pytest.raises(ArgumentTypeError, match="param_attr got"):
            layers.crf_decoding(data["scores"], None)
        with pytest.raises(ArgumentTypeError, match="ids got"):
            layers.beam_search_decode(data["first_ids"], data["first_scores"], 2, 1)
