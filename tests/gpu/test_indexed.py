"""Sums and writes at indices on a GPU equal those of NumPy, which does them one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.core import indexed
from paddle_lite.core.errors import IndexRangeError
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.fluid import layers
from paddle_lite.kernels import registry
from paddle_lite.kernels.gpu.support import sorting
from paddle_lite.kernels.gpu.support.indexed import add_at, write_at
from tests.gpu.on_stand_in import on_stand_in
from tests.ops import stand_in


@pytest.fixture(autouse=True, scope="module")
def simulated() -> Iterator[None]:
    registry.use_gpu_module(np, kernels=True)
    yield
    registry.use_gpu_module(None)


def draws(shape: tuple[int, ...], depth: int, count: int, seed: int, dtype: str) -> tuple:
    rng = np.random.RandomState(seed)
    index = tuple(rng.randint(-size, size, (count, 1)[: 1 + seed % 2]) for size in shape[:depth])
    values = rng.randint(-9, 9, (*index[0].shape, *shape[depth:])).astype(dtype)
    return rng.randint(-9, 9, shape).astype(dtype), index if depth > 1 or seed % 3 else index[0], values


@pytest.mark.parametrize("span", [sorting.SPAN, 8])
@pytest.mark.parametrize("count", [1, 2, 3, 31, 50])
def test_rows_are_sorted_and_equal_ones_keep_their_order(monkeypatch, span, count):
    monkeypatch.setattr(sorting, "SPAN", span)
    drawn = np.random.RandomState(count).randint(0, 9, count)
    rows, order = sorting.sorted_rows(drawn)
    assert order.tolist() == drawn.argsort(kind="stable").tolist() and rows.tolist() == drawn[order].tolist()


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple), st.integers(1, 3), st.integers(0, 9),
    st.integers(0, 99), st.sampled_from(["float16", "float32", "float64", "int64", "int32"]),
)  # fmt: skip
@settings(max_examples=15)
def test_random_indices(shape, depth, count, seed, dtype):
    out, index, values = draws(shape, min(depth, len(shape)), count, seed, dtype)
    for ours, reference in ((add_at, np.add.at), (write_at, np.ndarray.__setitem__)):
        actual, expected = out.copy(), out.copy()
        ours(actual, index, values)
        reference(expected, index, values)
        assert actual.tolist() == expected.tolist()
    host = out.copy()
    indexed.add_at(np, host, index, values)
    expected = out.copy()
    np.add.at(expected, index, values)
    assert host.tolist() == expected.tolist()


def test_slices_broadcast_values_and_views():
    out = np.zeros((3, 4, 2), "float32")
    for target in (out, out.transpose(1, 0, 2)[:3]):
        expected = target.copy()
        add_at(target, (slice(None), np.array([1, 1, 2])), np.float32(1))
        np.add.at(expected, (slice(None), np.array([1, 1, 2])), np.float32(1))
        assert target.tolist() == expected.tolist() and expected.max() > 1


def test_references_reach_the_kernels(monkeypatch):
    launched = []
    module = registry.importlib.import_module("paddle_lite.kernels.gpu.support.indexed")
    monkeypatch.setattr(module, "launch", lambda kernel, *arguments: launched.append(kernel.__name__))
    sparse = SelectedRows(np.array([2, 0, 2]), np.ones((3, 2), "float32"), 4)
    sparse.merged(stand_in.module)
    indexed.write_at(stand_in.module, np.zeros(3), np.array([1, 1]), np.ones(2))
    assert launched == ["added_rows", "last_rows"]


def test_a_wrong_index_is_raised_at_the_next_copy_to_the_host_without_a_wait_before():
    with on_stand_in(kernels=True) as gpu, fluid.dygraph.guard(fluid.CUDAPlace(0)):
        x, index = (fluid.dygraph.to_variable(a) for a in (np.ones((3, 2), "float32"), np.array([0, 4])))
        before = len(gpu.downloads)
        picked = layers.gather(x, index)
        assert len(gpu.downloads) == before
        with pytest.raises(IndexRangeError, match=r"gather: Input\(Index\) got 4, needs indices from 0 to 2"):
            picked.numpy()
        assert layers.gather(x, index[:1]).numpy().tolist() == [[1.0, 1.0]]
        out = layers.softmax(x)
        loss = layers.cross_entropy(out, fluid.dygraph.to_variable(np.array([[0], [7], [-100]])))
        with pytest.raises(IndexRangeError, match="label 7, needs 0 to 1"):
            loss.numpy()
