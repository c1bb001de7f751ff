"""What writers of layers and tools take from Fluid's own files; the expected values are those of PaddlePaddle 1.8.5."""

from __future__ import annotations

import io
import logging
from collections import OrderedDict, namedtuple
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    EnforceNotMet,
    GraphError,
    LoDError,
    MissingFileError,
    MissingVariableError,
    ModeError,
    ShapeError,
)
from paddle_lite.fluid import data_feeder, default_scope_funcs, executor, framework
from paddle_lite.fluid.layers import layer_function_generator as generator
from paddle_lite.fluid.layers import utils
from paddle_lite.fluid.op import Operator, get_all_op_protos
from paddle_lite.fluid.transpiler import details

NESTED = [1, {"b": 2, "a": [3, (4, 5)]}]
Pair = namedtuple("Pair", "x y")


@pytest.fixture
def x() -> Any:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        yield fluid.data("x", [2, 3])


# --- checks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", ["float32", np.float32, np.dtype("float32"), fluid.core.VarDesc.VarType.FP32])
def test_convert_dtype(given: Any) -> None:
    assert data_feeder.convert_dtype(given) == "float32"
    assert framework.convert_np_dtype_to_dtype_(given) == fluid.core.VarDesc.VarType.FP32
    assert framework.dtype_is_floating(given)


@pytest.mark.parametrize("given", ["float", int, float, "foo", "uint16", None, "complex64", [1]])
def test_what_is_no_dtype(given: Any) -> None:
    with pytest.raises(ArgumentValueError, match="convert_dtype: dtype got"):
        data_feeder.convert_dtype(given)


def test_python_types_are_dtypes_of_64_bits() -> None:
    assert [framework.convert_np_dtype_to_dtype_(kind) for kind in (int, float, bool)] == ["int64", "float64", "bool"]
    assert not framework.dtype_is_floating(int)


def test_checks(x: Any) -> None:
    data_feeder.check_type(x, "x", fluid.Variable, "op")
    data_feeder.check_dtype(x.dtype, "x", ["float32", "float64"], "op")
    data_feeder.check_variable_and_dtype(x, "x", ["float32"], "op")
    with pytest.raises(ArgumentTypeError, match=r"^op: x got int 3, needs a Variable or a list\. extra$"):
        data_feeder.check_type(3, "x", (fluid.Variable, list), "op", "extra")
    with pytest.raises(DtypeError, match=r"^op: x got dtype float32, needs float64 or int64\.$"):
        data_feeder.check_dtype(x.dtype, "x", ["float64", "int64"], "op")
    with pytest.raises(ArgumentTypeError, match="needs a Variable"):
        data_feeder.check_variable_and_dtype(3, "x", ["float32"], "op")
    with pytest.raises(DtypeError, match="needs float64"):
        data_feeder.check_variable_and_dtype(x, "x", "float64", "op")
    with fluid.dygraph.guard():
        data_feeder.check_variable_and_dtype(3, "x", ["float32"], "op")


# --- nested structures --------------------------------------------------------------------------------------------------


