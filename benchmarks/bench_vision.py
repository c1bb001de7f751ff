"""Inference over one image of 224 x 224: ResNet-18 and MobileNetV1."""

from benchmarks.side import EVERYWHERE, Model, bar, on

EPSILON = 1e-5


class _Recipe:
    """Records the parameter shapes of a network that is described as a list of steps, independent of the framework."""

    def __init__(self):
        self.shapes = {}

    def conv(self, name, inputs, outputs, size, stride, groups=1):
        self.shapes[name] = (outputs, inputs // groups, size, size)
        return (name, stride, size // 2, groups)


class Vision(Model):
    """The common part of the networks: convolutions with batch_norm, global average pooling, a product.

    Args:
        batch: the number of images. trained: whether the result is the loss, and batch_norm takes the batch's statistics.
    """

    classes = 1000

    def __init__(self, batch=1, trained=False):
        self.batch, self.trained = batch, trained
        self.recipe = _Recipe()
        self.steps, self.features = self.describe(self.recipe)

    def weights(self):
        import numpy as np

        rng, found = np.random.RandomState(0), {}
        for name, shape in self.recipe.shapes.items():
            found[name] = rng.randn(*shape) * (2.0 / np.prod(shape[1:])) ** 0.5
            found[name + ".scale"] = rng.rand(shape[0]) * 0.5 + 0.5
            found[name + ".shift"] = rng.randn(shape[0]) * 0.1
            found[name + ".mean"] = rng.randn(shape[0]) * 0.1
            found[name + ".variance"] = rng.rand(shape[0]) * 0.5 + 0.75
        found["fc"] = rng.randn(self.features, self.classes) / self.features**0.5
        found["fc.b"] = rng.randn(self.classes) * 0.1
        return {name.replace(".", "_"): value.astype("float32") for name, value in found.items()}

    def inputs(self):
        import numpy as np

        rng = np.random.RandomState(1)
        image = {"image": rng.rand(self.batch, 3, 224, 224).astype("float32")}
        if not self.trained:
            return image
        return dict(image, label=rng.randint(0, self.classes, (self.batch, 1)).astype("int64"))

    def trains(self, name):
        return not name.endswith(("_mean", "_variance"))

    def forward(self, x, conv, relu, pool, add, finish):
        """Run the steps of the network with the functions of a framework."""
        kept = {}
        for kind, *details in self.steps:
            if kind == "conv":
                x = conv(x, *details)
            elif kind == "relu":
                x = relu(x)
            elif kind == "pool":
                x = pool(x)
            elif kind == "keep":
                kept[details[0]] = x
            elif kind == "keep conv":
                kept[details[0]] = conv(kept[details[0]], *details[1:])
            else:
                x = add(x, kept[details[0]])
        return finish(x)

    def fluid(self, layers, p, x):
        def conv(y, name, stride, padding, groups):
            y = layers.conv2d(y, p[name], stride, padding, groups)
            stats = (p[f"{name}_{each}"] for each in ("scale", "shift", "mean", "variance"))
            return layers.batch_norm(y, *stats, trained=self.trained)

        def finish(y):
            y = layers.reshape(layers.pool2d(y, pool_type="avg", global_pooling=True), [-1, self.features])
            y = layers.elementwise_add(layers.matmul(y, p["fc"]), p["fc_b"])
            return layers.mean(layers.softmax_with_cross_entropy(y, x["label"])) if self.trained else y

        def pool(y):
            return layers.pool2d(y, 3, "max", 2, 1)

        return self.forward(x["image"], conv, layers.relu, pool, layers.elementwise_add, finish)

    def torch(self, torch, p, x):
        functional = torch.nn.functional

        def conv(y, name, stride, padding, groups):
            y = functional.conv2d(y, p[name], None, stride, padding, 1, groups)
            stats = (p[f"{name}_{each}"] for each in ("mean", "variance", "scale", "shift"))
            return functional.batch_norm(y, *stats, self.trained, 0.1, EPSILON)

        def finish(y):
            y = torch.addmm(p["fc_b"], y.mean((2, 3)), p["fc"])
            return functional.cross_entropy(y, x["label"][:, 0]) if self.trained else y

        def pool(y):
            return functional.max_pool2d(y, 3, 2, 1)

        return self.forward(x["image"], conv, functional.relu, pool, torch.add, finish)

    def paddle3(self, paddle, p, x):
        functional = paddle.nn.functional

        def conv(y, name, stride, padding, groups):
            y = functional.conv2d(y, p[name], None, stride, padding, 1, groups)
            stats = (p[f"{name}_{each}"] for each in ("mean", "variance", "scale", "shift"))
            return functional.batch_norm(y, *stats, self.trained, 0.9, EPSILON)

        def finish(y):
            y = functional.linear(paddle.mean(y, [2, 3]), p["fc"], p["fc_b"])
            return functional.cross_entropy(y, x["label"]) if self.trained else y

        def pool(y):
            return functional.max_pool2d(y, 3, 2, 1)

        return self.forward(x["image"], conv, functional.relu, pool, paddle.add, finish)

    def jax(self, jax, p, x):
        """Build the network with JAX; in training, the moving statistics stay as they are."""
        jnp, lax = jax.numpy, jax.lax

        def conv(y, name, stride, padding, groups):
            more = {"feature_group_count": groups, "dimension_numbers": ("NCHW", "OIHW", "NCHW")}
            y = lax.conv_general_dilated(y, p[name], [stride] * 2, [(padding, padding)] * 2, **more)
            if self.trained:
                mean, variance = jnp.mean(y, (0, 2, 3)), jnp.var(y, (0, 2, 3))
            else:
                mean, variance = p[name + "_mean"], p[name + "_variance"]
            scale = p[name + "_scale"] * lax.rsqrt(variance + EPSILON)
            return y * scale[:, None, None] + (p[name + "_shift"] - mean * scale)[:, None, None]

        def finish(y):
            y = jnp.mean(y, (2, 3)) @ p["fc"] + p["fc_b"]
            if not self.trained:
                return y
            return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(y), x["label"], 1))

        def pool(y):
            sizes = (1, 1, 3, 3), (1, 1, 2, 2), ((0, 0), (0, 0), (1, 1), (1, 1))
            return lax.reduce_window(y, -jnp.inf, lax.max, *sizes)

        return self.forward(x["image"], conv, jax.nn.relu, pool, jnp.add, finish)

    def onnx(self, graph, x):
        node = graph.node

        def conv(y, name, stride, padding, groups):
            y = node("Conv", y, name, strides=[stride] * 2, pads=[padding] * 4, group=groups)
            stats = (f"{name}_{each}" for each in ("scale", "shift", "mean", "variance"))
            return node("BatchNormalization", y, *stats, epsilon=EPSILON)

        def finish(y):
            return node("Gemm", node("Flatten", node("GlobalAveragePool", y)), "fc", "fc_b")

        def pool(y):
            return node("MaxPool", y, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)

        return self.forward(x["image"], conv, lambda y: node("Relu", y), pool, lambda a, b: node("Add", a, b), finish)


