"""ParamAttr, its other spellings, names of parameters, initializers, and what is refused."""

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core import mode
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    EnforceNotMet,
    ShapeError,
)
from paddle_lite.fluid import initializer as init
from paddle_lite.imperative import guard
from paddle_lite.imperative.layer import Layer
from paddle_lite.imperative.parameter import Parameter
from paddle_lite.params.attr import ParamAttr
from paddle_lite.params.initializer import Initializer
from paddle_lite.static.mode.static_mode import static_mode


def make(shape=(2, 3), attr=None, **keywords):
    return Layer("net").create_parameter(list(shape), attr, **keywords)


def made_by(initializer, shape=(2, 3), dtype="float32"):
    return make(shape, ParamAttr(initializer=initializer), dtype=dtype).numpy()


# --- attributes -----------------------------------------------------------------------------------------------------------


def test_without_attributes():
    p = make()
    assert type(p) is Parameter and p.shape == [2, 3] and p.dtype == "float32" and p.name == "net_0.w_0"
    assert p.trainable and not p.stop_gradient and p.optimize_attr == {"learning_rate": 1.0} and p.regularizer is None


def test_all_attributes():
    decay = fluid.regularizer.L2Decay(0.1)
    attr = ParamAttr("mine", init.Constant(3), 0.5, decay, False, False)
    p = make(attr=attr)
    assert p.name == "mine" and (p.numpy() == 3).all() and p.optimize_attr == {"learning_rate": 0.5}
    assert p.regularizer is decay and p.trainable is False and p.do_model_average is False and not p.stop_gradient


def test_other_spellings():
    assert make(attr="mine").name == "mine"
    assert (make(attr=init.Constant(2)).numpy() == 2).all()
    decay = fluid.regularizer.L1Decay(0.1)
    assert make(attr=decay).regularizer is decay
    assert make(attr=False) is None
    assert make(attr=True).name == "net_4.w_0"


@pytest.mark.parametrize("attr", [3, ["a"], 1.5, object(), np.zeros(2)])
def test_what_is_no_attribute_is_refused(attr):
    with pytest.raises(ArgumentTypeError, match=r"create_parameter: attr got .*, needs a ParamAttr, a name"):
        make(attr=attr)


@pytest.mark.parametrize(
    ("keywords", "error", "text"),
    [
        ({"name": ""}, ArgumentValueError, "ParamAttr: name got ''"),
        ({"name": 3}, ArgumentTypeError, "ParamAttr: name got int 3"),
        ({"initializer": 3}, ArgumentTypeError, "ParamAttr: initializer got int 3, needs an Initializer"),
        ({"learning_rate": "a"}, ArgumentTypeError, "ParamAttr: learning_rate got str 'a', needs a number"),
    ],
)
def test_wrong_attributes_are_named(keywords, error, text):
    with pytest.raises(error, match=text):
        ParamAttr(**keywords)


def test_repr():
    attr = ParamAttr(name="w", initializer=init.Constant(1.0))
    assert repr(attr) == (
        "ParamAttr(name='w', initializer=Constant(value=1.0), learning_rate=1.0, trainable=True, do_model_average=True)"
    )


# --- names ----------------------------------------------------------------------------------------------------------------


def test_names_count_by_layer_and_kind():
    layer = Layer("net")
    names = [layer.create_parameter([1], is_bias=bias).name for bias in (False, True, False, True)]
    assert names == ["net_0.w_0", "net_0.b_0", "net_0.w_1", "net_0.b_1"]
    assert Layer("net").create_parameter([1]).name == "net_1.w_0"


def test_a_name_is_given_once_in_a_guard():
    make(attr="same")
    with pytest.raises(ArgumentValueError, match=r"create_parameter: name got 'same', needs a name that no other"):
        make(attr=ParamAttr(name="same"))
    with guard():
        assert make(attr="same").name == "same"


def test_a_made_up_name_passes_by_one_that_is_taken():
    layer = Layer("net")
    layer.create_parameter([1], "net_0.w_0")
    assert layer.create_parameter([1]).name == "net_0.w_1"


def test_a_parameter_that_could_not_be_made_leaves_its_name_free():
    with pytest.raises(ShapeError):
        make([-1], attr="w")
    assert make(attr="w").name == "w"


