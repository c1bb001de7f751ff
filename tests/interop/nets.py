"""Nets that PaddlePaddle 1.8.5 and paddle_lite build, train, write and read alike; runs on Python 3.7.

`fluid` is the module of either. A folder that `write` made is read by `check`, by the same or by the other side.
"""

import os

import numpy as np

BATCH, STEPS = 4, 3


class Built:
    """A net with the Programs that train it."""

    def __init__(self, fluid, net):
        self.main, self.startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(self.main, self.startup), fluid.unique_name.guard():
            self.feeds, self.result, self.loss = net(fluid)
        self.persistables = sorted(v.name for v in self.main.list_vars() if fluid.io.is_persistable(v))


def mlp(fluid):
    """Two layers, momentum, a clipped gradient."""
    x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1])
    hidden = fluid.layers.fc(x, 5, act="relu")
    result = fluid.layers.fc(hidden, 1)
    loss = fluid.layers.mean(fluid.layers.square_error_cost(result, y))
    fluid.optimizer.Momentum(0.05, 0.9, grad_clip=fluid.clip.GradientClipByGlobalNorm(1.0)).minimize(loss)
    return ["x"], result, loss


def conv_net(fluid):
    """A convolution, batch norm, pooling; Adam with a schedule and weight decay."""
    image, y = fluid.data("x", [None, 1, 6, 6]), fluid.data("y", [None, 1], "int64")
    hidden = fluid.layers.conv2d(image, 3, 3, padding=1)
    hidden = fluid.layers.pool2d(fluid.layers.batch_norm(hidden, act="relu"), 2, "max", 2)
    hidden = fluid.layers.dropout(hidden, 0.0, dropout_implementation="upscale_in_train")
    result = fluid.layers.fc(hidden, 3, act="softmax")
    loss = fluid.layers.mean(fluid.layers.cross_entropy(result, y))
    rate = fluid.layers.exponential_decay(0.01, 2, 0.5, staircase=True)
    fluid.optimizer.Adam(rate, regularization=fluid.regularizer.L2Decay(1e-3)).minimize(loss)
    return ["x"], result, loss


def words(fluid):
    """An embedding, layer norm, Adagrad."""
    ids, y = fluid.data("x", [None, 3], "int64"), fluid.data("y", [None, 1])
    hidden = fluid.layers.layer_norm(fluid.embedding(ids, [10, 4]), begin_norm_axis=2)
    hidden = fluid.layers.reshape(hidden, [-1, 12])
    result = fluid.layers.fc(hidden, 1, act="tanh")
    loss = fluid.layers.mean(fluid.layers.square_error_cost(result, y))
    fluid.optimizer.Adagrad(0.1).minimize(loss)
    return ["x"], result, loss


def loop(fluid):
    """A While over an array, a conditional; SGD."""
    x, y = fluid.data("x", [BATCH, 4]), fluid.data("y", [BATCH, 1])
    x.stop_gradient = False
    i, n = fluid.layers.fill_constant([1], "int64", 0), fluid.layers.fill_constant([1], "int64", 3)
    i.stop_gradient = True
    held = fluid.layers.array_write(x, i)
    running = fluid.layers.less_than(i, n)
    step = fluid.layers.While(running)
    with step.block():
        before = fluid.layers.array_read(held, i)
        after = fluid.layers.fc(before, 4, act="tanh", param_attr="loop_w", bias_attr=False)
        fluid.layers.increment(i, in_place=True)
        fluid.layers.array_write(after, i, held)
        fluid.layers.less_than(i, n, cond=running)
    last = fluid.layers.array_read(held, i)
    result = fluid.layers.cond(fluid.layers.less_than(n, i), lambda: last + 1.0, lambda: last * 2.0)
    loss = fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.reduce_sum(last, 1, keep_dim=True), y))
    fluid.optimizer.SGD(0.2).minimize(loss)
    return ["x"], result, loss


def lstm(fluid):
    """Sequences of words through an LSTM; RMSProp."""
    ids, y = fluid.data("x", [None, 1], "int64", lod_level=1), fluid.data("y", [None, 1])
    steps = fluid.layers.fc(fluid.embedding(ids, [10, 4]), 12, num_flatten_dims=2)
    hidden, _ = fluid.layers.dynamic_lstm(fluid.layers.reshape(steps, [-1, 12]), 12)
    result = fluid.layers.fc(hidden, 1)
    loss = fluid.layers.mean(fluid.layers.square_error_cost(result, y))
    fluid.optimizer.RMSProp(0.05).minimize(loss)
    return ["x"], result, loss


LOD = {"lstm": [[0, 1, BATCH]]}
"""How the rows of x make sequences."""

NETS = {net.__name__: net for net in (mlp, conv_net, words, loop, lstm)}


def batches(name):
    """What the net is trained and asked with."""
    rng = np.random.RandomState(len(name))
    shape, high = {
        "mlp": ((BATCH, 4), 0),
        "conv_net": ((BATCH, 1, 6, 6), 0),
        "words": ((BATCH, 3), 10),
        "loop": ((BATCH, 4), 0),
        "lstm": ((BATCH, 1), 10),
    }[name]
    found = []
    for _ in range(2 * STEPS):
        x = rng.randint(0, high, shape).astype("int64") if high else rng.rand(*shape).astype("float32")
        y = (
            rng.randint(0, 3, (BATCH, 1)).astype("int64")
            if name == "conv_net"
            else rng.rand(BATCH, 1).astype("float32")
        )
        found.append({"x": x, "y": y})
    return found


LOOPS = ("loop",)
"""Nets whose training Programs have other operators than those of 1.8.5, which differentiates loops in another way."""


