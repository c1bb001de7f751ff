"""Programs of structured prediction, with what is fed; read by Python 3.7 too (record_structured.py)."""

import numpy as np

LOD = [[0, 3, 3, 7]]
UNEQUAL = [[0, 2, 6]]


def wave(*shape, **more):
    """Numbers that are the same everywhere."""
    count = int(np.prod(shape))
    return np.sin(np.arange(count) * 0.7 + more.get("start", 0)).reshape(shape).astype("float32")


def ids(*numbers):
    return np.array(numbers, "int64")


TAGS = ids(0, 2, 1, 1, 0, 2, 0)
CHUNKS = ids(0, 1, 4, 2, 3, 2, 0)
FOUND = ids(0, 1, 4, 2, 3, 3, 0)
FEEDS = {
    "scores": (wave(7, 3), LOD),
    "tags": (TAGS[:, None], LOD),
    "block": (wave(2, 4, 3, start=2), None),
    "block_tags": (np.stack([TAGS[:4], TAGS[3:]]), None),
    "lengths": (ids(4, 2), None),
    "found": (FOUND[:, None], LOD),
    "chunks": (CHUNKS[:, None], LOD),
    "words": (ids(3, 1, 2, 4, 1, 2)[:, None], UNEQUAL),
    "meant": (ids(1, 2, 2, 4, 2, 0, 1)[:, None], [[0, 3, 7]]),
    "word_block": (ids(3, 1, 2, 4, 1, 2).reshape(2, 3), None),
    "meant_block": (ids(1, 2, 2, 4, 2, 0).reshape(2, 3), None),
    "three": (ids(3, 2), None),
    "frames": (wave(7, 4, start=1), [[0, 4, 7]]),
    "labels": (ids(1, 2, 3)[:, None].astype("int32"), [[0, 2, 3]]),
    "frame_block": (wave(5, 2, 4, start=3), None),
    "label_block": (ids(1, 1, 3, 2).reshape(2, 2).astype("int32"), None),
    "frame_lengths": (ids(5, 3), None),
    "label_lengths": (ids(2, 1), None),
    "best": (wave(2, 5, 4, start=5), None),
    "best_lengths": (ids(5, 3)[:, None], None),
    "logits": (wave(3, 12, start=4), None),
    "true": (ids(1, 9, 4)[:, None], None),
    "samples": (ids(1, 0, 3, 9, 2, 9, 4, 5, 0).reshape(3, 3), None),
    "likely": (np.abs(wave(3, 3, start=1)) + np.float32(0.1), None),
    "steps": (ids(*range(12)).reshape(3, 2, 2) % 5, None),
    "parents": (ids(0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1).reshape(3, 2, 2), None),
    "first_ids": (ids(2, 3)[:, None], [[0, 1, 2], [0, 1, 2]]),
    "first_scores": (np.zeros((2, 1), "float32"), [[0, 1, 2], [0, 1, 2]]),
    "following": (np.abs(wave(6, 6, start=2)) + np.float32(0.05), None),
    "ending": (np.abs(wave(6, 6, start=2)) + np.float32(0.05) + np.eye(6, dtype="float32")[1], None),
}


class Data:
    """The data Variables of a Program, made when they are first asked for."""

    def __init__(self, fluid):
        self.fluid, self.made = fluid, {}

    def __getitem__(self, name):
        if name not in self.made:
            array, lod = FEEDS[name]
            shape = ([None] if lod else [array.shape[0]]) + list(array.shape[1:])
            self.made[name] = self.fluid.data(name, shape, array.dtype.name, lod_level=len(lod or []))
            self.made[name].stop_gradient = array.dtype.kind != "f"
        return self.made[name]


def crf(fluid, d):
    cost = fluid.layers.linear_chain_crf(d["scores"], d["tags"], fluid.ParamAttr(name="ways"))
    path = fluid.layers.crf_decoding(d["scores"], fluid.ParamAttr(name="ways"))
    return [cost, path, fluid.layers.crf_decoding(d["scores"], fluid.ParamAttr(name="ways"), label=d["tags"])]


def crf_padded(fluid, d):
    cost = fluid.layers.linear_chain_crf(d["block"], d["block_tags"], fluid.ParamAttr(name="ways"), d["lengths"])
    return [cost, fluid.layers.crf_decoding(d["block"], fluid.ParamAttr(name="ways"), length=d["lengths"])]


def chunks(fluid, d):
    return list(fluid.layers.chunk_eval(d["found"], d["chunks"], "IOB", 2))


def edits(fluid, d):
    layers = fluid.layers
    plain = layers.edit_distance(d["words"], d["meant"])
    some = layers.edit_distance(d["words"], d["meant"], normalized=False, ignored_tokens=[2, 0])
    padded = layers.edit_distance(d["word_block"], d["meant_block"], False, None, d["three"], d["three"])
    return list(plain) + list(some) + list(padded)


