"""Ragged data in other forms, and Variables with the LoD of a LoDTensor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite import fluid, ragged
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, LoDError, ModeError, ShapeError
from paddle_lite.core.mode import switched
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.static.mode.static_mode import static_mode

sequences = st.lists(st.lists(st.integers(-9, 9), max_size=4), min_size=1, max_size=5)


def tensor(array: Any, *lengths: list[int]) -> fluid.LoDTensor:
    return fluid.create_lod_tensor(np.asarray(array), list(lengths), fluid.CPUPlace())


# --- to_variable ------------------------------------------------------------------------------------------------------------


def test_a_variable_of_a_lod_tensor_has_its_lod_and_numbers() -> None:
    x = to_variable(tensor(np.arange(6.0).reshape(6, 1), [2, 1], [1, 2, 3]), "words")
    assert x.lod() == [[0, 2, 3], [0, 1, 3, 6]] and x.recursive_sequence_lengths() == [[2, 1], [1, 2, 3]]
    assert x.name == "words" and x.numpy().ravel().tolist() == [0, 1, 2, 3, 4, 5] and x.stop_gradient
    assert to_variable(ragged.from_arrays([np.ones([2, 3])])).lod() == [[0, 2]]


def test_a_lod_tensor_without_a_lod_is_an_array() -> None:
    plain = fluid.LoDTensor()
    plain.set(np.ones([2, 1], "float32"), fluid.CPUPlace())
    assert to_variable(plain).lod() == []


def test_memory_is_shared_unless_told_otherwise() -> None:
    source = tensor(np.zeros([3, 1]), [1, 2])
    shared, own = to_variable(source), to_variable(source, zero_copy=False)
    source.array[0] = 7
    assert shared.numpy()[0, 0] == 7 and own.numpy()[0, 0] == 0


def test_lod_tensors_that_make_no_variable() -> None:
    with pytest.raises(ModeError, match="nothing in it"):
        to_variable(fluid.LoDTensor())
    wrong = tensor(np.zeros([3, 1]), [1, 2])
    wrong.set(np.zeros([4, 1]), fluid.CPUPlace())
    with pytest.raises(LoDError, match=r"level 0 got last offset 3, .*the 4 rows"):
        to_variable(wrong)


# --- lists ------------------------------------------------------------------------------------------------------------------


@given(sequences)
def test_lists_go_there_and_back(data: list[list[int]]) -> None:
    made = ragged.from_lists(data, levels=1, dtype="int64")
    assert made.recursive_sequence_lengths() == [[len(s) for s in data]] and made.shape() == [sum(map(len, data)), 1]
    assert ragged.to_lists(made) == data
    assert [a.ravel().tolist() for a in ragged.to_arrays(to_variable(made))] == data


@given(st.lists(sequences, min_size=1, max_size=3))
def test_two_levels_go_there_and_back(data: list[list[list[int]]]) -> None:
    assert ragged.to_lists(ragged.from_lists(data, levels=2, dtype="int64")) == data


def test_lists_of_rows() -> None:
    made = ragged.from_lists([[[1, 2], [3, 4]], [], [[5, 6]]], levels=1, dtype="float32")
    assert np.array(made).dtype == "float32" and made.shape() == [3, 2] and made.lod() == [[0, 2, 2, 3]]
    assert ragged.to_lists(made) == [[[1.0, 2.0], [3.0, 4.0]], [], [[5.0, 6.0]]]
    assert ragged.from_lists([[], []]).lod() == [[0, 0, 0]]


def test_lists_that_do_not_fit() -> None:
    with pytest.raises(LoDError, match="int 3 among lists"):
        ragged.from_lists([[[1, 2]], [3]])
    with pytest.raises(ShapeError, match="rows of several shapes"):
        ragged.from_lists([[[1, 2], [3]]], levels=1)
    with pytest.raises(LoDError, match="levels got 0"):
        ragged.from_lists([[1]], levels=0)
    with pytest.raises(DtypeError, match="strange"):
        ragged.from_lists([[1]], dtype="strange")


def test_arrays_that_do_not_fit() -> None:
    with pytest.raises(ShapeError, match=r"arrays\[1\] got shape \[1, 2\]"):
        ragged.from_arrays([np.ones([2, 3]), np.ones([1, 2])])
    with pytest.raises(ArgumentValueError, match="at least one array"):
        ragged.from_arrays([])


def test_what_is_not_ragged() -> None:
    for function in (ragged.to_lists, ragged.to_arrays, ragged.to_padded):
        with pytest.raises(LoDError, match="no LoD"):
            function(Variable(np.ones([2, 1])))
        with pytest.raises(ArgumentTypeError, match="a LoDTensor or a Variable"):
            function([[1, 2]])


# --- padded -----------------------------------------------------------------------------------------------------------------


@given(sequences, st.integers(0, 3))
def test_padded_arrays_go_there_and_back(data: list[list[int]], more: int) -> None:
    source = ragged.from_lists(data, levels=1, dtype="int64")
    out, lengths = ragged.to_padded(source, pad_value=-1, maxlen=max(map(len, data)) + more)
    assert lengths.tolist() == [len(s) for s in data] and out.shape == (len(data), max(map(len, data)) + more, 1)
    assert (out == -1).sum() == out.size - sum(map(len, data)) + sum(s.count(-1) for s in data)
    again = ragged.from_padded(out, lengths)
    assert again.lod() == source.lod() and np.array(again).tolist() == np.array(source).tolist()


def test_padded_arrays_that_do_not_fit() -> None:
    with pytest.raises(ArgumentValueError, match="at least 3"):
        ragged.to_padded(ragged.from_lists([[1, 2, 3]]), maxlen=2)
    with pytest.raises(ArgumentValueError, match="4 for sequence 1"):
        ragged.from_padded(np.ones([2, 3]), [1, 4])
    for lengths in ([1], [1.0, 2.0]):
        with pytest.raises(ShapeError, match="2 integers"):
            ragged.from_padded(np.ones([2, 3]), lengths)
    with pytest.raises(ShapeError, match="sequences, steps"):
        ragged.from_padded(np.ones(3), [1, 1, 1])


# --- Awkward Arrays -----------------------------------------------------------------------------------------------------------


@given(st.lists(sequences, min_size=1, max_size=3))
def test_awkward_arrays_go_there_and_back(data: list[list[list[int]]]) -> None:
    ak = pytest.importorskip("awkward")
    source = ragged.from_lists(data, levels=2, dtype="int64")
    array = ragged.to_awkward(source)
    assert ak.to_list(array[..., 0]) == data
    again = ragged.from_awkward(array)
    assert again.lod() == source.lod() and np.array(again).tolist() == np.array(source).tolist()


def test_awkward_arrays_of_other_layouts() -> None:
    ak = pytest.importorskip("awkward")
    picked = ak.Array([[1.5, 2.5], [], [3.5]])[[2, 0]]  # lists in another order than their contents
    made = ragged.from_awkward(picked)
    assert made.lod() == [[0, 1, 3]] and np.array(made).ravel().tolist() == [3.5, 1.5, 2.5]
    rows = ragged.from_awkward(ak.to_regular(ak.Array([[[1, 2]], [[3, 4], [5, 6]]]), axis=2))
    assert rows.lod() == [[0, 1, 3]] and rows.shape() == [3, 2]
    assert ragged.from_awkward(ak.Array([[], []])).lod() == [[0, 0, 0]]
    for wrong in (ak.Array([1, 2]), ak.Array([[1], None]), ak.Array([[{"a": 1}]]), ak.Array([["text"]])):
        with pytest.raises(ArgumentTypeError, match="lists of numbers"):
            ragged.from_awkward(wrong)
    with pytest.raises(ArgumentTypeError, match=r"an awkward\.Array"):
        ragged.from_awkward([[1]])


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "awkward", None)
    with pytest.raises(ArgumentTypeError, match="pip install"):
        ragged.to_awkward(ragged.from_lists([[1]]))


# --- the page about it --------------------------------------------------------------------------------------------------------


def test_the_example_of_the_page_runs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "ragged.md").read_text()
    code = "\n".join(line[4:] for line in page.splitlines() if line.startswith("    ") or not line.strip())
    names: dict[str, Any] = {}
    with switched(static_mode, fluid.CPUPlace(), None), fluid.program_guard(fluid.Program(), fluid.Program()):
        exec(code, names)
        exe = fluid.Executor()
        with fluid.scope_guard(fluid.Scope()):
            exe.run(fluid.default_startup_program())
            [out] = exe.run(feed={"ids": names["words"]}, fetch_list=[names["sentences"]])
    assert names["words"].lod() == [[0, 3, 3, 5]] and out.shape == (3, 8) and out[1].tolist() == [0.0] * 8
