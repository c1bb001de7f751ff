"""Static Programs: the tutorials' MNIST network through an Executor, a While loop, and what building costs an operator."""

from benchmarks.bench_mnist import _data
from benchmarks.bench_mnist import torch_cases as eager_torch_cases
from benchmarks.measure import side_main

CHAIN, ROUNDS = 1000, 1000


def _network(fluid):
    """(image, label, prediction, loss) in the default Programs."""
    layers = fluid.layers
    image = layers.data("image", [1, 28, 28])
    label = layers.data("label", [1], dtype="int64")
    x = image
    for channels in (20, 50):
        x = fluid.nets.simple_img_conv_pool(x, channels, 5, 2, 2, act="relu")
    prediction = layers.fc(x, 10, act="softmax", bias_attr=False)
    return image, label, prediction, layers.mean(layers.cross_entropy(prediction, label))


def _mnist(fluid):
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup):
        _, _, prediction, loss = _network(fluid)
        test = main.clone(for_test=True)
        fluid.optimizer.Adam(0.001).minimize(loss)
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(startup, scope=scope)
    x, y = _data()
    feed = {"image": x, "label": y}
    fast = {"scope": scope, "use_program_cache": True}
    return {
        "train step": (lambda: executor.run(main, feed=feed, fetch_list=[loss], **fast), 1),
        "inference": (lambda: executor.run(test, feed=feed, fetch_list=[prediction], **fast), 1),
    }


def _loop(fluid):
    """A loop that only counts."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        i = fluid.layers.fill_constant([1], "int64", 0)
        n = fluid.layers.fill_constant([1], "int64", ROUNDS)
        going = fluid.layers.less_than(i, n)
        loop = fluid.layers.While(going)
        with loop.block():
            fluid.layers.increment(i, in_place=True)
            fluid.layers.less_than(i, n, cond=going)
    executor = fluid.Executor(fluid.CPUPlace())
    return lambda: executor.run(main, fetch_list=[i], use_program_cache=True)


def _build(fluid):
    """Append a chain of operators."""
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.layers.data("x", [8], stop_gradient=False)
        y = x
        for _ in range(CHAIN // 2):
            y = fluid.layers.relu(fluid.layers.elementwise_add(y, x))
        return x, fluid.layers.mean(y)


def _differentiate(fluid):
    """A call that appends a chain of operators and its gradients."""

    def call():
        with fluid.program_guard(fluid.Program(), fluid.Program()):
            x = fluid.layers.data("x", [8], stop_gradient=False)
            y = x
            for _ in range(CHAIN // 2):
                y = fluid.layers.relu(fluid.layers.elementwise_add(y, x))
            fluid.gradients(fluid.layers.mean(y), x)

    return call


def _cases(fluid):
    """The cases of Fluid's API, for us and for PaddlePaddle 1.8.5."""
    return {
        **_mnist(fluid),
        "a round of a While loop": (_loop(fluid), ROUNDS),
        "building, an operator": (lambda: _build(fluid), CHAIN),
        "building with gradients, an operator of the forward pass": (_differentiate(fluid), CHAIN),
    }


def paddle_lite_cases():
    import paddle_lite as paddle

    return _cases(paddle.fluid)


def fluid_cases():
    import paddle.fluid as fluid

    return _cases(fluid)


def torch_cases():
    return eager_torch_cases()


if __name__ == "__main__":
    side_main({"paddle_lite": paddle_lite_cases, "fluid": fluid_cases, "torch": torch_cases})
