"""DCGAN on images of 32 x 32: a step of the discriminator and one of the generator, each with Adam of its own."""

from benchmarks.side import Model, Part, Work

BATCH, NOISE, WIDTH, CHANNELS = 64, 100, 64, 3
EPSILON, SLOPE = 1e-5, 0.2
ROUNDS = 2


class Adversaries(Model):
    """Both networks; the loss is that of the one that is trained, `who`: "d" or "g"."""

    def __init__(self, who):
        self.who = who

    def trains(self, name):
        return name.startswith(self.who) and not name.endswith(("mean", "variance"))

    def weights(self):
        import numpy as np

        rng = np.random.RandomState(0)
        filters = {"1": (4 * WIDTH, 2 * WIDTH), "2": (2 * WIDTH, WIDTH), "3": (WIDTH, CHANNELS)}
        shapes = {"g" + k: (*shape, 4, 4) for k, shape in filters.items()}
        shapes.update({"d" + k: (*shape, 4, 4) for k, shape in zip("321", filters.values())})
        shapes.update({"g_fc": (NOISE, 4 * WIDTH * 16), "d_fc": (4 * WIDTH * 16, 1)})
        found = {name: rng.randn(*shape) * 0.02 for name, shape in shapes.items()}
        for name, width in {"g0": 4, "g1": 2, "g2": 1, "d2": 2, "d3": 4}.items():
            found[name + "_scale"], found[name + "_shift"] = (
                1 + 0.02 * rng.randn(width * WIDTH),
                np.zeros(width * WIDTH),
            )
            found[name + "_mean"], found[name + "_variance"] = np.zeros(width * WIDTH), np.ones(width * WIDTH)
        return {name: value.astype("float32") for name, value in found.items()}

    def inputs(self):
        import numpy as np

        rng = np.random.RandomState(1)
        noise = {"noise": rng.randn(BATCH, NOISE).astype("float32")}
        shape = (BATCH, CHANNELS, 32, 32)
        return noise if self.who == "g" else dict(noise, image=np.tanh(rng.randn(*shape)).astype("float32"))

    def forward(self, x, fc, up, down, norm, relu, leaky, tanh, loss):
        """Run the networks with the functions of a framework, and return the loss."""

        def discriminate(y):
            y = leaky(down(y, "d1"))
            for name in ("d2", "d3"):
                y = leaky(norm(down(y, name), name))
            return fc(y, "d_fc", [-1, 4 * WIDTH * 16], [-1, 1])

        y = relu(norm(fc(x["noise"], "g_fc", [-1, NOISE], [-1, 4 * WIDTH, 4, 4]), "g0"))
        for name in ("g1", "g2"):
            y = relu(norm(up(y, name), name))
        made = discriminate(tanh(up(y, "g3")))
        return loss(made, 1.0) if self.who == "g" else loss(discriminate(x["image"]), 1.0) + loss(made, 0.0)

    def fluid(self, layers, p, x):
        def fc(y, name, rows, shape):
            return layers.reshape(layers.matmul(layers.reshape(y, rows), p[name]), shape)

        def norm(y, name):
            stats = (p[f"{name}_{each}"] for each in ("scale", "shift", "mean", "variance"))
            return layers.batch_norm(y, *stats, trained=True)

        def loss(y, label):
            wanted = layers.fill_constant([BATCH, 1], "float32", label)
            return layers.mean(layers.sigmoid_cross_entropy_with_logits(y, wanted))

        return self.forward(
            x,
            fc,
            lambda y, name: layers.conv2d_transpose(y, p[name], 2, 1),
            lambda y, name: layers.conv2d(y, p[name], 2, 1),
            norm,
            layers.relu,
            lambda y: layers.leaky_relu(y, SLOPE),
            layers.tanh,
            loss,
        )

    def torch(self, torch, p, x):
        functional = torch.nn.functional

        def norm(y, name):
            stats = (p[f"{name}_{each}"] for each in ("mean", "variance", "scale", "shift"))
            return functional.batch_norm(y, *stats, True, 0.1, EPSILON)

        def loss(y, label):
            return functional.binary_cross_entropy_with_logits(y, torch.full((BATCH, 1), label))

        return self.forward(
            x,
            lambda y, name, rows, shape: (y.reshape(rows) @ p[name]).reshape(shape),
            lambda y, name: functional.conv_transpose2d(y, p[name], None, 2, 1),
            lambda y, name: functional.conv2d(y, p[name], None, 2, 1),
            norm,
            functional.relu,
            lambda y: functional.leaky_relu(y, SLOPE),
            torch.tanh,
            loss,
        )

    def paddle3(self, paddle, p, x):
        functional = paddle.nn.functional

        def norm(y, name):
            stats = (p[f"{name}_{each}"] for each in ("mean", "variance", "scale", "shift"))
            return functional.batch_norm(y, *stats, True, 0.9, EPSILON)

        def loss(y, label):
            return functional.binary_cross_entropy_with_logits(y, paddle.full([BATCH, 1], label))

        return self.forward(
            x,
            lambda y, name, rows, shape: paddle.reshape(paddle.matmul(paddle.reshape(y, rows), p[name]), shape),
            lambda y, name: functional.conv2d_transpose(y, p[name], None, 2, 1),
            lambda y, name: functional.conv2d(y, p[name], None, 2, 1),
            norm,
            functional.relu,
            lambda y: functional.leaky_relu(y, SLOPE),
            paddle.tanh,
            loss,
        )

    def jax(self, jax, p, x):
        """Build the networks with JAX; the moving statistics stay as they are."""
        jnp, lax = jax.numpy, jax.lax
        order = ("NCHW", "OIHW", "NCHW")

        def norm(y, name):
            mean, variance = jnp.mean(y, (0, 2, 3)), jnp.var(y, (0, 2, 3))
            scale = p[name + "_scale"] * lax.rsqrt(variance + EPSILON)
            return y * scale[:, None, None] + (p[name + "_shift"] - mean * scale)[:, None, None]

        def up(y, name):
            weight = jnp.flip(p[name], (2, 3)).transpose(1, 0, 2, 3)
            return lax.conv_general_dilated(y, weight, (1, 1), [(2, 2)] * 2, (2, 2), dimension_numbers=order)

        def loss(y, label):
            return jnp.mean(jax.nn.softplus(-y if label else y))

        return self.forward(
            x,
            lambda y, name, rows, shape: (y.reshape(rows) @ p[name]).reshape(shape),
            up,
            lambda y, name: lax.conv_general_dilated(y, p[name], (2, 2), [(1, 1)] * 2, dimension_numbers=order),
            norm,
            jax.nn.relu,
            lambda y: jax.nn.leaky_relu(y, SLOPE),
            jnp.tanh,
            loss,
        )


def training(side):
    """Return a step of both networks as work."""
    parts = {who: Part(Adversaries(who), "adam", 0.0002) for who in ("d", "g")}
    run = side.session(parts)
    feeds = {who: part.model.inputs() for who, part in parts.items()}

    def step():
        return [run[who](feeds[who])[0] for who in ("d", "g")]

    return Work(step, lambda: [loss for _ in range(ROUNDS) for loss in step()])
