"""The tape and the backward engine: what gradients are, when they are there, what is kept alive."""

import gc
import tracemalloc
import warnings
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paddle_lite as paddle
from paddle_lite.core.errors import ArgumentTypeError, GraphError, ModeError
from paddle_lite.core.mode import state
from paddle_lite.fluid import layers
from paddle_lite.fluid.internals.dygraph import _dygraph_guard, _dygraph_tracer, _switch_tracer_mode_guard_
from paddle_lite.imperative import BackwardStrategy, grad, guard, no_grad, to_variable
from paddle_lite.imperative.base import disable_imperative, enable_dygraph, enable_imperative
from paddle_lite.ops.framework import registry
from paddle_lite.optimizer.imperative_step import LONG
from paddle_lite.static.mode.static_mode import static_mode


def leaf(*values, dtype="float32"):
    v = to_variable(np.array(values, dtype))
    v.stop_gradient = False
    return v


@pytest.mark.parametrize("alpha", [False, True])
def test_gradient_is_none_before_any_backward_pass_and_where_nothing_arrived(alpha, monkeypatch):
    monkeypatch.setattr(state.mode, "zero_gradients", alpha)
    x, unused = leaf(1.0, 2.0), leaf(3.0)
    assert x.gradient() is None and x.gradient_state == "not initialised"
    (x * x).backward()
    assert x.gradient().tolist() == [2.0, 4.0] and x.gradient_state == "initialised"
    assert unused.gradient_state == "not initialised"
    assert unused.gradient().tolist() == [0.0] if alpha else unused.gradient() is None


def test_programs_of_2_0_alpha_get_zeros_and_those_of_fluid_none():
    disable_imperative()
    for begin, zeros in ((enable_imperative, True), (enable_dygraph, False)):
        begin()
        try:
            used, unused = leaf(1.0), leaf(2.0)
            used.backward()
            (used * used).backward()
            assert (unused.gradient() is not None) == zeros
        finally:
            disable_imperative()


def test_backward_of_a_matrix_is_seeded_with_ones():
    x = to_variable(np.arange(6, dtype="float32").reshape(2, 3))
    x.stop_gradient = False
    y = x * 3
    y.backward()
    assert (x.gradient() == 3).all() and (y.gradient() == 1).all()


def test_gradients_of_inner_variables_are_kept():
    x = leaf(2.0)
    y = x * x
    z = y * y
    z.backward()
    assert y.gradient().tolist() == [8.0] and z.gradient().tolist() == [1.0]


def test_a_variable_used_several_times_gets_the_sum():
    x = leaf(3.0)
    (x * x + x * x + x).backward()
    assert x.gradient().tolist() == [13.0]


def test_the_same_variable_twice_in_one_call():
    x = leaf(1.0, 2.0)
    layers.concat([x, x, x]).backward()
    assert x.gradient().tolist() == [3.0, 3.0]


def test_shared_subexpression_is_differentiated_once_all_its_uses_are_known():
    x = leaf(2.0)
    y = x * x
    (y * y + y).backward()
    assert x.gradient().tolist() == [4 * 8.0 + 4.0]


def test_a_later_pass_replaces_and_the_strategy_accumulates():
    x = leaf(1.0)
    (x * 2).backward()
    (x * 3).backward()
    assert x.gradient().tolist() == [3.0]
    strategy = BackwardStrategy()
    strategy.accumulate_gradient = True
    (x * 4).backward(strategy)
    assert x.gradient().tolist() == [7.0]


def test_accumulating_does_not_write_into_gradients_that_others_hold():
    x, y = leaf(1.0), leaf(1.0)
    (x + y).backward()
    strategy = BackwardStrategy()
    strategy.accumulate_gradient = True
    (x * 5).backward(strategy)
    assert x.gradient().tolist() == [6.0] and y.gradient().tolist() == [1.0]


def test_clear_gradient_gives_zeros_but_not_to_one_that_never_had_a_gradient():
    x, never = leaf(1.0), leaf(1.0)
    (x * 2).backward()
    x.clear_gradient()
    never.clear_gradient()
    assert x.gradient().tolist() == [0.0] and x.raw_gradient().tolist() == [0.0]
    assert never.raw_gradient() is None


def test_retained_graph_can_be_differentiated_again():
    x = leaf(3.0)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.gradient().tolist() == [6.0]


def test_a_second_backward_over_a_freed_graph_warns_and_changes_nothing():
    x = leaf(3.0)
    y = x * x
    y.backward()
    with pytest.warns(UserWarning, match="freed by an earlier backward"):
        y.backward()
    assert x.gradient().tolist() == [6.0]


def test_another_loss_over_a_freed_graph_is_an_error():
    x = leaf(3.0)
    y = x * x
    y.backward()
    with pytest.raises(GraphError, match="retain_graph=True"):
        (y * 2).backward()


