"""Optimizers, with schedules, penalties and clips, that numbers choose; the same calls make them in any mode."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from paddle_lite import fluid

L, rules = fluid.layers, fluid.optimizer

RULES: dict[str, Callable[..., Any]] = {
    "SGD": rules.SGD,
    "Momentum": lambda rate, **more: rules.Momentum(rate, 0.9, **more),
    "Nesterov": lambda rate, **more: rules.Momentum(rate, 0.8, use_nesterov=True, **more),
    "Adam": rules.Adam,
    "lazy Adam": lambda rate, **more: rules.Adam(rate, lazy_mode=True, **more),
    "Adagrad": rules.Adagrad,
    "DecayedAdagrad": rules.DecayedAdagrad,
    "Adamax": rules.Adamax,
    "Adadelta": rules.Adadelta,
    "RMSProp": rules.RMSProp,
    "centered RMSProp": lambda rate, **more: rules.RMSProp(rate, momentum=0.5, centered=True, **more),
    "Ftrl": rules.Ftrl,
    "Lamb": rules.Lamb,
    "LarsMomentum": lambda rate, **more: rules.LarsMomentum(rate, 0.9, **more),
}
# no warmup: it counts from 1 in imperative mode, from 0 in Programs, here as in PaddlePaddle 1.8.5
RATES: dict[str, Callable[[], Any]] = {
    "0.05": lambda: 0.05,
    "exponential": lambda: L.exponential_decay(0.1, 1, 0.7),
    "staircase": lambda: L.exponential_decay(0.1, 2, 0.5, staircase=True),
    "natural exponential": lambda: L.natural_exp_decay(0.1, 2, 0.7),
    "inverse": lambda: L.inverse_time_decay(0.1, 2, 0.7),
    "polynomial": lambda: L.polynomial_decay(0.1, 2, 0.01, power=2.0),
    "cyclic polynomial": lambda: L.polynomial_decay(0.1, 2, 0.01, cycle=True),
    "piecewise": lambda: L.piecewise_decay([1, 2], [0.1, 0.05, 0.2]),
    "cosine": lambda: L.cosine_decay(0.1, 1, 3),
    "noam": lambda: L.noam_decay(16, 2),
}
PENALTIES: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "L2": lambda: fluid.regularizer.L2Decay(0.05),
    "L1": lambda: fluid.regularizer.L1Decay(0.02),
}
CLIPS: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "value": lambda: fluid.clip.GradientClipByValue(0.3, -0.2),
    "norm": lambda: fluid.clip.GradientClipByNorm(0.5),
    "common norm": lambda: fluid.clip.GradientClipByGlobalNorm(0.5),
}


class Chosen(NamedTuple):
    """What was chosen, by name."""

    rule: str
    rate: str
    penalty: str
    clip: str

    def made(self, parameters: Any = None) -> Any:
        """The optimizer. parameters: in imperative mode."""
        more = {} if parameters is None else {"parameter_list": parameters}
        return RULES[self.rule](
            RATES[self.rate](), regularization=PENALTIES[self.penalty](), grad_clip=CLIPS[self.clip](), **more
        )


def chosen(rng: random.Random) -> Chosen:
    """Choose an optimizer; half of them have no schedule, no penalty, no clip."""

    def one(table: dict[str, Any]) -> str:
        return rng.choice(list(table)) if rng.random() < 0.5 else next(iter(table))

    return Chosen(rng.choice(list(RULES)), one(RATES), one(PENALTIES), one(CLIPS))
