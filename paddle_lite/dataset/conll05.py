"""CoNLL 2005, semantic role labelling: the public test set, sections of the Wall Street Journal.

A sample describes one predicate of one sentence by nine lists of ints, each with one entry for each word:

- the words of the sentence;
- five lists that each repeat one word of the context: the words two and one before the predicate, the predicate, and
  the words one and two after it; beyond the ends of the sentence they are `bos` and `eos`;
- the number of the predicate in its own dictionary, repeated;
- 1 for the words within two words of the predicate, 0 for the others;
- the labels of the words in the IOB scheme (B-A0, I-A0, ..., O).

The file is `conll05st-tests.tar.gz` with two gzip-compressed texts, one of words and one of bracketed roles: a line for
each word and a blank line after each sentence. The dictionaries are `wordDict.txt`, `verbDict.txt` and
`targetDict.txt`, the word vectors are in `emb`. Source: X. Carreras, L. Marquez, "Introduction to the CoNLL-2005 Shared
Task: Semantic Role Labeling", CoNLL 2005.

Fluid numbers the labels in the order of a Python set, which differs from process to process; here the order is that of
`targetDict.txt`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain

from ..core.errors import ArgumentValueError, message
from ..reader.source import Reader
from .archives import format_error, gunzipped, reading, tar_file
from .common import download

__all__ = ["get_dict", "get_embedding", "test"]

DATA_URL = "http://paddlemodels.bj.bcebos.com/conll05st/conll05st-tests.tar.gz"
DATA_MD5 = "387719152ae52d60422c016e92a742fc"
WORDDICT_URL = "http://paddlemodels.bj.bcebos.com/conll05st%2FwordDict.txt"
WORDDICT_MD5 = "ea7fb7d4c75cc6254716f0177a506baa"
VERBDICT_URL = "http://paddlemodels.bj.bcebos.com/conll05st%2FverbDict.txt"
VERBDICT_MD5 = "0d2977293bbb6cbefab5b0f97db1e77c"
TRGDICT_URL = "http://paddlemodels.bj.bcebos.com/conll05st%2FtargetDict.txt"
TRGDICT_MD5 = "d8c7f03ceb5fc2e5a0fa7503a4353751"
EMB_URL = "http://paddlemodels.bj.bcebos.com/conll05st%2Femb"
EMB_MD5 = "bf436eb0faa1f6f9103017f8be57cdb7"

UNK_IDX = 0

Numbers = dict[str, int]
Sentence = tuple[list[str], str, list[str]]

_WORDS = "conll05st-release/test.wsj/words/test.wsj.words.gz"
_PROPS = "conll05st-release/test.wsj/props/test.wsj.props.gz"
_EXPECTED = f"conll05st-tests.tar.gz, a gzip-compressed tar archive with {_WORDS} and {_PROPS}"
_CONTEXT = 2  # words on each side of the predicate in its context


def _lines(path: str) -> list[str]:
    """Return the lines of a dictionary file."""
    with (
        reading(path, "a text in UTF-8, an entry a line"),
        open(os.fspath(path), encoding="utf-8", newline="\n") as file,
    ):
        return [line.strip() for line in file]


def _labels(path: str) -> Numbers:
    """Return the numbers of the labels: B- and I- of each role in the order of the file, then O."""
    roles = dict.fromkeys(line[2:] for line in _lines(path) if line.startswith(("B-", "I-")))
    if not roles:
        raise format_error(path, "it holds no label", "targetDict.txt, a label such as B-A0 a line")
    names = [f"{place}-{role}" for role in roles for place in "BI"]
    return {name: number for number, name in enumerate([*names, "O"])}


def load_dict(filename: str | os.PathLike[str]) -> Numbers:
    """Return the numbers of the words of a text with a word a line, by the lines' order."""
    return {word: number for number, word in enumerate(_lines(os.fspath(filename)))}


