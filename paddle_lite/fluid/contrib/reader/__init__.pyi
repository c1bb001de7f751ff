"""`paddle.fluid.contrib.reader`. Made by `python -m stubs`."""

from paddle_lite.distributed.data.reading import distributed_batch_reader as distributed_batch_reader
from paddle_lite.fluid.contrib.reader import distributed_reader as distributed_reader
