"""Functions of fluid.contrib.layers build PaddlePaddle 1.8.5's Programs and give its numbers (record_contrib.py)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError
from paddle_lite.core.mode import switched
from paddle_lite.fluid.dygraph import to_variable
from paddle_lite.static.mode.static_mode import static_mode

from .contrib_cases import CASES, FEEDS, LAYERS, NO_KERNEL, OTHERWISE, WAYS, results
from .program_cases import describe

HERE = Path(__file__).parent
RECORDED, NUMBERS = json.loads((HERE / "contrib.json").read_text()), np.load(HERE / "contrib.npz")
X = FEEDS["x"]
contrib = fluid.contrib.layers


def static() -> Any:
    return switched(static_mode, fluid.CPUPlace(), None)


def expected(name: str) -> dict[str, np.ndarray]:
    return {key.split(": ", 1)[1]: NUMBERS[key] for key in NUMBERS.files if key.startswith(f"{name}: ")}


@pytest.mark.parametrize("name", sorted(set(CASES) - OTHERWISE))
def test_programs_are_those_of_paddle(name: str) -> None:
    with static():
        got: dict[str, Any] = json.loads(json.dumps(describe(fluid, CASES[name])))
    want = dict(RECORDED[name])
    for (key, shape), (same, theirs) in zip(got.pop("results"), want.pop("results"), strict=True):
        assert key == same and [m if n == -1 else n for n, m in zip(shape, theirs, strict=True)] == theirs
    if name == "multiclass_nms2":  # 1.8.5 declares int64 for Index, and makes int32
        assert [kind[0] for kind in got["kinds"]] == [5, 2] and [kind[0] for kind in want["kinds"]] == [5, 3]
        got["kinds"][1][0] = 3
    assert got == want


@pytest.mark.parametrize("name", sorted(set(CASES) - NO_KERNEL))
def test_numbers_are_those_of_paddle(name: str) -> None:
    with static():
        got = results(fluid, name)
    want = expected(name)
    assert sorted(got) == sorted(want)
    for key, value in want.items():
        assert got[key].dtype == value.dtype
        np.testing.assert_allclose(got[key], value, 1e-6, err_msg=key)


def test_each_run_shuffles_on() -> None:
    """In a Program the seed is a Variable that goes on; a gradient finds the former places."""
    main, startup = fluid.Program(), fluid.Program()
    with static(), fluid.unique_name.guard(), fluid.program_guard(main, startup):
        x = fluid.data("x", [None, 1])
        x.stop_gradient = False
        out = contrib.shuffle_batch(x, seed=3)
        weights = fluid.layers.assign(np.arange(6, dtype="float32").reshape(6, 1))
        (dx,) = fluid.gradients(fluid.layers.reduce_sum(out * weights), [x])
    assert main.lint() == []
    assert main.all_parameters() == [] and main.global_block().var("shuffle_batch_seed_0").persistable
    exe, rows = fluid.Executor(fluid.CPUPlace()), np.arange(6, dtype="float32").reshape(6, 1)
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        runs = [exe.run(main, feed={"x": rows}, fetch_list=[out, dx]) for _ in range(2)]
    orders = [found.ravel().tolist() for found, _ in runs]
    assert orders == [[2, 0, 5, 4, 1, 3], [1, 2, 3, 5, 4, 0]]  # as PaddlePaddle 1.8.5 with this seed
    for order, (_, gradient) in zip(orders, runs, strict=True):
        assert gradient.ravel().tolist() == [order.index(i) for i in range(6)]


def test_without_a_seed_orders_differ() -> None:
    with fluid.dygraph.guard():
        rows = to_variable(np.arange(30, dtype="float32").reshape(30, 1))
        found = [contrib.shuffle_batch(rows).numpy().ravel().tolist() for _ in range(3)]
    assert all(sorted(order) == list(range(30)) for order in found)
    assert len({tuple(order) for order in found}) > 1


def test_rank_attention_in_a_program() -> None:
    main, startup = fluid.Program(), fluid.Program()
    with static(), fluid.program_guard(main, startup):
        out = CASES["rank_attention"](fluid)
        before = fluid.layers.assign(out)
        fluid.optimizer.SGD(0.1).minimize(fluid.layers.reduce_sum(out))
    exe, fed = fluid.Executor(fluid.CPUPlace()), {name: FEEDS[name] for name in ("rows", "ranks")}
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        found = exe.run(main, feed=fed, fetch_list=[before])[0]
        matrices = exe.run(main, feed=fed, fetch_list=["matrices"])[0]
    rows = FEEDS["rows"]
    np.testing.assert_allclose(found[0], np.full(3, 0.5 * (rows[0] + rows[1]).sum()), 1e-6)
    changed = (matrices != 0.5).reshape(9, -1).any(axis=1)
    assert np.flatnonzero(changed).tolist() == [0, 1, 3, 4]  # the pairs of ranks that occur


BAD: list[tuple[Callable, type[Exception], str]] = [
    (lambda x: contrib.partial_concat([]), ArgumentValueError, "input"),
    (lambda x: contrib.partial_sum(3), ArgumentTypeError, "input"),
    (lambda x: contrib.partial_sum([x], start_index=0.5), ArgumentTypeError, "start_index"),
    (lambda x: contrib.partial_concat([x], length=9), ArgumentValueError, "length"),
    (lambda x: contrib.shuffle_batch(X), ArgumentTypeError, "x"),
    (lambda x: contrib.shuffle_batch(x, seed="one"), ArgumentTypeError, "seed"),
    (lambda x: contrib.shuffle_batch(x, seed=x), DtypeError, "Seed"),
    (lambda x: contrib.tdm_child(x, 4, 2), DtypeError, "X"),
    (lambda x: contrib.tdm_child(x, 4.5, 2), ArgumentTypeError, "node_nums"),
    (lambda x: contrib.tdm_sampler(x, [1], [2, 4], 4), ArgumentValueError, "neg_samples_num_list"),
    (lambda x: contrib.tdm_sampler(x, [2], [2], 4), ArgumentValueError, "neg_samples_num_list"),
    (lambda x: contrib.rank_attention(x, X, [18, 3], None), ArgumentTypeError, "rank_offset"),
    (lambda x: contrib.rank_attention(x, x, [18, 3], None, max_rank=[3]), ArgumentTypeError, "max_rank"),
    (lambda x: contrib.tree_conv(x, X, 2), ArgumentTypeError, "edge_set"),
    (lambda x: contrib.tree_conv(x, x, 2.5), ArgumentTypeError, "output_size"),
    (lambda x: contrib.multiclass_nms2(x, X, 0.1, 1, 1), ArgumentTypeError, "scores"),
    (lambda x: contrib.multiclass_nms2(x, x, "high", 1, 1), ArgumentTypeError, "score_threshold"),
    (lambda x: contrib.ctr_metric_bundle(x, X), ArgumentTypeError, "label"),
    (lambda x: contrib.ctr_metric_bundle(x, to_variable(X[:1])), ShapeError, "label"),
    (lambda x: contrib.fused_elemwise_activation(x, x, ["relu"]), ArgumentValueError, "functor_list"),
    (lambda x: contrib.fused_elemwise_activation(x, x, ["relu", "scale"]), ArgumentValueError, "functor_list"),
    (lambda x: contrib.fused_elemwise_activation(x, 1.0, "relu,elementwise_add"), ArgumentTypeError, "y"),
]


@pytest.mark.parametrize(("call", "error", "argument"), BAD)
def test_bad_calls(call: Callable, error: type[Exception], argument: str) -> None:
    with fluid.dygraph.guard():
        x = to_variable(X)
        with pytest.raises(error, match=argument):
            call(x)


def test_samples_differ_without_a_seed() -> None:
    ways, layers = (
        fluid.ParamAttr(initializer=fluid.initializer.NumpyArrayInitializer(np.array(values, "int32")))
        for values in (WAYS, LAYERS)
    )
    with fluid.dygraph.guard():
        leaves = to_variable(np.ones((40, 1), "int32"))
        nodes, labels, mask = contrib.tdm_sampler(leaves, [1, 1], [2, 4], 4, ways, layers, output_positive=False)
    assert [v.shape for v in nodes] == [[40, 1, 1], [40, 1, 1]]
    assert len(set(nodes[1].numpy().ravel().tolist())) > 1 and 4 not in nodes[1].numpy()
    assert not labels[1].numpy().any() and mask[1].numpy().all()
