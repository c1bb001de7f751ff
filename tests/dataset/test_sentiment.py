"""Movie reviews on a small archive in the published layout."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import FileFormatError
from paddle_lite.dataset import common, sentiment
from tests.dataset import standins

reviews = st.lists(
    st.tuples(*[st.lists(st.sampled_from(["Film", "good", "bad", "a_b", "!!", "3"]), max_size=6)] * 2),
    min_size=1,
    max_size=4,
)


def forget():
    sentiment._reviews.cache_clear()
    sentiment._samples.cache_clear()


@pytest.fixture(autouse=True)
def read_anew():
    forget()
    yield
    forget()


@pytest.fixture
def published(cache, monkeypatch):
    path = standins.sentiment(cache)
    monkeypatch.setattr(sentiment, "MD5", common.md5file(path))
    monkeypatch.setattr(sentiment, "NUM_TRAINING_INSTANCES", 5)
    return path


@given(reviews, st.integers(0, 8))
def test_negative_and_positive_reviews_come_by_turns(tmp_path_factory, pairs, split):
    forget()
    home = tmp_path_factory.mktemp("sentiment")
    files = {}
    for place, pair in reversed(list(enumerate(pairs))):
        for kind, words in zip(("neg", "pos"), pair, strict=True):
            files[f"movie_reviews/{kind}/cv{place:03}_7.txt"] = " ".join(words)
    path = standins.write_zip(home / "corpora" / "movie_reviews.zip", files)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common, "DATA_HOME", str(home))
        patch.setattr(sentiment, "MD5", common.md5file(path))
        patch.setattr(sentiment, "NUM_TRAINING_INSTANCES", split)
        numbers = dict(sentiment.get_word_dict())
        samples = list(sentiment.train()), list(sentiment.test())
    lower = [[word.lower() for word in words] for pair in pairs for words in pair]
    expected = [([numbers[word] for word in words], place % 2) for place, words in enumerate(lower)]
    assert samples == (expected[:split], expected[split:])
    counts = Counter(word for words in lower for word in words)
    assert sorted(numbers.values()) == list(range(len(counts)))
    assert [counts[word] for word in numbers] == sorted(counts.values(), reverse=True)


def test_words_are_runs_of_letters_or_of_other_signs(cache, monkeypatch):
    files = {"movie_reviews/neg/a.txt": "isn't (really)-- 3.5", "movie_reviews/pos/a.txt": ""}
    path = standins.write_zip(cache / "corpora" / "movie_reviews.zip", files)
    monkeypatch.setattr(sentiment, "MD5", common.md5file(path))
    words = [word for word, _ in sentiment.get_word_dict()]
    assert words == ["isn", "'", "t", "(", "really", ")--", "3", ".", "5"]


def test_a_sample_changed_in_place_does_not_change_the_next_epoch(published):
    before = [words.copy() for words, _ in sentiment.train()]
    for words, _ in sentiment.train():
        words.append(7)
    assert [words for words, _ in sentiment.train()] == before and len(before) == 5


def test_another_archive_is_used_with_a_warning(published, monkeypatch):
    monkeypatch.setattr(sentiment, "MD5", "0" * 32)
    with pytest.warns(UserWarning, match="the published file has 0000"):
        sentiment.fetch()


@pytest.mark.filterwarnings("ignore:.*has MD5")
@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"<html>", lambda data: b""])
def test_a_truncated_or_foreign_file_is_told(published, damage):
    published.write_bytes(damage(published.read_bytes()))
    with pytest.raises(FileFormatError, match=r"expected movie_reviews\.zip.*Delete the file") as caught:
        sentiment.train()
    assert str(published) in str(caught.value)


def test_an_archive_with_reviews_of_one_kind_is_told(cache, monkeypatch):
    path = standins.write_zip(cache / "corpora" / "movie_reviews.zip", {"movie_reviews/neg/a.txt": "bad"})
    monkeypatch.setattr(sentiment, "MD5", common.md5file(path))
    with pytest.raises(FileFormatError, match="1 negative and 0 positive reviews; expected"):
        sentiment.test()
