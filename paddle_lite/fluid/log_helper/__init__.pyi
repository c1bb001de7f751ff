"""`paddle.fluid.log_helper`. Made by `python -m stubs`."""

from paddle_lite.fluid.internals.decorators import get_logger as get_logger
