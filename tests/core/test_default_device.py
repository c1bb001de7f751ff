"""paddle.set_device and get_device."""

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentValueError, DeviceError
from paddle_lite.core.place import Default
from tests.gpu.on_stand_in import on_stand_in


@pytest.fixture(autouse=True)
def unset(monkeypatch):
    monkeypatch.setattr(Default, "place", None)


def test_calls_that_name_no_place_run_on_the_device_that_was_set():
    with on_stand_in(devices=2) as gpu:
        assert paddle.get_device() == "cpu" and paddle.set_device("gpu:1") == fluid.CUDAPlace(1)
        with fluid.dygraph.guard():
            x = fluid.dygraph.to_variable(np.ones(2, "float32")) * 3.0
            assert paddle.get_device() == "gpu:1" and x.array.device.id == 1
        assert paddle.get_device() == "gpu:1" and gpu.cuda.runtime.getDevice() == 0
        with fluid.program_guard(fluid.Program()):
            y = fluid.layers.scale(fluid.data("x", [None, 2]), 2.0)
            weight = fluid.layers.create_parameter([2], "float32")
            exe, scope = fluid.Executor(), fluid.Scope()
            exe.run(fluid.default_startup_program(), scope=scope)
            exe.run(feed={"x": np.ones([1, 2], "float32")}, fetch_list=[y * weight], scope=scope)
        assert exe.place == fluid.CUDAPlace(1) and scope.find_var(weight.name).get_tensor().array.device.id == 1
        assert paddle.set_device("GPU") == fluid.CUDAPlace(0) and paddle.set_device("cpu") == fluid.CPUPlace()
    assert paddle.get_device() == "cpu"


def test_imperative_mode_goes_on_there():
    with on_stand_in() as gpu:
        paddle.enable_imperative()
        try:
            x = paddle.to_tensor([1.0, 2.0])
            paddle.set_device("gpu")
            y = x * 2.0
            assert type(y.array) is gpu.ndarray and paddle.get_device() == "gpu:0"
            paddle.set_device(fluid.CPUPlace())
            assert paddle.get_device() == "cpu" and type(paddle.to_tensor([1.0]).array) is np.ndarray
        finally:
            paddle.disable_imperative()


def test_devices_that_are_not_there(monkeypatch):
    monkeypatch.setattr("paddle_lite.core.place.gpu_count", lambda: 0)
    assert paddle.set_device("gpu") == fluid.CPUPlace()
    with pytest.raises(DeviceError, match=r"set_device: place got CUDAPlace\(1\)"):
        paddle.set_device("gpu:1")
    assert paddle.get_device() == "cpu"
    for wrong in ("xpu", "gpu:a", "cpu:0", 0, None):
        with pytest.raises(ArgumentValueError, match=r"set_device: device got .*, needs 'cpu', 'gpu', 'gpu:1'"):
            paddle.set_device(wrong)
