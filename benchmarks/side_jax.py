"""JAX as a side: a step is one function under jax.jit, with its weights and the optimizer's state given away to it."""

from __future__ import annotations

import os

os.environ["NPROC"] = os.environ["OMP_NUM_THREADS"]  # the size of XLA's pool of threads, before it is imported

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.side import Part, Work

CHECKED_STEPS = 3


class Jit:
    """Functions that are traced once and compiled by XLA."""

    def __init__(self, framework):
        jax.config.update("jax_platforms", "cpu")

    def inference(self, model):
        """Return the network's result, as a NumPy array."""
        run, x = self.session({"run": Part(model)})["run"], model.inputs()
        return Work(lambda: run(x), lambda: run(x))

    def gradients(self, model):
        """Return the loss and the gradient of each weight."""
        p, x = _arrays(model.weights()), _arrays(model.inputs())
        both = jax.jit(jax.value_and_grad(lambda p: model.jax(jax, p, x)))

        def check():
            loss, found = both(p)
            return [np.asarray(loss)] + [np.asarray(found[name]) for name in sorted(found)]

        return Work(lambda: jax.block_until_ready(both(p)), check)

    def training(self, model, optimizer, rate):
        """Return a step of the optimizer."""
        run, x = self.session({"run": Part(model, optimizer, rate)})["run"], model.inputs()
        return Work(lambda: run(x), lambda: [run(x)[0] for _ in range(CHECKED_STEPS)])

    def session(self, parts):
        """Return name -> function of a feed, for parts that share weights."""
        weights = {}
        for part in parts.values():
            weights.update(_arrays(part.model.weights()))
        return {name: self._function(part, weights) for name, part in parts.items()}

    def _function(self, part, weights):
        model = part.model
        if part.optimizer is None:
            forward = jax.jit(lambda p, x: model.jax(jax, p, x))
            return lambda feed: [np.asarray(forward({name: weights[name] for name in weights}, feed))]
        trained = [name for name in model.weights() if model.trains(name)]
        begin, update = OPTIMIZERS[part.optimizer]

        def step(p, held, state, x):
            loss, gradients = jax.value_and_grad(lambda p: model.jax(jax, {**held, **p}, x))(p)
            p, state = update(p, gradients, state, part.rate)
            return loss, p, state

        compiled = jax.jit(step, donate_argnums=(0, 2))
        state = [begin({name: weights[name] for name in trained})]

        def run(feed):
            p = {name: weights[name] for name in trained}
            held = {name: value for name, value in weights.items() if name not in p}
            loss, p, state[0] = compiled(p, held, state[0], feed)
            weights.update(p)
            return [np.asarray(loss)]

        return run


def _arrays(values):
    return {name: jnp.asarray(value) for name, value in values.items()}


def _zeros(p):
    return jax.tree.map(jnp.zeros_like, p)


def _sgd(p, gradients, state, rate):
    return jax.tree.map(lambda w, g: w - rate * g, p, gradients), state


def _momentum(p, gradients, velocity, rate):
    velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, gradients)
    return jax.tree.map(lambda w, v: w - rate * v, p, velocity), velocity


def _adam(p, gradients, state, rate):
    first, second, count = state
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
    count = count + 1
    scaled = rate * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    p = jax.tree.map(lambda w, m, v: w - scaled * m / (jnp.sqrt(v) + 1e-8), p, first, second)
    return p, (first, second, count)


OPTIMIZERS = {
    "sgd": (lambda p: (), _sgd),
    "momentum": (_zeros, _momentum),
    "adam": (lambda p: (_zeros(p), _zeros(p), jnp.zeros((), "float32")), _adam),
}
"""name -> (the state before the first step, an update)."""