def test_flatten_and_pack() -> None:
    assert utils.flatten(NESTED) == [1, 3, 4, 5, 2]
    assert utils.pack_sequence_as(NESTED, [10, 20, 30, 40, 50]) == [10, {"b": 50, "a": [20, (30, 40)]}]
    assert utils.pack_sequence_as(Pair(1, 2), [5, 6]) == Pair(5, 6)
    ordered = utils.pack_sequence_as(OrderedDict([("z", 1), ("a", 2)]), [5, 6])
    assert list(ordered.items()) == [("z", 6), ("a", 5)] and type(ordered) is OrderedDict
    assert utils.flatten("abc") == ["abc"] and utils.flatten({}) == [] and utils.pack_sequence_as(3, [1]) == 1
    assert utils.map_structure(lambda a, b: a + b, NESTED, NESTED) == [2, {"b": 4, "a": [6, (8, 10)]}]
    assert utils.map_structure(lambda a, b: a + b, (1, 2), [1, 2]) == (2, 4)
    assert [utils.is_sequence(value) for value in ("s", {}, (1,), {1}, range(3))] == [False, True, True, False, True]


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: utils.pack_sequence_as(NESTED, [1, 2, 3]), ArgumentValueError),
        (lambda: utils.pack_sequence_as(3, [1, 2]), ArgumentValueError),
        (lambda: utils.pack_sequence_as([1, 2], 5), ArgumentTypeError),
        (lambda: utils.map_structure(max, NESTED, [1]), ArgumentValueError),
        (lambda: utils.assert_same_structure([1, 2], (1, 2)), ArgumentTypeError),
        (lambda: utils.assert_same_structure([1, 2], [1, [2]]), ArgumentValueError),
        (lambda: utils.assert_same_structure([1, 2], [1, 2, 3]), ArgumentValueError),
        (lambda: utils.assert_same_structure({"a": 1}, {"b": 1}), ArgumentValueError),
        (lambda: utils.flatten({"a": 1, 2: 3}), ArgumentTypeError),
        (lambda: utils.convert_to_list((3, 4, 5), 2, "stride"), ArgumentValueError),
        (lambda: utils.convert_to_list([1, "a"], 2, "stride"), ArgumentValueError),
        (lambda: utils.convert_to_list(2.5, 2, "stride"), ArgumentValueError),
        (lambda: utils._is_symmetric_padding([1, 2, 3], 2), ArgumentValueError),
    ],
)
def test_structures_that_do_not_fit(call: Any, kind: type) -> None:
    with pytest.raises(kind, match=r" got .*, needs "):
        call()


def test_lists_of_numbers_and_paddings(x: Any) -> None:
    utils.assert_same_structure([1, 2], (1, 2), check_types=False)
    assert utils.convert_to_list(3, 2, "k") == [3, 3] and utils.convert_to_list(2.5, 1, "k", float) == [2.5]
    paddings = [[1, 1, 2, 2], [1, 2, 2, 2], [1, 2]]
    assert [utils._is_symmetric_padding(padding, 2) for padding in paddings] == [True, False, True]
    assert utils._contain_var([1, x]) and not utils._contain_var([1])
    assert utils.hold_mutable_vars((1, (2,))) and not utils.hold_mutable_vars([1])
    inner = [2]
    copied = utils.copy_mutable_vars((1, inner))
    copied[1].append(3)
    assert inner == [2] and utils.copy_mutable_vars(x) is not None


# --- values by name -----------------------------------------------------------------------------------------------------


def test_values_by_name(x: Any) -> None:
    weight = fluid.layers.create_parameter([2], "float32", "w", default_initializer=fluid.initializer.Constant(3.0))
    scope = fluid.Scope()
    fluid.Executor(fluid.CPUPlace()).run(fluid.default_startup_program(), scope=scope)
    assert framework._get_var("x") is x and framework.grad_var_name("x") == "x@GRAD"
    assert executor._fetch_var("w", scope).tolist() == [3.0, 3.0]
    assert isinstance(executor._fetch_var("w", scope, return_numpy=False), fluid.LoDTensor)
    assert executor._to_name_str(weight) == "w" and executor._to_name_str("q") == "q"
    for wrong, kind in [("nope", MissingVariableError), (weight, ArgumentTypeError)]:
        with pytest.raises(kind):
            executor._fetch_var(wrong, scope)
    with pytest.raises(AssertionError, match="_fetch_var: name got 'nothing'"):  # as in 1.8.5
        executor._fetch_var("nothing", scope)
    with pytest.raises(MissingVariableError):
        framework._get_var("nope")
    with pytest.raises(ArgumentTypeError, match="needs a Program"):
        framework._get_var("x", "main")  # type: ignore[arg-type]
    with pytest.raises(ArgumentTypeError, match="needs a Variable, an Operator or a name"):
        executor._to_name_str(3)


