"""WMT 2014 and 2016 on small archives in the published layouts."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentValueError, FileFormatError
from paddle_lite.dataset import common, wmt14, wmt16
from tests.dataset import standins

sentence = st.lists(st.sampled_from(["the", "cat", "sat"]), min_size=1, max_size=5)
pairs = st.lists(st.tuples(sentence, sentence), min_size=1, max_size=5)


def text(lines):
    return "".join(f"{' '.join(source)}\t{' '.join(target)}\n" for source, target in lines).encode()


@pytest.fixture
def fourteen(cache, monkeypatch):
    path = standins.wmt14(cache)
    monkeypatch.setattr(wmt14, "MD5_TRAIN", common.md5file(path))
    return path


@pytest.fixture
def sixteen(cache, monkeypatch):
    path = standins.wmt16(cache)
    monkeypatch.setattr(wmt16, "DATA_MD5", common.md5file(path))
    return path


@given(pairs)
def test_wmt14_samples_are_the_pairs_in_order(tmp_path_factory, lines):
    words = b"<s>\n<e>\n<unk>\nthe\ncat\n"
    files = {"x/src.dict": words, "x/trg.dict": words[:-4], "x/train/train": b"no pair\n" + text(lines)}
    path = standins.write_tar(tmp_path_factory.mktemp("wmt14") / "wmt14.tgz", files)
    source, target = {"the": 3, "cat": 4}, {"the": 3}
    expected = []
    for left, right in lines:
        numbers = [target.get(word, 2) for word in right]
        expected.append(([0, *(source.get(word, 2) for word in left), 1], [0, *numbers], [*numbers, 1]))
    assert list(wmt14.reader_creator(str(path), "train/train", 100)()) == expected


def test_wmt14_passes_over_long_sentences(fourteen):
    lengths = [(len(source), len(target) - 1) for source, target, _ in wmt14.train(10)()]
    assert (80, 1) in lengths and (3, 80) in lengths
    assert max(max(pair) for pair in lengths) == 80


def test_wmt14_dictionaries(fourteen):
    source, target = wmt14.get_dict(4)
    assert source == {0: "<s>", 1: "<e>", 2: "<unk>", 3: "the"} and target[3] == "die"
    assert wmt14.get_dict(100, reverse=False)[0]["sat"] == 5
    assert [len(list(read(4)())) for read in (wmt14.test, wmt14.gen)] == [11, 11]
    with pytest.raises(ArgumentValueError, match="dict_size got int 2, needs 3 or more"):
        wmt14.get_dict(2)


def test_wmt14_a_dictionary_without_marks_is_told(tmp_path):
    path = standins.write_tar(tmp_path / "wmt14.tgz", {"src.dict": b"", "trg.dict": b"", "train/train": b""})
    with pytest.raises(FileFormatError, match=r"src\.dict lacks <s> or <e>"):
        wmt14.reader_creator(str(path), "train/train", 10)


@given(pairs, st.integers(3, 8), st.sampled_from(["en", "de"]))
def test_wmt16_samples_are_the_pairs_in_order(tmp_path_factory, lines, size, language):
    home = tmp_path_factory.mktemp("wmt16")
    path = standins.write_tar(home / "wmt16" / "wmt16.tar.gz", {"wmt16/train": b"no pair\n" + text(lines)})
    column = ["en", "de"].index(language)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common, "DATA_HOME", str(home))
        patch.setattr(wmt16, "DATA_MD5", common.md5file(path))
        dictionaries = [wmt16.get_dict(lang, size) for lang in ("en", "de")]
        samples = list(wmt16.train(size, size, language)())
    for place, words in enumerate(dictionaries):
        counts = Counter(word for pair in lines for word in pair[place])
        assert list(words) == ["<s>", "<e>", "<unk>", *sorted(counts, key=lambda word: -counts[word])][:size]
    expected = []
    for pair in lines:
        left = [dictionaries[column].get(word, 2) for word in pair[column]]
        right = [dictionaries[1 - column].get(word, 2) for word in pair[1 - column]]
        expected.append(([0, *left, 1], [0, *right], [*right, 1]))
    assert samples == expected


def test_wmt16_parts_and_dictionaries(sixteen):
    assert [len(list(read(9, 9)())) for read in (wmt16.train, wmt16.test, wmt16.validation)] == [25, 6, 7]
    words = wmt16.get_dict("de", 6)
    assert wmt16.get_dict("de", 6, reverse=True) == {number: word for word, number in words.items()}


def test_wmt16_refuses_other_languages_and_sizes(sixteen):
    with pytest.raises(ArgumentValueError, match=r"src_lang got str 'fr', needs \"en\" \(English\)"):
        wmt16.train(10, 10, "fr")
    with pytest.raises(ArgumentValueError, match="lang got str 'fr'"):
        wmt16.get_dict("fr", 10)
    with pytest.raises(ArgumentValueError, match="trg_dict_size got int 2, needs 3 or more"):
        wmt16.test(10, 2)


READS = [
    ("fourteen", wmt14, "MD5_TRAIN", lambda: wmt14.train(5)),
    ("sixteen", wmt16, "DATA_MD5", lambda: wmt16.train(5, 5)),
]


@pytest.mark.parametrize(("archive", "module", "constant", "read"), READS)
def test_another_archive_is_used_with_a_warning(request, monkeypatch, archive, module, constant, read):
    request.getfixturevalue(archive)
    monkeypatch.setattr(module, constant, "0" * 32)
    with pytest.warns(UserWarning, match="the published file has 0000"):
        module.fetch()


@pytest.mark.filterwarnings("ignore:.*has MD5")
@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"<html>", lambda data: b""])
@pytest.mark.parametrize(("archive", "module", "constant", "read"), READS)
def test_a_truncated_or_foreign_file_is_told(request, archive, module, constant, read, damage):
    path = request.getfixturevalue(archive)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(FileFormatError, match=r"expected wmt1.*Delete the file") as caught:
        list(read()())
    assert str(path) in str(caught.value)
