"""`paddle.fluid.incubate.fleet.utils.fleet_barrier_util`. Made by `python -m stubs`."""

from paddle_lite.distributed.fleet.parameter_server import fleet as fleet
from paddle_lite.distributed.hadoop.barrier import check_all_trainers_ready as check_all_trainers_ready
from paddle_lite.distributed.hadoop.contrib_client import HDFSClient as HDFSClient
