"""Sentiment by convolutions, LSTMs and GRUs, tagging with a CRF, translation with attention."""

import numpy as np, paddle, paddle.fluid as fluid

L = fluid.layers
g = np.random.RandomState(0)
V = 40


def batch(n=5):
    return [(g.randint(0, V, int(k)).tolist(), [int(k % 2)]) for k in g.randint(1, 9, n)]


def convolution_net(data, dict_dim, class_dim, emb_dim, hid_dim):
    emb = L.embedding(input=data, size=[dict_dim, emb_dim], is_sparse=True)
    a = fluid.nets.sequence_conv_pool(input=emb, num_filters=hid_dim, filter_size=3, act="tanh", pool_type="sqrt")
    b = fluid.nets.sequence_conv_pool(input=emb, num_filters=hid_dim, filter_size=4, act="tanh", pool_type="sqrt")
    return L.fc(input=[a, b], size=class_dim, act="softmax")


def stacked_lstm_net(data, dict_dim, class_dim, emb_dim, hid_dim, stacked_num=3):
    emb = L.embedding(input=data, size=[dict_dim, emb_dim], is_sparse=True)
    fc1 = L.fc(input=emb, size=hid_dim)
    lstm1, cell1 = L.dynamic_lstm(input=fc1, size=hid_dim)
    inputs = [fc1, lstm1]
    for i in range(2, stacked_num + 1):
        fc = L.fc(input=inputs, size=hid_dim)
        lstm, cell = L.dynamic_lstm(input=fc, size=hid_dim, is_reverse=(i % 2) == 0)
        inputs = [fc, lstm]
    fc_last = L.sequence_pool(input=inputs[0], pool_type="max")
    lstm_last = L.sequence_pool(input=inputs[1], pool_type="max")
    return L.fc(input=[fc_last, lstm_last], size=class_dim, act="softmax")


def gru_net(data, dict_dim, class_dim, emb_dim, hid_dim):
    emb = L.embedding(input=data, size=[dict_dim, emb_dim], param_attr=fluid.ParamAttr(learning_rate=2.0))
    fc0 = L.fc(emb, hid_dim * 3)
    h = L.dynamic_gru(fc0, hid_dim, is_reverse=False)
    r = L.dynamic_gru(L.fc(emb, hid_dim * 3), hid_dim, is_reverse=True)
    m = L.tanh(L.concat([L.sequence_pool(h, "last"), L.sequence_pool(r, "first"), L.sequence_pool(emb, "average")], 1))
    return L.fc(L.fc(m, 16, act="tanh"), class_dim, act="softmax")


def bow(data, dict_dim, class_dim, emb_dim, hid_dim):
    emb = L.embedding(data, [dict_dim, emb_dim], is_sparse=True)
    return L.fc(L.fc(L.tanh(L.sequence_pool(emb, "sum")), hid_dim, act="tanh"), class_dim, act="softmax")


for net in [convolution_net, stacked_lstm_net, gru_net, bow]:
    m, s = fluid.Program(), fluid.Program()
    m.random_seed = s.random_seed = 90
    with fluid.program_guard(m, s), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        data = L.data("words", [1], dtype="int64", lod_level=1)
        label = L.data("label", [1], dtype="int64")
        p = net(data, V, 2, 12, 16)
        cost = L.mean(L.cross_entropy(p, label))
        acc = L.accuracy(p, label)
        t = m.clone(for_test=True)
        fluid.optimizer.Adagrad(0.02).minimize(cost)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(s)
        feeder = fluid.DataFeeder([data, label], fluid.CPUPlace())
        for i in range(6):
            b = batch()
            c, a = exe.run(m, feed=feeder.feed(b), fetch_list=[cost, acc])
            print(net.__name__, i, c, a)
        print(exe.run(t, feed=feeder.feed(b), fetch_list=[p])[0])