# --- shape, dtype ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [[2, -1], [0], [], [2, 0]])
def test_sizes_are_positive(shape):
    with pytest.raises(ShapeError, match=r"create_parameter: shape got .*, needs at least one size, each of 1 or more"):
        make(shape)


def test_sizes_are_whole_numbers():
    assert Layer().create_parameter((np.int64(2), 3)).shape == [2, 3]
    with pytest.raises(ShapeError, match=r"shape got \[2.5\], needs whole numbers"):
        make([2.5])
    for wrong in (3, "ab", None):
        with pytest.raises(ArgumentTypeError, match="create_parameter: shape got"):
            Layer().create_parameter(wrong)


def test_integers_need_an_initializer():
    for bias in (False, True):
        with pytest.raises(
            DtypeError, match=r"dtype got int64, needs a float, where no initializer is given. Name one"
        ):
            make(dtype="int64", is_bias=bias)
    assert made_by(init.Constant(3), dtype="int64").tolist() == [[3, 3, 3]] * 2
    assert made_by(init.Constant(2.7), dtype="int32").tolist() == [[2, 2, 2]] * 2
    assert made_by(init.Constant(1), dtype="bool").all()
    assert make(dtype="int64", default_initializer=init.Constant(1)).numpy().dtype == np.int64


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_every_float_dtype_can_be_drawn(dtype):
    for initializer in (init.Constant(1.5), init.Uniform(), init.Normal(), init.TruncatedNormal(), init.Xavier()):
        value = made_by(initializer, [50], dtype)
        assert value.dtype == dtype and np.isfinite(value).all()


def test_outside_of_imperative_mode():
    main, startup = fluid.Program(), fluid.Program()
    with mode.switched(static_mode, None, None), fluid.program_guard(main, startup):
        mine = make(attr="mine")
        assert (
            make(attr=ParamAttr("mine", learning_rate=0.5)) is mine
        )  # a name that is given twice shares the parameter
        assert mine.optimize_attr == {"learning_rate": 0.5}
        with pytest.raises(ShapeError, match=r"parameter mine: shape got \[3, 3\], needs \[2, 3\]"):
            make((3, 3), attr="mine")
    assert main.all_parameters() == [mine]
    assert [op.output("Out") for op in startup.global_block().ops] == [["mine"]]


def test_in_a_program_an_array_of_another_shape_replaces_that_of_the_parameter_when_it_is_filled():
    array = np.arange(6, dtype="float32")
    programs = fluid.program_guard(fluid.Program(), fluid.Program())
    with mode.switched(static_mode, None, None), programs, fluid.scope_guard(fluid.Scope()):
        w = fluid.layers.create_parameter([2, 3], "float32", default_initializer=init.NumpyArrayInitializer(array))
        exe = fluid.Executor()
        exe.run(fluid.default_startup_program())
        assert w.shape == (2, 3)
        np.testing.assert_array_equal(exe.run(fetch_list=[w])[0], array)


def test_arrays_are_lists_in_programs():
    startup = fluid.Program()
    with mode.switched(static_mode, None, None), fluid.program_guard(fluid.Program(), startup):
        make((2, 2), init.NumpyArrayInitializer(np.eye(2, dtype="float32")))
    [op] = startup.global_block().ops
    assert op.attr("fp32_values") == [1.0, 0.0, 0.0, 1.0] and "assign_value" in repr(op)


# --- initializers ---------------------------------------------------------------------------------------------------------


def test_a_bias_starts_with_zeros_and_a_weight_does_not():
    assert (make([8], is_bias=True).numpy() == 0).all()
    assert make([8]).numpy().any()


def test_the_attribute_wins_over_the_layers_default():
    p = make(attr=init.Constant(5), default_initializer=init.Constant(6))
    assert (p.numpy() == 5).all() and (make(default_initializer=init.Constant(6)).numpy() == 6).all()


