"""PaddlePaddle 3 as a side: imperative, and compiled by to_static."""

from __future__ import annotations

import paddle

from benchmarks.side import Part, Work

CHECKED_STEPS = 3


class Dygraph:
    """PaddlePaddle 3 in imperative mode."""

    def __init__(self, framework):
        paddle.set_device("cpu")

    def inference(self, model):
        """Return the network's result, as a NumPy array."""
        run, x = self.session({"run": Part(model)})["run"], model.inputs()
        return Work(lambda: run(x), lambda: run(x))

    def gradients(self, model):
        """Return the loss and the gradient of each weight."""
        net, x = self._net(model, {}), _tensors(model.inputs())

        def step():
            net(**x).backward()
            net.clear_gradients()

        def check():
            loss = net(**x)
            loss.backward()
            found = [loss.numpy()] + [net.p[name].grad.numpy() for name in sorted(net.p)]
            net.clear_gradients()
            return found

        return Work(step, check)

    def training(self, model, optimizer, rate):
        """Return a step of the optimizer."""
        run, x = self.session({"run": Part(model, optimizer, rate)})["run"], model.inputs()
        return Work(lambda: run(x), lambda: [run(x)[0] for _ in range(CHECKED_STEPS)])

    def session(self, parts):
        """Return name -> function of a feed, for parts that share weights."""
        p = {}
        return {name: self._function(part, p) for name, part in parts.items()}

    def _function(self, part, shared):
        model, rate = part.model, part.rate
        net = self._net(model, shared)
        if part.optimizer is None:

            def infer(feed):
                with paddle.no_grad():
                    return [net(**_tensors(feed)).numpy()]

            net.eval()
            return infer
        trained = {"parameters": [each for name, each in net.p.items() if model.trains(name)]}
        makers = {
            "adam": lambda: paddle.optimizer.Adam(rate, **trained),
            "lazy adam": lambda: paddle.optimizer.Adam(rate, lazy_mode=True, **trained),
            "momentum": lambda: paddle.optimizer.Momentum(rate, 0.9, **trained),
            "sgd": lambda: paddle.optimizer.SGD(rate, **trained),
        }
        update = makers[part.optimizer]()

        def step(feed):
            for name, each in net.p.items():
                each.stop_gradient = not model.trains(name)
            loss = net(**_tensors(feed))
            loss.backward()
            update.step()
            update.clear_grad()
            return [loss.numpy()]

        return step

    def _compiled(self, net):
        return net

    def _net(self, model, shared):
        """Return a Layer with the model's weights; those in `shared` are taken from there, and others put there."""

        class Net(paddle.nn.Layer):
            def __init__(self):
                super().__init__()
                self.p = shared
                for name, value in model.weights().items():
                    if name not in shared:
                        start = paddle.nn.initializer.Assign(value)
                        shape, dtype = list(value.shape), str(value.dtype)
                        shared[name] = self.create_parameter(shape, dtype=dtype, default_initializer=start)
                    self.add_parameter(name, shared[name])

            def forward(self, **x):
                return model.paddle3(paddle, self.p, x)

        return self._compiled(Net())


def _tensors(feed):
    return {name: paddle.to_tensor(value) for name, value in feed.items()}


class ToStatic(Dygraph):
    """PaddlePaddle 3, compiled by to_static."""

    def _compiled(self, net):
        return paddle.jit.to_static(net)
