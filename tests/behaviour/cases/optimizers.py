"""Subclasses of Optimizer as projects of 2020 wrote them, in static Programs and in imperative mode, and
changes of the learning rate between two steps."""

import numpy as np

X = np.array([[1, 2], [3, -4], [0.5, 1]], "float32") * 0.3


def subclasses(fluid):
    """Functions that make optimizers of parameters; the parameters are None in static Programs."""
    return dict(with_updates(fluid), **with_other_hooks(fluid))


def with_updates(fluid):
    """Subclasses that define updates."""
    layers, base = fluid.layers, fluid.optimizer

    class OneOperator(base.Optimizer):
        def __init__(self, rate, **more):
            super().__init__(learning_rate=rate, **more)
            self.type = "sgd"

        def _append_optimize_op(self, block, param_and_grad):
            assert isinstance(block, fluid.framework.Block)
            inputs = {"Param": param_and_grad[0], "Grad": param_and_grad[1]}
            inputs["LearningRate"] = self._create_param_lr(param_and_grad)
            return block.append_op(
                type=self.type, inputs=inputs, outputs={"ParamOut": param_and_grad[0]}, stop_gradient=True
            )

    class Velocity(base.Optimizer):
        def __init__(self, rate, **more):
            super().__init__(learning_rate=rate, **more)
            self.type = "momentum"

        def _create_accumulators(self, block, parameters):
            for parameter in parameters:
                self._add_accumulator("velocity", parameter, fill_value=0.1)
                self._add_accumulator("count", parameter, fill_value=1.0, shape=[1], dtype="float32")

        def _append_optimize_op(self, block, param_and_grad):
            velocity = self._get_accumulator("velocity", param_and_grad[0])
            return block.append_op(
                type=self.type,
                inputs={
                    "Param": [param_and_grad[0]], "Grad": [param_and_grad[1]], "Velocity": [velocity],
                    "LearningRate": [self._create_param_lr(param_and_grad)],
                },
                outputs={"ParamOut": [param_and_grad[0]], "VelocityOut": [velocity]},
                attrs={"mu": 0.9, "use_nesterov": False},
                stop_gradient=True,
            )  # fmt: skip

        def _finish_update(self, block, parameters_and_grads):
            for parameter, _ in parameters_and_grads:
                count = self._get_accumulator("count", parameter)
                block.append_op(type="scale", inputs={"X": count}, outputs={"Out": count}, attrs={"scale": 2.0})

    class WithLayers(OneOperator):
        def _append_optimize_op(self, block, param_and_grad):
            parameter, gradient = param_and_grad
            step = layers.elementwise_mul(gradient, self._create_param_lr(param_and_grad) * 2.0)
            return layers.assign(parameter - step, output=parameter)

    def penalised(parameters):
        clip, penalty = fluid.clip.GradientClipByNorm(0.2), fluid.regularizer.L2Decay(0.1)
        return OneOperator(0.1, parameter_list=parameters, regularization=penalty, grad_clip=clip)

    return {
        "one operator": lambda parameters: OneOperator(0.1, parameter_list=parameters),
        "clipped and penalised": penalised,
        "accumulators": lambda parameters: Velocity(0.1, parameter_list=parameters, name="mine"),
        "layers": lambda parameters: WithLayers(0.1, parameter_list=parameters),
    }


def with_other_hooks(fluid):
    """Subclasses that change gradients or parameters around the updates."""
    layers, base = fluid.layers, fluid.optimizer

    class HalfGradients(base.Momentum):
        def _append_optimize_op(self, block, param_and_grad):
            half = layers.scale(param_and_grad[1], 0.5)
            return super()._append_optimize_op(block, (param_and_grad[0], half))

    class Decoupled:
        def __init__(self, decay, **more):
            self._decay = decay
            super().__init__(**more)

        def apply_optimize(self, loss, startup_program, params_grads):
            for parameter, decayed in [(p, p * self._decay) for p, _ in params_grads]:
                layers.assign(layers.elementwise_sub(parameter, decayed), output=parameter)
            return super().apply_optimize(loss, startup_program, params_grads)

    class DecoupledAdam(Decoupled, base.AdamOptimizer):
        pass

    class TwiceTheGradients(base.SGD):
        def backward(self, *arguments, **more):
            return [(p, g * 2.0) for p, g in super().backward(*arguments, **more)]

    return {
        "half": lambda parameters: HalfGradients(0.1, 0.9, parameter_list=parameters),
        "decoupled": lambda parameters: DecoupledAdam(0.1, learning_rate=0.1, parameter_list=parameters),
        "twice": lambda parameters: TwiceTheGradients(0.1, parameter_list=parameters),
    }