def test_moments_of_random_initializers():
    def moments(initializer, shape=(200, 100)):
        value = made_by(initializer, shape)
        return value.mean(), value.std(), value.min(), value.max()

    mean, deviation, low, high = moments(init.Uniform(-2.0, 4.0, seed=1))
    assert abs(mean - 1) < 0.05 and -2 <= low < -1.9 and 3.9 < high <= 4 and abs(deviation - 6 / 12**0.5) < 0.02
    mean, deviation, *_ = moments(init.Normal(3.0, 2.0, seed=1))
    assert abs(mean - 3) < 0.05 and abs(deviation - 2) < 0.05
    mean, _, low, high = moments(init.TruncatedNormal(3.0, 2.0, seed=1))
    assert abs(mean - 3) < 0.05 and -1 <= low < -0.9 and 6.9 < high <= 7
    assert abs(moments(init.Xavier(seed=1))[1] - (2 / 300) ** 0.5) < 1e-3
    assert abs(moments(init.Xavier(uniform=False, seed=1))[1] - (2 / 300) ** 0.5) < 1e-3
    assert abs(moments(init.MSRA(seed=1))[1] - (2 / 200) ** 0.5) < 2e-3
    assert abs(moments(init.MSRA(uniform=False, seed=1))[1] - (2 / 200) ** 0.5) < 2e-3


@pytest.mark.parametrize(
    ("initializer", "shape", "expected"),
    [
        # observed in PaddlePaddle 1.8.5
        (init.Xavier(fan_in=3, fan_out=5, seed=3), [2, 2], [-0.86590856, -0.42418382]),
        (init.MSRA(fan_in=3, seed=3), [2, 2], [-1.4140228, -0.69268924]),
        (init.Xavier(seed=1), [4], [-0.86598647, -0.7187449, 0.1755479, 0.67829067]),
        (init.Xavier(seed=1), [2, 3, 2, 2], [-0.54769796, -0.4545742, 0.11102623]),
        (init.MSRA(seed=1), [4], [-1.2246898, -1.0164587, 0.24826229, 0.95924795]),
        (init.Uniform(-1, 1, seed=7), [2], [-0.9996853, 0.19045424]),
    ],
)
def test_fans(initializer, shape, expected):
    np.testing.assert_array_equal(made_by(initializer, shape).reshape(-1)[: len(expected)], np.float32(expected))


def test_uniform_with_a_diagonal():
    value = made_by(init.Uniform(-1, 1, seed=90, diag_num=2, diag_step=2, diag_val=9.0), [2, 3]).reshape(-1)
    assert value[0] == value[3] == 9 and (np.abs(np.delete(value, [0, 3])) < 1).all()


def test_bilinear_enlarges_smoothly():
    filters = made_by(init.Bilinear(), [2, 1, 4, 4])
    line = np.array([0.25, 0.75, 0.75, 0.25])
    np.testing.assert_allclose(filters, np.broadcast_to(np.outer(line, line), [2, 1, 4, 4]))
    np.testing.assert_allclose(made_by(init.Bilinear(), [1, 1, 3, 3])[0, 0, 1], [0.1875, 0.5625, 0.5625])
    for shape in ([1, 1, 3, 4], [1, 3, 3], [4]):
        with pytest.raises(ShapeError, match=r"Bilinear initializer: shape got"):
            made_by(init.Bilinear(), shape)


@pytest.mark.parametrize("dtype", ["float32", "int32", "int64", "bool"])
def test_the_values_of_an_array(dtype):
    array = np.arange(6).reshape(2, 3).astype(dtype)
    np.testing.assert_array_equal(made_by(init.NumpyArrayInitializer(array), dtype=dtype), array)
    array.fill(0)


def test_an_array_is_converted_but_not_reshaped():
    assert made_by(init.NumpyArrayInitializer(np.ones([2, 3]))).dtype == np.float32
    for shape in ([3, 2], [6], [2, 2]):
        array = np.arange(np.prod(shape), dtype="float32").reshape(shape)
        np.testing.assert_array_equal(made_by(init.NumpyArrayInitializer(array)), array)
    with pytest.raises(DtypeError, match=r"NumpyArrayInitializer: dtype got float64, needs one of .*set_value"):
        made_by(init.NumpyArrayInitializer(np.ones([2, 3])), dtype="float64")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: init.Uniform(1, -1),
            ArgumentValueError,
            "Uniform initializer: low got 1, needs no more than high, -1",
        ),
        (lambda: init.Constant("a"), ArgumentTypeError, "Constant initializer: value got str 'a', needs a number"),
        (lambda: init.Normal(None), ArgumentTypeError, "Normal initializer: loc got NoneType None"),
        (lambda: init.NumpyArrayInitializer([1]), ArgumentTypeError, "value got list .*needs an ndarray"),
    ],
)
def test_wrong_initializers_are_named(call, error, text):
    with pytest.raises(error, match=text) as caught:
        call()
    assert isinstance(caught.value, EnforceNotMet)


