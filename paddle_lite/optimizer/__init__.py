"""Optimizers and learning-rate schedules."""

from ..core.missing import missing_names as _missing_names
from .optimizer import Optimizer
from .rules import (
    SGD,
    Adam,
    AdamOptimizer,
    LarsMomentum,
    LarsMomentumOptimizer,
    Momentum,
    MomentumOptimizer,
    SGDOptimizer,
)
from .rules_adaptive import Adagrad, AdagradOptimizer, DecayedAdagrad, DecayedAdagradOptimizer

__getattr__ = _missing_names(__name__)

__all__ = [
    "SGD",
    "Adagrad",
    "AdagradOptimizer",
    "Adam",
    "AdamOptimizer",
    "DecayedAdagrad",
    "DecayedAdagradOptimizer",
    "LarsMomentum",
    "LarsMomentumOptimizer",
    "Momentum",
    "MomentumOptimizer",
    "Optimizer",
    "SGDOptimizer",
]
