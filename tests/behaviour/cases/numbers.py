"""Attributes of append_op and arguments of functions that are numbers of another type: what is converted, and what is refused.

A row is [whether it ran, then its result].
"""

import numpy as np

VALUES = [
    True, False, 0, 1, 1.0, 1.5, "1", np.int64(1), np.int32(1), np.float32(1), np.float64(1), np.bool_(True),
    [1], [1.0], [True], np.array([1]), np.array([1.0]), [np.int64(1)], [np.float32(1)],
]  # fmt: skip
ATTRIBUTES = {  # name of an attribute: operator, input, outputs, other attributes
    "scale": ("scale", True, {"Out": "float32"}, {"bias": 1.0, "bias_after_scale": True}),
    "bias_after_scale": ("scale", True, {"Out": "float32"}, {"scale": 2.0, "bias": 1.0}),
    "axis": ("concat", True, {"Out": "float32"}, {}),
    "axis of arg_max": ("arg_max", True, {"Out": "int64"}, {"dtype": 3}),
    "dim": ("reduce_sum", True, {"Out": "float32"}, {"keep_dim": True, "reduce_all": False}),
    "shape": ("fill_constant", False, {"Out": "float32"}, {"dtype": 5, "value": 2.0}),
}


def row(run):
    """[1, the result], or [0] of what raises an error."""
    try:
        return np.concatenate([[1.0], np.asarray(run(), "float64").reshape(-1)])
    except Exception:
        return np.array([0.0])


def executed(fluid, build, feed):
    """The first result of a Program that `build(block)` makes."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        out = build(main.global_block())
        exe = fluid.Executor(fluid.CPUPlace())
        with fluid.scope_guard(fluid.Scope()):
            exe.run(startup)
            return exe.run(main, feed=feed, fetch_list=[out])[0]


def attribute(name):
    """A case: the results of an operator with each of VALUES in an attribute."""
    type, reads, outputs, others = ATTRIBUTES[name]

    def case(fluid):
        def build(block, value):
            x = fluid.data("x", [2, 2], "float32")
            made = {slot: block.create_var(name="out_" + slot, dtype=dtype) for slot, dtype in outputs.items()}
            block.append_op(
                type=type,
                inputs={"X": [x]} if reads else {},
                outputs={slot: [v] for slot, v in made.items()},
                attrs=dict(others, **{name.split(" ")[0]: value}),
            )
            return made["Out"]

        feed = {"x": np.array([[1, 2], [3, 5]], "float32")}
        lists = name in ("dim", "shape")  # in which paddle_lite takes arrays, too
        values = [v for v in VALUES if not (lists and isinstance(v, np.ndarray))]
        rows = [row(lambda v=v: executed(fluid, lambda block: build(block, v), feed)) for v in values]
        return {str(k): found for k, found in enumerate(rows)}

    return case


def functions(fluid):
    """Sizes and probabilities as floats, and as numbers and arrays of NumPy."""
    layers, ones = fluid.layers, fluid.ParamAttr(initializer=fluid.initializer.Constant(1.0))

    def shape_of(build):
        feed = {"x": np.arange(48, dtype="float32").reshape(1, 3, 4, 4)}
        return lambda: executed(
            fluid, lambda block: layers.cast(layers.shape(build(fluid.data("x", [None, 3, 4, 4]))), "float32"), feed
        )

    calls = {
        "fill_constant": lambda x: layers.fill_constant([2.0, 3.7], "float32", 1),
        "zeros": lambda x: layers.zeros([2.7, np.float32(3.2)], "float32"),
        "ones of a tuple": lambda x: layers.ones((2.0,), "float32"),
        "uniform_random": lambda x: layers.uniform_random([2.0, 3.7]),
        "gaussian_random": lambda x: layers.gaussian_random([2.0, 3.7]),
        "expand": lambda x: layers.expand(x, [1.0, 1.0, 2.0, 1.0]),
        "slice": lambda x: layers.slice(x, [2], [0.0], [2.0]),
        "reshape": lambda x: layers.reshape(x, [-1.0, 12.0]),
        "resize_bilinear": lambda x: layers.resize_bilinear(x, [6.7, 8.0]),
        "resize_nearest": lambda x: layers.resize_nearest(x, (np.float64(6), np.float32(8))),
        "pad2d": lambda x: layers.pad2d(x, np.array([1, 1, 2, 2])),
        "pad": lambda x: layers.pad(x, np.array([0, 0, 0, 0, 1, 1, 2, 2])),
        "create_parameter": lambda x: layers.create_parameter(np.array([2, 3]), "float32", attr=ones),
        "embedding": lambda x: fluid.embedding(
            layers.cast(layers.reshape(x, [-1]) / 10, "int64"), np.array([5, 3]), param_attr=ones
        ),
        "dropout": lambda x: layers.dropout(x, np.float32(0)),
    }
    return {name: row(shape_of(build)) for name, build in calls.items()}


CASES = dict({"attribute " + name: attribute(name) for name in ATTRIBUTES}, functions=functions)
