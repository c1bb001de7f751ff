"""Optimizers and learning-rate schedules."""

from .optimizer import Optimizer
from .rules import SGD, Adam, AdamOptimizer, Momentum, MomentumOptimizer, SGDOptimizer

__all__ = ["SGD", "Adam", "AdamOptimizer", "Momentum", "MomentumOptimizer", "Optimizer", "SGDOptimizer"]
