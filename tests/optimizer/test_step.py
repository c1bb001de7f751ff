"""A step of an optimizer: which parameters move, by what, and what stays as it was."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentTypeError, DtypeError, EnforceNotMet, ModeError, ShapeError
from paddle_lite.core.mode import switched
from paddle_lite.core.place import CPUPlace
from paddle_lite.imperative.base import guard, to_variable
from paddle_lite.imperative.gradients import grad
from paddle_lite.imperative.parameter import Parameter
from paddle_lite.imperative.variable import Variable
from paddle_lite.nn import Linear
from paddle_lite.optimizer import SGD, Adam, Momentum, Optimizer
from paddle_lite.optimizer.schedule import NoamDecay
from paddle_lite.params.clip import GradientClipBase, GradientClipByGlobalNorm, GradientClipByValue
from paddle_lite.params.regularizer import L1Decay, L2Decay, WeightDecayRegularizer
from paddle_lite.static.mode.static_mode import static_mode
from tests.ops.case import device
from tests.optimizer.library import new_parameter

pytestmark = pytest.mark.usefixtures("imperative", "way")


def parameter(name: str, *values: float, dtype: str = "float32", **more: Any) -> Any:
    return new_parameter(name, np.array(values, dtype), **more)


def with_gradient(param: Any, *values: float) -> Variable:
    """A loss whose gradient these are, after its backward pass."""
    loss = param * to_variable(np.array(values, param.array.dtype))
    loss.backward()
    return loss


def moved(optimizer: Optimizer, param: Any, *gradient: float) -> list[float]:
    """The parameter after a step with this gradient."""
    optimizer.minimize(with_gradient(param, *gradient))
    return param.numpy().tolist()


# --- which parameters -----------------------------------------------------------------------------------------------------


def test_minimize_gives_the_gradients_before_clipping() -> None:
    w = parameter("w", 1.0, 2.0)
    sgd = SGD(1.0, [w], L2Decay(0.5), GradientClipByValue(0.25))
    operators, params_grads = sgd.minimize(with_gradient(w, 3.0, 0.125))
    assert operators == []
    [(param, gradient)] = params_grads
    assert param is w
    assert gradient.name == "w@GRAD"
    assert not gradient.stop_gradient
    assert gradient.numpy().tolist() == [3.0, 0.125]
    assert w.gradient().tolist() == [3.0, 0.125]
    assert w.numpy().tolist() == [1.0 - 0.25 - 0.5, 2.0 - 0.125 - 1.0]


def test_parameters_without_gradient_stay_and_keep_nothing() -> None:
    w, other = parameter("w", 1.0), parameter("other", 1.0)
    adam = Adam(0.5, parameter_list=[w, other])
    adam.minimize(with_gradient(w, 1.0))
    assert other.numpy().tolist() == [1.0]
    assert [name for name in adam.state_dict() if name.startswith("other")] == []


def test_without_backward_nothing_moves() -> None:
    w = parameter("w", 1.0)
    with pytest.warns(
        UserWarning, match=r"SGDOptimizer.minimize: none of the 1 parameters has a gradient.*loss.backward\(\)"
    ) as caught:
        assert SGD(0.5, [w]).minimize(w * w) == ([], [])
    assert caught[0].filename == __file__
    assert w.numpy().tolist() == [1.0]


@pytest.mark.parametrize("attribute", [{"trainable": False}, {"stop_gradient": True}])
def test_parameters_that_are_not_trainable_stay(attribute: dict) -> None:
    w, b = parameter("w", 1.0), parameter("b", 1.0)
    sgd = SGD(0.5, [w, b])
    loss = w * b
    loss.backward()
    for name, value in attribute.items():
        setattr(b, name, value)
    assert [p.name for p, _ in sgd.minimize(loss)[1]] == ["w"]
    assert b.numpy().tolist() == [1.0]


@pytest.mark.parametrize("by_name", [False, True])
def test_parameter_list_and_no_grad_set_of_minimize_choose(by_name: bool) -> None:
    a, b, c = (parameter(name, 1.0) for name in "abc")
    sgd = SGD(0.5, [a, b, c])
    loss = a * b * c
    loss.backward()
    chosen = ["a", "b"] if by_name else [a, b]
    barred = {"b"} if by_name else {b}
    assert [p.name for p, _ in sgd.minimize(loss, parameter_list=chosen, no_grad_set=barred)[1]] == ["a"]
    assert [p.numpy().tolist() for p in (a, b, c)] == [[0.5], [1.0], [1.0]]


def test_cleared_gradients_count_as_zeros() -> None:
    w = parameter("w", 1.0)
    momentum = Momentum(0.5, 0.5, [w])
    loss = with_gradient(w, 1.0)
    momentum.minimize(loss)
    momentum.clear_gradients()
    assert w.gradient().tolist() == [0.0]
    momentum.minimize(loss)
    assert w.numpy().tolist() == [1.0 - 0.5 - 0.25]


def test_a_parameter_that_stands_twice_moves_twice() -> None:
    w = parameter("w", 1.0)
    assert moved(SGD(0.25, [w, w]), w, 1.0) == [0.5]


def test_sets_of_parameters_may_change_from_step_to_step() -> None:
    params = [parameter(f"p{i}", 0.0) for i in range(4)]
    sgd = SGD(1.0, params)
    count = [0] * 4
    for step in range(40):
        chosen = [i for i in range(4) if step >> i & 1]
        sgd.apply_gradients([(params[i], to_variable(np.ones(1, "float32"))) for i in chosen])
        for i in chosen:
            count[i] += 1
    assert [-p.numpy()[0] for p in params] == count


def test_apply_gradients_takes_any_gradients() -> None:
    w = parameter("w", 1.0)
    assert SGD(0.5, [w]).apply_gradients([(w, to_variable(np.array([1.0], "float32")))]) == []
    assert w.numpy().tolist() == [0.5]
    assert SGD(0.5, [w]).apply_optimize(None, None, [(w, to_variable(np.array([1.0], "float32")))]) == []
    assert w.numpy().tolist() == [0.0]


def test_apply_gradients_leaves_parameters_without_a_gradient_out() -> None:
    param = new_parameter("w", np.ones(2, "float32"))
    assert SGD(0.5, parameter_list=[param]).apply_gradients([(param, None)]) == []
    assert param.numpy().tolist() == [1.0, 1.0]


def test_gradients_that_are_variables_count() -> None:
    w = parameter("w", 3.0)
    [slope] = grad(w * w, w, create_graph=True)
    (slope * slope).backward()  # d (2 w)^2 / dw = 8 w
    assert w.gradient().tolist() == [24.0]
    sgd = SGD(0.125, [w])
    sgd.minimize(slope)
    assert w.numpy().tolist() == [0.0]
    sgd.apply_gradients([(w, slope)])
    assert w.numpy().tolist() == [-0.75]


# --- arrays --------------------------------------------------------------------------------------------------------------


def test_dtypes_are_kept_side_by_side() -> None:
    dtypes = dict(zip("abcd", ("float32", "float64", "float32", "float64")))
    params = [parameter(name, 1.0, 2.0, dtype=dtype) for name, dtype in dtypes.items()]
    adam = Adam(0.1, parameter_list=params, grad_clip=GradientClipByGlobalNorm(0.1), regularization=L1Decay(0.01))
    for param in params:
        loss = with_gradient(param, 1.0, -1.0)
    adam.minimize(loss)
    for param in params:
        assert param.array.dtype == dtypes[param.name]
        np.testing.assert_allclose(param.numpy(), [0.9, 2.1], rtol=1e-4)
    assert {v.numpy().dtype.name for v in adam.state_dict().values()} == {"float32", "float64"}


def test_float16_parameters_are_updated() -> None:
    w = parameter("w", 1.0, 2.0, dtype="float16")
    sgd = SGD(0.5, [w], L2Decay(0.5))
    sgd.apply_gradients([(w, to_variable(np.array([1.0, 1.0], "float16")))])
    assert w.array.dtype == np.float16
    assert w.numpy().tolist() == [0.25, 1.0]


def test_strides_do_not_matter() -> None:
    w = new_parameter("w", np.zeros((2, 3), "float32"))
    w.array = np.arange(6, dtype="float32").reshape(3, 2).T
    gradient = np.arange(12, dtype="float32").reshape(3, 4).T[::2]
    wanted = w.numpy() - gradient
    SGD(1.0, [w]).apply_gradients([(w, Variable(gradient))])
    np.testing.assert_array_equal(w.numpy(), wanted)


def test_a_gradient_that_is_one_number_for_all_elements() -> None:
    w = new_parameter("w", np.zeros((2, 3), "float32"))
    SGD(1.0, [w]).apply_gradients([(w, Variable(np.broadcast_to(np.float32(2.0), (2, 3))))])
    np.testing.assert_array_equal(w.numpy(), np.full((2, 3), -2.0))


def test_empty_parameters_are_taken() -> None:
    w, none = parameter("w", 1.0), Parameter(np.zeros((0, 3), "float32"), name="none")
    adam = Adam(0.5, parameter_list=[w, none], grad_clip=GradientClipByGlobalNorm(1.0))
    empty = to_variable(np.zeros((0, 3), "float32"))
    adam.apply_gradients([(w, to_variable(np.ones(1, "float32"))), (none, empty)])
    assert none.shape == [0, 3]


def test_replaced_arrays_are_seen() -> None:
    w = parameter("w", 1.0)
    momentum = Momentum(1.0, 0.5, [w])
    assert moved(momentum, w, 1.0) == [0.0]
    w.set_value(np.array([10.0], "float32"))
    momentum.state_dict()["w_velocity_0"].set_value(np.array([4.0], "float32"))
    assert moved(momentum, w, 1.0) == [7.0]


def test_arrays_from_a_pickle_go_the_quick_way(way: str) -> None:
    w = parameter("w", 1.0)
    w.set_value(pickle.loads(pickle.dumps(np.array([1.0], "float32"))))
    sgd = SGD(0.5, [w])
    assert moved(sgd, w, 1.0) == [0.5]
    assert (sgd._step().plan is not None) == (way == "kernel")


def test_what_others_hold_stays_as_it_was() -> None:
    w = new_parameter("w", np.arange(6, dtype="float32").reshape(2, 3))
    sgd = SGD(1.0, [w])
    held, view, loss = w.detach(), w.array.reshape(-1), w * w
    rows = []
    for _ in range(3):
        rows.append((w.array[0], w.numpy()[0]))
        sgd.apply_gradients([(w, to_variable(np.ones((2, 3), "float32")))])
    np.testing.assert_array_equal(held.numpy(), np.arange(6).reshape(2, 3))
    np.testing.assert_array_equal(view, np.arange(6))
    for row, before in rows:
        np.testing.assert_array_equal(row, before)
    loss.backward()
    np.testing.assert_array_equal(w.gradient(), 2.0 * np.arange(6).reshape(2, 3))
    np.testing.assert_array_equal(w.numpy(), np.arange(6).reshape(2, 3) - 3)


def test_a_gradient_that_is_another_parameter_is_read_before_it_moves() -> None:
    a, b = parameter("a", 1.0), parameter("b", 2.0)
    SGD(1.0, [a, b]).apply_gradients([(a, Variable(b.array)), (b, Variable(a.array))])
    assert (a.numpy().tolist(), b.numpy().tolist()) == ([-1.0], [1.0])


def test_parameters_that_share_an_array_part() -> None:
    a, b = parameter("a", 1.0), parameter("b", 1.0)
    b.array = a.array
    one = to_variable(np.ones(1, "float32"))
    sgd = SGD(0.25, [a, b])
    for _ in range(2):
        sgd.apply_gradients([(a, one), (b, one)])
    assert (a.numpy().tolist(), b.numpy().tolist()) == ([0.5], [0.5])


def test_updates_happen_in_place(way: str) -> None:
    net = Linear(3, 2)
    adam = Adam(0.1, parameter_list=net.parameters(), regularization=L2Decay(0.1))
    arrays = []
    for _ in range(4):
        loss = net(to_variable(np.ones((2, 3), "float32")))
        loss.backward()
        adam.minimize(loss)
        net.clear_gradients()
        arrays.append([id(v.array) for v in (net.weight, net.bias, *adam.state_dict().values())])
    assert (arrays[1:] == [arrays[1]] * 3) == (way == "kernel")


def test_a_parameter_whose_array_became_another_is_refused(way: str) -> None:
    w = parameter("w", 1.0, 2.0)
    adam = Adam(0.5, parameter_list=[w])
    moved(adam, w, 1.0, 1.0)
    adam.state_dict()["w_moment1_0"].array = np.zeros(1, "float32")
    with pytest.raises(ShapeError, match=r"w_moment1_0|Moment1"):
        moved(adam, w, 1.0, 1.0)


def test_on_a_gpu_operators_update() -> None:
    with device("gpu"):
        w = parameter("w", 1.0, 2.0)
        momentum = Momentum(0.5, 0.5, [w], grad_clip=GradientClipByGlobalNorm(100.0), regularization=L2Decay(0.5))
        momentum.apply_gradients([(w, Variable(np.array([1.0, 1.0], "float32")))])
        assert w.numpy().tolist() == [0.25, 1.0]
        assert momentum._step().plan is None


# --- the user's own parts --------------------------------------------------------------------------------------------------


class Halving(GradientClipBase):
    def __call__(self, params_grads: Any) -> list:
        return [(p, g * 0.5) for p, g in params_grads if not self._need_clip_func or self._need_clip_func(p)]


class Pull(WeightDecayRegularizer):
    def __call__(self, param: Any, grad: Any, block: Any = None) -> Any:
        return param * 0.25 + grad


def test_a_clip_of_the_users_own() -> None:
    w, other = parameter("w", 1.0), parameter("left out", 1.0)
    sgd = SGD(1.0, [w, other], L2Decay(0.25), Halving(need_clip=lambda p: p.name != "left out"))
    with_gradient(other, 1.0)
    assert moved(sgd, w, 1.0) == [0.25]
    assert other.numpy().tolist() == [1.0]


@pytest.mark.parametrize("clip", [None, GradientClipByValue(0.25), Halving()])
def test_a_regularizer_of_the_users_own(clip: Any) -> None:
    w = parameter("w", 1.0, regularizer=Pull())
    left = 0.5 if clip is None else 0.25
    assert moved(SGD(1.0, [w], L2Decay(9.0), clip), w, 0.5) == [1.0 - 0.25 - 2 * left]


def test_a_base_class_says_what_to_define() -> None:
    w = parameter("w", 1.0)
    with pytest.raises(NotImplementedError, match="define __call__"):
        moved(SGD(1.0, [w], WeightDecayRegularizer()), w, 1.0)
    with pytest.raises(NotImplementedError, match="override __call__"):
        moved(SGD(1.0, [w], grad_clip=GradientClipBase()), w, 1.0)


def test_a_beta_that_is_a_variable_is_read_at_each_step() -> None:
    values = []
    for beta in (0.5, to_variable(np.array([0.5], "float32"))):
        with guard():
            w = parameter("w", 1.0)
            adam = Adam(0.5, beta, 0.75, parameter_list=[w])
            moved(adam, w, 1.0)
            if isinstance(beta, Variable):
                beta.set_value(np.array([0.25], "float32"))
            else:
                adam.attrs["beta1"] = 0.25
            values.append(moved(adam, w, -2.0))
    assert values[0] == values[1]


# --- errors --------------------------------------------------------------------------------------------------------------


def test_gradients_that_do_not_fit_are_named() -> None:
    w = parameter("w", 1.0, 2.0)
    sgd = SGD(0.5, [w])
    with pytest.raises(ShapeError, match=r"sgd: Input\(Grad\) got shape \[3\], needs \[2\]"):
        sgd.apply_gradients([(w, to_variable(np.ones(3, "float32")))])
    with pytest.raises(DtypeError, match=r"sgd: Input\(Grad\) got dtype float64"):
        sgd.apply_gradients([(w, to_variable(np.ones(2)))])
    assert w.numpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("rate", [1, True, "0.1", None, np.float32(0.1), np.array(0.1)])
def test_learning_rates_of_the_wrong_type(rate: Any) -> None:
    with pytest.raises(
        ArgumentTypeError, match=r"SGDOptimizer: learning_rate got .*needs a float or a LearningRateDecay"
    ):
        SGD(rate, [parameter("w", 1.0)])


def test_a_learning_rate_that_is_a_variable() -> None:
    with pytest.raises(ArgumentTypeError, match="learning_rate got Variable of shape"):
        SGD(to_variable(np.ones(1, "float32")), [parameter("w", 1.0)])  # type: ignore[arg-type]


def test_parameter_list_is_needed() -> None:
    with pytest.raises(ArgumentTypeError, match="parameter_list argument given to the Optimizer got None"):
        SGD(0.1)
    with pytest.raises(AttributeError):
        SGD(0.1)
    assert Adam(parameter_list=[]).minimize(to_variable(np.ones(1, "float32"))) == ([], [])


@pytest.mark.parametrize("wrong", [3, "w", {"w": 1}, [3], ["w"], [None]])
def test_parameter_lists_of_the_wrong_kind(wrong: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=r"AdamOptimizer: parameter_list.*parameter_list=layer.parameters\(\)"):
        Adam(parameter_list=wrong)


def test_a_layer_or_a_plain_variable_is_no_parameter_list() -> None:
    for wrong in (Linear(2, 1), parameter("w", 1.0), [to_variable(np.ones(1, "float32"))]):
        with pytest.raises(ArgumentTypeError, match="parameter_list"):
            SGD(0.1, wrong)  # type: ignore[arg-type]


def test_any_iterable_of_parameters_will_do() -> None:
    w = parameter("w", 1.0)
    sgd = SGD(0.5, (p for p in [w]))
    moved(sgd, w, 1.0)
    assert moved(sgd, w, 1.0) == [0.0]


@pytest.mark.parametrize("wrong", [3, GradientClipByValue, L2Decay(0.1)])
def test_grad_clip_of_the_wrong_type(wrong: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=r"grad_clip got .*derived from GradientClipBase"):
        SGD(0.1, [parameter("w", 1.0)], grad_clip=wrong)


def test_regularizers_of_the_wrong_type() -> None:
    w = parameter("w", 1.0)
    with pytest.raises(ArgumentTypeError, match="SGDOptimizer: regularization got int 3"):
        SGD(0.1, [w], regularization=3)
    w.regularizer = "l2"
    with pytest.raises(ArgumentTypeError, match="parameter w: regularizer got str 'l2'"):
        moved(SGD(0.1, [w]), w, 1.0)


@pytest.mark.parametrize("wrong", [3, None, np.ones(1)])
def test_the_loss_must_be_a_variable(wrong: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=r"SGDOptimizer.minimize: loss got .*needs a Variable"):
        SGD(0.1, [parameter("w", 1.0)]).minimize(wrong)


@pytest.mark.parametrize("arguments", [{"momentum": None}, {"momentum": "0.9"}])
def test_momentum_must_be_a_number(arguments: dict) -> None:
    with pytest.raises(ArgumentTypeError, match="MomentumOptimizer: momentum got"):
        Momentum(0.1, parameter_list=[parameter("w", 1.0)], **arguments)


def test_outside_of_imperative_mode() -> None:
    w = parameter("w", 1.0)
    sgd = SGD(NoamDecay(4, 4), [w])
    loss = with_gradient(w, 1.0)
    with switched(static_mode, CPUPlace(), np):
        assert SGD(0.1)._parameter_list is None  # as in 1.8.5
        with pytest.raises(ArgumentTypeError, match=r"SGDOptimizer.minimize: loss got Variable .* of a static Program"):
            sgd.minimize(loss)
        for call in (sgd.state_dict, sgd.current_step_lr, lambda: sgd.set_dict({})):
            with pytest.raises(ModeError, match="SGD"):
                call()
    assert issubclass(ModeError, EnforceNotMet)
