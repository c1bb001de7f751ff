"""What the calls of exceptions.json use, for paddle_lite and for PaddlePaddle 1.8.5 alike (Python 3.7)."""

import numpy as np


def static_names(fluid):
    """Variables of the default main Program, and others, by name."""
    layers = fluid.layers
    main = fluid.default_main_program()
    shapes = {
        "row": [None, 4],
        "free": [None, 3, -1, 8],
        "image": [None, 3, 8, 8],
        "channels": [None, -1, 8, 8],
        "words": [None, 5, 4],
    }
    names = {name: fluid.data(name, shape) for name, shape in shapes.items()}
    names["intimage"] = fluid.data("intimage", [None, 3, 8, 8], "int64")
    names["ids"] = fluid.data("ids", [None, 1], "int64")
    names["flag"] = fluid.data("flag", [1], "bool")
    names["one"] = fluid.data("one", [1], "int64")
    names["out"] = layers.fc(names["row"], 2)
    names["loss"] = layers.reduce_mean(names["out"])
    names["lout"] = fluid.data("lr", [None, 1], lod_level=1) * 2.0
    cpu = fluid.CPUPlace()
    names["lodt"] = fluid.create_lod_tensor(np.ones([3, 1], "float32"), [[1, 2]], cpu)
    names.update(main=main, block=main.global_block(), exe=fluid.Executor(cpu), cpu=cpu)
    return dict(names, fluid=fluid, L=layers, np=np)


def imperative_names(fluid):
    """Variables and a Layer of imperative mode, by name."""
    v = fluid.dygraph.to_variable
    x, i, unused = v(np.ones([2, 3], "float32")), v(np.ones([2, 3], "int64")), v(np.ones([2], "float32"))
    x.stop_gradient = unused.stop_gradient = False

    def twice():
        z = fluid.layers.reduce_sum(x * x)
        z.backward()
        z.backward()

    names = {"v": v, "x": x, "i": i, "y": x * 2.0, "unused": unused, "twice": twice}
    return dict(names, lin=fluid.dygraph.Linear(3, 2), fluid=fluid, L=fluid.layers, np=np, cpu=fluid.CPUPlace())
