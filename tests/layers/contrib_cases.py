"""Calls of fluid.contrib.layers, as Programs; run by Paddle (record_contrib.py) and by the tests. Read by Python 3.7 too."""

import numpy as np

NUMBERS = np.sin(np.arange(24) * 0.7).astype("float32")
FEEDS = {
    "x": NUMBERS[:8].reshape(2, 4),
    "y": NUMBERS[8:16].reshape(2, 4),
    "nodes": np.array([[1], [2], [3]], "int32"),
    "leaves": np.array([[1], [0], [3]], "int32"),
    "rows": NUMBERS[:6].reshape(3, 2),
    "nodes_of_trees": NUMBERS[:12].reshape(2, 3, 2),
    "edges": np.array([[[1, 2], [1, 3]], [[1, 2], [2, 3]]], "int32"),
    "boxes": np.array([[[0, 0, 1, 1], [0, 0, 1, 0.9], [0.5, 0.5, 1, 1]]] * 2, "float32"),
    "scores": np.abs(NUMBERS[:12]).reshape(2, 2, 3),
    "likely": np.abs(NUMBERS[:4]).reshape(4, 1),
    "clicks": np.array([[1], [0], [0], [1]], "float32"),
    "ranks": np.array([[1, 1, 0, 2, 1, 0, 0], [2, 1, 0, 2, 1, 0, 0], [1, 2, 2, 0, 0, 1, 1]], "int32"),
}
TREE = [[0, 0, 0, 1, 2], [0, 1, 0, 3, 0], [5, 1, 0, 0, 0], [6, 2, 1, 0, 0]]
WAYS, LAYERS = [[1, 3], [1, 4], [2, 5], [2, 6]], [[1], [2], [3], [4], [5], [6]]


def data(fluid, name):
    array = FEEDS[name]
    return fluid.data(name, [None] + list(array.shape[1:]), array.dtype.name)


def numbers(fluid, name, values):
    array = np.array(values, "int32")
    return fluid.ParamAttr(name=name, initializer=fluid.initializer.NumpyArrayInitializer(array))


def both(fluid):
    return [data(fluid, "x"), data(fluid, "y")]


def children(fluid):
    return fluid.contrib.layers.tdm_child(data(fluid, "nodes"), 4, 2, numbers(fluid, "tree", TREE))


def sampled(fluid, **more):
    ways, layers = numbers(fluid, "ways", WAYS), numbers(fluid, "layers", LAYERS)
    found = fluid.contrib.layers.tdm_sampler(data(fluid, "leaves"), [1, 2], [2, 4], 4, ways, layers, seed=3, **more)
    return [v for each in found for v in (each if isinstance(each, list) else [each])]


def ranked(fluid):
    """Paddle has no kernel for CPUs: only the Program is recorded."""
    attr = fluid.ParamAttr(name="matrices", initializer=fluid.initializer.Constant(0.5))
    return fluid.contrib.layers.rank_attention(data(fluid, "rows"), data(fluid, "ranks"), [18, 3], attr)


def fused(names, **more):
    return lambda fluid: fluid.contrib.layers.fused_elemwise_activation(*both(fluid), names, **more)


def trees(**more):
    def build(fluid):
        nodes, edges = fluid.data("nodes_of_trees", [None, 3, 2]), fluid.data("edges", [None, 2, 2], "int32")
        one = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.25))
        return fluid.contrib.layers.tree_conv(nodes, edges, 2, num_filters=2, param_attr=one, **more)

    return build


def suppressed(fluid):
    boxes, scores = fluid.data("boxes", [None, 3, 4]), fluid.data("scores", [None, 2, 3])
    return list(fluid.contrib.layers.multiclass_nms2(boxes, scores, 0.1, 3, 3, return_index=True, background_label=-1))


def click_sums(fluid):
    return list(fluid.contrib.layers.ctr_metric_bundle(data(fluid, "likely"), data(fluid, "clicks")))


CASES = {
    "partial_concat": lambda fluid: fluid.contrib.layers.partial_concat(both(fluid), start_index=1, length=2),
    "partial_sum": lambda fluid: fluid.contrib.layers.partial_sum(both(fluid), start_index=2),
    "tdm_child": children,
    "tdm_sampler": sampled,
    "tdm_sampler, one result": lambda fluid: sampled(fluid, output_list=False, output_positive=False),
    "rank_attention": ranked,
    "tree_conv": trees(),
    "tree_conv without a bias": trees(bias_attr=False, act=None, name="mine"),
    "multiclass_nms2": suppressed,
    "ctr_metric_bundle": click_sums,
    "fused_elemwise_activation": fused(["relu", "elementwise_add"]),
    "fused_elemwise_activation by a text": fused("elementwise_mul,scale", scale=0.5),
}
NO_KERNEL = {"rank_attention"}
OTHERWISE = {"ctr_metric_bundle"}
"""Functions whose Programs name or order their Variables in another way than Paddle's."""


def results(fluid, name):
    """What the second run gives, by place."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        made = CASES[name](fluid)
    made = list(made) if isinstance(made, (list, tuple)) else [made]
    exe = fluid.Executor(fluid.CPUPlace())
    fed = {v.name: FEEDS[v.name] for v in main.list_vars() if v.name in FEEDS}
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        values = [exe.run(main, feed=fed, fetch_list=made, return_numpy=False) for _ in range(2)][-1]
    return {str(i): np.array(value) for i, value in enumerate(values)}
