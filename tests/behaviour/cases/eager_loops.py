"""`while_loop` in imperative mode: a loop of Python, whose variables may change their form, their dtype and their number of elements."""


def counted(layers, step, *state):
    """Run `step` while the counter is below three; return what the loop returns."""
    zero = layers.fill_constant([1], "int64", 0)
    return layers.while_loop(lambda i, *rest: i < 3, step, [zero, *state])


def list_that_grows(layers):
    kept = []
    found = counted(layers, lambda i, kept: kept.append(i) or [i + 1, kept], kept)
    return {"outside": len(kept), "returned": len(found[1]), "last": kept[-1].numpy()}


def array_that_grows(layers):
    array = layers.create_array("float32")
    layers.array_write(layers.fill_constant([2], "float32", 1.5), layers.fill_constant([1], "int64", 0), array)

    def step(i, array):
        layers.array_write(layers.array_read(array, i) * 2, i + 1, array)
        return [i + 1, array]

    found = counted(layers, step, array)
    return {"length": layers.array_length(found[1]), "last": layers.array_read(found[1], found[0]).numpy()}


def other_dtype(layers):
    start = layers.fill_constant([1], "int64", 0)
    return {"y": counted(layers, lambda i, y: [i + 1, layers.cast(i, "float32")], start)[1].numpy()}


def other_structure(layers):
    found = counted(layers, lambda i, state: [i + 1, {"h": i}], (0, 1))
    return {"h": found[1]["h"].numpy()}


def tuple_of_two(layers):
    found = counted(layers, lambda i, kept: (i + 1, kept), 5)
    return {"is a tuple": isinstance(found, tuple), "i": found[0].numpy(), "kept": found[1]}


def of(case):
    def run(fluid):
        with fluid.dygraph.guard():
            return case(fluid.layers)

    return run


CASES = {
    case.__name__: of(case) for case in (list_that_grows, array_that_grows, other_dtype, other_structure, tuple_of_two)
}
