"""A graph convolutional network on a random graph of Citeseer's size, which is gathered along edges and added by nodes."""

from benchmarks.side import Model

NODES, EDGES, FEATURES, WORDS, HIDDEN, CLASSES, LABELLED = 3327, 4552, 3703, 32, 16, 6, 120


class GCN(Model):
    """Two layers, trained on the labelled nodes."""

    def weights(self):
        import numpy as np

        rng = np.random.RandomState(0)
        found = {"w1": rng.randn(FEATURES, HIDDEN) * 0.03, "w2": rng.randn(HIDDEN, CLASSES) * 0.3}
        found.update({"b1": np.zeros(HIDDEN), "b2": np.zeros(CLASSES)})
        return {name: value.astype("float32") for name, value in found.items()}

    def inputs(self):
        import numpy as np

        rng = np.random.RandomState(1)
        features = np.zeros((NODES, FEATURES), "float32")
        features[np.arange(NODES)[:, None], rng.randint(0, FEATURES, (NODES, WORDS))] = 1 / WORDS
        a, b = rng.randint(0, NODES, (2, EDGES))
        loops = np.arange(NODES)
        source, target = np.concatenate([a, b, loops]), np.concatenate([b, a, loops])
        degree = np.bincount(target, minlength=NODES) ** -0.5
        return {
            "features": features,
            "source": source,
            "target": target[:, None],
            "factor": (degree[source] * degree[target])[:, None].astype("float32"),
            "labelled": rng.choice(NODES, LABELLED, replace=False),
            "label": rng.randint(0, CLASSES, (LABELLED, 1)),
        }

    def fluid(self, layers, p, x):
        def spread(y, width):
            y = layers.elementwise_mul(layers.gather(y, x["source"]), x["factor"])
            return layers.scatter_nd_add(layers.fill_constant([NODES, width], "float32", 0.0), x["target"], y)

        y = layers.relu(layers.elementwise_add(spread(layers.matmul(x["features"], p["w1"]), HIDDEN), p["b1"]))
        y = layers.elementwise_add(spread(layers.matmul(y, p["w2"]), CLASSES), p["b2"])
        return layers.mean(layers.softmax_with_cross_entropy(layers.gather(y, x["labelled"]), x["label"]))

    def torch(self, torch, p, x):
        def spread(y, width):
            y = y.index_select(0, x["source"]) * x["factor"]
            return torch.zeros(NODES, width).index_add(0, x["target"][:, 0], y)

        y = torch.relu(spread(x["features"] @ p["w1"], HIDDEN) + p["b1"])
        y = spread(y @ p["w2"], CLASSES) + p["b2"]
        return torch.nn.functional.cross_entropy(y[x["labelled"]], x["label"][:, 0])

    def paddle3(self, paddle, p, x):
        functional = paddle.nn.functional

        def spread(y, width):
            y = paddle.gather(y, x["source"]) * x["factor"]
            return paddle.scatter_nd_add(paddle.zeros([NODES, width]), x["target"], y)

        y = functional.relu(spread(paddle.matmul(x["features"], p["w1"]), HIDDEN) + p["b1"])
        y = spread(paddle.matmul(y, p["w2"]), CLASSES) + p["b2"]
        return functional.cross_entropy(paddle.gather(y, x["labelled"]), x["label"])

    def jax(self, jax, p, x):
        jnp = jax.numpy

        def spread(y, width):
            return jax.ops.segment_sum(y[x["source"]] * x["factor"], x["target"][:, 0], NODES)

        y = jax.nn.relu(spread(x["features"] @ p["w1"], HIDDEN) + p["b1"])
        y = spread(y @ p["w2"], CLASSES) + p["b2"]
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(y[x["labelled"]]), x["label"], 1))
