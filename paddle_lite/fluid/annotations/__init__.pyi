"""`paddle.fluid.annotations`. Made by `python -m stubs`."""

from paddle_lite.fluid.internals.decorators import deprecated as deprecated
