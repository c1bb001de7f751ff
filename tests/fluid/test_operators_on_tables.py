"""Operators on the values of a Scope that are SelectedRows, as 1.8's own tests write them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import IndexRangeError
from paddle_lite.fluid.op import Operator


def test_an_operator_on_selected_rows() -> None:
    """A sparse update of a parameter, as 1.8's own tests write it."""
    scope, place = fluid.core.Scope(), fluid.CPUPlace()
    gradient = scope.var("Grad").get_selected_rows()
    gradient.set_height(4)
    gradient.set_rows([0, 2])
    gradient.get_tensor().set(np.array([[1.0, 2.0], [3.0, 4.0]], "float32"), place)
    scope.var("Param").get_tensor().set(np.full([4, 2], 5.0, "float32"), place)
    scope.var("LearningRate").get_tensor().set(np.array([2.0], "float32"), place)
    Operator("sgd", Param="Param", Grad="Grad", ParamOut="Param", LearningRate="LearningRate").run(scope, place)
    assert np.array(scope.find_var("Param").get_tensor()).tolist() == [[3.0, 1.0], [5.0, 5.0], [-1.0, -3.0], [5.0, 5.0]]


def test_results_that_are_selected_rows() -> None:
    """Numbers of 1.8.5, but for the rows of a filled table, which it does not number."""
    place = fluid.CPUPlace()

    def run(type: str, result: str, tables: dict[str, list[int]], height: int = 10, **more: Any) -> tuple:
        scope = fluid.core.Scope()
        for name, rows in tables.items():
            table = scope.var(name).get_selected_rows()
            table.set_height(height)
            table.set_rows(rows)
            count = len(rows) or 3  # without rows, the values are nobody's
            table.get_tensor().set(np.arange(1.0, 1 + 2 * count, dtype="float32").reshape(-1, 2), place)
        scope.var("rate").get_tensor().set(np.array([0.5], "float32"), place)
        out = scope.var(result).get_selected_rows()
        Operator(type, **more).run(scope, place)
        return out.rows(), out.height(), np.array(out.get_tensor()).tolist()

    total = ([0, 4, 7], 10, [[6.0, 8.0], [6.0, 8.0], [1.0, 2.0]])
    for result in ("A", "Out"):
        assert run("sum", result, {"A": [4, 0, 4], "B": [7, 0]}, X=["A", "B"], Out=result) == total
    assert run("sum", "Out", {"A": [], "B": [3, 3]}, X=["A", "B"], Out="Out") == ([3], 10, [[4.0, 6.0]])
    assert run("sum", "Out", {"A": []}, X=["A"], Out="Out")[:2] == ([], 10)
    update = {"Param": "P", "Grad": "G", "LearningRate": "rate", "ParamOut": "P"}
    assert run("sgd", "P", {"P": [5, 1, 7], "G": [7, 5, 5]}, **update) == (
        [5, 1, 7],
        10,
        [[-3.0, -3.0], [3.0, 4.0], [4.5, 5.0]],
    )
    with pytest.raises(IndexRangeError, match=r"a row of Input.Grad. got 6, needs one of the 3 rows"):
        run("sgd", "P", {"P": [5, 1, 7], "G": [6]}, **update)
    assert run("fill_constant", "Out", {}, Out="Out", shape=[3, 2], value=3.5) == ([0, 1, 2], 3, [[3.5, 3.5]] * 3)
    assert run("uniform_random", "Out", {}, Out="Out", shape=[3, 2], seed=3)[1] == 3


@pytest.mark.parametrize("op", ["lookup_table", "lookup_table_v2"])
def test_a_table_that_holds_some_rows(op: str) -> None:
    """A lookup in SelectedRows, as 1.8's own tests write it; the numbers are those of 1.8.5."""

    def found(*ids: int, **attrs: int) -> list:
        scope, place = fluid.core.Scope(), fluid.CPUPlace()
        table = scope.var("W").get_selected_rows()
        table.set_height(10)
        table.set_rows([7, 5, 9])
        table.get_tensor().set(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "float32"), place)
        scope.var("Ids").get_tensor().set(np.array(ids).reshape((-1, 1) if op == "lookup_table" else -1), place)
        out = scope.var("Out").get_tensor()
        Operator(op, W="W", Ids="Ids", Out="Out", **attrs).run(scope, place)
        return np.array(out).tolist()

    assert found(5, 9, 5) == [[3.0, 4.0], [5.0, 6.0], [3.0, 4.0]]
    assert found(5, 8, padding_idx=8) == [[3.0, 4.0], [0.0, 0.0]]
    for missing in (8, 11, -1):
        with pytest.raises(IndexRangeError, match=f"Input.Ids. got {missing}, needs one of the 3 rows"):
            found(5, missing)
