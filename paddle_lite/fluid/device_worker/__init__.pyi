"""`paddle.fluid.device_worker`. Made by `python -m stubs`."""

from paddle_lite.distributed.trainers.workers import DeviceWorker as DeviceWorker
from paddle_lite.distributed.trainers.workers import DeviceWorkerFactory as DeviceWorkerFactory
from paddle_lite.distributed.trainers.workers import DownpourSGD as DownpourSGD
from paddle_lite.distributed.trainers.workers import DownpourSGDOPT as DownpourSGDOPT
from paddle_lite.distributed.trainers.workers import Hogwild as Hogwild
from paddle_lite.distributed.trainers.workers import Section as Section
from paddle_lite.fluid.incubate.fleet.parameter_server import version as version
