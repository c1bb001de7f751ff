"""fluid.layers.py_reader and what belongs to it, as PaddlePaddle 1.8.5 has it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ModeError

layers = fluid.layers


def batches() -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for i in range(3):
        yield np.full([2, 2], i, "float32"), np.full([2, 1], i, "int64")


def samples() -> Iterator[tuple[np.ndarray, int]]:
    for i in range(5):
        yield np.full([2], i), i


def epoch(reader: Any, variable: Any) -> list[list[float]]:
    found, exe = [], fluid.Executor(fluid.CPUPlace())
    reader.start()
    try:
        while True:
            found.append(exe.run(fetch_list=[variable])[0].reshape(-1).tolist())
    except fluid.core.EOFException:
        reader.reset()
    return found


def test_a_reader_feeds_the_program(programs: Any) -> None:
    reader = layers.py_reader(4, [(-1, 2), (-1, 1)], ["float32", "int64"])
    assert (reader.name, reader.type, reader.persistable) == (
        "double_buffer_0",
        fluid.core.VarDesc.VarType.READER,
        True,
    )
    assert repr(reader) == "<reader double_buffer_0 of [-1, 2] fp32, [-1, 1] int64>"
    image, label = layers.read_file(reader)
    assert [v.name for v in (image, label)] == ["read_file_0.tmp_0", "read_file_0.tmp_1"]
    assert [(v.shape, v.dtype, v.stop_gradient) for v in (image, label)] == [
        ((-1, 2), "float32", True), ((-1, 1), "int64", True),
    ]  # fmt: skip
    twice = layers.scale(image, 2.0)
    assert programs.lint() == []
    fluid.Executor(fluid.CPUPlace()).run(fluid.default_startup_program())
    reader.reset()
    reader.decorate_tensor_provider(batches)
    for _ in range(2):
        assert epoch(reader, twice) == [[0.0] * 4, [2.0] * 4, [4.0] * 4]
    reader.decorate_paddle_reader(paddle.batch(samples, 2))
    assert epoch(reader, label) == [[0, 1], [2, 3], [4]]
    reader.decorate_batch_generator(batches)
    reader.decorate_sample_list_generator(paddle.batch(samples, 3))
    assert epoch(reader, label) == [[0, 1, 2], [3, 4]]


def test_names_levels_and_one_variable(programs: Any) -> None:
    reader = layers.py_reader(4, [(-1, 1)], ["int64"], lod_levels=[1], name="words", use_double_buffer=False)
    words = layers.read_file(reader)
    assert (reader.name, words.lod_level, layers.read_file(reader)) == ("words_reader", 1, words)
    assert layers.double_buffer(reader, name="other") is reader
    assert layers.py_reader(4, [(-1, 1)], ["int64"], name="two").name == "two_double_buffer"
    reader.decorate_sample_list_generator(lambda: [[([1, 2],), ([3],)]])
    reader.start()
    [tensor] = fluid.Executor().run(fetch_list=[words], return_numpy=False)
    assert tensor.lod() == [[0, 2, 3]]
    reader.reset()


def test_variables_that_look_like_others(programs: Any) -> None:
    a, b = fluid.data("a", [None, 2], "float32"), fluid.data("b", [None, 1], "int64")
    reader = layers.create_py_reader_by_data(4, [a, b], name="rr")
    image, label = layers.read_file(reader)
    assert reader.name == "rr_double_buffer" and image is not a and label.name == "read_file_0.tmp_1"
    reader.decorate_batch_generator(batches)
    assert len(epoch(reader, image)) == 3
    reader.decorate_batch_generator(lambda: [(np.ones([2, 2]), np.ones([2, 1]))])
    reader.start()
    with pytest.raises(DtypeError, match=r"feed\['read_file_0\.tmp_0'\] got dtype float64"):  # as fluid.data has it
        fluid.Executor().run(fetch_list=[image])
    reader.reset()


def test_two_readers_in_one_program(programs: Any) -> None:
    one, two = (layers.py_reader(2, [(-1, 1)], ["int64"]) for _ in range(2))
    both = layers.concat([layers.read_file(one), layers.read_file(two)], axis=1)
    for reader, count in ((one, 3), (two, 2)):
        reader.decorate_batch_generator(lambda n=count: [[np.full([1, 1], 10 * n + i)] for i in range(n)])
    two.start()
    assert epoch(one, both) == [[30, 20], [31, 21]]
    two.reset()


def test_what_they_need(programs: Any) -> None:
    with pytest.raises(ArgumentTypeError, match="py_reader: shapes got int 3, needs a list"):
        layers.py_reader(2, 3, ["int64"])
    with pytest.raises(ArgumentTypeError, match="py_reader: shapes got int -1, needs a list of sizes"):
        layers.py_reader(2, [-1], ["int64"])
    with pytest.raises(ArgumentValueError, match="py_reader: dtypes got 2 of them, needs 1, one for each Variable"):
        layers.py_reader(2, [(-1, 2)], ["float32", "int64"])
    with pytest.raises(ArgumentValueError, match="py_reader: shapes got 0 of them, needs at least 1"):
        layers.py_reader(2, [], [])
    with pytest.raises(ArgumentValueError, match="py_reader: capacity got str 'a'"):
        layers.py_reader("a", [(-1, 2)], ["float32"])
    with pytest.raises(ArgumentTypeError, match="create_py_reader_by_data: feed_list got str 'a'"):
        layers.create_py_reader_by_data(2, ["a"])
    with pytest.raises(ArgumentValueError, match="feed_list got none, needs at least one"):
        layers.create_py_reader_by_data(2, [])
    for call in (layers.read_file, layers.double_buffer):
        with pytest.raises(ArgumentTypeError, match=r"reader got Variable of shape .*, needs what py_reader"):
            call(fluid.data("x", [None, 2]))
    with fluid.dygraph.guard(), pytest.raises(ModeError, match="py_reader: the mode got imperative mode"):
        layers.py_reader(2, [(-1, 2)], ["float32"])


def test_a_program_pushes_its_own_batches() -> None:
    """As measured on 1.8.5: what waits is taken after the queue was closed, then the epoch has ended."""
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        reader = fluid.layers.py_reader(capacity=3, shapes=[(-1, 2), (-1, 1)], dtypes=["float32", "int64"])
        x, _ = fluid.layers.read_file(reader)
        twice, executor, queue = fluid.layers.scale(x, 2.0), fluid.Executor(), reader.queue

        def push(rows: int) -> bool:
            return queue.push([np.full((rows, 2), rows, "float32"), np.zeros((rows, 1), "int64")])

        assert [push(2), push(3), queue.size(), queue.capacity()] == [True, True, 2, 3]
        (first,) = executor.run(fetch_list=[twice])
        queue.close()
        assert (first.tolist(), push(1), queue.size()) == ([[4, 4]] * 2, False, 1)
        (second,) = executor.run(fetch_list=[twice])
        assert second.shape == (3, 2)
        with pytest.raises(fluid.core.EOFException):
            executor.run(fetch_list=[twice])
        reader.reset()
        assert push(4)
        (third,) = executor.run(fetch_list=[twice])
        assert third.shape == (4, 2)
        reader.reset()
        later = threading.Timer(0.05, push, [5])  # the run waits for the first batch
        later.start()
        (fourth,) = executor.run(fetch_list=[twice])
        later.join()
        assert fourth.shape == (5, 2)
        reader.reset()
        reader.decorate_batch_generator(lambda: iter([[np.ones((1, 2), "float32"), np.ones((1, 1), "int64")]]))
        reader.start()
        assert reader.thread is not None
        with pytest.raises(ModeError, match="reads from a generator"):
            push(1)
        reader.reset()
        queue.kill()
        with pytest.raises(fluid.core.EOFException):
            executor.run(fetch_list=[twice])
        reader.reset()
