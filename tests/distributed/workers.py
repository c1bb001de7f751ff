"""A worker of a job: python workers.py SCENARIO OUT; a launcher's variables say which one."""

import contextlib
import copy
import io
import json
import os
import sys
import time

import numpy as np

import paddle_lite.fluid as fluid
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.distributed import metrics
from paddle_lite.distributed.collective.current import group


def calls():
    """Every call of a group, with small, large, mixed and strange arrays."""
    job = group()
    rank, of = job.rank, np.arange(5, dtype="int64")
    arrays = [
        np.full((3, 4), rank + 1, "float32"),
        np.full(600000, rank + 1, "float64"),
        of + rank,
        np.array([rank == 0]),
    ]
    arrays.append(np.arange(6, dtype="float16").reshape(2, 3).T * (rank + 1))  # not contiguous
    sums = [np.empty(array.shape, array.dtype) for array in arrays]
    job.allreduce(arrays, out=sums)
    kept = [float(array.max()) for array in arrays]
    largest = [array.copy() for array in arrays]
    job.allreduce(largest, "max")
    copied = [np.full(2, rank), np.full(3, rank, "float16"), np.array([rank == 1])]
    job.broadcast(copied, root=1)
    gathered = [part.tolist() for part in job.allgather(np.full((rank * 2, 2), rank, "float32"))]
    part = job.reduce_scatter(np.arange(4.0)).tolist()
    job.barrier()
    return {
        "sums": [array.ravel()[[0, -1]].tolist() for array in sums],
        "kept": kept,
        "largest": [float(array.max()) for array in largest],
        "copied": [array.tolist() for array in copied],
        "gathered": gathered,
        "part": part,
        "shared": job.share({"rank": rank}),
        "seen": {kind: round(seconds, 9) > 0 for kind, seconds in metrics()["waits"].items()},
        "sent": metrics()["peers"]["workers by MPI (2)"]["sent"],
        "children": [name for name in os.environ if name.startswith("PMI_")],
    }


def parallel():
    """Five steps of DataParallel; worker 1 uses one parameter in the last ones only, and rows of an embedding differ."""
    with fluid.dygraph.guard():
        strategy = fluid.dygraph.prepare_context()
        rank = strategy.local_rank if strategy else int(sys.argv[3])
        net = fluid.dygraph.Sequential(("table", fluid.dygraph.Embedding([6, 3], is_sparse=True)))
        net.add_sublayer("first", fluid.dygraph.Linear(3, 4, act="tanh"))
        net.add_sublayer("second", fluid.dygraph.Linear(4, 1))
        net.add_sublayer("extra", fluid.dygraph.Linear(4, 1))
        for number, parameter in enumerate(net.parameters()):  # of one process, as worker 0 has them
            values = np.random.RandomState(number if rank == 0 else 100).standard_normal(parameter.shape)
            parameter.set_value(values.astype("float32"))
        model = fluid.dygraph.DataParallel(net, strategy)
        rule = fluid.optimizer.Adam(0.1, parameter_list=model.parameters())
        sparse = True
        for step in range(5):
            loss = 0.0
            for half in range(2) if strategy is None else [rank]:
                ids = fluid.dygraph.to_variable(np.random.RandomState(7 * step + half).randint(0, 6, [5, 1]))
                hidden = net.first(net.table(ids))
                last = net.second(hidden) + (net.extra(hidden) if half == 0 or step > 2 else 0.0)
                part = fluid.layers.mean(last * last)
                loss = loss + (part * 0.5 if strategy is None else model.scale_loss(part))
            loss.backward()
            model.apply_collective_grads()
            sparse = sparse and isinstance(net.table.weight.raw_gradient(), SelectedRows)
            rule.minimize(loss)
            model.clear_gradients()
        state = {name: value.numpy().tolist() for name, value in model.state_dict().items()}
        copied = copy.deepcopy(model)  # without the memory
        assert [p.numpy().tolist() for p in copied.parameters()] == [p.numpy().tolist() for p in model.parameters()]
        met = sorted(metrics()["peers"])
        return {"sparse": sparse, "state": state, "one strategy": strategy is None, "met": met}


def parallel_apart():
    """The same without memory in common."""
    if hasattr(os, "memfd_create"):
        del os.memfd_create
    return parallel()


