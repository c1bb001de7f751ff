"""Each example runs in its --quick mode, reaches the figure that it expects there, and does what its text says."""

from __future__ import annotations

import argparse
import ast
from pathlib import Path

import numpy as np
import pytest
from texts import reviews

import paddle_lite.fluid as fluid
from examples import (
    crf_tagger,
    ctr_wide_deep,
    language_model,
    policy_gradient_cartpole,
    resnet20_digits,
    sentiment_conv,
    sentiment_lstm,
    seq2seq_reversal,
    transformer_reviews,
    wgan_gp_digits,
)

EXAMPLES = sorted(Path(resnet20_digits.__file__).parent.glob("*.py"))


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs an example with --quick; returns its exit status, what its run() gave, and what it printed."""

    def quick(example, *arguments):
        results = []
        run = example.run
        monkeypatch.setattr(example, "run", lambda options: results.append(run(options)) or results[-1])
        status = example.main(["--quick", *map(str, arguments)])
        return status, results[0], capsys.readouterr().out

    return quick


def is_png(path):
    return path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_only_public_names_are_imported(path):
    """`paddle_lite` and `paddle_lite.fluid`, as the users of PaddlePaddle import paddle and paddle.fluid."""
    tree = ast.parse(path.read_text(encoding="utf8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert {name for name in imported if name.startswith("paddle")} == {"paddle_lite", "paddle_lite.fluid"}
    sources = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not {name for name in sources if name.startswith("paddle")}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_table_names_every_example(path):
    assert f"[{path.name}]({path.name})" in path.with_name("README.md").read_text(encoding="utf8")


def test_resnet_learns_digits(run):
    status, (losses, accuracy), said = run(resnet20_digits)
    assert status == 0 and accuracy >= resnet20_digits.QUICK_EXPECTED
    assert losses[-1] < 0.6 * losses[0]
    assert f"expected at least 60.0%, reached {accuracy:.1%}" in said


def test_resnet_has_twenty_layers():
    """And a convolution of 1 x 1 at the beginning of the second and of the third stage."""
    with fluid.dygraph.guard():
        model = resnet20_digits.ResNet()
        assert sum(len(p.shape) > 1 for p in model.parameters()) == 20 + 2
        assert model(fluid.dygraph.to_variable(np.zeros([2, 1, 28, 28], "float32"))).shape == [2, 10]


def test_an_example_says_so_when_its_figure_is_not_reached(run, monkeypatch):
    monkeypatch.setattr(resnet20_digits, "QUICK", {"epochs": 1, "blocks": 1, "rate": 1e-6})
    status, (_, accuracy), _ = run(resnet20_digits)
    assert status == 1 and accuracy < 0.5


def test_shifted_moves_the_ink_and_keeps_it():
    images = np.full([50, 1, 28, 28], -1, "float32")
    images[:, :, 14, 14] = 1
    moved = resnet20_digits.shifted(images, np.random.default_rng(0))
    assert moved.shape == images.shape and moved.dtype == images.dtype
    assert (moved.sum((1, 2, 3)) == images.sum((1, 2, 3))).all()
    _, _, rows, columns = np.nonzero(moved > 0)
    assert set(rows) == set(columns) == {12, 13, 14, 15, 16}


def test_transformer_says_that_it_makes_sentences_and_understands_not(run, monkeypatch):
    monkeypatch.delenv("PADDLE_LITE_DATA_HOME", raising=False)
    status, (name, losses, accuracy), said = run(transformer_reviews)
    assert "THE REVIEWS ARE NOT HERE (PADDLE_LITE_DATA_HOME is not set): using GENERATED sentences" in said
    assert name == "generated" and status == 0
    assert losses[-1] < 0.5 * losses[0] and accuracy >= 0.8


def test_transformer_reads_the_reviews(run, tmp_path, monkeypatch):
    """Read as Latin-1, ended by the end of a line only; a line of the .neg file is labelled 0."""
    folder = tmp_path / "rt_polarity"
    folder.mkdir()
    words = {"neg": "a dull\x85film", "pos": "a fine caf\xe9"}
    for kind, line in words.items():
        (folder / f"rt-polarity.{kind}").write_bytes(f"{line} \n".encode("latin-1") * 200)
    assert reviews.read(folder)[::200] == [
        (["a", "dull", "film"], 0),
        (["a", "fine", "caf\xe9"], 1),
    ]
    monkeypatch.setenv("PADDLE_LITE_DATA_HOME", str(tmp_path))
    status, (name, _, accuracy), said = run(transformer_reviews)
    assert name == "reviews" and status == 0 and accuracy == 1 and "GENERATED" not in said


def test_transformer_refuses_a_folder_without_reviews(tmp_path):
    with pytest.raises(SystemExit, match=r"no rt-polarity\.pos"):
        transformer_reviews.main(["--data", str(tmp_path)])


@pytest.mark.parametrize("example", [sentiment_lstm, sentiment_conv])
def test_sentiment_is_learnt_from_made_up_sentences(example, run, monkeypatch):
    monkeypatch.delenv("PADDLE_LITE_DATA_HOME", raising=False)
    status, (name, losses, accuracy), said = run(example)
    assert "using GENERATED sentences" in said and name == "generated"
    assert status == 0 and accuracy >= 0.8 and losses[-1] < 0.5 * losses[0]
    assert f"expected at least 80.0%, reached {accuracy:.1%}" in said


def test_batches_hide_words_and_keep_every_sentence():
    samples = [(["a", "b"], 0), (["b"], 1), (["c", "a", "b"], 1)]
    numbers = {"a": 2, "b": 3}
    plain = [line.tolist() for batch in reviews.batches(samples, numbers, 2) for line, _ in batch]
    assert plain == [[2, 3], [3], [reviews.UNKNOWN, 2, 3]]
    hidden = list(reviews.batches(samples, numbers, 2, np.random.default_rng(0), hide=1.0))
    assert sorted((len(line), label) for batch in hidden for line, label in batch) == [(1, 1), (2, 0), (3, 1)]
    assert all((line == reviews.UNKNOWN).all() for batch in hidden for line, _ in batch)


def test_language_model_learns_which_words_follow(run, monkeypatch):
    """Who knows how the sentences are made reaches 5.6; who knows the frequency of words only, 25."""
    monkeypatch.delenv("PADDLE_LITE_DATA_HOME", raising=False)
    status, (name, losses, (unigram, reached), made), said = run(language_model)
    assert name == "generated" and status == 0 and losses[-1] < losses[0]
    assert 5 < reached <= 7 and unigram > 20
    assert f"expected at most 7.0, reached {reached:.1f}" in said
    assert len(made) == 5 and all(line.startswith("the ") and " is " in line for line in made)


def test_unigram_perplexity_of_equally_frequent_words_is_their_number():
    lines = [[2, 3], [3, 2]]  # and the end of each
    assert language_model.unigram_perplexity(lines, lines) == pytest.approx(3)


def test_language_model_is_fed_each_word_and_the_word_that_follows():
    feed = language_model.feed_of([[5, 6], [], [7]])
    assert np.array(feed["before"])[:, 0].tolist() == [0, 5, 6, 0, 0, 7]
    assert np.array(feed["after"])[:, 0].tolist() == [5, 6, 0, 0, 7, 0]
    assert feed["before"].recursive_sequence_lengths() == feed["after"].recursive_sequence_lengths() == [[3, 1, 2]]


def test_crf_finds_names_that_words_alone_do_not_tell(run):
    status, (costs, f1, alone), said = run(crf_tagger)
    assert status == 0 and costs[-1] < 0.3 * costs[0]
    assert f1 > 0.9 and alone < 0.3
    assert f"F1 without transitions: {alone:.1%}" in said


def test_made_up_names_begin_go_on_in_their_kind_and_have_one_word_that_tells_it():
    rng = np.random.default_rng(0)
    for words, tags in (crf_tagger.sentence(rng) for _ in range(50)):
        assert len(words) == len(tags) and tags[0] == crf_tagger.OUTSIDE
        for i, tag in enumerate(tags):
            if tag != crf_tagger.OUTSIDE and tag % 2 == 1:
                assert tags[i - 1] in (tag - 1, tag)
            if tag != crf_tagger.OUTSIDE and tag % 2 == 0:
                assert tags[i - 1] == crf_tagger.OUTSIDE and tags[i + 1] == tag + 1
        for word, tag in zip(words, tags):
            told = [kind for kind, telling in enumerate(crf_tagger.TELLING) if word in telling]
            assert told in ([], [tag // 2])


def test_strings_are_reversed_by_beam_search(run):
    status, (losses, accuracy), said = run(seq2seq_reversal)
    assert status == 0 and accuracy > 0.9
    assert np.mean(losses[-20:]) < 0.05 * losses[0]
    asked, answer = next(line for line in said.splitlines() if " -> " in line).split(" -> ")
    assert asked.strip() == answer[::-1]


def test_a_lesson_in_reversing_counts_the_answer_and_its_end():
    options = argparse.Namespace(longest=4)
    feed = seq2seq_reversal.lesson([(1, 2, 3), (4, 5)], options)
    assert feed["digits"].tolist() == [[1, 2, 3, 11], [4, 5, 11, 11]] and feed["lengths"].tolist() == [3, 2]
    assert feed["told"].tolist() == [[10, 3, 2, 1, 11], [10, 5, 4, 11, 11]]
    assert feed["answer"].tolist() == [[3, 2, 1, 11, 11], [5, 4, 11, 11, 11]]
    assert feed["counts"].tolist() == [[1, 1, 1, 1, 0], [1, 1, 1, 0, 0]]
    assert seq2seq_reversal.answers_of(feed["answer"][:, :, None]) == [(3, 2, 1), (5, 4)]


def test_wide_and_deep_tells_who_clicks(run):
    status, (losses, reached, best), said = run(ctr_wide_deep)
    assert status == 0 and 0.7 <= reached < best
    assert np.mean(losses[-20:]) < np.mean(losses[:20])
    assert f"the true chances reach {best:.3f}" in said


def test_wide_and_deep_moves_the_rows_that_it_saw_and_no_others():
    options = argparse.Namespace(rows=500, rate=0.01, batch_size=16)
    impressions = ctr_wide_deep.World(np.random.default_rng(0)).impressions(16)
    main, fetches, _, _, startup = ctr_wide_deep.build(options)
    tables = [p.name for p in main.all_parameters() if p.shape[0] == 500]
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        scope = fluid.global_scope()
        before = [np.array(scope.find_var(name).get_tensor()) for name in tables]
        (feed,) = ctr_wide_deep.feeds(impressions, options)
        exe.run(main, feed, fetches)
        after = [np.array(scope.find_var(name).get_tensor()) for name in tables]
    assert [table.shape for table in after] == [(500, 1), (500, 8)]
    for old, new in zip(before, after):
        assert np.flatnonzero((old != new).any(1)).tolist() == sorted(set(feed["ids"].ravel().tolist()))


def test_area_of_counts_the_pairs_in_the_right_order():
    chances = np.array([0.9, 0.1, 0.5, 0.4])
    assert ctr_wide_deep.area_of(chances, np.array([[1], [0], [0], [1]])) == 0.75


def test_padding_does_not_change_what_the_transformer_says():
    with fluid.dygraph.guard():
        model = transformer_reviews.Classifier(20, 9, 8, 2, 2, 0.5, np.random.default_rng(0))
        model.eval()
        short = model(np.array([[3, 4, 5]])).numpy()
        padded = model(np.array([[3, 4, 5, 0, 0], [6, 7, 8, 9, 3]])).numpy()
    np.testing.assert_allclose(padded[:1], short, rtol=1e-5, atol=1e-6)


def test_wgan_draws_images_ever_nearer_to_the_real_ones(run, tmp_path):
    status, (estimates, share, digits, made), _ = run(wgan_gp_digits, "--out", tmp_path)
    assert status == 0 and share < 1
    assert estimates[-1] < 0.2 * max(estimates)
    assert made.shape == (359, 1, 16, 16) and abs(made).max() <= 1
    assert np.count_nonzero(digits) >= 7
    assert is_png(tmp_path / "samples.png")


def test_penalty_is_differentiated_through_the_gradient():
    """For a linear critic the slope is its weight w: the penalty is (|w| - 1)^2, its gradient 2 (|w| - 1) w / |w|."""
    images = np.random.default_rng(0).standard_normal([2, 3, 1, 4, 4]).astype("float32")
    with fluid.dygraph.guard():
        weight = fluid.dygraph.to_variable(np.linspace(0.1, 1.6, 16, dtype="float32").reshape(16, 1))
        weight.stop_gradient = False
        loss = wgan_gp_digits.penalty(
            lambda x: fluid.layers.matmul(fluid.layers.reshape(x, [3, 16]), weight),
            *images,
            np.random.default_rng(1),
        )
        loss.backward()
        w = weight.numpy()
        norm = np.sqrt((w**2).sum())
        np.testing.assert_allclose(loss.numpy(), (norm - 1) ** 2, rtol=1e-5)
        np.testing.assert_allclose(weight.gradient(), 2 * (norm - 1) * w / norm, rtol=1e-5)


def test_told_apart_is_all_for_far_clouds_and_nothing_for_pairs():
    points = np.arange(0, 60, 10, dtype="float32").reshape(6, 1)
    share, nearest = wgan_gp_digits.told_apart(points, points + 1000)
    assert share == 1 and set(nearest) == {5}
    share, nearest = wgan_gp_digits.told_apart(points, points + 1)
    assert share == 0 and nearest.tolist() == [0, 1, 2, 3, 4, 5]


def test_cartpole_learns_to_keep_the_pole_up(run, tmp_path):
    status, returns, said = run(policy_gradient_cartpole, "--out", tmp_path)
    assert status == 0 and len(returns) == 400
    assert np.mean(returns[-100:]) > 2 * np.mean(returns[:20])
    assert f"reached {np.mean(returns[-100:]):.1f}" in said
    assert is_png(tmp_path / "returns.png")


def test_cartpole_moves_as_the_equations_say():
    carts = policy_gradient_cartpole.CartPoles(3, np.random.default_rng(0))
    carts.reset()
    carts.state = np.array([[0, 0, 0, 0], [0, 0, 0, 0], [2.39, 2, 0, 0]], "float64")
    state, rewards, over = carts.step(np.array([1, 0, 1]))
    speed, turning = (
        0.02 * 400 / 41,
        0.02 * -600 / 41,
    )  # 10 N on carts of 1 kg with a pole of 0.1 kg and 1 m, for 0.02 s
    np.testing.assert_allclose(state[:2], [[0, speed, 0, turning], [0, -speed, 0, -turning]], rtol=1e-6)
    assert rewards.tolist() == [1, 1, 1] and not over
    assert carts.standing.tolist() == [True, True, False]
    assert carts.step(np.array([1, 1, 1]))[1].tolist() == [1, 1, 0]


def test_advantages_compare_with_the_other_carts():
    better = policy_gradient_cartpole.advantages(np.array([[1, 1], [1, 0]], "float32"), discount=1.0)
    np.testing.assert_allclose(better, np.array([[1, -1], [0, 0]]) * np.sqrt(1.5), rtol=1e-4)


@pytest.mark.parametrize(
    "example",
    [
        resnet20_digits,
        transformer_reviews,
        sentiment_lstm,
        sentiment_conv,
        language_model,
        crf_tagger,
        seq2seq_reversal,
        ctr_wide_deep,
        wgan_gp_digits,
        policy_gradient_cartpole,
    ],
)
def test_help_lists_the_common_options(example, capsys):
    with pytest.raises(SystemExit) as left:
        example.main(["--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert all(option in said for option in ("--epochs", "--seed", "--quick"))
    assert isinstance(example.__doc__, str) and "\nExpected: " in example.__doc__
