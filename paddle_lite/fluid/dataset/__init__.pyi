"""`paddle.fluid.dataset`. Made by `python -m stubs`."""

from paddle_lite.distributed.data import feed_messages as _of_data_feed_pb2
from paddle_lite.distributed.data.base import DatasetBase as DatasetBase
from paddle_lite.distributed.data.datasets import BoxPSDataset as BoxPSDataset
from paddle_lite.distributed.data.datasets import DatasetFactory as DatasetFactory
from paddle_lite.distributed.data.datasets import FileInstantDataset as FileInstantDataset
from paddle_lite.distributed.data.datasets import QueueDataset as QueueDataset
from paddle_lite.distributed.data.in_memory import InMemoryDataset as InMemoryDataset
from paddle_lite.fluid import core as core
data_feed_pb2 = _of_data_feed_pb2
