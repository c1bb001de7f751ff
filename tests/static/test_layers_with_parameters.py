"""Functions and Layers that make parameters, in Programs."""

import numpy as np

import paddle_lite.fluid as fluid
from paddle_lite.fluid import dygraph, layers

rng = np.random.RandomState(0)
SHAPES = {"x": (2, 12), "h": (2, 4), "xt": (2, 3), "q": (2, 5, 3)}
FEED = {name: rng.rand(*shape).astype("float32") for name, shape in SHAPES.items()}
FEED["label"] = np.array([[1], [2]])
FEED["edges"] = np.array([[[1, 2], [1, 3], [3, 4]]] * 2, "int32")


def trained(build, seed):
    """The Program of a loss, and the loss before each of three steps."""
    program, startup = fluid.Program(), fluid.Program()
    program.random_seed = startup.random_seed = seed
    with fluid.program_guard(program, startup), fluid.unique_name.guard():
        inputs = [fluid.data(name, array.shape, array.dtype.name) for name, array in FEED.items()]
        for value in inputs[: len(SHAPES)]:
            value.stop_gradient = False
        first, *others = build(*inputs)
        loss = layers.mean(first)
        for other in others:
            loss = loss + layers.mean(other)
        fluid.optimizer.SGD(0.1).minimize(loss)
    executor = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        executor.run(startup)
        losses = [executor.run(program, feed=FEED, fetch_list=[loss])[0].item() for _ in range(3)]
    return program, losses


def test_functions_make_the_programs_and_the_numbers_of_paddle():
    def build(x, h, xt, q, label, edges):
        return [
            layers.gru_unit(x, h, 12)[0],
            layers.lstm_unit(xt, h, h)[0],
            layers.nce(xt, label, 10, seed=3),
            layers.nce(xt, label, 10, sampler="custom_dist", custom_dist=[0.1] * 10, seed=2),
            layers.hsigmoid(xt, label, 6),
            layers.row_conv(q, 2),
        ]

    program, losses = trained(build, 5)
    np.testing.assert_allclose(losses, [3.9228148, 3.8455544, 3.7708106], 1e-5)  # observed in PaddlePaddle 1.8.5
    types = [op.type for op in program.global_block().ops]
    assert types[:11] == [
        "gru_unit", "concat", "mul", "elementwise_add", "lstm_unit", "nce", "scale", "nce", "scale",
        "hierarchical_sigmoid", "row_conv",
    ]  # fmt: skip
    assert [p.name for p in program.all_parameters()] == [
        "gru_unit_0.w_0", "gru_unit_0.b_0", "fc_0.w_0", "fc_0.b_0", "nce_0.w_0", "nce_0.b_0", "nce_1.w_0", "nce_1.b_0",
        "nce_1.w_1", "nce_1.w_2", "nce_1.w_3", "hierarchical_sigmoid_0.w_0", "hierarchical_sigmoid_0.b_0",
        "row_conv_0.w_0",
    ]  # fmt: skip


def test_layers_build_programs():
    def build(x, h, xt, q, label, edges):
        return [
            dygraph.GRUUnit(12)(x, h)[0],
            dygraph.NCE(10, 3, sampler="custom_dist", custom_dist=[0.1] * 10, bias_attr=fluid.ParamAttr())(xt, label),
            dygraph.RowConv("ahead", 2)(q),
            dygraph.BilinearTensorProduct(12, 4, 2)(x, h),
            dygraph.TreeConv(3, 2, 2)(q, edges),
            dygraph.PRelu("all")(x),
            dygraph.LSTMCell(4, 3, dtype="float32")(xt, h, h)[0],
            dygraph.GRUCell(4, 3, use_cudnn_impl=False, dtype="float32")(xt, h),
        ]

    _, losses = trained(build, 7)
    assert losses[2] < losses[0]


def test_a_variable_is_the_momentum_of_batch_norm() -> None:
    momentum = fluid.layers.create_global_var([1], 0.5, "float32", persistable=True)
    x = fluid.data("x", [4, 3, 2, 2])
    fluid.layers.batch_norm(x, momentum=momentum, moving_mean_name="mean")
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    found = []
    for value in (0.5, 0.75):
        fluid.global_scope().find_var(momentum.name).get_tensor().set(np.array([value], "float32"), fluid.CPUPlace())
        exe.run(feed={"x": np.ones([4, 3, 2, 2], "float32")})
        found.append(np.array(fluid.global_scope().find_var("mean").get_tensor()).tolist())
    assert found == [[0.5] * 3, [0.625] * 3]
