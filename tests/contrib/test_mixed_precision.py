"""Training in float16 here: results, what a Program may not be, and wrong calls. PaddlePaddle's Programs are in tests/behaviour."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ModeError

amp = fluid.contrib.mixed_precision
RNG = np.random.default_rng(3)
FEED = {"x": RNG.normal(size=[8, 2, 8, 8]).astype("float32"), "y": RNG.integers(0, 5, [8, 1])}


def given(*shape: int) -> Any:
    values = np.random.default_rng(sum(shape)).normal(size=shape) * 0.3
    return fluid.initializer.NumpyArrayInitializer(values.astype("float32"))


def network() -> Any:
    layers = fluid.layers
    x, y = fluid.data("x", [None, 2, 8, 8]), fluid.data("y", [None, 1], "int64")
    hidden = layers.conv2d(x, 3, 3, padding=1, param_attr=given(3, 2, 3, 3))
    hidden = layers.pool2d(layers.batch_norm(hidden, act="relu"), 2, pool_stride=2)
    hidden = layers.fc(hidden, 6, act="tanh", param_attr=given(48, 6))
    return layers.mean(layers.cross_entropy(layers.fc(hidden, 5, act="softmax", param_attr=given(6, 5)), y))


def losses(decorated: bool, optimizer: Any, steps: int = 8, **options: Any) -> np.ndarray:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        loss = network()
        (amp.decorate(optimizer, **options) if decorated else optimizer).minimize(loss)
    assert main.lint() == []
    exe, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
    with fluid.scope_guard(scope):
        exe.run(startup)
        found = [exe.run(main, feed=FEED, fetch_list=[loss])[0].item() for _ in range(steps)]
        for parameter in main.all_parameters():
            assert np.array(scope.find_var(parameter.name).get_tensor()).dtype == np.float32
    return np.array(found)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("options", [{}, {"use_dynamic_loss_scaling": False, "init_loss_scaling": 64.0}])
def test_training_in_float16_is_close_to_training_in_float32(options: dict[str, Any]) -> None:
    full = losses(False, fluid.optimizer.Momentum(0.1, 0.9))
    half = losses(True, fluid.optimizer.Momentum(0.1, 0.9), **options)
    np.testing.assert_allclose(half, full, rtol=3e-3)
    assert (half != full).any()
    assert half[-1] < 0.7 * half[0]


def test_a_factor_that_is_too_large_for_float16_shrinks_until_training_goes_on() -> None:
    found = losses(
        True, fluid.optimizer.SGD(0.1), 24, init_loss_scaling=2.0**24, decr_every_n_nan_or_inf=1, decr_ratio=0.1
    )
    assert (found[:3] == found[0]).all()
    assert found[-1] < 0.99 * found[0]


L = fluid.layers


def in_both_branches(x: Any, hidden: Any) -> Any:
    return L.cond(L.mean(x) < 9.0, lambda: L.fc(hidden, 8, act="tanh"), lambda: hidden * 2.0)


def in_nested_branches(x: Any, hidden: Any) -> Any:
    inner = lambda: L.cond(L.mean(x) < 8.0, lambda: hidden * 0.5, lambda: hidden)  # noqa: E731
    return L.cond(L.mean(x) < 9.0, inner, lambda: hidden)


def counted(body: Any, start: Any) -> Any:
    i, n = L.fill_constant([1], "int64", 0), L.fill_constant([1], "int64", 2)
    return L.while_loop(lambda i, h: L.less_than(i, n), lambda i, h: [i + 1, body(h)], [i, start])[1]


def in_the_state_of_a_loop(x: Any, hidden: Any) -> Any:
    return counted(lambda h: L.fc(h, 8, act="tanh", param_attr="inner", bias_attr=False), hidden)


def read_by_a_loop(x: Any, hidden: Any) -> Any:
    return counted(lambda h: L.tanh(h + L.fc(hidden, 8, param_attr="inner", bias_attr=False)), hidden * 0.0)


def in_a_recurrence(x: Any, hidden: Any) -> Any:
    rnn, steps = L.StaticRNN(), L.transpose(L.fc(x, 8, num_flatten_dims=2), [1, 0, 2])
    with rnn.step():
        word, memory = rnn.step_input(steps), rnn.memory(init=hidden)
        state = L.fc([word, memory], 8, act="tanh")
        rnn.update_memory(memory, state)
        rnn.step_output(state)
    return L.reduce_mean(rnn(), 0) + L.reduce_mean(steps, 0)


def of_control(form: Any, decorated: bool) -> list[float]:
    """Train a net with control flow behind a product; return the losses and how far each parameter moved."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 5
    feed = {"x": np.random.default_rng(0).random([4, 3, 8], "float32"), "y": np.ones([4, 1], "float32")}
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        x, y = fluid.data("x", [4, 3, 8]), fluid.data("y", [4, 1])
        result = form(x, L.fc(L.reduce_mean(x, 1), 8))
        loss = L.mean(L.square_error_cost(L.fc(result, 1), y))
        optimizer = fluid.optimizer.SGD(0.01)
        (amp.decorate(optimizer, init_loss_scaling=8.0) if decorated else optimizer).minimize(loss)
        assert main.lint() == []
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        names = [p.name for p in main.all_parameters()]
        before = [np.array(fluid.global_scope().find_var(n).get_tensor()) for n in names]
        found = [exe.run(main, feed=feed, fetch_list=[loss, result])[0].item() for _ in range(3)]
        after = [np.array(fluid.global_scope().find_var(n).get_tensor()) for n in names]
    return [*found, *(float(np.abs(a - b).sum()) for a, b in zip(after, before, strict=True))]


