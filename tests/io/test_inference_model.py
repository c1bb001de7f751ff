"""save_inference_model and load_inference_model: what is cut away, what comes back, what is refused."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EnforceNotMet,
    FileFormatError,
    MissingFileError,
    MissingVariableError,
    ShapeError,
)
from paddle_lite.static.proto import streams

X = np.linspace(-1, 1, 8).reshape(2, 4).astype("float32")


class Net:
    """Two inputs, a hidden layer with dropout and batch norm, a loss and its optimizer."""

    def __init__(self) -> None:
        self.main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(self.main, startup), fluid.unique_name.guard():
            x, more = fluid.data("x", [None, 4]), fluid.data("more", [None, 3])
            y = fluid.data("y", [None, 1])
            first = fluid.layers.fc(x, 3, act="relu", name="first")
            self.hidden = fluid.layers.dropout(fluid.layers.batch_norm(first), 0.5)
            self.out = fluid.layers.fc(fluid.layers.elementwise_add(self.hidden, more), 1, name="out")
            self.loss = fluid.layers.mean(fluid.layers.square_error_cost(self.out, y))
            fluid.optimizer.Adam(0.1).minimize(self.loss)
        self.startup = startup
        self.exe = fluid.Executor(fluid.CPUPlace())
        self.exe.run(startup)

    def save(self, folder: Path, feeds=("x", "more"), targets=None, **more):
        targets = [self.out] if targets is None else targets
        return fluid.io.save_inference_model(str(folder), list(feeds), targets, self.exe, self.main, **more)


@pytest.fixture
def net():
    with fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        yield Net()


def load(folder: Path, *files):
    return fluid.io.load_inference_model(str(folder), fluid.Executor(fluid.CPUPlace()), *files)


def run(program, feed, fetches):
    return fluid.Executor(fluid.CPUPlace()).run(program, feed=feed, fetch_list=fetches)


PARAMETERS = [f"{layer}.{kind}_0" for layer in ("first", "out") for kind in "bw"]
NORM = ["batch_norm_0.b_0", "batch_norm_0.w_0", "batch_norm_0.w_1", "batch_norm_0.w_2"]


def test_what_is_written_and_comes_back(net: Net, tmp_path: Path) -> None:
    version, text = net.main.changes, str(net.main)
    assert net.save(tmp_path) == ["save_infer_model/scale_0.tmp_0"]
    assert (net.main.changes, str(net.main)) == (version, text)
    assert sorted(os.listdir(tmp_path)) == sorted(["__model__", *PARAMETERS, *NORM])
    feed = {"x": X, "more": np.ones((2, 3), "float32")}
    expected = net.exe.run(net.main.clone(for_test=True), feed={**feed, "y": X[:, :1]}, fetch_list=[net.out])[0]
    with fluid.scope_guard(fluid.Scope()):
        program, feeds, fetches = load(tmp_path)
        assert feeds == ["x", "more"] and [v.name for v in fetches] == ["save_infer_model/scale_0.tmp_0"]
        types = [op.type for op in program.global_block().ops]
        assert types == ["feed", "feed", "mul", "elementwise_add", "relu", "batch_norm", "dropout", "elementwise_add",
                         "mul", "elementwise_add", "scale", "fetch"]  # fmt: skip
        assert all(op.attr("is_test") for op in program.global_block().ops if op.type in ("dropout", "batch_norm"))
        assert [op.attr("col") for op in program.global_block().ops if op.type == "feed"] == [0, 1]
        assert all(program.global_block().var(name).persistable for name in PARAMETERS + NORM)
        assert not program.lint()
        (answer,) = run(program, feed, fetches)
        np.testing.assert_array_equal(answer, expected)
        hidden = run(program, {"x": X}, [net.hidden.name])[0]
        assert hidden.shape == (2, 3)
        with pytest.raises(ArgumentValueError, match="more"):
            run(program, {"x": X}, fetches)


def test_several_results_and_their_order(net: Net, tmp_path: Path) -> None:
    names = net.save(tmp_path, targets=[net.out, net.hidden, net.out])
    assert [name.split(".")[0] for name in names] == [f"save_infer_model/scale_{i}" for i in range(3)]
    with fluid.scope_guard(fluid.Scope()):
        program, _, fetches = load(tmp_path)
        feed = {"x": X, "more": X[:, :3]}
        out, hidden, again = run(program, feed, fetches)
        assert out.shape == (2, 1) and hidden.shape == (2, 3) and out.tolist() == again.tolist()
        assert run(program, feed, fetches[::-1])[1].tolist() == hidden.tolist()


def test_names_of_files(net: Net, tmp_path: Path) -> None:
    net.save(tmp_path, model_filename="m.pdmodel", params_filename="m.pdiparams")
    assert sorted(os.listdir(tmp_path)) == ["m.pdiparams", "m.pdmodel"]
    model, params = (tmp_path / name for name in ("m.pdmodel", "m.pdiparams"))
    with fluid.scope_guard(fluid.Scope()):
        assert load(tmp_path, "m.pdmodel", "m.pdiparams")[1] == ["x", "more"]
    with fluid.scope_guard(fluid.Scope()):
        content = model.read_bytes(), params.read_bytes()
        assert fluid.io.load_inference_model(None, net.exe, *content)[1] == ["x", "more"]
        assert fluid.global_scope().find_var("out.w_0") is not None


def test_the_program_alone_or_the_whole_one(net: Net, tmp_path: Path) -> None:
    net.save(tmp_path / "alone", program_only=True)
    assert os.listdir(tmp_path / "alone") == ["__model__"]
    net.save(tmp_path / "whole", export_for_deployment=False)
    files = os.listdir(tmp_path / "whole")
    assert "__model__.main_program" in files and "out.w_0_moment1_0" in files and "__model__" not in files
    with fluid.scope_guard(fluid.Scope()):
        program, feeds, fetches = load(tmp_path / "whole", "__model__.main_program")
        assert (feeds, fetches) == ([], [])
        feed = {"x": X, "more": X[:, :3], "y": X[:, :1]}
        losses = [float(run(program, feed, [net.loss.name])[0][0]) for _ in range(3)]
        assert len(set(losses)) == 3


def test_what_lies_before_a_fed_variable_is_cut_away(net: Net, tmp_path: Path) -> None:
    net.save(tmp_path, feeds=[net.hidden.name, "more"])
    assert sorted(os.listdir(tmp_path)) == ["__model__", "out.b_0", "out.w_0"]
    with fluid.scope_guard(fluid.Scope()):
        program, feeds, fetches = load(tmp_path)
        assert feeds[0] == net.hidden.name
        feed = {feeds[0]: np.zeros((2, 3), "float32"), "more": np.zeros((2, 3), "float32")}
        assert run(program, feed, fetches)[0].tolist() == [[0], [0]]


def test_a_loaded_model_is_saved_again(net: Net, tmp_path: Path) -> None:
    net.save(tmp_path / "first")
    with fluid.scope_guard(fluid.Scope()):
        program, feeds, fetches = load(tmp_path / "first")
        fluid.io.save_inference_model(str(tmp_path / "second"), feeds, fetches, net.exe, program)
        again, feeds, fetches = load(tmp_path / "second")
        types = [op.type for op in again.global_block().ops]
        assert types.count("feed") == 2 and types.count("fetch") == 1 and types.count("scale") == 2
        assert feeds == ["x", "more"] and run(again, {"x": X, "more": X[:, :3]}, fetches)[0].shape == (2, 1)


def test_an_input_that_nothing_reads_is_saved_again(net: Net, tmp_path: Path) -> None:
    """As in a model whose last layers were cut away; of a Program that was not loaded such an input is an error."""
    net.save(tmp_path / "first")
    with fluid.scope_guard(fluid.Scope()):
        program, _, fetches = load(tmp_path / "first")
        block = program.global_block()
        block.create_var(name="idle", shape=[-1, 2], dtype="float32", is_data=True, need_check_feed=True)
        block._insert_op(0, "feed", {"X": "feed"}, {"Out": "idle"}, {"col": 2})
        fluid.io.save_inference_model(str(tmp_path / "second"), ["x", "more", "idle"], fetches, net.exe, program)
        again, feeds, fetches = load(tmp_path / "second")
        assert feeds == ["x", "more", "idle"]
        feed = {"x": X, "more": X[:, :3], "idle": X[:, :2]}
        assert run(again, feed, fetches)[0].shape == (2, 1)


def test_a_compiled_program_and_the_default_one(net: Net, tmp_path: Path) -> None:
    compiled = fluid.CompiledProgram(net.main)
    fluid.io.save_inference_model(str(tmp_path / "a"), ["x", "more"], net.out, net.exe, compiled)
    with fluid.program_guard(net.main):
        fluid.io.save_inference_model(str(tmp_path / "b"), ["x", "more"], net.out, net.exe)
    assert sorted(os.listdir(tmp_path / "a")) == sorted(os.listdir(tmp_path / "b"))
    with fluid.scope_guard(fluid.Scope()):
        loaded, _, fetches = load(tmp_path / "a")
        assert run(fluid.CompiledProgram(loaded), {"x": X, "more": X[:, :3]}, fetches)[0].shape == (2, 1)


def test_data_that_are_not_fed(net: Net, tmp_path: Path) -> None:
    """PaddlePaddle 1.8.5 writes such a model, and refuses to run it."""
    with pytest.warns(UserWarning, match="got x, needs all on which target_vars depend, more too"):
        net.save(tmp_path, feeds=["x"])
    with fluid.scope_guard(fluid.Scope()):
        program, feeds, fetches = load(tmp_path)
        assert feeds == ["x"]
        with pytest.raises(EnforceNotMet, match="more"):
            run(program, {"x": X}, fetches)


def test_feeds_and_targets_that_do_not_fit(net: Net, tmp_path: Path) -> None:
    wrong = [
        ({"feeds": ["x", "more", "y"]}, ArgumentValueError, "'y', needs Variables on which target_vars depend"),
        ({"feeds": ["x", "nothing"]}, ArgumentValueError, "'nothing'.* Leave it out"),
        ({"feeds": ["x", "mor"]}, ArgumentValueError, "'mor'.* Did you mean 'more'"),
        ({"feeds": [net.out]}, ArgumentTypeError, "feeded_var_names"),
        ({"targets": []}, ArgumentTypeError, "at least one Variable"),
        ({"targets": [net.out.name]}, ArgumentTypeError, "target_vars"),
    ]  # fmt: skip
    for arguments, error, text in wrong:
        with pytest.raises(error, match=text):
            net.save(tmp_path, **arguments)
    with pytest.raises(ArgumentTypeError, match="feeded_var_names"):
        fluid.io.save_inference_model(str(tmp_path), None, [net.out], net.exe, net.main)
    with pytest.raises(ArgumentTypeError, match="executor"):
        fluid.io.save_inference_model(str(tmp_path), ["x", "more"], [net.out], None, net.main)
    other = fluid.Program()
    with fluid.program_guard(other):
        foreign = fluid.data("foreign", [None, 2])
    with pytest.raises(ArgumentValueError, match="'foreign', needs Variables of main_program"):
        net.save(tmp_path, targets=[foreign])
    with fluid.scope_guard(fluid.Scope()), pytest.raises(MissingVariableError, match="Run the startup program"):
        net.save(tmp_path)
    assert os.listdir(tmp_path) == []


def change(name: str, array: np.ndarray):
    return lambda folder: streams.save_tensor(folder / name, array)


SPOILED = {
    "no folder": (lambda f: [p.unlink() for p in f.iterdir()] and f.rmdir(), MissingFileError, "a folder that exists"),
    "no program": (lambda f: (f / "__model__").unlink(), MissingFileError, "needs a file __model__"),
    "no parameter": (lambda f: (f / "out.w_0").unlink(), MissingFileError, "out.w_0"),
    "shape": (change("out.w_0", np.zeros((2, 1), "float32")), ShapeError, r"out.w_0 got shape \[2, 1\], needs \[3, 1\]"),
    "foreign": (lambda f: (f / "__model__").write_bytes(b"PK\x03\x04"), FileFormatError, "__model__: .* ProgramDesc"),
    "cut": (lambda f: (f / "__model__").write_bytes((f / "__model__").read_bytes()[:-2]), FileFormatError, "ProgramDesc"),
    "cut parameter": (lambda f: (f / "out.w_0").write_bytes(b"\0" * 9), FileFormatError, "out.w_0: byte 4"),
}  # fmt: skip


@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_model_changes_nothing(net: Net, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "model"
    net.save(folder)
    spoil, error, text = SPOILED[name]
    spoil(folder)
    with fluid.scope_guard(fluid.Scope()):
        with pytest.raises(error, match=text):
            load(folder)
        assert fluid.global_scope().local_var_names() == []


def test_a_model_of_paddle_2_is_pointed_to(net: Net, tmp_path: Path) -> None:
    net.save(tmp_path, model_filename="m.pdmodel", params_filename="m.pdiparams")
    with pytest.raises(MissingFileError, match=r"There is .*m.pdmodel: pass its folder, model_filename='m.pdmodel'"):
        load(tmp_path / "m")
    with pytest.raises(MissingFileError, match="If another file holds the Program"):
        load(tmp_path)
    with pytest.raises(MissingFileError, match="params_filename for inference models"):
        load(tmp_path, "m.pdmodel")


def test_arguments_of_loading(net: Net, tmp_path: Path) -> None:
    net.save(tmp_path)
    with pytest.raises(ArgumentTypeError, match="executor"):
        fluid.io.load_inference_model(str(tmp_path), None)
    with pytest.raises(ArgumentTypeError, match="dirname got None"):
        fluid.io.load_inference_model(None, net.exe)
    with pytest.raises(ArgumentTypeError, match="model_filename"):
        load(tmp_path, b"bytes")
    assert fluid.io.load_inference_model(str(tmp_path), net.exe, pserver_endpoints=["127.0.0.1:1"])[1] == ["x", "more"]


def test_blocks_of_gradients_are_left_out(tmp_path: Path) -> None:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        x = fluid.data("x", [2, 3])
        i, n = fluid.layers.fill_constant([1], "int64", 0), fluid.layers.fill_constant([1], "int64", 2)
        i.stop_gradient, x.stop_gradient = True, False
        held = fluid.layers.array_write(x, i)
        running = fluid.layers.less_than(i, n)
        loop = fluid.layers.While(running)
        with loop.block():
            after = fluid.layers.fc(fluid.layers.array_read(held, i), 3, param_attr="w", bias_attr=False)
            fluid.layers.increment(i, in_place=True)
            fluid.layers.array_write(after, i, held)
            fluid.layers.less_than(i, n, cond=running)
        out = fluid.layers.array_read(held, i)
        fluid.optimizer.SGD(0.1).minimize(fluid.layers.mean(out))
        result = fluid.layers.cond(fluid.layers.less_than(n, i), lambda: out + 1.0, lambda: out * 2.0)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        expected = exe.run(main.clone(for_test=True), feed={"x": X[:, :3]}, fetch_list=[result])[0]
        fluid.io.save_inference_model(str(tmp_path), ["x"], [result], exe, main)
        program, _, fetches = load(tmp_path)
        types = [op.type for block in program.blocks for op in block.ops]
        assert main.num_blocks > program.num_blocks == 4 and not any("grad" in type for type in types)
        assert [block.idx for block in program.blocks] == [0, 1, 2, 3] and not program.lint()
        assert run(program, {"x": X[:, :3]}, fetches)[0].tolist() == expected.tolist()


@pytest.mark.parametrize("slot", ["feed", "fetch"])
def test_a_model_that_feeds_or_fetches_nothing_is_refused(net, tmp_path: Path, slot: str) -> None:
    net.save(tmp_path)
    program = fluid.Program.parse_from_string((tmp_path / "__model__").read_bytes())
    op = next(op for op in program.global_block().ops if op.type == slot)
    (op.outputs if slot == "feed" else op.inputs).clear()
    (tmp_path / "__model__").write_bytes(program.desc.serialize_to_string())
    with pytest.raises(FileFormatError, match=f"the Program got an operator {slot} of 0 Variables"):
        load(tmp_path)