class ResNet18(Vision):
    """Four stages of two blocks of two convolutions."""

    def describe(self, recipe):
        steps = [("conv", *recipe.conv("first", 3, 64, 7, 2)), ("relu",), ("pool",)]
        width = 64
        for stage in range(4):
            for block in range(2):
                name, wide = f"s{stage}b{block}", 64 * 2**stage
                stride = 2 if stage and not block else 1
                steps.append(("keep", name))
                steps += [("conv", *recipe.conv(name + "c0", width, wide, 3, stride)), ("relu",)]
                steps.append(("conv", *recipe.conv(name + "c1", wide, wide, 3, 1)))
                if stride == 2:
                    steps.append(("keep conv", name, *recipe.conv(name + "short", width, wide, 1, 2)))
                steps += [("add", name), ("relu",)]
                width = wide
        return steps, width


class MobileNetV1(Vision):
    """Thirteen depthwise convolutions, each followed by a 1 x 1 convolution."""

    def describe(self, recipe):
        steps, width = [("conv", *recipe.conv("first", 3, 32, 3, 2)), ("relu",)], 32
        plan = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2), (1024, 1)]
        for k, (wide, stride) in enumerate(plan):
            steps += [("conv", *recipe.conv(f"d{k}", width, width, 3, stride, width)), ("relu",)]
            steps += [("conv", *recipe.conv(f"p{k}", width, wide, 1, 1)), ("relu",)]
            width = wide
        return steps, width


@on(*EVERYWHERE, "onnxruntime")
@bar("torch", 1.2)
@bar("torch.compile", 1.0)
@bar("onnxruntime", 0.9)
def time_resnet18(side):
    """ResNet-18, one image, inference"""
    return side.inference(ResNet18())


@on(*EVERYWHERE, "onnxruntime")
@bar("torch", 1.2)
@bar("torch.compile", 1.0)
@bar("onnxruntime", 1.0)
def time_mobilenet_v1(side):
    """MobileNetV1, one image, inference"""
    return side.inference(MobileNetV1())
