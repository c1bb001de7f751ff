"""`fluid.average`."""

from ..core.missing import missing_names
from ..metric.average import WeightedAverage

__getattr__ = missing_names(__name__)

__all__ = ["WeightedAverage"]
