"""Calls of functions on sequences, as Programs; read by Python 3.7 too (record_sequence_programs.py)."""

import numpy as np

LODS = {1: [[0, 2, 2, 5]], 2: [[0, 1, 3], [0, 2, 2, 5]]}
UP = [[0, 2, 3, 6]]  # of what is called "full": no sequence is empty


def rows(fluid, name="x", width=4, lod_level=1, dtype="float32"):
    return fluid.data(name, [None, width], dtype, lod_level=lod_level)


def full(fluid, name="full", width=4, dtype="float32"):
    return rows(fluid, name, width, dtype=dtype)


def feed(variable):
    """Rows of numbers for a data Variable, with its LoD; of one that has none as many rows as sequences."""
    lod = UP if variable.name.startswith("full") else LODS.get(variable.lod_level, [])
    count = lod[-1][-1] if lod else 3
    shape = [count] + list(variable.shape[1:])
    numbers = np.sin(np.arange(int(np.prod(shape))) * 0.7 + len(variable.name)).reshape(shape)
    if int(variable.dtype) == 3:
        return (np.arange(int(np.prod(shape))) % 3).astype("int64").reshape(shape), lod
    return numbers.astype("float32"), lod


def pool(kind, **more):
    return lambda fluid: fluid.layers.sequence_pool(rows(fluid), kind, **more)


def nested_pool(fluid):
    return fluid.layers.sequence_pool(fluid.layers.sequence_pool(rows(fluid, lod_level=2), "sum"), "max")


def pad_and_unpad(fluid):
    value = fluid.layers.fill_constant([1], "float32", 0.5)
    out, length = fluid.layers.sequence_pad(rows(fluid), value, maxlen=4)
    return [out, length, fluid.layers.sequence_unpad(out, length)]


def scatter(fluid):
    ids, more = rows(fluid, "ids", 1, dtype="int64"), rows(fluid, "more", 1)
    return fluid.layers.sequence_scatter(fluid.data("x", [None, 4]), ids, more)


def cut(fluid):
    at, count = (fluid.layers.fill_constant([3, 1], "int64", n) for n in (0, 1))
    return fluid.layers.sequence_slice(full(fluid), at, count)


def match(fluid):
    table, _ = fluid.contrib.layers.match_matrix_tensor(
        full(fluid), full(fluid, "full_too"), 2, act="relu", name="match"
    )
    return table


def images(fluid):
    table, _ = fluid.contrib.layers.match_matrix_tensor(full(fluid), full(fluid, "full_too"), 2)
    out = fluid.contrib.layers.var_conv_2d(table, full(fluid, "full_1"), full(fluid, "full_2"), 2, 3, [3, 2])
    return [
        out,
        fluid.contrib.layers.sequence_topk_avg_pooling(out, full(fluid, "full_3"), full(fluid, "full_4"), [1, 2], 3),
    ]


def first(fluid, name, width):
    """A state before the first step: a row for each sequence."""
    return fluid.data(name, [None, width])


def lstm(**more):
    return lambda fluid: fluid.layers.dynamic_lstm(rows(fluid, width=12), 12, **more)


def lstm_from_states(fluid):
    return fluid.layers.dynamic_lstm(full(fluid, width=20), 20, first(fluid, "h", 5), first(fluid, "c", 5), name="mine")


def lstmp(**more):
    return lambda fluid: fluid.layers.dynamic_lstmp(rows(fluid, width=12), 12, 2, **more)


def lstmp_from_states(fluid):
    states = {"h_0": first(fluid, "h", 2), "c_0": first(fluid, "c", 5)}
    return fluid.layers.dynamic_lstmp(full(fluid, width=20), 20, 2, **states)


def gru_from_state(fluid):
    return fluid.layers.dynamic_gru(full(fluid, width=15), 5, h_0=first(fluid, "h", 5), origin_mode=True)


def gru(**more):
    return lambda fluid: fluid.layers.dynamic_gru(rows(fluid, width=12), 4, **more)


