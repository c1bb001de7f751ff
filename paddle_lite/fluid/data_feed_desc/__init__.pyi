"""`paddle.fluid.data_feed_desc`. Made by `python -m stubs`."""

from paddle_lite.distributed.data import feed_messages as _of_data_feed_pb2
from paddle_lite.distributed.data.description import DataFeedDesc as DataFeedDesc
data_feed_pb2 = _of_data_feed_pb2
