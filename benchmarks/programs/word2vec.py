"""word2vec: skip-grams with five words that do not occur beside each, and sparse gradients of both tables."""

from benchmarks.side import Model

BATCH, OTHERS, ROWS, WIDTH = 1024, 5, 100000, 128


class SkipGram(Model):
    """The logistic loss of a word with one that stands beside it, and with others."""

    sparse = ("words", "contexts")

    def weights(self):
        import numpy as np

        rng = np.random.RandomState(0)
        return {name: (rng.randn(ROWS, WIDTH) * 0.1).astype("float32") for name in self.sparse}

    def inputs(self):
        import numpy as np

        rng = np.random.RandomState(1)
        label = np.zeros((BATCH, 1 + OTHERS), "float32")
        label[:, 0] = 1
        return {
            "word": (rng.rand(BATCH, 1) ** 3 * ROWS).astype("int64"),
            "beside": (rng.rand(BATCH, 1 + OTHERS) ** 3 * ROWS).astype("int64"),
            "label": label,
        }

    def fluid(self, layers, p, x):
        word, beside = layers.embedding(x["word"], p["words"]), layers.embedding(x["beside"], p["contexts"])
        logits = layers.reduce_sum(layers.elementwise_mul(beside, word), dim=2)
        return layers.reduce_sum(layers.sigmoid_cross_entropy_with_logits(logits, x["label"])) / BATCH

    def torch(self, torch, p, x):
        return self._loss(torch.nn.functional, p, x)

    def paddle3(self, paddle, p, x):
        return self._loss(paddle.nn.functional, p, x)

    def _loss(self, functional, p, x):
        """Return the loss by functions whose names PyTorch and PaddlePaddle 3 share."""
        word = functional.embedding(x["word"], p["words"], sparse=True)
        beside = functional.embedding(x["beside"], p["contexts"], sparse=True)
        logits = (beside * word).sum(2)
        return functional.binary_cross_entropy_with_logits(logits, x["label"], reduction="sum") / BATCH
