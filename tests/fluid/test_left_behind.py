"""Names that files of 1.8.5 keep for themselves, and calls of which 1.8.5 only raises: expected is what it gives."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.distributed import parallel_helper

layers = fluid.layers


def test_operators_that_no_call_makes() -> None:
    for name, type in (("CondOp", "cond"), ("DynamicRecurrentOp", "dynamic_recurrent"), ("RecurrentOp", "recurrent")):
        assert getattr(fluid.op, name).type == type
    for call in (fluid.op.CondOp, fluid.op.DynamicRecurrentOp):
        with pytest.raises(TypeError, match="no operator of the type"):
            call(X="x")
    with pytest.raises(AttributeError, match="StaticRNN"):
        fluid.op.RecurrentOp(inputs="x")
    with pytest.raises(ValueError, match="keywords only"):
        fluid.op.RecurrentOp("x")


def test_what_loops_leave_behind() -> None:
    assert layers.ops._OP == "atan"
    assert layers.nn.op_proto.type == "elementwise_floordiv"
    assert [slot.name for slot in layers.nn.op_proto.inputs] == ["X", "Y"]
    number = fluid.net_drawer.unique_id()
    assert int(number()) + 1 == int(number())
    from paddle_lite.fluid.dataloader import dataloader_iter

    assert (dataloader_iter.MP_INDICES_CHECK_INTERVAL, fluid.reader.QUEUE_GET_TIMEOUT) == (5, 60)


def test_names_of_the_root() -> None:
    from paddle_lite.check_import_scipy import check_import_scipy

    assert check_import_scipy(os.name) is None
    assert check_import_scipy("nt") is None
    assert paddle.paddle is paddle
    assert fluid.distributed.__name__.endswith("fluid.distributed")


def test_imperative_mode_until_it_is_disabled() -> None:
    base = fluid.dygraph.base
    assert base._functional_dygraph_context_manager is None
    with fluid.dygraph.guard():
        assert base._functional_dygraph_context_manager is None
    fluid.enable_dygraph()
    try:
        context = base._functional_dygraph_context_manager
        assert context is not None
        context.__exit__(None, None, None)
        assert not fluid.in_dygraph_mode()
        assert base._functional_dygraph_context_manager is None
    finally:
        fluid.disable_dygraph()


def test_a_traced_program_with_names_of_given_beginnings() -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones([2, 3], "float32"))
        layer = fluid.dygraph.Linear(3, 2)
        out, program, feeds, fetches, parameters = fluid.dygraph.jit._trace(layer, [x], "a_", "b_", "c_")
        assert (feeds, fetches, [each.name for each in parameters]) == (
            ["a_0"],
            ["b_0"],
            ["linear_0.w_0", "linear_0.b_0"],
        )
        block = program.global_block()
        assert [(op.type, op.input("X"), op.output("Out")) for op in block.ops] == [
            ("matmul", ["a_0"], ["c_0"]),
            ("elementwise_add", ["c_0"], ["b_0"]),
        ]
        assert program.lint() == []
        scope = fluid.Scope()
        for each in parameters:
            scope.var(each.name).get_tensor().set(each.numpy(), fluid.CPUPlace())
    (found,) = fluid.Executor().run(program, {"a_0": np.ones([2, 3], "float32")}, fetches, scope=scope)
    np.testing.assert_allclose(found, out.numpy(), rtol=1e-6)


def test_names_that_the_program_had_before() -> None:
    """A new name may be the old one of another Variable."""
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones([2], "float32"), name="r_0")
        _, program, feeds, fetches, _ = fluid.dygraph.jit._trace(_Twice(), x, "r_1_", "r_", "r_1_0_")
    assert (feeds, fetches) == (["r_1_0"], ["r_0"])
    assert [op.output("Out") for op in program.global_block().ops] == [["r_1_0_0"], ["r_0"]]
    with fluid.dygraph.guard(), pytest.raises(TypeError, match="tmp_prefix"):
        fluid.dygraph.jit._trace(_Twice(), x, tmp_prefix=3)


class _Twice(fluid.dygraph.Layer):
    def forward(self, x: Any) -> Any:
        return layers.relu(layers.exp(x))


def test_counts_at_the_debug_level(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    show, core = fluid.dygraph.base._print_debug_msg, fluid.core
    assert show([], is_test=True) is None
    assert caplog.messages == ["Debug mode is not enabled. Please set FLAGS_dygraph_debug=1 to enable debug"]
    monkeypatch.setenv("FLAGS_dygraph_debug", "4")
    assert (core._is_dygraph_debug_enabled(), core._dygraph_debug_level()) == (True, 4)
    with fluid.dygraph.guard():
        before = show([], is_test=True)
        held = [fluid.dygraph.Linear(2, 2) for _ in range(3)]
        parameters = [each for layer in held for each in layer.parameters()]
        names, given, alive = show(parameters, is_test=True)
        assert given == 6 and names > before[0] and alive >= before[2] + 6
        show(parameters, limit=2)
        assert len(capsys.readouterr().out.splitlines()) == 2
        kept = [object.__new__(_Counted) for _ in range(5000)]
        show(parameters, limit=1)
        assert capsys.readouterr().out.split() == ["_Counted", "5000", "+5000"]
        assert len(kept) == 5000
        with pytest.raises(TypeError, match="a list of parameters"):
            show(None)


class _Counted:
    def __init__(self) -> None:
        self.values: list[int] = []


def test_an_object_that_connects_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_helper, "_context", None)
    helper, calls = fluid.dygraph.parallel_helper, []
    with pytest.raises(AssertionError, match="no context"):
        helper._init_parallel_ctx()

    class Context:
        def init(self) -> None:
            calls.append("init")

    helper._set_parallel_ctx(Context())
    helper._init_parallel_ctx()
    assert calls == ["init"]
    with pytest.raises(AssertionError, match="already"):
        helper._set_parallel_ctx(Context())


def test_roles_of_clipped_gradients() -> None:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        pairs = fluid.backward.append_backward(layers.mean(layers.fc(fluid.data("x", [2, 4]), 2)))
        (weight, gradient), block = pairs[0], main.global_block()
        made = []
        for scope in ("gradient_clip", "other"):
            with fluid.name_scope(scope):
                for names in ([weight.name, gradient.name], ["z", "z@GRAD"], []):
                    attrs = {"op_role_var": names, "op_role": 1}
                    made.append(block.append_op("scale", {"X": gradient}, {"Out": gradient}, attrs))
        fluid.clip._correct_clip_op_role_var(pairs, {})
        fluid.clip._correct_clip_op_role_var([(weight, None)], {weight.name: "new"})
        assert [op.attr("op_role_var") for op in made[:2]] == [[weight.name, gradient.name], ["z", "z@GRAD"]]
        fluid.clip._correct_clip_op_role_var(pairs, {weight.name: "new"})
        others = [[], [weight.name, gradient.name], ["z", "z@GRAD"], []]
        assert [op.attr("op_role_var") for op in made] == [[weight.name, "new"], ["z", "z@GRAD"], *others]


def test_rows_of_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    stat, main = fluid.contrib.model_stat, fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        image = fluid.data("image", [None, 3, 8, 8])
        layers.fc(layers.batch_norm(layers.pool2d(layers.conv2d(image, 4, 3), 2)), 2)
    block = main.global_block()
    rows = [stat._summary_model(block.vars, op) for op in block.ops]
    assert rows == [
        ((-1, 3, 8, 8), (-1, 4, 6, 6), 108, 7776),
        None,
        ((-1, 4, 6, 6), (-1, 4, 5, 5), 0, 400),
        ((-1, 4, 5, 5), (-1, 4, 5, 5), 8, 200),
        ((-1, 4, 5, 5), (-1, 2), 201, 200),
        None,
    ]
    names = ("type", "input_shape", "out_shape", "PARAMs", "FLOPs")
    table, totals = stat._format_summary([dict(zip(names, ("conv2d", *rows[0]), strict=True))])
    assert totals == {"params": [108], "flops": [7776]}
    stat._print_summary(table, totals)
    assert capsys.readouterr().out.splitlines()[:7] == [
        "+-----+--------+---------------+---------------+--------+-------+",
        "| No. |   TYPE |         INPUT |        OUTPUT | PARAMs | FLOPs |",
        "+-----+--------+---------------+---------------+--------+-------+",
        "|   0 | conv2d | (-1, 3, 8, 8) | (-1, 4, 6, 6) |    108 |  7776 |",
        "+-----+--------+---------------+---------------+--------+-------+",
        "Total PARAMs: 108(0.0001M)",
        "Total FLOPs: 7776(0.00G)",
    ]
    assert stat._format_summary([])[1] == {"params": [], "flops": []}
    with pytest.raises(TypeError, match="dicts with type"):
        stat._format_summary([rows[0]])


RESULTS: dict[str, tuple[str, dict[str, Any], list[float]]] = {
    "_scale": ("scale", {"scale": 10.0}, [0, 1, 2, 3]),
    "_cum_sum_": ("cumsum", {"axis": 1}, [0, 0.1, 0.2, 0.5]),
    "_erf_": ("erf", {}, [0, 0.11246, 0.2227, 0.32863]),
    "_gelu_": ("gelu", {}, [0, 0.05398, 0.11585, 0.18537]),
    "_hard_shrink_": ("hard_shrink", {"threshold": 0.15}, [0, 0, 0.2, 0.3]),
    "_softshrink_": ("softshrink", {}, [0, 0, 0, 0]),
    "_thresholded_relu_": ("thresholded_relu", {}, [0, 0, 0, 0]),
}


@pytest.mark.parametrize("name", RESULTS)
def test_functions_that_write_into_a_given_variable(name: str) -> None:
    type, attrs, expected = RESULTS[name]
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        x = fluid.data("x", [2, 2])
        out = main.global_block().create_var(name="out", dtype="float32", shape=[2, 2])
        assert getattr(layers.ops, name)(x, out=out, **attrs) is out
        assert [(op.type, op.output_arg_names) for op in main.global_block().ops] == [(type, ["out"])]
    (found,) = fluid.Executor().run(main, {"x": np.arange(4, dtype="float32").reshape(2, 2) / 10}, ["out"])
    np.testing.assert_allclose(found.ravel(), expected, atol=1e-5)


def test_functions_that_write_into_something_else() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(TypeError, match="out got"):
        layers.ops._scale(fluid.data("x", [2]), out="out")


def test_calls_with_which_1_8_starts_its_library() -> None:
    core = fluid.core
    assert [core.init_gflags(["--tryfromenv=x"]), core.init_glog("program"), core.init_devices(False)] == [None] * 3
