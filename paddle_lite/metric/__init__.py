"""How good predictions are (`paddle.metric`)."""

from ..core.missing import missing_names
from ..layers.metric import accuracy

__getattr__ = missing_names(__name__)

__all__ = ["accuracy"]
