"""The decorators that run in the consumer's thread: content, order, laziness, errors, closing."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite import reader
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError

samples = st.lists(st.integers() | st.none(), max_size=20)
sizes = st.integers(1, 25)


class Source:
    """A reader of 0, 1, 2, ... that counts what was read and notices that it was closed."""

    def __init__(self, length=None):
        self.length, self.read, self.closed = length, 0, False

    def __call__(self):
        try:
            for number in range(self.length) if self.length is not None else itertools.count():
                self.read += 1
                yield number
        finally:
            self.closed = True


def failing(length):
    def read():
        yield from range(length)
        raise LookupError("the reader failed")

    return read


SEQUENTIAL = {
    "batch": lambda r: reader.batch(r, 2),
    "chain": reader.chain,
    "compose": reader.compose,
    "firstn": lambda r: reader.firstn(r, 10),
    "map_readers": lambda r: reader.map_readers(lambda x: x, r),
    "shuffle": lambda r: reader.shuffle(r, 2),
}


@pytest.mark.parametrize("name", SEQUENTIAL)
def test_nothing_is_read_before_the_first_sample_is_asked_for(name):
    source = Source()
    iterator = iter(SEQUENTIAL[name](source)())
    assert source.read == 0
    next(iterator)
    assert 1 <= source.read <= 2
    iterator.close()
    assert source.closed


@pytest.mark.parametrize("name", SEQUENTIAL)
def test_an_error_of_the_reader_reaches_the_caller(name):
    with pytest.raises(LookupError, match="the reader failed"):
        list(SEQUENTIAL[name](failing(4))())


@pytest.mark.parametrize("name", SEQUENTIAL)
def test_each_call_starts_a_new_epoch(name):
    decorated = SEQUENTIAL[name](Source(6))
    random.seed(0)
    first = list(decorated())
    random.seed(0)
    assert list(decorated()) == first


@pytest.mark.parametrize("name", [*SEQUENTIAL, "cache"])
def test_a_started_reader_is_refused_with_the_remedy(name):
    decorate = SEQUENTIAL.get(name, reader.cache)
    with pytest.raises(ArgumentTypeError, match=r"Pass the reader itself.*`reader`, not `reader\(\)`"):
        decorate(Source(3)())


@given(samples, sizes, st.booleans())
def test_batch_groups_in_order(values, size, drop_last):
    groups = list(reader.batch(lambda: values, size, drop_last)())
    whole = len(values) // size * size if drop_last else len(values)
    assert [value for group in groups for value in group] == values[:whole]
    assert all(type(group) is list and len(group) == size for group in groups[:-1])
    assert all(0 < len(group) <= size for group in groups)


@pytest.mark.parametrize("size", [0, -1, 0.5, None, "many", float("nan"), float("inf")])
def test_batch_refuses_sizes_that_are_not_positive(size):
    with pytest.raises(ArgumentValueError, match="batch_size got"):
        reader.batch(Source(3), size)


@pytest.mark.parametrize("size", [2, 2.0, 2.9, "2", np.int64(2)])
def test_batch_cuts_sizes_to_integers_as_fluid_does(size):
    assert list(reader.batch(Source(3), size)()) == [[0, 1], [2]]


@given(samples)
def test_cache_reads_once_and_at_once(values):
    epochs = 0

    def read():
        nonlocal epochs
        epochs += 1
        yield from values

    cached = reader.cache(read)
    assert epochs == 1
    assert list(cached()) == list(cached()) == values
    assert epochs == 1


@given(st.lists(samples, max_size=4))
def test_chain_is_concatenation(columns):
    assert list(reader.chain(*[lambda c=c: c for c in columns])()) == [value for column in columns for value in column]


def test_chain_starts_a_reader_when_the_one_before_has_ended():
    first, second = Source(2), Source(2)
    iterator = reader.chain(first, second)()
    assert [next(iterator), next(iterator)] == [0, 1]
    assert second.read == 0
    assert list(iterator) == [0, 1]
    assert first.closed and second.closed


@given(st.lists(st.tuples(st.integers() | st.none(), st.integers()), max_size=10))
def test_compose_joins_fields(rows):
    left, right = [row[0] for row in rows], [row[1] for row in rows]
    assert list(reader.compose(lambda: left, lambda: rows, lambda: right)()) == [(a, a, b, b) for a, b in rows]


def test_compose_takes_only_tuples_apart():
    assert list(reader.compose(lambda: [(1, 2)], lambda: [[3, 4]], lambda: [()])()) == [(1, 2, [3, 4])]


@given(st.lists(st.integers(0, 6), min_size=2, max_size=4))
def test_compose_checks_alignment_or_stops_at_the_shortest(lengths):
    sources = [Source(length) for length in lengths]
    expected = [(number,) * len(lengths) for number in range(min(lengths))]
    assert list(reader.compose(*sources, check_alignment=False)()) == expected
    got = []
    try:
        for row in reader.compose(*sources)():
            got.append(row)
    except reader.ComposeNotAligned:
        assert len(set(lengths)) > 1
    else:
        assert len(set(lengths)) == 1
    assert got == expected
    assert all(source.closed for source in sources)


def test_compose_names_the_reader_that_ended():
    with pytest.raises(reader.ComposeNotAligned, match=r"positions \[1\] ended after 2 samples.*check_alignment=False"):
        list(reader.compose(Source(3), Source(2), Source(3))())
    assert issubclass(reader.ComposeNotAligned, ValueError)


def test_compose_ignores_unknown_options():
    assert list(reader.compose(Source(1), align=False)()) == list(reader.compose(Source(1))())


@pytest.mark.parametrize(("size", "kept"), [(3.0, 3), (2.5, 5), (1e9, 5), (-1.0, 5)])
def test_sizes_may_be_floats(size, kept):
    assert len(list(reader.firstn(lambda: iter(range(5)), size)())) == kept
    assert sorted(reader.shuffle(lambda: iter(range(5)), size)()) == [0, 1, 2, 3, 4]


def test_an_infinite_window_shuffles_all_samples():
    random.seed(1)
    whole = list(reader.shuffle(lambda: iter(range(50)), float("inf"))())
    random.seed(1)
    assert whole == list(reader.shuffle(lambda: iter(range(50)), 50)())
    random.seed(1)
    assert list(reader.shuffle(lambda: iter(range(50)), 7.2)()) != whole


@given(st.integers(0, 10), st.integers(-2, 12))
def test_firstn_reads_no_further(length, n):
    source = Source(length)
    kept = length if n < 0 else min(n, length)
    assert list(reader.firstn(source, n)()) == list(range(kept))
    assert source.read == kept


@given(samples, samples)
def test_map_readers_stops_with_the_shortest(left, right):
    pairs = list(reader.map_readers(lambda a, b: (b, a), lambda: left, lambda: right)())
    assert pairs == [(b, a) for a, b in zip(left, right, strict=False)]


def test_map_readers_needs_a_reader():
    with pytest.raises(ArgumentValueError, match="at least one"):
        reader.map_readers(len)


@given(samples, st.integers(-1, 25), st.integers())
def test_shuffle_permutes_each_window(values, size, seed):
    random.seed(seed)
    shuffled = list(reader.shuffle(lambda: values, size)())
    step = max(size, 1)
    assert len(shuffled) == len(values)
    for start in range(0, len(values), step):
        window = slice(start, start + step)
        assert sorted(shuffled[window], key=repr) == sorted(values[window], key=repr)


def test_shuffle_draws_as_paddle_does():
    """Recorded from PaddlePaddle 1.8.5."""
    for length, size, expected in [
        (10, 4, [3, 0, 2, 1, 4, 5, 7, 6, 9, 8]),
        (10, 40, [1, 5, 6, 0, 9, 4, 7, 2, 8, 3]),
        (8, 4, [3, 0, 2, 1, 4, 5, 7, 6]),
        (8, 0, [0, 1, 2, 3, 4, 5, 6, 7]),
    ]:
        random.seed(3)
        assert list(reader.shuffle(Source(length), size)()) == expected


def test_fake_reads_one_sample_once():
    source, fake = Source(), reader.Fake()
    repeated = fake(source, 5)
    assert source.read == 0
    assert list(repeated()) == list(repeated()) == [0] * 5
    assert source.read == 1 and source.closed


def test_fake_needs_a_sample():
    with pytest.raises(ArgumentValueError, match="no sample"):
        list(reader.Fake()(Source(0), 5)())


def test_np_array_reads_along_the_first_axis():
    matrix = np.arange(6).reshape(2, 3)
    rows = list(reader.creator.np_array(matrix)())
    assert np.array_equal(rows, matrix) and all(row.base is not None for row in rows)
    assert list(reader.creator.np_array([1.5, 2.5])()) == [1.5, 2.5]
    assert list(reader.creator.np_array(7)()) == [7]


@given(
    st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])), max_size=5), st.booleans()
)
def test_text_file_keeps_everything_but_the_ends_of_lines(tmp_path_factory, lines, end):
    path = tmp_path_factory.mktemp("text") / "lines.txt"
    lines = [*lines, "last"]
    path.write_bytes(("\n".join(lines) + "\n" * end).encode())
    read = reader.creator.text_file(path)
    assert list(read()) == list(read()) == lines
