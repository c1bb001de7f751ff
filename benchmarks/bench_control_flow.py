"""Loops that are part of a program: a round of a loop that only counts, and of one that also multiplies."""

from benchmarks.side import EVERYWHERE, Model, bar, on, shown

ROUNDS = 1000
SIDES = EVERYWHERE - {"torch.compile", "paddle3 to_static"}  # the first unrolls the loop; the second takes minutes


class Counting(Model):
    """`while i < n: i += 1`, and a product if asked for."""

    def __init__(self, product=False):
        self.product = product

    def weights(self):
        import numpy as np

        return {"a": np.array([[0.6, 0.8], [-0.8, 0.6]], "float32")} if self.product else {}

    def inputs(self):
        import numpy as np

        count = {"i": np.zeros(1, "int64"), "n": np.full(1, ROUNDS, "int64")}
        return dict(count, y=np.array([[0.3, -0.7], [0.2, 0.9]], "float32")) if self.product else count

    def fluid(self, layers, p, x):
        variables = [layers.scale(x["i"])] + ([x["y"]] if self.product else [])

        def body(i, *more):
            return [layers.increment(i), *(layers.matmul(y, p["a"]) for y in more)]

        return layers.while_loop(lambda i, *more: layers.less_than(i, x["n"]), body, variables)[-1]

    def torch(self, torch, p, x):
        i, y = x["i"], x.get("y")
        while i < x["n"]:
            i = i + 1
            if y is not None:
                y = torch.matmul(y, p["a"])
        return i if y is None else y

    def paddle3(self, paddle, p, x):
        i, n, y = x["i"], x["n"], x.get("y", x["i"])
        while i < n:
            i = i + 1
            if self.product:
                y = paddle.matmul(y, p["a"])
        return y if self.product else i


@on(*SIDES)
@bar("", 3e-6)
def time_round(side):
    """while_loop that counts, a round"""
    return _round(side, Counting())


@on(*SIDES)
@shown
def time_round_with_product(side):
    """while_loop with a product of 2 x 2, a round"""
    return _round(side, Counting(product=True))


def _round(side, model):
    work = side.inference(model)
    work.per_call = ROUNDS
    return work
