"""`paddle.fluid.contrib.slim.nas.search_space`. Made by `python -m stubs`."""

from paddle_lite.contrib.slim.nas.search_space import SearchSpace as SearchSpace
