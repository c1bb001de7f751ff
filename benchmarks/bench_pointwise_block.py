"""layer_norm, fc, gelu, a residual connection and layer_norm, as in transformers; forward and backward."""

from benchmarks.side import Model, bar

ROWS, WIDTH = 4096, 512


class Block(Model):
    """The block over `rows` rows of `width`. The rows are weights, so that their gradient is computed, as inside a network."""

    def __init__(self, rows=ROWS, width=WIDTH):
        self.rows, self.width = rows, width

    def weights(self):
        import numpy as np

        rng, width = np.random.RandomState(0), self.width
        vectors = {name: rng.rand(width) + 0.5 for name in ("scale1", "shift1", "b", "scale2", "shift2")}
        matrices = {"w": rng.randn(width, width) / width**0.5, "x": rng.randn(self.rows, width)}
        return {name: value.astype("float32") for name, value in {**vectors, **matrices}.items()}

    def inputs(self):
        import numpy as np

        return {"weighting": np.random.RandomState(1).randn(self.rows, self.width).astype("float32")}

    def fluid(self, layers, p, x):
        y = layers.layer_norm(p["x"], p["scale1"], p["shift1"])
        y = layers.gelu(layers.elementwise_add(layers.matmul(y, p["w"]), p["b"]))
        y = layers.layer_norm(layers.elementwise_add(p["x"], y), p["scale2"], p["shift2"])
        return layers.mean(layers.elementwise_mul(y, x["weighting"]))

    def torch(self, torch, p, x):
        functional, shape = torch.nn.functional, (self.width,)
        y = functional.layer_norm(p["x"], shape, p["scale1"], p["shift1"])
        y = functional.gelu(torch.addmm(p["b"], y, p["w"]))
        y = functional.layer_norm(p["x"] + y, shape, p["scale2"], p["shift2"])
        return (y * x["weighting"]).mean()

    def paddle3(self, paddle, p, x):
        functional, shape = paddle.nn.functional, [self.width]
        y = functional.layer_norm(p["x"], shape, p["scale1"], p["shift1"])
        y = functional.gelu(functional.linear(y, p["w"], p["b"]))
        y = functional.layer_norm(p["x"] + y, shape, p["scale2"], p["shift2"])
        return (y * x["weighting"]).mean()


@bar("torch", 1.0)
def time_forward_backward(side):
    """pointwise block, 4096 x 512, forward and backward"""
    return side.gradients(Block())
