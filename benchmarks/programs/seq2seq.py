"""Translation by recurrent networks with attention: training, and beam search over one sentence's translations.

An LSTM reads the words. Another writes, and looks at the first one's outputs by Luong's attention.
"""

from benchmarks.side import Model

BATCH, LENGTH, WIDTH, VOCABULARY = 32, 16, 256, 8000
BEAM, LONGEST, START, END = 4, 16, 0, 1


class Translator(Model):
    """The networks, with one cell for every framework: the products of its input and state are one.

    Args:
        batch: the number of sentences. trained: whether the result is the loss, rather than beam search's words.
    """

    def __init__(self, batch, trained):
        self.batch, self.trained = batch, trained

    def weights(self):
        import numpy as np

        rng = np.random.RandomState(0)
        found = {name: rng.randn(VOCABULARY, WIDTH) * 0.3 for name in ("source", "target")}
        shapes = {"encode": (2 * WIDTH, 4 * WIDTH), "decode": (3 * WIDTH, 4 * WIDTH), "mix": (2 * WIDTH, WIDTH)}
        shapes["out"] = (WIDTH, VOCABULARY)
        found.update({name: rng.randn(*shape) / shape[0] ** 0.5 for name, shape in shapes.items()})
        found.update({name + "_b": np.zeros(shapes[name][1]) for name in ("encode", "decode", "out")})
        found["out_b"][END] = -20.0  # so that beam search writes as many words as it may
        return {name: value.astype("float32") for name, value in found.items()}

    def inputs(self):
        import numpy as np

        rng = np.random.RandomState(1)
        found = {
            "words": rng.randint(2, VOCABULARY, (self.batch, LENGTH)),
            "zeros": np.zeros((self.batch, WIDTH), "float32"),
        }
        if self.trained:
            target = rng.randint(2, VOCABULARY, (self.batch, LENGTH + 1))
            found.update({"given": target[:, :-1].copy(), "wanted": target[:, 1:].reshape(-1, 1)})
        return found

    def read(self, words, cell, zeros):
        """Run the encoder over a list of words' rows; return its outputs and its last state."""
        h, c, outputs = zeros, zeros, []
        for word in words:
            h, c = cell("encode", [word, h], c)
            outputs.append(h)
        return outputs, h, c

    def write(self, words, state, cell, attend, zeros):
        """Run the decoder over a list of words' rows; return its outputs."""
        (h, c), mixed, outputs = state, zeros, []
        for word in words:
            h, c = cell("decode", [word, mixed, h], c)
            mixed = attend(h)
            outputs.append(mixed)
        return outputs

    def fluid(self, layers, p, x):
        def cell(name, parts, c):
            gates = layers.elementwise_add(layers.matmul(layers.concat(parts, axis=1), p[name]), p[name + "_b"])
            i, j, f, o = layers.split(gates, 4, dim=1)
            c = c * layers.sigmoid(f) + layers.sigmoid(i) * layers.tanh(j)
            return layers.tanh(c) * layers.sigmoid(o), c

        def attention(seen, h):
            scores = layers.softmax(layers.matmul(layers.unsqueeze(h, [1]), seen, transpose_y=True))
            around = layers.squeeze(layers.matmul(scores, seen), [1])
            return layers.tanh(layers.matmul(layers.concat([h, around], axis=1), p["mix"]))

        def rows(ids, table):
            return layers.unstack(layers.embedding(ids, p[table], sparse=False), axis=1, num=LENGTH)

        outputs, h, c = self.read(rows(x["words"], "source"), cell, x["zeros"])
        seen = layers.stack(outputs, axis=1)
        if not self.trained:
            return self._fluid_beams(layers, p, cell, attention, seen, [h, c, x["zeros"]])
        written = self.write(rows(x["given"], "target"), (h, c), cell, lambda h: attention(seen, h), x["zeros"])
        y = layers.reshape(layers.stack(written, axis=1), [-1, WIDTH])
        y = layers.elementwise_add(layers.matmul(y, p["out"]), p["out_b"])
        return layers.mean(layers.softmax_with_cross_entropy(y, x["wanted"]))

    def _fluid_beams(self, layers, p, cell, attention, seen, state):
        seen = layers.BeamSearchDecoder.tile_beam_merge_with_batch(seen, BEAM)

        class Cell(layers.RNNCell):
            def call(self, word, states):
                h, c, mixed = states
                h, c = cell("decode", [word, mixed, h], c)
                mixed = attention(seen, h)
                return mixed, [h, c, mixed]

        def output(y):
            return layers.elementwise_add(layers.matmul(y, p["out"]), p["out_b"])

        def embed(ids):
            return layers.embedding(ids, p["target"], sparse=False)

        decoder = layers.BeamSearchDecoder(Cell(), START, END, BEAM, embed, output)
        return layers.dynamic_decode(decoder, inits=state, max_step_num=LONGEST - 1)[0]

    def torch(self, torch, p, x):
        def cell(name, parts, c):
            i, j, f, o = torch.addmm(p[name + "_b"], torch.cat(parts, 1), p[name]).chunk(4, 1)
            c = c * torch.sigmoid(f) + torch.sigmoid(i) * torch.tanh(j)
            return torch.tanh(c) * torch.sigmoid(o), c

        def attention(seen, h):
            scores = torch.softmax(torch.bmm(h[:, None], seen.transpose(1, 2)), 2)
            return torch.tanh(torch.cat([h, torch.bmm(scores, seen)[:, 0]], 1) @ p["mix"])

        def rows(ids, table):
            return torch.nn.functional.embedding(ids, p[table]).unbind(1)

        outputs, h, c = self.read(rows(x["words"], "source"), cell, x["zeros"])
        seen = torch.stack(outputs, 1)
        if not self.trained:
            return self._torch_beams(torch, p, cell, attention, seen, [h, c, x["zeros"]])
        written = self.write(rows(x["given"], "target"), (h, c), cell, lambda h: attention(seen, h), x["zeros"])
        y = torch.addmm(p["out_b"], torch.stack(written, 1).reshape(-1, WIDTH), p["out"])
        return torch.nn.functional.cross_entropy(y, x["wanted"][:, 0])

    def _torch_beams(self, torch, p, cell, attention, seen, state):
        seen = seen.repeat_interleave(BEAM, 0)
        h, c, mixed = (each.repeat_interleave(BEAM, 0) for each in state)
        total = torch.tensor([[0.0] + [-1e9] * (BEAM - 1)]).repeat(self.batch, 1)
        word = torch.full((self.batch, BEAM), START)
        ended = torch.zeros((self.batch, BEAM), dtype=torch.bool)
        only_end = torch.full((VOCABULARY,), -1e9)
        only_end[END] = 0.0
        first, steps = torch.arange(self.batch)[:, None] * BEAM, []
        for _ in range(LONGEST):
            h, c = cell("decode", [p["target"][word.reshape(-1)], mixed, h], c)
            mixed = attention(seen, h)
            odds = torch.log_softmax(torch.addmm(p["out_b"], mixed, p["out"]), 1).view(self.batch, BEAM, -1)
            odds = torch.where(ended[:, :, None], only_end, odds)
            total, chosen = (total[:, :, None] + odds).view(self.batch, -1).topk(BEAM, 1)
            parent, word = chosen // VOCABULARY, chosen % VOCABULARY
            rows = (parent + first).view(-1)
            h, c, mixed = h[rows], c[rows], mixed[rows]
            ended = ended.gather(1, parent) | (word == END)
            steps.append((word, parent))
            if bool(ended.all()):
                break
        beam, found = torch.arange(BEAM).repeat(self.batch, 1), []
        for word, parent in reversed(steps):
            found.append(word.gather(1, beam))
            beam = parent.gather(1, beam)
        return torch.stack(found[::-1], 1)

    def paddle3(self, paddle, p, x):
        functional = paddle.nn.functional

        def cell(name, parts, c):
            gates = functional.linear(paddle.concat(parts, 1), p[name], p[name + "_b"])
            i, j, f, o = paddle.split(gates, 4, 1)
            c = c * functional.sigmoid(f) + functional.sigmoid(i) * paddle.tanh(j)
            return paddle.tanh(c) * functional.sigmoid(o), c

        def attend(h):
            scores = functional.softmax(paddle.matmul(paddle.unsqueeze(h, 1), seen, transpose_y=True))
            around = paddle.squeeze(paddle.matmul(scores, seen), 1)
            return paddle.tanh(paddle.matmul(paddle.concat([h, around], 1), p["mix"]))

        def rows(ids, table):
            return paddle.unbind(functional.embedding(ids, p[table]), 1)

        outputs, h, c = self.read(rows(x["words"], "source"), cell, x["zeros"])
        seen = paddle.stack(outputs, 1)
        written = self.write(rows(x["given"], "target"), (h, c), cell, attend, x["zeros"])
        y = functional.linear(paddle.reshape(paddle.stack(written, 1), [-1, WIDTH]), p["out"], p["out_b"])
        return functional.cross_entropy(y, x["wanted"])

    def jax(self, jax, p, x):
        """Build training with JAX, each network's steps as a scan."""
        jnp, nn = jax.numpy, jax.nn

        def cell(name, parts, c):
            i, j, f, o = jnp.split(jnp.concatenate(parts, 1) @ p[name] + p[name + "_b"], 4, 1)
            c = c * nn.sigmoid(f) + nn.sigmoid(i) * jnp.tanh(j)
            return jnp.tanh(c) * nn.sigmoid(o), c

        def read(state, word):
            h, c = cell("encode", [word, state[0]], state[1])
            return (h, c), h

        def write(state, word):
            h, c, mixed = state
            h, c = cell("decode", [word, mixed, h], c)
            scores = nn.softmax(jnp.einsum("bw,tbw->bt", h, seen))
            mixed = jnp.tanh(jnp.concatenate([h, jnp.einsum("bt,tbw->bw", scores, seen)], 1) @ p["mix"])
            return (h, c, mixed), mixed

        zeros = x["zeros"]
        (h, c), seen = jax.lax.scan(read, (zeros, zeros), p["source"][x["words"]].swapaxes(0, 1))
        written = jax.lax.scan(write, (h, c, zeros), p["target"][x["given"]].swapaxes(0, 1))[1]
        y = written.swapaxes(0, 1).reshape(-1, WIDTH) @ p["out"] + p["out_b"]
        return -jnp.mean(jnp.take_along_axis(nn.log_softmax(y), x["wanted"], 1))
