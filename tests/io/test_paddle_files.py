"""Files of PaddlePaddle 1.8.5: they load, give the numbers recorded there, and are written again byte for byte."""

import json

import numpy as np
import pytest

from paddle_lite.imperative import guard, to_variable
from paddle_lite.io import load_dygraph, pickled, save_dygraph
from tests.io.model import DATA, Model, loss_of, part

# batch_norm takes the mean away, so the gradient of the bias before it is rounding noise, which Adam makes large
NOISE = ("conv.bias", "bn._mean")
RECORDINGS = ["adam_float", "adam_noam"]


@pytest.fixture(autouse=True)
def imperative():
    with guard():
        yield


@pytest.fixture(params=RECORDINGS)
def recording(request):
    with np.load(DATA / f"{request.param}.npz") as recorded:
        yield DATA / request.param, recorded


def test_the_files_hold_what_paddle_saved(recording):
    path, recorded = recording
    parameters, optimizer = load_dygraph(str(path))
    assert list(parameters) == list(part(recorded, "param/"))
    for key, value in part(recorded, "param/").items():
        np.testing.assert_array_equal(parameters[key], value)
        assert parameters[key].dtype == value.dtype and parameters[key].flags.writeable
    state = part(recorded, "opt/")
    schedule = json.loads(str(state.pop("LR_Scheduler"))) if "LR_Scheduler" in state else None
    assert optimizer.pop("LR_Scheduler", None) == schedule
    table = optimizer.pop("StructuredToParameterName@@")
    assert table == {key: key for key in state} and list(optimizer) == list(state)
    for key, value in state.items():
        np.testing.assert_array_equal(optimizer[key], value)


def test_the_name_table_is_left_out_unless_it_is_asked_for(recording):
    path, recorded = recording
    names = {key: str(value) for key, value in part(recorded, "name/").items()}
    assert load_dygraph(path, keep_name_table=True)[0]["StructuredToParameterName@@"] == names
    assert "StructuredToParameterName@@" not in load_dygraph(path)[0]


def test_names_and_order_of_our_model_are_paddles(recording):
    _, recorded = recording
    state = Model().state_dict()
    assert {key: v.name for key, v in state.items()} == {k: str(v) for k, v in part(recorded, "name/").items()}
    assert list(state) == list(part(recorded, "param/"))


@pytest.mark.parametrize("by_structured_name", [True, False])
def test_loaded_parameters_give_the_recorded_output(recording, by_structured_name):
    path, recorded = recording
    model = Model()
    state = load_dygraph(path)[0]
    if not by_structured_name:
        state = {str(recorded[f"name/{key}"]): value for key, value in state.items()}
    model.set_dict(state, use_structured_name=by_structured_name)
    model.eval()
    out = model(to_variable(recorded["x"]), to_variable(recorded["i"]))
    np.testing.assert_allclose(out.numpy(), recorded["eval_out"], rtol=1e-5, atol=1e-6)


def test_two_steps_of_adam_from_the_recorded_start_give_the_recorded_parameters(recording):
    from paddle_lite.fluid.dygraph import NoamDecay
    from paddle_lite.fluid.optimizer import Adam

    path, recorded = recording
    model = Model()
    model.set_dict(part(recorded, "init/"))
    rate = NoamDecay(100, 10) if path.name == "adam_noam" else 0.01
    adam = Adam(rate, parameter_list=model.parameters())
    x, i = to_variable(recorded["x"]), to_variable(recorded["i"])
    for _ in range(2):
        loss = loss_of(model, x, i)
        loss.backward()
        adam.minimize(loss)
        model.clear_gradients()
    np.testing.assert_allclose(loss.numpy(), recorded["loss2"], rtol=1e-5)
    for key, value in part(recorded, "param/").items():
        if key not in NOISE:
            np.testing.assert_allclose(model.state_dict()[key].numpy(), value, rtol=2e-4, atol=2e-6, err_msg=key)
    state = part(recorded, "opt/")
    assert set(adam.state_dict()) == set(state)


@pytest.mark.parametrize("name", [f"{r}.{kind}" for r in RECORDINGS for kind in ("pdparams", "pdopt")])
def test_a_file_that_was_read_is_written_again_byte_for_byte(name, tmp_path):
    content = pickled.read(str(DATA / name))
    with open(tmp_path / name, "wb") as file:
        pickled.dump(file, content)
    assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes()


def test_the_state_dict_of_a_layer_is_saved_byte_for_byte_as_paddle_does(tmp_path):
    model = Model()
    model.set_dict(load_dygraph(DATA / "adam_float")[0])
    save_dygraph(model.state_dict(), str(tmp_path / "model"))
    assert (tmp_path / "model.pdparams").read_bytes() == (DATA / "adam_float.pdparams").read_bytes()


def test_training_goes_on_from_files_as_if_it_had_not_stopped(tmp_path):
    from paddle_lite.fluid.dygraph import NoamDecay
    from paddle_lite.fluid.optimizer import Adam

    with np.load(DATA / "adam_noam.npz") as recorded:
        x, i = to_variable(recorded["x"]), to_variable(recorded["i"])

    def optimizer_of(model):
        return Adam(NoamDecay(100, 10), parameter_list=model.parameters())

    def step(model, optimizer):
        loss = loss_of(model, x, i)
        loss.backward()
        optimizer.minimize(loss)
        model.clear_gradients()

    first = Model()
    adam = optimizer_of(first)
    step(first, adam)
    save_dygraph(first.state_dict(), tmp_path / "m")
    save_dygraph(adam.state_dict(), tmp_path / "m")
    step(first, adam)
    with guard():
        second = Model()
        again = optimizer_of(second)
        parameters, state = load_dygraph(tmp_path / "m")
        second.set_dict(parameters)
        again.set_dict(state)
        step(second, again)
    for key, value in first.state_dict().items():
        np.testing.assert_array_equal(second.state_dict()[key].numpy(), value.numpy(), err_msg=key)