def test_backward_of_something_that_was_not_recorded_does_nothing():
    x = to_variable(np.ones(2, "float32"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (x * 2).backward()
    assert x.stop_gradient


def test_detach_and_stop_gradient_cut():
    x = leaf(2.0)
    cut = (x * x).detach()
    (cut * x).backward()
    assert x.gradient().tolist() == [4.0] and cut.gradient() is None
    y = x * x
    y.stop_gradient = True
    (y * x).backward()
    assert x.gradient().tolist() == [4.0]


def test_stop_gradient_set_after_use_cuts_too_and_can_be_taken_back():
    x = leaf(2.0)
    y = x * x
    z = y * 3 + x
    y.stop_gradient = True
    z.backward(retain_graph=True)
    assert x.gradient().tolist() == [1.0] and y.gradient() is None
    y.stop_gradient = False
    z.backward()
    assert x.gradient().tolist() == [13.0]


def test_no_grad_as_context_decorator_and_called_decorator():
    x = leaf(2.0)
    with no_grad():
        assert (x * x).stop_gradient

    @no_grad
    def plain(v):
        return v * v

    @no_grad()
    def called(v):
        return v * v

    assert plain(x).stop_gradient and called(x).stop_gradient and plain.__name__ == "plain"
    assert not (x * x).stop_gradient


def test_one_no_grad_may_be_entered_twice():
    x, switch = leaf(1.0), no_grad()
    with switch:
        with switch:
            pass
        assert (x * x).stop_gradient
    assert not (x * x).stop_gradient


def test_stopping_a_result_after_its_use_holds_for_operators_with_further_outputs():
    x = leaf(1.0, 2.0)
    y = layers.reshape(x, [2, 1])
    loss = y * y
    y.stop_gradient = True
    loss.backward()
    assert x.gradient() is None


def test_a_stopped_result_whose_computation_was_freed_can_be_let_go_again():
    x, w = leaf(2.0), leaf(3.0)
    y = x * x
    z = y * w
    y.stop_gradient = True
    z.backward()
    y.stop_gradient = False
    with pytest.warns(UserWarning, match="freed"):
        y.backward()


def drops(x) -> bool:
    """Whether `layers.dropout` trains."""
    return bool((layers.dropout(x, 0.5).numpy() == 0).any())


def test_without_gradients_functions_without_a_layer_infer():
    x = leaf(*[1.0] * 64)
    assert drops(x)
    with no_grad():
        assert not drops(x)
        with _switch_tracer_mode_guard_():
            assert drops(x) and not (x * 2).stop_gradient
        assert not drops(x)
    with _switch_tracer_mode_guard_(is_train=False):
        assert not drops(x) and (x * 2).stop_gradient
    assert drops(x) and not (x * 2).stop_gradient


def test_the_guard_of_gradients_is_left_after_an_error_and_is_nothing_in_static_mode():
    with pytest.raises(ZeroDivisionError), _switch_tracer_mode_guard_(is_train=False):
        1 / 0  # noqa: B018
    assert not (leaf(1.0) * 2).stop_gradient
    with _dygraph_guard(None), _switch_tracer_mode_guard_(is_train=False), _dygraph_guard(_dygraph_tracer()):
        assert _dygraph_tracer() is None


def test_no_grad_is_left_after_an_error():
    x = leaf(2.0)
    with pytest.raises(ZeroDivisionError), no_grad():
        raise ZeroDivisionError
    assert not (x * x).stop_gradient


def test_outputs_of_integer_choices_have_no_gradient():
    x = leaf(3.0, 1.0, 2.0)
    values, indices = layers.argsort(x)
    assert not values.stop_gradient and indices.stop_gradient
    (values * to_variable(np.array([1, 2, 3], "float32"))).backward()
    assert x.gradient().tolist() == [3.0, 1.0, 2.0]


def test_an_output_of_several_that_nobody_used_counts_as_zeros():
    x = to_variable(np.arange(6, dtype="float32").reshape(2, 3))
    x.stop_gradient = False
    first, _, last = layers.split(x, 3, dim=1)
    (first * 2 + last).backward()
    assert x.gradient().tolist() == [[2, 0, 1], [2, 0, 1]]


def test_backward_outside_of_imperative_mode_names_the_remedy():
    x = leaf(1.0)
    y = x * 2
    from paddle_lite.core import mode

    with mode.switched(static_mode, None, None):
        with pytest.raises(ModeError, match=r"enable_imperative\(\)"):
            y.backward()
        with pytest.raises(ModeError, match="elementwise_mul"):
            registry.get("elementwise_mul").call(x, x)


def test_a_chain_of_10000_operators_goes_backward_and_is_freed_without_recursion():
    x = leaf(1.0)
    y = x
    for _ in range(10000):
        y = y + x
    y.backward()
    assert x.gradient().tolist() == [10001.0]
    y = x
    for _ in range(10000):
        y = y + x
    del y


def test_the_tape_keeps_only_what_gradients_read():
    x = to_variable(np.ones([64, 64], "float32"))
    x.stop_gradient = False
    before = x * 2  # relu's gradient reads its output: the input can go
    kept = weakref.ref(before.array)
    y = layers.relu(before)
    del before
    gc.collect()
    assert kept() is None
    y.backward()
    assert (x.gradient() == 2).all()


def test_backward_frees_what_the_tape_kept():
    x = to_variable(np.ones([64, 64], "float32"))
    x.stop_gradient = False
    inner = x * x
    y = inner * inner
    kept = weakref.ref(inner.array)
    del inner
    assert kept() is not None
    y.backward()
    assert kept() is None


def test_700_training_steps_do_not_grow_memory():
    model = paddle.nn.Linear(8, 4, act="relu")
    sgd = paddle.optimizer.SGDOptimizer(0.01, parameter_list=model.parameters())
    x = to_variable(np.random.RandomState(0).rand(16, 8).astype("float32"))

    def steps(n):
        for _ in range(n):
            loss = layers.mean(layers.square(model(x)))
            loss.backward()
            sgd.minimize(loss)
            model.clear_gradients()

    steps(LONG + 10)  # the kernel of the update is compiled by then
    gc.collect()
    tracemalloc.start()
    steps(100)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    steps(600)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 50_000  # one array a step would be 190 KB


def test_backward_returns_nothing_and_takes_its_arguments_by_their_kind():
    x = leaf(2.0)
    assert (x * x).backward() is None
    for wrong in (True, 3, "a"):
        with pytest.raises(ArgumentTypeError, match=r"backward_strategy got .*Write backward\(retain_graph=True\)"):
            (x * x).backward(wrong)
    (x * x).backward(BackwardStrategy(), True)


def test_a_pass_changes_only_what_it_reaches():
    x, y = leaf(1.0), leaf(1.0)
    (x * 2).backward()
    (y * 3).backward()
    assert x.gradient().tolist() == [2.0] and y.gradient().tolist() == [3.0]


def test_two_losses_over_one_part_the_last_wins():
    x = leaf(2.0)
    shared = x * x
    first, second = shared * 3, shared * 5
    first.backward(retain_graph=True)
    second.backward()
    assert x.gradient().tolist() == [20.0] and shared.gradient().tolist() == [5.0]


def test_a_leaf_to_which_nothing_flowed_gets_zeros():
    x = leaf(1.0, 2.0, 3.0)
    x[0:1].backward()
    assert x.gradient().tolist() == [1.0, 0.0, 0.0]


def test_a_gradient_goes_through_integers_as_if_they_were_numbers():
    x = leaf(2.0)
    (x.astype("int64").astype("float32") * x).backward()
    assert x.gradient().tolist() == [4.0]


def test_a_forward_pass_that_is_given_up_is_freed_at_once():
    x = leaf(1.0, 2.0)
    gc.collect()
    gc.disable()
    try:
        inner = x * x
        y = layers.mean(inner * inner)
        kept = weakref.ref(inner.array)
        del inner, y
        assert kept() is None
    finally:
        gc.enable()


OPERATORS = [
    lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / (b * b + 1.0),
    lambda a, b: layers.tanh(a) + b, lambda a, b: layers.sigmoid(a) * b, lambda a, b: layers.elementwise_max(a, b),
    lambda a, b: layers.reduce_mean(a, keep_dim=True) + b, lambda a, b: layers.matmul(a, b, transpose_y=True)[:, :1] * b,
    lambda a, b: layers.concat([a, b], axis=1)[:, 1:4], lambda a, b: layers.split(a, 3, dim=1)[1] * b,
]  # fmt: skip


@given(
    st.lists(st.tuples(st.integers(0, 10), st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=8),
    st.integers(0, 9),
)
def test_gradients_of_random_computations_are_the_slopes(steps, seed):
    rng = np.random.RandomState(seed)
    arrays = [rng.rand(2, 3) for _ in range(2)]
    directions = [rng.rand(2, 3) for _ in range(2)]

    def computed(shift):
        with guard():
            leaves = [to_variable(a + shift * d) for a, d in zip(arrays, directions, strict=True)]
            for v in leaves:
                v.stop_gradient = False
            values = list(leaves)
            for which, i, j in steps:
                values.append(OPERATORS[which](values[i % len(values)], values[j % len(values)]))
            loss = layers.reduce_sum(values[-1]) + layers.reduce_sum(values[len(values) // 2])
            if shift == 0:
                wanted = grad(loss, leaves, retain_graph=True, allow_unused=True)
                loss.backward()
                for v, g in zip(leaves, wanted, strict=True):
                    assert (v.gradient() is None) == (g is None)
                    np.testing.assert_array_equal(v.gradient() if g is not None else 0, 0 if g is None else g.numpy())
            return float(loss), [np.zeros([2, 3]) if v.gradient() is None else v.gradient() for v in leaves]

    _, gradients = computed(0.0)
    analytic = sum((g * d).sum() for g, d in zip(gradients, directions, strict=True))
    slope = (computed(1e-6)[0] - computed(-1e-6)[0]) / 2e-6
    np.testing.assert_allclose(analytic, slope, rtol=1e-5, atol=1e-6)
