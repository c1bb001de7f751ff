"""LoDs where programs of 2020 count on them: seen from the steps of a StaticRNN, of an activation, of a py_func's result."""

import numpy as np

LENGTHS = [3, 2]


def rows(fluid, width=4, seed=0):
    values = np.random.RandomState(seed).uniform(-1, 1, (sum(LENGTHS), width)).astype("float32")
    return fluid.create_lod_tensor(values, [LENGTHS], fluid.CPUPlace())


def run(fluid, build, feed, steps=1):
    """Run what `build` returns, a dict of Variables, with parameters of 0.1, 0.2 ... in it."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        results = build()
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        for number, parameter in enumerate(main.all_parameters()):
            size = int(np.prod(parameter.shape))
            values = np.sin(np.arange(size) + number).reshape(parameter.shape).astype("float32")
            fluid.global_scope().find_var(parameter.name).get_tensor().set(values, fluid.CPUPlace())
        found = {}
        for step in range(steps):
            values = exe.run(main, feed=feed, fetch_list=list(results.values()), return_numpy=False)
            found.update({f"{name} {step}": np.array(value) for name, value in zip(results, values)})
    return found


def attention(trained):
    """A decoder that looks back at all rows of an encoder in each of its steps."""

    def case(fluid):
        layers = fluid.layers

        def build():
            encoded = fluid.data("encoded", [None, 4], "float32", lod_level=1)
            words = layers.fc(fluid.data("words", [None, None, 4], "float32"), 4, num_flatten_dims=2)
            projected = layers.fc(encoded, 4, bias_attr=False)
            whole = layers.sequence_pool(projected, "sum")
            rnn = layers.StaticRNN()
            with rnn.step():
                word = rnn.step_input(words)
                before = rnn.memory(init=whole)
                looking = layers.elementwise_add(projected, layers.sequence_expand(before, projected))
                weights = layers.sequence_softmax(layers.fc(looking, 1, bias_attr=False))
                scaled = layers.elementwise_mul(projected, layers.reshape(weights, [-1]), axis=0)
                seen = layers.sequence_pool(scaled, "sum")
                gates = layers.fc([word, seen], 12, bias_attr=False)
                state = layers.gru_unit(gates, hidden=before, size=12)[0]
                rnn.update_memory(before, state)
                rnn.step_output(state)
            loss = layers.mean(layers.square(rnn()))
            if trained:
                fluid.optimizer.SGD(0.5).minimize(loss)
            return {"loss": loss}

        words = np.random.RandomState(1).uniform(-1, 1, (3, 2, 4)).astype("float32")
        return run(fluid, build, {"encoded": rows(fluid), "words": words}, steps=3 if trained else 1)

    return case


def activation(fluid):
    """The activation of a layer is an operator of any sort that makes Out of X."""

    def build():
        x = fluid.data("x", [None, 4], "float32", lod_level=1)
        made = {name: fluid.layers.fc(x, 1, act=name) for name in ("sequence_softmax", "cumsum", "sign")}
        weighted = fluid.layers.elementwise_mul(x, made["sequence_softmax"], axis=0)
        loss = fluid.layers.mean(fluid.layers.sequence_pool(weighted, "sum"))
        fluid.optimizer.SGD(0.5).minimize(loss)
        return dict(made, loss=loss)

    return run(fluid, build, {"x": rows(fluid)}, steps=2)


def levels_of_py_func(fluid):
    """A py_func gives its result a LoD of which nothing is known before it runs."""

    def chosen(boxes):
        return fluid.create_lod_tensor(np.array(boxes)[[0, 2, 3, 4]], [[1, 3]], fluid.CPUPlace())

    def build():
        x = fluid.data("x", [None, 4], "float32", lod_level=1)
        boxes = fluid.default_main_program().current_block().create_var(name="boxes", dtype="float32", shape=[-1, 4])
        fluid.layers.py_func(chosen, x, boxes)
        features = fluid.layers.lod_reset(fluid.layers.scale(boxes, 2.0), boxes)
        return {
            "pooled": fluid.layers.sequence_pool(features, "sum"),
            "first": fluid.layers.sequence_first_step(features),
        }

    return run(fluid, build, {"x": rows(fluid)})


def shapes_written(fluid):
    """What an operator writes into has the result's shape from then on, be it persistable or a parameter."""
    layers = fluid.layers
    found = {}
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        x, rows = fluid.data("x", [4, 7], "float32"), fluid.data("rows", [None, 7], "float32")
        writers = {
            "array": lambda to: layers.assign(np.ones((4, 5), "float32"), to),
            "assign": lambda to: layers.assign(x, to),
            "unknown": lambda to: layers.assign(rows, to),
            "sums": lambda to: layers.sums([x, x], out=to),
            "fill": lambda to: layers.fill_constant([3, 1], "float32", 2.0, out=to),
            "reshape": lambda to: layers.reshape(to, [3, -1], inplace=True),
        }
        for name, write in writers.items():
            held = layers.create_global_var([2, 3], 0.0, "float32", persistable=True)
            parameter = layers.create_parameter([2, 3], "float32")
            for what, target in (("variable", held), ("parameter", parameter)):
                write(target)
                found[f"{name} {what}"] = np.array(target.shape)
        counter = layers.create_global_var([1], 0, "int64", persistable=True)
        layers.assign(x, counter)
        found["dtype"] = np.array(int(counter.dtype))
    return found


def reshaped_parameter(fluid):
    """A parameter that is reshaped in place, and multiplied by what fits its new shape."""

    def build():
        mask = fluid.layers.create_parameter([3, 2, 2], "float32", attr=fluid.ParamAttr(name="mask", trainable=False))
        mask = fluid.layers.reshape(mask, [3, -1], inplace=True)
        product = fluid.layers.matmul(fluid.data("x", [None, 2, 3], "float32"), mask)
        return {"cut": fluid.layers.reshape(product, [0, 0, -1, 2])}

    return run(fluid, build, {"x": np.arange(12).reshape(2, 2, 3).astype("float32")}, steps=2)


CASES = {
    "attention in steps": attention(False),
    "trained attention in steps": attention(True),
    "activation": activation,
    "levels of py_func": levels_of_py_func,
    "shapes written": shapes_written,
    "reshaped parameter": reshaped_parameter,
}
