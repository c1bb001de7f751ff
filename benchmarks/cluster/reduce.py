"""Workers that only sum arrays, run by `run_job` for what a byte of an all-reduce costs; NET, TRAINERS, STEPS as in `parameter_server/train.py`."""

import os
import sys
import time

import numpy as np
from paddle.fluid.incubate.fleet.base.role_maker import PaddleCloudRoleMaker
from paddle.fluid.incubate.fleet.collective import fleet

from benchmarks.cluster.costs import NETS
from paddle_lite.distributed.collective.current import group

fleet.init(PaddleCloudRoleMaker(is_collective=True))
arrays = [np.ones(size, "float32") for size in NETS[os.environ["NET"]].parameters]
steps, workers = int(os.environ["STEPS"]), group()


def reduce(count):
    """Sum the arrays over all workers, one after another."""
    for _ in range(count):
        for array in arrays:
            workers.allreduce([array], "max")


reduce(5)
print("ready", flush=True)
sys.stdin.readline()
began, used = time.perf_counter(), time.process_time()
reduce(steps)
print("examples per second: %.1f" % (steps / (time.perf_counter() - began)))
print("processor seconds: %.6f" % (time.process_time() - used), flush=True)
