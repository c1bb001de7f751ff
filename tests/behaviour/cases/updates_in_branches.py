"""Optimizers that minimize inside of branches, where the forward pass is partly or wholly outside."""

import numpy as np

FLAGS = (1.0, 1.0, -1.0, 1.0, -1.0)


def constant(fluid, name, value):
    return fluid.ParamAttr(name=name, initializer=fluid.initializer.Constant(value))


def cond(fluid, pred, first, second):
    return fluid.layers.cond(pred, first, second)


def case(fluid, pred, first, second):
    return fluid.layers.case([(pred, first)], default=second)


def switch_case(fluid, pred, first, second):
    return fluid.layers.switch_case(fluid.layers.cast(pred, "int32"), {1: first, 0: second})


def switch(fluid, pred, first, second):
    kept = fluid.layers.create_global_var([1], 0.0, "float32", persistable=True)
    with fluid.layers.Switch() as branches:
        with branches.case(pred):
            fluid.layers.assign(first(), kept)
        with branches.default():
            fluid.layers.assign(second(), kept)
    return kept


def trained(select, loss_inside, optimizers, penalty=None):
    """A case: two optimizers, each minimizes its loss in a branch of its own."""

    def run(fluid):
        layers, main, startup = fluid.layers, fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup):
            x, flag = fluid.data("x", [None, 2], "float32"), fluid.data("flag", [1], "float32")
            hidden = layers.fc(x, 3, act="tanh", param_attr=constant(fluid, "w0", 0.3))
            y = layers.fc(hidden, 1, param_attr=constant(fluid, "w", 1.0), bias_attr=False)
            made = optimizers(fluid.optimizer, penalty and fluid.regularizer.L2Decay(penalty))
            losses = [lambda: layers.mean(layers.square(y)), lambda: layers.mean(layers.exp(layers.scale(y, 0.1)))]
            outside = [] if loss_inside else [loss() for loss in losses]

            def branch(k):
                def minimize():
                    loss = losses[k]() if loss_inside else outside[k]
                    made[k].minimize(loss)
                    return loss

                return minimize

            pred = layers.less_than(layers.fill_constant([1], "float32", 0.0), flag)
            out = select(fluid, pred, branch(0), branch(1))
        exe, scope, found = fluid.Executor(fluid.CPUPlace()), fluid.Scope(), {}
        inputs = np.array([[1, 2], [3, 4]], "float32")
        with fluid.scope_guard(scope):
            exe.run(startup)
            for step, value in enumerate(FLAGS):
                feed = {"x": inputs, "flag": np.array([value], "float32")}
                found[f"loss {step}"] = exe.run(main, feed=feed, fetch_list=[out])[0]
                for name in ("w0", "w"):
                    found[f"{name} {step}"] = np.array(scope.find_var(name).get_tensor())
        return found

    return run


def two(optimizer, regularizer):
    return optimizer.SGD(0.1, regularization=regularizer), optimizer.Adam(0.1, regularization=regularizer)


def momentums(optimizer, regularizer):
    return [optimizer.Momentum(0.1, 0.9, regularization=regularizer) for _ in range(2)]


CASES = {
    " ".join((select.__name__, "loss inside" if inside else "loss outside", make.__name__, str(penalty))): trained(
        select, inside, make, penalty
    )
    for select in (cond, case, switch_case, switch)
    for inside, make, penalty in ((True, two, 0.1), (False, two, None), (False, momentums, 0.1))
}
