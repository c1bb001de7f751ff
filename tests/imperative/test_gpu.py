"""Imperative mode on a GPU, with a stand-in for CuPy: what runs there stays there. And what is said where there is none."""

import importlib.util

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import DeviceError
from paddle_lite.fluid import layer_helper, layers
from paddle_lite.imperative import enable_imperative, grad, guard, to_variable
from paddle_lite.nn import Linear
from tests.gpu.on_stand_in import on_stand_in


@pytest.fixture
def gpu():
    """A guard on a GPU, where there is a stand-in for CuPy."""
    with on_stand_in() as gpu, guard(fluid.CUDAPlace(0)):
        yield gpu


def test_a_network_runs_forward_and_backward_without_leaving_the_device(gpu):
    rng = np.random.RandomState(0)
    x, y = rng.rand(8, 4).astype("float32"), rng.rand(8, 1).astype("float32")
    first, second = Linear(4, 3, act="relu"), Linear(3, 1)
    data, target = to_variable(x), to_variable(y)
    drawn = len(gpu.uploads)
    assert gpu.uploads[-2:] == [(8, 4), (8, 1)]

    loss = layers.mean(layers.square(second(first(data)) - target))
    loss.backward()
    assert len(gpu.uploads) == drawn and gpu.downloads == []
    parameters = [*first.parameters(), *second.parameters()]
    assert all(type(p.array) is gpu.ndarray for p in (*parameters, loss))
    values, gradients = [p.numpy() for p in parameters], [p.gradient() for p in parameters]
    assert len(gpu.downloads) == 8 and all(type(g) is np.ndarray for g in gradients)

    with guard():  # the same numbers on the CPU
        first, second = Linear(4, 3, act="relu"), Linear(3, 1)
        parameters = [*first.parameters(), *second.parameters()]
        for p, value in zip(parameters, values, strict=True):
            p.set_value(value)
        again = layers.mean(layers.square(second(first(to_variable(x))) - to_variable(y)))
        again.backward()
        np.testing.assert_allclose(loss.numpy(), again.numpy(), rtol=1e-6)
        for p, gradient in zip(parameters, gradients, strict=True):
            np.testing.assert_allclose(gradient, p.gradient(), rtol=1e-5, atol=1e-7)


def test_a_training_step_stays_there_too(gpu):
    model = Linear(4, 1)
    sgd = fluid.optimizer.SGD(0.5, parameter_list=model.parameters())
    x = to_variable(np.ones([2, 4], "float32"))
    before, rate_and_drawn = model.weight.numpy(), len(gpu.uploads)
    loss = layers.mean(model(x))
    loss.backward()
    sgd.minimize(loss)
    model.clear_gradients()
    assert set(gpu.uploads[rate_and_drawn:]) <= {(1,)}  # the learning rate
    np.testing.assert_allclose(model.weight.numpy(), before - 0.5, rtol=1e-6)
    assert not model.weight.gradient().any()


def test_gradients_of_gradients(gpu):
    x = to_variable(np.array([3.0], "float32"))
    x.stop_gradient = False
    (first,) = grad(x * x * x, x, create_graph=True)
    (second,) = grad(first, x)
    assert float(first) == 27 and float(second) == 18


def test_values_go_and_come(gpu):
    v = to_variable(np.arange(3, dtype="float32"))
    assert v.numpy().tolist() == [0, 1, 2] and "device=gpu" in repr(v) and np.asarray(v).tolist() == [0, 1, 2]
    v.set_value(np.ones(3, "float32"))
    assert type(v.array) is gpu.ndarray and float(layers.reduce_sum(v)) == 3
    v.value().get_tensor().set(np.zeros(2, "float32"), fluid.CPUPlace())
    assert type(v.array) is gpu.ndarray and v.shape == [2]
    assert bool(layers.reduce_sum(v)) is False and v.detach().numpy().tolist() == [0, 0]


def test_a_variable_of_the_host_is_moved_once(gpu):
    with guard():
        v = to_variable(np.ones(3, "float32"))
    for _ in range(2):
        assert (v * 2.0).numpy().tolist() == [2, 2, 2]
    assert gpu.uploads == [(3,)]


def test_state_dicts_hold_host_arrays(gpu, tmp_path):
    layer = Linear(2, 2)
    fluid.save_dygraph(layer.state_dict(), tmp_path / "m")
    values = layer.weight.numpy()
    layer.weight.set_value(np.zeros([2, 2], "float32"))
    layer.set_dict(fluid.load_dygraph(tmp_path / "m")[0])
    assert type(layer.weight.array) is gpu.ndarray
    np.testing.assert_array_equal(layer.weight.numpy(), values)


@pytest.fixture
def without_cupy(monkeypatch):
    monkeypatch.delenv("PADDLE_LITE_CUDA_AS_CPU", raising=False)
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "cupy" else find(name, *rest))


@pytest.mark.parametrize("enter", [lambda p: guard(p).__enter__(), enable_imperative])
def test_without_cupy_the_extras_are_named_and_the_mode_stays(without_cupy, enter):
    with pytest.raises(
        DeviceError, match=r"place got CUDAPlace\(0\), needs CuPy.*paddle_lite\[cuda12\]` \(or cuda13\)"
    ) as e:
        enter(fluid.CUDAPlace(0))
    assert "PADDLE_LITE_CUDA_AS_CPU=1" in str(e.value)
    assert type((to_variable(np.ones(1)) * 2.0).array) is np.ndarray


def test_cuda_places_can_mean_the_cpu(without_cupy, monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_CUDA_AS_CPU", "1")
    with guard(fluid.CUDAPlace(0)):
        assert type((to_variable(np.ones(1)) * 2.0).array) is np.ndarray


def test_functions_with_state_and_layers_of_users_stay_on_the_device(gpu):
    helper = layer_helper.LayerHelper("mine", act="relu")
    x = to_variable(np.array([[-1.0, 2.0], [3.0, 4.0]], "float32"))
    total = helper.create_global_variable(persistable=True, dtype="float32", shape=[2])
    helper.set_variable_initializer(total, fluid.initializer.Constant(3.0))
    out = helper.create_variable_for_type_inference("float32")
    helper.append_op("elementwise_add", {"X": x, "Y": total}, {"Out": out})
    normal = layers.batch_norm(layers.fc(helper.append_activation(out), 3), act="tanh")
    assert all(type(v.array) is gpu.ndarray for v in (total, out, normal))
    assert out.numpy().tolist() == [[2.0, 5.0], [6.0, 7.0]]
