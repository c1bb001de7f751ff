"""What gradient() of a Variable in imperative mode is: None, zeros, or numbers."""

import numpy as np

ONES = np.ones([2, 2], "float32")


def linear(fluid):
    half = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.5))
    return fluid.dygraph.Linear(2, 2, param_attr=half)


def told(variables):
    """The gradient of each; the word "None" for none, values and rows of a sparse one."""
    found = {}
    for name, variable in variables.items():
        gradient = variable.gradient()
        if isinstance(gradient, tuple):
            found[name + " values"], found[name + " rows"] = np.array(gradient[0]), np.array(gradient[1])
        else:
            found[name] = np.array("None") if gradient is None else gradient
    return found


def cut(make):
    """A case: `make(fluid, hidden, layer)` gives what is differentiated, and Variables besides the parameters."""

    def run(fluid):
        with fluid.dygraph.guard():
            first, second, never = linear(fluid), linear(fluid), linear(fluid)
            data = fluid.dygraph.to_variable(ONES)
            hidden = first(data)
            target, more = make(fluid, hidden, second)
            target.backward()
            variables = {
                "first": first.weight,
                "second": second.weight,
                "never": never.weight,
                "data": data,
                "hidden": hidden,
            }
            variables.update(more)
            found = told(variables)
            for layer in (first, second, never):
                layer.clear_gradients()
            cleared = told({"first": first.weight, "second": second.weight, "never": never.weight})
            found.update({"cleared " + name: value for name, value in cleared.items()})
            return found

    return run


def through(fluid, hidden, layer):
    out = layer(hidden)
    return fluid.layers.mean(out), {"out": out}


def detached(fluid, hidden, layer):
    hidden = hidden.detach()
    return fluid.layers.mean(layer(hidden)), {"detached": hidden}


def stopped(fluid, hidden, layer):
    hidden.stop_gradient = True
    return fluid.layers.mean(layer(hidden)), {}


def part(fluid, hidden, layer):
    left, right = fluid.layers.split(layer(hidden), 2, dim=1)
    return fluid.layers.mean(left), {"left": left, "right": right}


def compared(fluid, hidden, layer):
    ones = fluid.layers.cast(hidden > 0.2, "float32")
    return fluid.layers.mean(ones * layer(fluid.dygraph.to_variable(ONES))), {}


def times_zero(fluid, hidden, layer):
    return fluid.layers.mean(layer(hidden) * 0.0), {}


def frozen(fluid, hidden, layer):
    layer.weight.stop_gradient = True
    return fluid.layers.mean(layer(hidden)), {"bias": layer.bias}


def embedded(sparse):
    def run(fluid):
        with fluid.dygraph.guard():
            half = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.5))
            table = fluid.dygraph.Embedding([4, 2], is_sparse=sparse, param_attr=half)
            ids = fluid.dygraph.to_variable(np.array([[1], [2]], "int64"))
            found = told({"before": table.weight})
            fluid.layers.mean(table(ids)).backward()
            found.update(told({"after": table.weight}))
            table.clear_gradients()
            found.update(told({"cleared": table.weight}))
            optimizer = fluid.optimizer.SGD(0.1, parameter_list=table.parameters())
            loss = fluid.layers.mean(table(ids))
            loss.backward()
            optimizer.minimize(loss)
            optimizer.clear_gradients()
            found.update(told({"after a step": table.weight}))
            return found

    return run


CASES = {make.__name__: cut(make) for make in (through, detached, stopped, part, compared, times_zero, frozen)}
CASES.update({"table": embedded(False), "sparse table": embedded(True)})
