"""Data that is read by index, as PaddlePaddle 1.8.5 reads it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError

CPU = fluid.CPUPlace()
BatchSampler, DataLoader, collate = fluid.io.BatchSampler, fluid.io.DataLoader, fluid.io.default_collate_fn


class Numbers(fluid.io.Dataset):
    def __init__(self, count: int = 5) -> None:
        self.count = count

    def __getitem__(self, idx: int) -> tuple[np.ndarray, np.ndarray]:
        if idx == 99:
            raise KeyError("no such sample")
        return np.full([2], idx, "float32"), np.array([idx])

    def __len__(self) -> int:
        return self.count


def test_a_dataset_is_to_be_extended() -> None:
    with pytest.raises(NotImplementedError, match="__getitem__"):
        fluid.io.Dataset()[0]
    with pytest.raises(NotImplementedError, match="__len__"):
        len(fluid.io.Dataset())


@given(st.integers(0, 20), st.integers(1, 7), st.booleans(), st.booleans())
def test_batches_of_indices(count: int, size: int, shuffle: bool, drop_last: bool) -> None:
    sampler = BatchSampler(Numbers(count), shuffle=shuffle, batch_size=size, drop_last=drop_last)
    batches = list(sampler)
    assert len(batches) == len(sampler) == (count // size if drop_last else -(-count // size))
    found = [index for batch in batches for index in batch]
    assert all(len(batch) == size for batch in batches[:-1]) and len(set(found)) == len(found)
    if not shuffle:
        assert found == list(range(len(found)))


def test_samplers() -> None:
    assert list(BatchSampler(indices=[3, 1, 4], batch_size=2)) == [[3, 1], [4]]
    np.random.seed(0)
    assert list(BatchSampler(Numbers(), batch_size=2, shuffle=True)) == [[2, 0], [1, 3], [4]]  # Paddle's order


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({}, ArgumentValueError, "got neither, needs one"),
        ({"dataset": Numbers(), "indices": [1]}, ArgumentValueError, "got both, needs one"),
        ({"dataset": [1]}, ArgumentTypeError, "dataset got list"),
        ({"indices": 5}, ArgumentTypeError, "indices got int 5"),
        ({"indices": [1], "batch_size": 0}, ArgumentValueError, "batch_size got int 0"),
        ({"indices": [1], "batch_size": 2.0}, ArgumentValueError, "batch_size got float"),
        ({"indices": [1], "shuffle": 1}, ArgumentTypeError, "shuffle got int 1"),
        ({"indices": [1], "drop_last": 1}, ArgumentTypeError, "drop_last got int 1"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_a_sampler_needs(arguments: dict[str, Any], error: type, text: str) -> None:
    with pytest.raises(error, match=text):
        BatchSampler(**arguments)


def test_samples_are_collated() -> None:
    values, numbers = collate([(np.ones(2, "float32"), 1), (np.zeros(2, "float32"), 2)])
    assert (values.dtype, values.tolist(), numbers.dtype, numbers.tolist()) == (
        "float32",
        [[1, 1], [0, 0]],
        "int64",
        [1, 2],
    )
    assert [array.shape for array in collate([np.ones(2), np.zeros(2)])] == [(2, 2)]
    with pytest.raises(ArgumentTypeError, match="a sample got int 1, needs a tuple of values"):
        collate([1, 2])
    with pytest.raises(ShapeError, match=r"samples got \[1, 2\] values"):
        collate([(1,), (1, 2)])
    with pytest.raises(ShapeError, match="value 1 of the samples got several shapes"):
        collate([(1, np.ones(1)), (1, np.ones(2))])


@pytest.mark.parametrize("workers", [0, 3])
def test_in_imperative_mode(workers: int) -> None:
    with fluid.dygraph.guard():
        loader = DataLoader(Numbers(), places=CPU, batch_size=2, return_list=True, num_workers=workers)
        assert len(loader) == 3
        for _ in range(2):
            assert [number.numpy().reshape(-1).tolist() for _, number in loader()] == [[0, 1], [2, 3], [4]]
        many = DataLoader(Numbers(50), num_workers=workers)
        assert [int(number.numpy()[0, 0]) for _, number in many] == list(range(50))


@pytest.mark.parametrize("workers", [0, 2])
def test_in_static_mode(programs: Any, workers: int) -> None:
    x, y = fluid.data("x", [None, 2], "float32"), fluid.data("y", [None, 1], "int64")
    total, exe = fluid.layers.reduce_sum(x), fluid.Executor(CPU)
    loader = DataLoader(Numbers(), [x, y], CPU, batch_size=2, num_workers=workers)
    assert [float(exe.run(feed=feed, fetch_list=[total])[0][0]) for feed in loader] == [2, 10, 8]
    [[values, _]] = next(iter(DataLoader(Numbers(), [x, y], [CPU], batch_size=2, drop_last=True, return_list=True)))
    assert values.shape() == [2, 2]
    both = list(DataLoader(Numbers(), [x, y], [CPU, CPU], batch_size=2))
    assert [[feed["x"].shape() for feed in feeds] for feeds in both] == [[[2, 2], [2, 2]]]
    sampled = DataLoader(
        Numbers(),
        [x, y],
        CPU,
        batch_sampler=BatchSampler(indices=[3, 1], batch_size=3),
        collate_fn=lambda s: collate(s[::-1]),
    )
    assert [np.array(feed["y"]).tolist() for [feed] in sampled] == [[[1], [3]]]


@pytest.mark.parametrize("workers", [0, 2])
def test_errors_reach_the_loop(workers: int) -> None:
    with fluid.dygraph.guard(), pytest.raises(KeyError, match="no such sample"):
        list(DataLoader(Numbers(100), num_workers=workers))


@pytest.mark.parametrize("workers", [0, 2])
def test_a_dataset_that_raises_stop_iteration_does_not_end_the_epoch(workers: int) -> None:
    class Ends(Numbers):
        def __getitem__(self, idx: int) -> Any:
            return next(iter([])) if idx == 3 else super().__getitem__(idx)

    with fluid.dygraph.guard(), pytest.raises(RuntimeError, match="StopIteration"):
        list(DataLoader(Ends(), num_workers=workers))


def test_lists_of_static_mode_need_no_variables(programs: Any) -> None:
    batches = list(DataLoader(Numbers(3), places=CPU, batch_size=2, return_list=True))
    assert [[type(each) for each in values] for (values,) in batches] == [[fluid.LoDTensor] * 2] * 2
    np.testing.assert_array_equal(np.array(batches[1][0][0]), [[2, 2]])


def test_what_a_loader_needs(programs: Any) -> None:
    x = fluid.data("x", [None, 2], "float32")
    with pytest.raises(
        ArgumentTypeError, match=r"dataset got list \[1\], needs a fluid\.io\.Dataset\. DataLoader.from_gen"
    ):
        DataLoader([1], [x], CPU)
    for arguments in ({"num_workers": -1}, {"timeout": -1}):
        with pytest.raises(ArgumentValueError, match="got int -1, needs an int of 0 or more"):
            DataLoader(Numbers(), [x], CPU, **arguments)
    with pytest.raises(ArgumentValueError, match="batch_sampler got one, with batch_size"):
        DataLoader(Numbers(), [x], CPU, batch_size=2, batch_sampler=BatchSampler(indices=[0]))
    with pytest.raises(ArgumentValueError, match="places got none"):
        DataLoader(Numbers(), [x])
    with pytest.raises(ArgumentValueError, match="feed_list got none"):
        DataLoader(Numbers(), places=CPU)
    with pytest.raises(ArgumentValueError, match="a batch got 2 values, needs 1: x"):
        list(DataLoader(Numbers(), [x], CPU))


def test_a_dataset_longer_than_memory_is_read_in_order_without_a_list_of_its_indices() -> None:
    batches = iter(BatchSampler(Numbers(2**60), batch_size=2))
    assert [next(batches), next(batches)] == [[0, 1], [2, 3]]
