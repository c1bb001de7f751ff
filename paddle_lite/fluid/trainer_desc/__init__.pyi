"""`paddle.fluid.trainer_desc`. Made by `python -m stubs`."""

from paddle_lite.distributed.trainers.descriptions import DistMultiTrainer as DistMultiTrainer
from paddle_lite.distributed.trainers.descriptions import MultiTrainer as MultiTrainer
from paddle_lite.distributed.trainers.descriptions import PipelineTrainer as PipelineTrainer
from paddle_lite.distributed.trainers.descriptions import TrainerDesc as TrainerDesc
