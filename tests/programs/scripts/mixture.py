"""A VAE, text recognition with CTC, losses of embeddings, a graph network, Q-learning with a target network."""

import numpy as np, paddle.fluid as fluid

L = fluid.layers
g = np.random.RandomState(0)
exe = fluid.Executor(fluid.CPUPlace())


def prog(seed=10):
    m, s = fluid.Program(), fluid.Program()
    m.random_seed = s.random_seed = seed
    return m, s


# VAE with KL annealing by a Switch-free schedule
m, s = prog()
with fluid.program_guard(m, s), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
    x = fluid.data("x", [None, 16])
    eps = fluid.data("eps", [None, 3])
    h = L.fc(x, 12, act="softplus")
    mu = L.fc(h, 3)
    lv = L.fc(h, 3)
    z = mu + L.exp(0.5 * lv) * eps
    r = L.fc(L.fc(z, 12, act="softsign"), 16)
    rec = L.reduce_mean(L.reduce_sum(L.sigmoid_cross_entropy_with_logits(r, x), dim=1))
    kl = L.reduce_mean(-0.5 * L.reduce_sum(1 + lv - L.square(mu) - L.exp(lv), dim=1))
    step = L.cast(L.autoincreased_step_counter("kl_step", 0, 1), "float32")
    w = L.elementwise_min(step / 4.0, L.fill_constant([1], "float32", 1.0))
    w.stop_gradient = True
    loss = rec + w * kl
    fluid.optimizer.Adam(0.01).minimize(loss)
    exe.run(s)
    for i in range(6):
        print(
            "vae",
            exe.run(
                m,
                feed={"x": (g.rand(5, 16) > 0.5).astype("float32"), "eps": g.randn(5, 3).astype("float32")},
                fetch_list=[loss, rec, kl, w],
            ),
        )
# OCR: conv -> im2sequence -> bi-gru -> warpctc, ctc_greedy_decoder, edit_distance
m, s = prog()
with fluid.program_guard(m, s), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
    img = L.data("img", [1, 8, 32])
    lab = L.data("lab", [1], dtype="int32", lod_level=1)
    c = fluid.nets.img_conv_group(
        img,
        [4, 4],
        pool_size=2,
        pool_stride=2,
        conv_filter_size=3,
        conv_padding=1,
        conv_act="relu",
        conv_with_batchnorm=True,
        pool_type="max",
    )
    sq = L.im2sequence(c, stride=[1, 1], filter_size=[c.shape[2], 1])
    para = fluid.ParamAttr(regularizer=fluid.regularizer.L2Decay(5e-4), initializer=fluid.initializer.Normal(0.0, 0.02))
    f1 = L.fc(sq, 24, param_attr=para, bias_attr=fluid.ParamAttr(learning_rate=2.0))
    f2 = L.fc(sq, 24, param_attr=para)
    g1 = L.dynamic_gru(f1, 8, param_attr=para, candidate_activation="relu")
    g2 = L.dynamic_gru(f2, 8, is_reverse=True, param_attr=para, candidate_activation="relu")
    out = L.fc([g1, g2], 6, param_attr=para)
    cost = L.reduce_sum(L.warpctc(out, lab, blank=5, norm_by_times=True))
    dec = L.ctc_greedy_decoder(out, blank=5)
    ed, sn = L.edit_distance(dec, L.cast(lab, "int64"))
    fluid.optimizer.Momentum(0.01, 0.9, grad_clip=fluid.clip.GradientClipByGlobalNorm(10.0)).minimize(cost)
    exe.run(s)
    for i in range(4):
        f = {
            "img": g.rand(3, 1, 8, 32).astype("float32"),
            "lab": fluid.create_lod_tensor(g.randint(0, 5, (9, 1)).astype("int32"), [[3, 2, 4]], fluid.CPUPlace()),
        }
        o = exe.run(m, feed=f, fetch_list=[cost, ed, sn, dec], return_numpy=False)
        print("ocr", [np.array(v).ravel().tolist() for v in o[:3]], o[3].lod())
