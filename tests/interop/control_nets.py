"""Nets with loops, branches and recurrences that PaddlePaddle 1.8.5 and paddle_lite build, train, write and read alike.

Runs on Python 3.7; `fluid` is the module of either. A file `NAME.npz` holds the bytes of a Program that trains, the values
of its persistable Variables after some steps, and how its training goes on.
"""

import os
import shutil
import tempfile

import numpy as np

STEPS = 3


def inputs(fluid, lod_level=0):
    rows = None if lod_level else 4
    return fluid.data("x", [rows, 4], lod_level=lod_level), fluid.data("y", [rows, 1])


def error(fluid, hidden, y):
    """The squared error of a linear layer."""
    return fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(hidden, 1), y))


def counters(fluid, count):
    i, n = fluid.layers.fill_constant([1], "int64", 0), fluid.layers.fill_constant([1], "int64", count)
    i.stop_gradient = True
    return i, n


def looped(fluid, start, count, step):
    """A While that applies `step` to the elements of an array, one after another; the last element."""
    layers = fluid.layers
    i, n = counters(fluid, count)
    held, running = layers.array_write(start, i), layers.less_than(i, n)
    loop = layers.While(running)
    with loop.block():
        after = step(layers.array_read(held, i))
        layers.increment(i, in_place=True)
        layers.array_write(after, i, held)
        layers.less_than(i, n, cond=running)
    return layers.array_read(held, i)


def layer(fluid, hidden, name):
    return fluid.layers.fc(hidden, 4, act="tanh", param_attr=name, bias_attr=False)


def while_array(fluid):
    """A While over an array, momentum."""
    x, y = inputs(fluid)
    last = looped(fluid, fluid.layers.fc(x, 4, act="tanh"), 3, lambda h: layer(fluid, h, "w"))
    loss = error(fluid, last, y)
    fluid.optimizer.Momentum(0.1, 0.9).minimize(loss)
    return loss


def nested(fluid):
    """A While in a While, with a clipped gradient."""
    x, y = inputs(fluid)

    def outer(hidden):
        return layer(fluid, looped(fluid, hidden, 2, lambda h: layer(fluid, h, "inner")), "outer")

    loss = error(fluid, looped(fluid, fluid.layers.fc(x, 4), 2, outer), y)
    fluid.optimizer.SGD(0.1, grad_clip=fluid.clip.GradientClipByGlobalNorm(0.5)).minimize(loss)
    return loss


def cond(fluid):
    """Two branches with parameters of their own, Adam."""
    x, y = inputs(fluid)
    small = fluid.layers.less_than(fluid.layers.reduce_mean(x), fluid.layers.fill_constant([1], "float32", 0.5))
    hidden = fluid.layers.cond(
        small, lambda: fluid.layers.fc(x, 3, act="tanh"), lambda: fluid.layers.fc(x, 3, act="sigmoid")
    )
    loss = error(fluid, hidden, y)
    fluid.optimizer.Adam(0.1).minimize(loss)
    return loss


def switch_case(fluid):
    """Three branches, one of them without parameters."""
    layers = fluid.layers
    x, y = inputs(fluid)
    which = layers.cast(layers.reduce_sum(x) * 10.0, "int32") % layers.fill_constant([1], "int32", 3)
    hidden = layers.fc(x, 3, act="tanh")
    cases = {0: lambda: layers.fc(hidden, 3), 1: lambda: hidden * 2.0}
    loss = error(fluid, layers.switch_case(which, cases, default=lambda: layers.fc(hidden, 3, act="relu")), y)
    fluid.optimizer.Momentum(0.1, 0.9).minimize(loss)
    return loss


def if_else(fluid):
    """Rows that take one of two ways, Adagrad."""
    layers = fluid.layers
    x, y = inputs(fluid)
    half = layers.fill_constant_batch_size_like(x, [-1, 1], "float32", 0.5)
    ways = layers.IfElse(layers.less_than(layers.slice(x, [1], [0], [1]), half))
    with ways.true_block():
        ways.output(layers.fc(ways.input(x), 3, act="tanh"))
    with ways.false_block():
        ways.output(layers.fc(ways.input(x), 3, act="relu"))
    loss = error(fluid, ways()[0], y)
    fluid.optimizer.Adagrad(0.1).minimize(loss)
    return loss


def switch(fluid):
    """A learning rate by a Switch."""
    layers = fluid.layers
    x, y = inputs(fluid)
    loss = error(fluid, layers.fc(x, 3, act="relu"), y)
    rate = layers.create_global_var([1], 0.0, "float32", persistable=True, name="rate")
    step = layers.autoincreased_step_counter()
    with layers.Switch() as cases:
        with cases.case(layers.less_than(step, layers.fill_constant([1], "int64", 2))):
            layers.assign(layers.fill_constant([1], "float32", 0.1), rate)
        with cases.case(layers.less_than(step, layers.fill_constant([1], "int64", 4))):
            layers.assign(layers.fill_constant([1], "float32", 0.05), rate)
        with cases.default():
            layers.assign(layers.fill_constant([1], "float32", 0.01), rate)
    fluid.optimizer.Momentum(rate, 0.9).minimize(loss)
    return loss


