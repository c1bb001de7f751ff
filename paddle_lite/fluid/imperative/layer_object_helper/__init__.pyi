"""`paddle.fluid.imperative.layer_object_helper`. Made by `python -m stubs`."""

from paddle_lite.fluid.dygraph.layer_object_helper import *
