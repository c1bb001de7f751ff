"""Subclasses of Initializer, WeightDecayRegularizer, GradientClipBase and LearningRateDecay, in both modes."""

import numpy as np

X = np.array([[1, 2], [3, -4], [0.5, 1]], "float32") * 0.3


def initializers(fluid):
    class Assigned(fluid.initializer.Initializer):
        def __call__(self, var, block):
            assert isinstance(block, fluid.framework.Block)
            values = np.full(var.shape, 0.5, "float32")
            values.ravel()[0] = 9.0
            attrs = {"shape": list(values.shape), "dtype": int(var.dtype), "fp32_values": values.ravel().tolist()}
            return block._prepend_op(type="assign_value", outputs={"Out": var}, attrs=attrs, stop_gradient=True)

    class Appended(fluid.initializer.Initializer):
        def __call__(self, var, block):
            attrs = {"shape": list(var.shape), "dtype": var.dtype, "value": 2.5}
            return block.append_op(type="fill_constant", outputs={"Out": var}, attrs=attrs, stop_gradient=True)

    class Delegated(fluid.initializer.Initializer):
        def __call__(self, var, block):
            return fluid.initializer.Constant(0.25)(var, block)

    class Doubled(fluid.initializer.ConstantInitializer):
        def __call__(self, var, block):
            self._value = self.value = 0.75
            return super().__call__(var, block)

    return {"assigned": Assigned(), "appended": Appended(), "delegated": Delegated(), "doubled": Doubled(1.0)}


def regularizers(fluid):
    class Appended(fluid.regularizer.WeightDecayRegularizer):
        def __call__(self, param, grad, block):
            decay = block.create_var(dtype="float32", shape=param.shape)
            block.append_op(type="scale", inputs={"X": param}, outputs={"Out": decay}, attrs={"scale": 0.1})
            return decay

    class WithLayers(fluid.regularizer.WeightDecayRegularizer):
        def __call__(self, param, grad, block):
            return fluid.layers.sign(param) * 0.05 + grad * 0.1

    class Doubled(fluid.regularizer.L2DecayRegularizer):
        def __call__(self, param, grad, block):
            return fluid.layers.scale(super().__call__(param, grad, block), 2.0)

    return {"appended": Appended(), "layers": WithLayers(), "doubled": Doubled(0.1)}


def clips(fluid):
    class TwoModes(fluid.clip.GradientClipBase):
        def _static_clip(self, params_grads):
            return [(p, fluid.layers.clip(g, -0.05, 0.05)) for p, g in params_grads]

        _dygraph_clip = _static_clip

    class Called(fluid.clip.GradientClipBase):
        def __call__(self, params_grads):
            return [(p, fluid.layers.scale(g, 0.5)) for p, g in params_grads]

    class Doubled(fluid.clip.GradientClipByNorm):
        def __call__(self, params_grads):
            return super().__call__([(p, g * 2.0) for p, g in params_grads])

    return {"two modes": TwoModes(), "called": Called(), "doubled": Doubled(0.1)}


def schedules(fluid):
    base = fluid.dygraph.learning_rate_scheduler

    class Hyperbola(base.LearningRateDecay):
        def step(self):
            return 0.1 / (1.0 + self.step_num)

    class AsVariable(base.LearningRateDecay):
        def __init__(self):
            super().__init__(1, 2, "float32")

        def step(self):
            return self.create_lr_var(0.1) * (0.5**self.step_num)

    class Half(base.NoamDecay):
        def step(self):
            return super().step() * 0.5

    class Epochs(base._LearningRateEpochDecay):
        def get_lr(self):
            return self.base_lr / (1 + self.epoch_num)

    class Called(base.LearningRateDecay):
        def __call__(self):
            self.step_num += 1
            return self.create_lr_var(0.1 * self.step_num)

    return {
        "hyperbola": Hyperbola(), "variable": AsVariable(), "half": Half(10, 4), "epochs": Epochs(0.1), "called": Called(),
    }  # fmt: skip


def filled(which, imperative):
    def run(fluid):
        initializer = initializers(fluid)[which]
        if imperative:
            with fluid.dygraph.guard():
                bias = fluid.ParamAttr(initializer=initializer)
                layer = fluid.dygraph.Linear(2, 3, param_attr=initializer, bias_attr=bias)
                return {"out": layer(fluid.dygraph.to_variable(X)).numpy()}
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup):
            x = fluid.data("x", [None, 2], "float32")
            y = fluid.layers.fc(x, 3, param_attr=initializer, bias_attr=fluid.ParamAttr(initializer=initializer))
            exe = fluid.Executor(fluid.CPUPlace())
            with fluid.scope_guard(fluid.Scope()):
                exe.run(startup)
                types = np.array(str([op.type for op in startup.global_block().ops]))
                return {"out": exe.run(main, feed={"x": X}, fetch_list=[y])[0], "operators": types}

    return run


