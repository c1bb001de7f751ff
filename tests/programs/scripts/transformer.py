"""The encoder of a Transformer from matmul, softmax and layer_norm, with warm-up and smoothed labels."""

import numpy as np
import paddle.fluid as fluid
import paddle.fluid.layers as layers


def multi_head_attention(queries, keys, values, attn_bias, d_key, d_value, d_model, n_head=1, dropout_rate=0.0):
    keys = queries if keys is None else keys
    values = keys if values is None else values
    q = layers.fc(input=queries, size=d_key * n_head, bias_attr=False, num_flatten_dims=2)
    k = layers.fc(input=keys, size=d_key * n_head, bias_attr=False, num_flatten_dims=2)
    v = layers.fc(input=values, size=d_value * n_head, bias_attr=False, num_flatten_dims=2)

    def split(x):
        hidden = x.shape[-1]
        r = layers.reshape(x=x, shape=[0, 0, n_head, hidden // n_head], inplace=True)
        return layers.transpose(x=r, perm=[0, 2, 1, 3])

    q, k, v = split(q), split(k), split(v)
    product = layers.matmul(x=q, y=k, transpose_y=True, alpha=d_key**-0.5)
    if attn_bias:
        product += attn_bias
    weights = layers.softmax(product)
    if dropout_rate:
        weights = layers.dropout(weights, dropout_prob=dropout_rate, is_test=False)
    out = layers.transpose(layers.matmul(weights, v), perm=[0, 2, 1, 3])
    out = layers.reshape(out, shape=[0, 0, out.shape[2] * out.shape[3]], inplace=True)
    return layers.fc(out, size=d_model, bias_attr=False, num_flatten_dims=2)


def pre_post(prev, out, cmd, drop=0.0):
    for c in cmd:
        if c == "a":
            out = out + prev if prev else out
        elif c == "n":
            out = layers.layer_norm(
                out,
                begin_norm_axis=len(out.shape) - 1,
                param_attr=fluid.initializer.Constant(1.0),
                bias_attr=fluid.initializer.Constant(0.0),
            )
        elif c == "d" and drop:
            out = layers.dropout(out, dropout_prob=drop)
    return out


def ffn(x, d_inner, d_model):
    h = layers.fc(x, d_inner, num_flatten_dims=2, act="gelu")
    return layers.fc(h, d_model, num_flatten_dims=2)


def position_encoding_init(n_position, d):
    pe = np.array([[p / np.power(10000, 2 * (j // 2) / d) for j in range(d)] for p in range(n_position)])
    pe[:, 0::2] = np.sin(pe[:, 0::2])
    pe[:, 1::2] = np.cos(pe[:, 1::2])
    return pe.astype("float32")


main = fluid.default_main_program()
main.random_seed = 8
fluid.default_startup_program().random_seed = 8
V, D, L, H = 60, 32, 10, 4
src = fluid.data("src", [None, L], "int64")
pos = fluid.data("pos", [None, L], "int64")
bias = fluid.data("bias", [None, H, L, L])
trg = fluid.data("trg", [None, L, 1], "int64")
wgt = fluid.data("w", [None, L, 1])
emb = fluid.embedding(
    src,
    [V, D],
    param_attr=fluid.ParamAttr(name="word_emb", initializer=fluid.initializer.Normal(0.0, D**-0.5)),
    padding_idx=0,
)
emb = layers.scale(emb, scale=D**0.5)
pe = fluid.embedding(
    pos,
    [L, D],
    param_attr=fluid.ParamAttr(
        name="pos_emb",
        trainable=False,
        initializer=fluid.initializer.NumpyArrayInitializer(position_encoding_init(L, D)),
    ),
)
pe.stop_gradient = True
x = layers.dropout(emb + pe, 0.1)
ckpts = []
for i in range(2):
    att = multi_head_attention(pre_post(None, x, "n"), None, None, bias, D // H, D // H, D, H, 0.1)
    x = pre_post(x, att, "da", 0.1)
    x = pre_post(x, ffn(pre_post(None, x, "n"), 64, D), "da", 0.1)
    ckpts.append(x)
x = pre_post(None, x, "n")
logit = layers.matmul(layers.reshape(x, [-1, D]), main.global_block().var("word_emb"), transpose_y=True)
label = layers.label_smooth(layers.one_hot(layers.reshape(trg, [-1, 1]), V), epsilon=0.1)
cost = layers.softmax_with_cross_entropy(logit, label, soft_label=True)
wc = layers.elementwise_mul(cost, layers.reshape(wgt, [-1, 1]))
sum_cost = layers.reduce_sum(wc)
tok = layers.reduce_sum(wgt)
tok.stop_gradient = True
avg = sum_cost / tok
lr = layers.learning_rate_scheduler.noam_decay(D, 4)
opt = fluid.optimizer.Adam(lr, beta1=0.9, beta2=0.98, epsilon=1e-9)
test = main.clone(for_test=True)
opt.minimize(avg)
exe = fluid.Executor(fluid.CPUPlace())
exe.run(fluid.default_startup_program())
g = np.random.RandomState(2)
for i in range(8):
    s = g.randint(0, V, (6, L)).astype("int64")
    b = np.zeros((6, H, L, L), "float32")
    b[:, :, :, -2:] = -1e9
    f = {
        "src": s,
        "pos": np.tile(np.arange(L), (6, 1)).astype("int64"),
        "bias": b,
        "trg": s[:, ::-1, None].copy(),
        "w": (s[:, :, None] > 0).astype("float32"),
    }
    print(i, [np.array(v).ravel() for v in exe.run(main, feed=f, fetch_list=[avg, tok, lr])])
print(exe.run(test, feed=f, fetch_list=[avg, x.name])[0])