def test_tensors_of_feeds(x: Any) -> None:
    place = fluid.CPUPlace()
    assert np.array(executor._as_lodtensor(3, place, "int64")).tolist() == [3]
    for wrong in ([1, 2], 3):
        with pytest.raises(ArgumentTypeError, match="_as_lodtensor"):
            executor._as_lodtensor(wrong, place)
    tensor = executor._as_lodtensor(np.ones([2, 3], "float32"), place)
    assert executor.check_feed_shape_type(x, tensor) and executor.as_numpy([tensor])[0].shape == (2, 3)
    with pytest.raises(ShapeError, match=r"x got shape \[1, 3\] on each place, needs shape \[2, 3\]"):
        executor.check_feed_shape_type(x, tensor, num_places=2)
    with pytest.raises(ArgumentValueError, match="dtype int64, needs float32"):
        executor.check_feed_shape_type(x, executor._as_lodtensor(np.ones([2, 3], "int64"), place))
    with pytest.raises(LoDError):
        executor.as_numpy(fluid.create_lod_tensor(np.ones([3, 1]), [[1, 2]], place))


def test_local_scopes() -> None:
    default_scope_funcs.enter_local_scope()
    default_scope_funcs.var("local")
    assert default_scope_funcs.find_var("local") is not None
    default_scope_funcs.leave_local_scope()
    assert default_scope_funcs.find_var("local") is None
    with pytest.raises(ModeError, match="no local scope is open"):
        default_scope_funcs.leave_local_scope()


# --- operators ----------------------------------------------------------------------------------------------------------


def test_an_operator_on_the_values_of_a_scope() -> None:
    scope, place = fluid.core.Scope(), fluid.CPUPlace()
    scope.var("x").get_tensor().set(np.ones([2, 3], "float32"), place)
    scope.var("out").get_tensor()
    op = Operator("scale", X="x", Out="out", scale=2.0)
    op.run(scope, place)
    assert np.array(scope.find_var("out").get_tensor()).tolist() == [[2.0] * 3] * 2
    assert (op.type(), op.inputs(), op.outputs()) == ("scale", {"ScaleTensor": [], "X": ["x"]}, {"Out": ["out"]})
    assert str(op) == "Op(scale), inputs:{ScaleTensor[], X[x]}, outputs:{Out[out]}."
    assert op.input_vars() + op.output_vars() + op.no_intermediate_outputs() == ["x", "out", "out"]
    with pytest.raises(MissingVariableError, match="needs a variable of the Scope"):
        Operator("scale", X="nowhere", Out="out").run(scope, place)


@pytest.mark.parametrize(
    ("args", "kwargs", "kind"),
    [
        (["nope"], {}, ArgumentValueError),
        (["scale", "x"], {}, ArgumentValueError),
        ([], {}, ArgumentValueError),
        (["scale"], {"X": ["x", "z"], "Out": "o"}, ArgumentValueError),
        (["scale"], {"X": 3, "Out": "o"}, ArgumentTypeError),
    ],
)
def test_operators_that_cannot_be_made(args: list, kwargs: dict, kind: type) -> None:
    with pytest.raises(kind, match="needs"):
        Operator(*args, **kwargs)


def test_an_operator_runs_again_on_values_of_other_shapes() -> None:
    scope, place = fluid.core.Scope(), fluid.CPUPlace()
    x, out = scope.var("x").get_tensor(), scope.var("out").get_tensor()
    op = Operator("reduce_sum", X="x", Out="out", reduce_all=True)
    for values in (np.ones([2, 3], "float32"), np.full([2, 3], 2.0, "float32"), np.ones([4], "float64")):
        x.set(values, place)
        op.run(scope, place)
        assert np.array(out).tolist() == [values.sum()] and np.array(out).dtype == values.dtype
    with pytest.raises(MissingVariableError, match="'x', needs a variable of the Scope"):
        op.run(fluid.core.Scope(), place)


def test_what_is_said_of_operators() -> None:
    core = fluid.core
    assert [core.has_infer_inplace(t) for t in ("reshape2", "relu_grad", "matmul")] == [True, True, False]
    with pytest.raises(EnforceNotMet, match="'nope'"):
        core.has_infer_inplace("nope")
    kernels = core._get_all_register_op_kernels()
    assert "place[CPUPlace]" in kernels["relu"] and "relu_grad" in kernels and "accuracy_grad" not in kernels