def prepared(tensor, place, name):
    """`batches` as an Executor takes them; `tensor` makes an empty LoDTensor."""
    found = batches(name)
    for feed in found if name in LOD else []:
        made = tensor()
        made.set(feed["x"], place)
        made.set_lod(LOD[name])
        feed["x"] = made
    return found


def losses(exe, program, loss, feeds):
    return np.array([float(np.asarray(exe.run(program, feed=f, fetch_list=[loss])[0]).reshape(-1)[0]) for f in feeds])


def write(fluid, folder):
    """Train each net for some steps, write it in every form, then say what it predicts and how its training goes on."""
    for name, net in NETS.items():
        below = os.path.join(folder, name)
        built, feeds = Built(fluid, net), prepared(fluid.LoDTensor, fluid.CPUPlace(), name)
        with fluid.scope_guard(fluid.core.Scope()):
            exe = fluid.Executor(fluid.CPUPlace())
            built.startup.random_seed = built.main.random_seed = 3
            exe.run(built.startup)
            losses(exe, built.main, built.loss, feeds[:STEPS])
            fluid.io.save_persistables(exe, os.path.join(below, "persistables"), built.main)
            fluid.io.save_persistables(exe, below, built.main, filename="all")
            fluid.save(built.main, os.path.join(below, "train"))
            targets, model = [built.result], os.path.join(below, "model")
            with fluid.program_guard(built.main):
                fluid.io.save_inference_model(model, built.feeds, targets, exe, built.main)
                combined = {"model_filename": "net.pdmodel", "params_filename": "net.pdiparams"}
                fluid.io.save_inference_model(below, built.feeds, targets, exe, built.main, **combined)
            found = predictions(fluid, exe, model, feeds[0])
            np.savez(
                os.path.join(below, "expected.npz"),
                prediction=found,
                losses=losses(exe, built.main, built.loss, feeds[STEPS:]),
            )


def predictions(fluid, exe, folder, feed, *files):
    program, feeds, targets = fluid.io.load_inference_model(folder, exe, *files)
    found = exe.run(program, feed={name: feed[name] for name in feeds}, fetch_list=targets, return_numpy=False)
    return np.array(found[0])


def check(fluid, folder):
    """Read each net in every form; yields (what, what it gives, what it should give)."""
    for name in NETS:
        for what, found, wanted in check_net(fluid, os.path.join(folder, name), name):
            yield name + ": " + what, found, wanted


def check_net(fluid, below, name):
    """Read one net in every form, each in a Scope of its own."""
    feeds, expected = prepared(fluid.LoDTensor, fluid.CPUPlace(), name), np.load(os.path.join(below, "expected.npz"))
    exe = fluid.Executor(fluid.CPUPlace())
    for what, files in (("model", ["model"]), ("one file", ["", "net.pdmodel", "net.pdiparams"])):
        with fluid.scope_guard(fluid.core.Scope()):
            found = predictions(fluid, exe, os.path.join(below, files[0]), feeds[0], *files[1:])
        yield what, found, expected["prediction"]
    for what, load in TRAINING.items():
        with fluid.scope_guard(fluid.core.Scope()):
            found = trained_on(fluid, exe, below, NETS[name], load, feeds)
        yield what, found, expected["losses"]
    with fluid.scope_guard(fluid.core.Scope()):
        found = trained_file(fluid, exe, below, NETS[name], feeds)
    yield "program of a file", found, expected["losses"]


TRAINING = {
    "persistables": lambda fluid, exe, below, main: fluid.io.load_persistables(
        exe, os.path.join(below, "persistables"), main
    ),
    "persistables in one file": lambda fluid, exe, below, main: fluid.io.load_persistables(exe, below, main, "all"),
    "fluid.load": lambda fluid, exe, below, main: fluid.load(main, os.path.join(below, "train"), exe),
    "program state": lambda fluid, exe, below, main: fluid.set_program_state(
        main, fluid.load_program_state(os.path.join(below, "train"))
    ),
}


def trained_on(fluid, exe, below, net, load, feeds):
    """Losses of a net that is built here and goes on where the files stand."""
    built = Built(fluid, net)
    exe.run(built.startup)
    load(fluid, exe, below, built.main)
    return losses(exe, built.main, built.loss, feeds[STEPS:])


def trained_file(fluid, exe, below, net, feeds):
    """Losses of the Program that the file holds."""
    built = Built(fluid, net)
    with open(os.path.join(below, "train.pdmodel"), "rb") as file:
        program = fluid.Program.parse_from_string(file.read())
    exe.run(built.startup)
    fluid.io.load_persistables(exe, os.path.join(below, "persistables"), program)
    return losses(exe, program, program.global_block().var(built.loss.name), feeds[STEPS:])


def differs(found, wanted):
    """How far numbers are from those that they should be, as a part of the largest; 1 for another shape."""
    found = np.asarray(found)
    if found.shape != wanted.shape or not np.all(np.isfinite(found)):
        return 1.0
    return float(np.abs(found - wanted).max() / max(np.abs(wanted).max(), 1e-12))


def report(checks, bound=1e-4):
    """Print a line for each check; exits with 1 where one is wrong."""
    wrong = 0
    for what, found, wanted in checks:
        apart = differs(found, wanted)
        wrong += apart > bound
        print("{:5} {:40} {:.1e}".format("ok" if apart <= bound else "WRONG", what, apart), flush=True)
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    import sys

    import paddle.fluid

    if sys.argv[1] == "write":
        write(paddle.fluid, sys.argv[2])
    else:
        report(check(paddle.fluid, sys.argv[2]))
