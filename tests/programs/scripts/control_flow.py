"""Switch and While with arrays, a StaticRNN language model, a DynamicRNN, cond, case and while_loop."""

import numpy as np
import paddle.fluid as fluid
import paddle.fluid.layers as layers

g = np.random.RandomState(0)
exe = fluid.Executor(fluid.CPUPlace())


def fresh(seed=3):
    m, s = fluid.Program(), fluid.Program()
    m.random_seed = s.random_seed = seed
    return m, s


# lr by create_global_var + Switch
m, s = fresh()
with fluid.program_guard(m, s), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
    x = fluid.data("x", [None, 4])
    y = fluid.data("y", [None, 1])
    step = layers.autoincreased_step_counter(begin=0, step=1)
    step = layers.cast(step, "float32")
    lr = layers.create_global_var(shape=[1], value=0.0, dtype="float32", persistable=True, name="learning_rate")
    with layers.Switch() as switch:
        with switch.case(step < 2.0):
            layers.assign(step * 0.01 + 0.001, lr)
        with switch.case(step < 4.0):
            layers.assign(layers.fill_constant([1], "float32", 0.05), lr)
        with switch.default():
            v = layers.fill_constant([1], "float32", 0.005)
            layers.assign(input=v, output=lr)
    loss = layers.mean(layers.square_error_cost(layers.fc(x, 1), y))
    fluid.optimizer.SGD(lr).minimize(loss)
    exe.run(s)
    for i in range(6):
        print(
            "switch",
            exe.run(
                m,
                feed={"x": g.rand(4, 4).astype("float32"), "y": g.rand(4, 1).astype("float32")},
                fetch_list=[loss, lr, step, "learning_rate"],
            ),
        )
# while with arrays
m, s = fresh()
with fluid.program_guard(m, s), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
    d0 = layers.data("d0", shape=[10], append_batch_size=False, dtype="float32")
    d1 = layers.data("d1", shape=[10], append_batch_size=False)
    d2 = layers.data("d2", shape=[10], append_batch_size=False)
    i = layers.zeros(shape=[1], dtype="int64")
    i.stop_gradient = True
    init = layers.zeros(shape=[10], dtype="float32")
    mem_array = layers.array_write(x=init, i=i)
    data_array = layers.array_write(x=d0, i=i)
    i = layers.increment(i)
    layers.array_write(d1, i, array=data_array)
    i = layers.increment(i)
    layers.array_write(d2, i, array=data_array)
    i = layers.zeros(shape=[1], dtype="int64")
    i.stop_gradient = True
    array_len = layers.fill_constant(shape=[1], dtype="int64", value=3)
    array_len.stop_gradient = True
    cond = layers.less_than(x=i, y=array_len)
    w = layers.While(cond=cond)
    with w.block():
        d = layers.array_read(array=data_array, i=i)
        prev = layers.array_read(array=mem_array, i=i)
        result = layers.sums(input=[layers.scale(d, 2.0), prev])
        i = layers.increment(x=i, in_place=True)
        layers.array_write(result, i=i, array=mem_array)
        layers.less_than(x=i, y=array_len, cond=cond)
    sum_result = layers.array_read(array=mem_array, i=i)
    loss = layers.mean(sum_result)
    ds = [g.rand(10).astype("float32") for _ in range(3)]
    print(
        "while",
        exe.run(
            m,
            feed={"d0": ds[0], "d1": ds[1], "d2": ds[2]},
            fetch_list=[sum_result, loss, layers.array_length(mem_array)],
        ),
    )
