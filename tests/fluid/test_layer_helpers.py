"""Helpers of 1.8.5's layers, and names that stand for something else at each time; what they do was measured on 1.8.5."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.fluid.contrib.quantize import quantize_transpiler
from paddle_lite.fluid.layer_helper import LayerHelper
from paddle_lite.fluid.layers import nn, tensor, utils
from paddle_lite.fluid.layers.control_flow import copy_var_to_parent_block
from paddle_lite.fluid.regularizer import _create_regularization_of_grad


def types() -> list[str]:
    return [op.type for op in fluid.default_main_program().current_block().ops]


def test_operators_by_a_helper() -> None:
    with fluid.program_guard(fluid.Program()), fluid.unique_name.guard():
        x, b = fluid.data("x", [2, 3]), fluid.data("b", [2], "bool")
        total = nn._elementwise_op(LayerHelper("elementwise_add", x=x, y=x, axis=-1, act="relu"))
        assert (total.name, types()) == ("elementwise_add_0.tmp_1", ["elementwise_add", "relu"])
        both = nn._logical_op("logical_and", b, b)
        assert (both.name, both.dtype, nn._logical_op("logical_not", b, None, out=both, binary_op=False)) == (
            "logical_and_0.tmp_0", fluid.core.VarDesc.VarType.BOOL, both,
        )  # fmt: skip
        half = tensor._tril_triu_op(LayerHelper("tril_triu", input=x, diagonal=1, op_type="tril"))
        values, lower = fluid.Executor().run(
            feed={"x": np.full([2, 3], -1, "float32"), "b": np.ones(2, bool)}, fetch_list=[total, half]
        )
        assert values.max() == 0
        assert lower.tolist() == [[-1, -1, 0], [-1, -1, -1]]
        with pytest.raises(ArgumentTypeError, match="LayerHelper"):
            nn._elementwise_op(LayerHelper("elementwise_add", y=x))
    with fluid.dygraph.guard():
        a = fluid.dygraph.to_variable(np.array([1, -2], "float32"))
        result = nn._elementwise_op_in_dygraph(a, a, op_name="elementwise_add", act="relu")
        assert result.numpy().tolist() == [2, 0]


def test_shapes_of_variables() -> None:
    with fluid.program_guard(fluid.Program()):
        x, size = fluid.data("x", [2, 3]), fluid.data("k", [1], "int32")
        found = []
        for shape in ([2, 3], size, [2, size, -1]):
            inputs, attrs = {"X": x}, {}
            assert utils._get_shape_tensor_inputs(inputs, None, attrs, shape, "reshape") is inputs
            found.append((sorted(inputs), attrs))
        assert found == [
            (["X"], {"shape": [2, 3]}), (["ShapeTensor", "X"], {}), (["ShapeTensorList", "X"], {"shape": [2, -1, -1]}),
        ]  # fmt: skip


def test_variables_of_the_block_around() -> None:
    program = fluid.Program()
    with fluid.program_guard(program):
        x = fluid.data("x", [2, 3])
        block = program._create_block()
        helper = LayerHelper("cond")
        copied = copy_var_to_parent_block(fluid.layers.relu(x), helper)
        assert (copied.block.idx, copied.shape, types()) == (0, (2, 3), ["relu", "assign"])
        assert block.ops[-1].output_arg_names == [copied.name]
        assert copy_var_to_parent_block(None, helper) is None
        program._rollback()


def test_one_penalty_and_error_clips() -> None:
    with fluid.program_guard(fluid.Program()):
        own = fluid.ParamAttr(name="w", regularizer=fluid.regularizer.L1Decay(0.5))
        weight = fluid.layers.create_parameter([2], "float32", attr=own)
        gradient = fluid.data("g", [2])
        assert _create_regularization_of_grad(weight, None, None) is None
        _create_regularization_of_grad(weight, gradient, fluid.regularizer.L2Decay(0.1))
        assert types() == ["sign", "scale", "sum"]  # the parameter's own
    with fluid.program_guard(fluid.Program()):
        x = fluid.data("x", [2])
        x.stop_gradient = False
        square = fluid.layers.square(x)
        square._set_error_clip(fluid.clip.ErrorClipByValue(1.0))
        loss = fluid.layers.reduce_sum(square)
        fluid.backward.append_backward(loss, callbacks=[fluid.clip.error_clip_callback])
        assert types().count("clip") == 1


def test_names_of_quantized_values() -> None:
    q = quantize_transpiler
    names = q._quantized_var_name("a"), q._dequantized_var_name("a"), q._quantized_scale_name("a")
    assert names == ("a.quantized", "a.dequantized", "a.scale")
    assert [q._is_float(v) for v in (1.5, np.float32(1), np.float64(1), 1, "a")] == [True, True, True, False, False]
    assert q.quant(np.array([0.5, -2.0]), 2.0, 8).tolist() == [32, -127]


def test_names_that_change() -> None:
    from paddle_lite.fluid import executor, framework

    assert framework._dygraph_tracer_ is None
    with fluid.dygraph.guard():
        assert framework._dygraph_tracer_ is framework._dygraph_tracer()
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        assert framework._main_program_ is fluid.default_main_program()
        assert framework._startup_program_ is fluid.default_startup_program()
        assert executor.g_scope is fluid.global_scope()
    assert executor.g_scope is fluid.global_scope()
    assert framework._main_program_ is fluid.default_main_program()


def test_loaders_and_passes_have_their_classes() -> None:
    from paddle_lite.fluid.contrib.slim.distillation import distiller

    with fluid.program_guard(fluid.Program()):
        loader = fluid.io.DataLoader.from_generator(feed_list=[fluid.data("x", [None, 2])], capacity=2)
    assert isinstance(loader, fluid.reader.GeneratorLoader)
    with fluid.dygraph.guard():
        assert isinstance(fluid.io.DataLoader.from_generator(capacity=2), fluid.reader.DygraphGeneratorLoader)
    assert distiller.FSPDistillerPass([["a", "b"]], [["c", "d"]], 2).distillation_loss_weight == 2
    assert distiller.SoftLabelDistillerPass("a", "b", 2.0, 3.0).teacher_temperature == 3
    assert fluid.core._is_program_version_supported(1)


def test_small_tables_and_values() -> None:
    from paddle_lite.fluid.contrib import memory_usage_calc
    from paddle_lite.fluid.contrib.slim.quantization import post_training_quantization as quantization

    assert memory_usage_calc.dtype_to_size[fluid.core.VarDesc.VarType.FP64] == 8
    scope, place, program = fluid.Scope(), fluid.CPUPlace(), fluid.Program()
    quantization._set_variable_data(scope, place, "a", np.zeros(3, "float32"))
    assert quantization._load_variable_data(scope, "a").tolist() == [0, 0, 0]
    with fluid.program_guard(program):
        fluid.layers.create_parameter([2], "float32", name="w")
        fluid.data("x", [2])
    assert quantization._all_persistable_var_names(program) == ["w"]


def test_what_has_nothing_to_do() -> None:
    from paddle_lite.fluid.dataloader.dataloader_iter import default_collate_fn
    from paddle_lite.fluid.dygraph import base, jit, profiler
    from paddle_lite.fluid.incubate.fleet.parameter_server import version

    with pytest.warns(RuntimeWarning, match=r"fluid\.profiler"):
        profiler.start_gperf_profiler()
    profiler.stop_gperf_profiler()
    with base.param_guard({}), base.program_desc_tracing_guard(True):
        pass
    assert version.is_transpiler() and version.BUILD_MODE == version.Mode.TRANSPILER
    assert jit._declarative_ is fluid.dygraph.declarative
    assert default_collate_fn([(np.zeros(2),), (np.ones(2),)])[0].tolist() == [[0, 0], [1, 1]]
