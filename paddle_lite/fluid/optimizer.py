"""`fluid.optimizer`."""

from ..core.missing import missing_names
from ..optimizer import (
    SGD,
    Adagrad,
    AdagradOptimizer,
    Adam,
    AdamOptimizer,
    DecayedAdagrad,
    DecayedAdagradOptimizer,
    LarsMomentum,
    LarsMomentumOptimizer,
    Momentum,
    MomentumOptimizer,
    Optimizer,
    SGDOptimizer,
)

__getattr__ = missing_names(__name__)

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
