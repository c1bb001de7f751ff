"""`paddle.nn.functional.lod`. Made by `python -m stubs`."""

from paddle_lite.layers.nn.ctr import hash as hash
