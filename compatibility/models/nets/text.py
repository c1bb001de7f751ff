"""Networks for sequences: words, tags, translation, text in images."""

import numpy as np

from . import LENGTHS, Net, classes, cross_entropy, net, rng, words


@net("adagrad")
def text_cnn(fluid):
    """Convolutions over the words of a sentence, with a sparse table."""
    layers = fluid.layers
    w = fluid.data("w", [None, 1], "int64", lod_level=1)
    y = fluid.data("y", [None, 1], "int64")
    e = layers.embedding(w, [11, 6], is_sparse=True, padding_idx=0)
    a = fluid.nets.sequence_conv_pool(e, 5, 3, act="tanh", pool_type="sqrt")
    b = fluid.nets.sequence_conv_pool(e, 5, 4, act="tanh", pool_type="max")
    p = layers.fc([a, b], 4, act="softmax")
    return Net(feeds={"w": words(LENGTHS)}, labels={"y": classes(3)}, results=[p], loss=cross_entropy(fluid, p, y))


@net("adam")
def stacked_lstm(fluid):
    """Three layers of LSTM in both directions."""
    layers = fluid.layers
    w = layers.data("w", [1], dtype="int64", lod_level=1)
    y = layers.data("y", [1], dtype="int64")
    e = layers.embedding(w, [11, 6])
    f = layers.fc(e, 16)
    h, _ = layers.dynamic_lstm(f, 16)
    ins = [f, h]
    for i in range(2):
        f = layers.fc(ins, 16)
        h, _ = layers.dynamic_lstm(f, 16, is_reverse=i % 2 == 0, candidate_activation="relu")
        ins = [f, h]
    a = layers.sequence_pool(ins[0], "max")
    b = layers.sequence_pool(ins[1], "max")
    p = layers.fc([a, b], 4, act="softmax")
    return Net(feeds={"w": words(LENGTHS)}, labels={"y": classes(3)}, results=[p], loss=cross_entropy(fluid, p, y))


@net("sgd")
def tagger(fluid):
    """Words tagged by a CRF over two GRUs."""
    layers = fluid.layers
    w = fluid.data("w", [None, 1], "int64", lod_level=1)
    t = fluid.data("t", [None, 1], "int64", lod_level=1)
    e = layers.embedding(w, [11, 6])
    f, g = (layers.dynamic_gru(layers.fc(e, 12), 4), layers.dynamic_gru(layers.fc(e, 12), 4, is_reverse=True))
    em = layers.fc(layers.concat([f, g], 1), 5)
    cost = layers.linear_chain_crf(em, t, fluid.ParamAttr("crfw", learning_rate=0.5))
    path = layers.crf_decoding(em, fluid.ParamAttr("crfw"))
    return Net(feeds={"w": words(LENGTHS)}, labels={"t": words(LENGTHS, 5, 3)}, results=[path], loss=layers.mean(cost))


@net("sgd")
def padded_tagger(fluid):
    """Words tagged by a CRF, with padding."""
    layers = fluid.layers
    w = fluid.data("w", [None, 4], "int64")
    t = fluid.data("t", [None, 4], "int64")
    n = fluid.data("n", [None, 1], "int64")
    e = fluid.embedding(w, [11, 6])
    em = layers.fc(e, 5, num_flatten_dims=2)
    cost = layers.linear_chain_crf(em, t, fluid.ParamAttr("crfw"), length=n)
    path = layers.crf_decoding(em, fluid.ParamAttr("crfw"), length=n)
    return Net(
        feeds={"w": rng(1).randint(0, 11, (3, 4)).astype("int64"), "n": np.array([[3], [1], [4]], "int64")},
        labels={"t": rng(2).randint(0, 5, (3, 4)).astype("int64")},
        results=[path],
        loss=layers.mean(cost),
    )


@net("adam", apart="1.8.5's `lstmp` takes cell_activation for its projection")
def projected_lstm(fluid):
    """An LSTM with a projection, and a convolution that looks ahead."""
    layers = fluid.layers
    w = fluid.data("w", [None, 1], "int64", lod_level=1)
    y = fluid.data("y", [None, 1], "int64")
    e = layers.embedding(w, [11, 6])
    f = layers.fc(e, 16, bias_attr=False)
    p, _ = layers.dynamic_lstmp(f, 16, 3, proj_activation="relu", cell_clip=1.0)
    r = layers.row_conv(p, 2)
    q = layers.sequence_pool(r, "average")
    o = layers.fc(q, 4, act="softmax")
    return Net(feeds={"w": words(LENGTHS)}, labels={"y": classes(3)}, results=[o], loss=cross_entropy(fluid, o, y))


