"""`paddle.random`. Made by `python -m stubs`."""

from paddle_lite.layers.paddle2.random import manual_seed as manual_seed
