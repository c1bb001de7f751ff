"""Training on two places: what each fetches, and the parameters afterwards."""

import numpy as np

X = np.array([[1, 2], [3, -4], [0.5, 1], [2, 1]], "float32") * 0.3


def plain(fluid, loss):
    fluid.optimizer.Adam(0.1).minimize(loss)


def clipped(fluid, loss):
    clip, penalty = fluid.clip.GradientClipByGlobalNorm(0.1), fluid.regularizer.L1Decay(0.3)
    fluid.optimizer.SGD(0.1, grad_clip=clip, regularization=penalty).minimize(loss)


def changed(fluid, loss):
    """Operators of the user between the gradients and the updates, which are not linear."""
    optimizer = fluid.optimizer.SGD(0.1)
    pairs = [(p, fluid.layers.clip(fluid.layers.scale(g, 3.0), -0.2, 0.3)) for p, g in optimizer.backward(loss)]
    optimizer.apply_gradients(pairs)


def trained(minimize, strategy):
    def run(fluid):
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup):
            x = fluid.data("x", [None, 2], "float32")
            x.stop_gradient = False
            weight = fluid.ParamAttr(name="w", initializer=fluid.initializer.Constant(0.5))
            y = fluid.layers.fc(x, 2, param_attr=weight, bias_attr=False)
            loss = fluid.layers.mean(fluid.layers.square(fluid.layers.tanh(y)))
            minimize(fluid, loss)
        build = fluid.BuildStrategy()
        build.gradient_scale_strategy = getattr(build.GradientScaleStrategy, strategy)
        names = [loss.name, y.name, "w@GRAD", "x@GRAD", y.name + "@GRAD", loss.name + "@GRAD"]
        found = {}
        for name in names:  # real Paddle shares memory among the others
            exe, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
            with fluid.scope_guard(scope):
                exe.run(startup)
                program = fluid.CompiledProgram(main).with_data_parallel(
                    loss_name=loss.name, build_strategy=build, places=[fluid.CPUPlace()] * 2
                )
                for step in range(2):
                    found[f"{name} {step}"] = exe.run(program, feed={"x": X}, fetch_list=[name])[0]
                found["w"] = np.array(scope.find_var("w").get_tensor())
        return found

    return run


CASES = {
    f"{minimize.__name__} {strategy}": trained(minimize, strategy)
    for minimize, strategy in (
        (plain, "CoeffNumDevice"),
        (clipped, "CoeffNumDevice"),
        (changed, "CoeffNumDevice"),
        (plain, "One"),
    )
}
