"""`paddle.fluid.dataloader`. Made by `python -m stubs`."""

import paddle_lite as paddle
from paddle_lite.fluid.dataloader import batch_sampler as batch_sampler
from paddle_lite.fluid.dataloader import dataloader_iter as dataloader_iter
from paddle_lite.fluid.dataloader import dataset as dataset
from paddle_lite.reader.dataset import BatchSampler as BatchSampler
from paddle_lite.reader.dataset import Dataset as Dataset
