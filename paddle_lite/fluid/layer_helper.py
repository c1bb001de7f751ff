"""`fluid.layer_helper`."""

from ..core.missing import missing_names
from ..layers.support.helper import LayerHelper

__getattr__ = missing_names(__name__)

__all__ = ["LayerHelper"]