def test_gradient_operators_of_one_operator(x: Any) -> None:
    """The descriptions that PaddlePaddle 1.8.5 gives of these operators."""
    describe = fluid.core.get_grad_op_desc
    x.stop_gradient = False
    y = fluid.layers.concat([x, fluid.layers.relu(x)], axis=0)
    [desc], gradients = describe(y.op.desc, set(), [])
    assert (desc.type(), desc.input("Out@GRAD")) == ("concat_grad", [f"{y.name}@GRAD"])
    assert desc.output("X@GRAD") == ["x@GRAD", "relu_0.tmp_0@GRAD"]
    assert gradients == {"x@GRAD": "x", "relu_0.tmp_0@GRAD": "relu_0.tmp_0", f"{y.name}@GRAD": y.name}
    [desc], gradients = describe(y.op.desc, {"x@GRAD"}, [])
    assert desc.output("X@GRAD") == ["@EMPTY@", "relu_0.tmp_0@GRAD"] and "x@GRAD" not in gradients
    [desc], _ = describe(fluid.default_main_program().global_block().ops[0].desc, set(), [])
    [second], gradients = describe(desc, set(), [])
    assert second.type() == "relu_grad_grad"
    assert gradients["relu_0.tmp_0@GRAD@GRAD"] == "relu_0.tmp_0@GRAD" and gradients["x@GRAD@GRAD"] == "x@GRAD"
    assert [op.type for op in y.block.ops] == ["relu", "concat"]


def test_gradients_that_no_description_holds(x: Any) -> None:
    describe = fluid.core.get_grad_op_desc
    assert describe(fluid.layers.argmax(x).op.desc, set(), []) == ([], {})
    first = describe(fluid.layers.matmul(x, x, transpose_y=True).op.desc, set(), [])[0][0]
    assert first.type() == "matmul_grad" and describe(first, set(), []) == ([], {})
    i, n = (fluid.layers.fill_constant([1], "int64", k) for k in (0, 3))
    fluid.layers.while_loop(lambda i: fluid.layers.less_than(i, n), lambda i: [fluid.layers.increment(i)], [i])
    [loop] = [op for op in x.block.ops if op.type == "while"]
    with pytest.raises(GraphError, match="while runs a block"):
        describe(loop.desc, set(), [])
    with pytest.raises(ArgumentTypeError, match="op_desc got"):
        describe(loop, set(), [])


def test_prototypes() -> None:
    by_type = {proto.type: proto for proto in get_all_op_protos()}
    assert len(by_type) > 300
    sums = by_type["sum"]
    assert [(slot.name, slot.duplicable) for slot in sums.inputs] == [("X", True)]
    assert Operator.get_op_inputs("scale") == [("X", False), ("ScaleTensor", False)]
    assert Operator.get_op_output_names("scale") == ["Out"] and "scale" in Operator.types()
    assert Operator.get_op_attr_names("scale")[:3] == ["scale", "bias", "bias_after_scale"]
    holder = framework.OpProtoHolder.instance()
    assert holder is framework.OpProtoHolder.instance() and holder.get_op_proto("mul") == by_type["mul"]
    assert "op_role" in holder.generated_op_attr_names()
    with pytest.raises(ArgumentValueError, match="needs the type of an operator"):
        holder.get_op_proto("nope")
    defaults = fluid.core.get_op_attrs_default_value(b"scale")
    assert (defaults["scale"], defaults["bias_after_scale"], defaults["op_role_var"]) == (1.0, True, [])


def test_functions_of_operators(x: Any) -> None:
    assert generator.generate_layer_fn("mean")(x).shape == (1,)
    assert generator.generate_layer_fn("scale")(x=x, scale=3.0).op.attr("scale") == 3.0
    assert generator.generate_layer_fn("sum")([x, x]).op.input("X") == ["x", "x"]
    assert generator.generate_activation_fn("relu")(x).op.type == "relu"
    for call in (
        lambda: generator.generate_layer_fn("mean")(3),
        lambda: generator.generate_layer_fn("mean")(),
        lambda: generator.generate_layer_fn("mean")(x, x),
    ):
        with pytest.raises(ArgumentTypeError, match="mean: "):
            call()
    for wrong in ("nope", "split"):
        with pytest.raises(ArgumentValueError):
            generator.generate_layer_fn(wrong)


# --- texts --------------------------------------------------------------------------------------------------------------


