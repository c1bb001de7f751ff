"""Penn Treebank sentences on small archives in the published layout."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, FileFormatError
from paddle_lite.dataset import common, imikolov
from tests.dataset import standins

WORDS = {b"the": 0, "<s>": 1, "<e>": 2, b"cat": 3, "<unk>": 4}
sentences = st.lists(st.lists(st.sampled_from(["the", "cat", "dog"]), max_size=5), max_size=5)


@pytest.fixture
def published(cache, monkeypatch):
    path = standins.imikolov(cache)
    monkeypatch.setattr(imikolov, "MD5", common.md5file(path))
    return path


@given(sentences, sentences, st.integers(0, 6))
def test_samples_are_the_sentences_in_order(tmp_path_factory, train, test, n):
    home = tmp_path_factory.mktemp("imikolov")
    files = {
        f"./simple-examples/data/ptb.{part}.txt": "".join(f" {' '.join(words)} \n" for words in lines).encode()
        for part, lines in [("train", train), ("valid", test)]
    }
    path = standins.write_tar(home / "imikolov" / "imikolov%2Fsimple-examples.tgz", files)
    numbers = {"the": 0, "cat": 3, "dog": 4}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common, "DATA_HOME", str(home))
        patch.setattr(imikolov, "MD5", common.md5file(path))
        for read, lines in [(imikolov.train, train), (imikolov.test, test)]:
            coded = [[numbers[word] for word in line] for line in lines]
            whole = [[1, *line, 2] for line in coded]
            grams = [tuple(line[i : i + n]) for line in whole for i in range(len(line) - n + 1)]
            assert list(read(WORDS, n)()) == grams
            pairs = [(line[:-1], line[1:]) for line in whole if n == 0 or len(line) - 1 <= n]
            assert list(read(WORDS, n, imikolov.DataType.SEQ)()) == pairs


def test_the_dictionary_holds_frequent_words_and_marks(published):
    numbers = imikolov.build_dict(0)
    assert set(numbers) == {b"the", b"cat", b"<unk>", b"sat", b"N", b"on", b"dog", "<s>", "<e>", "<unk>"}
    assert list(numbers.values()) == list(range(10)) and numbers["<unk>"] == 9
    assert imikolov.build_dict(10**6) == {"<unk>": 0}
    assert numbers["<s>"] == numbers["<e>"] + 1


def test_equally_frequent_words_are_in_order_also_beside_marks(cache, monkeypatch):
    files = {f"./simple-examples/data/ptb.{part}.txt": b"b a\n" for part in ("train", "valid")}
    path = standins.write_tar(cache / "imikolov" / "imikolov%2Fsimple-examples.tgz", files)
    monkeypatch.setattr(imikolov, "MD5", common.md5file(path))
    assert list(imikolov.build_dict(0)) == ["<e>", "<s>", b"a", b"b", "<unk>"]


def test_wrong_arguments_are_told(published):
    with pytest.raises(ArgumentTypeError, match=r"word_idx got .*build_dict\(\) returns"):
        imikolov.train({b"the": 0}, 3)
    with pytest.raises(ArgumentValueError, match=r"data_type got int 7, needs DataType\.NGRAM or DataType\.SEQ"):
        imikolov.train(WORDS, 3, 7)
    with pytest.raises(ArgumentValueError, match="n got int -1"):
        imikolov.test(WORDS, -1)


def test_another_archive_is_used_with_a_warning(published, monkeypatch):
    monkeypatch.setattr(imikolov, "MD5", "0" * 32)
    with pytest.warns(UserWarning, match="the published file has 0000"):
        imikolov.fetch()


@pytest.mark.filterwarnings("ignore:.*has MD5")
@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"<html>", lambda data: b""])
def test_a_truncated_or_foreign_file_is_told(published, damage):
    published.write_bytes(damage(published.read_bytes()))
    with pytest.raises(FileFormatError, match=r"expected simple-examples\.tgz.*Delete the file") as caught:
        imikolov.build_dict()
    assert str(published) in str(caught.value)


def test_an_archive_of_something_else_is_told(cache, monkeypatch):
    path = standins.write_tar(cache / "imikolov" / "imikolov%2Fsimple-examples.tgz", {"README": b"hello"})
    monkeypatch.setattr(imikolov, "MD5", common.md5file(path))
    with pytest.raises(FileFormatError, match=r"no file in it has a name like .*ptb\\\.train\\\.txt"):
        imikolov.build_dict()
