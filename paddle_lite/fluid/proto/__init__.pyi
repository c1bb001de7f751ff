"""`paddle.fluid.proto`. Made by `python -m stubs`."""

from paddle_lite.distributed.data import feed_messages as _of_data_feed_pb2
from paddle_lite.distributed.trainers import messages as _of_trainer_desc_pb2
from paddle_lite.static.proto import messages as _of_framework_pb2
data_feed_pb2 = _of_data_feed_pb2
framework_pb2 = _of_framework_pb2
trainer_desc_pb2 = _of_trainer_desc_pb2