def test_program_to_code(x: Any) -> None:
    fluid.layers.fc(x, 2)
    out = io.StringIO()
    details.program_to_code(fluid.default_main_program(), out)
    lines = out.getvalue().splitlines()
    assert lines[0] == "{ // block 0" and lines[-1] == "}"
    assert (
        "    persist trainable parameter fc_0.w_0 : fluid.VarType.LOD_TENSOR.shape(3, 2).astype(VarType.FP32)" in lines
    )
    assert "    {Out=['fc_0.tmp_0']} = mul(inputs={X=['x'], Y=['fc_0.w_0']}, " in out.getvalue()
    block = x.block
    assert details.find_op_by_input_arg(block, "x") == 0 and details.find_op_by_input_arg(block, "xx") == -1
    assert details.find_op_by_output_arg(block, "fc_0.tmp_1", reverse=True) == 1
    details.delete_ops(block, block.ops[1:])
    assert [op.type for op in block.ops] == ["mul"]
    for call in (details.program_to_code, details.op_to_code, details.variable_to_code):
        with pytest.raises(ArgumentTypeError):
            call(3)


def test_decorators() -> None:
    @fluid.wrapped_decorator.wrap_decorator
    def labelled(function: Any) -> Any:
        return lambda *args, **kwargs: ("called", function(*args, **kwargs))

    @labelled
    def total(a: int, b: int = 3) -> int:
        "Add."
        return a + b

    assert total(1, b=5) == ("called", 6) and (total.__name__, total.__doc__) == ("total", "Add.")

    @fluid.annotations.deprecated("1.2", "other", "more")
    def old(a: int) -> int:
        return a

    with pytest.warns(DeprecationWarning, match=r"API old is deprecated since 1\.2\. Please use other instead\.\nmore"):
        assert old(3) == 3
    logger = fluid.log_helper.get_logger("paddle_lite.tests", logging.INFO, fmt="%(message)s")
    assert logger is fluid.log_helper.get_logger("paddle_lite.tests", logging.INFO)
    assert (len(logger.handlers), logger.propagate, logger.level) == (1, False, logging.INFO)


# --- imperative mode, the native module ---------------------------------------------------------------------------------


def test_the_tracer() -> None:
    assert framework._dygraph_tracer() is None
    with fluid.dygraph.guard():
        tracer = framework._dygraph_tracer()
        x = fluid.dygraph.to_variable(np.array([-1.0, 2.0], "float32"))
        x.stop_gradient = False
        out = framework._varbase_creator(dtype="float32")
        tracer.trace_op("relu", {"X": [x]}, {"Out": [out]}, {})
        out.backward()
        assert x.gradient().tolist() == [0.0, 1.0]
        tracer.eval_mode()
        assert not tracer._train_mode
        tracer.train_mode()
        assert fluid.dygraph_utils._append_bias_in_dygraph(x) is x
        assert fluid.dygraph_utils._append_activation_in_dygraph(x) is x
        with framework._dygraph_guard(None):
            assert not fluid.in_dygraph_mode()
        assert fluid.in_dygraph_mode()
    with framework._dygraph_guard(tracer):
        assert fluid.in_dygraph_mode()
    assert not fluid.in_dygraph_mode()
    with pytest.raises(ModeError):
        framework._varbase_creator(dtype="float32")


def test_the_native_module() -> None:
    maker = fluid.core.op_proto_and_checker_maker
    assert {role.name: int(role) for role in maker.OpRole if role < 4096} == {
        "Forward": 0, "Backward": 1, "Optimize": 2, "RPC": 4, "Dist": 8, "LRSched": 16, "Loss": 256,
    }  # fmt: skip
    assert (maker.kOpRoleAttrName(), maker.kOpRoleVarAttrName()) == ("op_role", "op_role_var")
    core = fluid.core
    names = [core.empty_var_name(), core.grad_var_suffix(), core.kTempVarName(), core.kZeroVarSuffix()]
    assert names == ["@EMPTY@", "@GRAD", "@TEMP@", "@ZERO"]
    assert [core.size_of_dtype(t) for t in ("float32", "bool", "int64")] == [4, 1, 8]
    place = core.Place()
    place.set_place(fluid.CPUPlace())
    assert place.is_cpu_place() and not place.is_gpu_place()
    copy = fluid.create_lod_tensor(np.ones([2, 1], "float32"), [[2]], fluid.CPUPlace())._copy(place)
    assert np.array(copy).tolist() == [[1.0], [1.0]] and copy.lod() == [[0, 2]]
    with pytest.raises(ArgumentTypeError):
        place.set_place("cpu")
    with pytest.raises(ArgumentValueError, match="needs a GPU"):
        place.gpu_device_id()


