"""`paddle.incubate.reader`. Made by `python -m stubs`."""

from paddle_lite.distributed.data.reading import distributed_batch_reader as distributed_batch_reader
