"""Layer classes: shapes, defaults, names, values beside NumPy, training and evaluation, errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    EnforceNotMet,
    IndexRangeError,
    ShapeError,
)
from paddle_lite.fluid import layers
from paddle_lite.fluid.dygraph import Conv2D
from paddle_lite.imperative import guard, no_grad, to_variable
from paddle_lite.nn import BatchNorm, Conv2d, Dropout, Embedding, LayerNorm, Linear, Pool2D
from tests.nn import formulas

rng = np.random.RandomState(0)


def variable(*shape, dtype="float32"):
    return to_variable(rng.rand(*shape).astype(dtype))


def state(layer):
    return {key: (p.name, p.shape, p.trainable, p.stop_gradient) for key, p in layer.state_dict().items()}


# --- Linear ---------------------------------------------------------------------------------------------------------------


def test_linear_has_a_weight_by_input_and_output_and_a_bias():
    assert state(Linear(4, 3)) == {
        "weight": ("linear_0.w_0", [4, 3], True, False),
        "bias": ("linear_0.b_0", [3], True, False),
    }
    layer = Linear(4, 3, bias_attr=False)
    assert layer.bias is None and list(layer.state_dict()) == ["weight"]


@pytest.mark.parametrize("shape", [(4,), (5, 4), (2, 5, 4), (2, 3, 5, 4)])
def test_linear_multiplies_the_last_axis(shape):
    layer, x = Linear(4, 3, dtype="float64"), variable(*shape, dtype="float64")
    layer.bias.set_value(rng.rand(3))
    out = layer(x)
    assert out.shape == [*shape[:-1], 3]
    np.testing.assert_allclose(out.numpy(), x.numpy() @ layer.weight.numpy() + layer.bias.numpy())


def test_linear_with_an_activation():
    out = Linear(4, 3, act="softmax")(variable(2, 4))
    np.testing.assert_allclose(out.numpy().sum(1), 1, rtol=1e-6)
    layer = Linear(4, 3, act="relu")
    np.testing.assert_array_equal(layer(variable(2, 4)).numpy() < 0, False)


def test_linear_gradients():
    layer, x = Linear(4, 3, dtype="float64"), variable(5, 4, dtype="float64")
    x.stop_gradient = False
    out = layer(x)
    out.backward()
    ones = np.ones([5, 3])
    np.testing.assert_allclose(layer.weight.gradient(), x.numpy().T @ ones)
    np.testing.assert_allclose(layer.bias.gradient(), ones.sum(0))
    np.testing.assert_allclose(x.gradient(), ones @ layer.weight.numpy().T)


def test_linear_errors():
    with pytest.raises(ShapeError, match=r"matmul"):
        Linear(3, 2)(variable(2, 4))
    with pytest.raises(
        DtypeError, match="linear_1: input 0 got dtype float64, needs float32, the dtype of its parameters"
    ):
        Linear(4, 2)(variable(2, 4, dtype="float64"))
    with pytest.raises(ArgumentValueError, match=r"act: act got 'foo', needs one of"):
        Linear(4, 2, act="foo")(variable(2, 4))
    for size in (0, "a", 2.5):
        with pytest.raises(ShapeError, match="create_parameter: shape"):
            Linear(size, 2)


def test_the_2_0_alpha_takes_padding_before_stride_and_channels_last():
    values = np.random.RandomState(0).rand(2, 6, 6, 3).astype("float32")
    last = Conv2d(3, 4, 3, 1, 2, data_format="NHWC")
    first = Conv2D(3, 4, 3, stride=2, padding=1)
    first.set_dict(last.state_dict())
    expected = first(to_variable(values.transpose(0, 3, 1, 2).copy())).numpy()
    np.testing.assert_allclose(last(to_variable(values)).numpy().transpose(0, 3, 1, 2), expected, rtol=1e-5, atol=1e-6)
    assert last.full_name() == "conv2d_0" and first.full_name() == "conv2d_1"


# --- Conv2D ---------------------------------------------------------------------------------------------------------------


def convolved(x, w, stride, padding, dilation, groups):
    """The plain definition of a convolution."""
    n, _, h, width = x.shape
    x = np.pad(x, [(0, 0), (0, 0), (padding[0], padding[0]), (padding[1], padding[1])])
    filters, channels, kh, kw = w.shape
    oh = (h + 2 * padding[0] - dilation[0] * (kh - 1) - 1) // stride[0] + 1
    ow = (width + 2 * padding[1] - dilation[1] * (kw - 1) - 1) // stride[1] + 1
    out = np.zeros([n, filters, oh, ow])
    for f in range(filters):
        first = f // (filters // groups) * channels
        for i in range(oh):
            for j in range(ow):
                rows = slice(i * stride[0], i * stride[0] + dilation[0] * (kh - 1) + 1, dilation[0])
                columns = slice(j * stride[1], j * stride[1] + dilation[1] * (kw - 1) + 1, dilation[1])
                out[:, f, i, j] = (x[:, first : first + channels, rows, columns] * w[f]).sum((1, 2, 3))
    return out


@pytest.mark.parametrize(
    ("channels", "filters", "size", "stride", "padding", "dilation", "groups"),
    [
        (3, 4, 3, 1, 0, 1, None),
        (3, 4, [3, 5], [2, 1], [1, 2], 1, None),
        (4, 6, 3, 1, 1, 2, 2),
        (3, 6, 3, 2, 0, 1, 3),
        (2, 2, 1, 1, 0, 1, 1),
    ],
)
def test_conv2d(channels, filters, size, stride, padding, dilation, groups):
    layer = Conv2D(channels, filters, size, stride, padding, dilation, groups, dtype="float64")
    layer.bias.set_value(rng.rand(filters))
    x = variable(2, channels, 8, 9, dtype="float64")

    def pair(v):
        return [v, v] if isinstance(v, int) else v

    expected = convolved(x.numpy(), layer.weight.numpy(), pair(stride), pair(padding), pair(dilation), groups or 1)
    out = layer(x)
    np.testing.assert_allclose(out.numpy(), expected + layer.bias.numpy()[:, None, None])
    out.backward()
    assert layer.weight.gradient().any() and layer.bias.gradient().any()


def test_conv2d_parameters():
    assert state(Conv2D(4, 6, [3, 5], groups=2)) == {
        "weight": ("conv2d_0.w_0", [6, 2, 3, 5], True, False),
        "bias": ("conv2d_0.b_0", [6], True, False),
    }
    weight = Conv2D(8, 100, 5).weight.numpy()
    assert abs(weight.std() / np.sqrt(2 / (25 * 8)) - 1) < 0.05
    assert Conv2D(1, 1, 1, bias_attr=False).bias is None


@pytest.mark.parametrize(
    ("padding", "pads"),
    [
        ("SAME", [(1, 1), (1, 1)]), ("VALID", [(0, 0), (0, 0)]), ([1, 0, 2, 1], [(1, 0), (2, 1)]),
        ([[0, 0], [0, 0], [1, 1], [0, 0]], [(1, 1), (0, 0)]),
    ],
)  # fmt: skip
def test_conv2d_paddings(padding, pads):
    layer, x = Conv2D(3, 4, 3, padding=padding), variable(2, 3, 8, 8)
    expected = formulas.convolved(x.numpy(), layer.weight.numpy(), layer.bias.numpy(), pads)
    np.testing.assert_allclose(layer(x).numpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: Conv2D(3, 4, 3, groups=2),
            ArgumentValueError,
            r"Conv2D: groups got 2, needs a divisor of num_channels 3",
        ),
        (lambda: Conv2D(3, 4, 3, use_cudnn=3), ArgumentTypeError, r"Conv2D: use_cudnn got int 3, needs True or False"),
        (lambda: Pool2D(2, use_cudnn=1), ArgumentTypeError, r"Pool2D: use_cudnn got int 1, needs True or False"),
        (lambda: Conv2D(3, 4, "a"), ArgumentTypeError, r"Conv2D: filter_size got str 'a', needs an int or 2 ints"),
        (lambda: Conv2D(3, 4, [1, 2, 3]), ArgumentTypeError, r"Conv2D: filter_size got list"),
        (lambda: Conv2D(3, 4, 3, padding="FULL"), ArgumentValueError, r"Conv2D: padding got 'FULL'"),
        (lambda: Conv2D(4, 4, 3)(variable(2, 3, 8, 8)), ShapeError, r"conv2d.*4"),
        (lambda: Conv2D(3, 4, 3)(variable(2, 3, 8)), ShapeError, r"conv2d"),
        (lambda: Conv2D(3, 4, 9)(variable(2, 3, 8, 8)), ShapeError, r"conv2d"),
    ],
)
def test_conv2d_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


# --- Pool2D ---------------------------------------------------------------------------------------------------------------


def test_pool2d_values():
    x = to_variable(np.arange(16, dtype="float32").reshape(1, 1, 4, 4))
    assert Pool2D(2, "max", 2)(x).numpy().reshape(-1).tolist() == [5, 7, 13, 15]
    assert Pool2D(2, "avg", 2)(x).numpy().reshape(-1).tolist() == [2.5, 4.5, 10.5, 12.5]
    assert Pool2D(global_pooling=True, pool_type="avg")(x).numpy().reshape(-1).tolist() == [7.5]
    assert Pool2D(3, "avg", 2, 1)(x).numpy()[0, 0, 0, 0] == 2.5
    assert Pool2D(3, "avg", 2, 1, exclusive=False)(x).numpy()[0, 0, 0, 0] == np.float32(10 / 9)


@pytest.mark.parametrize(
    ("arguments", "keywords", "rows", "columns"),
    [
        ((2,), {}, (2, 1, 0, 7), (2, 1, 0, 7)), ((2, "avg", 2), {}, (2, 2, 0, 4), (2, 2, 0, 4)),
        ((3, "max", 2), {"ceil_mode": True}, (3, 2, 0, 4), (3, 2, 0, 4)), ((3, "max", 2), {}, (3, 2, 0, 3), (3, 2, 0, 3)),
        (([2, 4], "max", [1, 2], [1, 0]), {}, (2, 1, 1, 9), (4, 2, 0, 3)),
        ((3, "max", 2, "SAME"), {}, (3, 2, 0, 4), (3, 2, 0, 4)),
    ],
)  # fmt: skip
def test_pool2d_windows(arguments, keywords, rows, columns):
    x = variable(2, 3, 8, 8)
    windows = [formulas.slices(8, *rows), formulas.slices(8, *columns)]
    expected = formulas.pooled(x.numpy(), windows, np.mean if "avg" in arguments else np.max)
    np.testing.assert_allclose(Pool2D(*arguments, **keywords)(x).numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (Pool2D, ArgumentValueError, "Pool2D: pool_size got -1, needs a size, where global_pooling is not set"),
        (lambda: Pool2D(2, "sum"), ArgumentValueError, "Pool2D: pool_type got 'sum'"),
        (lambda: Pool2D([1, 2, 3]), ArgumentTypeError, "Pool2D: pool_size got list"),
        (lambda: Pool2D("a"), ArgumentValueError, "Pool2D: pool_size got -1"),
    ],
)
def test_pool2d_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()
    assert Pool2D(2).state_dict() == {}


# --- BatchNorm ------------------------------------------------------------------------------------------------------------


def test_batch_norm_parameters():
    assert state(BatchNorm(3)) == {
        "weight": ("batch_norm_0.w_0", [3], True, False),
        "bias": ("batch_norm_0.b_0", [3], True, False),
        "_mean": ("batch_norm_0.w_1", [3], False, True),
        "_variance": ("batch_norm_0.w_2", [3], False, True),
    }
    layer = BatchNorm(3, moving_mean_name="m", moving_variance_name="v")
    assert [p.name for p in layer.parameters()] == ["batch_norm_1.w_0", "batch_norm_1.b_0", "m", "v"]
    values = [p.numpy().tolist() for p in layer.parameters()]
    assert values == [[1, 1, 1], [0, 0, 0], [0, 0, 0], [1, 1, 1]]


def statistics(x, axes=(0, 2, 3)):
    return x.mean(axes), x.var(axes)


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_batch_norm_normalises_by_the_batch_and_moves_the_running_statistics(layout):
    layer, x = BatchNorm(3, momentum=0.8, data_layout=layout, dtype="float64"), rng.rand(4, 3, 5, 6)
    mean, variance = statistics(x)

    def run(array):
        given_array = array if layout == "NCHW" else array.transpose(0, 2, 3, 1)
        out = layer(to_variable(np.ascontiguousarray(given_array))).numpy()
        return out if layout == "NCHW" else out.transpose(0, 3, 1, 2)

    def normalised(m, v):
        return (x - m[:, None, None]) / np.sqrt(v[:, None, None] + 1e-5)

    np.testing.assert_allclose(run(x), normalised(mean, variance), rtol=1e-6)
    np.testing.assert_allclose(layer._mean.numpy(), 0.2 * mean)
    np.testing.assert_allclose(layer._variance.numpy(), 0.8 + 0.2 * variance)
    layer.eval()
    before = layer._mean.numpy(), layer._variance.numpy()
    np.testing.assert_allclose(run(x), normalised(*before), rtol=1e-6)
    np.testing.assert_array_equal(layer._mean.numpy(), before[0])


def test_batch_norm_statistics_move_under_no_grad_too():
    layer, x = BatchNorm(3), variable(4, 3, 2, 2)
    with no_grad():
        layer(x)
    np.testing.assert_allclose(layer._mean.numpy(), 0.1 * x.numpy().mean((0, 2, 3)), rtol=1e-5)


def test_batch_norm_flags():
    x = variable(4, 3, 2, 2)
    layer = BatchNorm(3, use_global_stats=True)
    np.testing.assert_allclose(layer(x).numpy(), x.numpy() / np.sqrt(1 + 1e-5), rtol=1e-5)
    assert layer._mean.numpy().tolist() == [0, 0, 0]
    layer = BatchNorm(3, trainable_statistics=True)
    layer.eval()
    assert abs(layer(x).numpy().mean()) < 1e-5 and layer._mean.numpy().all()


def test_batch_norm_of_a_matrix_and_with_an_activation():
    layer, x = BatchNorm(4, act="relu"), variable(8, 4)
    out = layer(x).numpy()
    mean, variance = statistics(x.numpy(), 0)
    np.testing.assert_allclose(out, np.maximum((x.numpy() - mean) / np.sqrt(variance + 1e-5), 0), atol=1e-5)


def test_batch_norm_gradients_leave_the_statistics_alone():
    layer, x = BatchNorm(3), variable(4, 3, 2, 2)
    (layer(x) * variable(4, 3, 2, 2)).backward()
    assert layer.weight.gradient().any() and layer.bias.gradient().any() and layer._mean.raw_gradient() is None
    layer.clear_gradients()
    assert not layer.weight.gradient().any()


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: BatchNorm(3, bias_attr=False), ArgumentValueError, "BatchNorm: bias_attr got False"),
        (lambda: BatchNorm(3, param_attr=False), ArgumentValueError, "BatchNorm: param_attr got False"),
        (lambda: BatchNorm(5)(variable(2, 3, 4, 4)), ShapeError, r"batch_norm.*shape \[5\], needs \[3\]"),
        (lambda: BatchNorm(3, epsilon=0.1)(variable(2, 3, 4, 4)), ArgumentValueError, "batch_norm.*epsilon"),
        (lambda: BatchNorm(3, data_layout="foo")(variable(2, 3, 4, 4)), EnforceNotMet, "batch_norm.*data_layout"),
    ],
)
def test_batch_norm_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


# --- LayerNorm ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [4, [4], [3, 4], [2, 3, 4]])
def test_layer_norm(shape):
    layer, x = LayerNorm(shape, epsilon=1e-4, dtype="float64"), variable(5, 2, 3, 4, dtype="float64")
    sizes = [shape] if isinstance(shape, int) else shape
    count = int(np.prod(sizes))
    assert state(layer)["weight"][:2] == ("layer_norm_0.w_0", [count]) and state(layer)["bias"][1] == [count]
    layer.weight.set_value(rng.rand(count))
    layer.bias.set_value(rng.rand(count))
    axes = tuple(range(-len(sizes), 0))
    a = x.numpy()
    normal = (a - a.mean(axes, keepdims=True)) / np.sqrt(a.var(axes, keepdims=True) + 1e-4)
    expected = normal * layer.weight.numpy().reshape(sizes) + layer.bias.numpy().reshape(sizes)
    np.testing.assert_allclose(layer(x).numpy(), expected)


def test_layer_norm_without_scale_or_shift():
    assert LayerNorm(4, scale=False, shift=False).state_dict() == {}
    assert list(LayerNorm(4, scale=False).state_dict()) == ["bias"]
    out = LayerNorm(4, scale=False, shift=False)(variable(3, 4)).numpy()
    np.testing.assert_allclose(out.mean(1), 0, atol=1e-6)


def test_layer_norm_errors():
    with pytest.raises(ShapeError, match=r"LayerNorm: Input got shape \[2, 4\], needs trailing dimensions \[5\]"):
        LayerNorm(5)(variable(2, 4))
    for wrong in (4.0, [], [2.0]):
        with pytest.raises(ArgumentTypeError, match="LayerNorm: normalized_shape got"):
            LayerNorm(wrong)


# --- Embedding ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(3,), (3, 1), (2, 3), (2, 3, 1)])
def test_embedding_appends_the_width(shape):
    layer = Embedding([5, 2])
    ids = rng.randint(0, 5, shape)
    out = layer(to_variable(ids))
    assert out.shape == [*shape, 2] and state(layer) == {"weight": ("embedding_0.w_0", [5, 2], True, False)}
    np.testing.assert_array_equal(out.numpy(), layer.weight.numpy()[ids])


@pytest.mark.parametrize(("padding", "row"), [(-1, 4), (4, 4), (0, 0), (-5, 0)])
def test_embedding_reads_zeros_at_the_padding_row_and_does_not_train_it(padding, row):
    layer = Embedding([5, 2], padding_idx=padding)
    out = layer(to_variable(np.arange(5)))
    assert (out.numpy()[row] == 0).all() and layer.weight.numpy()[row].any()
    out.backward()
    gradient = layer.weight.gradient()
    assert (gradient[row] == 0).all() and (np.delete(gradient, row, 0) == 1).all()


def test_embedding_adds_the_gradients_of_a_row_that_is_read_often():
    for sparse in (False, True):
        layer = Embedding([4, 2], is_sparse=sparse)
        layer(to_variable(np.array([1, 3, 1]))).backward()
        gradient = layer.weight.gradient()
        if sparse:
            values, rows = gradient
            dense = np.zeros([4, 2], "float32")
            np.add.at(dense, rows, values)
            gradient = dense
        assert gradient.tolist() == [[0, 0], [2, 2], [0, 0], [1, 1]]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: Embedding([5, 2], padding_idx=5), ArgumentValueError, "Embedding: padding_idx got 5, needs -5 to 4"),
        (lambda: Embedding([5]), ArgumentTypeError, r"Embedding: size got list \[5\], needs \[rows, width\]"),
        (lambda: Embedding(5), ArgumentTypeError, r"Embedding: size got int 5"),
        (lambda: Embedding([5, 2])(to_variable(np.array([0, 9]))), IndexRangeError, "got 9, needs indices from 0 to 4"),
        (lambda: Embedding([5, 2])(to_variable(np.array([-1]))), IndexRangeError, "got -1"),
        (lambda: Embedding([5, 2])(to_variable(np.array([1], "int32"))), DtypeError, "needs int64"),
        (lambda: Embedding([5, 2])(variable(3)), DtypeError, "needs int64"),
    ],
)
def test_embedding_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


# --- Dropout --------------------------------------------------------------------------------------------------------------


@given(st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.sampled_from(["downgrade_in_infer", "upscale_in_train"]))
def test_dropout_in_training_and_evaluation(p, implementation):
    with guard():
        layer, x = Dropout(p, seed=3, dropout_implementation=implementation), np.full([50, 40], 2.0, "float32")
        v = to_variable(x)
        v.stop_gradient = False
        out = layer(v)
        scale = 1 / (1 - p) if implementation == "upscale_in_train" and p < 1 else 1
        assert set(np.unique(out.numpy())) <= {0, np.float32(2 * scale)}
        assert abs((out.numpy() == 0).mean() - p) < 0.05
        np.testing.assert_array_equal(layer(v).numpy(), out.numpy())
        out.backward()
        np.testing.assert_allclose(v.gradient(), out.numpy() / 2)
        layer.eval()
        tested = 2 if implementation == "upscale_in_train" else 2 * (1 - p)
        np.testing.assert_allclose(layer(v).numpy(), tested, rtol=1e-6)
        layer.train()
        np.testing.assert_array_equal(layer(v).numpy(), out.numpy())


def test_dropout_drops_what_paddle_drops():
    ones = to_variable(np.ones([2, 4], "float32"))
    assert Dropout(0.5, seed=3)(ones).numpy().tolist() == [[0, 0, 1, 1], [1, 1, 1, 0]]  # observed in PaddlePaddle 1.8.5


def test_dropout_without_a_seed_changes_and_with_a_programs_seed_does_not():
    layer, ones = Dropout(0.5), to_variable(np.ones([10, 10], "float32"))
    assert (layer(ones).numpy() != layer(ones).numpy()).any()
    fluid.default_main_program().random_seed = 5
    assert (layer(ones).numpy() == layer(ones).numpy()).all()


def test_imperative_layers_go_by_train_and_eval_alone_and_not_by_is_test():
    # recorded from 1.8.5
    x = to_variable(np.array([[1, 2], [3, 5]], "float32"))
    batch_norm = BatchNorm(2, is_test=True)
    np.testing.assert_allclose(batch_norm(x).numpy(), [[-0.999995, -0.99999785], [0.999995, 0.9999976]], rtol=1e-6)
    assert batch_norm._mean.numpy().all()
    ones = to_variable(np.ones([1, 8], "float32"))
    dropout = Dropout(0.5, seed=3, is_test=True)
    assert dropout(ones).numpy().tolist() == [[0, 0, 1, 1, 1, 1, 1, 0]]
    dropout.eval()
    assert dropout(ones).numpy().tolist() == [[0.5] * 8]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: Dropout(1.5), ArgumentValueError, "Dropout: p got 1.5, needs a probability, 0 to 1"),
        (lambda: Dropout("a"), ArgumentValueError, "Dropout: p got a"),
        (lambda: Dropout(0.5, seed="a"), ArgumentTypeError, "Dropout: seed got str 'a', needs an int or None"),
        (lambda: Dropout(0.5, dropout_implementation="x"), ArgumentValueError, "dropout_implementation got 'x'"),
    ],
)
def test_dropout_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_functional_dropout_follows_the_latest_train_or_eval():
    ones, layer = to_variable(np.ones([20, 20], "float32")), Linear(1, 1)
    assert (layers.dropout(ones, 0.5).numpy() == 0).any()
    layer.eval()
    assert (layers.dropout(ones, 0.5).numpy() == 0.5).all()
    with guard():
        assert (layers.dropout(ones, 0.5).numpy() == 0).any()
    assert (layers.dropout(ones, 0.5).numpy() == 0.5).all()
    layer.train()
    assert (layers.dropout(ones, 0.5).numpy() == 0).any()
    assert (layers.dropout(ones, 0.5, is_test=True).numpy() == 0).any()  # as on 1.8.5


def test_a_layer_goes_by_its_own_mode():
    ones, other = to_variable(np.ones([20, 20], "float32")), Linear(1, 1)
    other.eval()
    assert (Dropout(0.5)(ones).numpy() == 0).any()


# --- all of them ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        lambda: Linear(4, 3), lambda: Conv2D(3, 4, 3), lambda: BatchNorm(3), lambda: LayerNorm(4), lambda: Embedding([5, 2]),
    ],
)  # fmt: skip
def test_parameters_have_the_dtype_that_is_asked_for(make):
    assert all(p.dtype == "float32" for p in make().parameters())


@pytest.mark.parametrize(
    "make",
    [
        lambda a: Linear(4, 3, param_attr=a, bias_attr=a), lambda a: Conv2D(3, 4, 3, param_attr=a, bias_attr=a),
        lambda a: BatchNorm(3, param_attr=a, bias_attr=a), lambda a: LayerNorm(4, param_attr=a, bias_attr=a),
        lambda a: Embedding([5, 2], param_attr=a),
    ],
)  # fmt: skip
def test_parameter_attributes_reach_every_parameter(make):
    layer = make(fluid.ParamAttr(initializer=fluid.initializer.Constant(7), learning_rate=0.5))
    reached = [p for p in layer.parameters() if p.trainable]
    assert reached and all((p.numpy() == 7).all() and p.optimize_attr == {"learning_rate": 0.5} for p in reached)