def test_flags_as_a_mapping() -> None:
    flags = fluid.core.globals()
    flags["FLAGS_benchmark"] = True
    assert fluid.get_flags("FLAGS_benchmark") == {"FLAGS_benchmark": True} and "FLAGS_benchmark" in flags
    flags["FLAGS_benchmark"] = False
    assert sorted(flags) == list(flags) and len(flags) == len(list(flags)) and "FLAGS_no_such_flag" not in flags
    with pytest.raises(EnforceNotMet):
        flags["FLAGS_no_such_flag"]
    with pytest.raises(ArgumentTypeError):
        del flags["FLAGS_benchmark"]


def test_libraries_of_operators(tmp_path: Any) -> None:
    with pytest.raises(MissingFileError):
        fluid.load_op_library("nowhere.so")
    (tmp_path / "relu2.so").write_bytes(b"")
    with pytest.raises(ArgumentValueError, match=r"docs/operators\.md"):
        fluid.load_op_library(str(tmp_path / "relu2.so"))


def test_the_step_counter_of_schedules() -> None:
    from paddle_lite.fluid.layers.learning_rate_scheduler import _decay_step_counter

    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup):
        step = _decay_step_counter()
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(startup, scope=scope)
    assert [exe.run(main, fetch_list=[step], scope=scope)[0].tolist() for _ in range(3)] == [[0.0], [1.0], [2.0]]


def test_names_that_files_of_fluid_import_for_themselves() -> None:
    from paddle_lite.fluid.framework import Block, Operator, ParamBase, Variable
    from paddle_lite.fluid.layer_helper_base import LayerHelperBase
    from paddle_lite.fluid.layers import core
    from paddle_lite.fluid.layers.nn import LayerHelper

    assert Variable is fluid.Variable and core is fluid.core and LayerHelper is LayerHelperBase
    assert "Variable" not in fluid.layers.__all__ and "Operator" not in fluid.framework.__all__
    with fluid.program_guard(fluid.Program()):
        y = fluid.layers.relu(fluid.data("x", [2]))
        assert isinstance(y.op, Operator) and isinstance(y.block, Block)
    with fluid.dygraph.guard():
        assert isinstance(fluid.dygraph.Linear(2, 2).weight, ParamBase)
    assert fluid.backward._as_list((3,)) == [3] and fluid.backward._append_grad_suffix_("x") == "x@GRAD"


