"""A transformer block: multi-head attention and a feed-forward part, each with a layer_norm before and a residual connection."""

from benchmarks.side import Model, bar

BATCH, LENGTH, WIDTH, HEADS, INNER = 8, 128, 512, 8, 2048


class Block(Model):
    """The block over `batch` sequences of `length` rows of `width`; the weights of query, key and value are one matrix.

    The rows are weights, so that their gradient is computed, as inside a network.
    """

    def __init__(self, batch=BATCH, length=LENGTH, width=WIDTH, heads=HEADS, inner=INNER):
        self.batch, self.length, self.width, self.heads, self.inner = batch, length, width, heads, inner

    def weights(self):
        import numpy as np

        rng, width, inner = np.random.RandomState(0), self.width, self.inner
        found = {}
        for name, (rows, columns) in {
            "qkv": (width, 3 * width),
            "out": (width, width),
            "inner": (width, inner),
            "outer": (inner, width),
        }.items():
            found["w_" + name] = rng.randn(rows, columns) / rows**0.5
            found["b_" + name] = rng.randn(columns) * 0.1
        for name in ("scale1", "shift1", "scale2", "shift2"):
            found[name] = rng.rand(width) + 0.5
        found["x"] = rng.randn(self.batch, self.length, width)
        return {name: value.astype("float32") for name, value in found.items()}

    def inputs(self):
        import numpy as np

        shape = (self.batch, self.length, self.width)
        return {"weighting": np.random.RandomState(1).randn(*shape).astype("float32")}

    def fluid(self, layers, p, x):
        def fc(y, name):
            return layers.elementwise_add(layers.matmul(y, p["w_" + name]), p["b_" + name])

        def heads(y):
            return layers.transpose(layers.reshape(y, [0, 0, self.heads, self.width // self.heads]), [0, 2, 1, 3])

        x, weighting = p["x"], x["weighting"]
        y = fc(layers.layer_norm(x, p["scale1"], p["shift1"], axis=2), "qkv")
        q, k, v = (heads(each) for each in layers.split(y, 3, dim=2))
        y = layers.softmax(layers.matmul(q, k, transpose_y=True, alpha=(self.width // self.heads) ** -0.5))
        y = layers.reshape(layers.transpose(layers.matmul(y, v), [0, 2, 1, 3]), [0, 0, self.width])
        x = layers.elementwise_add(x, fc(y, "out"))
        y = layers.layer_norm(x, p["scale2"], p["shift2"], axis=2)
        x = layers.elementwise_add(x, fc(layers.gelu(fc(y, "inner")), "outer"))
        return layers.mean(layers.elementwise_mul(x, weighting))

    def torch(self, torch, p, x):
        functional, shape = torch.nn.functional, (self.width,)

        def fc(y, name):
            rows = torch.addmm(p["b_" + name], y.view(-1, y.shape[-1]), p["w_" + name])
            return rows.view(*y.shape[:-1], -1)

        x, weighting = p["x"], x["weighting"]
        y = fc(functional.layer_norm(x, shape, p["scale1"], p["shift1"]), "qkv")
        heads = (self.batch, self.length, self.heads, self.width // self.heads)
        q, k, v = (each.reshape(heads).transpose(1, 2) for each in y.chunk(3, 2))
        y = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(x.shape)
        x = x + fc(y, "out")
        y = functional.layer_norm(x, shape, p["scale2"], p["shift2"])
        x = x + fc(functional.gelu(fc(y, "inner")), "outer")
        return (x * weighting).mean()

    def paddle3(self, paddle, p, x):
        functional, shape = paddle.nn.functional, [self.width]

        def fc(y, name):
            return functional.linear(y, p["w_" + name], p["b_" + name])

        x, weighting = p["x"], x["weighting"]
        y = fc(functional.layer_norm(x, shape, p["scale1"], p["shift1"]), "qkv")
        heads = [self.batch, self.length, self.heads, self.width // self.heads]
        q, k, v = (paddle.transpose(paddle.reshape(each, heads), [0, 2, 1, 3]) for each in paddle.split(y, 3, 2))
        y = functional.softmax(paddle.matmul(q, k, transpose_y=True) * (self.width // self.heads) ** -0.5)
        y = paddle.reshape(paddle.transpose(paddle.matmul(y, v), [0, 2, 1, 3]), [self.batch, self.length, self.width])
        x = x + fc(y, "out")
        y = functional.layer_norm(x, shape, p["scale2"], p["shift2"])
        x = x + fc(functional.gelu(fc(y, "inner")), "outer")
        return (x * weighting).mean()


@bar("torch", 1.0)
def time_forward_backward(side):
    """transformer block, 8 x 128 x 512, 8 heads, forward and backward"""
    return side.gradients(Block())
