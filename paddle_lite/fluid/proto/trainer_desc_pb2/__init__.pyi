"""`paddle.fluid.proto.trainer_desc_pb2`. Made by `python -m stubs`."""

from paddle_lite.distributed.trainers.messages import *
from paddle_lite.distributed.trainers.messages import TABLE as TABLE
from paddle_lite.distributed.trainers.messages import _made as _made