def test_places_and_modes_of_the_framework(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CPU_NUM", "3")
    assert framework._cpu_num() == 3

    @framework._dygraph_only_
    def at_once() -> str:
        return "at once"

    @framework._dygraph_not_support_
    def later() -> str:
        return "later"

    assert later() == "later"
    with pytest.raises(ModeError, match="at_once: needs imperative mode"):
        at_once()
    with fluid.dygraph.guard():
        assert at_once() == "at once"
        with pytest.raises(ModeError, match="later: is not available in imperative mode"):
            later()


def test_when_variables_are_freed_is_three_flags() -> None:
    names = ["eager_delete_tensor_gb", "memory_fraction_of_eager_deletion", "fast_eager_deletion_mode"]
    flags = fluid.core.globals()
    before = [flags[f"FLAGS_{name}"] for name in names]
    try:
        fluid.core._set_eager_deletion_mode(-1, 0.5, False)
        assert [flags[f"FLAGS_{name}"] for name in names] == [-1.0, 0.5, False]
        with pytest.raises(ArgumentValueError, match="FLAGS_eager_delete_tensor_gb got 'much'"):
            fluid.core._set_eager_deletion_mode("much", 1.0, True)
    finally:
        fluid.core._set_eager_deletion_mode(*before)


def test_an_operator_has_a_type() -> None:
    with pytest.raises(ValueError, match=r"Block.append_op: type got None"):
        fluid.Program().global_block().append_op()


def test_functions_of_one_mode_only() -> None:
    only, never = framework.dygraph_only(lambda x: x), framework.dygraph_not_support(lambda x: x)
    assert never(1) == 1
    with pytest.raises(AssertionError):
        only(1)
    with fluid.dygraph.guard():
        assert only(1) == 1
        with pytest.raises(AssertionError):
            never(1)


def test_the_variables_in_lists_and_tuples(x: Any) -> None:
    assert fluid.dygraph.jit.extract_vars([x, 1, (x, [x], "a"), {"a": x}]) == [x] * 3
    assert fluid.dygraph.jit.extract_vars(x) == [x] and fluid.dygraph.jit.extract_vars({"a": x}) == []


def test_the_tracer_knows_whether_functions_train() -> None:
    with fluid.dygraph.guard():
        tracer = framework._dygraph_tracer()
        tracer._train_mode = False
        try:
            x = fluid.dygraph.to_variable(np.ones(3, "float32"))
            assert fluid.layers.dropout(x, 1.0, dropout_implementation="upscale_in_train").numpy().tolist() == [1.0] * 3
        finally:
            tracer._train_mode = True
        assert tracer._train_mode and fluid.layers.dropout(x, 1.0).numpy().tolist() == [0.0] * 3


def test_a_program_replaces_what_counts_as_nested(monkeypatch: pytest.MonkeyPatch) -> None:
    utils = fluid.layers.utils
    monkeypatch.setattr(utils, "is_sequence", lambda value: isinstance(value, list) and not isinstance(value[0], int))
    assert utils.map_structure(tuple, [[2, 3], [[4], [5]]]) == [(2, 3), [(4,), (5,)]]
    monkeypatch.undo()
    assert utils.flatten([[2, 3], [[4], [5]]]) == [2, 3, 4, 5]


def test_helpers_of_layers_pair_inputs_with_parameters() -> None:
    with fluid.dygraph.guard():
        helper = fluid.dygraph.Layer()._helper
        x, y = (fluid.dygraph.to_variable(np.ones([2], dtype)) for dtype in ("float32", "float64"))
        one, other = fluid.ParamAttr(name="one"), fluid.ParamAttr(name="other")
        names = [attr.name for _, attr in helper.iter_inputs_and_params([x, y], [one, other])]
        assert names == ["one", "other"]
        pairs = list(helper.iter_inputs_and_params([x, y], one))
        assert [found for found, _ in pairs] == [x, y] and [attr.name for _, attr in pairs] == ["one", "one"]
        assert pairs[0][1] is not pairs[1][1]
        assert list(helper.iter_inputs_and_params(None, one)) == []
        [(_, attr)] = helper.iter_inputs_and_params(x)
        assert isinstance(attr, fluid.ParamAttr)
        assert helper.input_dtype([x, x]) == x.dtype and helper.input_dtype(None) is None
        for attrs, text in ((False, "got False"), ([one, other], "got 2 of them, needs 1 or 3")):
            with pytest.raises(ValueError, match=text):
                list(helper.iter_inputs_and_params([x, x, x], attrs))
        with pytest.raises(TypeError, match="inputs_in got int 3"):
            list(helper.iter_inputs_and_params(3, one))
        with pytest.raises(ValueError, match="needs one dtype"):
            helper.input_dtype([x, y])


def test_a_layer_is_built_once_by_its_first_call() -> None:
    class Scaled(fluid.dygraph.Layer):
        def _build_once(self, x: fluid.Variable) -> None:
            self.scale = self.create_parameter([x.shape[1]], default_initializer=fluid.initializer.Constant(2.0))

        def forward(self, x: fluid.Variable) -> fluid.Variable:
            return x * self.scale

    with fluid.dygraph.guard():
        layer = Scaled()
        assert layer.parameters() == []
        x = fluid.dygraph.to_variable(np.ones([1, 3], "float32"))
        results = [layer(x) for _ in range(2)]
        assert [result.numpy().tolist() for result in results] == [[[2.0, 2.0, 2.0]]] * 2
        assert len(layer.parameters()) == 1
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        Scaled()(fluid.data("x", [None, 3]))
        assert len(fluid.default_main_program().all_parameters()) == 1
