"""Small things that 1.8's own unit tests ask for; the expected answers are those that PaddlePaddle 1.8.5 gave."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, EnforceNotMet, IndexRangeError, ShapeError
from paddle_lite.fluid.op import Operator

core, L = fluid.core, fluid.layers
CPU = fluid.CPUPlace()


def test_tensors_from_dlpack() -> None:
    tensor = fluid.create_lod_tensor(np.arange(4).reshape(4, 1), [[1, 3]], CPU)
    for source in (tensor._to_dlpack(), np.arange(4).reshape(4, 1)):
        found = core.from_dlpack(source)
        assert isinstance(found, core.Tensor) and np.array(found).tolist() == [[0], [1], [2], [3]]
    with pytest.raises(ArgumentTypeError, match="dltensor got int 3"):
        core.from_dlpack(3)


def test_feed_and_fetch_lists_of_a_scope() -> None:
    scope, tensor = core.Scope(), core.LoDTensor([[1, 1]])
    tensor.set(np.ones([2, 3], "float32"), CPU)
    core.set_feed_variable(scope, tensor, "feed", 1)
    assert np.array(core.get_fetch_variable(scope, "feed", 1)).shape == (2, 3)
    scope.var("fetch").get_fetch_list().append(tensor)
    assert core.get_fetch_variable(scope, "fetch", 0).recursive_sequence_lengths() == [[1, 1]]
    with pytest.raises(ArgumentTypeError, match="value got int"):
        core.set_feed_variable(scope, 3, "feed", 0)
    with pytest.raises(ArgumentTypeError, match="'nothing', needs the name of a list"):
        core.get_fetch_variable(scope, "nothing", 0)
    with pytest.raises(IndexRangeError):
        core.get_fetch_variable(scope, "feed", 7)


def test_an_operator_on_an_array_of_a_scope() -> None:
    scope, place = core.Scope(), CPU
    for name in ("Ids", "Scores"):
        held = scope.var(name).get_lod_tensor_array()
        for k in (2, 3):
            tensor = core.LoDTensor()
            tensor.set(np.full([2, 1], k, "int64" if name == "Ids" else "float32"), place)
            tensor.set_lod([[0, 1, 2], [0, 1, 2]])
            held.append(tensor)
    for name in ("SentenceIds", "SentenceScores"):
        scope.var(name).get_tensor()
    Operator("beam_search_decode", Ids="Ids", Scores="Scores", SentenceIds="SentenceIds", SentenceScores="SentenceScores",
             beam_size=1, end_id=9).run(scope, place)  # fmt: skip
    assert np.array(scope.find_var("SentenceIds").get_tensor()).tolist() == [2, 3, 2, 3]


def test_slots_of_which_gradients_read_shapes() -> None:
    assert core.infer_no_need_buffer_slots("elementwise_add", {}, {}, {}) == set()
    assert core.infer_no_need_buffer_slots("elementwise_add_grad", {}, {}, {}) == {"X", "Y"}


def test_programs_as_text() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        L.relu(fluid.data("x", [2]))
        program = fluid.default_main_program()
    text = fluid.debugger.pprint_program_codes(program)
    assert text == fluid.debugger.pprint_program_codes(program.desc) and "relu(inputs={X=['x']}" in text
    assert "relu(inputs={X=['x']}" in fluid.debugger.pprint_block_codes(program.block(0).desc)
    with pytest.raises(ArgumentTypeError):
        fluid.debugger.pprint_program_codes("x")


def test_flags_that_are_not_there() -> None:
    assert core.globals().get("FLAGS_nothing", -1) == -1 and core.globals().get("FLAGS_benchmark") is False


def test_no_grad_keeps_signatures_and_tells_the_tracer() -> None:
    def function(a: Any, b: int = 1) -> bool:
        return fluid.framework._dygraph_tracer()._train_mode

    without = fluid.dygraph.no_grad(function)
    assert inspect.getfullargspec(without).args == ["a", "b"] and inspect.getfullargspec(without).defaults == (1,)
    with fluid.dygraph.guard():
        assert function(0) and not without(0)


def test_variables_that_are_declared_twice() -> None:
    block = fluid.Program().global_block()
    w = block.create_var(name="w", shape=[784, 100], dtype="float64")
    assert block.create_var(name="w", shape=[784, 100]) is w and block.create_var(name="w") is w
    with pytest.raises(ShapeError, match=r"shape got \[24, 100\], needs \[784, 100\]"):
        block.create_var(name="w", shape=(24, 100))
    with pytest.raises(ArgumentValueError, match="dtype got float32, needs float64"):
        block.create_var(name="w", dtype="float32")


@pytest.mark.filterwarnings("ignore:auc.*is the data Variable")
def test_saving_warns_of_statistics(tmp_path: Path) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        exe = fluid.Executor()
        x = fluid.data("x", [None, 2])
        predict = L.fc(x, 2, act="softmax")
        L.auc(predict, L.data("y", [1], dtype="int32"))
        exe.run(fluid.default_startup_program())
        with pytest.warns(UserWarning, match="^please ensure that you have set the auc states to zeros"):
            fluid.io.save_inference_model(str(tmp_path), ["x"], [predict], exe)


def test_helpers_of_layers_make_variables() -> None:
    with fluid.dygraph.guard():
        helper = fluid.dygraph.Linear(2, 2)._helper
        assert helper.to_variable(np.ones(2, "float32"), "ones").name == "ones"
        with pytest.raises(TypeError):
            helper.to_variable("test")


def test_grids_and_weights_of_sizes_that_come_later() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        theta, size = fluid.data("theta", [None, 2, 3]), fluid.data("size", [-1], "int32")
        grid = L.affine_grid(theta, size)
        assert grid.shape == (-1, -1, -1, 2)
        x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1], "int64")
        cost = L.nce(x, y, 5, sample_weight=L.fill_constant([5, 1], "float32", 2.0), num_neg_samples=2)
        exe = fluid.Executor()
        exe.run(fluid.default_startup_program())
        feed = {"theta": np.zeros([1, 2, 3], "float32"), "size": np.array([1, 1, 3, 4], "int32"),
                "x": np.ones([2, 4], "float32"), "y": np.array([[1], [2]])}  # fmt: skip
        found = exe.run(feed=feed, fetch_list=[grid, cost])
        assert [f.shape for f in found] == [(1, 3, 4, 2), (2, 1)]
    for wrong in ({"num_rows": 3.1}, {"num_rows": 3, "batch_shape": 2}):
        with pytest.raises(TypeError):
            L.eye(**wrong)


def test_sequence_conv_as_a_layer() -> None:
    x = fluid.create_lod_tensor(np.arange(8, dtype="float32").reshape(4, 2), [[1, 3]], CPU)
    with fluid.dygraph.guard():
        ones = fluid.ParamAttr(initializer=fluid.initializer.Constant(1.0))
        net = fluid.dygraph.nn.SequenceConv("conv", 1, param_attr=ones, act="relu")
        x = fluid.dygraph.to_variable(x)
        attr = fluid.ParamAttr(initializer=fluid.initializer.Constant(1.0))
        expected = L.sequence_conv(x, 1, param_attr=attr)
        assert net(x).numpy().tolist() == expected.numpy().tolist() and len(net.parameters()) == 2


def test_the_number_of_a_step() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = L.data("x", [1], lod_level=1)
        rnn = L.DynamicRNN()
        assert rnn.step_idx is None
        with rnn.block():
            step = rnn.step_input(x)
            rnn.output(step * 0.0 + L.cast(rnn.step_idx, "float32"))
        fed = fluid.create_lod_tensor(np.ones([4, 1], "float32"), [[3, 1]], CPU)
        [found] = fluid.Executor().run(feed={"x": fed}, fetch_list=[rnn()], return_numpy=False)
    assert np.array(found).ravel().tolist() == [0.0, 1.0, 2.0, 0.0]


def test_functions_of_contributors_have_both_names() -> None:
    for name in ("fused_embedding_seq_pool", "match_matrix_tensor", "sequence_topk_avg_pooling", "var_conv_2d"):
        assert getattr(fluid.contrib, name) is getattr(fluid.contrib.layers, name)


def test_a_scope_is_deleted_once() -> None:
    scope = core.Scope()
    scope.var("x").set_int(3)
    scope._remove_from_pool()
    assert scope.find_var("x") is None
    with pytest.raises(ArgumentValueError, match="Deleting a nonexistent scope is not allowed"):
        scope._remove_from_pool()


@pytest.mark.parametrize("dtype", ["bool", "float16"])
def test_levels_are_appended_to_numbers(dtype: str) -> None:
    with fluid.program_guard(fluid.Program()), pytest.raises(TypeError, match=f"lod_append: x got dtype {dtype}"):
        L.lod_append(fluid.data("x", [4, 1], dtype), [0, 4])


def test_cleared_gradients_of_results_are_zeros() -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones([2], "float32"))
        x.stop_gradient = False
        y = x * 2.0
        y.backward(retain_graph=True)
        y.clear_gradient()
        assert y.gradient().tolist() == [0.0, 0.0] and x.gradient().tolist() == [2.0, 2.0]
        y.backward()
        assert y.gradient().tolist() == [1.0, 1.0]
        assert (x * 3.0).gradient() is None


def test_a_pipeline_on_one_place() -> None:
    """Sections on one place have the numbers of the optimizer alone."""
    found = []
    for wrap in (
        lambda sgd, cuts: sgd,
        lambda sgd, cuts: fluid.optimizer.PipelineOptimizer(sgd, cuts, [CPU] * 3, [1] * 3),
    ):
        with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
            fluid.default_startup_program().random_seed = 3
            hidden = L.fc(fluid.data("x", [None, 3]), 2, act="tanh")
            loss = L.mean(L.fc(hidden, 1))
            wrap(fluid.optimizer.SGD(0.1), [[hidden], [loss]]).minimize(loss)
            exe = fluid.Executor()
            exe.run(fluid.default_startup_program())
            found.append(
                [exe.run(feed={"x": np.ones([2, 3], "float32")}, fetch_list=[loss])[0].item() for _ in range(3)]
            )
    assert found[0] == found[1] and found[0][2] < found[0][0]
    with pytest.raises(ArgumentTypeError, match="PipelineOptimizer: optimizer got int 3"):
        fluid.optimizer.PipelineOptimizer(3)
    with fluid.dygraph.guard(), pytest.raises(core.EnforceNotMet, match="PipelineOptimizer"):
        fluid.optimizer.PipelineOptimizer(fluid.optimizer.SGD(0.1, parameter_list=[])).minimize(None)


def test_the_search_for_nan_runs_the_program_and_names_the_operator() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        y, exe = L.log(fluid.data("x", [1])), fluid.Executor(CPU)
        fluid.debugger.prepare_fast_nan_inf_debug(fluid.default_main_program())

        def found(value: float) -> Any:
            feed = {"x": np.array([value], "float32")}
            return fluid.debugger.run_fast_nan_inf_debug(exe, feed=feed, fetch_list=[y])

        assert found(1.0)[0].tolist() == [0]
        with pytest.raises(EnforceNotMet, match="log"):
            found(-1.0)
        assert fluid.get_flags("FLAGS_check_nan_inf") == {"FLAGS_check_nan_inf": False}
    with pytest.raises(ArgumentTypeError, match="_program got str"):
        fluid.debugger.prepare_fast_nan_inf_debug("main")


def test_the_device_of_operators_can_be_switched() -> None:
    switch = fluid.framework.switch_device
    with fluid.program_guard(fluid.Program()), fluid.device_guard():
        x = fluid.data("x", [1])
        before = []
        for device in ("cpu", "gpu:0", None):
            before.append(switch(device))
            L.relu(x)
        devices = [op.attr("op_device") for op in fluid.default_main_program().global_block().ops]
    assert before == [None, "cpu", "gpu:0"] and devices == ["cpu", "gpu:0", ""]


def test_one_worker_is_no_data_parallel_mode() -> None:
    helper = fluid.dygraph.parallel_helper
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(2, 2)
        before = layer.weight.numpy()
        helper._broadcast_parameters(layer.parameters())
        assert not helper._is_data_parallel_mode() and (layer.weight.numpy() == before).all()


def test_a_program_from_its_description_is_a_copy() -> None:
    with fluid.program_guard(fluid.Program()):
        L.relu(fluid.data("x", [1]))
        main = fluid.default_main_program()
    copy = fluid.Program._construct_from_desc(main._get_desc())
    copy.global_block().ops[0]._update_desc_attr("use_cudnn", True)
    assert copy.global_block().ops[0].attr("use_cudnn") and not main.global_block().ops[0].attr("use_cudnn")


def test_settings_of_other_engines_warn_and_sizes_of_dtypes() -> None:
    config = core.AnalysisConfig("")
    for call, arguments in (
        ("set_mkldnn_op", ({"conv2d"},)),
        ("set_optim_cache_dir", ("cache",)),
        ("enable_lite_engine", ()),
    ):
        with pytest.warns(UserWarning, match=f"AnalysisConfig.{call} has no effect"):
            getattr(config, call)(*arguments)
    assert not config.lite_engine_enabled() and core.AnalysisConfig.Half == core.AnalysisConfig.Precision.Half == 2
    assert [core.paddle_dtype_size(each) for each in core.PaddleDType] == [4, 8, 4]
    assert fluid.metrics.Auc.trapezoid_area(0.0, 2.0, 1.0, 3.0) == 4.0
