"""Networks that recommend: word vectors, features of users, ranking."""

from . import LENGTHS, Net, classes, cross_entropy, net, rng, words


@net("sgd")
def word2vec(fluid):
    """Word vectors: three words share a sparse table; a hierarchical softmax."""
    layers = fluid.layers
    ws = [fluid.data("w" + str(i), [None, 1], "int64") for i in range(3)]
    y = fluid.data("y", [None, 1], "int64")
    es = [layers.embedding(w, [11, 4], is_sparse=True, param_attr="shared_w") for w in ws]
    h = layers.fc(layers.concat(es, 1), 6, act="sigmoid")
    p = layers.fc(h, 11, act="softmax")
    hs = layers.hsigmoid(h, y, 11)
    loss = layers.mean(hs) + cross_entropy(fluid, p, y)
    return Net(
        feeds={"w" + str(i): classes(3, 11, i) for i in range(3)},
        labels={"y": classes(3, 11, 5)},
        results=[p],
        loss=loss,
    )


@net("adagrad")
def wide_deep(fluid):
    """Sums of a sparse table beside dense features; the AUC."""
    layers = fluid.layers
    d = fluid.data("d", [None, 4])
    ss = [fluid.data("s" + str(i), [None, 1], "int64", lod_level=1) for i in range(2)]
    y = fluid.data("y", [None, 1], "int64")
    es = [
        layers.sequence_pool(
            layers.embedding(
                s,
                [13, 4],
                is_sparse=True,
                param_attr=fluid.ParamAttr("table", initializer=fluid.initializer.Uniform()),
            ),
            "sum",
        )
        for s in ss
    ]
    cv = layers.concat(es, 1)
    x = layers.concat([d, cv], 1)
    h = layers.fc(x, 8, act="relu", param_attr=fluid.ParamAttr(initializer=fluid.initializer.Normal(scale=0.3)))
    p = layers.fc(h, 2, act="softmax")
    layers.auc(p, y, num_thresholds=2**6)
    return Net(
        feeds={"d": rng(1).rand(3, 4).astype("float32"), "s0": words((2, 1, 3), 13, 2), "s1": words((1, 1, 2), 13, 3)},
        labels={"y": classes(3, 2)},
        results=[p],
        loss=layers.reduce_sum(layers.cross_entropy(p, y)),
    )


@net("ftrl")
def deepfm(fluid):
    """DeepFM: factorized interactions of features."""
    layers = fluid.layers
    ix = fluid.data("ix", [None, 5], "int64")
    v = fluid.data("v", [None, 5])
    y = fluid.data("y", [None, 1])
    r = fluid.regularizer.L2Decay(0.0001)
    TN = fluid.initializer.TruncatedNormalInitializer(loc=0.0, scale=0.3)
    fv = layers.reshape(v, [-1, 5, 1])
    fw = layers.reshape(
        fluid.embedding(ix, [20, 1], padding_idx=0, param_attr=fluid.ParamAttr(initializer=TN, regularizer=r)),
        [-1, 5, 1],
    )
    y1 = layers.reduce_sum(fw * fv, 1)
    em = fluid.embedding(ix, [20, 4], param_attr=fluid.ParamAttr(initializer=TN)) * fv
    a = layers.square(layers.reduce_sum(em, 1))
    b = layers.reduce_sum(layers.square(em), 1)
    y2 = 0.5 * layers.reduce_sum(a - b, 1, keep_dim=True)
    d = layers.reshape(em, [-1, 20])
    d = layers.fc(d, 8, act="relu")
    d = layers.fc(d, 1)
    p = layers.sigmoid(y1 + y2 + d)
    return Net(
        feeds={"ix": rng(1).randint(0, 20, (3, 5)).astype("int64"), "v": rng(2).rand(3, 5).astype("float32")},
        labels={"y": classes(3, 2).astype("float32")},
        results=[p],
        loss=layers.reduce_sum(layers.log_loss(p, y)),
    )


@net("sgd")
def movie_ratings(fluid):
    """Ratings of movies by their titles."""
    layers = fluid.layers
    u = fluid.data("u", [None, 1], "int64")
    t = fluid.data("t", [None, 1], "int64", lod_level=1)
    y = fluid.data("y", [None, 1])
    a = layers.fc(
        [layers.fc(layers.embedding(u, [9, 4], is_sparse=True), 4), layers.fc(layers.embedding(u, [9, 3]), 4)],
        6,
        act="tanh",
    )
    tt = fluid.nets.sequence_conv_pool(layers.embedding(t, [11, 4]), 6, 3, act="tanh", pool_type="sum")
    s = layers.cos_sim(a, tt)
    p = layers.scale(s, 5.0)
    return Net(
        feeds={"u": classes(3, 9), "t": words(LENGTHS)},
        labels={"y": rng(3).rand(3, 1).astype("float32")},
        results=[p],
        loss=layers.mean(layers.square_error_cost(p, y)),
    )


@net("adam")
def ranking(fluid):
    """DSSM: two documents ranked by their likeness to a query."""
    layers = fluid.layers
    q = fluid.data("q", [None, 1], "int64", lod_level=1)
    a = fluid.data("a", [None, 1], "int64", lod_level=1)
    b = fluid.data("b", [None, 1], "int64", lod_level=1)

    def tower(x):
        e = layers.embedding(x, [11, 6], param_attr="e")
        h = layers.sequence_softmax(layers.fc(e, 1, param_attr="aw", bias_attr="ab"))
        return layers.fc(layers.sequence_pool(e * h, "sum"), 5, act="tanh", param_attr="tw", bias_attr="tb")

    x, y, z = (tower(q), tower(a), tower(b))
    s, t = (layers.cos_sim(x, y), layers.cos_sim(x, z))
    one = layers.fill_constant_batch_size_like(s, [-1, 1], "float32", 1.0)
    loss = (
        layers.mean(layers.margin_rank_loss(one, s, t, 0.1))
        + layers.mean(layers.rank_loss(one, s, t))
        + layers.mean(layers.bpr_loss(layers.softmax(layers.concat([s, t], 1)), layers.cast(one * 0, "int64")))
    )
    return Net(
        feeds={"q": words(LENGTHS), "a": words((2, 2, 2), seed=3)},
        labels={"b": words((1, 2, 3), seed=4)},
        results=[s],
        loss=loss,
    )
