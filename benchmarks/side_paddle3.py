"""PaddlePaddle 3 as a side: imperative, and compiled by to_static."""

from __future__ import annotations

import paddle

from benchmarks.side import Work

CHECKED_STEPS = 3


class Dygraph:
    """PaddlePaddle 3 in imperative mode."""

    def __init__(self, framework):
        paddle.set_device("cpu")

    def inference(self, model):
        """Return the network's result, as a NumPy array."""
        net, x = self._net(model)
        net.eval()

        def step():
            with paddle.no_grad():
                return [net(**x).numpy()]

        return Work(step, step)

    def gradients(self, model):
        """Return the loss and the gradient of each weight."""
        net, x = self._net(model)

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
        net, x = self._net(model)
        makers = {
            "adam": lambda: paddle.optimizer.Adam(rate, parameters=net.parameters()),
            "lazy adam": lambda: paddle.optimizer.Adam(rate, parameters=net.parameters(), lazy_mode=True),
            "sgd": lambda: paddle.optimizer.SGD(rate, parameters=net.parameters()),
        }
        update = makers[optimizer]()

        def step():
            loss = net(**x)
            loss.backward()
            update.step()
            update.clear_grad()
            return loss

        return Work(step, lambda: [step().numpy() for _ in range(CHECKED_STEPS)])

    def _compiled(self, net):
        return net

    def _net(self, model):
        class Net(paddle.nn.Layer):
            def __init__(self):
                super().__init__()
                self.p = {}
                for name, value in model.weights().items():
                    start = paddle.nn.initializer.Assign(value)
                    shape, dtype = list(value.shape), str(value.dtype)
                    self.p[name] = self.create_parameter(shape, dtype=dtype, default_initializer=start)
                    self.add_parameter(name, self.p[name])

            def forward(self, **x):
                return model.paddle3(paddle, self.p, x)

        return self._compiled(Net()), {name: paddle.to_tensor(value) for name, value in model.inputs().items()}


class ToStatic(Dygraph):
    """PaddlePaddle 3, compiled by to_static."""

    def _compiled(self, net):
        return paddle.jit.to_static(net)