# StaticRNN LM
m, s = fresh()
with fluid.program_guard(m, s), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
    T, B, V, H = 5, 3, 20, 8
    x = layers.data("x", [T, B, 1], append_batch_size=False, dtype="int64")
    y = layers.data("y", [T, B, 1], append_batch_size=False, dtype="int64")
    init_h = layers.data("h", [B, H], append_batch_size=False)
    init_c = layers.data("c", [B, H], append_batch_size=False)
    emb = layers.embedding(
        x,
        [V, H],
        param_attr=fluid.ParamAttr(
            name="embedding_para", initializer=fluid.initializer.UniformInitializer(low=-0.1, high=0.1)
        ),
    )
    W = layers.create_parameter(
        [H * 2, H * 4], "float32", name="fc_weight", default_initializer=fluid.initializer.UniformInitializer(-0.1, 0.1)
    )
    bb = layers.create_parameter(
        [H * 4], "float32", name="fc_bias", default_initializer=fluid.initializer.Constant(0.0)
    )
    rnn = layers.StaticRNN()
    with rnn.step():
        inp = rnn.step_input(emb)
        ph = rnn.memory(init=init_h)
        pc = rnn.memory(init=init_c)
        nn = layers.concat([inp, ph], 1)
        gate = layers.elementwise_add(layers.matmul(nn, W), bb)
        gi = layers.slice(gate, axes=[1], starts=[0], ends=[H])
        gj = layers.slice(gate, axes=[1], starts=[H], ends=[2 * H])
        gf = layers.slice(gate, axes=[1], starts=[2 * H], ends=[3 * H])
        go = layers.slice(gate, axes=[1], starts=[3 * H], ends=[4 * H])
        c = pc * layers.sigmoid(gf) + layers.sigmoid(gi) * layers.tanh(gj)
        h = layers.tanh(c) * layers.sigmoid(go)
        rnn.update_memory(ph, h)
        rnn.update_memory(pc, c)
        rnn.step_output(h)
        rnn.step_output(c)
    hs, cs = rnn()
    last_h = layers.slice(hs, axes=[0], starts=[T - 1], ends=[T])
    last_c = layers.slice(cs, axes=[0], starts=[T - 1], ends=[T])
    proj = layers.fc(layers.reshape(hs, [-1, H]), V, act=None)
    loss = layers.softmax_with_cross_entropy(proj, layers.reshape(y, [-1, 1]), soft_label=False)
    loss = layers.reshape(loss, [-1, B])
    loss = layers.reduce_mean(loss, dim=[0])
    loss = layers.reduce_sum(loss)
    fluid.clip.set_gradient_clip(clip=fluid.clip.GradientClipByGlobalNorm(clip_norm=5))
    lr = layers.create_global_var(name="lr", shape=[1], value=1.0, dtype="float32", persistable=True)
    fluid.optimizer.SGD(lr).minimize(loss)
    exe.run(s)
    h = c = np.zeros((B, H), "float32")
    for i in range(5):
        fluid.global_scope().find_var("lr").get_tensor().set(np.array([1.0 / (i + 1)], "float32"), fluid.CPUPlace())
        xs = g.randint(0, V, (T + 1, B, 1)).astype("int64")
        l, h, c, lv = exe.run(
            m, feed={"x": xs[:-1], "y": xs[1:], "h": h, "c": c}, fetch_list=[loss, last_h, last_c, "lr"]
        )
        h = h.reshape(B, H)
        c = c.reshape(B, H)
        print("lm", l, h.sum(), lv)
# DynamicRNN
m, s = fresh()
with fluid.program_guard(m, s), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
    w = layers.data("w", [1], dtype="int64", lod_level=1)
    lab = layers.data("lab", [1], dtype="int64")
    e = layers.embedding(w, [30, 8], is_sparse=True)
    drnn = layers.DynamicRNN()
    with drnn.block():
        word = drnn.step_input(e)
        prev = drnn.memory(shape=[12])
        hidden = layers.fc(input=[word, prev], size=12, act="relu")
        drnn.update_memory(prev, hidden)
        drnn.output(hidden)
    last = layers.sequence_last_step(drnn())
    p = layers.fc(last, 3, act="softmax")
    loss = layers.mean(layers.cross_entropy(p, lab))
    fluid.optimizer.Adam(0.01).minimize(loss)
    exe.run(s)
    feeder = fluid.DataFeeder(feed_list=[w, lab], place=fluid.CPUPlace())
    for i in range(5):
        batch = [(g.randint(0, 30, n).tolist(), [int(n % 3)]) for n in (3, 5, 1, 2)]
        print("drnn", exe.run(m, feed=feeder.feed(batch), fetch_list=[loss]))
# cond / case / while_loop / switch_case
m, s = fresh()
with fluid.program_guard(m, s), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
    a = fluid.data("a", [1])
    w = layers.create_parameter([1], "float32", default_initializer=fluid.initializer.Constant(2.0))
    out = layers.cond(a < 1.0, lambda: layers.elementwise_mul(a, w), lambda: a * a * w)
    idx = layers.cast(a, "int32")
    sc = layers.switch_case(idx, {0: lambda: w * 1.0, 1: lambda: w * 10.0, 2: lambda: w * a}, default=lambda: w - 1.0)
    cs = layers.case([(a < 0.5, lambda: a), (a > 1.5, lambda: a * 2.0)], default=lambda: a - 9.0)
    i = layers.fill_constant([1], "int64", 0)
    n = layers.fill_constant([1], "int64", 4)
    _, tot = layers.while_loop(lambda i, t: layers.less_than(i, n), lambda i, t: [i + 1, t + t * 0.5], [i, out * 1.0])
    loss = layers.mean(out + sc)
    fluid.optimizer.SGD(0.1).minimize(loss)
    exe.run(s)
    for v in (0.3, 1.2, 2.5, 0.9, 7.0):
        print("cond", exe.run(m, feed={"a": np.array([v], "float32")}, fetch_list=[out, sc, cs, tot, loss, w]))