def load_label_dict(filename: str | os.PathLike[str]) -> Numbers:
    """Return the numbers of the labels of a text with a label a line: B- and I- of each role, then O.

    Raises:
        FileFormatError: it holds no label.
    """
    return _labels(os.fspath(filename))


def get_dict() -> tuple[Numbers, Numbers, Numbers]:
    """Return the dictionaries of words, predicates and labels.

    Returns:
        Three dicts from str to int: the numbers of the words, of the predicates, and of the labels.

    Raises:
        DownloadError: a file is neither on this machine nor downloadable.
        FileFormatError: a file has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> words, verbs, labels = paddle.dataset.conll05.get_dict()  # doctest: +SKIP
        >>> len(words), len(verbs), len(labels)  # doctest: +SKIP
        (44068, 3162, 59)
    """
    words = _lines(download(WORDDICT_URL, "conll05st", WORDDICT_MD5))
    verbs = _lines(download(VERBDICT_URL, "conll05st", VERBDICT_MD5))
    path = download(WORDDICT_URL, "conll05st", None)
    if not {"bos", "eos"} <= set(words):
        raise format_error(path, "it lacks bos or eos", "wordDict.txt, a word a line")
    labels = _labels(download(TRGDICT_URL, "conll05st", TRGDICT_MD5))
    return {w: n for n, w in enumerate(words)}, {v: n for n, v in enumerate(verbs)}, labels


def get_embedding() -> str:
    """Return the path of the file of published word vectors.

    The file has a header of 16 bytes, then 32 float32 values for each word of the dictionary.

    Returns:
        The path, a str.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.

    Example:
        >>> import paddle_lite as paddle
        >>> path = paddle.dataset.conll05.get_embedding()  # doctest: +SKIP
    """
    return download(EMB_URL, "conll05st", EMB_MD5)


def corpus_reader(data_path: str, words_name: str, props_name: str) -> Reader:
    """Return a reader of `(words, predicate, labels)`, as texts, for each predicate of each sentence of an archive.

    Arguments:
        data_path: path of the archive.
        words_name: name, in the archive, of the gzip-compressed text of words.
        props_name: name, in the archive, of the gzip-compressed text of roles: a column of predicates, then a column of
            roles for each predicate.

    Returns:
        A reader of `(words, predicate, labels)`: a list of str, a str, and a list of str.

    Raises:
        FileFormatError: while reading, when the archive is truncated or has another format.
    """

    def corpus() -> Iterator[Sentence]:
        words, props = (_texts(data_path, name) for name in (words_name, props_name))
        if len(words) != len(props):
            raise format_error(data_path, f"{len(words)} lines of words and {len(props)} of roles", _EXPECTED)
        sentence: list[tuple[str, list[str]]] = []
        for word, prop in chain(zip(words, props, strict=True), [("", "")]):
            columns = prop.split()
            if columns:
                sentence.append((word, columns))
                continue
            yield from _predicates(data_path, sentence)
            sentence = []

    return corpus


def _texts(path: str, name: str) -> list[str]:
    """Return the lines of a gzip-compressed file of the archive."""
    with reading(path, _EXPECTED):
        text = gunzipped(tar_file(path, name, _EXPECTED), path, _EXPECTED).decode()
    return [line.strip() for line in text.removesuffix("\n").split("\n")]


def _predicates(path: str, sentence: list[tuple[str, list[str]]]) -> Iterator[Sentence]:
    """Yield the words of a sentence, a predicate and the labels for that predicate, for each predicate."""
    words = [word for word, _ in sentence]
    if len({len(columns) for _, columns in sentence}) > 1:
        raise format_error(path, f"the roles of {' '.join(words)!r} are not columns of one length", _EXPECTED)
    verb_column, *columns = zip(*(columns for _, columns in sentence), strict=True) if sentence else [()]
    verbs = [verb for verb in verb_column if verb != "-"]
    if len(verbs) != len(columns):
        raise format_error(path, f"{len(verbs)} predicates in {' '.join(words)!r}, {len(columns)} columns", _EXPECTED)
    for verb, column in zip(verbs, columns, strict=True):
        labels = _iob(path, column)
        if "B-V" not in labels:
            raise format_error(path, f"the predicate {verb} of {' '.join(words)!r} has no place (V*)", _EXPECTED)
        yield words, verb, labels


