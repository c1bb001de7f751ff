"""Initial values with seed 90 are those of PaddlePaddle 1.8.5, bit for bit (recorded in data/seeded_init.npz)."""

import pathlib

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.fluid import initializer as init
from paddle_lite.fluid.dygraph import (
    BatchNorm,
    Conv2D,
    Dropout,
    Embedding,
    Layer,
    LayerNorm,
    Linear,
    guard,
    to_variable,
)

RECORDED = np.load(pathlib.Path(__file__).parent / "data" / "seeded_init.npz")

LAYERS = {
    "linear_4_3": lambda: Linear(4, 3),
    "linear64": lambda: Linear(4, 3, dtype="float64"),
    "conv2d_1_20_5": lambda: Conv2D(1, 20, 5),
    "conv2d_3_6_3_g3": lambda: Conv2D(3, 6, 3, groups=3),
    "embedding_10_4": lambda: Embedding([10, 4]),
    "batch_norm_3": lambda: BatchNorm(3),
    "layer_norm_4": lambda: LayerNorm(4),
}
INITIALIZERS = {
    "init_normal_6_5": lambda: init.Normal(0.0, 1.0),
    "init_truncnormal_6_5": lambda: init.TruncatedNormal(0.0, 1.0),
    "init_uniform_6_5": lambda: init.Uniform(-1.0, 1.0),
    "init_xavier_u_6_5": lambda: init.Xavier(),
    "init_xavier_n_6_5": lambda: init.Xavier(uniform=False),
    "init_msra_u_6_5": lambda: init.MSRA(),
    "init_msra_n_6_5": lambda: init.MSRA(uniform=False),
    "init_normal_s7_6_5": lambda: init.Normal(0.0, 1.0, seed=7),
}
# parameters that Paddle's layers made by the default initializer
DEFAULTS = [
    "create_parameter_5_4", "create_parameter_7", "create_parameter_2_3_4", "create_parameter_2_3_4_5",
    "conv2d_transpose_3_6_3/weight", "gru_unit_9/weight", "nce_5_3/weight", "bilinear/weight", "treeconv/weight",
]  # fmt: skip


@pytest.fixture(autouse=True)
def seeded(imperative):
    fluid.default_main_program().random_seed = 90


def same(parameter, key):
    value = parameter.numpy()
    assert value.dtype == RECORDED[key].dtype
    np.testing.assert_array_equal(value, RECORDED[key], err_msg=key)


@pytest.mark.parametrize("name", LAYERS)
def test_parameters_of_layers(name):
    state = LAYERS[name]().state_dict()
    assert {f"{name}/{key}" for key in state} == {key for key in RECORDED.files if key.startswith(f"{name}/")}
    for key, parameter in state.items():
        same(parameter, f"{name}/{key}")


@pytest.mark.parametrize("name", INITIALIZERS)
def test_initializers(name):
    same(Layer().create_parameter([6, 5], fluid.ParamAttr(initializer=INITIALIZERS[name]())), name)


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_default_initializer_by_shape(name):
    same(Layer().create_parameter(list(RECORDED[name].shape)), name)


def test_dropout_drops_the_recorded_elements_each_time():
    drop, ones = Dropout(0.5), to_variable(np.ones([2, 6], "float32"))
    for _ in range(2):
        same(drop(ones), "dropout_2_6_p05")


def test_two_layers_of_one_shape_start_equal_with_a_seed_and_differ_without():
    assert (Linear(4, 3).weight.numpy() == Linear(4, 3).weight.numpy()).all()
    with guard():
        assert (Linear(4, 3).weight.numpy() != Linear(4, 3).weight.numpy()).any()


def test_each_guard_starts_without_a_seed_and_the_outer_one_keeps_its_own():
    with guard():
        assert fluid.default_main_program().random_seed == 0
        assert (Linear(4, 3).weight.numpy() != RECORDED["linear_4_3/weight"]).any()
    assert fluid.default_main_program().random_seed == 90
    same(Linear(4, 3).weight, "linear_4_3/weight")


def test_the_startup_programs_seed_does_nothing_here():
    fluid.default_main_program().random_seed = 0
    fluid.default_startup_program().random_seed = 90
    assert (Linear(4, 3).weight.numpy() != RECORDED["linear_4_3/weight"]).any()


@pytest.mark.parametrize("wrong", ["a", 1.5, None, True])
def test_a_seed_is_an_int(wrong):
    with pytest.raises(TypeError, match=r"Program.random_seed: seed got .*, needs an int"):
        fluid.default_main_program().random_seed = wrong
