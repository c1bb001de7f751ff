"""A process of a fleet job that mpiexec starts: every second one is a server. Workers print what they know of the job."""

import json
import sys

import numpy as np

import paddle_lite.fluid as fluid
from paddle_lite.fluid.incubate.fleet.base.role_maker import MPISymetricRoleMaker
from paddle_lite.fluid.incubate.fleet.parameter_server.distribute_transpiler import StrategyFactory, fleet


def main(out):
    fleet.init(MPISymetricRoleMaker())
    x, y = fluid.data("x", [None, 4], "float32"), fluid.data("y", [None, 1], "float32")
    start = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.0))
    loss = fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(x, 1, param_attr=start), y))
    fleet.distributed_optimizer(fluid.optimizer.SGD(0.1), StrategyFactory.create_sync_strategy()).minimize(loss)
    if fleet.is_server():
        fleet.init_server()
        fleet.run_server()
        return
    fleet.init_worker()
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fleet.startup_program)
    random = np.random.RandomState(fleet.worker_index())
    for _ in range(20):
        batch = random.standard_normal((8, 4)).astype("float32")
        [value] = exe.run(fleet.main_program, feed={"x": batch, "y": batch.sum(1, keepdims=True)}, fetch_list=[loss])
    total = np.zeros(2)
    fleet.all_reduce_worker(np.array([1.0, fleet.worker_index()]), total)
    fleet.barrier_worker()
    told = fleet._role_maker.all_gather(fleet.worker_index())
    known = [fleet.worker_index(), fleet.worker_num(), fleet.server_num(), total.tolist(), told, float(value)]
    with open(f"{out}.{fleet.worker_index()}", "w") as file:
        json.dump(known, file)
    fleet.stop_worker()


if __name__ == "__main__":
    main(sys.argv[1])
