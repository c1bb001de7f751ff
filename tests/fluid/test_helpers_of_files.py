"""Functions that files of 1.8.5 keep for themselves, and that programs import; the answers are those of PaddlePaddle 1.8.5."""

from __future__ import annotations

import io
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, MissingVariableError

L, core = fluid.layers, fluid.core


@pytest.fixture
def network() -> Any:
    """A Program that trains one layer, its copy without training, input, result and loss."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        x = fluid.data("x", [None, 4])
        y = L.fc(x, 3)
        loss = L.mean(L.dropout(y, 0.5))
        plain = main.clone()
        fluid.optimizer.SGD(0.1).minimize(loss)
    return main, plain, x, y, loss


def test_numbers() -> None:
    values = [1, 1.5, "a", [1], np.ones(2), np.float32(1), np.ones([1]), np.ones([2, 2]), True, None]
    for module in (fluid.average, fluid.metrics):
        assert [module._is_number_(v) for v in values] == [True, True, *[False] * 4, True, False, True, False]
        assert [module._is_number_or_matrix_(v) for v in values] == [
            True, True, False, False, True, False, True, True, True, False,
        ]  # fmt: skip
    assert [fluid.metrics._is_numpy_(v) for v in values] == [*[False] * 4, *[True] * 4, False, False]


def test_names_of_gradients(network: Any) -> None:
    main, _, x, y, loss = network
    b = fluid.backward
    assert [b._strip_grad_suffix_(n) for n in ("x@GRAD", "x@GRAD@RENAME@0", "xy")] == ["x", "x", "xy"]
    assert (b._some_in_set_(["a"], {"a", "b"}), b._all_in_set_(["a", "c"], {"a"}), b._all_in_set_([], {"a"})) == (
        True,
        False,
        False,
    )
    assert (b._get_no_grad_set_name({"a", x}), b._get_no_grad_set_name(None)) == ({"a", "x"}, set())
    for wrong in ("a", [3]):
        with pytest.raises(TypeError, match="no_grad_set"):
            b._get_no_grad_set_name(wrong)
    assert b._is_grad_var_("x@GRAD") and not b._is_grad_var_("x")
    block = main.global_block()
    assert b._get_output_names(block, [loss, x]) == {loss.name, "x"}
    assert b.serialize_op_decs(block.ops[0].desc).startswith('inputs {\n  parameter: "X"\n  arguments: "x"\n}')

    def path(targets: list, inputs: list, kept: set) -> list[str]:
        return [op.type for op in b._find_op_path_(block, targets, inputs, kept)]

    assert path([loss], [x], set()) == ["mul", "elementwise_add", "dropout", "mean"]
    assert path([y], [], set()) == ["mul", "elementwise_add"]
    assert path([loss], [y], set()) == ["dropout", "mean"]
    assert path([loss], [], {y.op.input("X")[0]}) == ["elementwise_add", "dropout", "mean"]
    assert path([loss], [x], {"x"}) == ["mul", "elementwise_add", "dropout", "mean"]


def test_nested_blocks() -> None:
    main = fluid.Program()
    with fluid.program_guard(main), L.control_flow.BlockGuard(main):
        L.fill_constant([1], "float32", 1.0)
    assert (main.num_blocks, len(main.block(1).ops), main.current_block().idx) == (2, 1, 0)
    pairs = [(0, 1), (1, 0), (0, 0), (1, 1)]
    assert [fluid.backward._is_ancestor_block(main.block(a), main.block(b)) for a, b in pairs] == [
        True,
        False,
        False,
        False,
    ]
    with pytest.raises(ArgumentTypeError, match="a Program"):
        L.control_flow.BlockGuard(3)


def test_guards_of_constructs() -> None:
    main = fluid.Program()
    with fluid.program_guard(main):
        i, n = L.fill_constant([1], "int64", 0), L.fill_constant([1], "int64", 3)
        total, condition = L.fill_constant([1], "int64", 0), L.less_than(i, n)
        with L.control_flow.WhileGuard(L.While(condition)):
            L.assign(total + i, total)
            L.increment(i)
            L.less_than(i, n, cond=condition)
        flag = L.fill_constant([1], "bool", True)
        with L.control_flow.ConditionalBlockGuard(L.control_flow.ConditionalBlock([flag], is_scalar_condition=True)):
            L.assign(total * 2, total)
    assert fluid.Executor().run(main, fetch_list=[total])[0].tolist() == [6]


def test_what_a_program_does(network: Any) -> None:
    main, plain, *_, loss = network
    c = fluid.compiler
    assert [c._has_backward_op(core.Graph(p.desc)) for p in (main, plain)] == [True, False]
    assert [c._has_optimize_op(p.global_block()) for p in (main, plain)] == [True, False]
    assert not c._has_optimizer_in_control_flow(main) and not c._is_pserver_mode(main)
    assert fluid.executor._get_program_cache_key({"a": 1, "b": 2}, [loss, "z"]) == f"['a', 'b', '{loss.name}', 'z']"


def test_feed_and_fetch_operators(network: Any) -> None:
    main, plain, _, y, loss = network
    fluid.io.prepend_feed_ops(plain, ["x"])
    fluid.io.append_fetch_ops(plain, [loss.name])
    block = plain.global_block()
    found = [(op.type, op.input_arg_names, op.output_arg_names, op.attr("col")) for op in (block.ops[0], block.ops[-1])]
    assert found == [("feed", ["feed"], ["x"], 0), ("fetch", [loss.name], ["fetch"], 0)]
    e = fluid.executor
    assert e.has_feed_operators(block, {"x": 1}, "feed") and e.has_fetch_operators(block, [loss], "fetch")
    assert not e.has_feed_operators(main.global_block(), {"x": 1}, "feed")
    for call in (
        lambda: e.has_feed_operators(block, {"y": 1}, "feed"),
        lambda: e.has_feed_operators(block, {"x": 1}, "other"),
        lambda: e.has_feed_operators(block, {"x": 1, "y": 2}, "feed"),
        lambda: e.has_fetch_operators(block, [y], "fetch"),
    ):
        with pytest.raises(ArgumentValueError):
            call()
    with pytest.raises(MissingVariableError, match="nope"):
        fluid.io.prepend_feed_ops(main, ["nope"])
    fluid.compiler._prune_feed_ops(plain)
    assert block.ops[0].type == "mul" and plain.lint() == []


def test_valid_programs(network: Any) -> None:
    main = network[0]
    assert fluid.io._get_valid_program(None) is fluid.default_main_program()
    with pytest.warns(UserWarning, match="CompiledProgram"):
        assert fluid.io._get_valid_program(fluid.CompiledProgram(main)) is main
    with pytest.raises(TypeError, match="int"):
        fluid.io._get_valid_program(3)
    copy = fluid.io._clone_var_in_block_(fluid.Program().global_block(), main.all_parameters()[0])
    assert (type(copy).__name__, copy.name, copy.shape, copy.persistable) == (
        "Variable",
        main.all_parameters()[0].name,
        (4, 3),
        True,
    )
    before = fluid.default_main_program()
    with fluid.io._load_program_scope():
        assert fluid.default_main_program() is not before and L.mean(fluid.data("x", [2])).name == "mean_0.tmp_0"
    assert fluid.default_main_program() is before


def test_converters_of_samples() -> None:
    converter = fluid.data_feeder.DataToLoDTensorConverter(fluid.CPUPlace(), 1, [-1, 2], core.VarDesc.VarType.FP32)
    converter.feed([[1, 2], [3, 4]])
    converter.feed([[5, 6]])
    tensor = converter.done()
    assert np.array(tensor).tolist() == [[1, 2], [3, 4], [5, 6]] and tensor.recursive_sequence_lengths() == [[2, 1]]
    converter.feed([[7, 8]])
    assert np.array(converter.done()).tolist() == [[7, 8]]
    assert (converter.dtype, converter.lod_level, converter.shape) == ("float32", 1, [-1, 2])
    converter.feed(3)
    with pytest.raises(ArgumentTypeError):
        converter.done()


@pytest.mark.parametrize(("drop_last", "sizes"), [(False, [2, 2, 1]), (True, [2, 2])])
def test_batches_of_tensors(drop_last: bool, sizes: list[int]) -> None:
    with fluid.program_guard(fluid.Program()):
        feeds = [fluid.data("z", [None, 2]), fluid.data("q", [None, 1], "int64")]
    provider = fluid.data_feeder.BatchedTensorProvider(
        feeds, fluid.CPUPlace(), 2, lambda: ([[i, i + 0.5], [i]] for i in range(5)), drop_last
    )
    batches = [[np.array(each).tolist() for each in batch] for batch in provider()]
    assert batches[0] == [[[0, 0.5], [1, 1.5]], [[0], [1]]] and [len(batch[0]) for batch in batches] == sizes


def test_nested_structures() -> None:
    u = L.utils
    assert (u._sequence_like((1, 2), [3, 4]), u._sequence_like({"b": 1, "a": 2}, [3, 4])) == ((3, 4), {"b": 4, "a": 3})
    assert (list(u._yield_value({"b": 1, "a": 2})), list(u._yield_flat_nest([1, (2, 3)]))) == ([2, 1], [1, 2, 3])
    assert u._packed_nest_with_indices([1, (2, 3)], [4, 5, 6], 0) == (3, [4, (5, 6)])


def test_texts_of_operators() -> None:
    g = L.layer_function_generator
    assert (g._convert_("MeanIou"), g._type_to_str_(1)) == ("mean_iou", "FLOAT")
    assert g.escape_math("$$a_b$$ $c$ !!x!!") == "$$a_b$$ :math:`c` $$x$$"
    assert [fluid.dygraph.layers._convert_camel_to_snake(n) for n in ("Conv2DTranspose", "GRUUnit")] == [
        "conv2d_transpose",
        "gru_unit",
    ]


def test_texts_of_messages(network: Any) -> None:
    d, messages = fluid.debugger, fluid.proto.framework_pb2
    block = messages.ProgramDesc.FromString(network[1].desc.serialize_to_string()).blocks[0]
    texts = {d.repr_var(variable) for variable in block.vars}
    assert {
        "Tensor x (tensor(type=float32, shape=[-1, 4]))",
        "Tensor fc_0.w_0 (tensor(type=float32, shape=[4, 3]))",
    } <= texts
    assert d.repr_op(block.ops[0]).startswith("fc_0.tmp_0 = mul(X=x, Y=fc_0.w_0) [{")
    assert ("x_num_col_dims=1", ("x_num_col_dims", 1)) in [d.repr_attr(attr) for attr in block.ops[0].attrs]
    constant = fluid.Program()
    with fluid.program_guard(constant):
        L.fill_constant([2, 3], "float32", 1.5)
    op = messages.ProgramDesc.FromString(constant.desc.serialize_to_string()).blocks[0].ops[0]
    assert d.repr_op(op).endswith("= fill(1.5, [2, 3]) [shape=[2, 3]]")


def test_names() -> None:
    checker = fluid.unique_name.DygraphParameterNameChecker()
    assert [checker(name) for name in "aab"] == [False, True, False]
    with fluid.unique_name.guard():
        assert [fluid.unique_name.generator(key) for key in "aab"] == ["a_0", "a_1", "b_0"]
    scope = fluid.framework.NameScope("a")
    assert [scope.child("b").name(), scope.child("b").name(), scope.parent()] == ["b", "b_1", None]
    assert fluid.framework.generate_control_dev_var_name().startswith("__control_var@0.")


def test_small_things() -> None:
    assert [paddle.compat._to_text(v, "utf-8") for v in (b"a", "b", None, 1)] == ["a", "b", None, 1]
    assert [paddle.compat._to_bytes(v, "utf-8") for v in (b"a", "b")] == [b"a", b"b"]
    desc = fluid.proto.framework_pb2.OpDesc
    assert fluid.framework._debug_string_(desc(type="a")) == 'type: "a"\n'
    assert fluid.framework._debug_string_(desc(), throw_on_error=False) == ""
    with pytest.raises(ArgumentValueError, match="type"):
        fluid.framework._debug_string_(desc())

    def numpy(self: Any) -> Any:
        return self

    with pytest.raises(AssertionError, match=r"numpy: imperative Variables have it.*guard"):
        fluid.framework._fake_interface_only_(numpy)(3)
    assert vars(L.control_flow.StaticRNNMemoryLink(1, 2, 3)) == {"init": 1, "pre_mem": 2, "mem": 3}
    assert isinstance(fluid.unique_name.dygraph_parameter_name_checker, fluid.unique_name.DygraphParameterNameChecker)


def test_parts_of_variables() -> None:
    t, details = fluid.transpiler.distribute_transpiler, fluid.transpiler.details
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        w, z = (L.create_parameter(shape, "float32", name=name) for name, shape in (("w", [100, 10]), ("z", [7])))
    assert t.slice_variable([w, z], 3, 100) == ["w:0:340", "w:1:340", "w:2:320", "z:0:7"]
    assert t.slice_variable([w, z], 3, 8192) == ["w:0:1000", "z:0:7"]
    assert [t.same_or_split_var(n, "w") for n in ("w", "w.block0", "wide")] == [True, True, False]
    sets = details.UnionFind(["a", "b", "c"])
    sets.union("a", "b")
    assert [sets.find(n) for n in ("a", "b", "c", "zz")] == [1, 1, 2, -1] and sets.is_connected("a", "b")
    held = details.VarsDistributed()
    held.add_distributed_var(w, w, vtype="Param", endpoint="a:1")
    held.add_distributed_var(w, z, True, 1, 2, "Opt", "a:2")
    first, second = held.distributed_vars
    assert (first.is_slice, first.block_id, first.offset, second.is_slice) == (False, 0, 0, True)
    assert held.get_distributed_var_by_slice("z") is second and held.get_distributed_var_by_slice("q") is None
    assert held.get_distributed_var_by_origin_and_ep("w", "a:1") is first
    assert held.get_distributed_vars_by_ep("a:1") == [first] and held.get_distributed_vars_by_ep("a:1", "Opt") == []
    assert held.get_distributed_vars_by_vtypes(["Opt"], groupby=True) == {"w": [second]}
    assert (held.equal(w, w), held.equal(w, z), details.VarDistributed.equal(first.origin, first.slice)) == (
        True,
        False,
        True,
    )
    assert held.overview().splitlines()[1] == (
        "var owned: Opt, origin var: ( w : fluid.VarType.LOD_TENSOR.shape(100, 10).astype(VarType.FP32) ), slice var: "
        "( z : fluid.VarType.LOD_TENSOR.shape(7,).astype(VarType.FP32).slice(True).block(1).offset(2) ), endpoint: a:2 "
    )
    with pytest.raises(ArgumentTypeError, match="a VarStruct"):
        details.VarDistributed.equal(w, z)


def test_waiting_for_servers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        fluid.transpiler.details.wait_server_ready([f"127.0.0.1:{server.getsockname()[1]}"])
    for wrong in ("127.0.0.1:1", ["here"]):
        with pytest.raises(ArgumentValueError, match="address:port"):
            fluid.transpiler.details.wait_server_ready(wrong)


def test_graphs(tmp_path: Path) -> None:
    graph = fluid.graphviz.Graph("T", rankdir="TB")
    a, b = graph.node("A", "n", shape="box"), graph.node("B", "n")
    graph.edge(a, b, color="red")
    graph.rank_group("same", 1)(a)
    lines = graph.code().splitlines()
    assert lines[:3] == ["digraph G {", 'title = "T"', 'rankdir="TB";'] and f"{{rank=same;{a.name}}}" in lines
    assert {f'{a.name} [label=A ,shape="box" ];', f'{a.name} -> {b.name} [color="red"]'} <= set(lines)
    preview = fluid.graphviz.GraphPreviewGenerator("T")
    preview.add_edge(preview.add_param("w", "float32"), preview.add_op("fc"), highlight=True)
    preview.add_arg("x")
    preview(str(tmp_path / "graph.dot"))
    text = (tmp_path / "graph.dot").read_text()
    assert all(word in text for word in ("<<B>fc</B>>", "float32", '"x"', "#ed1c24"))


def test_the_profiler_by_calls_of_the_library(tmp_path: Path, capsys: Any) -> None:
    assert not core.is_profiler_enabled()
    core.set_tracer_option(core.TracerOption.kOpDetail)
    core.enable_profiler(core.ProfilerState.kCPU)
    try:
        assert core.is_profiler_enabled()
        with fluid.dygraph.guard():
            L.relu(fluid.dygraph.to_variable(np.ones([2], "float32")))
    finally:
        core.disable_profiler(core.EventSortingKey.kCalls, str(tmp_path / "trace"))
        core.set_tracer_option(core.TracerOption.kDefault)
    assert not core.is_profiler_enabled() and "relu" in capsys.readouterr().out and (tmp_path / "trace").exists()
    assert core.kAll is core.ProfilerState.kAll and core.kAve is core.EventSortingKey.kAve
    for call in (core.enable_profiler, core.set_tracer_option, lambda x: core.disable_profiler(x, "")):
        with pytest.raises(ArgumentTypeError):
            call(3)


def test_losses_of_classes() -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.float32([[0.2, 0.8], [0.5, 0.5]]))
        loss = L.loss.cross_entropy2(x, fluid.dygraph.to_variable(np.array([[1], [0]])))
        np.testing.assert_allclose(loss.numpy(), [[0.22314353], [0.6931472]], rtol=1e-6)
    assert L.loss.kIgnoreIndex == -100


def test_arguments_of_distributions() -> None:
    own = type("Own", (L.distributions.Distribution,), {})()
    with fluid.dygraph.guard():
        first, second = own._to_variable(1.0, [1.0, 2.0])
        assert (first.numpy().tolist(), second.numpy().tolist()) == ([1, 1], [1, 2])
        assert own._validate_args(first, second) and not own._validate_args(1.0, 2.0)
        with pytest.raises(ArgumentValueError, match="or none"):
            own._validate_args(first, 2.0)
        with pytest.raises(ArgumentTypeError):
            own._to_variable("a")
    with pytest.raises(NotImplementedError):
        own.sample()


def test_helpers_of_data_sets(tmp_path: Path) -> None:
    paddle.dataset.common.must_mkdirs(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    assert paddle.dataset.imikolov.word_count(io.StringIO("a b a\nb c\n")) == {
        "a": 2,
        "b": 2,
        "<s>": 2,
        "<e>": 2,
        "c": 1,
    }
    (tmp_path / "words").write_text("a\nb\n")
    (tmp_path / "labels").write_text("B-A0\nI-A0\nO\nB-V\nI-V\n")
    assert paddle.dataset.conll05.load_dict(tmp_path / "words") == {"a": 0, "b": 1}
    assert paddle.dataset.conll05.load_label_dict(tmp_path / "labels") == {
        "B-A0": 0,
        "I-A0": 1,
        "B-V": 2,
        "I-V": 3,
        "O": 4,
    }
    assert list(paddle.dataset.sentiment.reader_creator([([1, 2], 0)])) == [([1, 2], 0)]


def test_ranges_of_features(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    paddle.dataset.uci_housing.feature_range(np.arange(13) + 1.0, np.arange(13))
    assert (tmp_path / "image" / "ranges.png").read_bytes().startswith(b"\x89PNG")
