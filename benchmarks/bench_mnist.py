"""The tutorials' MNIST network at batch 64: a training step with Adam, and inference."""

from benchmarks.side import Model, bar, on, shown

BATCH = 64


class Network(Model):
    """Two convolutions with pooling, and a product."""

    def __init__(self, trained, batch=BATCH):
        self.trained, self.batch = trained, batch

    def weights(self):
        import numpy as np

        rng = np.random.RandomState(0)
        shapes = {"w1": (20, 1, 5, 5), "w2": (50, 20, 5, 5), "w3": (800, 10)}
        found = {name: rng.randn(*shape) / 10 for name, shape in shapes.items()}
        found.update({"b1": rng.rand(20) / 10, "b2": rng.rand(50) / 10})
        return {name: value.astype("float32") for name, value in found.items()}

    def inputs(self):
        import numpy as np

        rng = np.random.RandomState(1)
        image = {"image": rng.rand(self.batch, 1, 28, 28).astype("float32")}
        return dict(image, label=rng.randint(0, 10, (self.batch, 1)).astype("int64")) if self.trained else image

    def fluid(self, layers, p, x):
        y = x["image"]
        for k in ("1", "2"):
            y = layers.relu(layers.elementwise_add(layers.conv2d(y, p["w" + k]), p["b" + k], axis=1))
            y = layers.pool2d(y, 2, "max", 2)
        y = layers.softmax(layers.matmul(layers.reshape(y, [-1, 800]), p["w3"]))
        return layers.mean(layers.cross_entropy(y, x["label"])) if self.trained else y

    def torch(self, torch, p, x):
        functional, y = torch.nn.functional, x["image"]
        for k in ("1", "2"):
            y = functional.max_pool2d(functional.relu(functional.conv2d(y, p["w" + k], p["b" + k])), 2)
        y = y.reshape(-1, 800) @ p["w3"]
        return functional.cross_entropy(y, x["label"][:, 0]) if self.trained else functional.softmax(y, 1)

    def paddle3(self, paddle, p, x):
        functional, y = paddle.nn.functional, x["image"]
        for k in ("1", "2"):
            y = functional.max_pool2d(functional.relu(functional.conv2d(y, p["w" + k], p["b" + k])), 2)
        y = paddle.matmul(paddle.reshape(y, [-1, 800]), p["w3"])
        return functional.cross_entropy(y, x["label"]) if self.trained else functional.softmax(y)


@bar("torch", 0.6)
@bar("fluid", 0.35)
def time_training_step(side):
    """MNIST network, batch 64, training step with Adam"""
    return side.training(Network(trained=True), "adam", 0.001)


@on("uncompiled", "eager", "torch")
def time_training_step_uncompiled(side):
    """MNIST network, batch 64, training step with Adam, also where nothing is compiled"""
    return side.training(Network(trained=True), "adam", 0.001)


@bar("torch", 0.55)
@bar("fluid", 0.45)
def time_inference(side):
    """MNIST network, batch 64, inference"""
    return side.inference(Network(trained=False))


@shown
def time_inference_of_one(side):
    """MNIST network, one image, inference"""
    return side.inference(Network(trained=False, batch=1))
