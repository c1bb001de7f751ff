"""The tutorials' MNIST network at batch 64: a training step with Adam, and inference."""

from benchmarks.measure import side_main

BATCH = 64


def _data():
    import numpy as np

    rng = np.random.RandomState(0)
    return rng.rand(BATCH, 1, 28, 28).astype("float32"), rng.randint(0, 10, (BATCH, 1)).astype("int64")


def _fluid(fluid, to_variable, no_grad):
    """The cases of Fluid's API, for us and for PaddlePaddle 1.8.5."""
    layers, dygraph = fluid.layers, fluid.dygraph

    class MNIST(dygraph.Layer):
        def __init__(self):
            super().__init__()
            self.conv1 = dygraph.Conv2D(1, 20, 5, act="relu")
            self.pool1 = dygraph.Pool2D(pool_size=2, pool_type="max", pool_stride=2)
            self.conv2 = dygraph.Conv2D(20, 50, 5, act="relu")
            self.pool2 = dygraph.Pool2D(pool_size=2, pool_type="max", pool_stride=2)
            self.output_weight = self.create_parameter([800, 10])

        def forward(self, x):
            x = self.pool2(self.conv2(self.pool1(self.conv1(x))))
            return layers.softmax(layers.matmul(layers.reshape(x, shape=[-1, 800]), self.output_weight))

    model = MNIST()
    adam = fluid.optimizer.AdamOptimizer(learning_rate=0.001, parameter_list=model.parameters())
    x, y = _data()

    def train():
        images, labels = to_variable(x), to_variable(y)
        loss = layers.mean(layers.cross_entropy(model(images), labels))
        loss.backward()
        adam.minimize(loss)
        model.clear_gradients()

    def infer():
        with no_grad():
            model(to_variable(x)).numpy()

    return {"train step": (train, 1), "inference": (infer, 1)}


def paddle_lite_cases():
    import paddle_lite as paddle

    paddle.enable_imperative()
    fluid = paddle.fluid
    return _fluid(fluid, fluid.dygraph.to_variable, fluid.dygraph.no_grad)


def fluid_cases():
    import paddle.fluid as fluid

    guard = fluid.dygraph.guard()
    guard.__enter__()
    return _fluid(fluid, fluid.dygraph.to_variable, fluid.dygraph.no_grad)


def torch_cases():
    import torch
    from torch import nn
    from torch.nn import functional

    model = nn.Sequential(
        nn.Conv2d(1, 20, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(20, 50, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(800, 10, bias=False),
    )
    adam = torch.optim.Adam(model.parameters(), lr=0.001, fused=True)
    x, y = _data()

    def train():
        loss = functional.cross_entropy(model(torch.from_numpy(x)), torch.from_numpy(y[:, 0]))
        loss.backward()
        adam.step()
        adam.zero_grad()

    def infer():
        with torch.no_grad():
            functional.softmax(model(torch.from_numpy(x)), dim=1).numpy()

    return {"train step": (train, 1), "inference": (infer, 1)}


if __name__ == "__main__":
    side_main({"paddle_lite": paddle_lite_cases, "fluid": fluid_cases, "torch": torch_cases})