# label semantic roles: CRF
m, s = fluid.Program(), fluid.Program()
m.random_seed = s.random_seed = 1
with fluid.program_guard(m, s), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
    w = L.data("w", [1], dtype="int64", lod_level=1)
    mk = L.data("mk", [1], dtype="int64", lod_level=1)
    tg = L.data("tg", [1], dtype="int64", lod_level=1)
    e = [
        L.embedding(w, [V, 8], param_attr=fluid.ParamAttr(name="emb", trainable=False)),
        L.embedding(mk, [2, 4], param_attr="vemb"),
    ]
    h0 = L.sums([L.fc(x, 16, act="tanh") for x in e])
    l0 = L.dynamic_lstm(h0, 16, candidate_activation="relu", gate_activation="sigmoid", cell_activation="sigmoid")[0]
    f = L.sums([L.fc(h0, 3, act="tanh"), L.fc(l0, 3, act="tanh")])
    crf = L.linear_chain_crf(f, tg, param_attr=fluid.ParamAttr(name="crfw", learning_rate=1e-1))
    cost = L.mean(crf)
    dec = L.crf_decoding(f, param_attr=fluid.ParamAttr(name="crfw"))
    prec, rec, f1, ni, nl, nc = L.chunk_eval(dec, tg, "IOB", 1)
    ev = fluid.metrics.ChunkEvaluator()
    fluid.optimizer.SGD(L.exponential_decay(0.05, 4, 0.5, True)).minimize(cost)
    exe.run(s)
    fluid.global_scope().find_var("emb").get_tensor().set(
        (np.arange(V * 8).reshape(V, 8) % 7 / 7.0).astype("float32"), fluid.CPUPlace()
    )
    feeder = fluid.DataFeeder([w, mk, tg], fluid.CPUPlace())
    for i in range(5):
        b = []
        for k in (3, 1, 5):
            b.append((g.randint(0, V, k).tolist(), g.randint(0, 2, k).tolist(), g.randint(0, 3, k).tolist()))
        o = exe.run(m, feed=feeder.feed(b), fetch_list=[cost, dec, ni, nl, nc], return_numpy=False)
        print("crf", i, np.array(o[0]), np.array(o[1]).ravel().tolist(), o[1].recursive_sequence_lengths())
        ev.update(*[np.array(v) for v in o[2:]])
    print(ev.eval())
# machine translation with attention
m, s = fluid.Program(), fluid.Program()
m.random_seed = s.random_seed = 6
with fluid.program_guard(m, s), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
    src = L.data("src", [1], dtype="int64", lod_level=1)
    trg = L.data("trg", [1], dtype="int64", lod_level=1)
    nxt = L.data("nxt", [1], dtype="int64", lod_level=1)
    D = 12
    emb = L.embedding(src, [V, D], is_sparse=True, param_attr=fluid.ParamAttr(name="vemb"))
    fw, _ = L.dynamic_lstm(L.fc(emb, D * 4, bias_attr=False), D * 4, use_peepholes=False)
    bw, _ = L.dynamic_lstm(L.fc(emb, D * 4, bias_attr=False), D * 4, is_reverse=True, use_peepholes=False)
    enc = L.concat([fw, bw], 1)
    proj = L.fc(enc, D, bias_attr=False)
    boot = L.fc(L.sequence_pool(bw, "first"), D, bias_attr=False, act="tanh")
    temb = L.embedding(trg, [V, D], is_sparse=True, param_attr=fluid.ParamAttr(name="vemb"))
    rnn = L.DynamicRNN()

    def attention(state, vec, proj):
        sp = L.sequence_expand(x=L.fc(state, D, bias_attr=False), y=proj)
        c = L.concat([proj, sp], 1)
        w = L.sequence_softmax(L.fc(c, 1, act="tanh", bias_attr=False))
        w = L.reshape(w, [-1])
        return L.sequence_pool(L.elementwise_mul(vec, w, axis=0), "sum")

    with rnn.block():
        cw = rnn.step_input(temb)
        ev_ = rnn.static_input(enc)
        ep = rnn.static_input(proj)
        h = rnn.memory(init=boot, need_reorder=True)
        ctx = attention(h, ev_, ep)
        di = L.fc([ctx, cw], D * 3, bias_attr=False)
        hn, _, _ = L.gru_unit(di, h, D * 3)
        rnn.update_memory(h, hn)
        rnn.output(L.fc(hn, V, act="softmax"))
    pred = rnn()
    cost = L.mean(L.cross_entropy(pred, nxt))
    fluid.optimizer.Adagrad(0.05, regularization=fluid.regularizer.L2DecayRegularizer(1e-4)).minimize(cost)
    exe.run(s)
    feeder = fluid.DataFeeder([src, trg, nxt], fluid.CPUPlace())
    for i in range(4):
        b = []
        for a, c in ((3, 4), (5, 2), (2, 3)):
            t_ = g.randint(0, V, c + 1).tolist()
            b.append((g.randint(0, V, a).tolist(), t_[:-1], t_[1:]))
        print("mt", i, exe.run(m, feed=feeder.feed(b), fetch_list=[cost])[0])
