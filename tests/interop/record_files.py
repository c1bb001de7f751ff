"""Records small files that PaddlePaddle 1.8.5 writes: Programs, variables alone and together, inference models.

    PYTHON tests/interop/record_files.py [FOLDER]       # PYTHON: an interpreter that has paddlepaddle 1.8.5

Writes tests/interop/data. Runs on Python 3.7; not a test of the suite, since that needs no PaddlePaddle.
"""

import os
import shutil
import sys

import numpy as np

if __name__ == "__main__":
    import paddle.fluid as fluid
    from paddle.fluid import core, layers

HERE = os.path.dirname(os.path.abspath(__file__))
DTYPES = ["int8", "int16", "int32", "int64", "float32", "float64"]  # those that 1.8.5 has kernels to save


def conv_net():
    """Training of a convolutional net: batch norm, dropout, momentum with weight decay, a learning-rate schedule."""
    image = fluid.data("image", [None, 1, 8, 8])
    label = fluid.data("label", [None, 1], "int64")
    hidden = fluid.nets.simple_img_conv_pool(image, 3, 2, 2, 2, act="relu")
    hidden = layers.dropout(layers.batch_norm(hidden), 0.3)
    out = layers.fc(hidden, 4, act="softmax")
    loss = layers.mean(layers.cross_entropy(out, label))
    rate = layers.piecewise_decay([10, 20], [0.1, 0.01, 0.001])
    fluid.optimizer.Momentum(rate, 0.9, regularization=fluid.regularizer.L2Decay(1e-4)).minimize(loss)
    return ["image"], [out]


def while_loop():
    """A loop with an array and a conditional, differentiated."""
    x = fluid.data("x", [4, 3])
    x.stop_gradient = False
    i, n = layers.fill_constant([1], "int64", 0), layers.fill_constant([1], "int64", 3)
    i.stop_gradient = True
    held = layers.array_write(x, i)
    running = layers.less_than(i, n)
    loop = layers.While(running)
    with loop.block():
        before = layers.array_read(held, i)
        after = layers.fc(before, 3, param_attr="loop_w", bias_attr=False)
        layers.increment(i, in_place=True)
        layers.array_write(after, i, held)
        layers.less_than(i, n, cond=running)
    last = layers.array_read(held, i)
    chosen = layers.cond(layers.less_than(i, n), lambda: last + 1.0, lambda: last * 2.0)
    loss = layers.mean(chosen)
    fluid.optimizer.SGD(0.1).minimize(loss)
    return ["x"], [chosen]


def recurrent():
    """Words, a sparse embedding, an LSTM over sequences, Adam with clipped gradients."""
    words = fluid.data("words", [None, 1], "int64", lod_level=1)
    table = layers.embedding(words, [20, 4], is_sparse=True)
    hidden, _ = layers.dynamic_lstm(layers.fc(table, 16), 16)
    out = layers.fc(layers.sequence_pool(hidden, "max"), 2)
    fluid.clip.set_gradient_clip(fluid.clip.GradientClipByGlobalNorm(1.0))
    fluid.optimizer.Adam(0.01).minimize(layers.mean(out))
    return ["words"], [out]


def unrolled():
    """A StaticRNN, a DynamicRNN, a switch, a reader: kinds of variables that others have not."""
    x = fluid.data("x", [None, 3], lod_level=1)
    rnn = layers.DynamicRNN()
    with rnn.block():
        step = rnn.step_input(x)
        memory = rnn.memory(shape=[3], value=0.0)
        new = layers.elementwise_add(step, memory)
        rnn.update_memory(memory, new)
        rnn.output(new)
    steps = fluid.data("steps", [5, 2, 3])
    x.stop_gradient = steps.stop_gradient = False
    static = layers.StaticRNN()
    with static.step():
        now = static.step_input(steps)
        past = static.memory(shape=[-1, 3], batch_ref=now)
        static.update_memory(past, now + past)
        static.step_output(now + past)
    out = layers.reduce_sum(static()) + layers.reduce_sum(rnn())
    layers.py_reader(4, [[-1, 3], [-1, 1]], ["float32", "int64"], lod_levels=[1, 0])
    fluid.backward.append_backward(out)
    return ["x", "steps"], [out]


