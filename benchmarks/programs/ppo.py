"""Proximal policy optimization on cart-pole: play with a policy, then train it in epochs of minibatches.

The poles and carts are arrays of NumPy, the same for all sides; so are the random numbers.
"""

from benchmarks.side import Model, Part, Work

PLAYERS, STEPS, EPOCHS, MINIBATCH, WIDTH = 8, 128, 4, 256, 64
DISCOUNT, LAMBDA, CLIP, RATE = 0.99, 0.95, 0.2, 3e-4


class CartPole:
    """Carts with poles, one for each player; one that falls or leaves begins anew.

    The rule is that of Barto, Sutton and Anderson, by Euler's method with steps of 0.02 s.
    """

    def __init__(self, players):
        import numpy as np

        self.np, self.rng = np, np.random.RandomState(0)
        self.state = self.rng.uniform(-0.05, 0.05, (players, 4))

    def step(self, action):
        """Push left (0) or right (1); return whether each has ended."""
        np = self.np
        _, speed, angle, turn = self.state.T
        sine, cosine = np.sin(angle), np.cos(angle)
        push = (np.where(action == 1, 10.0, -10.0) + 0.05 * turn**2 * sine) / 1.1
        turned = (9.8 * sine - cosine * push) / (0.5 * (4.0 / 3.0 - 0.1 * cosine**2 / 1.1))
        moved = push - 0.05 * turned * cosine / 1.1
        self.state = self.state + 0.02 * np.stack([speed, moved, turn, turned], 1)
        ended = (np.abs(self.state[:, 0]) > 2.4) | (np.abs(self.state[:, 2]) > 0.2095)
        self.state[ended] = self.rng.uniform(-0.05, 0.05, (int(ended.sum()), 4))
        return ended


class Policy(Model):
    """Two layers with tanh, from which two logits and a value are computed.

    Args:
        rows: how many states. trained: whether the result is the loss, rather than logits and value.
    """

    def __init__(self, rows, trained):
        self.rows, self.trained = rows, trained

    def weights(self):
        import numpy as np

        rng = np.random.RandomState(0)
        sizes = (4, WIDTH, WIDTH, 3)
        found = {f"w{k}": (rng.randn(sizes[k], sizes[k + 1]) / sizes[k] ** 0.5).astype("float32") for k in range(3)}
        return dict(found, **{f"b{k}": np.zeros(sizes[k + 1], "float32") for k in range(3)})

    def inputs(self):
        import numpy as np

        found = {"state": np.zeros((self.rows, 4), "float32")}
        if self.trained:
            for name, width in {"action": 2, "before": 1, "advantage": 1, "wanted": 1}.items():
                found[name] = np.zeros((self.rows, width), "float32")
        return found

    def fluid(self, layers, p, x):
        y = x["state"]
        for k in range(3):
            y = layers.elementwise_add(layers.matmul(layers.tanh(y) if k else y, p[f"w{k}"]), p[f"b{k}"])
        if not self.trained:
            return y
        logits, value = layers.split(y, [2, 1], dim=1)
        odds = layers.log(layers.softmax(logits))
        ratio = layers.exp(layers.reduce_sum(odds * x["action"], dim=1, keep_dim=True) - x["before"])
        clipped = layers.clip(ratio, 1 - CLIP, 1 + CLIP)
        gain = layers.mean(layers.elementwise_min(ratio * x["advantage"], clipped * x["advantage"]))
        entropy = layers.mean(layers.reduce_sum(layers.exp(odds) * odds, dim=1))
        return layers.mean(layers.square(value - x["wanted"])) * 0.5 - gain + entropy * 0.01

    def torch(self, torch, p, x):
        y = x["state"]
        for k in range(3):
            y = torch.addmm(p[f"b{k}"], torch.tanh(y) if k else y, p[f"w{k}"])
        if not self.trained:
            return y
        logits, value = y.split([2, 1], 1)
        odds = torch.log_softmax(logits, 1)
        ratio = torch.exp((odds * x["action"]).sum(1, keepdim=True) - x["before"])
        clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
        gain = torch.minimum(ratio * x["advantage"], clipped * x["advantage"]).mean()
        entropy = (odds.exp() * odds).sum(1).mean()
        return (value - x["wanted"]).square().mean() * 0.5 - gain + entropy * 0.01

    def paddle3(self, paddle, p, x):
        functional, y = paddle.nn.functional, x["state"]
        for k in range(3):
            y = functional.linear(paddle.tanh(y) if k else y, p[f"w{k}"], p[f"b{k}"])
        if not self.trained:
            return y
        logits, value = paddle.split(y, [2, 1], 1)
        odds = functional.log_softmax(logits, 1)
        ratio = paddle.exp((odds * x["action"]).sum(1, keepdim=True) - x["before"])
        clipped = paddle.clip(ratio, 1 - CLIP, 1 + CLIP)
        gain = paddle.minimum(ratio * x["advantage"], clipped * x["advantage"]).mean()
        entropy = (paddle.exp(odds) * odds).sum(1).mean()
        return (value - x["wanted"]).square().mean() * 0.5 - gain + entropy * 0.01

    def jax(self, jax, p, x):
        jnp, y = jax.numpy, x["state"]
        for k in range(3):
            y = (jnp.tanh(y) if k else y) @ p[f"w{k}"] + p[f"b{k}"]
        if not self.trained:
            return y
        odds, value = jax.nn.log_softmax(y[:, :2]), y[:, 2:]
        ratio = jnp.exp((odds * x["action"]).sum(1, keepdims=True) - x["before"])
        clipped = jnp.clip(ratio, 1 - CLIP, 1 + CLIP)
        gain = jnp.minimum(ratio * x["advantage"], clipped * x["advantage"]).mean()
        entropy = (jnp.exp(odds) * odds).sum(1).mean()
        return ((value - x["wanted"]) ** 2).mean() * 0.5 - gain + entropy * 0.01


