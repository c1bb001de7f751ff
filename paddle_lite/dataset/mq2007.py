"""LETOR 4.0 MQ2007: documents for queries of a search engine, each with 46 features and how relevant it is, 0 to 2.

The files are text of lines such as `2 qid:10032 1:0.056537 ... 46:0.076923 #docid = GX029-35-5894638 ...`, in
`MQ2007.rar`. Python's standard library reads no .rar files: the package `rarfile` does, with a program such as `unar`; or
extract the file by hand. `train` and `test` are readers of the first fold. Source: T. Qin, T.-Y. Liu, "Introducing LETOR
4.0 Datasets", 2013.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import ArgumentValueError, FileFormatError, IndexRangeError, message
from . import common
from .common import download

__all__ = ["Query", "QueryList", "gen_list", "gen_pair", "gen_plain_txt", "gen_point", "load_from_text", "query_filter"]

URL = "http://www.bigdatalab.ac.cn/benchmark/upload/download_source/7b6dbbe2-842c-11e4-a536-bcaec51b9163_MQ2007.rar"
MD5 = "7be1640ae95c6408dab0ae7207bdc706"
FEATURES = 46

_FOLDER = "MQ2007"
_LINE = f"a line of relevance, qid:number, features 1:number to {FEATURES}:number, and # with a description"


class Query:
    """A document for a query.

    Arguments:
        query_id: the number of the query.
        relevance_score: how relevant the document is.
        feature_vector: its features; None for an empty list.
        description: what the line says of it.

    >>> from paddle_lite.dataset.mq2007 import Query
    >>> print(Query(10, 2, [0.5, 0.25]))
    2 10 0.5 0.25
    """

    def __init__(
        self,
        query_id: int = -1,
        relevance_score: int = -1,
        feature_vector: Sequence[float] | None = None,
        description: str = "",
    ) -> None:
        self.query_id, self.relevance_score = query_id, relevance_score
        self.feature_vector = [] if feature_vector is None else list(feature_vector)
        self.description = description

    def __str__(self) -> str:
        return " ".join(map(str, [self.relevance_score, self.query_id, *self.feature_vector]))

    def _parse_(self, text: str) -> Query:
        """Set what a line says, and return the document.

        Raises:
            FileFormatError: the line has another form.
        """
        values, _, description = text.strip().partition("#")
        words = values.split()
        if len(words) != 2 + FEATURES:
            raise FileFormatError(f"mq2007: a line of {len(words)} words before #; expected {_LINE}.")
        try:
            self.relevance_score = int(words[0])
            self.query_id = int(words[1].split(":")[1])
            self.feature_vector = [float(word.split(":")[1]) for word in words[2:]]
        except (ValueError, IndexError) as error:
            raise FileFormatError(f"mq2007: {text.strip()[:60]!r}: {error}; expected {_LINE}.") from None
        self.description = description.strip()
        return self


class QueryList:
    """The documents for one query.

    Arguments:
        querylist: the documents; None for an empty list.

    Attributes:
        query_id: the number of the query; -1 for an empty list.
        querylist: the documents.

    Raises:
        ArgumentValueError: the documents belong to several queries.
    """

    def __init__(self, querylist: Sequence[Query] | None = None) -> None:
        self.query_id = -1
        self.querylist: list[Query] = []
        for query in querylist or ():
            self._add_query(query)

    def __iter__(self) -> Iterator[Query]:
        """Iterate over the documents."""
        return iter(self.querylist)

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.querylist)

    def __getitem__(self, i: int) -> Query:
        """Return a document."""
        try:
            return self.querylist[i]
        except IndexError:
            needs = f"less than {len(self)}, the number of documents"
            raise IndexRangeError(message("QueryList", "index", i, needs)) from None

    def _correct_ranking_(self) -> None:
        """Sort the documents, the most relevant ones first."""
        self.querylist.sort(key=lambda query: query.relevance_score, reverse=True)

    def _add_query(self, query: Query) -> None:
        """Append a document.

        Raises:
            ArgumentValueError: it belongs to another query.
        """
        if self.querylist and query.query_id != self.query_id:
            got, needs = f"one of query {query.query_id}", f"one of query {self.query_id}"
            raise ArgumentValueError(message("QueryList", "a document", got, needs))
        self.query_id = query.query_id
        self.querylist.append(query)


def gen_plain_txt(querylist: QueryList | Sequence[Query]) -> Iterator[tuple[int, int, np.ndarray]]:
    """Yield number of the query, relevance and features [46] of each document, the most relevant one first.

    Arguments:
        querylist: the documents for a query.

    Returns:
        An iterator of tuples.
    """
    for query in _ranked(querylist):
        yield query.query_id, query.relevance_score, np.array(query.feature_vector)


def gen_point(querylist: QueryList | Sequence[Query]) -> Iterator[tuple[int, np.ndarray]]:
    """Yield relevance and features [46] of each document, the most relevant one first.

    Arguments:
        querylist: the documents for a query.

    Returns:
        An iterator of tuples.
    """
    for query in _ranked(querylist):
        yield query.relevance_score, np.array(query.feature_vector)


def gen_pair(
    querylist: QueryList | Sequence[Query], partial_order: str = "full"
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield the label [1], and the features of two documents of which the first one is more relevant.

    Arguments:
        querylist: the documents for a query.
        partial_order: accepted for Fluid code: all pairs are yielded, as in Fluid.

    Returns:
        An iterator of tuples (int64 [1], float64 [46], float64 [46]).
    """
    ranked = _ranked(querylist)
    for place, better in enumerate(ranked):
        for worse in ranked[place + 1 :]:
            if better.relevance_score > worse.relevance_score:
                yield np.array([1]), np.array(better.feature_vector), np.array(worse.feature_vector)


