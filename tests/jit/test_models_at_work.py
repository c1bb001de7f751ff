"""Models in the styles of 2020, used as they are meant to be: an agent plays and learns, a translation stops when it is done."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import ProgramTranslator, to_variable

from .models.policy_gradient import Balance
from .models.seq2seq import END, Translation
from .models.tree import BinaryTree, grown

translator = ProgramTranslator()


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        fluid.default_main_program().random_seed = fluid.default_startup_program().random_seed = 1
        yield


def translations():
    return translator.get_program_cache().translations


def steps(model, batches):
    """Train; the losses."""
    optimizer = model.optimizer(model.net.parameters())
    losses = []
    for batch in batches:
        loss = model.loss(*batch)
        loss.backward()
        optimizer.minimize(loss)
        model.net.clear_gradients()
        losses.append(float(loss.numpy()[0]))
    return losses


def test_an_agent_learns_to_balance():
    model, numbers, before = Balance(), np.random.RandomState(2), translations()
    lengths = []

    def episodes(count):
        for _ in range(count):
            batch = model.batch(numbers)
            lengths.append(batch[0].shape[0])
            yield batch

    steps(model, episodes(120))
    best = max(np.mean(lengths[i : i + 20]) for i in range(100))
    assert np.mean(lengths[:20]) < 40 and best > 50, lengths  # of 60
    assert translations() == before + 2  # one of the policy, for one state and for many, and one of the loss


def test_a_translation_ends_when_every_sentence_has():
    model, numbers = Translation(), np.random.RandomState(2)
    losses = steps(model, (model.batch(numbers) for _ in range(200)))
    assert np.mean(losses[-20:]) < 0.3 * np.mean(losses[:20])
    model.net.eval()
    before, right, counts = translations(), 0, set()
    for size in (1, 1, 1, 1, 1, 1, 1, 1, 4, 7):
        source, target = model.sentences(numbers, size)
        words, count = (v.numpy() for v in model.predict(to_variable(source)))
        again, last = (v.numpy() for v in plain(model.net.translate, to_variable(source)))
        assert words.tolist() == again.tolist() and count.tolist() == last.tolist() == [words.shape[1]]
        ends = [row.index(END) + 1 if END in row else model.net.longest for row in words.tolist()]
        assert words.shape == (size, max(ends))
        right += sum(
            row[: len(wanted)] == wanted for row, wanted in zip(words.tolist(), sentences(target), strict=True)
        )
        counts.add(words.shape[1])
    assert translations() == before + 1
    assert right >= 13 and len(counts) > 1


def sentences(target):
    """The words behind START up to the first END, which is counted in."""
    rows = target[:, 1:].tolist()
    return [row[: row.index(END) + 1] for row in rows]


def test_each_form_of_a_tree_is_translated_once():
    model, numbers = BinaryTree(), np.random.RandomState(2)
    before = translations()
    for size in (1, 3, 2):
        for form in model.forms:
            words = model.words(numbers, form, size)
            assert model.predict(*map(to_variable, words))[0].shape == [size, 3]
    assert translations() == before + len(model.forms)
    deep = 0
    for _ in range(40):
        deep = (deep, 0)
    words = iter(map(to_variable, model.words(numbers, deep, 2)))
    tree = grown(deep, lambda _: next(words))
    np.testing.assert_allclose(model.net(tree)[0].numpy(), plain(model.net, tree)[0].numpy(), rtol=1e-5)


def plain(net, *inputs):
    """What Python makes of it."""
    translator.enable(False)
    try:
        return net(*inputs)
    finally:
        translator.enable(True)
