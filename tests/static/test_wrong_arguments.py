"""Arguments of wrong types are refused when a Program is built, by errors that are TypeErrors as in PaddlePaddle 1.8.5."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.fluid import layers


@pytest.fixture(autouse=True)
def program() -> Iterator[None]:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        yield


def truth() -> Any:
    return fluid.data("truth", [1], "bool")


WRONG = {
    r"cond: name got": lambda: layers.cond(truth(), truth, truth, name=set()),
    r"IfElse: name got": lambda: layers.IfElse(truth(), 1),
    r"StaticRNN: name got": lambda: layers.StaticRNN(set()),
    r"create_global_var: shape\[0\] got": lambda: layers.create_global_var([1.0, 2.0], 2.0, "float32"),
    r"create_global_var: shape got": lambda: layers.create_global_var(1, 2.0, "float32"),
    r"create_parameter: default_initializer got": lambda: layers.create_parameter(
        [1, 2], "float32", default_initializer=np.array(1)
    ),
    r"LSTMCell: dtype got": lambda: layers.LSTMCell(4, dtype="int32"),
    r"GRUCell: dtype got": lambda: layers.GRUCell(4, dtype="int32"),
    r"reorder_lod_tensor_by_rank: rank_table got": lambda: layers.reorder_lod_tensor_by_rank(truth(), truth()),
    r"beam_search_decode: ids got dtype int32": lambda: layers.beam_search_decode(
        layers.create_array("int32"), layers.create_array("float32"), 5, 0
    ),
    r"beam_search_decode: scores got dtype int64": lambda: layers.beam_search_decode(
        layers.create_array("int64"), layers.create_array("int64"), 5, 0
    ),
}


@pytest.mark.parametrize(("text", "call"), WRONG.items(), ids=WRONG)
def test_it_is_a_type_error(text: str, call: Callable[[], Any]) -> None:
    with pytest.raises(TypeError, match=text):
        call()


def test_sizes_of_numpy_are_ints() -> None:
    assert layers.create_global_var((2, np.int64(3)), 2.0, "float32").shape == (2, 3)
    assert layers.create_global_var(np.array([2, 3]), 2.0, "float32").shape == (2, 3)


def test_types_that_no_operator_has() -> None:
    """1.8.5 says a ValueError; types that only it has are appended, and fail where they run."""
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        block = fluid.default_main_program().global_block()
        with pytest.raises(ValueError, match=r"'reluu'\. Did you mean 'relu'"):
            block.append_op(type="reluu")
        with pytest.raises(ValueError, match=r"no operator of the type 'none_like_this'\.$"):
            block._prepend_op(type="none_like_this")
        assert block.ops == []
        block.append_op(type="pull_sparse")
        assert [op.type for op in block.ops] == ["pull_sparse"]