def called(make):
    """An initializer that is called with a Variable and a block of a Program, or with a parameter of a Layer."""

    def run(fluid):
        initializer, startup = make(fluid.initializer), fluid.Program()
        block = startup.global_block()
        variable = block.create_var(name="v", shape=[2, 3], dtype="float32", persistable=True)
        found = {"operator": np.array(initializer(variable, block).type)}
        with fluid.scope_guard(fluid.Scope()):
            fluid.Executor(fluid.CPUPlace()).run(startup)
            found["static"] = np.array(fluid.global_scope().find_var("v").get_tensor())
        with fluid.dygraph.guard():
            weight = fluid.dygraph.Linear(2, 3).weight
            initializer(weight, weight.block)
            found["imperative"] = weight.numpy()
        return found

    return run


def trained(table, which, argument, imperative):
    def run(fluid):
        half = fluid.ParamAttr(name="w", initializer=fluid.initializer.Constant(0.5))
        more = {argument: table(fluid)[which]}
        if imperative:
            with fluid.dygraph.guard():
                layer = fluid.dygraph.Linear(2, 1, param_attr=half, bias_attr=False)
                optimizer = fluid.optimizer.SGD(0.1, parameter_list=layer.parameters(), **more)
                for _ in range(2):
                    loss = fluid.layers.mean(fluid.layers.square(layer(fluid.dygraph.to_variable(X)) - 1.0))
                    loss.backward()
                    optimizer.minimize(loss)
                    layer.clear_gradients()
                return {"weight": layer.weight.numpy()}
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup):
            x = fluid.data("x", [None, 2], "float32")
            y = fluid.layers.fc(x, 1, param_attr=half, bias_attr=False)
            fluid.optimizer.SGD(0.1, **more).minimize(fluid.layers.mean(fluid.layers.square(y - 1.0)))
        exe, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
        with fluid.scope_guard(scope):
            exe.run(startup)
            for _ in range(2):
                exe.run(main, feed={"x": X})
            return {"weight": np.array(scope.find_var("w").get_tensor())}

    return run


def scheduled(which):
    def run(fluid):
        with fluid.dygraph.guard():
            half = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.5))
            layer = fluid.dygraph.Linear(2, 1, param_attr=half, bias_attr=False)
            schedule = schedules(fluid)[which]
            optimizer = fluid.optimizer.SGD(schedule, parameter_list=layer.parameters())
            weights = []
            for _ in range(4):
                fluid.layers.mean(layer(fluid.dygraph.to_variable(X))).backward()
                optimizer.minimize(fluid.layers.mean(layer(fluid.dygraph.to_variable(X))))
                layer.clear_gradients()
                weights.append(layer.weight.numpy())
                if hasattr(schedule, "epoch"):
                    schedule.epoch()
            return {"weights": np.array(weights)}

    return run


CASES = {}
for imperative in (False, True):
    mode = "imperative" if imperative else "static"
    for which in ("assigned", "appended", "delegated", "doubled"):
        CASES[f"{mode} initializer {which}"] = filled(which, imperative)
    for which in ("appended", "layers", "doubled"):
        CASES[f"{mode} regularizer {which}"] = trained(regularizers, which, "regularization", imperative)
    for which in ("two modes", "called", "doubled"):
        CASES[f"{mode} clip {which}"] = trained(clips, which, "grad_clip", imperative)
for which in ("hyperbola", "variable", "half", "epochs", "called"):
    CASES[f"schedule {which}"] = scheduled(which)
CASES["call Constant"] = called(lambda initializer: initializer.Constant(3.0))
CASES["call Uniform"] = called(lambda initializer: initializer.Uniform(-1, 1, seed=3))
CASES["call Normal"] = called(lambda initializer: initializer.Normal(0.0, 1.0, seed=3))
CASES["call Xavier"] = called(lambda initializer: initializer.Xavier(seed=1))
CASES["call array"] = called(
    lambda initializer: initializer.NumpyArrayInitializer(np.arange(6, dtype="float32").reshape(2, 3))
)