def gen_list(querylist: QueryList | Sequence[Query]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield once the relevances [documents, 1] and features [documents, 46], the most relevant document first.

    Arguments:
        querylist: the documents for a query.

    Returns:
        An iterator of one tuple.
    """
    ranked = _ranked(querylist)
    yield np.array([[query.relevance_score] for query in ranked]), np.array([query.feature_vector for query in ranked])


def query_filter(querylists: Sequence[QueryList]) -> list[QueryList]:
    """Return the lists with a document of a relevance other than 0.

    Arguments:
        querylists: lists of documents.

    Returns:
        A list of lists of documents.
    """
    return [each for each in querylists if any(query.relevance_score for query in each)]


def load_from_text(filepath: str, shuffle: bool = False, fill_missing: float = -1) -> list[QueryList]:
    """Return the documents of a text file, a list for each query.

    Arguments:
        filepath: the path; one that is not absolute is looked for in the caches of data sets, where the published file is
            downloaded to and extracted if it is not there.
        shuffle: whether to shuffle the lists, with NumPy's global generator.
        fill_missing: accepted for Fluid code: all documents have all features.

    Returns:
        A list of QueryLists, in the order of the file.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: a line has another form.
        ImportError: the file must be extracted, and `rarfile` is not installed.
    """
    lists: list[QueryList] = []
    path = _located(filepath)
    with open(os.fspath(path), encoding="utf8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                query = Query()._parse_(line)
            except FileFormatError as error:
                raise FileFormatError(f"{path}, line {number}: {error}") from None
            if not lists or lists[-1].query_id != query.query_id:
                lists.append(QueryList())
            lists[-1]._add_query(query)
    if shuffle:
        return [lists[place] for place in np.random.permutation(len(lists))]
    return lists


def fetch() -> str:
    """Return the path of the published file; download it if it is missing.

    Returns:
        The path, a str.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
    """
    return download(URL, _FOLDER, MD5)


def _ranked(querylist: QueryList | Sequence[Query]) -> list[Query]:
    return sorted(querylist, key=lambda query: query.relevance_score, reverse=True)


def _located(filepath: str) -> str:
    """Return the path of a text file of the data set; download and extract the published one if it is missing."""
    found = [path for home in _homes() if (path := os.path.join(home, filepath)) and os.path.isfile(path)]
    if found:
        return found[0]
    archive = fetch()
    try:
        import rarfile
    except ImportError as error:
        raise ImportError(
            f"paddle.dataset.mq2007 needs rarfile to extract {archive}: `pip install rarfile`, and a program such as "
            f"unar; or extract it into {os.path.dirname(archive)} by hand."
        ) from error
    folder = os.path.dirname(archive)
    rarfile.RarFile(archive).extractall(folder)
    path = os.path.join(os.path.dirname(folder), filepath)
    if not os.path.isfile(path):
        raise FileFormatError(f"{archive}: it holds no {Path(filepath).name} at {path}.")
    return path


def _homes() -> list[str]:
    home = os.environ.get("PADDLE_LITE_DATA_HOME")
    return [home, common.DATA_HOME] if home else [common.DATA_HOME]


_FORMATS: dict[str, Callable[[QueryList], Iterator[Any]]] = {
    "plain_txt": gen_plain_txt,
    "pointwise": gen_point,
    "pairwise": gen_pair,
    "listwise": gen_list,
}


def __reader__(
    filepath: str, format: str = "pairwise", shuffle: bool = False, fill_missing: float = -1
) -> Iterator[Any]:
    """Yield the samples of a text file, for the queries with a relevant document.

    Arguments:
        filepath, shuffle, fill_missing: as for `load_from_text`.
        format: "pairwise" for all samples of `gen_pair`; "listwise", "pointwise" and "plain_txt" for the first sample of
            `gen_list`, `gen_point` and `gen_plain_txt` of each query, as in Fluid.

    Returns:
        An iterator of samples.

    Raises:
        ArgumentValueError: there is no such format.
    """
    if format not in _FORMATS:
        raise ArgumentValueError(message("mq2007", "format", repr(format), f"one of {', '.join(_FORMATS)}"))
    for querylist in query_filter(load_from_text(filepath, shuffle, fill_missing)):
        samples = _FORMATS[format](querylist)
        if format == "pairwise":
            yield from samples
        else:
            yield next(samples)


train = partial(__reader__, filepath="MQ2007/MQ2007/Fold1/train.txt")
test = partial(__reader__, filepath="MQ2007/MQ2007/Fold1/test.txt")
