"""`paddle.fluid.incubate.fleet`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet import base as base
from paddle_lite.fluid.incubate.fleet import collective as collective
from paddle_lite.fluid.incubate.fleet import parameter_server as parameter_server
from paddle_lite.fluid.incubate.fleet import utils as utils