def static(which):
    def run(fluid):
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup):
            x = fluid.data("x", [None, 2], "float32")
            first = fluid.ParamAttr(name="w0", initializer=fluid.initializer.Constant(0.3), learning_rate=0.5)
            hidden = fluid.layers.fc(x, 3, act="tanh", param_attr=first)
            last = fluid.ParamAttr(name="w1", initializer=fluid.initializer.Constant(0.5))
            y = fluid.layers.fc(hidden, 1, param_attr=last, bias_attr=False)
            loss = fluid.layers.mean(fluid.layers.square(y - 1.0))
            subclasses(fluid)[which](None).minimize(loss)
        exe, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
        with fluid.scope_guard(scope):
            exe.run(startup)
            losses = [exe.run(main, feed={"x": X}, fetch_list=[loss])[0] for _ in range(3)]
            kept = sorted(v.name for v in main.list_vars() if v.persistable and "learning_rate" not in v.name)
            found = {name: np.array(scope.find_var(name).get_tensor()) for name in kept}
        return dict(found, losses=np.array(losses))

    return run


def imperative(which):
    def run(fluid):
        with fluid.dygraph.guard():
            half = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.5))
            layer = fluid.dygraph.Linear(2, 1, param_attr=half)
            optimizer = subclasses(fluid)[which](layer.parameters())
            losses = []
            for _ in range(3):
                loss = fluid.layers.mean(fluid.layers.square(layer(fluid.dygraph.to_variable(X)) - 1.0))
                loss.backward()
                optimizer.minimize(loss)
                layer.clear_gradients()
                losses.append(loss.numpy())
            state = {name: v.numpy() for name, v in optimizer.state_dict().items() if hasattr(v, "numpy")}
            kept = {key: len(of) for key, of in optimizer._accumulators.items()}
            return dict(
                state, losses=np.array(losses), weight=layer.weight.numpy(), kept=np.array(str(sorted(kept.items())))
            )

    return run


def learning_rates(change):
    """Steps of an optimizer whose learning rate `change` touches after the first one."""

    def run(fluid):
        def step(layer, optimizer):
            loss = fluid.layers.mean(layer(fluid.dygraph.to_variable(X)))
            loss.backward()
            optimizer.minimize(loss)
            layer.clear_gradients()
            return np.append(layer.weight.numpy().reshape(-1), optimizer.current_step_lr())

        found = {}
        with fluid.dygraph.guard():
            layer = fluid.dygraph.Linear(2, 1, param_attr=fluid.initializer.Constant(0.5))
            optimizer = fluid.optimizer.SGD(0.1, parameter_list=layer.parameters())
            found["first"] = step(layer, optimizer)
            change(fluid, optimizer)
            found["changed"], found["third"] = step(layer, optimizer), step(layer, optimizer)
        with fluid.dygraph.guard():
            found["in a second guard"] = step(layer, optimizer)
            optimizer._learning_rate = 0.7
            found["changed there"] = step(layer, optimizer)
        return found

    return run


def another_number(fluid, optimizer):
    optimizer._learning_rate = 0.01


def value(fluid, optimizer):
    optimizer._global_learning_rate().set_value(np.array([0.01], "float32"))


def schedule(fluid, optimizer):
    optimizer._learning_rate = fluid.dygraph.PiecewiseDecay([1], [0.5, 0.2], 0)


def entry(fluid, optimizer):
    rate = fluid.dygraph.to_variable(np.array([0.3], "float32"))
    optimizer._learning_rate_map[fluid.default_main_program()] = rate


def empty_map(fluid, optimizer):
    optimizer._learning_rate_map = {}
    optimizer._learning_rate = 0.01


NAMES = ("one operator", "clipped and penalised", "accumulators", "layers", "half", "decoupled", "twice")
CASES = {f"static {name}": static(name) for name in NAMES}
CASES.update({f"imperative {name}": imperative(name) for name in NAMES})
CHANGES = (another_number, value, schedule, entry, empty_map)
CASES.update({f"learning rate, {change.__name__}": learning_rates(change) for change in CHANGES})