def parallel_in_place():
    """Steps of DataParallel whose large gradients need not be copied, also if passes are added up and gradients held."""
    with fluid.dygraph.guard():
        strategy = fluid.dygraph.prepare_context()
        rank, held, found = strategy.local_rank, None, []
        model = fluid.dygraph.DataParallel(fluid.dygraph.Linear(200, 300), strategy)
        weight = model.parameters()[0]
        adding = fluid.dygraph.BackwardStrategy()
        adding.accumulate_gradient = True
        for step in range(6):
            for _ in range(1 + (step == 3)):  # two passes
                x = np.random.RandomState(2 * step + rank).standard_normal([16, 200]).astype("float32")
                loss = fluid.layers.mean(model(fluid.dygraph.to_variable(x)) ** 2)
                loss.backward(adding)
            own = weight.raw_gradient()
            held = own if step == 1 else held if step == 2 else None
            before = None if held is None else held.copy()
            in_place = bool(model._in_memory._sums is not None and model._in_memory._sums._places[0].holds(own))
            whole = sum(group().allgather(own[None].copy()))
            del own
            model.apply_collective_grads()
            total = weight.raw_gradient()
            found.append([in_place, bool((total == whole).all()), total.sum(dtype="float64")])
            assert held is None or (held == before).all()
            fluid.optimizer.SGD(0.1, parameter_list=model.parameters()).minimize(loss)
            model.clear_gradients()
            weight._grad = None  # as before the first pass: zeros would be added to
        return {"found": found, "weight": weight.numpy().tolist()}


def hapi():
    """A Model in both modes: what fit, evaluate and predict give, of seven samples, whose last batches are filled up."""
    import paddle_lite as paddle

    rank = int(os.environ.get("PADDLE_TRAINER_ID", 0))
    random = np.random.RandomState(1)
    samples = [(random.rand(4).astype("float32"), np.array([number % 3])) for number in range(7)]

    class Data(fluid.io.Dataset):
        def __init__(self, count):
            self.count = count

        def __len__(self):
            return self.count

        def __getitem__(self, i):
            return samples[i]

    class Net(paddle.hapi.Model):
        def __init__(self):
            super().__init__()
            given = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.1 + rank))
            self.first = fluid.dygraph.Linear(4, 5, act="tanh")
            self.second = fluid.dygraph.Linear(5, 3, param_attr=given, act="softmax")

        def forward(self, x):
            return self.second(self.first(x))

    found = {}
    for way in ("imperative", "static"):
        place = fluid.CPUPlace()
        if way == "imperative":
            fluid.enable_dygraph(place)
        else:
            fluid.disable_dygraph()
        fluid.default_main_program().random_seed = fluid.default_startup_program().random_seed = 3 + rank
        model = Net()
        rule = fluid.optimizer.Momentum(0.5, 0.9, parameter_list=model.parameters())
        inputs = [paddle.hapi.Input([None, 4], "float32", name="x")]
        labels = [paddle.hapi.Input([None, 1], "int64", name="label")]
        model.prepare(rule, paddle.hapi.loss.CrossEntropy(), paddle.hapi.metrics.Accuracy(), inputs, labels, "cpu")
        if len(sys.argv) > 3:  # one process, with what the first of two has begun with, and their batches together
            model.load(f"{sys.argv[3]}_{way}")
        else:
            model.save(f"{sys.argv[2]}_{way}")
        batch = 4 if len(sys.argv) > 3 else 2
        model.fit(Data(4), batch_size=batch, epochs=3, shuffle=False, verbose=0)
        evaluated = model.evaluate(Data(7), batch_size=batch, verbose=0)
        loss = model.evaluate(Data(4), batch_size=batch, verbose=0)["loss"]
        with contextlib.redirect_stdout(io.StringIO()):
            predicted = model.predict(Data(7), batch_size=batch, stack_outputs=True)
        state = {key: np.array(value.numpy() if way == "imperative" else fluid.global_scope().find_var(value.name).get_tensor())
                 for key, value in model.state_dict().items()}  # fmt: skip
        found[way] = {
            "state": {key: value.tolist() for key, value in state.items()},
            "acc": evaluated["acc"],
            "loss": float(np.ravel(loss)[0]),
            "predicted": np.asarray(predicted[0]).tolist(),
        }
    return found


