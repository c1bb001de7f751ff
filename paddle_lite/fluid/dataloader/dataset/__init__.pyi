"""`paddle.fluid.dataloader.dataset`. Made by `python -m stubs`."""

from paddle_lite.fluid.dataloader import *