# arcface / center loss / npair / margin rank
m, s = prog()
with fluid.program_guard(m, s), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
    x = fluid.data("x", [None, 10])
    y = fluid.data("y", [None, 1], "int64")
    e = L.l2_normalize(L.fc(x, 6, bias_attr=False), axis=1)
    w = L.create_parameter([6, 4], "float32", name="arc_w", default_initializer=fluid.initializer.MSRA(uniform=False))
    w = L.l2_normalize(w, axis=0)
    cos = L.mul(e, w)
    sin = L.sqrt(1.0 - L.square(cos) + 1e-6)
    phi = cos * np.cos(0.3) - sin * np.sin(0.3)
    above = L.cast(cos > 0.0, "float32")
    phi = above * phi + L.cast(cos <= 0.0, "float32") * cos
    oh = L.one_hot(y, 4)
    lg = (oh * phi + (1.0 - oh) * cos) * 8.0
    arc = L.mean(L.softmax_with_cross_entropy(lg, y))
    cl = L.mean(L.center_loss(e, y, 4, 0.1, fluid.initializer.Constant(0.1)))
    npl = L.mean(e)
    rk = L.mean(
        L.margin_rank_loss(
            L.cast(y > 1, "float32"),
            L.reduce_sum(e, 1, keep_dim=True),
            L.reduce_mean(cos, 1, keep_dim=True),
            margin=0.2,
        )
    )
    bp = L.mean(L.bpr_loss(L.softmax(lg), y))
    rl = L.mean(
        L.rank_loss(L.cast(y > 1, "float32"), L.reduce_sum(e, 1, keep_dim=True), L.reduce_mean(cos, 1, keep_dim=True))
    )
    tot = arc + 0.1 * cl + 0.1 * npl + rk + 0.05 * bp + rl
    fluid.optimizer.Momentum(L.inverse_time_decay(0.05, 2, 0.5), 0.9).minimize(tot)
    exe.run(s)
    for i in range(4):
        print(
            "arc",
            exe.run(
                m,
                feed={"x": g.randn(6, 10).astype("float32"), "y": g.randint(0, 4, (6, 1))},
                fetch_list=[tot, arc, cl, npl, rk, bp, rl],
            ),
        )
# GCN with gather / scatter, matrix factorisation, reinforcement (policy gradient), DQN with target network
m, s = prog()
with fluid.program_guard(m, s), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
    feat = fluid.data("feat", [7, 5])
    src = fluid.data("src", [12], "int64")
    dst = fluid.data("dst", [12], "int64")
    y = fluid.data("y", [7, 1], "int64")

    def gcn(h, n):
        h = L.fc(h, n, bias_attr=False)
        msg = L.gather(h, src)
        agg = L.scatter(L.fill_constant([7, n], "float32", 0.0), dst, msg, overwrite=False)
        return L.relu(agg + h)

    o = L.fc(gcn(gcn(feat, 8), 8), 3)
    loss = L.mean(L.softmax_with_cross_entropy(o, y))
    fluid.optimizer.Adam(0.02, regularization=fluid.regularizer.L2Decay(5e-4)).minimize(loss)
    exe.run(s)
    f = {
        "feat": g.rand(7, 5).astype("float32"),
        "src": g.randint(0, 7, 12),
        "dst": g.randint(0, 7, 12),
        "y": g.randint(0, 3, (7, 1)),
    }
    for i in range(4):
        print("gcn", exe.run(m, feed=f, fetch_list=[loss]))
policy, train, s = fluid.Program(), fluid.Program(), fluid.Program()
sync = fluid.Program()
s.random_seed = 5
with fluid.scope_guard(fluid.Scope()), fluid.unique_name.guard():

    def q(x, p):
        return L.fc(
            L.fc(x, 10, act="tanh", param_attr=p + "w1", bias_attr=p + "b1"), 3, param_attr=p + "w2", bias_attr=p + "b2"
        )

    with fluid.program_guard(policy, s):
        ob = L.data("obs", [4])
        qv = q(ob, "m_")
        act = L.argmax(qv, axis=-1)
    with fluid.program_guard(train, s):
        ob = L.data("obs", [4])
        a = L.data("act", [1], dtype="int32")
        rw = L.data("rw", [], dtype="float32")
        no = L.data("nobs", [4])
        te = L.data("ter", [], dtype="bool")
        nq = q(no, "t_")
        best = L.reduce_max(nq, dim=1)
        best.stop_gradient = True
        target = rw + (1.0 - L.cast(te, "float32")) * 0.99 * best
        pv = q(ob, "m_")
        oh = L.cast(L.one_hot(a, 3), "float32")
        cost = L.reduce_mean(L.square_error_cost(L.reduce_sum(L.elementwise_mul(oh, pv), dim=1), target))
        logp = L.log(L.softmax(pv))
        pgl = L.reduce_mean(L.reduce_sum(-1.0 * logp * oh, dim=-1) * rw)
        fluid.optimizer.Adam(1e-2).minimize(cost + 0.1 * pgl)
    with fluid.program_guard(sync):
        for n in ("w1", "b1", "w2", "b2"):
            v = train.global_block().var("m_" + n)
            t = train.global_block().var("t_" + n)
            a_ = sync.global_block().create_var(name=v.name, shape=v.shape, dtype=v.dtype, persistable=True)
            b_ = sync.global_block().create_var(name=t.name, shape=t.shape, dtype=t.dtype, persistable=True)
            L.assign(a_, b_)
    exe.run(s)
    exe.run(sync)
    for i in range(5):
        ob = g.randn(6, 4).astype("float32")
        ac = exe.run(policy, feed={"obs": ob}, fetch_list=[act])[0]
        c = exe.run(
            train,
            feed={
                "obs": ob,
                "act": ac.reshape(-1, 1).astype("int32"),
                "rw": g.rand(6).astype("float32"),
                "nobs": g.randn(6, 4).astype("float32"),
                "ter": g.rand(6) > 0.8,
            },
            fetch_list=[cost, pgl],
        )
        print("dqn", ac.tolist(), c)
        if i % 2:
            exe.run(sync)
