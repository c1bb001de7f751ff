"""Functions of users in quantization passes, and wrong calls. What the passes make and compute is in tests/behaviour."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.fluid.framework import IrGraph

slim = fluid.contrib.slim.quantization
PLACE = fluid.CPUPlace()


def clipped(x: Any) -> Any:
    """Clip at a threshold that is trained."""
    helper = fluid.layer_helper.LayerHelper("clipped")
    given = fluid.ParamAttr(
        name=f"{x.name}_limit",
        initializer=fluid.initializer.Constant(0.4),
        regularizer=fluid.regularizer.L2Decay(0.01),
    )
    limit = helper.create_parameter(attr=given, shape=[1], dtype="float32")
    over = fluid.layers.relu(fluid.layers.elementwise_sub(x, limit))
    return fluid.layers.elementwise_sub(x, over)


def network(train: bool) -> tuple[fluid.Program, fluid.Program, Any]:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        x = fluid.data("x", [None, 3])
        x.stop_gradient = False
        hidden = fluid.layers.fc(x, 3, act="tanh", param_attr=fluid.initializer.Constant(0.5))
        with fluid.name_scope("left"):
            hidden = fluid.layers.fc(hidden, 3, act="tanh")
        loss = fluid.layers.mean(fluid.layers.fc(hidden, 2, param_attr=fluid.initializer.Constant(0.25)))
        if train:
            fluid.optimizer.SGD(0.1).minimize(loss)
    return main, startup, loss


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize(
    "which", ["act_preprocess_func", "weight_preprocess_func", "act_quantize_func", "weight_quantize_func"]
)
def test_functions_of_users_train_with_the_network(which: str, parallel: bool) -> None:
    main, startup, loss = network(True)
    test, _, _ = network(False)
    exe, scope = fluid.Executor(PLACE), fluid.Scope()
    options = {"optimizer_func": lambda: fluid.optimizer.Momentum(0.1, 0.9), "executor": exe, which: clipped}
    with fluid.scope_guard(scope):
        exe.run(startup)
        graphs = [IrGraph(fluid.core.Graph(program.desc), for_test=i == 1) for i, program in enumerate((main, test))]
        for graph in graphs:
            slim.QuantizationTransformPass(scope, PLACE, skip_pattern="left", **options).apply(graph)
        slim.OutScaleForTrainingPass(scope, PLACE).apply(graphs[0])
        names = sorted(n for n in graphs[0].out_node_mapping_table.values())
        read = ["fc_0.w_0", "fc_2.w_0"] if which.startswith("weight") else ["fc_1.tmp_2", "x"]
        assert names == read
        program: Any = graphs[0].to_program()
        limits = {v.name for v in program.list_vars() if v.name.endswith("_limit")}
        assert len(limits) == 2
        if parallel:
            program = fluid.CompiledProgram(graphs[0].graph).with_data_parallel(loss_name=loss.name, places=[PLACE])
        found = [
            exe.run(program, feed={"x": np.ones([2, 3], "float32")}, fetch_list=[loss.name])[0].item() for _ in range(3)
        ]
        assert found[0] > found[1] > found[2]
        for name in limits:
            assert np.array(scope.find_var(name).get_tensor()).item() != np.float32(0.4)
        before = exe.run(graphs[1].to_program(), feed={"x": np.ones([2, 3], "float32")}, fetch_list=[loss.name])[0]
        assert np.isfinite(before).all()


def test_operators_of_a_name_scope_are_left() -> None:
    main, startup, _ = network(True)
    scope = fluid.Scope()
    with fluid.scope_guard(scope):
        fluid.Executor(PLACE).run(startup)
        graph = IrGraph(fluid.core.Graph(main.desc))
        slim.QuantizationTransformPass(scope, PLACE, skip_pattern=["nowhere", "left"]).apply(graph)
    ops = graph.to_program().global_block().ops
    kinds = [op.attr("quantization_type") if op.has_attr("quantization_type") else "" for op in ops if op.type == "mul"]
    assert kinds == ["qat_with_weight", "", "qat_with_weight"]
    assert [op.attr("skip_quant") for op in ops if op.type == "mul_grad" and op.has_attr("skip_quant")] == [True]


def test_values_of_a_graph_in_files(tmp_path: Path) -> None:
    main, startup, _ = network(False)
    exe, scope = fluid.Executor(PLACE), fluid.Scope()
    graph = IrGraph(fluid.core.Graph(main.desc))
    with fluid.scope_guard(scope):
        exe.run(startup)
        fluid.io._save_persistable_nodes(exe, str(tmp_path), graph)
        weight = np.array(scope.find_var("fc_1.w_0").get_tensor())
        scope.find_var("fc_1.w_0").get_tensor().set(weight * 0, PLACE)
        fluid.io._load_persistable_nodes(exe, str(tmp_path), graph)
        np.testing.assert_array_equal(np.array(scope.find_var("fc_1.w_0").get_tensor()), weight)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(p.name for p in main.all_parameters())


PASSES = [
    slim.QuantizationTransformPass, slim.QuantizationFreezePass, slim.ConvertToInt8Pass, slim.AddQuantDequantPass,
    slim.OutScaleForTrainingPass,
]  # fmt: skip


@pytest.mark.parametrize("make", PASSES)
def test_a_pass_needs_a_graph(make: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=f"{make.__name__}.apply: graph got Program"):
        make(fluid.Scope(), PLACE).apply(fluid.Program())


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda s: slim.QuantizationTransformPass(s, PLACE, activation_quantize_type="x"),
            "activation_quantize_type got 'x'",
        ),
        (
            lambda s: slim.QuantizationTransformPass(s, PLACE, activation_quantize_type="channel_wise_abs_max"),
            "needs one of",
        ),
        (lambda s: slim.QuantizationTransformPass(s, PLACE, weight_quantize_type="x"), "weight_quantize_type got 'x'"),
        (
            lambda s: slim.QuantizationTransformPass(s, PLACE, quantizable_op_type=["relu"]),
            "quantizable_op_type got 'relu'",
        ),
        (
            lambda s: slim.AddQuantDequantPass(s, PLACE, quantizable_op_type=["conv2d"]),
            "quantizable_op_type got 'conv2d'",
        ),
        (lambda s: slim.QuantizationFreezePass(None, PLACE), "scope got None"),
        (lambda s: slim.QuantizationFreezePass(s, None), "place got None"),
        (lambda s: slim.ConvertToInt8Pass(None, PLACE), "scope got None"),
    ],
)
def test_wrong_calls(call: Any, text: str) -> None:
    with pytest.raises(ArgumentValueError, match=text):
        call(fluid.Scope())


def test_functions_need_an_executor_and_in_training_an_optimizer() -> None:
    main, _, _ = network(True)
    graph = IrGraph(fluid.core.Graph(main.desc))
    with pytest.raises(ArgumentValueError, match="executor got None"):
        slim.QuantizationTransformPass(fluid.Scope(), PLACE, act_preprocess_func=clipped).apply(graph)
    graph = IrGraph(fluid.core.Graph(main.desc))
    exe = fluid.Executor(PLACE)
    with pytest.raises(ArgumentValueError, match="optimizer_func got None"):
        slim.QuantizationTransformPass(fluid.Scope(), PLACE, act_preprocess_func=clipped, executor=exe).apply(graph)


def test_ranges_that_were_not_recorded() -> None:
    main, _, _ = network(False)
    graph = IrGraph(fluid.core.Graph(main.desc), for_test=True)
    with pytest.raises(ArgumentValueError, match=r"no Variable '.*@scale'.*Apply OutScaleForTrainingPass"):
        slim.OutScaleForInferencePass(fluid.Scope()).apply(graph)
    with pytest.raises(ArgumentValueError, match="scope got None"):
        slim.OutScaleForInferencePass().apply(graph)
