"""Arrays of tensors that are copied and added: `assign` and `sums` of LoDTensorArrays, and gradients through copies."""

import numpy as np

X = np.arange(4, dtype="float32")


def place(fluid, index):
    made = fluid.layers.fill_constant([1], "int64", index)
    made.stop_gradient = True
    return made


def written(fluid, *values):
    array = None
    for index, value in enumerate(values):
        array = fluid.layers.array_write(value, place(fluid, index), array=array)
    return array


def copied(fluid, x):
    layers, array = fluid.layers, written(fluid, x, x * 2)
    copy = layers.assign(array)
    layers.array_write(x * 7, place(fluid, 0), array=array)
    return [layers.array_length(copy)] + [layers.array_read(a, place(fluid, i)) for a in (copy, array) for i in (0, 1)]


def copied_into(fluid, x):
    layers, array, copy = fluid.layers, written(fluid, x), fluid.layers.create_array("float32")
    layers.assign(array, copy)
    layers.array_write(x * 2, place(fluid, 2), array=copy)
    return [layers.array_length(copy), layers.array_length(array), layers.array_read(copy, place(fluid, 0))]


def used_twice(fluid, x):
    layers, array = fluid.layers, written(fluid, x * 2, x * 3)
    copy = layers.assign(array)
    first, second = (layers.array_read(copy, place(fluid, i)) for i in (0, 1))
    y = layers.reduce_sum(first * 5 + second * second + layers.array_read(array, place(fluid, 0)))
    return [y] + fluid.gradients([y], [x])


def by_append_backward(fluid, x):
    y = fluid.layers.mean(fluid.layers.array_read(fluid.layers.assign(written(fluid, x * 2)), place(fluid, 0)) * 5)
    fluid.backward.append_backward(y)
    return [y, fluid.default_main_program().global_block().var("x@GRAD")]


def added(fluid, x):
    layers = fluid.layers
    total = layers.sums([written(fluid, x * 2, x * 3), written(fluid, x * x)])
    first, second = (layers.array_read(total, place(fluid, i)) for i in (0, 1))
    return [layers.array_length(total), first, second]


def in_a_while(fluid, x):
    layers, n, end = fluid.layers, place(fluid, 0), place(fluid, 3)
    array, copy = written(fluid, x), layers.create_array("float32")
    layers.assign(array, copy)
    more = layers.less_than(n, end)
    with layers.While(more).block():
        layers.array_write(layers.array_read(copy, n) * 2, n + 1, array=array)
        layers.assign(array, copy)
        layers.increment(n)
        layers.less_than(n, end, cond=more)
    y = layers.reduce_sum(layers.array_read(copy, end))
    return [layers.array_length(copy), y] + fluid.gradients([y], [x])


def in_while_loop(fluid, x):
    layers = fluid.layers

    def body(n, array):
        layers.array_write(layers.array_read(array, n) * 2, n + 1, array=array)
        return [n + 1, layers.assign(array)]

    _, array = layers.while_loop(
        lambda n, array: layers.less_than(n, place(fluid, 3)), body, [place(fluid, 0), written(fluid, x)]
    )
    return [layers.array_length(array), layers.array_read(array, place(fluid, 3))]


def in_branches(fluid, x):
    layers, kept = fluid.layers, written(fluid, x * 0)
    first, second = written(fluid, x), written(fluid, x * 3)
    take = layers.less_than(place(fluid, 1), place(fluid, 0))
    layers.cond(take, lambda: (layers.assign(first, kept), None)[1], lambda: (layers.assign(second, kept), None)[1])
    return [layers.array_read(kept, place(fluid, 0))]


def of(build):
    """A case: what the Variables that `build` returns are where x is fed."""

    def run(fluid):
        main = fluid.Program()
        with fluid.program_guard(main, fluid.Program()):
            x = fluid.data("x", [4], "float32")
            x.stop_gradient = False
            fetched = build(fluid, x)
        with fluid.scope_guard(fluid.Scope()):
            found = fluid.Executor(fluid.CPUPlace()).run(main, feed={"x": X}, fetch_list=fetched)
        return {f"{i} {v.name}": a for i, (v, a) in enumerate(zip(fetched, found))}

    return run


BUILT = (copied, copied_into, used_twice, by_append_backward, added, in_a_while, in_while_loop, in_branches)
CASES = {build.__name__: of(build) for build in BUILT}
