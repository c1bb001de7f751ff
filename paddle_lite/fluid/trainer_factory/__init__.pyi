"""`paddle.fluid.trainer_factory`. Made by `python -m stubs`."""

from paddle_lite.core.typing import Variable as Variable
from paddle_lite.distributed.trainers.descriptions import DistMultiTrainer as DistMultiTrainer
from paddle_lite.distributed.trainers.descriptions import MultiTrainer as MultiTrainer
from paddle_lite.distributed.trainers.descriptions import PipelineTrainer as PipelineTrainer
from paddle_lite.distributed.trainers.factory import TrainerFactory as TrainerFactory
from paddle_lite.distributed.trainers.workers import DownpourSGD as DownpourSGD
from paddle_lite.distributed.trainers.workers import DownpourSGDOPT as DownpourSGDOPT
from paddle_lite.distributed.trainers.workers import Hogwild as Hogwild
from paddle_lite.distributed.trainers.workers import Section as Section
from paddle_lite.fluid.internals.decorators import get_logger as get_logger
from paddle_lite.fluid.internals.loggers import trainer_factory as _of_local_logger
from paddle_lite.static.execution.fetch_handler import FetchHandlerMonitor as FetchHandlerMonitor
local_logger = _of_local_logger
