"""How good predictions are (`paddle.metric`)."""

from ..layers.metric import accuracy

__all__ = ["accuracy"]
