"""A training gives the same bits whatever the number of threads of kernels is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.flags import get_flags, set_flags
from paddle_lite.kernels import threads
from paddle_lite.static import Scope, scope_guard

L = fluid.layers
FLAG = "FLAGS_paddle_num_threads"
STEPS = 3


@pytest.fixture(autouse=True)
def cut_small_arrays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Cores enough, whatever the machine has, and shared calls of the smallest work; the number of threads is put back."""
    before = get_flags(FLAG)
    monkeypatch.setattr(threads, "_allowed", lambda wanted: wanted)
    monkeypatch.setattr(threads, "SMALLEST_PART", 1)
    yield
    monkeypatch.undo()
    set_flags(before)


def trained(count: int) -> list[bytes]:
    """The losses of some steps with so many threads: convolutions, norms, attention, products, Adam."""
    set_flags({FLAG: count})
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 5
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        image = fluid.data("image", [4, 3, 12, 12])
        y = L.pool2d(L.batch_norm(L.conv2d(image, 32, 3, padding=1), act="relu"), 2, "max", 2)
        y = L.conv2d(L.conv2d(y, 32, 1), 16, 3, stride=2)
        rows = L.layer_norm(L.fc(L.reshape(y, [4, 16, 4]), 40, num_flatten_dims=2), begin_norm_axis=2)
        mixed = L.matmul(L.softmax(L.matmul(rows, rows, transpose_y=True)), rows)
        loss = L.mean(L.square(L.fc(L.gelu(mixed), 300)))
        fluid.optimizer.Adam(0.01).minimize(loss)
    executor, rng, found = fluid.Executor(fluid.CPUPlace()), np.random.RandomState(0), []
    with scope_guard(Scope()):
        executor.run(startup)
        for _ in range(STEPS):
            feed = {"image": rng.rand(4, 3, 12, 12).astype("float32")}
            found.append(executor.run(main, feed, [loss])[0].tobytes())
    return found


def test_a_training() -> None:
    alone = trained(1)
    assert len(set(alone)) == STEPS
    assert trained(2) == alone and trained(5) == alone