def programs(folder):
    """For each net: the main Program's bytes, and its inference model."""
    for net in (conv_net, while_loop, recurrent, unrolled):
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(core.Scope()):
            main.random_seed = startup.random_seed = 5
            feeds, fetches = net()
            exe = fluid.Executor(fluid.CPUPlace())
            exe.run(startup)
            save(folder, net.__name__ + ".main", main.desc.serialize_to_string())
            save(folder, net.__name__ + ".startup", startup.desc.serialize_to_string())
            at = os.path.join(folder, net.__name__)
            fluid.io.save_inference_model(at, feeds, fetches, exe, main, params_filename="params")
            shutil.move(os.path.join(at, "__model__"), at + ".model")
            if net is not recurrent:
                shutil.rmtree(at)
            else:
                save_names(at)


def save(folder, name, content):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)


class Lines:
    """In place of `traceback`: Paddle writes into each operator which lines made it, with this machine's paths."""

    @staticmethod
    def format_stack():
        return ["net.py, line 1"] * 2


def save_names(folder):
    """The names and values of the parameters of a combined file, in its order."""
    with open(folder + ".model", "rb") as file:
        program = fluid.Program.parse_from_string(file.read())
    names = sorted(v.name for v in program.list_vars() if v.persistable and v.name not in ("feed", "fetch"))
    values = {name: np.array(fluid.global_scope().find_var(name).get_tensor()) for name in names}
    np.savez(os.path.join(folder, "params.npz"), **values)


def tensors(folder):
    """Variables of each dtype, with LoD, of no rows, of no axes as far as they can be saved; and a SelectedRows."""
    rng = np.random.RandomState(3)
    values, lods = {}, {}
    for dtype in DTYPES:
        values[dtype] = (rng.rand(2, 3) * 9).astype(dtype)
    values["one_level"], lods["one_level"] = rng.rand(6, 2).astype("float32"), [[0, 2, 2, 6]]
    values["two_levels"], lods["two_levels"] = np.arange(5).reshape(5, 1), [[0, 1, 3], [0, 2, 2, 5]]
    values["no_rows"] = np.zeros((0, 3), "float32")
    scope, main = core.Scope(), fluid.Program()
    with fluid.scope_guard(scope), fluid.program_guard(main, fluid.Program()):
        exe, block = fluid.Executor(fluid.CPUPlace()), main.global_block()
        for name in values:
            block.create_var(
                name=name,
                shape=values[name].shape,
                dtype=str(values[name].dtype),
                lod_level=len(lods.get(name, [])),
                persistable=True,
            )
            held = scope.var(name).get_tensor()
            held.set(values[name], fluid.CPUPlace())
            held.set_lod(lods.get(name, []))
        block.create_var(
            name="rows", type=core.VarDesc.VarType.SELECTED_ROWS, dtype="float32", shape=[10, 2], persistable=True
        )
        rows = scope.var("rows").get_selected_rows()
        rows.set_rows([7, 0, 7])
        rows.set_height(10)
        rows.get_tensor().set(np.arange(6, dtype="float32").reshape(3, 2), fluid.CPUPlace())
        variables = [block.var(name) for name in sorted(values)]
        fluid.io.save_vars(exe, folder, main, vars=variables)
        saving = fluid.Program()
        saved = saving.global_block()
        saved.create_var(
            name="rows", type=core.VarDesc.VarType.SELECTED_ROWS, dtype="float32", shape=[10, 2], persistable=True
        )
        saved.append_op(
            type="save", inputs={"X": ["rows"]}, outputs={}, attrs={"file_path": os.path.join(folder, "rows")}
        )
        exe.run(saving)
        fluid.io.save_vars(exe, folder, main, vars=variables, filename="combined")
    np.savez(os.path.join(folder, "values.npz"), **values)


def main():
    fluid.framework.traceback = Lines
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "data")
    for name, write in (("programs", programs), ("tensors", tensors)):
        below = os.path.join(folder, name)
        if os.path.isdir(below):
            shutil.rmtree(below)
        os.makedirs(below)
        write(below)


if __name__ == "__main__":
    main()
