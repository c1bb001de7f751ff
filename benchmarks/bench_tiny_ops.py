"""A compiled program of 1,000 operators on 2 x 2 arrays: the overhead of an operator, since the arithmetic is negligible."""

from benchmarks.side import EVERYWHERE, Model, bar, each, on

COUNT = 1000


class Chain(Model):
    """A chain of operators: pointwise ones, which may be fused, or additions with products between them, which may not."""

    def __init__(self, kind):
        self.kind = kind

    def weights(self):
        import numpy as np

        half = np.array([[0.6, 0.8], [-0.8, 0.6]], "float32")  # a rotation, so that products keep their norm
        return {"a": half, "b": half * 0.5}

    def inputs(self):
        import numpy as np

        return {"x": np.array([[0.3, -0.7], [0.2, 0.9]], "float32")}

    def fluid(self, layers, p, x):
        y, product = x["x"], self.kind == "products"
        for _ in range(COUNT // 2):
            y = layers.matmul(y, p["a"]) if product else layers.elementwise_mul(y, p["a"])
            y = layers.elementwise_add(y, p["b"])
        return y

    def torch(self, torch, p, x):
        y, product = x["x"], self.kind == "products"
        for _ in range(COUNT // 2):
            y = torch.matmul(y, p["a"]) if product else y * p["a"]
            y = y + p["b"]
        return y

    def paddle3(self, paddle, p, x):
        y, product = x["x"], self.kind == "products"
        for _ in range(COUNT // 2):
            y = paddle.matmul(y, p["a"]) if product else y * p["a"]
            y = y + p["b"]
        return y


@on(*EVERYWHERE - {"torch.compile"} | {"torch.jit"})
@bar("torch.jit", 0.5)
@each("products", "pointwise")
def time_run(side, kind):
    """1,000 tiny operators, {0} and additions, one operator"""
    work = side.inference(Chain(kind))
    work.per_call = COUNT
    return work
