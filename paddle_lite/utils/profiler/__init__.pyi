"""`paddle.utils.profiler`. Made by `python -m stubs`."""

