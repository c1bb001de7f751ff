"""A process of a job with clipped gradients, one of them sparse, on 1.8.5 and here: python clipped_job.py ROLE NUMBER ENDPOINT.

It prints the losses of a trainer. The module is paddle_lite, or paddle where that is PaddlePaddle 1.8.5.
"""

import json
import sys

import numpy as np

try:
    import paddle_lite.fluid as fluid
except ImportError:
    from paddle import fluid

RECORDED = [
    [0.7115102410, 0.3425467014, 0.8829452395, 0.1549259722, 0.7798072100, 1.1270929575],
    [1.7074971199, 1.4434736967, 0.7916114330, 0.3310498798, 1.7626845837, 0.7670488358],
]
"""The losses of both trainers with PaddlePaddle 1.8.5."""


def network():
    x, y = fluid.data("x", [None, 8], "float32"), fluid.data("y", [None, 1], "float32")
    ids = fluid.data("ids", [None, 1], "int64")
    attrs = [fluid.ParamAttr(initializer=fluid.initializer.Constant(value)) for value in (0.1, 0.2)]
    words = fluid.layers.embedding(ids, [5000, 8], is_sparse=True, param_attr=attrs[0])
    predicted = fluid.layers.fc(x + words, 1, param_attr=attrs[1], bias_attr=False)
    return fluid.layers.mean(fluid.layers.square_error_cost(predicted, y))


def batch(step, number):
    random = np.random.RandomState(step * 2 + number)
    x, y = random.rand(4, 8).astype("float32"), random.rand(4, 1).astype("float32") * 3
    return {"x": x, "y": y, "ids": random.randint(0, 20, (4, 1)) * 250}


def main(role, number, endpoint):
    loss = network()
    fluid.clip.set_gradient_clip(fluid.clip.GradientClipByGlobalNorm(0.5))
    fluid.optimizer.SGD(0.5).minimize(loss)
    t, exe = fluid.DistributeTranspiler(), fluid.Executor(fluid.CPUPlace())
    t.transpile(number, pservers=endpoint, trainers=2)
    if role == "server":
        program, startup = t.get_pserver_programs(endpoint)
        exe.run(startup)
        exe.run(program)
        return
    program = t.get_trainer_program()
    exe.run(fluid.default_startup_program())
    found = [exe.run(program, feed=batch(step, number), fetch_list=[loss])[0] for step in range(len(RECORDED[0]))]
    print("LOSSES " + json.dumps([float(each[0] if np.ndim(each) else each) for each in found]))
    sys.stdout.flush()
    exe.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