@net("adam")
def text_recognition(fluid):
    """Text in images: a GRU over columns, CTC."""
    layers = fluid.layers
    x = fluid.data("x", [None, 1, 8, 20])
    t = fluid.data("t", [None, 1], "int32", lod_level=1)
    h = layers.conv2d(x, 4, 3, padding=1, act="relu")
    h = layers.pool2d(h, 2, "max", 2)
    s = layers.im2sequence(h, [4, 1], [1, 1])
    g = layers.dynamic_gru(layers.fc(s, 12), 4, candidate_activation="relu", origin_mode=True)
    o = layers.fc(g, 6)
    cost = layers.warpctc(o, t, blank=5, norm_by_times=True)
    dec = layers.ctc_greedy_decoder(layers.softmax(o), 5)
    return Net(
        feeds={"x": rng(2).rand(2, 1, 8, 20).astype("float32")},
        labels={"t": (np.array([[1], [2], [0]], "int32"), [[1, 2]])},
        results=[dec, o],
        loss=layers.mean(cost),
    )


@net()
def padded_ctc(fluid):
    """CTC's decoder, with padding."""
    layers = fluid.layers
    x = fluid.data("x", [None, 7, 5])
    n = fluid.data("n", [None, 1], "int64")
    d, k = layers.ctc_greedy_decoder(layers.softmax(x), 0, input_length=n)
    return Net(
        feeds={"x": rng(2).randn(3, 7, 5).astype("float32"), "n": np.array([[7], [4], [6]], "int64")}, results=[d, k]
    )


def encoder(fluid, w, v=11):
    layers = fluid.layers
    e = layers.embedding(w, [v, 6], param_attr=fluid.ParamAttr("vemb"))
    h, _ = layers.dynamic_lstm(layers.fc(e, 16, act="tanh"), 16)
    return layers.sequence_last_step(h)


@net("adagrad")
def translation(fluid):
    """Translation of sequences, trained: a DynamicRNN."""
    layers = fluid.layers
    w = fluid.data("w", [None, 1], "int64", lod_level=1)
    t = fluid.data("t", [None, 1], "int64", lod_level=1)
    y = fluid.data("y", [None, 1], "int64", lod_level=1)
    ctx = encoder(fluid, w)
    te = layers.embedding(t, [11, 6], param_attr=fluid.ParamAttr("vemb"))
    rnn = layers.DynamicRNN()
    with rnn.block():
        c = rnn.step_input(te)
        s = rnn.static_input(ctx)
        p = rnn.memory(init=ctx, need_reorder=True)
        q = layers.fc([c, p, s], 4, act="tanh")
        z = layers.fc([q], 11, act="softmax")
        rnn.update_memory(p, layers.fc(q, 4))
        rnn.output(z)
    o = rnn()
    return Net(
        feeds={"w": words(LENGTHS), "t": words((2, 3, 2), 11, 5)},
        labels={"y": words((2, 3, 2), 11, 6)},
        results=[o],
        loss=layers.mean(layers.cross_entropy(o, y)),
    )


