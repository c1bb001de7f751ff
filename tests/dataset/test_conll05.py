"""CoNLL 2005 on a small archive in the published layout."""

import gzip

import pytest

from paddle_lite.core.errors import ArgumentValueError, FileFormatError
from paddle_lite.dataset import common, conll05
from tests.dataset import standins


@pytest.fixture
def published(cache, monkeypatch):
    path = standins.conll05(cache)
    monkeypatch.setattr(conll05, "DATA_MD5", common.md5file(path))
    for constant, name in [("WORDDICT", "wordDict.txt"), ("VERBDICT", "verbDict.txt"), ("TRGDICT", "targetDict.txt")]:
        digest = common.md5file(path.with_name(f"conll05st%2F{name}"))
        monkeypatch.setattr(conll05, f"{constant}_MD5", digest)
    monkeypatch.setattr(conll05, "EMB_MD5", common.md5file(path.with_name("conll05st%2Femb")))
    return path


def corpus(path, words, props):
    contents = {conll05._WORDS: words, conll05._PROPS: props}
    standins.write_tar(path, {name: gzip.compress(text.encode()) for name, text in contents.items()})
    return conll05.corpus_reader(str(path), conll05._WORDS, conll05._PROPS)


def test_dictionaries(published):
    words, verbs, labels = conll05.get_dict()
    assert words == {"<unk>": 0, "the": 1, "cat": 2, "bos": 3, "eos": 4, ".": 5}
    assert verbs == {"sit": 0, "see": 1}
    names = ["B-A0", "I-A0", "B-V", "I-V", "B-AM-LOC", "I-AM-LOC", "O"]
    assert labels == {name: number for number, name in enumerate(names)}
    assert conll05.get_embedding() == str(published.with_name("conll05st%2Femb"))
    conll05.fetch()


def test_each_predicate_of_a_sentence_is_a_sample(tmp_path):
    words = "the\ncat\nsat\non\nmats\n.\n\nrain\n\n"
    props = "- (A0* *\nsee *) *\nsit (V*) (A1*)\n- (AM-LOC* (V*)\n- *) *\n- * *\n\n-\n\n"
    read = corpus(tmp_path / "conll.tar.gz", words, props)
    sentence = ["the", "cat", "sat", "on", "mats", "."]
    assert list(read()) == [
        (sentence, "see", ["B-A0", "I-A0", "B-V", "B-AM-LOC", "I-AM-LOC", "O"]),
        (sentence, "sit", ["O", "O", "B-A1", "B-V", "O", "O"]),
    ]
    numbers = {word: n for n, word in enumerate(["<unk>", "the", "cat", "sat", "on", "mats", "bos", "eos"])}
    labels = {name: n for n, name in enumerate(["O", "B-A0", "I-A0", "B-A1", "B-V", "B-AM-LOC", "I-AM-LOC"])}
    first, second = conll05.reader_creator(read, numbers, {"see": 0, "sit": 1}, labels)()
    coded = [1, 2, 3, 4, 5, 0]
    context = [[number] * 6 for number in coded[:5]]
    assert first == (coded, *context, [0] * 6, [1, 1, 1, 1, 1, 0], [1, 2, 4, 5, 6, 0])
    context = [[number] * 6 for number in coded[1:]]
    assert second == (coded, *context, [1] * 6, [0, 1, 1, 1, 1, 1], [0, 0, 3, 4, 0, 0])


def test_beyond_the_ends_are_bos_and_eos(tmp_path):
    read = corpus(tmp_path / "conll.tar.gz", "rain\n\n", "see (V*)\n\n")
    numbers = {"rain": 1, "bos": 2, "eos": 3}
    (sample,) = conll05.reader_creator(read, numbers, {"see": 5}, {"B-V": 7})()
    assert sample == ([1], [2], [2], [1], [3], [3], [5], [1], [7])


def test_the_test_set_has_its_samples(published):
    samples = list(conll05.test()())
    assert samples
    for sample in samples:
        assert len(sample) == 9 and {len(column) for column in sample} == {len(sample[0])}


def test_a_dictionary_without_what_the_corpus_has_is_told(tmp_path):
    read = corpus(tmp_path / "conll.tar.gz", "rain\n\n", "see (V*)\n\n")
    with pytest.raises(ArgumentValueError, match="predicate_dict got 0 entries without 'see'"):
        list(conll05.reader_creator(read, {}, {}, {"B-V": 0})())
    with pytest.raises(ArgumentValueError, match="label_dict got 0 entries without 'B-V'"):
        list(conll05.reader_creator(read, {}, {"see": 0}, {})())


@pytest.mark.parametrize(
    ("words", "props", "text"),
    [
        ("a\nb\n\n", "- *\n\n", "3 lines of words and 2 of roles"),
        ("a\nb\n\n", "see (V*)\n-\n\n", "are not columns of one length"),
        ("a\n\n", "see (V*) *\n\n", "1 predicates in 'a', 2 columns"),
        ("a\n\n", "see V\n\n", "a role is written 'V'"),
        ("a\n\n", "see (A0*)\n\n", r"the predicate see of 'a' has no place \(V\*\)"),
    ],
)
def test_roles_that_do_not_fit_are_told(tmp_path, words, props, text):
    path = tmp_path / "conll.tar.gz"
    with pytest.raises(FileFormatError, match=text) as caught:
        list(corpus(path, words, props)())
    assert str(path) in str(caught.value) and "expected conll05st-tests.tar.gz" in str(caught.value)


@pytest.mark.filterwarnings("ignore:.*has MD5")
@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("wordDict.txt", b"the\n", "lacks bos or eos"),
        ("targetDict.txt", b"O\n", "holds no label"),
        ("verbDict.txt", b"\xff\xfe", "expected a text in UTF-8"),
    ],
)
def test_a_dictionary_of_something_else_is_told(published, name, content, text):
    path = published.with_name(f"conll05st%2F{name}")
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=text) as caught:
        conll05.test()
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"<html>", lambda data: b""])
def test_a_truncated_or_foreign_file_is_told(published, damage):
    published.write_bytes(damage(published.read_bytes()))
    with pytest.warns(UserWarning, match="conll05st-tests.tar.gz has MD5"):
        read = conll05.test()
    with pytest.raises(FileFormatError, match=r"expected conll05st-tests.*Delete the file") as caught:
        list(read())
    assert str(published) in str(caught.value)
