"""`paddle.nn.layer.norm`. Made by `python -m stubs`."""

from paddle_lite.nn.group_norm import GroupNorm as GroupNorm
from paddle_lite.nn.group_norm import InstanceNorm as InstanceNorm
from paddle_lite.nn.norm import BatchNorm as BatchNorm
from paddle_lite.nn.norm import LayerNorm as LayerNorm
from paddle_lite.nn.spectral_norm import SpectralNorm as SpectralNorm
