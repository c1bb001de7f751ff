"""`paddle.incubate.hapi.distributed`. Made by `python -m stubs`."""

from paddle_lite.hapi.distributed import *
from paddle_lite.hapi.distributed import prepare_distributed_context as prepare_distributed_context
