"""Operators of servers, of closed tables, of files and of readers, appended by hand; expected is what PaddlePaddle 1.8.5 appends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.dtype import VarType
from paddle_lite.core.errors import EnforceNotMet, NotYetAvailable

layers = fluid.layers


@pytest.fixture
def main() -> Any:
    program = fluid.Program()
    with fluid.program_guard(program, fluid.Program()):
        yield program


def _listed(program: Any) -> list[tuple[str, dict[str, list[str]]]]:
    return [(op.type, {slot: names for slot, names in op.inputs.items() if names}) for op in program.global_block().ops]


def test_sending_and_receiving(main: Any) -> None:
    x, y = fluid.data("x", [2, 3]), fluid.data("y", [2, 3])
    assert layers.io.Send("a:1,b:2", [x]) is None
    layers.io.Send("a:1", [x], [y], sync=False)
    assert layers.io.Recv("a:1,b:2", [x, y], dummy_input=y) == [x, y]
    assert _listed(main) == [
        ("send", {"X": ["x"]}),
        ("send_barrier", {}),
        ("send", {"X": ["x"]}),
        ("recv", {"X": ["y"]}),
        ("fetch_barrier", {}),
    ]
    send, barrier, _, recv, fetched = main.global_block().ops
    assert send.attr("epmap") == barrier.attr("endpoints") == recv.attr("epmap") == ["a:1", "b:2"]
    assert fetched.attr("endpoints") == ["a:1", "b:2"]
    assert recv.output("Out") == ["x", "y"]


@pytest.mark.parametrize("call", ["Send", "Recv"])
def test_what_cannot_be_sent(main: Any, call: str) -> None:
    x = fluid.data("x", [2, 3])
    with pytest.raises(AssertionError, match="needs a list of Variables"):
        getattr(layers.io, call)("a:1", x)
    with pytest.raises(AttributeError, match="Join addresses by commas"):
        getattr(layers.io, call)(["a:1"], [x])
    assert main.global_block().ops == []


def test_a_server(main: Any) -> None:
    x = fluid.data("x", [2, 3])
    server = layers.io.ListenAndServ("127.0.0.1:6174", [x], fan_in=2, optimizer_mode=False)
    with server.do():
        layers.scale(x, 2.0)
        assert server.parent_block().idx == 0
        assert [[each.name for each in side] for side in server.get_params_and_grads()] == [["x"], ["x"]]
    (op,) = main.global_block().ops
    assert (op.type, op.input("X"), op.attr("Fanin"), op.attr("endpoint")) == (
        "listen_and_serv",
        ["x"],
        2,
        server.endpoint,
    )
    assert (op.attr("distributed_mode"), op.attr("grad_to_block_id")) == (0, [""])
    assert [block.idx for block in op.attrs["optimize_blocks"]] == [1]
    with pytest.raises(AssertionError, match="inside of do"):
        server.parent_block()
    with pytest.raises(ZeroDivisionError), server.do():
        _ = 1 / 0
    assert len(main.global_block().ops) == 1
    with pytest.raises(TypeError, match="a ListenAndServ"):
        layers.io.BlockGuardServ(main)


def test_what_a_server_updates(main: Any) -> None:
    block = main.global_block()
    p, g, rate = (
        block.create_var(name=each, shape=[1], dtype="float32", persistable=True) for each in ("p", "g", "rate")
    )
    server = layers.io.ListenAndServ("127.0.0.1:6174", [g])
    with server.do():
        main.current_block().append_op("sgd", {"Param": p, "Grad": g, "LearningRate": rate}, {"ParamOut": p})
        layers.relu(p)
        assert server.get_params_and_grads() == (["p"], ["g"])


def test_other_addresses(main: Any) -> None:
    x = fluid.data("x", [2, 3])
    layers.io.Send("a:1,b:1", [x])
    main.global_block().append_op("checkpoint_notify", attrs={"epmap": ["a:1"], "dir": "d", "lookup_table": "t"})
    layers.relu(x)
    assert fluid.io._endpoints_replacement(main, ["c:3"]) is main
    send, barrier, notify, relu = main.global_block().ops
    assert (send.attr("epmap"), notify.attr("epmap"), barrier.attr("endpoints")) == (["c:3"], ["c:3"], ["a:1", "b:1"])
    assert relu.type == "relu"
    with pytest.raises(EnforceNotMet, match="needs a Program"):
        fluid.io._endpoints_replacement("main", ["c:3"])


# --- tables of closed servers ------------------------------------------------------------------------------------------------


def test_rows_of_pslib(main: Any) -> None:
    column, ids = fluid.data("column", [None, 1], "int64"), fluid.data("ids", [None, 3], "int64")
    out = layers.nn._pull_sparse(column, 4, 7, "DownpourCtrAccessor", "table", "click", 2, "float32", False)
    assert (out.shape, out.name) == ((-1, 4), "table.tmp_0")
    assert layers.nn._pull_sparse_v2(ids, 4, 0, "DownpourCtrAccessor").shape == (-1, 3, 4)
    both = layers.nn._pull_sparse_v2([ids, column], 4, 0, "DownpourCtrAccessor", "other", dtype="float64")
    assert [each.shape for each in both] == [(-1, 3, 4), (-1, 1, 4)]
    op, table = main.global_block().ops[0], main.global_block().var("table")
    assert (table.persistable, table.shape, op.input("W")) == (True, (4,), ["table"])
    expected = {
        "EmbeddingDim": 4, "ScaleSparseGrad": False, "CtrLabelName": "click", "PaddingId": 2, "InputNames": ["column"],
        "AccessorClass": "DownpourCtrAccessor", "is_distributed": True, "TableId": 7,
    }  # fmt: skip
    assert {name: op.attr(name) for name in expected} == expected
    with pytest.raises(NotYetAvailable, match="PSLib"):
        fluid.Executor().run(main, {"column": np.ones([2, 1], "int64"), "ids": np.ones([2, 3], "int64")}, [out])


def test_rows_of_boxps(main: Any) -> None:
    column = fluid.data("column", [None, 1], "int64")
    assert layers.nn._pull_box_sparse(column, 4).shape == (-1, 4)
    assert [each.shape for each in layers.nn._pull_box_sparse([column, column], 5)] == [(-1, 5), (-1, 5)]
    assert [op.attr("size") for op in main.global_block().ops] == [4, 5]


def test_wrong_lookups(main: Any) -> None:
    ids = fluid.data("ids", [None, 3], "int64")
    for call, arguments, error, text in (
        ("_pull_sparse", (ids, 4, 0, "Downpour"), EnforceNotMet, r"needs \[n, 1\]"),
        ("_pull_sparse_v2", (ids, 4, 0, 3), TypeError, "accessor_class"),
        ("_pull_sparse_v2", (3, 4, 0, "Downpour"), TypeError, "a Variable"),
        ("_pull_sparse_v2", (ids, [4, 4], 0, "Downpour"), TypeError, "size"),
        ("_pull_box_sparse", (ids, 4), EnforceNotMet, "one id a row"),
        ("_pull_box_sparse", (ids, 4, "float64"), ValueError, "float32"),
    ):
        with pytest.raises(error, match=text):
            getattr(layers.nn, call)(*arguments)
    assert main.global_block().ops == []


# --- files and readers -------------------------------------------------------------------------------------------------------


def test_files_of_a_run(main: Any, tmp_path: Path) -> None:
    """1.8.5 raises in these three calls; `layers.load` reads what the first one writes."""
    x = fluid.data("x", [2])
    layers.tensor.save(x, str(tmp_path / "one"))
    layers.tensor.save_combine([x, x * 2.0], str(tmp_path / "two"))
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(main, {"x": np.array([1, 2], "float32")})
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        a, b, c = (layers.create_tensor("float32") for _ in range(3))
        layers.load(a, str(tmp_path / "one"))
        layers.tensor.load_combine([b, c], str(tmp_path / "two"))
        found = exe.run(fluid.default_main_program(), fetch_list=[a, b, c])
    assert [each.tolist() for each in found] == [[1, 2], [1, 2], [2, 4]]
    layers.tensor.save(x, str(tmp_path / "one"), overwrite=False)
    with pytest.raises(EnforceNotMet, match="one"):
        exe.run(main, {"x": np.array([1, 2], "float32")})


def test_wrong_files(main: Any, tmp_path: Path) -> None:
    x = fluid.data("x", [2])
    for call in (
        lambda: layers.tensor.save(3, "path"),
        lambda: layers.tensor.save(x, 3),
        lambda: layers.tensor.save_combine(x, "path"),
        lambda: layers.tensor.load_combine([3], "path"),
    ):
        with pytest.raises(TypeError, match="needs a"):
            call()
    assert main.global_block().ops == []


def test_copies_of_readers(main: Any) -> None:
    image = fluid.data("image", [None, 3])
    reader = layers.io._py_reader(2, [[-1, 2], [-1, 1]], ["float32", "int64"], name="mine")
    assert (reader.name, reader.type, reader.stop_gradient) == ("mine_double_buffer", VarType.READER, True)
    of_data = layers.io._py_reader(2, None, None, feed_list=[image])
    assert [each.shape for each in (layers.read_file(of_data),)] == [(-1, 3)]
    other = fluid.Program().global_block()
    first = fluid.reader._copy_reader_var_(other, reader)
    assert (first.name, first.persistable, first.desc.shapes()) == (reader.name, True, [[-1, 2], [-1, 1]])
    again = layers.io._copy_reader_var_(fluid.Program().global_block(), first)
    assert again.desc.dtypes() == [VarType.FP32, VarType.INT64]
    queue = main.global_block().create_var(name="queue", type=VarType.RAW)
    made = main.global_block().create_var(name=reader.name, type=VarType.READER)
    attrs = {"shape_concat": [-1, 2], "ranks": [2], "lod_levels": [0]}
    op = main.global_block().append_op("create_py_reader", {"blocking_queue": queue}, {"Out": made}, attrs)
    with pytest.raises(ValueError, match="queue"):
        layers.io._copy_reader_create_op_(other, op)
    other.create_var(name="queue", type=VarType.RAW)
    copy = layers.io._copy_reader_create_op_(other, op)
    assert (copy.type, copy.input("blocking_queue"), copy.output("Out")) == (op.type, ["queue"], [reader.name])
    assert copy.attr("shape_concat") == [-1, 2]
    for wrong in (lambda: layers.io._copy_reader_var_(other, 3), lambda: layers.io._copy_reader_create_op_(other, 3)):
        with pytest.raises(AttributeError, match="int 3"):
            wrong()
    with pytest.raises(TypeError, match="a feed_list"):
        layers.io._py_reader(2, None, None)
