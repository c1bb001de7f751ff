"""DeepFM: a factorization machine and a deep network over the same sparse embeddings, as for the Criteo data."""

from benchmarks.side import Model

BATCH, FIELDS, DENSE, ROWS, WIDTH, HIDDEN = 512, 26, 13, 1000000, 16, (400, 400, 400)


class DeepFM(Model):
    """First order, pairs, and a deep network; all rows are in two tables, whose gradients are sparse.

    It learns slowly: PaddlePaddle's lazy Adam corrects the bias of the first steps by the powers of the next one, PyTorch's by
    their own, and with a larger rate the losses would differ visibly.
    """

    sparse = ("first", "table")

    def weights(self):
        import numpy as np

        rng = np.random.RandomState(0)
        found = {"first": rng.randn(ROWS, 1) * 0.01, "table": rng.randn(ROWS, WIDTH) / WIDTH**0.5}
        found["linear"] = rng.randn(DENSE, 1) * 0.1
        sizes = [FIELDS * WIDTH + DENSE, *HIDDEN, 1]
        for k, rows in enumerate(sizes[:-1]):
            found[f"w{k}"], found[f"b{k}"] = rng.randn(rows, sizes[k + 1]) / rows**0.5, np.zeros(sizes[k + 1])
        return {name: value.astype("float32") for name, value in found.items()}

    def inputs(self):
        import numpy as np

        rng = np.random.RandomState(1)
        return {
            "ids": (rng.rand(BATCH, FIELDS) ** 3 * ROWS).astype("int64"),  # a few rows are frequent
            "dense": rng.rand(BATCH, DENSE).astype("float32"),
            "label": rng.randint(0, 2, (BATCH, 1)).astype("float32"),
        }

    def fluid(self, layers, p, x):
        first = layers.reduce_sum(layers.embedding(x["ids"], p["first"]), dim=1)
        rows = layers.embedding(x["ids"], p["table"])
        pairs = layers.square(layers.reduce_sum(rows, dim=1)) - layers.reduce_sum(layers.square(rows), dim=1)
        y = layers.concat([layers.reshape(rows, [-1, FIELDS * WIDTH]), x["dense"]], axis=1)
        for k in range(len(HIDDEN) + 1):
            y = layers.elementwise_add(layers.matmul(layers.relu(y) if k else y, p[f"w{k}"]), p[f"b{k}"])
        y = y + first + layers.matmul(x["dense"], p["linear"]) + layers.reduce_sum(pairs, dim=1, keep_dim=True) * 0.5
        return layers.mean(layers.sigmoid_cross_entropy_with_logits(y, x["label"]))

    def torch(self, torch, p, x):
        functional = torch.nn.functional
        first = functional.embedding(x["ids"], p["first"], sparse=True).sum(1)
        rows = functional.embedding(x["ids"], p["table"], sparse=True)
        pairs = rows.sum(1).square() - rows.square().sum(1)
        y = torch.cat([rows.reshape(-1, FIELDS * WIDTH), x["dense"]], 1)
        for k in range(len(HIDDEN) + 1):
            y = torch.addmm(p[f"b{k}"], torch.relu(y) if k else y, p[f"w{k}"])
        y = y + first + x["dense"] @ p["linear"] + pairs.sum(1, keepdim=True) * 0.5
        return functional.binary_cross_entropy_with_logits(y, x["label"])

    def paddle3(self, paddle, p, x):
        functional = paddle.nn.functional
        first = functional.embedding(x["ids"], p["first"], sparse=True).sum(1)
        rows = functional.embedding(x["ids"], p["table"], sparse=True)
        pairs = rows.sum(1).square() - rows.square().sum(1)
        y = paddle.concat([paddle.reshape(rows, [-1, FIELDS * WIDTH]), x["dense"]], 1)
        for k in range(len(HIDDEN) + 1):
            y = functional.linear(functional.relu(y) if k else y, p[f"w{k}"], p[f"b{k}"])
        y = y + first + paddle.matmul(x["dense"], p["linear"]) + pairs.sum(1, keepdim=True) * 0.5
        return functional.binary_cross_entropy_with_logits(y, x["label"])
