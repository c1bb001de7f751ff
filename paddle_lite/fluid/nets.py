"""`fluid.nets`."""

from ..core.missing import missing_names
from ..nets import glu, img_conv_group, scaled_dot_product_attention, sequence_conv_pool, simple_img_conv_pool

__getattr__ = missing_names(__name__)

__all__ = ["glu", "img_conv_group", "scaled_dot_product_attention", "sequence_conv_pool", "simple_img_conv_pool"]