def minimized_in_a_branch(fluid):
    """An update every other step."""
    layers = fluid.layers
    x, y = inputs(fluid)
    loss = error(fluid, layers.fc(x, 3, act="relu"), y)
    odd = layers.elementwise_mod(layers.autoincreased_step_counter(), layers.fill_constant([1], "int64", 2))
    rule = fluid.optimizer.Momentum(0.1, 0.9)
    layers.cond(layers.cast(odd, "bool"), lambda: rule.minimize(loss) and None, None)
    return loss


def minimized_in_branches(fluid):
    """Another rate every other step, and another last layer."""
    layers = fluid.layers
    x, y = inputs(fluid)
    odd = layers.elementwise_mod(layers.autoincreased_step_counter(), layers.fill_constant([1], "int64", 2))

    def step(rate):
        loss = error(fluid, layers.fc(x, 3, act="relu", param_attr="w", bias_attr=False), y)
        fluid.optimizer.SGD(rate).minimize(loss)
        return loss

    return layers.cond(layers.cast(odd, "bool"), lambda: step(0.1), lambda: step(0.5))


def static_rnn(fluid):
    """A StaticRNN, RMSProp."""
    layers = fluid.layers
    x, y = inputs(fluid)
    steps = layers.transpose(layers.reshape(x, [4, 2, 2]), [1, 0, 2])
    rnn = layers.StaticRNN()
    with rnn.step():
        word = rnn.step_input(steps)
        memory = rnn.memory(shape=[-1, 3], batch_ref=word)
        hidden = layers.fc([word, memory], 3, act="tanh")
        rnn.update_memory(memory, hidden)
        rnn.step_output(hidden)
    loss = error(fluid, layers.reduce_sum(rnn(), 0), y)
    fluid.optimizer.RMSProp(0.05).minimize(loss)
    return loss


def cells(fluid):
    """An LSTM cell that `rnn` runs, in reverse, Adam."""
    layers = fluid.layers
    x, y = inputs(fluid)
    steps, last = layers.rnn(layers.LSTMCell(3), layers.reshape(x, [4, 2, 2]), is_reverse=True)
    loss = error(fluid, layers.concat([layers.reduce_sum(steps, 1), last[1]], 1), y)
    fluid.optimizer.Adam(0.05).minimize(loss)
    return loss


def dynamic_rnn(fluid):
    """A DynamicRNN with a static input and a memory that is initialised, Adam."""
    layers = fluid.layers
    x, y = inputs(fluid, lod_level=1)
    summed = layers.sequence_pool(x, "sum")
    start = layers.fc(summed, 3, act="tanh")
    rnn = layers.DynamicRNN()
    with rnn.block():
        word, context = rnn.step_input(x), rnn.static_input(summed)
        memory = rnn.memory(init=start, need_reorder=True)
        hidden = layers.fc([word, memory, context], 3, act="tanh")
        rnn.update_memory(memory, hidden)
        rnn.output(hidden)
    loss = error(fluid, layers.sequence_last_step(rnn()), y)
    fluid.optimizer.Adam(0.05).minimize(loss)
    return loss


def carried(fluid):
    """A while_loop that hands on tensors, two of which change places, with a branch in it."""
    layers = fluid.layers
    x, y = inputs(fluid)
    i, n = counters(fluid, 3)

    def body(i, a, b):
        small = layers.less_than(i, layers.fill_constant([1], "int64", 1))
        c = layers.cond(small, lambda: layer(fluid, a, "one"), lambda: layer(fluid, a, "other"))
        return [i + 1, b, c]

    found = layers.while_loop(lambda i, a, b: layers.less_than(i, n), body, [i, layers.fc(x, 4), layers.fc(x, 4)])
    loss = error(fluid, layers.concat(found[1:], 1), y)
    fluid.optimizer.Momentum(0.1, 0.9).minimize(loss)
    return loss


def read_twice(fluid):
    """A While over an array whose elements are read twice, and again behind it."""
    layers = fluid.layers
    x, y = inputs(fluid)
    i, n = counters(fluid, 3)
    held, running = layers.array_write(layers.fc(x, 4, act="tanh"), i), layers.less_than(i, n)
    loop = layers.While(running)
    with loop.block():
        after = layer(fluid, layers.array_read(held, i), "w") + layers.array_read(held, i)
        layers.increment(i, in_place=True)
        layers.array_write(after, i, held)
        layers.less_than(i, n, cond=running)
    loss = error(fluid, layers.tanh(layers.array_read(held, i) + layers.array_read(held, n - 2)), y)
    fluid.optimizer.SGD(0.05).minimize(loss)
    return loss


OURS = {"carried": carried, "read_twice": read_twice}
"""Nets that PaddlePaddle 1.8.5 trains with other gradients than these, if it builds them itself."""

