"""Names of 1.8.5's files that programs may import beside its API; the expected answers are those that PaddlePaddle 1.8.5 gave."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    FileFormatError,
    IndexRangeError,
    MissingFileError,
    MissingVariableError,
    ShapeError,
)

core, L, framework = fluid.core, fluid.layers, fluid.framework
CPU = fluid.CPUPlace()


def tensor(values: Any) -> Any:
    made = core.LoDTensor()
    made.set(np.asarray(values), CPU)
    return made


# --- libraries and commands ------------------------------------------------------------------------------------------


def test_versions_and_commands() -> None:
    pairs = [("2.23", "2.22"), ("2.2", "2.23"), ("2.23", "2.23"), ("2.23.0", "2.23"), ("1.10", "1.9")]
    assert [core.less_than_ver(a, b) for a, b in pairs] == [False, True, False, False, False]
    with pytest.raises(ArgumentValueError, match="a got"):
        core.less_than_ver("a", "1")
    assert core.run_shell_command("echo a; echo b") == "a\nb" and core.run_shell_command("false") == ""
    assert core.run_shell_command("echo x >&2") is None
    assert core.run_cmd("echo hi; false") == "hi\n" and core.run_cmd("exit 3", 1000, 1000) == ""
    assert Path(core.current_path).name == "fluid" and fluid.legacy_core == str(Path(core.current_path) / "core.so")


@pytest.mark.skipif(sys.platform != "linux", reason="ldd lists the libraries of a program on Linux")
def test_shared_libraries() -> None:
    assert core.get_dso_path("/bin/ls", "libnothing") == "" and core.get_dso_path("", "libc") is None
    path = core.get_dso_path("/bin/ls", "libc.so")
    assert path and "libc" in path
    core.load_dso(path)
    core.load_dso("/nothing.so")
    assert core.get_glibc_ver() is None or core.get_glibc_ver()[0].isdigit()


# --- tensors, files and functions ------------------------------------------------------------------------------------


def test_bytes_of_a_predictors_tensor() -> None:
    made = core.paddle_tensor_to_bytes(core.PaddleTensor(np.arange(3, dtype="float32"), "x"))
    assert made.hex() == (
        "00000000" "0100000000000000" "78" "0000000000000000" "0100000000000000" "03000000" "00000000" "0c00000000000000"
        "00000000" "0000803f" "00000040"
    )  # fmt: skip
    made = core.paddle_tensor_to_bytes(core.PaddleTensor(np.arange(6).reshape(3, 2), "ab", [[0, 1, 3]]))
    assert made[:14].hex() == "00000000" "0200000000000000" "6162"  # fmt: skip
    levels = np.frombuffer(made[14:62], "<u8").tolist()
    assert levels == [1, 24, 0, 1, 3, 2] and np.frombuffer(made[62:74], "<i4").tolist() == [3, 2, 1]
    assert np.frombuffer(made[74:], "<i8").tolist() == [48, 0, 1, 2, 3, 4, 5]
    assert [int(each) for each in (core.PaddlePlace.UNK, core.PaddlePlace.CPU, core.PaddlePlace.GPU)] == [-1, 0, 1]
    with pytest.raises(ArgumentTypeError):
        core.paddle_tensor_to_bytes(3)


RECORDED = bytes.fromhex(
    "544e554d0200000000000000" "4e414d450800000000000000" "66635f302e625f30" "00000000" "04000000" "08051002"
    "0000000000000000" "4e414d450800000000000000" "66635f302e775f30" "00000000" "06000000" "080510021002"
    "dc1e803e16be2e3f79c08e3f059735bf"
)  # fmt: skip
"""What 1.8.5 wrote after 256 bytes for a weight of shape [2, 2] and a bias of shape [2]."""


def parameters() -> tuple[Any, Any]:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        L.fc(fluid.data("x", [None, 2]), 2)
    scope = core.Scope()
    fluid.Executor(CPU).run(startup, scope=scope)
    return main.all_parameters(), scope


def test_files_of_named_tensors(tmp_path: Path) -> None:
    path = str(tmp_path / "file")
    both, scope = parameters()
    assert [each.name for each in both] == ["fc_0.w_0", "fc_0.b_0"]
    Path(path).write_bytes(bytes(256) + RECORDED)
    core._load_static_dict(path, both, scope, None)
    weight = np.array(scope.find_var("fc_0.w_0").get_tensor())
    np.testing.assert_array_equal(weight.ravel(), np.frombuffer(RECORDED[-16:], "<f4"))
    core._save_static_dict(path, both, scope)
    assert Path(path).read_bytes()[256:] == RECORDED
    other = core.Scope()
    with pytest.raises(MissingVariableError, match="_create_loaded_parameter"):
        core._load_static_dict(path, both, other, None)
    core._create_loaded_parameter(both, other, None)
    core._load_static_dict(path, both, other, None)
    np.testing.assert_array_equal(np.array(other.find_var("fc_0.w_0").get_tensor()), weight)
    with pytest.raises(MissingVariableError, match="startup"):
        core._save_static_dict(path, both, core.Scope())
    other.find_var("fc_0.b_0").get_tensor().set(np.ones(3, "float32"), CPU)
    with pytest.raises(ShapeError, match=r"shape \[2\] of 'fc_0.b_0' in the file"):
        core._load_static_dict(path, both, other, None)


def test_files_of_imperative_mode(tmp_path: Path) -> None:
    path = str(tmp_path / "file")
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(2, 2)
        core._save_dygraph_dict(path, {"w": layer.weight, "b": layer.bias})
        found = core._load_dygraph_dict(path)
        assert sorted(found) == sorted(each.name for each in layer.parameters())
        assert found[layer.weight.name].stop_gradient and isinstance(found[layer.weight.name], core.VarBase)
        np.testing.assert_array_equal(found[layer.weight.name].numpy(), layer.weight.numpy())
    for content in (
        b"",
        bytes(256),
        bytes(256) + RECORDED[:-1],
        bytes(256) + RECORDED + b"x",
        bytes(256) + b"TNUM" + b"\xff" * 20,
    ):
        Path(path).write_bytes(content)
        with pytest.raises(FileFormatError):
            core._load_dygraph_dict(path)
    with pytest.raises(MissingFileError):
        core._load_dygraph_dict(str(tmp_path / "nothing"))


def test_functions_under_numbers() -> None:
    registry = L.PyFuncRegistry
    made = registry(lambda a: [a, None, np.ones(2, "float32")])
    assert registry.registered_func(made.id)(3)[0] == 3 and registry.registered_func_num() >= 1
    same, nothing, ones = made(tensor([1.0]))
    assert isinstance(same, core.LoDTensor) and nothing is None and np.array(ones).tolist() == [1, 1]
    assert registry(lambda: None)() == (None,)
    assert registry.registered_func(core._append_python_callable_object_and_return_id(abs)) is abs
    program = fluid.Program()
    with fluid.program_guard(program):
        out = program.global_block().create_var(name="out", shape=[1], dtype="float32")
        x = fluid.data("x", [1])
        double = registry(lambda a: np.array(a) * 2)
        attrs = {"forward_callable_id": double.id, "backward_callable_id": -1, "backward_skip_vars": []}
        program.global_block().append_op("py_func", {"X": [x]}, {"Out": [out]}, attrs)
    [got] = fluid.Executor(CPU).run(program, feed={"x": np.ones(1, "float32")}, fetch_list=[out])
    assert got.tolist() == [2]
    with pytest.raises(ArgumentTypeError):
        registry(3)
    with pytest.raises(IndexRangeError):
        registry.registered_func(10**9)


def test_shapes_that_do_not_fit() -> None:
    with fluid.program_guard(fluid.Program()):
        declared = fluid.data("x", [None, 3]).desc
    shapes = [[2, 3], [2, 4], [3], [2, 3, 1]]
    assert [core.diff_tensor_shape(tensor(np.zeros(s)), declared, 1) for s in shapes] == [None, [2, 4], None, None]
    assert core.diff_tensor_shape(tensor(np.zeros([2, 4])), declared, 2) == [1, 4]


def test_gradients_operators_and_queues() -> None:
    names = ("relu", "mul", "shape", "accuracy", "while", "relu_grad", "sgd")
    assert [core.has_non_empty_grad_op_maker(n) for n in names] == [True, True, False, False, True, True, False]
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.float32([3]))
        x.stop_gradient = False
        strategy = fluid.dygraph.BackwardStrategy()
        [gradient] = core.dygraph_partial_grad([x], [x * x], [], [], CPU, strategy, False, True, False, True)
        assert gradient.numpy().tolist() == [6]
    scope = core.Scope()
    queue = core.init_lod_tensor_blocking_queue(scope.var("q"), 4, False)
    assert queue.push([tensor([1.0])]) and (queue.size(), queue.capacity()) == (1, 4)
    with pytest.raises(ArgumentTypeError):
        core.init_lod_tensor_blocking_queue("q", 4, False)
    assert isinstance(fluid.op.Operator("scale", X="a", Out="b"), core.Operator)
    assert isinstance(core.globals(), core.GlobalVarGetterSetterRegistry)
    assert (core.var_names.empty(), core.var_names.temp()) == ("@EMPTY@", "@TEMP@")


def test_rank_tables_of_a_scope() -> None:
    program = fluid.Program()
    with fluid.program_guard(program):
        table = L.control_flow.lod_rank_table(fluid.data("x", [None, 1], lod_level=1))
        table.persistable = True
    scope = core.Scope()
    rows = fluid.create_lod_tensor(np.zeros([6, 1], "float32"), [[1, 3, 2]], CPU)
    fluid.Executor(CPU).run(program, feed={"x": rows}, scope=scope)
    found = scope.find_var(table.name).get_lod_rank_table()
    assert isinstance(found, core.LodRankTable) and found.items() == [(1, 3), (2, 2), (0, 1)]
    assert scope.var("new").get_lod_rank_table().items() == []
    scope.var("other").get_tensor().set(np.ones(1), CPU)
    with pytest.raises(ArgumentTypeError, match="lod_rank_table"):
        scope.var("other").get_lod_rank_table()


def test_set_num_threads() -> None:
    flag = "FLAGS_paddle_num_threads"
    before = fluid.get_flags(flag)[flag]
    core.set_num_threads(2)
    assert fluid.get_flags(flag)[flag] == 2
    fluid.set_flags({flag: before})


# --- framework, loaders, places --------------------------------------------------------------------------------------


def test_states_of_the_framework() -> None:
    assert framework._dygraph_current_expected_place_ is None and framework._current_device is None
    with fluid.dygraph.guard():
        assert framework._dygraph_current_expected_place_ == CPU
        before = fluid.dygraph.Linear(2, 2).full_name()
        with framework._dygraph_place_guard(CPU):
            assert fluid.in_dygraph_mode() and framework._current_expected_place() == CPU
            assert fluid.dygraph.Linear(2, 2).full_name() != before
    with framework._dygraph_place_guard(CPU):
        assert not fluid.in_dygraph_mode()
    with fluid.device_guard("cpu"):
        assert framework._current_device == "cpu"
    with fluid.name_scope("outer_of_test"), fluid.name_scope("inner"):
        assert framework._name_scope.name() == "inner" and framework._name_scope.parent().name() == "outer_of_test"
    assert framework._name_scope is None

    where = fluid.dygraph.base._switch_to_static_graph_(lambda a: (a, fluid.in_dygraph_mode()))
    with fluid.dygraph.guard():
        assert where(3) == (3, False) and fluid.in_dygraph_mode()


def test_private_attributes_that_programs_read() -> None:
    main = fluid.Program()
    main.random_seed = 7
    with fluid.program_guard(main, fluid.Program()):
        x = fluid.data("x", [None, 2])
        fluid.optimizer.SGD(0.1).minimize(L.mean(L.dropout(L.fc(x, 2), 0.5)))
        loader = fluid.io.DataLoader.from_generator([x], capacity=2)
    assert main.global_block().removed_vars == {}
    compiled = fluid.CompiledProgram(main)
    assert (compiled._is_data_parallel, compiled._places, compiled._loss_name) == (False, None, None)
    compiled.with_data_parallel(loss_name="loss", places=[CPU])
    assert (compiled._is_data_parallel, compiled._places, compiled._loss_name) == (True, [CPU], "loss")
    assert loader._feed_list[0] is x
    assert (main.clone().random_seed, main.clone(for_test=True).random_seed) == (7, 0)
    inferring = main._inference_optimize()
    assert [op.type for op in inferring.global_block().ops] == [op.type for op in main.global_block().ops]
    dropout = next(op for op in inferring.global_block().ops if op.type == "dropout")
    assert dropout.attr("is_test") is True and inferring.random_seed == 0
    assert framework.global_prog_seed == 0
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(2, 2)
        loss = L.reduce_sum(layer(fluid.dygraph.to_variable(np.ones([1, 2], "float32"))))
        loss._run_backward(fluid.dygraph.BackwardStrategy(), framework._dygraph_tracer(), False)
        assert layer.weight.gradient().tolist() == [[1, 1], [1, 1]]


def test_programs_of_descriptions() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        L.fc(fluid.data("x", [None, 2]), 3)
        desc = fluid.default_main_program().desc
    made = fluid.dygraph.jit.create_program_from_desc(desc)
    assert [op.type for op in made.global_block().ops] == ["mul", "elementwise_add"] and made.all_parameters() == []
    with pytest.raises(ArgumentTypeError, match=r"program\.desc"):
        fluid.dygraph.jit.create_program_from_desc(made)


class Numbers(fluid.io.Dataset):
    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> Any:
        return np.full([2], index, "float32"), np.array([index])


@pytest.mark.parametrize("workers", [0, 2])
def test_iterators_of_loaders(workers: int) -> None:
    own = fluid.dataloader.dataloader_iter
    kind = (own._DataLoaderIterSingleProcess, own._DataLoaderIterMultiProcess)[bool(workers)]
    with fluid.dygraph.guard():
        loader = fluid.io.DataLoader(Numbers(), batch_size=2, num_workers=workers, return_list=True)
        each = iter(loader)
        assert type(each) is kind and isinstance(each, own._DataLoaderIterBase) and len(each) == 2
        assert [batch[1].numpy().tolist() for batch in each] == [[[0], [1]], [[2], [3]]]
        assert next(kind(loader))[0].shape == [2, 2] and kind(loader).next()[0].shape == [2, 2]
        assert kind(loader)._num_workers == workers and kind(loader)._dataset is loader.dataset
    with pytest.raises(ArgumentTypeError, match="DataLoader"):
        kind([1, 2])


def test_a_watch_on_the_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = fluid.dataloader.dataloader_iter.ParentWatchDog()
    assert watch.is_alive()
    monkeypatch.setattr(os, "getppid", lambda: 1 << 30)
    assert not watch.is_alive()
    monkeypatch.undo()
    assert not watch.is_alive()


def test_places_as_objects() -> None:
    assert fluid.compiler._place_obj(CPU).is_cpu_place()
    assert [len(fluid.reader._convert_places(each)) for each in (CPU, [CPU], (CPU, CPU), [])] == [1, 1, 2, 0]
    for given in (None, 3, "cpu"):
        with pytest.raises(ArgumentTypeError):
            fluid.reader._convert_places(given)


def test_what_the_order_of_loaders_was_told() -> None:
    assert fluid.reader.KEEP_DATA_LOADER_ORDER is True
    fluid.reader.keep_data_loader_order(False)
    assert fluid.reader.KEEP_DATA_LOADER_ORDER is False
    fluid.reader.keep_data_loader_order(True)


# --- drawings, checks, files of data sets ----------------------------------------------------------------------------


class Drawn:
    """What a graphviz.Digraph is told."""

    def __init__(self) -> None:
        self.nodes: list[str] = []
        self.edges: list[tuple[str, str, str]] = []

    def node(self, **attributes: str) -> None:
        assert attributes["label"] == attributes["name"] and attributes["shape"] == "oval"
        self.nodes.append(attributes["name"])

    def edge(self, label: str, head_name: str, tail_name: str) -> None:
        self.edges.append((label, head_name, tail_name))


def test_drawing_by_hand() -> None:
    with fluid.unique_name.guard(), fluid.program_guard(fluid.Program(), fluid.Program()):
        L.elementwise_add(L.relu(fluid.data("x", [2])), fluid.data("z", [2]))
        program = fluid.default_main_program()
    drawn, known = Drawn(), {"before": "P"}
    fluid.net_drawer.parse_graph(program, drawn, known)
    assert drawn.nodes == ["relu_0", "elementwise_add_1"]
    assert drawn.edges == [
        ("X(x)", "relu_0", "Feed"),
        ("X(relu_0.tmp_0)", "elementwise_add_1", "relu_0"),
        ("Y(z)", "elementwise_add_1", "Feed"),
    ]
    assert known == {
        "before": "P", "x": "Feed", "z": "Feed", "relu_0.tmp_0": "relu_0", "elementwise_add_0.tmp_0": "elementwise_add_1",
    }  # fmt: skip
    op = program.global_block().ops[0]
    assert fluid.net_drawer.draw_node(op) == {**fluid.net_drawer.OP_STYLE, "name": "relu", "label": "relu"}


def test_the_layer_of_the_check() -> None:
    with fluid.dygraph.guard():
        layer = fluid.install_check.SimpleLayer(4)
        assert [(n, p.shape) for n, p in layer.named_parameters()] == [
            ("_linear1.weight", [4, 3]),
            ("_linear1.bias", [3]),
        ]
        result = layer(fluid.dygraph.to_variable(np.ones([2, 4], "float32")))
        np.testing.assert_allclose(result.numpy(), [2.4], rtol=1e-6)


def test_folders_of_images(tmp_path: Path) -> None:
    util = paddle.utils.preprocess_util
    for name in ("a/x.jpg", "a/y.PNG", "b/z.jpeg", "b/q.txt", "c.bmp", ".hidden", "old~"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    here = str(tmp_path)
    assert sorted(util.list_dirs(here)) == [str(tmp_path / "a"), str(tmp_path / "b")]
    assert util.list_files(here) == util.list_images(here) == [str(tmp_path / "c.bmp")]
    assert util.list_images(str(tmp_path / "a")) == [str(tmp_path / "a/x.jpg")]
    assert util.list_images(str(tmp_path / "b"), {"txt"}) == [str(tmp_path / "b/q.txt")]
    assert util.get_label_set_from_dir(here) == {"a": 0, "b": 1}
    util.save_list(["one", "two"], str(tmp_path / "list"))
    assert (tmp_path / "list").read_text() == "one\ntwo"
    label = util.Label(3, "n")
    assert label.convert_to_paddle_format() == 3 == hash(label)


def test_names_that_stand_for_others() -> None:
    assert fluid.backward._logger.name == "paddle.fluid.backward" and fluid.dygraph.jit.logger.name == "fluid"
    assert fluid.net_drawer.logger.level == 20 and fluid.io._logger.name == "paddle.fluid.io"
    assert paddle.dataset.movielens._films.cache_info().currsize or paddle.dataset.movielens.MOVIE_INFO is None
    helper = fluid.dygraph.dygraph_to_static.utils._is_api_in_module_helper
    assert [helper(each, "paddle") for each in (L.relu, np.ones, 3, fluid.layers)] == [True, False, False, True]
    assert fluid.transpiler.details.string_types == (str,) and core.has_avx_core and not core.load_noavx
    assert paddle.utils.preprocess_img.preprocess_util is paddle.utils.preprocess_util
    assert fluid.dygraph.dygraph_to_static.partial_program.framework is framework
    barrier = fluid.incubate.fleet.base.role_maker.MockBarrier()
    assert barrier.all_gather(3) == [3] and barrier.all_reduce(3) == 3 and barrier.barrier() is None
    translate = fluid.dygraph.dygraph_to_static.convert_call_func.to_static_func
    assert callable(translate(abs_of))


def test_locks_readers_and_lists_of_tensors() -> None:
    from paddle_lite.fluid.dygraph.dygraph_to_static.program_translator import _CACHE_LOCK, synchronized

    @synchronized
    def locked(a: int, b: int = 2) -> tuple[bool, int, int]:
        return _CACHE_LOCK.locked(), a, b

    assert locked(1) == (True, 1, 2) and not _CACHE_LOCK.locked()
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        reader = L.py_reader(2, [[-1, 2]], ["float32"])
    assert fluid.reader.monkey_patch_reader_methods(reader) is reader and callable(reader.reset)
    with pytest.raises(ArgumentTypeError, match="py_reader"):
        fluid.reader.monkey_patch_reader_methods(3)
    made = core._convert_to_tensor_list([np.ones(2, "float32"), np.zeros(1, "int64")])
    assert [np.array(each).tolist() for each in made] == [[1, 1], [0]]
    assert core._remove_tensor_list_mmap_fds(made) is None and L.nn.func is L.elementwise_floordiv


def abs_of(x: Any) -> Any:
    return L.abs(x)


def test_values_of_nodes() -> None:
    node = type("Node", (), {"name": lambda self: "n"})()
    scope = core.Scope()
    store = fluid.contrib.slim.quantization.quantization_pass._init_var_node
    store(node, np.ones(2, "float32"), scope, CPU)
    assert np.array(scope.find_var("n").get_tensor()).tolist() == [1, 1]
    for value, where, place in (([1], scope, CPU), (np.ones(1), None, CPU), (np.ones(1), scope, None)):
        with pytest.raises(ArgumentTypeError):
            store(node, value, where, place)