def _iob(path: str, column: tuple[str, ...]) -> list[str]:
    """Convert a column of bracketed roles to labels: `(A0*`, `*`, `*)`, `*` become B-A0, I-A0, I-A0, O."""
    labels, role = [], ""
    for mark in column:
        begins, star, ends = mark.partition("*")
        if not star or ends not in ("", ")") or (begins and not begins.startswith("(")):
            raise format_error(path, f"a role is written {mark!r}, needs such as (A0*, * or *)", _EXPECTED)
        if begins:
            role = begins[1:]
            labels.append(f"B-{role}")
        else:
            labels.append(f"I-{role}" if role else "O")
        if ends:
            role = ""
    return labels


def reader_creator(corpus: Reader, word_dict: Numbers, predicate_dict: Numbers, label_dict: Numbers) -> Reader:
    """Return a reader of the nine lists of ints for each `(words, predicate, labels)` of a corpus.

    Arguments:
        corpus: a reader that `corpus_reader` returned.
        word_dict: numbers of the words, with `bos` and `eos` for the places beyond the ends of a sentence; any word
            that it lacks is 0.
        predicate_dict: numbers of the predicates.
        label_dict: numbers of the labels.

    Returns:
        A reader of tuples of nine lists of ints.

    Raises:
        ArgumentValueError: while reading, when a dictionary lacks a predicate or a label of the corpus.
    """

    def conll05_reader() -> Iterator[tuple[list[int], ...]]:
        for words, predicate, labels in corpus():
            length, place = len(words), labels.index("B-V")
            padded = ["bos"] * _CONTEXT + words + ["eos"] * _CONTEXT
            context = [word_dict.get(word, UNK_IDX) for word in padded[place : place + 2 * _CONTEXT + 1]]
            yield (
                [word_dict.get(word, UNK_IDX) for word in words],
                *([number] * length for number in context),
                [_number(predicate_dict, "predicate_dict", predicate)] * length,
                [int(abs(other - place) <= _CONTEXT) for other in range(length)],
                [_number(label_dict, "label_dict", label) for label in labels],
            )

    return conll05_reader


def _number(numbers: Numbers, argument: str, name: str) -> int:
    """Return the number of a predicate or a label; raise an error where the dictionary lacks it."""
    if name not in numbers:
        got = f"{len(numbers)} entries without {name!r}"
        raise ArgumentValueError(message("paddle.dataset.conll05", argument, got, "an entry for each in the corpus"))
    return numbers[name]


def test() -> Reader:
    """Return a reader of the predicates of the public test set.

    Returns:
        A reader of nine lists of ints: the words; the words at -2, -1, 0, 1 and 2 from the predicate; the predicate;
            the mark of the context; the labels.

    Raises:
        DownloadError: a file is neither on this machine nor downloadable.
        FileFormatError: a file is truncated or has another format; for the archive, the error is raised while reading.

    Example:
        >>> import paddle_lite as paddle
        >>> sample = next(iter(paddle.dataset.conll05.test()()))  # doctest: +SKIP
        >>> len(sample)  # doctest: +SKIP
        9
    """
    return reader_creator(corpus_reader(download(DATA_URL, "conll05st", DATA_MD5), _WORDS, _PROPS), *get_dict())


def fetch() -> None:
    """Download the files that are not on this machine yet.

    Raises:
        DownloadError: a file is neither on this machine nor downloadable.
    """
    get_dict()
    get_embedding()
    download(DATA_URL, "conll05st", DATA_MD5)
