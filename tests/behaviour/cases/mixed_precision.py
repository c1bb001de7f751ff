"""Training in float16: the Programs that `decorate` makes, and how the factor of the loss changes."""

import numpy as np

RNG = np.random.RandomState(0)
IMAGES, LABELS = RNG.randn(4, 1, 6, 6).astype("float32"), np.array([[0], [2], [1], [4]], "int64")


def image_net(fluid):
    layers = fluid.layers
    x, y = fluid.data("x", [4, 1, 6, 6]), fluid.data("y", [4, 1], "int64")
    x.stop_gradient = False
    hidden = layers.batch_norm(layers.conv2d(x, 3, 3, padding=1), act="relu")
    hidden = layers.dropout(layers.pool2d(hidden, 2, pool_stride=2), 0.3)
    hidden = layers.layer_norm(layers.fc(hidden, 5, act="tanh"))
    hidden = layers.concat([hidden, layers.reshape(layers.embedding(y, [10, 5]), [4, 5])], 1)
    hidden = layers.assign(hidden + layers.fill_constant([4, 10], "float32", 1.0))
    return layers.mean(layers.cross_entropy(layers.fc(hidden, 5, act="softmax"), y))


def text(program):
    """One line for each operator of the forward part and behind it: what it reads and writes, in which dtype, its role."""
    lines = []
    for block in program.blocks:
        for op in block.ops:
            if op.type == "conditional_block":
                lines.append(f"{block.idx} {op.type} {op.input('Cond')}")
                continue
            reads = [f"{slot}={op.input(slot)}" for slot in sorted(op.input_names) if op.input(slot)]
            writes = [f"{slot}={op.output(slot)}" for slot in sorted(op.output_names) if op.output(slot)]
            dtypes = [
                int(block._var_recursive(name).dtype) for slot in sorted(op.output_names) for name in op.output(slot)
            ]
            role = [op.attr("op_role"), list(op.attr("op_role_var")) if op.has_attr("op_role_var") else []]
            lines.append(f"{block.idx} {op.type} {reads} {writes} {dtypes} {role}")
    return np.array([line.replace("'", "") for line in lines])


def rewritten(dynamic, **names):
    """The operators of a Program that is trained in float16."""

    def run(fluid):
        amp = fluid.contrib.mixed_precision
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup):
            loss = image_net(fluid)
            lists = amp.AutoMixedPrecisionLists(**names)
            optimizer = amp.decorate(
                fluid.optimizer.Momentum(0.1, 0.9), lists, init_loss_scaling=8.0, use_dynamic_loss_scaling=dynamic
            )
            operators, pairs = optimizer.minimize(loss)
        lists = [sorted(kind) for kind in (lists.white_list, lists.black_list, lists.gray_list)]
        return {
            "main": text(main), "startup": np.array([op.output_arg_names[0] for op in startup.global_block().ops]),
            "lists": np.array([" ".join(kind) for kind in lists]), "updates": np.array([op.type for op in operators]),
            "pairs": np.array([[p.name, g.name] for p, g in pairs]),
            "names": np.array([optimizer.get_loss_scaling().name, optimizer.get_scaled_loss().name]),
        }  # fmt: skip

    return run


def scaled(fluid):
    """The factor in a training in float32, in which some steps have gradients that are not finite."""
    amp = fluid.contrib.mixed_precision
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        x = fluid.data("x", [None, 2])
        weight = fluid.initializer.NumpyArrayInitializer(np.array([[0.5], [-1.0]], "float32"))
        loss = fluid.layers.mean(fluid.layers.square(fluid.layers.fc(x, 1, param_attr=fluid.ParamAttr("w", weight))))
        lists = amp.AutoMixedPrecisionLists(custom_black_list={"mul"})
        optimizer = amp.decorate(
            fluid.optimizer.Momentum(0.01, 0.9), lists, init_loss_scaling=5.0, incr_every_n_steps=3,
            decr_every_n_nan_or_inf=2, incr_ratio=4.0, decr_ratio=0.25,
        )  # fmt: skip
        optimizer.minimize(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    state = [optimizer._loss_scaling, optimizer._num_good_steps, optimizer._num_bad_steps, optimizer.get_scaled_loss()]
    numbers, weights = [], []
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        for step in range(22):
            bad = np.inf if step in (1, 7, 8, 9, 10, 11, 12, 13, 14, 20) else 1.0
            fed = np.array([[1, 2], [3, -4]], "float32") * np.float32(bad)
            found = exe.run(main, feed={"x": fed}, fetch_list=[*state, "w"])
            numbers.append([np.nan_to_num(v.item()) for v in found[:4]])
            weights.append(found[4])
    return {"numbers": np.array(numbers, "float32"), "weights": np.array(weights)}


CASES = {
    "fixed factor": rewritten(False),
    "dynamic factor": rewritten(True),
    "names in float32": rewritten(False, custom_black_varnames={"fc_0.w_0"}),
    "own lists": rewritten(False, custom_white_list={"softmax", "assign"}, custom_black_list=["pool2d"]),
    "factor": scaled,
}
