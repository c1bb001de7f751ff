"""Predicted clicks: a DNN, Wide & Deep, DeepFM, DCN, with sparse embeddings and auc."""

import numpy as np, math
import paddle.fluid as fluid

g = np.random.RandomState(0)
SLOTS = 6
DICT = 101
DENSE = 5


def data():
    ids = g.randint(0, DICT, (32, SLOTS)).astype("int64")
    dense = g.rand(32, DENSE).astype("float32")
    lab = ((ids[:, 0] % 3 == 0) | (dense[:, 0] > 0.7)).astype("int64").reshape(-1, 1)
    f = {"dense_input": dense, "label": lab}
    for i in range(SLOTS):
        f["C%d" % (i + 1)] = ids[:, i : i + 1]
    return f


def ctr_dnn(dense, slots, label):
    def embedding_layer(input):
        return fluid.layers.embedding(
            input=input,
            is_sparse=True,
            is_distributed=False,
            size=[DICT, 10],
            param_attr=fluid.ParamAttr(name="SparseFeatFactors", initializer=fluid.initializer.Uniform()),
        )

    sparse = list(map(embedding_layer, slots))
    concated = fluid.layers.concat(sparse + [dense], axis=1)
    fc = concated
    for n in [40, 40, 20]:
        fc = fluid.layers.fc(
            input=fc,
            size=n,
            act="relu",
            param_attr=fluid.ParamAttr(initializer=fluid.initializer.Normal(scale=1 / math.sqrt(fc.shape[1]))),
        )
    predict = fluid.layers.fc(
        input=fc,
        size=2,
        act="softmax",
        param_attr=fluid.ParamAttr(initializer=fluid.initializer.Normal(scale=1 / math.sqrt(fc.shape[1]))),
    )
    cost = fluid.layers.cross_entropy(input=predict, label=label)
    avg_cost = fluid.layers.reduce_sum(cost)
    auc_var, batch_auc_var, auc_states = fluid.layers.auc(
        input=predict, label=label, num_thresholds=2**12, slide_steps=20
    )
    return avg_cost, auc_var, batch_auc_var


def wide_deep(dense, slots, label):
    wide = fluid.layers.fc(
        dense, 1, param_attr=fluid.ParamAttr(learning_rate=0.1, regularizer=fluid.regularizer.L1Decay(0.01))
    )
    wides = [
        fluid.layers.embedding(s, [DICT, 1], is_sparse=True, param_attr=fluid.initializer.Constant(0.0)) for s in slots
    ]
    deep = fluid.layers.concat(
        [fluid.layers.embedding(s, [DICT, 8], is_sparse=True, param_attr=fluid.initializer.Xavier()) for s in slots],
        axis=1,
    )
    for n in [16, 8]:
        deep = fluid.layers.dropout(fluid.layers.fc(deep, n, act="relu"), 0.1, seed=3)
    logit = fluid.layers.sums(wides + [wide, fluid.layers.fc(deep, 1)])
    p = fluid.layers.sigmoid(logit)
    loss = fluid.layers.sigmoid_cross_entropy_with_logits(logit, fluid.layers.cast(label, "float32"))
    two = fluid.layers.concat([1 - p, p], 1)
    auc, bauc, _ = fluid.layers.auc(two, label)
    return fluid.layers.reduce_mean(loss), auc, bauc


