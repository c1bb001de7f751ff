"""paddle_lite and PaddlePaddle 1.8.5 as sides, with the same code."""

from __future__ import annotations

import collections
import importlib
import os

from benchmarks.fluid_words import Words
from benchmarks.side import Part, Work

CHECKED_STEPS = 3
MOST_RUNS = 4096


def _optimizer(fluid, name, rate, parameters=None):
    more = {} if parameters is None else {"parameter_list": parameters}
    makers = {
        "adam": lambda: fluid.optimizer.Adam(rate, **more),
        "lazy adam": lambda: fluid.optimizer.Adam(rate, lazy_mode=True, **more),
        "momentum": lambda: fluid.optimizer.Momentum(rate, 0.9, **more),
        "sgd": lambda: fluid.optimizer.SGD(rate, **more),
    }
    return makers[name]()


class _Fluid:
    def __init__(self, framework):
        module = "paddle.fluid" if framework == "fluid" else "paddle_lite.fluid"
        self.ours = framework != "fluid"
        self.fluid = importlib.import_module(module)
        self.place = self.fluid.CPUPlace()
        self.words = Words(self.fluid)


class Static(_Fluid):
    """Programs run by an Executor."""

    def __init__(self, framework):
        super().__init__(framework)
        self.ran = collections.deque(maxlen=MOST_RUNS)

    def costs(self, step):
        """Return the FLOPs, bytes and calls of a step by its Plans' listings.

        {} where rounds of loops or rows of sparse tables depend on the data, and for Programs of 1.8.5.
        """
        if not self.ours:
            return {}
        self.ran.clear()
        step()
        plan_of = importlib.import_module("paddle_lite.static").plan_of
        found = {}
        for program, feed, fetch in self.ran:
            if id(program) not in found:
                listing = plan_of(program, feed, fetch).listing()
                sparse = any(op.has_attr("is_sparse") and op.attr("is_sparse") for op in program.global_block().ops)
                if sparse or any(row.depth for row in listing.rows):  # a block's row is one round
                    return {}
                found[id(program)] = {
                    "flops": listing.flops.at(1),
                    "bytes": listing.moved.at(1),
                    "calls": listing.calls,
                }
        each = [found[id(program)] for program, _, _ in self.ran]
        return {what: sum(costs[what] for costs in each) for what in ("flops", "bytes", "calls") if each}

    def inference(self, model):
        """Return the network's result, as a NumPy array."""
        run, x = self.session({"run": Part(model)})["run"], model.inputs()
        return Work(lambda: run(x), lambda: run(x))

    def gradients(self, model):
        """Return the loss and the gradient of each weight."""

        def fetches(loss):
            return [loss] + [gradient for _, gradient in sorted(self.fluid.backward.append_backward(loss), key=_name)]

        run, x = self._program(model, fetches, self.fluid.Scope(), return_numpy=False), model.inputs()
        return Work(lambda: run(x), lambda: [_dense(each) for each in run(x)])

    def training(self, model, optimizer, rate):
        """Return a step of the optimizer."""

        run, x = self.session({"run": Part(model, optimizer, rate)})["run"], model.inputs()
        return Work(lambda: run(x), lambda: [run(x)[0] for _ in range(CHECKED_STEPS)])

    def session(self, parts):
        """Return name -> function of a feed, for parts that share weights."""
        scope = self.fluid.Scope()
        return {name: self._program(part.model, self._fetches(part), scope, name) for name, part in parts.items()}

    def _fetches(self, part):
        def fetches(result):
            if part.optimizer is not None:
                _optimizer(self.fluid, part.optimizer, part.rate).minimize(result)
            return [result]

        return fetches

    def _program(self, model, fetches, scope, prefix="run", return_numpy=True):
        """Return a function of a feed that runs a Program of the model; its weights are those of the scope."""
        fluid, weights = self.fluid, model.weights()
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup), fluid.unique_name.guard(prefix + "_"):
            p = {name: self._parameter(model, name, value) for name, value in weights.items()}
            x = {name: fluid.data(name, list(a.shape), str(a.dtype)) for name, a in model.inputs().items()}
            fetch = fetches(model.fluid(self.words, p, x))
        executor = fluid.Executor(self.place)
        executor.run(startup, scope=scope)
        for name, value in weights.items():
            scope.find_var(name).get_tensor().set(value, self.place)
        more = {"scope": scope, "use_program_cache": True, "return_numpy": return_numpy}

        def run(feed):
            self.ran.append((main, feed, fetch))
            return executor.run(main, feed=feed, fetch_list=fetch, **more)

        return run

    def _parameter(self, model, name, value):
        fluid = self.fluid
        attr = fluid.ParamAttr(name, fluid.initializer.Constant(0.0), trainable=model.trains(name))
        return fluid.layers.create_parameter(list(value.shape), str(value.dtype), attr=attr)


class Eager(_Fluid):
    """Imperative mode."""

    def __init__(self, framework):
        super().__init__(framework)
        self.guard = self.fluid.dygraph.guard(self.place)
        self.guard.__enter__()

    def inference(self, model):
        """Return the network's result, as a NumPy array."""
        run, x = self.session({"run": Part(model)})["run"], self._variables(model.inputs())
        return Work(lambda: run(x), lambda: run(x))

    def gradients(self, model):
        """Return the loss and the gradient of each weight."""
        net, x = self._net(model, {}), self._variables(model.inputs())

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
        run, x = self.session({"run": Part(model, optimizer, rate)})["run"], self._variables(model.inputs())
        return Work(lambda: run(x), lambda: [run(x)[0] for _ in range(CHECKED_STEPS)])

    def session(self, parts):
        """Return name -> function of a feed, for parts that share weights."""
        shared = {}
        return {name: self._function(part, shared) for name, part in parts.items()}

    def _function(self, part, shared):
        model, net = part.model, self._net(part.model, shared)
        if part.optimizer is None:

            def infer(feed):
                net.eval()
                with self.fluid.dygraph.no_grad():
                    found = [net(self._variables(feed)).numpy()]
                net.train()  # PaddlePaddle 1.8.5 records nothing after any network's eval()
                return found

            return infer
        trained = [each for name, each in net.p.items() if model.trains(name)]
        update = _optimizer(self.fluid, part.optimizer, part.rate, trained)

        def step(feed):
            net.train()
            for name, each in net.p.items():
                each.stop_gradient = not model.trains(name)
            loss = net(self._variables(feed))
            loss.backward()
            update.minimize(loss)
            net.clear_gradients()
            return [loss.numpy()]

        return step

    def _variables(self, feed):
        to_variable = self.fluid.dygraph.to_variable
        return {name: to_variable(value) for name, value in feed.items()}

    def _forward(self, forward):
        return forward

    def _net(self, model, shared):
        """Return a Layer with the model's weights; those in `shared` are taken from there, and others put there."""
        fluid = self.fluid
        forward = self._forward(lambda p, x: model.fluid(self.words, p, x))

        class Net(fluid.dygraph.Layer):
            def __init__(self):
                super().__init__()
                self.p = shared
                for name, value in model.weights().items():
                    if name not in shared:
                        shared[name] = self.create_parameter(list(value.shape), dtype=str(value.dtype))
                        shared[name].set_value(value)
                    self.add_parameter(name, shared[name])

            def forward(self, x):
                return forward(self.p, x)

        return Net()


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
