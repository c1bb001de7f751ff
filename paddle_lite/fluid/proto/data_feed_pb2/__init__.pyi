"""`paddle.fluid.proto.data_feed_pb2`. Made by `python -m stubs`."""

from paddle_lite.distributed.data.feed_messages import *
from paddle_lite.distributed.data.feed_messages import TABLE as TABLE
from paddle_lite.distributed.data.feed_messages import _made as _made
