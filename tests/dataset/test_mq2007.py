"""MQ2007 on a small file in the published layout; the expected samples are those of PaddlePaddle 1.8.5."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentValueError, FileFormatError
from paddle_lite.dataset import common, mq2007

RELEVANCES = {10: [0, 2, 1, 0], 11: [0, 2, 1], 12: [0, 0], 13: [0]}


def text() -> str:
    lines, number = [], 0
    for query, scores in RELEVANCES.items():
        for score in scores:
            features = " ".join(f"{k}:{number + k / 100}" for k in range(1, 47))
            lines.append(f"{score} qid:{query} {features} #docid = GX{number} inc = 1\n")
            number += 1
    return "".join(lines)


@pytest.fixture
def published(cache: Path) -> Path:
    path = cache / "MQ2007" / "MQ2007" / "Fold1" / "train.txt"
    path.parent.mkdir(parents=True)
    path.write_text(text())
    return path


def firsts(samples: object) -> list[int]:
    """The number of the document of each sample, which its first feature tells; of pairs that of both."""
    return [[int(np.ravel(each)[0]) for each in sample[1:]] for sample in samples]  # type: ignore[attr-defined]


def test_documents_of_queries(published: Path) -> None:
    lists = mq2007.load_from_text(str(published))
    assert [[query.relevance_score for query in each] for each in lists] == list(RELEVANCES.values())
    assert [each.query_id for each in lists] == list(RELEVANCES)
    first = lists[0][0]
    assert (len(first.feature_vector), first.feature_vector[:2], first.description) == (
        46,
        [0.01, 0.02],
        "docid = GX0 inc = 1",
    )
    assert str(first).startswith("0 10 0.01 0.02 0.03 ")
    assert [each.query_id for each in mq2007.query_filter(lists)] == [10, 11]
    lists[0]._correct_ranking_()
    assert [query.relevance_score for query in lists[0]] == [2, 1, 0, 0]


def test_formats(published: Path) -> None:
    pairs = list(mq2007.train())
    assert firsts(pairs) == [[1, 2], [1, 0], [1, 3], [2, 0], [2, 3], [5, 6], [5, 4], [6, 4]]
    assert (pairs[0][0].tolist(), pairs[0][1].shape, pairs[0][1].dtype) == ([1], (46,), np.float64)
    listed = list(mq2007.train(format="listwise"))
    assert [labels.tolist() for labels, _ in listed] == [[[2], [1], [0], [0]], [[2], [1], [0]]]
    assert [features.shape for _, features in listed] == [(4, 46), (3, 46)]
    assert [(label, int(features[0])) for label, features in mq2007.train(format="pointwise")] == [(2, 1), (2, 5)]
    assert [(q, label, int(f[0])) for q, label, f in mq2007.train(format="plain_txt")] == [(10, 2, 1), (11, 2, 5)]
    assert len(list(mq2007.gen_point(mq2007.load_from_text(str(published))[0]))) == 4
    with pytest.raises(ArgumentValueError, match="format got 'zz'"):
        next(mq2007.train(format="zz"))


def test_lists_are_shuffled(published: Path) -> None:
    np.random.seed(1)
    orders = {tuple(each.query_id for each in mq2007.load_from_text(str(published), shuffle=True)) for _ in range(10)}
    assert len(orders) > 1
    assert all(sorted(order) == list(RELEVANCES) for order in orders)


def test_wrong_lines_and_lists(published: Path) -> None:
    published.write_text(text() + "1 qid:5 1:0.5 #x\n")
    with pytest.raises(FileFormatError, match=r"train\.txt, line 11: .*a line of 3 words"):
        mq2007.load_from_text(str(published))
    published.write_text(text().replace("7:0.07", "7:NULL"))
    with pytest.raises(FileFormatError, match=r"line 1: .*NULL"):
        mq2007.load_from_text(str(published))
    both = mq2007.QueryList([mq2007.Query(3, 1)])
    with pytest.raises(ValueError, match="one of query 4, needs one of query 3"):
        both._add_query(mq2007.Query(4, 1))
    with pytest.raises(IndexError, match="index got 1"):
        _ = both[1]


def test_the_archive_is_extracted(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = cache / "MQ2007" / mq2007.URL.split("/")[-1]
    archive.parent.mkdir(parents=True)
    archive.write_bytes(b"Rar!")
    monkeypatch.setattr(mq2007, "MD5", common.md5file(archive))
    monkeypatch.setitem(sys.modules, "rarfile", None)
    with pytest.raises(ImportError, match=r"extract it into .*MQ2007 by hand"):
        next(mq2007.test())

    class RarFile:
        def __init__(self, path: str) -> None:
            assert Path(path) == archive

        def extractall(self, folder: str) -> None:
            made = Path(folder) / "MQ2007" / "Fold1" / "test.txt"
            made.parent.mkdir(parents=True)
            made.write_text(text())

    fake = types.ModuleType("rarfile")
    fake.RarFile = RarFile  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "rarfile", fake)
    assert len(list(mq2007.test())) == 8
