"""Click-through rate prediction: sparse embeddings, dense features and layers, as for the Criteo data, with Adam.

The table's gradient is sparse on every side: lazy Adam of Fluid, SparseAdam of PyTorch with its fused Adam for the rest.
PaddlePaddle 1.8.5 in dygraph mode is left out, since its losses differ from those of all the others.
"""

from benchmarks.side import EVERYWHERE, Model, bar, on

BATCH, FIELDS, DENSE, ROWS, WIDTH, HIDDEN = 512, 26, 13, 100000, 16, (400, 400, 400)


class Clicks(Model):
    """A network from 26 ids and 13 numbers to one logit."""

    sparse = ("table",)

    def weights(self):
        import numpy as np

        rng = np.random.RandomState(0)
        found = {"table": rng.randn(ROWS, WIDTH) / WIDTH**0.5}
        sizes = [FIELDS * WIDTH + DENSE, *HIDDEN, 1]
        for k, rows in enumerate(sizes[:-1]):
            columns = sizes[k + 1]
            found[f"w{k}"] = rng.randn(rows, columns) / rows**0.5
            found[f"b{k}"] = np.zeros(columns)
        return {name: value.astype("float32") for name, value in found.items()}

    def inputs(self):
        import numpy as np

        rng = np.random.RandomState(1)
        return {
            "ids": rng.randint(0, ROWS, (BATCH, FIELDS)).astype("int64"),
            "dense": rng.rand(BATCH, DENSE).astype("float32"),
            "label": rng.randint(0, 2, (BATCH, 1)).astype("float32"),
        }

    def fluid(self, layers, p, x):
        y = layers.reshape(layers.embedding(x["ids"], p["table"]), [-1, FIELDS * WIDTH])
        y = layers.concat([y, x["dense"]], axis=1)
        for k in range(len(HIDDEN) + 1):
            y = layers.elementwise_add(layers.matmul(layers.relu(y) if k else y, p[f"w{k}"]), p[f"b{k}"])
        return layers.mean(layers.sigmoid_cross_entropy_with_logits(y, x["label"]))

    def torch(self, torch, p, x):
        functional = torch.nn.functional
        y = functional.embedding(x["ids"], p["table"], sparse=True).reshape(-1, FIELDS * WIDTH)
        y = torch.cat([y, x["dense"]], 1)
        for k in range(len(HIDDEN) + 1):
            y = torch.addmm(p[f"b{k}"], torch.relu(y) if k else y, p[f"w{k}"])
        return functional.binary_cross_entropy_with_logits(y, x["label"])

    def paddle3(self, paddle, p, x):
        functional = paddle.nn.functional
        y = paddle.reshape(functional.embedding(x["ids"], p["table"], sparse=True), [-1, FIELDS * WIDTH])
        y = paddle.concat([y, x["dense"]], 1)
        for k in range(len(HIDDEN) + 1):
            y = functional.linear(functional.relu(y) if k else y, p[f"w{k}"], p[f"b{k}"])
        return functional.binary_cross_entropy_with_logits(y, x["label"])


@on(*EVERYWHERE - {"fluid dygraph"})
@bar("torch", 1.0)
def time_training_step(side):
    """CTR network, batch 512, 26 fields of 100,000 rows, training step with lazy Adam"""
    return side.training(Clicks(), "lazy adam", 0.001)
