"""LoD: lengths and offsets, and a name for each fault."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import LoDError
from paddle_lite.core.lod import from_lengths, from_offsets, lengths, level_of, offsets


@st.composite
def nested_lengths(draw):
    """Lengths of one to three levels that fit together, with empty sequences and empty levels; and the number of rows."""
    levels = draw(st.integers(1, 3))
    count = draw(st.integers(0, 4))
    result = []
    for _ in range(levels):
        level = draw(st.lists(st.integers(0, 4), min_size=count, max_size=count))
        result.append(level)
        count = sum(level)
    return result, count


@given(nested_lengths())
def test_lengths_and_offsets_say_the_same(case):
    levels, rows = case
    lod = from_lengths(levels, rows=rows)
    assert lengths(lod) == levels
    assert from_offsets(offsets(lod), rows=rows) == lod
    assert level_of(lod) == len(levels)
    for level, offset in zip(levels, offsets(lod), strict=True):
        assert offset == [0, *np.cumsum(level).tolist()] and len(offset) == len(level) + 1


@given(nested_lengths(), st.data())
def test_a_level_that_does_not_cover_the_next_is_named(case, data):
    levels, rows = case
    broken = data.draw(st.integers(0, len(levels) - 1))
    levels[broken] = [*levels[broken], 1]
    # one more entry above, or one more row: some level no longer fits, and the message says which
    with pytest.raises(LoDError, match=r"level \d: last offset \d+|level \d got last offset \d+") as caught:
        from_lengths(levels, rows=rows)
    assert "set_recursive_sequence_lengths" in str(caught.value)


def test_no_levels_is_no_lod():
    assert from_offsets([]) is None is from_lengths([]) and lengths(None) == [] == offsets(None) and level_of(None) == 0


def test_integers_of_numpy():
    assert from_lengths(np.array([[2, 1]])) == ((0, 2, 3),)


@pytest.mark.parametrize(
    ("levels", "rows", "text"),
    [
        ([[1, 2]], None, r"op: level 0 got \[1, 2\], needs offsets that start with 0"),
        ([[]], None, r"level 0 got \[\], needs offsets that start with 0"),
        ([[0, 2], [0, 3, 1]], None, r"level 1 got offset 1 after 3 at position 2, needs offsets that never fall"),
        ([[0, 2, 3]], 4, r"level 0 got last offset 3, needs it to equal the 4 rows of the array"),
        ([[0, 3], [0, 2, 5]], 5, r"level 0 got last offset 3, needs it to equal the 2 entries of level 1"),
        ([[0, 1.5]], None, r"level 0 got float 1.5 at position 1, needs integers"),
        ([0, 2], None, r"levels got list \[0, 2\], needs a list with one list of integers for each level"),
        (3, None, r"levels got int 3"),
    ],
)
def test_faulty_offsets(levels, rows, text):
    with pytest.raises(LoDError, match=text):
        from_offsets(levels, rows, "op")


@pytest.mark.parametrize(
    ("levels", "rows", "text"),
    [
        ([[2, -1]], None, r"op: level 0 got length -1 at position 1, needs lengths of 0 or more"),
        ([[2, 1]], 4, r"level 0 got last offset 3, needs it to equal the 4 rows of the array"),
        ([["a"]], None, r"level 0 got str 'a' at position 0, needs integers"),
        ([2], None, r"levels got list \[2\].*\[\[2, 3\]\] for one level"),
    ],
)
def test_faulty_lengths(levels, rows, text):
    with pytest.raises(LoDError, match=text):
        from_lengths(levels, rows, "op")
