"""Loops in a program: an iteration of a counting loop, of one with a product, and a training step of a recurrence."""

from benchmarks.side import EVERYWHERE, Model, bar, each, on, shown

ROUNDS = 1000
SIDES = EVERYWHERE - {"torch.compile", "paddle3 to_static"}  # the first unrolls the loop; the second takes minutes


class Counting(Model):
    """`while i < n: i += 1`, optionally with a product in each iteration."""

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
@bar("", 4.8e-7)  # 0.6 of what TorchScript takes
def time_round(side):
    """while_loop that counts, a round"""
    return _round(side, Counting())


@on(*SIDES)
@shown
def time_round_with_product(side):
    """while_loop with a product of 2 x 2, a round"""
    return _round(side, Counting(product=True))


class Recurrence(Model):
    """An LSTM over `steps` steps; the products with the inputs are computed before the loop."""

    def __init__(self, samples, width, steps):
        self.samples, self.width, self.steps = samples, width, steps

    def weights(self):
        import numpy as np

        rng, width = np.random.RandomState(0), self.width
        shapes = {"wx": (width, 4 * width), "wh": (width, 4 * width), "b": (4 * width,)}
        return {name: ((rng.rand(*shape) - 0.5) * 0.1).astype("float32") for name, shape in shapes.items()}

    def inputs(self):
        import numpy as np

        shape = (self.samples, self.width)
        x = np.random.RandomState(1).rand(self.steps, *shape).astype("float32")
        return {"x": x, "h": np.zeros(shape, "float32"), "c": np.zeros(shape, "float32")}

    def fluid(self, layers, p, x):
        ahead = layers.elementwise_add(layers.mul(x["x"], p["wx"], x_num_col_dims=2), p["b"])
        rnn = layers.StaticRNN()
        with rnn.step():
            x_t, h, c = rnn.step_input(ahead), rnn.memory(init=x["h"]), rnn.memory(init=x["c"])
            i, j, f, o = layers.split(layers.elementwise_add(layers.mul(h, p["wh"]), x_t), 4, dim=1)
            kept = layers.elementwise_mul(c, layers.sigmoid(f))
            new = layers.elementwise_add(kept, layers.elementwise_mul(layers.sigmoid(i), layers.tanh(j)))
            out = layers.elementwise_mul(layers.tanh(new), layers.sigmoid(o))
            rnn.update_memory(c, new)
            rnn.update_memory(h, out)
            rnn.step_output(out)
        return layers.mean(rnn())

    def torch(self, torch, p, x):
        h, c, hs = x["h"], x["c"], []
        for x_t in (x["x"] @ p["wx"] + p["b"]).unbind(0):
            i, j, f, o = (h @ p["wh"] + x_t).chunk(4, 1)
            c = c * torch.sigmoid(f) + torch.sigmoid(i) * torch.tanh(j)
            h = torch.tanh(c) * torch.sigmoid(o)
            hs.append(h)
        return torch.stack(hs).mean()


@on("static", "torch", "fluid")
@each((1, 32, 50), (4, 32, 20), (20, 200, 20), (32, 128, 20))
@shown
def time_training(side, samples, width, steps):
    """LSTM cell by ops in a StaticRNN, batch {}, width {}, {} steps: a step, forward and backward"""
    work = side.gradients(Recurrence(samples, width, steps))
    work.per_call = steps
    return work


class Repeated(Model):
    """`while i < n: h = tanh(h @ w + x)`, as a while_loop whose gradient is wanted."""

    def __init__(self, samples, width, rounds):
        self.samples, self.width, self.rounds = samples, width, rounds

    def weights(self):
        import numpy as np

        values = (np.random.RandomState(0).rand(self.width, self.width) - 0.5) / self.width
        return {"w": values.astype("float32")}

    def inputs(self):
        import numpy as np

        x = np.random.RandomState(1).rand(self.samples, self.width).astype("float32")
        return {"x": x, "i": np.zeros(1, "int64"), "n": np.full(1, self.rounds, "int64")}

    def fluid(self, layers, p, x):
        def body(i, h):
            return [layers.increment(i), layers.tanh(layers.elementwise_add(layers.matmul(h, p["w"]), x["x"]))]

        first = layers.tanh(layers.matmul(x["x"], p["w"]))
        going = [layers.scale(x["i"]), first]
        return layers.mean(layers.while_loop(lambda i, h: layers.less_than(i, x["n"]), body, going)[1])

    def torch(self, torch, p, x):
        i, h = x["i"], torch.tanh(x["x"] @ p["w"])
        while i < x["n"]:
            i, h = i + 1, torch.tanh(h @ p["w"] + x["x"])
        return h.mean()


@on("static", "declared", "eager", "torch")
@each((4, 32, 50), (32, 128, 20))
@shown
def time_while_training(side, samples, width, rounds):
    """while_loop with a tanh cell, batch {}, width {}, {} rounds: a round, forward and backward"""
    work = side.gradients(Repeated(samples, width, rounds))
    work.per_call = rounds
    return work