CASES = {
    "pool_sum": pool("sum"), "pool_average": pool("average"), "pool_sqrt": pool("sqrt"), "pool_max": pool("max"),
    "pool_first": pool("first"), "pool_last": pool("LAST"), "pool_padded": pool("sum", pad_value=2.5), "pool_test": pool("max", is_test=True),
    "nested_pool": nested_pool,
    "first_step": lambda fluid: fluid.layers.sequence_first_step(rows(fluid)),
    "last_step": lambda fluid: fluid.layers.sequence_last_step(rows(fluid)),
    "softmax": lambda fluid: fluid.layers.sequence_softmax(rows(fluid, width=1)),
    "softmax_nested": lambda fluid: fluid.layers.sequence_softmax(rows(fluid, width=1, lod_level=2)),
    "conv": lambda fluid: fluid.layers.sequence_conv(rows(fluid), 3),
    "conv_even": lambda fluid: fluid.layers.sequence_conv(rows(fluid), 3, 4, bias_attr=False, act="tanh", name="conv"),
    "conv_start": lambda fluid: fluid.layers.sequence_conv(full(fluid), 3, padding_start=0, act="relu"),
    "conv_pool": lambda fluid: fluid.nets.sequence_conv_pool(full(fluid), 3, 2),
    "expand": lambda fluid: fluid.layers.sequence_expand(fluid.data("x", [None, 4]), rows(fluid, "y")),
    "expand_sequences": lambda fluid: fluid.layers.sequence_expand(full(fluid), rows(fluid, "y")),
    "expand_level": lambda fluid: fluid.layers.sequence_expand(
        fluid.layers.sequence_pool(rows(fluid, lod_level=2), "sum"), rows(fluid, "y", lod_level=2), ref_level=0),
    "expand_as": lambda fluid: fluid.layers.sequence_expand_as(fluid.data("x", [None, 4]), rows(fluid, "y")),
    "concat": lambda fluid: fluid.layers.sequence_concat([rows(fluid), full(fluid)]),
    "concat_twice": lambda fluid: fluid.layers.sequence_concat([rows(fluid)] * 2),
    "slice": cut, "pad_and_unpad": pad_and_unpad, "scatter": scatter,
    "reshape": lambda fluid: fluid.layers.sequence_reshape(rows(fluid), 2),
    "reverse": lambda fluid: fluid.layers.sequence_reverse(rows(fluid)),
    "enumerate": lambda fluid: fluid.layers.sequence_enumerate(rows(fluid, "ids", 1, dtype="int64"), 3, 7),
    "mask": lambda fluid: fluid.layers.sequence_mask(fluid.data("ids", [None], "int64"), 5, "float32"),
    "mask_as_long_as_needed": lambda fluid: fluid.layers.sequence_mask(fluid.data("ids", [None], "int64")),
    "lod_reset": lambda fluid: fluid.layers.lod_reset(rows(fluid), target_lod=[0, 1, 5]),
    "lod_reset_by": lambda fluid: fluid.layers.lod_reset(rows(fluid), rows(fluid, "y", lod_level=2)),
    "lod_append": lambda fluid: fluid.layers.lod_append(rows(fluid), [0, 1, 2, 3, 4, 5]),
    "match": match, "images": images,
    "lstm": lstm(), "lstm_reverse": lstm(is_reverse=True, use_peepholes=False), "lstm_from_states": lstm_from_states,
    "lstm_relu": lstm(gate_activation="tanh", cell_activation="relu", candidate_activation="identity"),
    "lstmp": lstmp(cell_clip=0.2, proj_clip=0.1), "lstmp_from_states": lstmp_from_states,
    "lstmp_reverse": lstmp(is_reverse=True, use_peepholes=False, proj_activation="identity"),
    "gru": gru(), "gru_reverse": gru(is_reverse=True, bias_attr=False, candidate_activation="relu"),
    "gru_from_state": gru_from_state,
}  # fmt: skip


def build(fluid, case):
    """(main Program, startup Program, results, gradients of their sum by parameters and data) of a case."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 5
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        results = CASES[case](fluid)
        results = list(results) if isinstance(results, (list, tuple)) else [results]
        data = [v for v in main.list_vars() if getattr(v, "is_data", False)]
        floats = [v for v in data if int(v.dtype) == 5]
        for v in floats:
            v.stop_gradient = False
        sums = [fluid.layers.reduce_sum(fluid.layers.square(v)) for v in results if int(v.dtype) == 5]
        sums = [v for v in sums if not v.stop_gradient and case != "pool_test"]
        wanted = floats + main.all_parameters()
        found = fluid.gradients(sums, wanted) if sums and wanted else []
        gradients = [("gradient of " + v.name, g) for v, g in zip(wanted, found) if g is not None]
    return main, startup, data, results, gradients


def numbers(fluid, case):
    """What a run gives: results, their LoDs, gradients."""
    main, startup, data, results, gradients = build(fluid, case)
    exe, fed = fluid.Executor(fluid.CPUPlace()), {}
    for v in data:
        array, lod = feed(v)
        fed[v.name] = fluid.LoDTensor()
        fed[v.name].set(array, fluid.CPUPlace())
        fed[v.name].set_lod(lod)
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        fetches = results + [g for _, g in gradients]
        values = exe.run(main, feed=fed, fetch_list=fetches, return_numpy=False)
    found = {}
    for i, value in enumerate(values[: len(results)]):
        found[f"result {i}"] = np.array(value)
        for level, offsets in enumerate(value.lod()):
            found[f"result {i}, level {level}"] = np.array(offsets)
    for (name, _), value in zip(gradients, values[len(results) :]):
        found[name] = np.array(value)
    return found