NETS = {
    net.__name__: net
    for net in (
        while_array, nested, cond, switch_case, if_else, switch, minimized_in_a_branch, minimized_in_branches, static_rnn, cells, dynamic_rnn
    )
}  # fmt: skip


def batches(fluid, name):
    """What a net is trained with."""
    rng = np.random.RandomState(len(name))
    found = []
    for _ in range(2 * STEPS):
        x, rows = rng.rand(6 if name == "dynamic_rnn" else 4, 4).astype("float32"), 4
        if name == "dynamic_rnn":
            tensor, rows = fluid.LoDTensor(), 3
            tensor.set(x, fluid.CPUPlace())
            tensor.set_lod([[0, 1, 4, 6]])
            x = tensor
        found.append({"x": x, "y": rng.rand(rows, 1).astype("float32")})
    return found


def losses(fluid, program, loss, feeds):
    exe = fluid.Executor(fluid.CPUPlace())
    return np.array([np.asarray(exe.run(program, feed=f, fetch_list=[loss])[0]).reshape(-1)[0] for f in feeds])


def built(fluid, net):
    """The Programs of a net, and the name of its loss."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 5
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = net(fluid)
    return main, startup, loss.name


def write(fluid, folder, nets=NETS):
    """Train each net for some steps, and write it with how its training goes on."""
    for name, net in nets.items():
        main, startup, loss = built(fluid, net)
        with fluid.scope_guard(fluid.core.Scope()):
            feeds = batches(fluid, name)
            fluid.Executor(fluid.CPUPlace()).run(startup)
            losses(fluid, main, loss, feeds[:STEPS])
            state = {
                "state/" + v.name: np.array(fluid.global_scope().find_var(v.name).get_tensor())
                for v in main.list_vars()
                if fluid.io.is_persistable(v)
            }
            program = np.frombuffer(main.desc.serialize_to_string(), "uint8")
            model = inference_model(fluid, main, loss)
            after = losses(fluid, main, loss, feeds[STEPS:])
        found = {"program": program, "losses": after, "loss": np.array(loss), "model": model}
        found["prediction"] = predicted(fluid, {**found, **state}, name)
        np.savez_compressed(os.path.join(folder, name + ".npz"), **{**found, **state})


def inference_model(fluid, main, loss):
    """The bytes of the model that computes the loss of a batch, as they are in the file `__model__`."""
    folder = tempfile.mkdtemp()
    targets, exe = [main.global_block().var(loss)], fluid.Executor(fluid.CPUPlace())
    with fluid.program_guard(main):
        fluid.io.save_inference_model(folder, ["x", "y"], targets, exe, main)
    with open(os.path.join(folder, "__model__"), "rb") as file:
        content = np.frombuffer(file.read(), "uint8")
    shutil.rmtree(folder)
    return content


def prediction(fluid, model, feed):
    """What an inference model gives, with the parameters of the scope."""
    program = fluid.Program.parse_from_string(model.tobytes())
    block = program.global_block()
    targets = [block.var(op.input("X")[0]) for op in block.ops if op.type == "fetch"]
    return np.asarray(fluid.Executor(fluid.CPUPlace()).run(program, feed=feed, fetch_list=targets)[0])


def read(file):
    """What a file holds, by name."""
    with np.load(file) as known:
        return {key: known[key] for key in known.files}


def restore(fluid, known):
    """Give the persistable Variables of the scope the values of a file."""
    for key in known:
        if key.startswith("state/"):
            fluid.global_scope().var(key[len("state/") :]).get_tensor().set(known[key], fluid.CPUPlace())


def predicted(fluid, known, name):
    """What the inference model of a written net gives."""
    with fluid.scope_guard(fluid.core.Scope()):
        restore(fluid, known)
        return prediction(fluid, known["model"], batches(fluid, name)[0])


def resumed(fluid, known, name, program=None, loss=None):
    """How the training of a written net goes on, by the Program that was written or another one, and its loss."""
    if program is None:
        program = fluid.Program.parse_from_string(known["program"].tobytes())
    with fluid.scope_guard(fluid.core.Scope()):
        restore(fluid, known)
        return losses(fluid, program, loss or str(known["loss"]), batches(fluid, name)[STEPS:])


def check(fluid, folder):
    """Resume the training of each net of a folder; yields (what, what it gives, what it should give)."""
    for file in sorted(os.listdir(folder)):
        name = file[: -len(".npz")]
        known = read(os.path.join(folder, name + ".npz"))
        yield name + ": model", predicted(fluid, known, name), known["prediction"]
        yield name + ": training", resumed(fluid, known, name), known["losses"]


if __name__ == "__main__":
    import sys

    import paddle.fluid

    from nets import report  # isort: skip

    if sys.argv[1] == "write":
        write(paddle.fluid, sys.argv[2])
    else:
        report(check(paddle.fluid, sys.argv[2]))
