"""`paddle.fluid.core_noavx.op_proto_and_checker_maker`. Made by `python -m stubs`."""

from paddle_lite.fluid.core.op_proto_and_checker_maker import *
