"""A process of a job with parameter servers: python job.py ROLE NUMBER ENDPOINTS OUT; the role "alone" trains on the whole batch."""

import sys

import numpy as np

import paddle_lite.fluid as fluid

STEPS, TRAINERS = 4, 2
ROWS, SPREAD = 3000, 75
MORE = [
    2**62 + 1,
    -5,
    2**63 - 1,
    3000,
    3002,
    7001,
    3004,
    12345678901,
    -(2**63),
    -1,
]  # ids that the table does not declare


def network(alone=False):
    x, y = fluid.data("x", [None, 6], "float32"), fluid.data("y", [None, 1], "float32")
    ids = fluid.data("ids", [None, 1], "int64")
    table = fluid.ParamAttr(name="table", initializer=fluid.initializer.Constant(0.1))
    rows = ROWS + len(MORE) if alone else ROWS  # servers make the rows of other ids at their first touch
    words = fluid.layers.embedding(ids, [rows, 6], is_sparse=True, is_distributed=not alone, param_attr=table)
    made = [fluid.ParamAttr(initializer=fluid.initializer.Constant(v)) for v in (0.02, -0.03)]
    hidden = fluid.layers.fc(x + words, 3000, act="tanh", param_attr=made[0])  # of two blocks, one on each server
    return fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(hidden, 1, param_attr=made[1]), y))


def batch(step, part):
    random = np.random.RandomState(step)
    feed = {
        "x": random.standard_normal((8, 6)),
        "y": random.standard_normal((8, 1)),
        "ids": random.randint(0, 50, (8, 1)),
    }
    feed = {name: value.astype("int64" if name == "ids" else "float32") for name, value in feed.items()}
    feed["ids"] = known(feed["ids"], part is None)
    return feed if part is None else {name: value[part * 4 : part * 4 + 4] for name, value in feed.items()}


def known(numbers, alone):
    """Return ids of rows: of both blocks of the table, and beyond it."""
    more = np.arange(ROWS, ROWS + len(MORE)) if alone else np.array(MORE)
    return np.where(numbers < 40, numbers * SPREAD, more[np.maximum(numbers - 40, 0)])


def main(role, number, endpoints, out):
    loss = network(role == "alone")
    fluid.optimizer.Momentum(0.1, 0.9).minimize(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    if role == "alone":
        program = fluid.default_main_program()
    else:
        config = fluid.DistributeTranspilerConfig()
        t = fluid.DistributeTranspiler(config)
        t.transpile(number, pservers=endpoints, trainers=TRAINERS)
        if role == "server":
            program, startup = t.get_pserver_programs(endpoints.split(",")[number])
            exe.run(startup)
            exe.run(program)
            return
        program = t.get_trainer_program()
    exe.run(fluid.default_startup_program())
    losses = [
        exe.run(program, feed=batch(step, None if role == "alone" else number), fetch_list=[loss])[0]
        for step in range(STEPS)
    ]
    if number == 0:
        fluid.io.save_persistables(exe, out, program)
        if role == "trainer":
            fluid.io._save_distributed_persistables(exe, f"{out}.apart", program)
    np.save(f"{out}.{role}{number}.npy", np.array(losses))
    exe.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
