"""`fluid.optimizer`."""

from ..optimizer import SGD, Adam, AdamOptimizer, Momentum, MomentumOptimizer, Optimizer, SGDOptimizer

__all__ = ["SGD", "Adam", "AdamOptimizer", "Momentum", "MomentumOptimizer", "Optimizer", "SGDOptimizer"]