class Chain(Repeated):
    """The cell of Repeated, a step written behind the other."""

    def fluid(self, layers, p, x):
        h = layers.tanh(layers.matmul(x["x"], p["w"]))
        for _ in range(self.rounds):
            h = layers.tanh(layers.elementwise_add(layers.matmul(h, p["w"]), x["x"]))
        return layers.mean(h)

    def torch(self, torch, p, x):
        h = torch.tanh(x["x"] @ p["w"])
        for _ in range(self.rounds):
            h = torch.tanh(h @ p["w"] + x["x"])
        return h.mean()


@on("static", "declared", "eager", "torch", "torch.compile")
@each((4, 32, 50), (32, 128, 20))
@shown
def time_chain_training(side, samples, width, rounds):
    """Equal steps of a tanh cell, batch {}, width {}, {} steps: a step, forward and backward"""
    work = side.gradients(Chain(samples, width, rounds))
    work.per_call = rounds
    return work


class Stacked(Recurrence):
    """The LSTM of Paddle 2 and PyTorch, one operator for all steps."""

    def weights(self):
        import numpy as np

        rng, gates = np.random.RandomState(0), 4 * self.width
        shapes = {"wx": (gates, self.width), "wh": (gates, self.width), "bx": (gates,), "bh": (gates,)}
        return {name: ((rng.rand(*shape) - 0.5) * 0.1).astype("float32") for name, shape in shapes.items()}

    def inputs(self):
        found = super().inputs()
        return dict(found, h=found["h"][None], c=found["c"][None])

    def fluid(self, layers, p, x):
        return layers.mean(layers.lstm_of_paddle2(x["x"], [x["h"], x["c"]], [p[n] for n in ("wx", "wh", "bx", "bh")]))

    def torch(self, torch, p, x):
        weights = [p[name] for name in ("wx", "wh", "bx", "bh")]
        return torch.lstm(x["x"], (x["h"], x["c"]), weights, True, 1, 0.0, True, False, False)[0].mean()


@on("static", "torch")
@each((4, 32, 20), (20, 200, 20))
@shown
def time_lstm_operator_training(side, samples, width, steps):
    """The operator rnn as an LSTM, batch {}, width {}, {} steps: a step, forward and backward"""
    work = side.gradients(Stacked(samples, width, steps))
    work.per_call = steps
    return work


class Decoding(Model):
    """A decoder with a tanh cell of `width` units that writes `steps` words of each of 4 texts: the best one, or those of a beam."""

    def __init__(self, beams, width, steps):
        self.beams, self.width, self.steps = beams, width, steps

    def weights(self):
        import numpy as np

        rng, width, words = np.random.RandomState(0), self.width, 8 * self.width
        shapes = {"table": (words, width), "wx": (width, width), "wh": (width, width), "out": (width, words)}
        return {name: (rng.rand(*shape) - 0.5).astype("float32") for name, shape in shapes.items()}

    def inputs(self):
        import numpy as np

        return {"h": np.random.RandomState(1).rand(4, self.width).astype("float32"), "ids": np.zeros(4, "int64")}

    def fluid(self, layers, p, x):
        class Cell(layers.RNNCell):
            def call(self, inputs, states):
                new = layers.tanh(
                    layers.elementwise_add(layers.matmul(inputs, p["wx"]), layers.matmul(states, p["wh"]))
                )
                return new, new

        def embedded(ids):
            return layers.embedding(ids, p["table"], sparse=False)

        def scores(h):
            return layers.matmul(h, p["out"])

        end = 8 * self.width  # no word, so that all steps run
        if self.beams > 1:
            decoder = layers.BeamSearchDecoder(Cell(), 0, end - 1, self.beams, embedded, scores)
        else:
            decoder = layers.BasicDecoder(Cell(), layers.GreedyEmbeddingHelper(embedded, x["ids"], end), scores)
        found, _ = layers.dynamic_decode(decoder, x["h"], max_step_num=self.steps - 1)
        return layers.cast(found, "float32") if self.beams > 1 else found.cell_outputs


@on("static", "declared", "eager", "fluid")
@each((32, 50))
@shown
def time_decoding(side, width, steps):
    """dynamic_decode of the best words, a tanh cell of width {}, {} words: a round"""
    work = side.inference(Decoding(1, width, steps))
    work.per_call = steps
    return work


@on("static", "declared", "eager")  # 1.8.5 refuses to search with a number of texts that the Program knows
@each((4, 32, 50))
@shown
def time_beam_search(side, beams, width, steps):
    """dynamic_decode with {} beams, a tanh cell of width {}, {} words: a round"""
    work = side.inference(Decoding(beams, width, steps))
    work.per_call = steps
    return work


def _round(side, model):
    work = side.inference(model)
    work.per_call = ROUNDS
    return work
