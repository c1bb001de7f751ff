"""Arrays of tensors and tables of sequences by length, without a Program."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.tensor_array import RankTable, TensorArray


def held(array):
    return [None if each is None else each[0] for each in array]


STEPS = st.lists(
    st.tuples(st.sampled_from(["written", "without", "add"]), st.integers(0, 5), st.integers(0, 99)), max_size=30
)


@given(STEPS)
def test_every_version_keeps_its_elements(steps):
    versions, expected = [TensorArray()], [[]]
    for how, place, which in steps:
        array, items = versions[which % len(versions)], [*expected[which % len(versions)]]
        if how == "add":
            items += [None] * (place + 1 - len(items))
            items[place] = which + (items[place] or 0)
            only = TensorArray([None] * place + [(which, None)], only=place)
            versions.append(array + only if which % 2 else only + array)
        elif how == "without":
            items[place : place + 1] = [None] * len(items[place : place + 1])
            versions.append(array.without(place))
        else:
            items += [None] * (place + 1 - len(items))
            items[place] = which
            versions.append(array.written(place, which, None))
        expected.append(items)
    assert [held(each) for each in versions] == expected
    assert [[held(each)[i] for i in range(len(each))] for each in versions] == expected


def test_changes_one_after_another_share_a_list():
    array = first = TensorArray([(i, None) for i in range(5)]).without(4)
    for i in range(4):
        array = (array + TensorArray([None] * i + [(10, None)], only=i)).without(i)
    assert array._items is first._items
    assert held(array) == [None] * 5
    assert held(first) == [0, 1, 2, 3, None]


@pytest.mark.parametrize("lengths", [[3, 1, 4, 1, 5], [0, 2, 0], [0], [], [2, 2]])
def test_entries_of_a_table_step_by_step(lengths):
    offsets = (0, *np.cumsum(lengths).tolist())
    table = RankTable((offsets,), 0)
    each = [[offsets[i] + t for i in table.order if lengths[i] > t] for t in range(table.steps)]
    assert table.steps == max(lengths, default=0)
    assert [table.alive(t) for t in range(7)] == [sum(n > t for n in lengths) for t in range(7)]
    assert [table.entries(t).tolist() for t in range(table.steps)] == each
    assert table.all_entries().tolist() == list(chain.from_iterable(each))
    assert table.bounds == [sum(map(len, each[:t])) for t in range(table.steps + 1)]
