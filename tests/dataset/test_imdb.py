"""IMDB on small archives in the published layout."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, FileFormatError
from paddle_lite.dataset import common, imdb
from tests.dataset import standins

texts = st.lists(st.lists(st.sampled_from(["a", "film", "Good!", "it's", "bad"]), max_size=6), min_size=1, max_size=5)


@pytest.fixture
def published(cache, monkeypatch):
    path = standins.imdb(cache)
    monkeypatch.setattr(imdb, "MD5", common.md5file(path))
    return path


@given(texts, texts)
def test_samples_are_the_words_of_the_files_in_order(tmp_path_factory, positive, negative):
    home = tmp_path_factory.mktemp("imdb")
    reviews = {}
    for place in range(5):
        for kind, group in [("neg", negative), ("pos", positive)]:
            if place < len(group):
                reviews[f"aclImdb/train/{kind}/{9 - place}_1.txt"] = " ".join(group[place]).encode()
    path = standins.write_tar(home / "imdb" / "imdb%2FaclImdb_v1.tar.gz", reviews)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common, "DATA_HOME", str(home))
        patch.setattr(imdb, "MD5", common.md5file(path))
        numbers = {b"a": 0, b"good": 1, b"its": 2, "<unk>": 3}
        plain = {"a": 0, "Good!": 1, "it's": 2}
        expected = [([plain.get(w, 3) for w in words], 0) for words in positive]
        expected += [([plain.get(w, 3) for w in words], 1) for words in negative]
        assert list(imdb.train(numbers)()) == expected
        with pytest.raises(FileFormatError, match="no file in it has a name like aclImdb/test/pos"):
            imdb.test(numbers)


def test_the_dictionary_is_sorted_by_frequency(published):
    pattern = re.compile(r"aclImdb/train/(pos|neg)/.*\.txt$")
    counts = Counter(word for words in imdb.tokenize(pattern) for word in words)
    numbers = imdb.build_dict(pattern, 100)
    assert list(numbers)[-1] == "<unk>" and list(numbers.values()) == list(range(len(numbers)))
    words = [word for word in numbers if word != "<unk>"]
    assert set(words) == {word for word, count in counts.items() if count > 100}
    assert words == sorted(words, key=lambda word: (-counts[word], word))
    assert imdb.word_dict()["<unk>"] == len(imdb.word_dict()) - 1


def test_a_sample_changed_in_place_does_not_change_the_next_epoch(published):
    read = imdb.train({"<unk>": 0})
    before = [words.copy() for words, _ in read()]
    for words, _ in read():
        words.append(7)
    assert [words for words, _ in read()] == before


def test_another_archive_is_used_with_a_warning(published, monkeypatch):
    monkeypatch.setattr(imdb, "MD5", "0" * 32)
    with pytest.warns(UserWarning, match="the published file has 0000"):
        assert len(list(imdb.test({"<unk>": 0})())) == 40


def test_a_dictionary_without_unknown_is_refused(published):
    for wrong in ({b"a": 0}, None, ["<unk>"]):
        with pytest.raises(ArgumentTypeError, match=r"word_idx got .*word_dict\(\) returns"):
            imdb.train(wrong)


def test_fetch_takes_the_file_that_is_there(published):
    imdb.fetch()


@pytest.mark.filterwarnings("ignore:.*has MD5")
@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"<html>", lambda data: b""])
def test_a_truncated_or_foreign_file_is_told(published, damage):
    published.write_bytes(damage(published.read_bytes()))
    with pytest.raises(FileFormatError, match=r"expected aclImdb_v1\.tar\.gz, a gzip.*Delete the file") as caught:
        imdb.word_dict()
    assert str(published) in str(caught.value)