@pytest.mark.parametrize(
    "form", [in_both_branches, in_nested_branches, in_the_state_of_a_loop, read_by_a_loop, in_a_recurrence]
)
def test_blocks_read_what_their_operator_reads(form: Any) -> None:
    """The product before is trained through the block, as in float32."""
    half, full = of_control(form, True), of_control(form, False)
    np.testing.assert_allclose(half, full, rtol=2e-2)
    assert half != full and min(half[3:]) > 0


def test_the_operators_before_a_gray_one_decide() -> None:
    main = fluid.Program()
    with fluid.program_guard(main):
        x = fluid.data("x", [2, 3])
        product = fluid.layers.mul(x, fluid.layers.create_parameter([3, 3], "float32"))
        relu, both = fluid.layers.relu(product), fluid.layers.elementwise_add(product, fluid.layers.exp(product))
        alone = fluid.layers.relu(x)
        amp.fp16_utils.rewrite_program(main, amp.AutoMixedPrecisionLists())
    assert [v.dtype.name for v in (product, relu, both, alone)] == ["FP16", "FP16", "FP32", "FP32"]
    assert main.lint() == []


def test_find_operators() -> None:
    utils, main = amp.fp16_utils, fluid.Program()
    with fluid.program_guard(main):
        x = fluid.data("x", [2])
        once = fluid.layers.relu(x)
        twice = fluid.layers.assign(x)
        fluid.layers.assign(once, twice)
        fluid.layers.relu(twice)
    ops = main.global_block().ops
    assert utils.find_true_prev_op(ops, ops[2], once.name) is ops[0]
    assert utils.find_true_prev_op(ops, ops[0], "x") is None
    assert utils.find_true_post_op(ops, ops[0], "x") == [ops[1]]
    assert (
        utils.find_op_index(main.global_block(), ops[2]),
        utils.find_op_index(fluid.Program().global_block(), ops[2]),
    ) == (2, -1)
    with pytest.raises(ArgumentValueError, match="2 operators before relu write"):
        utils.find_true_prev_op(ops, ops[3], twice.name)


def test_gradients_that_are_used_already_are_refused() -> None:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        loss = network()
        amp.fp16_utils.rewrite_program(main, amp.AutoMixedPrecisionLists())
        pairs = fluid.backward.append_backward(loss)
        fluid.layers.scale(pairs[0][1])
        with pytest.raises(ArgumentValueError, match="operators read already"):
            amp.fp16_utils.update_role_var_grad(main, pairs)