def ctc(fluid, d):
    return [fluid.layers.warpctc(d["frames"], d["labels"])]


def ctc_by_times(fluid, d):
    return [fluid.layers.warpctc(d["frames"], d["labels"], norm_by_times=True)]


def ctc_padded(fluid, d):
    lengths = d["frame_lengths"], d["label_lengths"]
    return [fluid.layers.warpctc(d["frame_block"], d["label_block"], 0, True, *lengths)]


def greedy(fluid, d):
    labels = fluid.layers.ctc_greedy_decoder(d["frames"], 0)
    block, lengths = fluid.layers.ctc_greedy_decoder(d["best"], 1, d["best_lengths"], padding_value=-1)
    return [labels, block, lengths]


def sampled(fluid, d):
    return [fluid.layers.sampled_softmax_with_cross_entropy(d["logits"], d["true"], 5, seed=7)]


def sampled_given(fluid, d):
    call = fluid.layers.sampled_softmax_with_cross_entropy
    return [
        call(
            d["logits"], d["true"], 2, use_customized_samples=True, customized_samples=d["samples"],
            customized_probabilities=d["likely"],
        )
    ]  # fmt: skip


def tree(fluid, d):
    return [fluid.layers.gather_tree(d["steps"], d["parents"])]


def table(fluid, d):
    return [fluid.contrib.layers.fused_embedding_seq_pool(d["words"], [6, 3], padding_idx=-2)]


def search(fluid, d, following="following"):
    """Two sources, from each the two best sequences of at most four words; word 1 ends one."""
    layers = fluid.layers
    following = d[following]
    count, limit = layers.fill_constant([1], "int64", 0), layers.fill_constant([1], "int64", 4)
    words, totals = layers.array_write(d["first_ids"], count), layers.array_write(d["first_scores"], count)
    condition = layers.less_than(count, limit)
    loop = layers.While(condition)
    with loop.block():
        last, before = layers.array_read(words, count), layers.array_read(totals, count)
        likely = layers.gather(following, layers.reshape(last, [-1]))
        best, which = layers.topk(likely, k=3)
        scores = layers.elementwise_add(layers.log(best), layers.reshape(before, [-1]), axis=0)
        scores = layers.lod_reset(scores, y=before)
        selected, reached = layers.beam_search(last, before, which, scores, beam_size=2, end_id=1)
        layers.increment(count, 1, in_place=True)
        layers.array_write(selected, count, words)
        layers.array_write(reached, count, totals)
        more, left = layers.less_than(count, limit), layers.logical_not(layers.is_empty(selected))
        layers.logical_and(more, left, out=condition)
    return list(layers.beam_search_decode(words, totals, beam_size=2, end_id=1))


def search_to_the_end(fluid, d):
    """All sequences end before there are four words."""
    return search(fluid, d, "ending")


CASES = {
    "crf": crf, "crf_padded": crf_padded, "chunks": chunks, "edits": edits, "ctc": ctc, "ctc_by_times": ctc_by_times,
    "ctc_padded": ctc_padded, "greedy": greedy, "sampled": sampled, "sampled_given": sampled_given, "tree": tree, "search": search,
    "table": table, "search_to_the_end": search_to_the_end,
}  # fmt: skip
ONLY_IN_PROGRAMS = ("crf", "crf_padded", "search", "search_to_the_end", "table")  # parameters by their names, and loops


def numbers(fluid, name):
    """What a run gives: results, their LoDs, and gradients of the sum of the floating ones."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 5
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        data = Data(fluid)
        results = CASES[name](fluid, data)
        costs = [results[0]] if name.startswith(("crf", "ctc", "sampled", "table")) else []
        wanted = [v for v in data.made.values() if not v.stop_gradient] + main.all_parameters()
        wanted = [v for v in wanted if v.name != "likely"] if costs else []
        gradients = fluid.gradients(costs, wanted) if costs else []
    exe, fed = fluid.Executor(fluid.CPUPlace()), {}
    for key in data.made:
        fed[key] = fluid.LoDTensor()
        fed[key].set(FEEDS[key][0], fluid.CPUPlace())
        fed[key].set_lod(FEEDS[key][1] or [])
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        values = exe.run(main, feed=fed, fetch_list=results + gradients, return_numpy=False)
    found = {}
    for i, value in enumerate(values[: len(results)]):
        found[f"result {i}"] = np.array(value)
        for level, offsets in enumerate(value.lod()):
            found[f"result {i}, level {level}"] = np.array(offsets)
    for v, value in zip(wanted, values[len(results) :]):
        found["gradient of " + v.name] = np.array(value)
    return found
