"""Loaders of generators in imperative mode."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    ModeError,
    ShapeError,
)
from paddle_lite.reader.generator_loader import DataLoaderBase, GeneratorLoader, keep_data_loader_order
from paddle_lite.reader.loader import DataLoader, PyReader


def samples() -> Iterator[tuple[np.ndarray, int]]:
    for i in range(5):
        yield np.full([2], i, "float32"), i


def batches() -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for i in range(3):
        yield np.full([2, 2], i, "float32"), np.full([2, 1], i, "int64")


def threads() -> int:
    return sum(thread.name == "paddle_lite reader" for thread in threading.enumerate())


def lists(loader: Any) -> list[list[Any]]:
    return [[variable.numpy().tolist() for variable in batch] for batch in loader]


@pytest.fixture
def imperative() -> Iterator[None]:
    with fluid.dygraph.guard():
        yield


@pytest.fixture
def loader(imperative: None) -> GeneratorLoader:
    return DataLoader.from_generator(capacity=2, return_list=True)


def test_batches_come_as_they_are(loader: GeneratorLoader) -> None:
    assert loader.set_batch_generator(batches, places=[fluid.CPUPlace()]) is loader
    for _ in range(2):  # epochs
        found = list(loader())
        assert [(image.shape, label.shape) for image, label in found] == [([2, 2], [2, 1])] * 3
        assert all(variable.stop_gradient for batch in found for variable in batch)
        assert [label.numpy()[0, 0] for _, label in found] == [0, 1, 2]
    assert not threads()


def test_samples_are_stacked(loader: GeneratorLoader) -> None:
    loader.set_sample_generator(samples, batch_size=2)
    assert lists(loader) == [[[[0.0, 0.0], [1.0, 1.0]], [0, 1]], [[[2.0, 2.0], [3.0, 3.0]], [2, 3]]]
    loader.set_sample_generator(samples, batch_size=2, drop_last=False)
    assert lists(loader)[2] == [[[4.0, 4.0]], [4]]
    loader.set_sample_list_generator(paddle.batch(samples, 4), fluid.CPUPlace())
    assert [len(label) for _, label in lists(loader)] == [4, 1]


def test_numbers_and_lists_as_numpy_takes_them(loader: GeneratorLoader) -> None:
    loader.set_sample_list_generator(lambda: iter([[(1.5, 2), (2.5, 3)], [([1.0, 2.0], 3)]]))
    found = [(variable.array.dtype.name, variable.shape) for batch in loader for variable in batch]
    assert found == [("float64", [2]), ("int64", [2]), ("float64", [1, 2]), ("int64", [1])]


def test_a_generator_may_use_its_array_again(loader: GeneratorLoader) -> None:
    def refilled() -> Iterator[list[np.ndarray]]:
        array = np.zeros([2], "float32")
        for i in range(4):
            array[:] = i
            yield [array]

    assert lists(loader.set_batch_generator(refilled)) == [[[i, i]] for i in range(4)]


def test_a_loop_that_is_left_leaves_no_thread(loader: GeneratorLoader) -> None:
    loader.set_batch_generator(lambda: iter([[np.ones(2)]] * 100))
    for _ in loader():
        assert threads() == 1
        break
    assert not threads()
    first, second = iter(loader), iter(loader)
    assert next(first)[0].shape == next(second)[0].shape == [2]
    del first, second
    assert not threads()


def test_an_error_of_the_generator_reaches_the_loop(loader: GeneratorLoader) -> None:
    def failing() -> Iterator[list[np.ndarray]]:
        yield [np.ones(2)]
        raise KeyError("no such file")

    seen = []
    with pytest.raises(KeyError, match="no such file"):
        for [variable] in loader.set_batch_generator(failing):
            seen.append(variable.shape)
    assert seen == [[2]]
    assert not threads()


def test_no_more_than_its_capacity_waits(imperative: None) -> None:
    made = []

    def counted() -> Iterator[list[np.ndarray]]:
        for i in range(50):
            made.append(i)
            yield [np.ones(2)]

    for taken, _ in enumerate(DataLoader.from_generator(capacity=3).set_batch_generator(counted), start=1):
        assert len(made) <= taken + 4  # three wait and one is about to
    assert len(made) == 50


def test_pyreader_reads_in_three_ways(imperative: None) -> None:
    reader = PyReader(capacity=2, return_list=True)
    reader.decorate_batch_generator(batches, places=fluid.CPUPlace())
    assert [label for _, label in lists(reader())] == [[[i], [i]] for i in range(3)]
    reader.decorate_sample_generator(samples, batch_size=2)
    assert [label for _, label in lists(reader)] == [[0, 1], [2, 3]]
    reader.decorate_sample_list_generator(paddle.batch(samples, 3))
    assert [label for _, label in lists(reader)] == [[0, 1, 2], [3, 4]]


@pytest.mark.parametrize("capacity", [None, 0, -1, "a", True])
def test_capacity_is_needed(imperative: None, capacity: Any) -> None:
    with pytest.raises(ArgumentValueError, match=r"DataLoader.from_generator: capacity got .*, needs how many"):
        DataLoader.from_generator(capacity=capacity)
    with pytest.raises(ArgumentValueError, match="PyReader: capacity"):
        PyReader(capacity=capacity)


def test_what_it_does_not_take(loader: GeneratorLoader) -> None:
    with pytest.raises(ModeError, match="the generator got none yet"):
        next(iter(loader))
    with pytest.raises(ArgumentTypeError, match="not what it returns"):
        loader.set_batch_generator(batches())  # type: ignore[arg-type]
    with pytest.raises(ArgumentValueError, match="places got 2 places, needs one"):
        loader.set_batch_generator(batches, places=fluid.cpu_places(2))
    with pytest.raises(ShapeError, match="value 0 of a batch got samples of several shapes"):
        lists(loader.set_sample_list_generator(lambda: iter([[(np.ones(2),), (np.ones(3),)]])))
    with pytest.raises(TypeError, match=r"a value of a batch got values of shapes \[2\], \[3\], needs one shape"):
        GeneratorLoader._check_input_array([np.ones(2), np.ones(3)])
    np.testing.assert_array_equal(GeneratorLoader._check_input_array([[1, 2]]), np.array([[1, 2]]))
    with pytest.raises(DtypeError, match="value 1 of a batch got dtype <U5"):
        lists(loader.set_batch_generator(lambda: iter([[np.ones(2), ["a", "words"]]])))
    with pytest.raises(ArgumentTypeError, match=r"dataset got NoneType None, needs a data set of files"):
        DataLoader.from_dataset(None, fluid.CPUPlace())
    for call in (loader.start, loader.reset):
        with pytest.raises(ModeError, match=r"got one that iterates, needs iterable=False"):
            call()


def test_a_loader_has_an_epoch_of_its_own(loader: GeneratorLoader) -> None:
    loader.set_batch_generator(batches)
    for _ in range(2):
        assert [next(loader)[1].numpy()[0, 0], loader.next()[1].numpy()[0, 0], len(next(loader))] == [0, 1, 2]
        with pytest.raises(StopIteration):
            next(loader)
    assert not threads()


def test_a_loader_of_a_user() -> None:
    class Own(DataLoaderBase):
        def __iter__(self) -> Iterator[int]:
            return iter([1, 2])

    own = Own()
    assert list(own()) == [1, 2]
    with pytest.raises(NotImplementedError, match=r"Own.__next__"):
        own.next()
    with pytest.raises(NotImplementedError, match=r"DataLoaderBase.__iter__"):
        iter(DataLoaderBase())


def test_every_loader_is_a_data_loader_base() -> None:
    with fluid.dygraph.guard():
        assert isinstance(fluid.io.DataLoader.from_generator(capacity=2), DataLoaderBase)
        assert isinstance(fluid.io.PyReader(capacity=2), DataLoaderBase)


def test_the_order_of_batches_is_a_bool() -> None:
    keep_data_loader_order(False)
    with pytest.raises(ArgumentTypeError, match="keep_data_loader_order: keep got"):
        keep_data_loader_order(1)  # type: ignore[arg-type]


def test_an_epoch_is_ended_by_reset() -> None:
    with fluid.dygraph.guard():
        loader = fluid.io.DataLoader.from_generator(capacity=2)
        loader.set_batch_generator(lambda: ([np.full([1], i, "float32")] for i in range(3)))
        assert [next(loader)[0].numpy()[0], next(loader)[0].numpy()[0]] == [0.0, 1.0]
        loader._reset()
        assert next(loader)[0].numpy()[0] == 0.0
        loader._reset()