def training(side):
    """Return an iteration as work: STEPS steps of all players, and EPOCHS over what they saw."""
    import numpy as np

    run = side.session({"act": Part(Policy(PLAYERS, False)), "learn": Part(Policy(MINIBATCH, True), "adam", RATE)})
    game, rng = CartPole(PLAYERS), np.random.RandomState(1)

    def play():
        """Return what the players saw, row by row."""
        states, actions, odds, values, ends = [], [], [], [], []
        for _ in range(STEPS):
            states.append(game.state.astype("float32"))
            (out,) = run["act"]({"state": states[-1]})
            logits = out[:, :2] - out[:, :2].max(1, keepdims=True)
            logged = logits - np.log(np.exp(logits).sum(1, keepdims=True))
            action = (rng.rand(PLAYERS) > np.exp(logged[:, 0])).astype("int64")
            actions.append(np.eye(2, dtype="float32")[action])
            odds.append((logged * actions[-1]).sum(1))
            values.append(out[:, 2])
            ends.append(game.step(action))
        (out,) = run["act"]({"state": game.state.astype("float32")})
        advantage, later = np.zeros((STEPS, PLAYERS), "float32"), np.zeros(PLAYERS, "float32")
        values.append(out[:, 2])
        for t in reversed(range(STEPS)):
            goes_on = 1.0 - ends[t]
            later = 1.0 + DISCOUNT * goes_on * values[t + 1] - values[t] + DISCOUNT * LAMBDA * goes_on * later
            advantage[t] = later
        wanted = advantage + np.stack(values[:-1])
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        seen = {"state": states, "action": actions, "before": odds, "advantage": advantage, "wanted": wanted}
        return {name: np.asarray(each, "float32").reshape(STEPS * PLAYERS, -1) for name, each in seen.items()}

    def step():
        seen, losses = play(), []
        for _ in range(EPOCHS):
            for rows in rng.permutation(STEPS * PLAYERS).reshape(-1, MINIBATCH):
                losses.append(run["learn"]({name: each[rows] for name, each in seen.items()})[0])
        return [np.asarray(losses, "float32").reshape(-1)]

    return Work(step, step)
