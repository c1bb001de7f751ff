"""An unrolled LSTM cell, written operator by operator: the loss and the gradients of its weights."""

from benchmarks.side import EVERYWHERE, Model, bar, on


class Cell(Model):
    """`steps` steps of a cell of `width` units; the gates are those of BasicLSTMUnit, with 1 added to the forget gate."""

    def __init__(self, samples, width, steps):
        self.samples, self.width, self.steps = samples, width, steps

    def weights(self):
        import numpy as np

        rng, width = np.random.RandomState(0), self.width
        return {
            "w": ((rng.rand(2 * width, 4 * width) - 0.5) * 0.1).astype("float32"),
            "b": ((rng.rand(4 * width) - 0.5) * 0.1).astype("float32"),
        }

    def inputs(self):
        import numpy as np

        shape = (self.samples, self.width)
        x = np.random.RandomState(1).rand(self.steps, *shape).astype("float32")
        return {"x": x, "h": np.zeros(shape, "float32"), "c": np.zeros(shape, "float32")}

    def fluid(self, layers, p, x):
        h, c, hs = x["h"], x["c"], []
        for x_t in layers.unstack(x["x"], axis=0, num=self.steps):
            gates = layers.elementwise_add(layers.matmul(layers.concat([x_t, h], axis=1), p["w"]), p["b"])
            i, j, f, o = layers.split(gates, 4, dim=1)
            kept = layers.elementwise_mul(c, layers.sigmoid(layers.scale(f, bias=1.0)))
            c = layers.elementwise_add(kept, layers.elementwise_mul(layers.sigmoid(i), layers.tanh(j)))
            h = layers.elementwise_mul(layers.tanh(c), layers.sigmoid(o))
            hs.append(h)
        return layers.mean(layers.stack(hs))

    def torch(self, torch, p, x):
        h, c, hs = x["h"], x["c"], []
        for x_t in x["x"].unbind(0):
            i, j, f, o = (torch.cat([x_t, h], 1) @ p["w"] + p["b"]).chunk(4, 1)
            c = c * torch.sigmoid(f + 1.0) + torch.sigmoid(i) * torch.tanh(j)
            h = torch.tanh(c) * torch.sigmoid(o)
            hs.append(h)
        return torch.stack(hs).mean()

    def paddle3(self, paddle, p, x):
        functional = paddle.nn.functional
        h, c, hs = x["h"], x["c"], []
        for x_t in paddle.unbind(x["x"], 0):
            i, j, f, o = paddle.split(paddle.matmul(paddle.concat([x_t, h], 1), p["w"]) + p["b"], 4, 1)
            c = c * functional.sigmoid(f + 1.0) + functional.sigmoid(i) * paddle.tanh(j)
            h = paddle.tanh(c) * functional.sigmoid(o)
            hs.append(h)
        return paddle.mean(paddle.stack(hs))

    def jax(self, jax, p, x):
        """Build the network with JAX, the steps as a scan."""
        jnp, nn = jax.numpy, jax.nn

        def step(state, x_t):
            h, c = state
            i, j, f, o = jnp.split(jnp.concatenate([x_t, h], 1) @ p["w"] + p["b"], 4, 1)
            c = c * nn.sigmoid(f + 1.0) + nn.sigmoid(i) * jnp.tanh(j)
            h = jnp.tanh(c) * nn.sigmoid(o)
            return (h, c), h

        return jnp.mean(jax.lax.scan(step, (x["h"], x["c"]), x["x"])[1])


@on(*EVERYWHERE, "jax")
@bar("torch", 0.65)
@bar("torch.compile", 0.65)
@bar("jax", 0.7)
def time_large(side):
    """LSTM cell by ops, 20 samples, width 200, 20 steps"""
    return side.gradients(Cell(20, 200, 20))


@on(*EVERYWHERE, "jax")
@bar("torch", 0.25)
@bar("torch.compile", 1.0)
@bar("jax", 0.8)
def time_small(side):
    """LSTM cell by ops, 1 sample, width 32, 50 steps"""
    return side.gradients(Cell(1, 32, 50))