@net()
def beam_search(fluid):
    """Translation of sequences by beam search in a While, whose rounds a Switch ends."""
    layers = fluid.layers
    w = fluid.data("w", [None, 1], "int64", lod_level=1)
    init_ids = fluid.data("init_ids", [None, 1], "int64", lod_level=2)
    init_scores = fluid.data("init_scores", [None, 1], lod_level=2)
    ctx = encoder(fluid, w)
    V = 11
    array_len = layers.fill_constant([1], "int64", 5)
    counter = layers.zeros([1], "int64", force_cpu=True)
    st = layers.create_array("float32")
    layers.array_write(ctx, array=st, i=counter)
    ia = layers.create_array("int64")
    sa = layers.create_array("float32")
    layers.array_write(init_ids, array=ia, i=counter)
    layers.array_write(init_scores, array=sa, i=counter)
    cond = layers.less_than(x=counter, y=array_len)
    wh = layers.While(cond=cond)
    with wh.block():
        pre_ids = layers.array_read(ia, counter)
        pre_state = layers.array_read(st, counter)
        pre_score = layers.array_read(sa, counter)
        pe = layers.sequence_expand(pre_state, pre_score)
        em = layers.embedding(pre_ids, [V, 6], dtype="float32")
        cur = layers.fc([pe, em], 4, act="tanh")
        lod = layers.lod_reset(x=cur, y=pre_score)
        sc = layers.fc(lod, V, act="softmax")
        ts, ti = layers.topk(sc, k=4)
        acc = layers.elementwise_add(x=layers.log(ts), y=layers.reshape(pre_score, shape=[-1]), axis=0)
        si, ss = layers.beam_search(pre_ids, pre_score, ti, acc, 2, end_id=10, level=0)
        with layers.Switch() as sw:
            with sw.case(layers.is_empty(si)):
                layers.fill_constant([1], "bool", 0, out=cond)
            with sw.default():
                layers.increment(x=counter, value=1, in_place=True)
                layers.array_write(cur, array=st, i=counter)
                layers.array_write(si, array=ia, i=counter)
                layers.array_write(ss, array=sa, i=counter)
                lc = layers.less_than(x=counter, y=array_len)
                fc = layers.logical_not(layers.is_empty(x=si))
                layers.logical_and(x=lc, y=fc, out=cond)
    ri, rs = layers.beam_search_decode(ids=ia, scores=sa, beam_size=2, end_id=10)
    return Net(
        feeds={
            "w": words((3, 2)),
            "init_ids": (np.array([[0], [0]], "int64"), [[1, 1], [1, 1]]),
            "init_scores": (np.array([[1.0], [1.0]], "float32"), [[1, 1], [1, 1]]),
        },
        results=[ri, rs],
    )


