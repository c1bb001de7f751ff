"""A user's program of a job with parameter servers, for bench_parameter_server; the environment says which part of it this process is.

NET=ctr: 10 slots of ids from 100000, in one table with rows of 16, beside 13 numbers; layers of 400, 400, 2; a batch of 256.
NET=mlp: layers of 784, 1024, 1024, 10; a batch of 64.
ROLE=local, server or trainer; SERVERS, TRAINERS, NUMBER, ENDPOINT, MODE=sync, async, geo (changes each 10 steps) or ring (workers
without servers, whose environment is that of paddle.distributed.launch), STEPS. With WAIT=1 a trainer says that it is ready after some
steps, and waits for a line on standard input before those that it times.
"""

import os
import sys
import time

import numpy as np
import paddle
import paddle.fluid as fluid

net, role, mode = os.environ["NET"], os.environ["ROLE"], os.environ["MODE"]
number, trainers, steps = int(os.environ["NUMBER"]), int(os.environ["TRAINERS"]), int(os.environ["STEPS"])
servers, endpoint = os.environ["SERVERS"], os.environ["ENDPOINT"]
WARM_UP, SLOTS, WORDS, PUSHES = 30, 10, 100000, 10
random = np.random.RandomState(number)
layers = fluid.layers

if net == "ctr":
    size = 256
    ids = [layers.data(f"ids{i}", [1], dtype="int64", lod_level=1) for i in range(SLOTS)]
    dense, label = layers.data("dense", [13], dtype="float32"), layers.data("label", [1], dtype="int64")
    table = fluid.ParamAttr("table")
    rows = [layers.embedding(each, [WORDS, 16], is_sparse=mode != "ring", param_attr=table) for each in ids]
    hidden = layers.concat([layers.sequence_pool(each, "sum") for each in rows] + [dense], axis=1)
    widths, classes = (400, 400), 2
else:
    size = 64
    hidden, label = layers.data("x", [784], dtype="float32"), layers.data("label", [1], dtype="int64")
    widths, classes = (1024, 1024), 10
for width in widths:
    hidden = layers.fc(hidden, width, act="relu")
loss = layers.mean(layers.cross_entropy(layers.fc(hidden, classes, act="softmax"), label))


def batch():
    """Return a batch of random data."""
    labels = random.randint(0, classes, (size, 1)).astype("int64")
    if net == "mlp":
        return {"x": random.rand(size, 784).astype("float32"), "label": labels}
    found = {"dense": random.rand(size, 13).astype("float32"), "label": labels}
    for i in range(SLOTS):
        words = (random.zipf(1.2, size) % WORDS).astype("int64").reshape(-1, 1)
        found[f"ids{i}"] = fluid.create_lod_tensor(words, [[1] * size], fluid.CPUPlace())
    return found


def train(program):
    """Train, and print how fast, and what the timed steps took of the processor and exchanged."""
    batches = [batch() for _ in range(4)]
    for step in range(WARM_UP):
        exe.run(program, feed=batches[step % 4], fetch_list=[loss])
    if os.environ.get("WAIT"):
        print("ready", flush=True)
        sys.stdin.readline()
    began, used, before = time.perf_counter(), time.process_time(), exchanged()
    for step in range(steps):
        exe.run(program, feed=batches[step % 4], fetch_list=[loss])
    took, used = time.perf_counter() - began, time.process_time() - used
    counts = [after - count for after, count in zip(exchanged(), before)]
    print("examples per second: %.1f" % (size * steps / took))
    print(f"processor seconds: {used:.6f}")
    print("calls, bytes sent, bytes received:", *counts, flush=True)


def exchanged():
    """Return the calls, bytes sent and bytes received of this process; none of PaddlePaddle 1.8.5, which does not count them."""
    if not hasattr(paddle.distributed, "metrics"):
        return 0, 0, 0
    peers = paddle.distributed.metrics()["peers"].values()
    return tuple(sum(each[name] for each in peers) for name in ("calls", "sent", "received"))


exe = fluid.Executor(fluid.CPUPlace())
optimizer = fluid.optimizer.SGD(0.001)
if role == "local":
    optimizer.minimize(loss)
    exe.run(fluid.default_startup_program())
    train(fluid.default_main_program())
elif mode == "sync":
    optimizer.minimize(loss)
    job = fluid.DistributeTranspiler()
    job.transpile(number, pservers=servers, trainers=trainers, sync_mode=True)
    if role == "server":
        main, startup = job.get_pserver_programs(endpoint)
        exe.run(startup)
        exe.run(main)
    else:
        main = job.get_trainer_program()
        exe.run(fluid.default_startup_program())
        train(main)
        exe.close()
elif mode == "ring":
    from paddle.fluid.incubate.fleet.base.role_maker import PaddleCloudRoleMaker
    from paddle.fluid.incubate.fleet.collective import DistributedStrategy, fleet

    fleet.init(PaddleCloudRoleMaker(is_collective=True))
    fleet.distributed_optimizer(optimizer, DistributedStrategy()).minimize(loss)
    exe.run(fleet.startup_program)
    train(fleet.main_program)
else:
    from paddle.fluid.incubate.fleet.base.role_maker import Role, UserDefinedRoleMaker
    from paddle.fluid.incubate.fleet.parameter_server.distribute_transpiler import fleet
    from paddle.fluid.incubate.fleet.parameter_server.distribute_transpiler.distributed_strategy import StrategyFactory

    every = servers.split(",")
    which = (every.index(endpoint), Role.SERVER) if role == "server" else (number, Role.WORKER)
    fleet.init(UserDefinedRoleMaker(which[0], which[1], trainers, every))
    make = StrategyFactory
    strategy = make.create_geo_strategy(PUSHES) if mode == "geo" else make.create_async_strategy()
    fleet.distributed_optimizer(optimizer, strategy).minimize(loss)
    if role == "server":
        fleet.init_server()
        fleet.run_server()
    else:
        fleet.init_worker()
        exe.run(fleet.startup_program)
        train(fleet.main_program)
        fleet.stop_worker()
