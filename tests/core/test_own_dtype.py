"""Arrays from outside have NumPy's own object for their dtype, by which kernels are chosen; those out of a pickle have another."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.dtype import in_own_dtype
from paddle_lite.static.execution.feeding import convert_feed

FLOAT32 = np.dtype("float32")


@pytest.fixture
def pickled() -> np.ndarray:
    array = pickle.loads(pickle.dumps(np.random.RandomState(0).rand(784, 200).astype("float32")))
    assert array.dtype == FLOAT32 and array.dtype is not FLOAT32
    return array


def test_a_view_has_it(pickled: np.ndarray) -> None:
    found = in_own_dtype(pickled)
    assert found.dtype is FLOAT32 and np.shares_memory(found, pickled)


def test_other_byte_orders_and_dtypes_stay() -> None:
    for array in (np.ones(2, ">f4"), np.ones(2, "S3"), np.ones(2, "complex64"), np.ones(2, "float32")):
        assert in_own_dtype(array) is array


def test_what_enters_has_it(pickled: np.ndarray) -> None:
    tensor = fluid.LoDTensor()
    tensor.set(pickled, fluid.CPUPlace())
    assert tensor.array.dtype is FLOAT32
    with fluid.dygraph.guard():
        for zero_copy in (None, True, False):
            assert fluid.dygraph.to_variable(pickled, zero_copy=zero_copy).array.dtype is FLOAT32
        loader = fluid.io.DataLoader.from_generator(capacity=2)
        loader.set_batch_generator(lambda: iter([[pickled]]))
        assert [batch.array.dtype is FLOAT32 for (batch,) in loader] == [True]
    with fluid.program_guard(fluid.Program()):
        x = fluid.data("x", [None, 200])
        for value in (pickled, tensor):
            assert convert_feed(x.block.program, {"x": value})["x"][0].dtype is FLOAT32


def test_what_is_loaded_has_it_and_gives_the_same_bits(tmp_path: Path) -> None:
    """A loaded model multiplied with BLAS what the saved one multiplied with register tiles."""
    program, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(program, startup):
        x = fluid.data("x", [None, 784])
        y = fluid.layers.fc(x, 200)
    executor, feed = fluid.Executor(), {"x": np.random.RandomState(1).rand(32, 784).astype("float32")}
    with fluid.scope_guard(fluid.Scope()):
        executor.run(startup)
        (before,) = executor.run(program, feed=feed, fetch_list=[y])
        fluid.io.save_inference_model(str(tmp_path / "model"), ["x"], [y], executor, program)
        fluid.save(program, str(tmp_path / "state"))
    for load in ("model", "state"):
        with fluid.scope_guard(fluid.Scope()):
            if load == "model":
                run, _, targets = fluid.io.load_inference_model(str(tmp_path / "model"), executor)
            else:
                executor.run(startup)
                fluid.load(program, str(tmp_path / "state"), executor)
                run, targets = program, [y]
            assert all(
                fluid.global_scope().find_var(p.name).get_tensor().array.dtype is FLOAT32
                for p in program.all_parameters()
            )
            (after,) = executor.run(run, feed=feed, fetch_list=targets)
        np.testing.assert_array_equal(after, before)
