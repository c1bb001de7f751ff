"""paddle_lite and PaddlePaddle 1.8.5 as sides, with the same code."""

from __future__ import annotations

import importlib
import os

from benchmarks.fluid_words import Words
from benchmarks.side import Work

CHECKED_STEPS = 3


def _optimizer(fluid, name, rate, parameters=None):
    more = {} if parameters is None else {"parameter_list": parameters}
    makers = {
        "adam": lambda: fluid.optimizer.Adam(rate, **more),
        "lazy adam": lambda: fluid.optimizer.Adam(rate, lazy_mode=True, **more),
        "sgd": lambda: fluid.optimizer.SGD(rate, **more),
    }
    return makers[name]()


class _Fluid:
    def __init__(self, framework):
        module = "paddle.fluid" if framework == "fluid" else "paddle_lite.fluid"
        self.fluid = importlib.import_module(module)
        self.place = self.fluid.CPUPlace()
        self.words = Words(self.fluid)


class Static(_Fluid):
    """Programs run by an Executor."""

    def inference(self, model):
        """Return the network's result, as a NumPy array."""
        run = self._program(model, lambda result: [result], test=True)
        return Work(run, run)

    def gradients(self, model):
        """Return the loss and the gradient of each weight."""

        def fetches(loss):
            return [loss] + [gradient for _, gradient in sorted(self.fluid.backward.append_backward(loss), key=_name)]

        run = self._program(model, fetches, return_numpy=False)
        return Work(run, lambda: [_dense(each) for each in run()])

    def training(self, model, optimizer, rate):
        """Return a step of the optimizer."""

        def fetches(loss):
            _optimizer(self.fluid, optimizer, rate).minimize(loss)
            return [loss]

        run = self._program(model, fetches)
        return Work(run, lambda: [run()[0] for _ in range(CHECKED_STEPS)])

    def _program(self, model, fetches, test=False, return_numpy=True):
        fluid = self.fluid
        main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
        arrays = model.inputs()
        with fluid.program_guard(main, startup), fluid.unique_name.guard():
            p = {
                name: fluid.layers.create_parameter(
                    list(value.shape),
                    str(value.dtype),
                    name=name,
                    default_initializer=fluid.initializer.NumpyArrayInitializer(value),
                )
                for name, value in model.weights().items()
            }
            x = {name: fluid.data(name, list(value.shape), str(value.dtype)) for name, value in arrays.items()}
            fetch = fetches(model.fluid(self.words, p, x))
        if test:
            main = main.clone(for_test=True)
        executor = fluid.Executor(self.place)
        executor.run(startup, scope=scope)
        more = {"scope": scope, "use_program_cache": True, "return_numpy": return_numpy}
        return lambda: executor.run(main, feed=arrays, fetch_list=fetch, **more)


class Eager(_Fluid):
    """Imperative mode."""

    def __init__(self, framework):
        super().__init__(framework)
        self.guard = self.fluid.dygraph.guard(self.place)
        self.guard.__enter__()

    def inference(self, model):
        """Return the network's result, as a NumPy array."""
        net, x = self._net(model)
        net.eval()

        def step():
            with self.fluid.dygraph.no_grad():
                return [net(x).numpy()]

        return Work(step, step)

    def gradients(self, model):
        """Return the loss and the gradient of each weight."""
        net, x = self._net(model)
        net.train()  # PaddlePaddle 1.8.5 records nothing after any network's eval()

        def step():
            loss = net(x)
            loss.backward()
            net.clear_gradients()

        def check():
            loss = net(x)
            loss.backward()
            found = [loss.numpy()] + [net.p[name].gradient() for name in sorted(net.p)]
            net.clear_gradients()
            return found

        return Work(step, check)

    def training(self, model, optimizer, rate):
        """Return a step of the optimizer."""
        net, x = self._net(model)
        net.train()
        update = _optimizer(self.fluid, optimizer, rate, net.parameters())

        def step():
            loss = net(x)
            loss.backward()
            update.minimize(loss)
            net.clear_gradients()
            return loss

        return Work(step, lambda: [step().numpy() for _ in range(CHECKED_STEPS)])

    def _forward(self, forward):
        return forward

    def _net(self, model):
        fluid = self.fluid
        forward = self._forward(lambda p, x: model.fluid(self.words, p, x))

        class Net(fluid.dygraph.Layer):
            def __init__(self):
                super().__init__()
                self.p = {}
                for name, value in model.weights().items():
                    start = fluid.initializer.NumpyArrayInitializer(value)
                    shape, dtype = list(value.shape), str(value.dtype)
                    self.p[name] = self.create_parameter(shape, dtype=dtype, default_initializer=start)
                    self.add_parameter(name, self.p[name])

            def forward(self, x):
                return forward(self.p, x)

        return Net(), {name: fluid.dygraph.to_variable(value) for name, value in model.inputs().items()}


class Declared(Eager):
    """Imperative code that is translated to a Program."""

    def _forward(self, forward):
        return self.fluid.dygraph.declarative(forward)


class Uncompiled(Eager):
    """Layers in eager mode where nothing is compiled, as without Numba: operators run their references."""

    def __init__(self, framework):
        os.environ["PADDLE_LITE_DISABLE_JIT"] = "1"  # of this process, which runs no other side
        super().__init__(framework)


def _name(pair):
    return pair[0].name


def _dense(fetched):
    """Return a fetched LoDTensor as an array."""
    import numpy as np

    return np.asarray(fetched)