def test_batch_norm_of_float16_keeps_its_statistics_in_float32() -> None:
    main, startup = fluid.Program(), fluid.Program()
    image = RNG.normal(3, 2, [5, 3, 6, 7]).astype("float16")
    found = {}
    for dtype in ("float16", "float32"):
        with fluid.program_guard(main, startup), fluid.unique_name.guard(dtype):
            x = fluid.data(dtype, [None, 3, 6, 7], dtype)
            x.stop_gradient = False
            block = main.global_block()
            vectors = {
                slot: fluid.layers.create_parameter([3], "float32", default_initializer=given(3))
                for slot in ("Scale", "Bias", "Mean", "Variance")
            }
            outs = {slot: block.create_var() for slot in ("Y", "MeanOut", "VarianceOut", "SavedMean", "SavedVariance")}
            block.append_op("batch_norm", {"X": x, **vectors}, outs, {"epsilon": 1e-4})
            weighted = fluid.layers.cast(outs["Y"], "float32") * fluid.layers.assign(
                np.arange(7, dtype="float32").reshape(1, 1, 1, 7)
            )
            grads = fluid.gradients(fluid.layers.reduce_sum(weighted), [x, vectors["Scale"]])
        exe, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
        with fluid.scope_guard(scope):
            exe.run(startup)
            fetched = [outs["Y"], outs["SavedMean"], outs["SavedVariance"], outs["VarianceOut"], *grads]
            found[dtype] = exe.run(main, feed={dtype: image.astype(dtype)}, fetch_list=fetched)
    half, full = found["float16"], found["float32"]
    assert [value.dtype.name for value in half] == ["float16", *["float32"] * 3, "float16", "float32"]
    for one, other in zip(half, full, strict=True):
        exact = one.dtype == np.float32
        np.testing.assert_allclose(one, other, rtol=1e-5 if exact else 1e-3, atol=1e-5 if exact else 2e-3)


def test_batch_norm_needs_vectors_of_one_dtype() -> None:
    with fluid.program_guard(fluid.Program()):
        block = fluid.default_main_program().global_block()
        x = block.create_var(name="x", shape=[2, 3], dtype="float16")
        dtypes = {"Scale": "float32", "Bias": "float16", "Mean": "float32", "Variance": "float32"}
        vectors = {slot: block.create_var(shape=[3], dtype=dtype) for slot, dtype in dtypes.items()}
        outs = {slot: block.create_var() for slot in ("Y", "MeanOut", "VarianceOut", "SavedMean", "SavedVariance")}
        with pytest.raises(DtypeError, match=r"Input\(Bias\) got dtype float16, needs float32, the dtype of Scale"):
            block.append_op("batch_norm", {"X": x, **vectors}, outs)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: amp.decorate(0.1), ArgumentTypeError, "optimizer got float 0.1"),
        (lambda: amp.decorate(fluid.optimizer.SGD(0.1), ["mul"]), ArgumentTypeError, "an AutoMixedPrecisionLists"),
        (lambda: amp.decorate(fluid.optimizer.SGD(0.1), init_loss_scaling="a"), ArgumentValueError, "greater than 0"),
        (lambda: amp.decorate(fluid.optimizer.SGD(0.1)).minimize(1), ArgumentTypeError, "a Variable of a Program"),
        (lambda: amp.AutoMixedPrecisionLists("mul"), ArgumentTypeError, "a set or a list of names"),
        (
            lambda: amp.AutoMixedPrecisionLists(["mul"], ["mul"]),
            ArgumentValueError,
            "mul, which custom_black_list has, too",
        ),
    ],
)
def test_wrong_calls(call: Any, error: type[Exception], text: str) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(error, match=text):
        call()


def test_imperative_mode_has_none() -> None:
    with fluid.dygraph.guard():
        optimizer = fluid.optimizer.SGD(0.1, parameter_list=fluid.dygraph.Linear(2, 2).parameters())
        with pytest.raises(ModeError, match="decorate"):
            amp.decorate(optimizer)
