"""`paddle.fluid.distributed`. Made by `python -m stubs`."""

