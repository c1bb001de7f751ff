"""`fluid.contrib.layers.search_pyramid_hash`; the places in the table were measured on PaddlePaddle 1.8.5."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentValueError, EnforceNotMet

PLACES = [[52962, 69988], [82782, 34683], [35401, 28770], [94226, 66348], [3043, 42219], [38466, 98605], [79754, 73692]]


def build(stop_gradient: bool = True, **changes: Any) -> Any:
    arguments = {
        "num_emb": 32, "space_len": 100000, "pyramid_layer": 4, "rand_len": 16, "drop_out_percent": 0.0, "is_training": True,
        "use_filter": False, "white_list_len": 7, "black_list_len": 5, "seed": 1, "lr": 0.5,
        "param_attr": fluid.ParamAttr(name="w"), **changes,
    }  # fmt: skip
    ids = fluid.data("ids", [None, 1], "int32", lod_level=1)
    ids.stop_gradient = stop_gradient
    return fluid.contrib.layers.search_pyramid_hash(ids, **arguments)


def test_rows_of_ngrams() -> None:
    program, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(program, startup), fluid.scope_guard(scope):
        rows = build(distribute_update_vars=["w"])
        assert (rows.shape, rows.lod_level) == ((-1, 32), 1)
        assert [(p.shape, p.stop_gradient) for p in program.all_parameters()] == [
            ((100016, 1), True), ((7, 1), True), ((5, 1), True),
        ]  # fmt: skip
        op = program.global_block().ops[0]
        assert [op.attr(name) for name in ("lr", "white_list_len", "distribute_update_vars")] == [0.5, 7, "w"]
        executor = fluid.Executor()
        executor.run(startup)
        table = np.arange(100016, dtype="float32").reshape(-1, 1)
        scope.find_var("w").get_tensor().set(table, fluid.CPUPlace())
        ids = fluid.create_lod_tensor(np.array([[5], [6], [7], [8], [9], [3]], "int32"), [[4, 2]], fluid.CPUPlace())
        (found,) = executor.run(program, feed={"ids": ids}, fetch_list=[rows], return_numpy=False)
        assert np.array(found)[:, ::16].astype(int).tolist() == PLACES
        assert found.lod() == [[0, 6, 7]]
        assert fluid.optimizer.SGD(0.1).minimize(fluid.layers.mean(rows))[1] == []


@pytest.mark.parametrize(
    "changes",
    [
        {"num_emb": 40},
        {"use_filter": True},
        {"white_list_len": 0},
        {"stop_gradient": False},
        {"distribute_update_vars": ["other"]},
    ],
)
def test_what_is_refused(changes: dict[str, Any]) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(ArgumentValueError, match="pyramid_hash"):
        build(**changes)


def test_feeds_without_sequences() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        rows = build()
        executor = fluid.Executor()
        executor.run(fluid.default_startup_program())
        with pytest.raises(EnforceNotMet, match="LoD"):
            executor.run(feed={"ids": np.ones([2, 1], "int32")}, fetch_list=[rows])


def test_layers_beyond_the_longest_sequence_take_no_time() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        rows = build(pyramid_layer=2**63)
        executor = fluid.Executor()
        executor.run(fluid.default_startup_program())
        ids = fluid.create_lod_tensor(np.ones([3, 1], "int32"), [[3]], fluid.CPUPlace())
        with pytest.raises(EnforceNotMet, match="Maximum allowed dimension exceeded"):
            executor.run(feed={"ids": ids}, fetch_list=[rows])
