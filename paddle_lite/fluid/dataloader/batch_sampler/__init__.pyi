"""`paddle.fluid.dataloader.batch_sampler`. Made by `python -m stubs`."""

from paddle_lite.fluid.dataloader import *
