"""Programs go from one place to another: by the Scope, by files; and float16 with dynamic loss scaling is the same on all."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.fluid import layers

from .on_stand_in import on_stand_in

RNG = np.random.RandomState(0)
FEEDS = [{"x": RNG.randn(5, 4).astype("float32"), "y": RNG.randn(5, 1).astype("float32")} for _ in range(6)]


def program() -> tuple[Any, Any, Any]:
    main, startup = fluid.Program(), fluid.Program()
    startup.random_seed = 5
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1])
        loss = layers.mean(layers.square(layers.fc(x, 1) - y))
        fluid.optimizer.Momentum(0.05, 0.9).minimize(loss)
    return main, startup, loss


def curve(places: list[Any], folder: Path | None = None) -> list[float]:
    """The losses of steps on one place after another; with a folder, parameters go through files in between."""
    (main, startup, loss), scope, found = program(), fluid.Scope(), []
    fluid.Executor(places[0]).run(startup, scope=scope)
    for step, feed in enumerate(FEEDS):
        exe = fluid.Executor(places[step % len(places)])
        found.append(exe.run(main, feed, [loss], scope=scope)[0].item())
        if folder is not None:
            with fluid.scope_guard(scope):
                fluid.io.save_persistables(exe, str(folder), main)
            scope = fluid.Scope()
            with fluid.scope_guard(scope):
                fluid.io.load_persistables(fluid.Executor(places[step % len(places) - 1]), str(folder), main)
    return found


def test_training_goes_on_at_another_place(tmp_path):
    expected = curve([fluid.CPUPlace()])
    with on_stand_in(devices=2):
        places = [fluid.CUDAPlace(0), fluid.CPUPlace(), fluid.CUDAPlace(1)]
        np.testing.assert_allclose(curve(places), expected, rtol=1e-5)
        np.testing.assert_allclose(curve(places, tmp_path), expected, rtol=1e-5)


def test_layers_are_saved_at_one_place_and_loaded_at_another(tmp_path):
    with on_stand_in(devices=2) as gpu:
        with fluid.dygraph.guard(fluid.CUDAPlace(1)):
            first = fluid.dygraph.Linear(2, 2)
            fluid.save_dygraph(first.state_dict(), str(tmp_path / "net"))
            value = first.weight.numpy()
        for place in (fluid.CPUPlace(), fluid.CUDAPlace(0)):
            with fluid.dygraph.guard(place):
                second = fluid.dygraph.Linear(2, 2)
                second.set_dict(fluid.load_dygraph(str(tmp_path / "net"))[0])
                np.testing.assert_array_equal(second.weight.numpy(), value)
                assert isinstance(second.weight.array, gpu.ndarray) == (place.kind == "gpu")


def scaled(place: Any) -> list[list[float]]:
    """The losses and the loss scalings of some steps."""
    main, startup = fluid.Program(), fluid.Program()
    startup.random_seed = 5
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1])
        loss = layers.mean(layers.square(layers.fc(layers.fc(x, 8, act="relu"), 1) - y))
        optimizer = fluid.contrib.mixed_precision.decorate(
            fluid.optimizer.Momentum(0.05, 0.9), init_loss_scaling=2.0**24, incr_every_n_steps=2,
            decr_every_n_nan_or_inf=1, use_dynamic_loss_scaling=True,
        )  # fmt: skip
        optimizer.minimize(loss)
    exe, scope = fluid.Executor(place), fluid.Scope()
    exe.run(startup, scope=scope)
    fetched = [loss, optimizer.get_loss_scaling()]
    return [[value.item() for value in exe.run(main, feed, fetched, scope=scope)] for feed in FEEDS]


def test_float16_with_dynamic_loss_scaling():
    expected = scaled(fluid.CPUPlace())
    with on_stand_in(kernels=True, limited=True, most=300):
        found = scaled(fluid.CUDAPlace(0))
    np.testing.assert_allclose(found, expected, rtol=2e-3)
    assert len({scaling for _, scaling in found}) > 2  # it falls where gradients overflow


def test_tf32_is_set_before_the_first_product(monkeypatch):
    linalg = SimpleNamespace(COMPUTE_TYPE_TF32=7)
    core = SimpleNamespace(_routines_linalg=linalg, get_compute_type=lambda dtype: 7)
    monkeypatch.setenv("CUPY_TF32", "0")
    fluid.set_flags({"FLAGS_cuda_tf32": True})
    assert os.environ["CUPY_TF32"] == "1"
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(_core=core))
    monkeypatch.setattr("paddle_lite.kernels.devices.gpu_count", lambda: 1)
    fluid.set_flags({"FLAGS_cuda_tf32": True})
    with pytest.raises(ArgumentValueError, match="needs to be set before the first product of float32"):
        fluid.set_flags({"FLAGS_cuda_tf32": False})
    monkeypatch.delitem(sys.modules, "cupy")
    fluid.set_flags({"FLAGS_cuda_tf32": False})