def test_an_initializer_of_ones_own_says_its_operator():
    class Sevens(Initializer):
        def operation(self, shape, dtype):
            return init.Constant(7.0).operation(shape, dtype)

    assert (made_by(Sevens()) == 7).all()
    with pytest.raises(NotImplementedError, match="Initializer does not say which operator"):
        made_by(Initializer())


def test_reprs():
    assert repr(init.Xavier()) == "Xavier(uniform=True, fan_in=None, fan_out=None, seed=0)"
    assert repr(init.Normal(1.0, 2.0)) == "Normal(loc=1.0, scale=2.0, seed=0)"
    assert repr(init.NumpyArrayInitializer(np.zeros([2, 3]))) == "NumpyArray(shape=[2, 3])"


def test_an_initializer_of_a_program_meets_the_parameter_itself():
    """As in 1.8.5, it may set attributes of it, such as `op`, which the initializers of that time set."""

    class Quarters(Initializer):
        def __call__(self, var, block):
            attrs = {"shape": var.shape, "dtype": int(var.dtype), "value": 0.25}
            var.op = block._prepend_op(type="fill_constant", outputs={"Out": var}, attrs=attrs)
            assert isinstance(var, fluid.framework.Parameter) and var.trainable is False
            var.mine = var.name
            return var.op

    with fluid.dygraph.guard():
        attr = fluid.ParamAttr(name="w", initializer=Quarters(), trainable=False)
        made = fluid.dygraph.Linear(2, 3, param_attr=attr).weight
        assert (made.mine, made.stop_gradient) == ("w", False)
        np.testing.assert_array_equal(made.numpy(), np.full([2, 3], 0.25, "float32"))
        half = fluid.layers.create_parameter([2], "float16", default_initializer=fluid.initializer.Constant(0.5))
        assert half.numpy().dtype == np.float16


# recorded from 1.8.5: the operator that draws float32 for a Parameter w of float16, and what it fills
HALVES = {
    "Constant": ("fill_constant", "constant_init.w.tmp_0"), "Uniform": ("uniform_random", "uniform_random.w.tmp_0"),
    "Normal": ("gaussian_random", "gaussian_random.w.tmp_0"), "Xavier": ("uniform_random", "xavier_init.w.tmp_0"),
    "TruncatedNormal": ("truncated_gaussian_random", "truncated_gaussian_random.w.tmp_0"),
    "MSRA": ("uniform_random", "masra_init.w.tmp_0"), "Bilinear": ("assign_value", "bilinear_init.w.tmp_0"),
    "NumpyArrayInitializer": ("assign_value", "numpy_array_init.w.tmp_0"),
}  # fmt: skip


@pytest.mark.parametrize("name", HALVES)
def test_parameters_of_float16_are_cast_from_what_is_drawn_in_programs(name: str) -> None:
    value = {"NumpyArrayInitializer": [np.full([2, 2, 3, 3], 0.5, "float32")], "Constant": [0.5]}.get(name, [])
    initializer = getattr(init, name)(*value)
    main, startup = fluid.Program(), fluid.Program()
    with mode.switched(static_mode, None, None), fluid.unique_name.guard(), fluid.program_guard(main, startup):
        x = fluid.data("x", [None, 2, 4, 4], "float16")
        y = fluid.layers.conv2d(x, 2, 3, param_attr=ParamAttr("w", initializer=initializer), bias_attr=False)
        assert y.dtype == fluid.core.VarDesc.VarType.FP16
        operators = [(op.type, *op.output("Out")) for op in startup.global_block().ops]
        assert operators == [HALVES[name], ("cast", "w")] and startup.lint() == []
        exe = fluid.Executor()
        exe.run(startup)
        found, w = exe.run(feed={"x": np.ones([1, 2, 4, 4], "float16")}, fetch_list=[y, "w"])
    assert w.dtype == found.dtype == np.float16 and w.any()
    with fluid.dygraph.guard():
        made = fluid.dygraph.to_variable(np.zeros([2, 2, 3, 3], "float16"))
        initializer(made, made.block)
        assert made.numpy().dtype == np.float16 and made.numpy().any()