def deepfm(dense, slots, label):
    ids = fluid.layers.concat(slots, axis=1)
    ids.stop_gradient = True
    feat = fluid.layers.reshape(ids, [-1, 1])
    k = 4
    first = fluid.layers.reshape(
        fluid.embedding(
            feat,
            size=[DICT, 1],
            dtype="float32",
            is_sparse=True,
            padding_idx=None,
            param_attr=fluid.ParamAttr(
                initializer=fluid.initializer.TruncatedNormalInitializer(loc=0.0, scale=0.1),
                regularizer=fluid.regularizer.L1DecayRegularizer(1e-4),
            ),
        ),
        shape=[-1, SLOTS, 1],
    )
    y1 = fluid.layers.reduce_sum(first, 1)
    e = fluid.layers.reshape(
        fluid.embedding(
            feat,
            size=[DICT, k],
            is_sparse=True,
            padding_idx=None,
            param_attr=fluid.ParamAttr(initializer=fluid.initializer.TruncatedNormalInitializer(loc=0.0, scale=0.1)),
        ),
        shape=[-1, SLOTS, k],
    )
    ss = fluid.layers.square(fluid.layers.reduce_sum(e, 1))
    sq = fluid.layers.reduce_sum(fluid.layers.square(e), 1)
    y2 = 0.5 * fluid.layers.reduce_sum(ss - sq, 1, keep_dim=True)
    d = fluid.layers.reshape(e, [-1, SLOTS * k])
    for s in [16, 16]:
        d = fluid.layers.fc(
            d,
            s,
            act="relu",
            param_attr=fluid.ParamAttr(initializer=fluid.initializer.TruncatedNormalInitializer(loc=0.0, scale=0.1)),
        )
    yd = fluid.layers.fc(d, 1)
    predict = fluid.layers.sigmoid(y1 + y2 + yd)
    cost = fluid.layers.log_loss(input=predict, label=fluid.layers.cast(label, "float32"))
    predict_2d = fluid.layers.concat([1 - predict, predict], 1)
    auc_var, batch_auc_var, _ = fluid.layers.auc(
        input=predict_2d, label=fluid.layers.cast(label, "int64"), slide_steps=0
    )
    return fluid.layers.reduce_sum(cost), auc_var, batch_auc_var


def dcn(dense, slots, label):
    x0 = fluid.layers.concat([fluid.layers.embedding(s, [DICT, 4], is_sparse=False) for s in slots] + [dense], axis=1)
    x = x0
    d = x0.shape[1]
    for i in range(2):
        w = fluid.layers.create_parameter(shape=[d], dtype="float32")
        b = fluid.layers.create_parameter(
            shape=[d], dtype="float32", default_initializer=fluid.initializer.Constant(0.1)
        )
        xw = fluid.layers.reduce_sum(fluid.layers.elementwise_mul(x, w, axis=1), dim=1, keep_dim=True)
        x = fluid.layers.elementwise_add(fluid.layers.elementwise_mul(x0, xw, axis=0), b) + x
    p = fluid.layers.fc(x, 2)
    loss = fluid.layers.softmax_with_cross_entropy(p, label)
    auc, b, _ = fluid.layers.auc(fluid.layers.softmax(p), label)
    return fluid.layers.mean(loss), auc, b


OPT = {
    "ctr_dnn": lambda: fluid.optimizer.Adam(1e-3, lazy_mode=True),
    "wide_deep": lambda: fluid.optimizer.Adagrad(0.1),
    "deepfm": lambda: fluid.optimizer.SGD(fluid.layers.exponential_decay(0.05, 10, 0.9)),
    "dcn": lambda: fluid.optimizer.Adadelta(1.0, 1e-6, 0.95),
}
for net in [ctr_dnn, wide_deep, deepfm, dcn]:
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 17
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        dense = fluid.layers.data("dense_input", [DENSE])
        slots = [fluid.layers.data("C%d" % i, [1], dtype="int64") for i in range(1, SLOTS + 1)]
        label = fluid.layers.data("label", [1], dtype="int64")
        cost, auc, bauc = net(dense, slots, label)
        OPT[net.__name__]().minimize(cost)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        for i in range(8):
            c, a, b = exe.run(main, feed=data(), fetch_list=[cost, auc, bauc])
            print(net.__name__, i, c, a, b)
        for v in main.list_vars():
            if fluid.io.is_persistable(v) and v.type == fluid.core.VarDesc.VarType.LOD_TENSOR:
                t = np.array(fluid.global_scope().find_var(v.name).get_tensor())
                print(v.name, t.shape, t.dtype, "%.4f" % np.abs(t.astype("float64")).sum())
