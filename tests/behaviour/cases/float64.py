"""float64: attributes are float32 numbers, in single operators, in fused ones, and in imperative mode."""

import numpy as np

RUNS = 18  # fused kernels are compiled in between

X = np.random.RandomState(0).rand(3, 4) * 2 - 1.2


def chain(L, x):
    return L.scale(L.leaky_relu(L.scale(L.elu(x, 0.7), 0.1, bias=0.3) - 0.3, 0.1), 0.7) + 0.1


def arithmetic(L, x):
    return (x * 0.1 + 0.7) / 0.3 - 0.9


def shrunk(L, x):
    return L.softshrink(L.hard_sigmoid(L.stanh(x, 0.67, 1.7159), 0.2, 0.4), 0.3) + L.clip(x, -0.1, 0.7)


def apart(L, x):
    return L.huber_loss(L.pow(L.scale(x, 0.5, bias=1.1), 1.3), x, 0.3)


def normalized(L, x):
    return L.l2_normalize(L.layer_norm(x, epsilon=1e-3), 1, epsilon=1e-3)


def static(make):
    def run(fluid):
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup):
            x = fluid.data("x", [None, 4], "float64")
            x.stop_gradient = False
            out = make(fluid.layers, x)
            gradient = fluid.gradients([out], [x])[0]
        exe = fluid.Executor(fluid.CPUPlace())
        with fluid.scope_guard(fluid.Scope()):
            exe.run(startup)
            runs = [exe.run(main, feed={"x": X}, fetch_list=[out, gradient]) for _ in range(RUNS)]
        return {"first": runs[0][0], "last": runs[-1][0], "first gradient": runs[0][1], "last gradient": runs[-1][1]}

    return run


def imperative(make):
    def run(fluid):
        with fluid.dygraph.guard():
            x = fluid.dygraph.to_variable(X)
            x.stop_gradient = False
            out = make(fluid.layers, x)
            fluid.layers.reduce_sum(out).backward()
            return {"out": out.numpy(), "gradient": x.gradient()}

    return run


CASES = {f"static {make.__name__}": static(make) for make in (chain, arithmetic, shrunk, apart, normalized)}
CASES.update({f"imperative {make.__name__}": imperative(make) for make in (chain, arithmetic, shrunk, apart)})
