"""`fluid.optimizer`."""

from ..core.missing import missing_names
from ..optimizer import SGD, Adam, AdamOptimizer, Momentum, MomentumOptimizer, Optimizer, SGDOptimizer

__getattr__ = missing_names(__name__)

__all__ = ["SGD", "Adam", "AdamOptimizer", "Momentum", "MomentumOptimizer", "Optimizer", "SGDOptimizer"]
