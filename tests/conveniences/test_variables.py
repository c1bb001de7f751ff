"""Methods of Variables that PyTorch, NumPy and Paddle 2 have, in imperative and static mode; what others are called here."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DeviceError, ModeError, ShapeError
from paddle_lite.core.foreign_names import name_elsewhere
from paddle_lite.fluid.dygraph import Linear, guard, to_variable

VALUES = np.array([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]], "float32")
METHODS = {
    "x @ x.T": lambda x, np_: x @ x.T,
    "abs(x)": lambda x, np_: abs(x),
    "round(x)": lambda x, np_: round(x * 0.53) if not np_ else np.round(x * np.float32(0.53)),
    "round(x, 1)": lambda x, np_: round(x * 0.53, 1) if not np_ else np.round(x * np.float32(0.53), 1),
    "x.sum(1)": lambda x, np_: x.sum(1),
    "x.mean((0, 1))": lambda x, np_: x.mean((0, 1)).reshape([1]),
    "x.max(0)": lambda x, np_: x.max(0),
    "x.min(-1)": lambda x, np_: x.min(-1),
    "x.prod()": lambda x, np_: x.prod().reshape([1]),
    "x.argmax(1)": lambda x, np_: x.argmax(1),
    "x.argmax()": lambda x, np_: x.argmax().reshape([1]),
    "x.reshape(3, 2)": lambda x, np_: x.reshape(3, 2),
    "x.reshape([-1])": lambda x, np_: x.reshape([-1]),
    "x.transpose(1, 0)": lambda x, np_: x.transpose(1, 0),
    "x.transpose([1, 0])": lambda x, np_: x.transpose([1, 0]),
    "x.transpose()": lambda x, np_: x.transpose(),
    "x.flatten()": lambda x, np_: x.flatten(),
    "x.clip(-1, 4)": lambda x, np_: x.clip(-1, 4),
    "x.matmul(x.T)": lambda x, np_: x @ x.T if np_ else x.matmul(x.T),
    "abs().sqrt()": lambda x, np_: np.sqrt(np.abs(x)) if np_ else x.abs().sqrt(),
    "exp, log, tanh": lambda x, np_: np.tanh(np.log(np.exp(x))) if np_ else x.exp().log().tanh(),
    "x.pow(2)": lambda x, np_: x**2 if np_ else x.pow(2),
    "squeeze": lambda x, np_: x[None].squeeze(0) if np_ else x.unsqueeze(0).squeeze(0),
    "squeeze all": lambda x, np_: x[None].squeeze() if np_ else x.unsqueeze([0]).squeeze(),
}


@pytest.mark.parametrize("name", METHODS)
def test_methods_in_both_modes(name):
    wanted = METHODS[name](VALUES, True)
    with guard():
        result = METHODS[name](to_variable(VALUES), False)
        assert list(result.shape) == list(wanted.shape)
        np.testing.assert_allclose(result.numpy(), wanted, rtol=1e-5)
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [2, 3], "float32")
        fetched = METHODS[name](x, False)
        assert (x.ndim, fluid.default_main_program().lint()) == (2, [])
        [got] = fluid.Executor().run(feed={"x": VALUES}, fetch_list=[fetched])
    np.testing.assert_allclose(got, wanted, rtol=1e-5)


def test_keepdim_and_wrong_axes():
    with guard():
        x = to_variable(VALUES)
        assert x.sum(1, keepdim=True).shape == [2, 1] and x.ndim == 2
        with pytest.raises(ArgumentValueError, match="all 2 axes"):
            x.transpose(0)


def test_an_ndarray_on_the_left():
    with guard():
        assert (VALUES @ to_variable(VALUES.T)).numpy().tolist() == (VALUES @ VALUES.T).tolist()


@pytest.mark.parametrize(
    "name",
    [
        "sum",
        "mean",
        "max",
        "min",
        "prod",
        "argmax",
        "squeeze",
        "transpose",
        "cumsum",
        "std",
        "any",
        "all",
        "ndim",
        "size",
    ],
)
def test_functions_of_numpy_give_what_numpy_gives(name):
    with guard():
        result = getattr(np, name)(to_variable(VALUES))
    assert not hasattr(result, "stop_gradient")
    np.testing.assert_array_equal(result, getattr(np, name)(VALUES))


def test_functions_of_numpy_with_arguments():
    with guard():
        x = to_variable(VALUES)
        assert (
            np.reshape(x, (3, 2)).shape == (3, 2) and np.clip(x, 0, 1).max() == 1 and np.mean(x, axis=0).shape == (3,)
        )


def test_item_and_tolist():
    with guard():
        x = to_variable(VALUES)
        assert x.tolist() == VALUES.tolist() and x.sum().item() == 5.0 and x.item(1, 2) == -6.0
        with pytest.raises(ArgumentValueError, match="6 elements"):
            x.item()


def test_grad_is_a_variable():
    with guard():
        x = to_variable(VALUES)
        assert x.grad is None
        x.stop_gradient = False
        (x * x).sum().backward()
        assert x.grad.stop_gradient and x.grad.tolist() == (2 * VALUES).tolist() == x.gradient().tolist()
        with pytest.raises(ArgumentTypeError, match="None, which removes it"):
            x.grad = x
        x.grad = None
        assert x.grad is None and x.gradient() is None


def test_the_grad_of_an_embedding_is_dense():
    with guard():
        table = fluid.dygraph.Embedding([4, 2], is_sparse=True)
        table(to_variable(np.array([[1], [3], [1]]))).sum().backward()
        assert table.weight.grad.tolist() == [[0, 0], [2, 2], [0, 0], [1, 1]]


@pytest.mark.parametrize(
    "value, dtype, shape",
    [
        (3, "int64", [1]),
        (2.5, "float32", [1]),
        (True, "bool", [1]),
        ([1, 2], "int64", [2]),
        ([[1.0, 2.0], [3.0, 4.0]], "float32", [2, 2]),
        ((1, 2.5), "float32", [2]),
        (np.float64(3), "float64", [1]),
        ([np.ones(2), np.ones(2)], "float64", [2, 2]),
    ],
)
def test_numbers_and_lists_become_variables(value, dtype, shape):
    with guard():
        made = to_variable(value)
        assert (made.dtype, made.shape) == (dtype, shape)
        assert made.stop_gradient and np.array_equal(made.numpy().reshape(np.shape(value)), value)


def test_lists_that_are_refused():
    with guard():
        with pytest.raises(ShapeError, match="lists of equal lengths"):
            to_variable([[1], [1, 2]])
        with pytest.raises(ArgumentTypeError, match=r"layers\.stack"):
            to_variable([to_variable(VALUES)])
        with pytest.raises(ArgumentTypeError, match="numbers"):
            to_variable(["text"])


def test_to_tensor():
    with guard():
        array = VALUES.copy()
        made = paddle.to_tensor(array, dtype="float64", stop_gradient=False)
        array[:] = 0
        assert made.dtype == "float64" and not made.stop_gradient and made.tolist() == VALUES.tolist()
        copied = paddle.to_tensor(made, place=fluid.CPUPlace())
        assert copied is not made and copied.stop_gradient and copied.tolist() == made.tolist()
        assert paddle.to_tensor(np.ones(1, "complex64")).real.shape == [1]
        with paddle.no_grad():
            assert (made * 2.0).stop_gradient
        with pytest.raises(DeviceError):
            paddle.to_tensor(array, place=fluid.CUDAPlace(0))
    with pytest.raises(ModeError, match="to_tensor"):
        paddle.to_tensor(1)


def text_of(value, name):
    assert not hasattr(value, name)
    with pytest.raises(AttributeError) as caught:
        getattr(value, name)
    return str(caught.value)


def test_other_names_say_what_it_is_called_here():
    with guard():
        x, layer = to_variable(VALUES), Linear(3, 2)
        sgd = fluid.optimizer.SGD(0.1, parameter_list=layer.parameters())
        assert "x.reshape(shape)" in text_of(x, "view")
        assert "x.transpose(axes)" in text_of(x, "permute")
        assert "x.shape" in text_of(x, "size")
        assert "layer.set_dict(state)" in text_of(layer, "load_state_dict")
        assert "layer.clear_gradients()" in text_of(layer, "zero_grad")
        assert "optimizer.minimize(loss)" in text_of(sgd, "step")
        assert "optimizer.clear_gradients()" in text_of(sgd, "zero_grad")
        assert text_of(x, "nonsense") == "'Variable' object has no attribute 'nonsense'"
        for value in (x, layer.weight):
            with pytest.raises(AttributeError, match=r"x\.stop_gradient = False"):
                value.requires_grad = True
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [2, 3], "float32")
        assert "fetch_list" in text_of(x, "item")
        assert "fluid.gradients" in text_of(x, "grad")
        assert "x.reshape(shape)" in text_of(x, "view")


def test_names_of_other_libraries_are_not_offered():
    with guard():
        x = to_variable(VALUES)
        assert {"reshape", "grad", "T"} <= set(dir(x)) and {"view", "cuda", "requires_grad"}.isdisjoint(dir(x))
    with fluid.program_guard(fluid.Program()):
        assert {"view", "item"}.isdisjoint(dir(fluid.data("x", [2], "float32")))


def test_a_table_may_not_hide_an_attribute():
    class Kind:
        here = 1

    with pytest.raises(AssertionError, match="Kind has here"):
        name_elsewhere(Kind, {"here": "there"})


def test_lookups_of_variables_are_pythons_own():
    """A __getattr__ would make every access to an attribute slower, and so each call of an operator."""
    with guard():
        kind = type(to_variable(VALUES))
    assert not hasattr(kind, "__getattr__") and not hasattr(fluid.framework.Variable, "__getattr__")
