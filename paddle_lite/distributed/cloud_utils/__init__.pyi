"""`paddle.distributed.cloud_utils`. Made by `python -m stubs`."""

import paddle_lite as paddle
from paddle_lite.distributed.cluster import Cluster as Cluster
from paddle_lite.distributed.cluster import Pod as Pod
from paddle_lite.distributed.cluster import Trainer as Trainer
from paddle_lite.distributed.cluster import get_cloud_cluster as get_cloud_cluster
from paddle_lite.distributed.cluster import get_cluster as get_cluster
from paddle_lite.distributed.cluster import get_logger as get_logger
from paddle_lite.distributed.cluster import get_trainers_num as get_trainers_num
from paddle_lite.distributed.cluster import logger as logger
