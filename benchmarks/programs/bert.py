"""BERT-base: twelve encoder layers of width 768 over words, positions and segments, without dropout.

In training the loss is that of hidden words, by the transposed table of words, and of the next sentence.
"""

from benchmarks.side import Model

LAYERS, WIDTH, HEADS, INNER, VOCABULARY, POSITIONS, HIDDEN = 12, 768, 12, 3072, 30522, 512, 20
EPSILON = 1e-5


class Bert(Model):
    """The network.

    Args:
        batch: the number of sequences. length: their words. trained: whether the result is the loss, rather than the
            first word's row after the pooling layer.
    """

    def __init__(self, batch, length, trained):
        self.batch, self.length, self.trained = batch, length, trained

    def weights(self):
        import numpy as np

        rng = np.random.RandomState(0)
        shapes = {
            "words_table": (VOCABULARY, WIDTH),
            "positions_table": (POSITIONS, WIDTH),
            "segments_table": (2, WIDTH),
        }
        names = {"q": (WIDTH, WIDTH), "k": (WIDTH, WIDTH), "v": (WIDTH, WIDTH), "o": (WIDTH, WIDTH)}
        names.update({"inner": (WIDTH, INNER), "outer": (INNER, WIDTH)})
        products = {f"l{k}_{name}": shape for k in range(LAYERS) for name, shape in names.items()}
        products.update(
            {"pooler": (WIDTH, WIDTH)}, **({"mask": (WIDTH, WIDTH), "next": (WIDTH, 2)} if self.trained else {})
        )
        found = {name: rng.randn(*shape) * 0.02 for name, shape in {**shapes, **products}.items()}
        found.update({name + "_b": np.zeros(shape[1]) for name, shape in products.items()})
        norms = ["first", *(f"l{k}_{name}" for k in range(LAYERS) for name in ("norm1", "norm2"))]
        for name in [*norms, "last"] if self.trained else norms:
            found[name + "_scale"], found[name + "_shift"] = np.ones(WIDTH), np.zeros(WIDTH)
        if self.trained:
            found["words_b"] = np.zeros(VOCABULARY)
        return {name: value.astype("float32") for name, value in found.items()}

    def inputs(self):
        import numpy as np

        rng, shape = np.random.RandomState(1), (self.batch, self.length)
        found = {
            "words": rng.randint(0, VOCABULARY, shape),
            "positions": np.tile(np.arange(self.length), (self.batch, 1)),
            "segments": (np.arange(self.length) >= self.length // 2) * np.ones(shape),
        }
        if self.trained:
            places = [rng.choice(self.length, HIDDEN, replace=False) + k * self.length for k in range(self.batch)]
            found["places"] = np.concatenate(places)
            found["hidden"] = rng.randint(0, VOCABULARY, (self.batch * HIDDEN, 1))
            found["follows"] = rng.randint(0, 2, (self.batch, 1))
        return {name: value.astype("int64") for name, value in found.items()}

    def encoder(self, y, fc, norm, attend, gelu):
        """Run the layers with the functions of a framework."""
        for k in range(LAYERS):
            name = f"l{k}_"
            mixed = attend(fc(y, name + "q"), fc(y, name + "k"), fc(y, name + "v"))
            y = norm(y + fc(mixed, name + "o"), name + "norm1")
            y = norm(y + fc(gelu(fc(y, name + "inner")), name + "outer"), name + "norm2")
        return y

    def fluid(self, layers, p, x):
        def fc(y, name):
            return layers.elementwise_add(layers.mul(y, p[name], len(y.shape) - 1), p[name + "_b"])

        def norm(y, name):
            return layers.layer_norm(y, p[name + "_scale"], p[name + "_shift"], len(y.shape) - 1)

        def heads(y):
            return layers.transpose(layers.reshape(y, [0, 0, HEADS, WIDTH // HEADS]), [0, 2, 1, 3])

        def attend(q, k, v):
            y = layers.softmax(layers.matmul(heads(q), heads(k), transpose_y=True, alpha=(WIDTH // HEADS) ** -0.5))
            return layers.reshape(layers.transpose(layers.matmul(y, heads(v)), [0, 2, 1, 3]), [0, 0, WIDTH])

        parts = [
            layers.embedding(x[name], p[name + "_table"], sparse=False) for name in ("words", "positions", "segments")
        ]
        y = self.encoder(norm(parts[0] + parts[1] + parts[2], "first"), fc, norm, attend, layers.gelu)
        first = layers.reshape(layers.slice(y, [1], [0], [1]), [-1, WIDTH])
        pooled = layers.tanh(fc(first, "pooler"))
        if not self.trained:
            return pooled
        rows = layers.gather(layers.reshape(y, [-1, WIDTH]), x["places"])
        rows = norm(layers.gelu(fc(rows, "mask")), "last")
        rows = layers.elementwise_add(layers.matmul(rows, p["words_table"], transpose_y=True), p["words_b"])
        loss = layers.mean(layers.softmax_with_cross_entropy(rows, x["hidden"]))
        return loss + layers.mean(layers.softmax_with_cross_entropy(fc(pooled, "next"), x["follows"]))

    def torch(self, torch, p, x):
        functional = torch.nn.functional

        def fc(y, name):
            return torch.addmm(p[name + "_b"], y.reshape(-1, y.shape[-1]), p[name]).view(*y.shape[:-1], -1)

        def norm(y, name):
            return functional.layer_norm(y, (WIDTH,), p[name + "_scale"], p[name + "_shift"], EPSILON)

        def attend(*each):
            q, k, v = (y.view(self.batch, self.length, HEADS, -1).transpose(1, 2) for y in each)
            y = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2)
            return y.reshape(self.batch, self.length, WIDTH)

        parts = [functional.embedding(x[name], p[name + "_table"]) for name in ("words", "positions", "segments")]
        y = self.encoder(norm(parts[0] + parts[1] + parts[2], "first"), fc, norm, attend, functional.gelu)
        pooled = torch.tanh(fc(y[:, 0], "pooler"))
        if not self.trained:
            return pooled
        rows = norm(functional.gelu(fc(y.reshape(-1, WIDTH)[x["places"]], "mask")), "last")
        loss = functional.cross_entropy(torch.addmm(p["words_b"], rows, p["words_table"].t()), x["hidden"][:, 0])
        return loss + functional.cross_entropy(fc(pooled, "next"), x["follows"][:, 0])

    def paddle3(self, paddle, p, x):
        functional = paddle.nn.functional

        def fc(y, name):
            return functional.linear(y, p[name], p[name + "_b"])

        def norm(y, name):
            return functional.layer_norm(y, [WIDTH], p[name + "_scale"], p[name + "_shift"], EPSILON)

        def attend(*each):
            q, k, v = (paddle.transpose(paddle.reshape(y, [0, 0, HEADS, -1]), [0, 2, 1, 3]) for y in each)
            y = functional.softmax(paddle.matmul(q, k, transpose_y=True) * (WIDTH // HEADS) ** -0.5)
            return paddle.reshape(paddle.transpose(paddle.matmul(y, v), [0, 2, 1, 3]), [0, 0, WIDTH])

        parts = [functional.embedding(x[name], p[name + "_table"]) for name in ("words", "positions", "segments")]
        y = self.encoder(norm(parts[0] + parts[1] + parts[2], "first"), fc, norm, attend, functional.gelu)
        pooled = paddle.tanh(fc(y[:, 0], "pooler"))
        if not self.trained:
            return pooled
        rows = paddle.gather(paddle.reshape(y, [-1, WIDTH]), x["places"])
        rows = norm(functional.gelu(fc(rows, "mask")), "last")
        rows = paddle.matmul(rows, p["words_table"], transpose_y=True) + p["words_b"]
        loss = functional.cross_entropy(rows, x["hidden"])
        return loss + functional.cross_entropy(fc(pooled, "next"), x["follows"])

    def jax(self, jax, p, x):
        jnp = jax.numpy

        def fc(y, name):
            return y @ p[name] + p[name + "_b"]

        def norm(y, name):
            y = y - jnp.mean(y, -1, keepdims=True)
            y = y * jax.lax.rsqrt(jnp.mean(y * y, -1, keepdims=True) + EPSILON)
            return y * p[name + "_scale"] + p[name + "_shift"]

        def attend(*each):
            q, k, v = (y.reshape(self.batch, self.length, HEADS, -1) for y in each)
            return jax.nn.dot_product_attention(q, k, v).reshape(self.batch, self.length, WIDTH)

        def cross_entropy(y, label):
            return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(y), label, 1))

        def gelu(y):
            return jax.nn.gelu(y, approximate=False)

        parts = [p[name + "_table"][x[name]] for name in ("words", "positions", "segments")]
        y = self.encoder(norm(parts[0] + parts[1] + parts[2], "first"), fc, norm, attend, gelu)
        pooled = jnp.tanh(fc(y[:, 0], "pooler"))
        if not self.trained:
            return pooled
        rows = norm(gelu(fc(y.reshape(-1, WIDTH)[x["places"]], "mask")), "last")
        loss = cross_entropy(rows @ p["words_table"].T + p["words_b"], x["hidden"])
        return loss + cross_entropy(fc(pooled, "next"), x["follows"])

    def onnx(self, graph, x):
        import numpy as np

        node = graph.node

        def constant(value, dtype="int64"):
            name = f"constant{len(graph.weights)}"
            graph.weights[name] = np.array(value, dtype)
            return name

        class Value(str):
            """A result's name, which can be added."""

            def __add__(self, other):
                return Value(node("Add", self, other))

        def fc(y, name):
            return Value(node("Add", node("MatMul", y, name), name + "_b"))

        def norm(y, name):
            return Value(node("LayerNormalization", y, name + "_scale", name + "_shift", epsilon=EPSILON))

        split, joined = constant([0, 0, HEADS, WIDTH // HEADS]), constant([0, 0, WIDTH])
        scale, half = constant((WIDTH // HEADS) ** -0.5, "float32"), constant(0.5, "float32")
        root, one = constant(2.0**0.5, "float32"), constant(1.0, "float32")

        def heads(y, order):
            return node("Transpose", node("Reshape", y, split), perm=order)

        def attend(q, k, v):
            y = node("MatMul", heads(q, [0, 2, 1, 3]), heads(k, [0, 2, 3, 1]))
            y = node("MatMul", node("Softmax", node("Mul", y, scale), axis=-1), heads(v, [0, 2, 1, 3]))
            return node("Reshape", node("Transpose", y, perm=[0, 2, 1, 3]), joined)

        def gelu(y):
            bent = node("Add", node("Erf", node("Div", y, root)), one)
            return node("Mul", node("Mul", y, bent), half)

        words, places, segments = (
            Value(node("Gather", name + "_table", x[name])) for name in ("words", "positions", "segments")
        )
        y = self.encoder(norm(words + places + segments, "first"), fc, norm, attend, gelu)
        return node("Tanh", fc(node("Gather", y, constant(0), axis=1), "pooler"))
