"""`paddle.fluid.contrib.model_stat`. Made by `python -m stubs`."""

from paddle_lite.fluid.model_stat import summary as summary