def attention(fluid, q, k, v, bias, d, n, name, cache=None):
    layers = fluid.layers

    def weight(s):
        return fluid.ParamAttr(name + s)

    q = layers.fc(q, d, num_flatten_dims=2, bias_attr=False, param_attr=weight("q"))
    k = layers.fc(k, d, num_flatten_dims=2, bias_attr=False, param_attr=weight("k"))
    v = layers.fc(v, d, num_flatten_dims=2, bias_attr=False, param_attr=weight("v"))
    if cache is not None:
        k = cache["k"] = layers.concat([cache["k"], k], 1)
        v = cache["v"] = layers.concat([cache["v"], v], 1)

    def sp(x):
        return layers.transpose(layers.reshape(x, [0, 0, n, d // n]), [0, 2, 1, 3])

    s = layers.matmul(sp(q), sp(k), transpose_y=True, alpha=(d // n) ** (-0.5))
    if bias is not None:
        s = s + bias
    a = layers.softmax(s)
    a = layers.dropout(a, 0.1, dropout_implementation="upscale_in_train")
    o = layers.transpose(layers.matmul(a, sp(v)), [0, 2, 1, 3])
    return layers.fc(layers.reshape(o, [0, 0, d]), d, num_flatten_dims=2, param_attr=weight("o"))


def block(fluid, x, bias, name, d=8, n=2):
    layers = fluid.layers
    h = layers.layer_norm(x, begin_norm_axis=2)
    x = x + attention(fluid, h, h, h, bias, d, n, name)
    h = layers.layer_norm(x, begin_norm_axis=2)
    f = layers.fc(h, 16, num_flatten_dims=2, act="gelu")
    return x + layers.fc(f, d, num_flatten_dims=2)


@net("lamb")
def bert(fluid):
    """BERT's language model, with a mask and a table that serves twice."""
    layers = fluid.layers
    w = fluid.data("w", [None, 5, 1], "int64")
    pos = fluid.data("pos", [None, 5, 1], "int64")
    m = fluid.data("m", [None, 5, 1])
    mp = fluid.data("mp", [None, 1], "int64")
    y = fluid.data("y", [None, 1], "int64")
    e = layers.embedding(
        w, [11, 8], param_attr=fluid.ParamAttr("word_emb", initializer=fluid.initializer.TruncatedNormal(scale=0.5))
    ) + layers.embedding(pos, [6, 8], param_attr="pos_emb")
    sm = layers.matmul(m, m, transpose_y=True)
    sm = layers.scale(sm, scale=10000.0, bias=-1.0, bias_after_scale=False)
    bias = layers.stack([sm] * 2, axis=1)
    bias.stop_gradient = True
    for i in range(2):
        e = block(fluid, e, bias, "l" + str(i))
    e = layers.layer_norm(e, begin_norm_axis=2)
    first = layers.slice(e, axes=[1], starts=[0], ends=[1])
    pooled = layers.fc(first, 8, act="tanh")
    g = layers.gather(layers.reshape(e, [-1, 8]), mp)
    lg = layers.matmul(g, fluid.default_main_program().global_block().var("word_emb"), transpose_y=True)
    lg = lg + layers.create_parameter([11], "float32", name="mb", is_bias=True)
    loss = layers.mean(layers.softmax_with_cross_entropy(lg, y))
    f = {
        "w": rng(1).randint(0, 11, (2, 5, 1)).astype("int64"),
        "pos": np.tile(np.arange(5).reshape(1, 5, 1), (2, 1, 1)).astype("int64"),
        "m": np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]], "float32").reshape(2, 5, 1),
        "mp": np.array([[1], [6], [7]], "int64"),
    }
    return Net(feeds=f, labels={"y": classes(3, 11)}, results=[pooled, lg], loss=loss)


@net()
def transformer_beam_search(fluid):
    """A transformer decoder in a While, with caches that beam search selects."""
    layers = fluid.layers
    src = fluid.data("src", [None, 4, 8])
    start = fluid.data("start", [None, 1], "int64", lod_level=2)
    isc = fluid.data("isc", [None, 1], lod_level=2)
    encoded = layers.reshape(block(fluid, src, None, "enc"), [-1, 32])
    i, count = layers.zeros([1], "int64", force_cpu=True), layers.fill_constant([1], "int64", 4, force_cpu=True)
    running = layers.less_than(i, count)
    loop = layers.While(running)
    ids, scores = layers.array_write(layers.reshape(start, (-1, 1)), i), layers.array_write(isc, i)
    caches = {k: layers.fill_constant_batch_size_like(start, [-1, 0, 8], "float32", 0) for k in "kv"}
    with loop.block():
        before, total = layers.array_read(ids, i), layers.array_read(scores, i)
        kept = {k: layers.sequence_expand(caches[k], total) for k in "kv"}
        kept_encoded = layers.sequence_expand(encoded, total)
        e = layers.reshape(layers.embedding(before, [11, 8], param_attr="words"), [-1, 1, 8])
        h = e + attention(fluid, e, e, e, None, 8, 2, "self", kept)
        source = layers.reshape(kept_encoded, [-1, 4, 8])
        h = h + attention(fluid, h, source, source, None, 8, 2, "cross")
        best, words_of_best = layers.topk(layers.softmax(layers.fc(layers.reshape(h, [-1, 8]), 11)), 2)
        sums = layers.elementwise_add(layers.log(best), layers.reshape(total, [-1]), axis=0)
        chosen, new_total = layers.beam_search(before, total, words_of_best, layers.lod_reset(sums, total), 2, 1)
        layers.increment(i, 1.0, in_place=True)
        layers.array_write(chosen, i, ids)
        layers.array_write(new_total, i, scores)
        for k in "kv":
            layers.assign(kept[k], caches[k])
        layers.assign(kept_encoded, encoded)
        layers.logical_and(layers.less_than(i, count), layers.logical_not(layers.is_empty(chosen)), out=running)
    ri, rs = layers.beam_search_decode(ids, scores, 2, 1)
    return Net(
        feeds={
            "src": rng(2).rand(2, 4, 8).astype("float32"),
            "start": (np.zeros((2, 1), "int64"), [[1, 1], [1, 1]]),
            "isc": (np.zeros((2, 1), "float32"), [[1, 1], [1, 1]]),
        },
        results=[ri, rs],
    )


@net()
def beam_decoder(fluid):
    """Cells of GRU and LSTM, and a BeamSearchDecoder."""
    layers = fluid.layers
    w = fluid.data("w", [None, 4], "int64")
    n = fluid.data("n", [None], "int64")
    e = fluid.embedding(w, [11, 6], param_attr="emb")
    enc = layers.GRUCell(6, name="g")
    o, s = layers.rnn(enc, e, sequence_length=n)
    o2, s2 = layers.rnn(layers.LSTMCell(6, name="ls"), e, is_reverse=True)

    def emb(x):
        return fluid.embedding(x, [11, 6], param_attr="emb")

    def outf(x):
        return layers.fc(x, 11, param_attr="ow", num_flatten_dims=len(x.shape) - 1, bias_attr=False)

    dec = layers.BeamSearchDecoder(layers.GRUCell(6, name="d"), 0, 1, 2, embedding_fn=emb, output_fn=outf)
    r, _ = layers.dynamic_decode(dec, inits=s, max_step_num=4)
    return Net(
        feeds={"w": rng(1).randint(0, 11, (3, 4)).astype("int64"), "n": np.array([3, 1, 4], "int64")},
        results=[r, o, o2, s2[0]],
    )


@net()
def greedy_decoder(fluid):
    """A BasicDecoder that takes the most likely word."""
    layers = fluid.layers
    x = fluid.data("x", [None, 6])

    def emb(v):
        return fluid.embedding(v, [11, 6], param_attr="emb")

    def outf(v):
        return layers.fc(v, 11, param_attr="ow")

    h = layers.GreedyEmbeddingHelper(
        emb, start_tokens=layers.fill_constant_batch_size_like(x, [-1], "int64", 0), end_token=1
    )
    d = layers.BasicDecoder(layers.GRUCell(6, name="d"), h, output_fn=outf)
    o, _, n = layers.dynamic_decode(d, inits=x, max_step_num=4, return_length=True)
    return Net(feeds={"x": rng(2).randn(3, 6).astype("float32")}, results=[o.sample_ids, o.cell_outputs, n])


@net("adam")
def attention_rnn(fluid):
    """Attention to a sequence in each step of a DynamicRNN."""
    layers = fluid.layers
    x = fluid.data("x", [None, 6], lod_level=1)
    y = fluid.data("y", [None, 1], "int64")
    drnn = layers.DynamicRNN()
    enc = layers.fc(x, 6, act="tanh")
    proj = layers.fc(enc, 5, bias_attr=False)
    boot = layers.fc(layers.sequence_pool(enc, "last"), 5)
    with drnn.block():
        c = drnn.step_input(x)
        ev = drnn.static_input(enc)
        ep = drnn.static_input(proj)
        m = drnn.memory(init=boot, need_reorder=True)
        sp = layers.sequence_expand(layers.fc(m, 5, bias_attr=False), ep)
        a = layers.fc(layers.tanh(ep + sp), 1, bias_attr=False)
        a = layers.sequence_softmax(a)
        cx = layers.sequence_pool(layers.elementwise_mul(ev, layers.reshape(a, [-1]), axis=0), "sum")
        g, _, _ = layers.gru_unit(layers.fc([c, cx], 15), m, 15)
        drnn.update_memory(m, g)
        drnn.output(g)
    p = layers.fc(layers.sequence_last_step(drnn()), 4, act="softmax")
    return Net(
        feeds={"x": (rng(1).rand(8, 6).astype("float32"), [list(LENGTHS)])},
        labels={"y": classes(3)},
        results=[p],
        loss=cross_entropy(fluid, p, y),
    )


@net("adam")
def training_decoder(fluid):
    """A BasicDecoder that is told the words."""
    layers = fluid.layers
    x = fluid.data("x", [None, 4])
    t = fluid.data("t", [None, 5], "int64")
    n = fluid.data("n", [None], "int64")
    y = fluid.data("y", [None, 5, 1], "int64")
    e = fluid.embedding(t, [7, 4])
    h = layers.TrainingHelper(e, n)
    d = layers.BasicDecoder(
        layers.GRUCell(4, name="c"), h, output_fn=lambda v: layers.fc(v, 7, param_attr="o", bias_attr="ob")
    )
    o, _, q = layers.dynamic_decode(d, inits=layers.fc(x, 4), return_length=True)
    lg = o.cell_outputs
    loss = layers.softmax_with_cross_entropy(lg, y)
    m = layers.sequence_mask(q, maxlen=5, dtype="float32")
    return Net(
        feeds={
            "x": rng(1).rand(3, 4).astype("float32"),
            "t": rng(2).randint(0, 7, (3, 5)).astype("int64"),
            "n": np.array([5, 2, 4], "int64"),
        },
        labels={"y": rng(3).randint(0, 7, (3, 5, 1)).astype("int64")},
        results=[lg, q],
        loss=layers.mean(layers.squeeze(loss, [2]) * m),
    )