def build(way, rank, endpoints):
    """Return what runs a step, in a Program of its own."""
    x, y = fluid.data("x", [None, 3], "float32"), fluid.data("y", [None, 1], "float32")
    ids = fluid.data("ids", [None, 1], "int64")
    given = [fluid.ParamAttr(name=name, initializer=fluid.initializer.Constant(0.1 + rank)) for name in ("w", "table")]
    words = fluid.layers.embedding(ids, [6, 3], is_sparse=True, param_attr=given[1])
    loss = fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(x + words, 1, param_attr=given[0]), y))
    rule, main = fluid.optimizer.SGD(0.1), fluid.default_main_program()
    exe = fluid.Executor(fluid.CPUPlace())
    if way.startswith("fleet"):
        from paddle_lite.fluid.incubate.fleet.base import role_maker
        from paddle_lite.fluid.incubate.fleet.collective import Collective, DistributedStrategy

        fleet, strategy = Collective(), DistributedStrategy()
        fleet.init(role_maker.PaddleCloudRoleMaker(is_collective=True))
        strategy.use_local_sgd = "local" in way
        fleet.distributed_optimizer(rule, strategy).minimize(loss)
        exe.run(fleet.startup_program)
        total = np.zeros(1)
        fleet.all_reduce_worker(np.ones(1), total)
        assert total == 2 and fleet._role_maker.all_gather(rank) == [0, 1]
        return lambda feed: exe.run(fleet.main_program, feed=feed, fetch_list=[loss])
    rule.minimize(loss)
    if endpoints:
        config = fluid.DistributeTranspilerConfig()
        config.mode, config.collective_mode = "nccl2" if way == "nccl2" else "collective", way
        t = fluid.DistributeTranspiler(config)
        t.transpile(rank, main, trainers=",".join(endpoints), current_endpoint=endpoints[rank])
    exe.run(fluid.default_startup_program())
    if way == "nccl2":
        parallel = fluid.ParallelExecutor(False, loss_name=loss.name, num_trainers=2, trainer_id=rank)
        return lambda feed: parallel.run([loss.name], feed=feed)
    return lambda feed: exe.run(main, feed=feed, fetch_list=[loss])


def train(way, rank, endpoints, parts):
    """Train in a way; return the parameters."""
    with (
        fluid.scope_guard(fluid.Scope()),
        fluid.program_guard(fluid.Program(), fluid.Program()),
        fluid.unique_name.guard(),
    ):
        step = build(way, rank, endpoints)
        for number in range(3):
            random = np.random.RandomState(number)
            feed = {
                "x": random.standard_normal((8, 3)).astype("float32"),
                "y": random.standard_normal((8, 1)).astype("float32"),
            }
            feed["ids"] = random.randint(0, 6, (8, 1))
            step({name: value[parts] for name, value in feed.items()})
        names = [parameter.name for parameter in fluid.default_main_program().all_parameters()]
        return {name: np.array(fluid.global_scope().find_var(name).get_tensor()).tolist() for name in names}


def programs():
    """Programs of workers; with local SGD each updates its own parameters, and their mean is that of one process, for SGD is linear."""
    endpoints = [each for each in os.environ.get("PADDLE_TRAINER_ENDPOINTS", "").split(",") if each]
    if not endpoints:
        whole = train("", 0, [], slice(None))
        return {"all": whole, "local": whole}
    rank = int(os.environ["PADDLE_TRAINER_ID"])
    parts = slice(4 * rank, 4 * rank + 4)
    return {
        way: train(way, rank, endpoints, parts)
        for way in ("nccl2", "grad_allreduce", "local_sgd", "fleet", "fleet local")
    }


def lost():
    job = group()
    if job.rank == 1:
        os._exit(9)
    job.allreduce([np.ones(10)])


def raises():
    job = group()
    if job.rank == 1:
        raise RuntimeError("a mistake of the program")
    job.barrier()


def differ():
    job = group()
    job.broadcast([np.ones(4)]) if job.rank else job.allreduce([np.ones(4)])


def steps(last_of_first, last_of_second, leaves=False):
    """Steps of DataParallel, more of one worker than of the other."""
    with fluid.dygraph.guard():
        strategy = fluid.dygraph.prepare_context()
        model = fluid.dygraph.DataParallel(fluid.dygraph.Linear(4, 3), strategy)
        for step in range(6):
            if step == [last_of_first, last_of_second][strategy.local_rank]:
                if leaves:
                    os._exit(9)
                model.parameters()[1].stop_gradient = True
            model.scale_loss(fluid.layers.mean(model(fluid.dygraph.to_variable(np.ones((2, 4), "float32"))))).backward()
            model.apply_collective_grads()


def lost_in_memory():
    steps(6, 3, leaves=True)


def differ_in_memory():
    steps(6, 3)


def silent():
    job = group()
    if job.rank == 1:
        time.sleep(2.6)
        os._exit(0)
    job.barrier()


if __name__ == "__main__":
    result = globals()[sys.argv[1]]()
    with open(f"{sys.argv[2]}.{os.environ.get('PADDLE_TRAINER_ID') or os.environ.get('PMI_RANK', 0)}", "w") as file:
        json.dump(result, file)
